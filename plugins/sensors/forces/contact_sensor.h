#pragma once

#include <optional>

#include "common/link_sensor.h"
#include "common/setting_types.h"

namespace mortise::sensors {

struct ContactSettings : LinkSettings {
  PoseSetting pose;
  std::array<double, 2> patchMin{}, patchMax{};  ///< m, sensor's frame.
  double tolerance = 0.001;                      ///< m
  std::array<bool, 3> hasForce{};
  Vector3d resolution = Vector3d::Zero(), variance = Vector3d::Zero();  ///< N, N^2
  double sensitivity = 0;                                               ///< N
  std::optional<Vector3d> saturation;                                   ///< N; not set: unlimited.
  double falloff = 0;
  void bind(SettingBinder& b);
  void check() const;
};

/// A tactile patch: a rectangle on a link that feels what touches it. Forces are means over the sensor's period.
class ContactSensor final : public LinkSensor<ContactSettings> {
 public:
  using LinkSensor::LinkSensor;

  void simulate(const SimulationView& view, double period, std::span<double> out) override;
  bool observesSteps() const override { return true; }
  void observe(const SimulationView& view, double dt) override;

 private:
  void begin(const SensorSetup& setup) override;
  void saveState(ByteWriter& out) const override;
  void restoreState(ByteReader& in) override;
  void remember(const SimulationView& view);
  /// Fraction of the force at a point of the patch (sensor's frame) that is felt; 0 outside.
  double weight(const Vector3d& p_S) const;

  int linkId_ = 0;

  RigidTransform X_WS_;                  ///< At the end of the last step: where the next step's contacts were found.
  bool placed_ = false;                  ///< True if X_WS_ is known.
  Vector3d impulse_ = Vector3d::Zero();  ///< Since the last reading, on the link, sensor's frame, N s.
  double time_ = 0;                      ///< Since the last reading, s.
};

}  // namespace mortise::sensors
