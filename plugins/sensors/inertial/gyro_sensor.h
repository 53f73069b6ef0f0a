#pragma once

#include "common/link_sensor.h"
#include "common/setting_types.h"

namespace mortise::sensors {

/// The part of a gyroscope that an inertial measurement unit has as well. World axes.
struct GyroSettings {
  bool hasRotation = false, hasVelocity = false, hasAcceleration = false;
  CovarianceNoise rotationNoise, velocityNoise, accelerationNoise;
  void bind(SettingBinder& b);
  bool nothingMeasured() const { return !hasRotation && !hasVelocity && !hasAcceleration; }
};

/// The data that a gyroscope keeps between readings.
class GyroUnit {
 public:
  struct Reading {
    Matrix3d R_WL = Matrix3d::Identity();
    Vector3d velocity = Vector3d::Zero();      ///< rad/s
    Vector3d acceleration = Vector3d::Zero();  ///< rad/s^2, mean since the last reading.
  };
  void reset();
  /// Reads; what is not measured keeps its value in a default `Reading`.
  Reading read(const GyroSettings& settings, const RigidTransform& X_WL, const LinkTwist& twist, double time,
               RandomStream& random);
  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  bool known_ = false;  ///< True if there was a reading before.
  double lastTime_ = 0;
  Vector3d lastVelocity_ = Vector3d::Zero();
};

struct GyroSensorSettings : LinkSettings {
  GyroSettings gyro;
  void bind(SettingBinder& b) {
    LinkSettings::bind(b);
    gyro.bind(b);
  }
};

/// Orientation, angular velocity and angular acceleration of a link.
class GyroSensor final : public LinkSensor<GyroSensorSettings> {
 public:
  using LinkSensor::LinkSensor;
  void simulate(const SimulationView& view, double period, std::span<double> out) override;

 private:
  void begin(const SensorSetup& setup) override;
  void saveState(ByteWriter& out) const override { unit_.save(out); }
  void restoreState(ByteReader& in) override { unit_.restore(in); }

  GyroUnit unit_;
};

/// Channels R_xx, R_xy, ... R_zz.
void addRotationChannels(std::vector<std::string>& channels);
/// Row by row.
void putRotation(const Matrix3d& R, std::span<double> out, std::size_t at);

}  // namespace mortise::sensors
