#pragma once

#include "common/link_sensor.h"
#include "common/setting_types.h"
#include "inertial/proper_acceleration.h"

namespace mortise::sensors {

/// The mount of an accelerometer, what it measures and how well: settings that an inertial measurement unit has as
/// well.
struct AccelerometerUnit {
  void bind(SettingBinder& b);

  const RigidTransform& X_LS() const { return pose.X; }
  Matrix3d orientation(const RigidTransform& X_WL) const { return X_WL.R * X_LS().R; }
  Vector3d velocity(const RigidTransform& X_WL, const LinkTwist& twist) const;

  PoseSetting pose;
  std::array<bool, 3> hasAxis{};
  Vector3d variance = Vector3d::Zero();  ///< (m/s^2)^2
};

struct AccelerometerSettings : LinkSettings {
  AccelerometerUnit unit;
  void bind(SettingBinder& b) {
    LinkSettings::bind(b);
    unit.bind(b);
  }
};

/// Proper acceleration of a point of a link along the sensor's axes, mean over its period.
class Accelerometer final : public LinkSensor<AccelerometerSettings> {
 public:
  using LinkSensor::LinkSensor;

  void simulate(const SimulationView& view, double period, std::span<double> out) override;
  bool observesSteps() const override { return true; }
  void observe(const SimulationView& view, double dt) override;

 private:
  void begin(const SensorSetup& setup) override;
  void saveState(ByteWriter& out) const override { mean_.save(out); }
  void restoreState(ByteReader& in) override { mean_.restore(in); }

  ProperAcceleration mean_;
};

}  // namespace mortise::sensors
