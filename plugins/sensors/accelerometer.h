#pragma once

#include "link_sensor.h"
#include "proper_acceleration.h"

namespace mortise {

/// The part of an accelerometer that an inertial measurement unit has as well.
struct AccelerometerUnit {
  AccelerometerUnit(const Value& settings, ChangeableSettings& changeable);

  /// Pose of the sensor's axes, and velocity of its point.
  Matrix3d orientation(const RigidTransform& X_WL) const { return X_WL.R * X_LS.R; }
  Vector3d velocity(const RigidTransform& X_WL, const LinkTwist& twist) const;
  void remember(const RigidTransform& X_WL, const LinkTwist& twist);
  void observe(const RigidTransform& X_WL, const LinkTwist& twist, const Vector3d& gravity, double dt);
  /// The reading along all axes, with noise; starts the next period.
  Vector3d read(const RigidTransform& X_WL, const LinkTwist& twist, const Vector3d& gravity, RandomStream& random);

  RigidTransform X_LS;
  std::array<bool, 3> hasAxis{};
  Vector3d variance = Vector3d::Zero();
  ProperAcceleration mean;
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
  void saveState(ByteWriter& out) const override { unit_.mean.save(out); }
  void restoreState(ByteReader& in) override { unit_.mean.restore(in); }

  AccelerometerUnit unit_;
};

}  // namespace mortise
