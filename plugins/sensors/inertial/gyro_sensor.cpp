#include "inertial/gyro_sensor.h"

#include "common/state_bytes.h"
#include "mortise/math/rotation.h"

namespace mortise::sensors {

void GyroSettings::bind(SettingBinder& b) {
  b.add("has_rotation", hasRotation, "Whether the orientation is measured.", {.aliases = {"hasRotation"}});
  b.add("has_ang_vel", hasVelocity, "Whether the angular velocity is measured.", {.aliases = {"hasAngVel"}});
  b.add("has_ang_accel", hasAcceleration, "Whether the angular acceleration is measured.",
        {.aliases = {"hasAngAccel"}});
  b.add("rotation_variance", rotationNoise,
        "Covariance of the noise of the orientation, rad^2: a rotation vector in world axes. 3x3, row by row.",
        {.aliases = {"rotationVariance"}, .changeable = true});
  b.add("ang_vel_variance", velocityNoise,
        "Covariance of the noise of the angular velocity, (rad/s)^2. 3x3, row by row.",
        {.aliases = {"angVelVariance"}, .changeable = true});
  b.add("ang_accel_variance", accelerationNoise,
        "Covariance of the noise of the angular acceleration, (rad/s^2)^2. 3x3, row by row.",
        {.aliases = {"angAccelVariance"}, .changeable = true});
}

void GyroUnit::reset() {
  known_ = false;
  lastTime_ = 0;
  lastVelocity_.setZero();
}

GyroUnit::Reading GyroUnit::read(const GyroSettings& settings, const RigidTransform& X_WL, const LinkTwist& twist,
                                 double time, RandomStream& random) {
  Reading reading;
  if (settings.hasRotation) {
    reading.R_WL = X_WL.R;
    if (!settings.rotationNoise.none())
      reading.R_WL = rotationFromMoment(settings.rotationNoise.sample(random)) * X_WL.R;
  }
  if (settings.hasVelocity) reading.velocity = twist.w_WL + settings.velocityNoise.sample(random);
  if (settings.hasAcceleration) {
    const double elapsed = time - lastTime_;
    if (known_ && elapsed > 0) reading.acceleration = (twist.w_WL - lastVelocity_) / elapsed;
    reading.acceleration += settings.accelerationNoise.sample(random);
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

void GyroSensor::begin(const SensorSetup&) {
  unit_.reset();
  addRotationChannels(channels_);
  addAxes("angVel");
  addAxes("angAccel");
}

void GyroSensor::simulate(const SimulationView& view, double, std::span<double> out) {
  const GyroUnit::Reading reading =
      unit_.read(settings_->gyro, linkFrame(view), linkTwist(view), view.time, host_.random());
  putRotation(reading.R_WL, out, 0);
  putVector(reading.velocity, out, 9);
  putVector(reading.acceleration, out, 12);
}

}  // namespace mortise::sensors
