#include "inertial/proper_acceleration.h"

#include "common/state_bytes.h"

namespace mortise::sensors {

void ProperAcceleration::reset() { *this = {}; }

void ProperAcceleration::remember(const Matrix3d& R_WS, const Vector3d& v_WS) {
  R_WS_ = R_WS;
  v_WS_ = v_WS;
  known_ = true;
}

void ProperAcceleration::observe(const Matrix3d& R_WS, const Vector3d& v_WS, const Vector3d& gravity, double dt) {
  if (known_) {
    velocity_ += 0.5 * (R_WS_ + R_WS).transpose() * (v_WS - v_WS_ - dt * gravity);
    time_ += dt;
  }
  remember(R_WS, v_WS);
}

Vector3d ProperAcceleration::take(const Matrix3d& R_WS, const Vector3d& gravity) {
  const Vector3d mean = time_ > 0 ? Vector3d(velocity_ / time_) : Vector3d(-(R_WS.transpose() * gravity));
  velocity_.setZero();
  time_ = 0;
  return mean;
}

void ProperAcceleration::save(ByteWriter& out) const {
  putFlag(out, known_);
  putNumbers(out, R_WS_);
  putNumbers(out, v_WS_);
  putNumbers(out, velocity_);
  out.put(time_);
}

void ProperAcceleration::restore(ByteReader& in) {
  known_ = getFlag(in);
  getNumbers(in, R_WS_);
  getNumbers(in, v_WS_);
  getNumbers(in, velocity_);
  time_ = getFinite(in);
}

}  // namespace mortise::sensors
