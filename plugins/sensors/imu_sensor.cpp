#include "imu_sensor.h"

#include "mortise/math/rotation.h"
#include "state_bytes.h"

namespace mortise {

namespace {

/// Halfway from one orientation to another.
Matrix3d halfway(const Matrix3d& R_WA, const Matrix3d& R_WB) {
  return rotationFromMoment(0.5 * momentFromRotation(R_WB * R_WA.transpose())) * R_WA;
}

}  // namespace

ImuSensor::ImuSensor(const ComponentContext& context)
    : LinkSensor(context), accelerometer_(context.settings, settings_), gyro_(context.settings, settings_) {}

void ImuSensor::begin(const SensorSetup&) {
  accelerometer_.mean.reset();
  gyro_.reset();
  begun_ = false;
  lastTime_ = 0;
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
  accelerometer_.observe(linkFrame(view), linkTwist(view), view.gravity, dt);
}

/// Orientation and its derivatives: each from the gyro where it measures them, else by integration of the next higher
/// one or by differences of the next lower one.
void ImuSensor::turn(const GyroUnit::Reading& reading, const RigidTransform& X_WL, double elapsed) {
  const Matrix3d R_WLbefore = R_WL_;
  const Vector3d velocityBefore = angularVelocity_;
  if (!begun_) {
    R_WL_ = gyro_.hasRotation ? reading.R_WL : X_WL.R;  // Aligned once.
    angularVelocity_ = reading.velocity;
    angularAcceleration_ = reading.acceleration;
    return;
  }
  if (!(elapsed > 0)) return;
  if (gyro_.hasRotation) R_WL_ = reading.R_WL;
  const Vector3d turning =
      gyro_.hasRotation ? Vector3d(momentFromRotation(R_WL_ * R_WLbefore.transpose()) / elapsed) : Vector3d::Zero();
  if (gyro_.hasVelocity)
    angularVelocity_ = reading.velocity;
  else if (gyro_.hasAcceleration)
    angularVelocity_ += elapsed * reading.acceleration;
  else
    angularVelocity_ = turning;
  angularAcceleration_ =
      gyro_.hasAcceleration ? reading.acceleration : Vector3d((angularVelocity_ - velocityBefore) / elapsed);
  if (!gyro_.hasRotation)
    R_WL_ = orthonormalized(rotationFromMoment(0.5 * elapsed * (velocityBefore + angularVelocity_)) * R_WLbefore);
}

/// `R_WL`: the link's orientation in the middle of the period.
void ImuSensor::move(const Vector3d& felt_S, const Matrix3d& R_WL, const Vector3d& gravity, double elapsed) {
  const Matrix3d R_WS = R_WL * accelerometer_.X_LS.R;
  Vector3d acceleration_S = felt_S + R_WS.transpose() * gravity;
  acceleration_ = R_WS * onAxes(accelerometer_.hasAxis, acceleration_S);
  translation_ += elapsed * velocity_ + 0.5 * elapsed * elapsed * acceleration_;
  velocity_ += elapsed * acceleration_;
}

void ImuSensor::simulate(const SimulationView& view, double, std::span<double> out) {
  const RigidTransform& X_WL = linkFrame(view);
  const double observed = accelerometer_.mean.time();
  const Vector3d felt_S = accelerometer_.read(X_WL, linkTwist(view), view.gravity, host_.random());
  const GyroUnit::Reading reading = gyro_.read(X_WL, linkTwist(view), view.time, host_.random());
  const Matrix3d R_WLbefore = R_WL_;
  turn(reading, X_WL, view.time - lastTime_);
  // Without a gyro nothing tells how the box is turned: then, as in Klamp't, the true orientation is taken.
  if (gyro_.measuresNothing()) R_WL_ = X_WL.R;
  if (begun_ && observed > 0) move(felt_S, halfway(R_WLbefore, R_WL_), view.gravity, observed);
  begun_ = true;
  lastTime_ = view.time;
  const Vector3d* vectors[] = {&acceleration_, &velocity_, &translation_, &angularAcceleration_, &angularVelocity_};
  for (std::size_t i = 0; i < std::size(vectors); ++i) putVector(*vectors[i], out, 3 * i);
  putRotation(R_WL_, out, 15);
}

void ImuSensor::saveState(ByteWriter& out) const {
  accelerometer_.mean.save(out);
  gyro_.save(out);
  putFlag(out, begun_);
  out.put(lastTime_);
  for (const Vector3d* v : {&acceleration_, &velocity_, &translation_, &angularAcceleration_, &angularVelocity_})
    putNumbers(out, *v);
  putNumbers(out, R_WL_);
}

void ImuSensor::restoreState(ByteReader& in) {
  accelerometer_.mean.restore(in);
  gyro_.restore(in);
  begun_ = getFlag(in);
  lastTime_ = getFinite(in);
  for (Vector3d* v : {&acceleration_, &velocity_, &translation_, &angularAcceleration_, &angularVelocity_})
    getNumbers(in, *v);
  getNumbers(in, R_WL_);
}

}  // namespace mortise
