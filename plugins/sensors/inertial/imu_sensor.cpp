#include "inertial/imu_sensor.h"

#include "common/state_bytes.h"
#include "mortise/math/rotation.h"

namespace mortise::sensors {

void ImuSensor::begin(const SensorSetup&) {
  gyro_.reset();
  sums_ = {};
  aligned_ = false;
  acceleration_.setZero();
  velocity_.setZero();
  translation_.setZero();
  angularAcceleration_.setZero();
  angularVelocity_.setZero();
  R_WL_.setIdentity();
  for (const char* quantity : {"accel", "vel", "trans", "angAccel", "angVel"}) addAxes(quantity);
  addRotationChannels(channels_);
}

void ImuSensor::observe(const SimulationView& view, double dt) {
  const RigidTransform& X_WL = linkFrame(view);
  sums_.observe(settings_->accelerometer.orientation(X_WL), settings_->accelerometer.velocity(X_WL, linkTwist(view)),
                settings_->accelerometer.hasAxis, dt);
}

/// The first reading: the unit is told how it is turned.
void ImuSensor::align(const RigidTransform& X_WL, const GyroUnit::Reading& reading) {
  R_WL_ = settings_->gyro.hasRotation ? reading.R_WL : X_WL.R;
  angularVelocity_ = reading.velocity;
  angularAcceleration_ = reading.acceleration;
  aligned_ = true;
}

/// Position and velocity: what the accelerometer summed up, turned by the orientation that the unit believes to have
/// had at the last reading, and gravity added.
void ImuSensor::move(const Vector3d& gravity, const Vector3d& noise_S) {
  const double T = sums_.time();
  const Matrix3d R_WS = R_WL_ * settings_->accelerometer.X_LS().R;
  const Vector3d push_S = noise_S - sums_.start().transpose() * gravity;
  const Vector3d change = R_WS * (sums_.velocity() + T * push_S) + T * gravity;
  translation_ += T * velocity_ + R_WS * (sums_.displacement() + 0.5 * T * T * push_S) + 0.5 * T * T * gravity;
  velocity_ += change;
  acceleration_ = change / T;
}

/// Orientation and its derivatives: each from the gyro where it measures them, else by integration of the next higher
/// one or by differences of the next lower one.
void ImuSensor::turn(const RigidTransform& X_WL, const LinkTwist& twist, const GyroUnit::Reading& reading) {
  const double T = sums_.time();
  const Matrix3d R_WLbefore = R_WL_;
  const Vector3d velocityBefore = angularVelocity_;

  if (settings_->gyro.hasVelocity)
    angularVelocity_ = reading.velocity;
  else if (settings_->gyro.hasAcceleration)
    angularVelocity_ += T * reading.acceleration;
  else if (settings_->gyro.hasRotation)
    angularVelocity_ = momentFromRotation(reading.R_WL * R_WLbefore.transpose()) / T;
  angularAcceleration_ =
      settings_->gyro.hasAcceleration ? reading.acceleration : Vector3d((angularVelocity_ - velocityBefore) / T);

  if (settings_->gyro.hasRotation) {
    R_WL_ = reading.R_WL;
  } else if (settings_->gyro.hasVelocity) {
    const Matrix3d& R_LS = settings_->accelerometer.X_LS().R;
    const Matrix3d turned = R_LS * sums_.turn() * R_LS.transpose();
    R_WL_ = orthonormalized(rotationFromMoment(T * (reading.velocity - twist.w_WL)) * R_WLbefore * turned);
  } else if (settings_->gyro.hasAcceleration) {
    R_WL_ = orthonormalized(rotationFromMoment(0.5 * T * (velocityBefore + angularVelocity_)) * R_WLbefore);
  } else {
    R_WL_ = X_WL.R;  // Nothing tells how the box is turned: then, as in Klamp't, the true orientation is taken.
  }
}

void ImuSensor::simulate(const SimulationView& view, double, std::span<double> out) {
  const RigidTransform& X_WL = linkFrame(view);
  const Vector3d zero = Vector3d::Zero();
  const Vector3d noise_S =
      onAxes(settings_->accelerometer.hasAxis, measured(zero, settings_->accelerometer.variance, zero, host_.random()));
  const GyroUnit::Reading reading = gyro_.read(settings_->gyro, X_WL, linkTwist(view), view.time, host_.random());
  if (!aligned_) {
    align(X_WL, reading);
  } else if (sums_.time() > 0) {
    move(view.gravity, noise_S);
    turn(X_WL, linkTwist(view), reading);
  }
  sums_.begin(settings_->accelerometer.orientation(X_WL), settings_->accelerometer.velocity(X_WL, linkTwist(view)));
  const Vector3d* vectors[] = {&acceleration_, &velocity_, &translation_, &angularAcceleration_, &angularVelocity_};
  for (std::size_t i = 0; i < std::size(vectors); ++i) putVector(*vectors[i], out, 3 * i);
  putRotation(R_WL_, out, 15);
}

void ImuSensor::saveState(ByteWriter& out) const {
  gyro_.save(out);
  sums_.save(out);
  putFlag(out, aligned_);
  for (const Vector3d* v : {&acceleration_, &velocity_, &translation_, &angularAcceleration_, &angularVelocity_})
    putNumbers(out, *v);
  putNumbers(out, R_WL_);
}

void ImuSensor::restoreState(ByteReader& in) {
  gyro_.restore(in);
  sums_.restore(in);
  aligned_ = getFlag(in);
  for (Vector3d* v : {&acceleration_, &velocity_, &translation_, &angularAcceleration_, &angularVelocity_})
    getNumbers(in, *v);
  getNumbers(in, R_WL_);
}

}  // namespace mortise::sensors
