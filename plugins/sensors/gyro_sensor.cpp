#include "gyro_sensor.h"

#include "mortise/math/rotation.h"
#include "state_bytes.h"

namespace mortise {

GyroUnit::GyroUnit(const Value& settings, ChangeableSettings& changeable)
    : hasRotation(settings.at("hasRotation").asBool()),
      hasVelocity(settings.at("hasAngVel").asBool()),
      hasAcceleration(settings.at("hasAngAccel").asBool()) {
  changeable.covariance("rotationVariance", rotationNoise);
  changeable.covariance("angVelVariance", velocityNoise);
  changeable.covariance("angAccelVariance", accelerationNoise);
}

void GyroUnit::reset() {
  known_ = false;
  lastTime_ = 0;
  lastVelocity_.setZero();
}

GyroUnit::Reading GyroUnit::read(const RigidTransform& X_WL, const LinkTwist& twist, double time,
                                 RandomStream& random) {
  Reading reading;
  if (hasRotation) {
    reading.R_WL = X_WL.R;
    if (!rotationNoise.none()) reading.R_WL = rotationFromMoment(rotationNoise.sample(random)) * X_WL.R;
  }
  if (hasVelocity) reading.velocity = twist.w_WL + velocityNoise.sample(random);
  if (hasAcceleration) {
    const double elapsed = time - lastTime_;
    if (known_ && elapsed > 0) reading.acceleration = (twist.w_WL - lastVelocity_) / elapsed;
    reading.acceleration += accelerationNoise.sample(random);
  }
  known_ = true;
  lastTime_ = time;
  lastVelocity_ = twist.w_WL;
  return reading;
}

void GyroUnit::save(ByteWriter& out) const {
  putFlag(out, known_);
  out.put(lastTime_);
  putNumbers(out, lastVelocity_);
}

void GyroUnit::restore(ByteReader& in) {
  known_ = getFlag(in);
  lastTime_ = getFinite(in);
  getNumbers(in, lastVelocity_);
}

void addRotationChannels(std::vector<std::string>& channels) {
  for (const char row : {'x', 'y', 'z'})
    for (const char column : {'x', 'y', 'z'}) channels.push_back(std::string("R_") + row + column);
}

void putRotation(const Matrix3d& R, std::span<double> out, std::size_t at) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[at + 3 * i + j] = R(i, j);
}

GyroSensor::GyroSensor(const ComponentContext& context) : LinkSensor(context), unit_(context.settings, settings_) {}

void GyroSensor::begin(const SensorSetup&) {
  unit_.reset();
  addRotationChannels(channels_);
  addAxes("angVel");
  addAxes("angAccel");
}

void GyroSensor::simulate(const SimulationView& view, double, std::span<double> out) {
  const GyroUnit::Reading reading = unit_.read(linkFrame(view), linkTwist(view), view.time, host_.random());
  putRotation(reading.R_WL, out, 0);
  putVector(reading.velocity, out, 9);
  putVector(reading.acceleration, out, 12);
}

}  // namespace mortise
