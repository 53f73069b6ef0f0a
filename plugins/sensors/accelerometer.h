#pragma once

#include "link_sensor.h"
#include "proper_acceleration.h"

namespace mortise {

/// Where an accelerometer sits, what it measures and how well: settings that an inertial measurement unit has as well.
struct AccelerometerUnit {
  AccelerometerUnit(const Value& settings, ChangeableSettings& changeable);

  Matrix3d orientation(const RigidTransform& X_WL) const { return X_WL.R * X_LS.R; }
  Vector3d velocity(const RigidTransform& X_WL, const LinkTwist& twist) const;

  RigidTransform X_LS;
  std::array<bool, 3> hasAxis{};
  Vector3d variance = Vector3d::Zero();
};

/// Proper acceleration of a point of a link along the sensor's axes, mean over its period.
class Accelerometer final : public LinkSensor {
 public:
  explicit Accelerometer(const ComponentContext& context);

  void simulate(const SimulationView& view, double period, std::span<double> out) override;
  bool observesSteps() const override { return true; }
  void observe(const SimulationView& view, double dt) override;

 private:
  void begin(const SensorSetup& setup) override;
  void saveState(ByteWriter& out) const override { mean_.save(out); }
  void restoreState(ByteReader& in) override { mean_.restore(in); }

  AccelerometerUnit unit_;
  ProperAcceleration mean_;
};

}  // namespace mortise
