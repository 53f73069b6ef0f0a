#pragma once

#include "link_sensor.h"

namespace mortise {

/// A tactile patch: a rectangle on a link that feels what touches it. Forces are means over the sensor's period.
class ContactSensor final : public LinkSensor {
 public:
  explicit ContactSensor(const ComponentContext& context);

  void simulate(const SimulationView& view, double period, std::span<double> out) override;
  bool observesSteps() const override { return true; }
  void observe(const SimulationView& view, double dt) override;

 private:
  void begin(const SensorSetup& setup) override;
  void saveState(ByteWriter& out) const override;
  void restoreState(ByteReader& in) override;
  void remember(const SimulationView& view);
  /// Share of the force at a point of the patch (sensor's frame) that is felt; 0 outside.
  double weight(const Vector3d& p_S) const;

  RigidTransform X_LS_;
  Eigen::Vector2d patchMin_, patchMax_;
  double tolerance_ = 0;
  std::array<bool, 3> hasForce_{};
  Vector3d resolution_ = Vector3d::Zero(), variance_ = Vector3d::Zero();
  Vector3d saturation_ = Vector3d::Constant(kInfinity);
  double sensitivity_ = 0, falloff_ = 0;
  int linkId_ = 0;

  RigidTransform X_WS_;                  ///< At the end of the last step: where the next step's contacts were found.
  bool placed_ = false;                  ///< Whether X_WS_ is known.
  Vector3d impulse_ = Vector3d::Zero();  ///< Since the last reading, on the link, sensor's frame, N s.
  double time_ = 0;                      ///< Since the last reading, s.
};

}  // namespace mortise
