#include "inertial/strapdown.h"

#include "common/state_bytes.h"

namespace mortise::sensors {

void Strapdown::begin(const Matrix3d& R_WS, const Vector3d& v_WS) {
  begun_ = true;
  R_WS0_ = R_WS_ = R_WS;
  v_WS_ = v_WS;
  velocity_.setZero();
  displacement_.setZero();
  time_ = 0;
}

void Strapdown::observe(const Matrix3d& R_WS, const Vector3d& v_WS, const std::array<bool, 3>& axes, double dt) {
  if (!begun_) return begin(R_WS, v_WS);
  Vector3d change_W = v_WS - v_WS_;
  if (!axes[0] || !axes[1] || !axes[2]) {
    const Matrix3d R = 0.5 * (R_WS_ + R_WS);
    Vector3d change_S = R.transpose() * change_W;
    for (int i = 0; i < 3; ++i)
      if (!axes[i]) change_S[i] = 0;
    change_W = R * change_S;
  }
  const Vector3d change_S0 = R_WS0_.transpose() * change_W;
  displacement_ += dt * (velocity_ + 0.5 * change_S0);
  velocity_ += change_S0;
  time_ += dt;
  R_WS_ = R_WS;
  v_WS_ = v_WS;
}

void Strapdown::save(ByteWriter& out) const {
  putFlag(out, begun_);
  putNumbers(out, R_WS0_);
  putNumbers(out, R_WS_);
  putNumbers(out, v_WS_);
  putNumbers(out, velocity_);
  putNumbers(out, displacement_);
  out.put(time_);
}

void Strapdown::restore(ByteReader& in) {
  begun_ = getFlag(in);
  getNumbers(in, R_WS0_);
  getNumbers(in, R_WS_);
  getNumbers(in, v_WS_);
  getNumbers(in, velocity_);
  getNumbers(in, displacement_);
  time_ = getFinite(in);
}

}  // namespace mortise::sensors
