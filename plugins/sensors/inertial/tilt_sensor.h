#pragma once

#include "common/link_sensor.h"
#include "common/setting_types.h"

namespace mortise::sensors {

struct TiltSettings : LinkSettings {
  Vector3d direction = Vector3d(0, 0, 1);  ///< World frame, any length.
  RotationSetting rotation;
  std::array<bool, 3> hasAxis = {true, true, false};
  bool hasVelocity = false;
  Vector3d resolution = Vector3d::Zero(), variance = Vector3d::Zero();
  void bind(SettingBinder& b);
};

/// The tilt of the sensor's axes against a direction of the world, and how fast the sensor turns.
class TiltSensor final : public LinkSensor<TiltSettings> {
 public:
  explicit TiltSensor(const ComponentContext& context);
  void simulate(const SimulationView& view, double period, std::span<double> out) override;

 private:
  void begin(const SensorSetup& setup) override;

  Vector3d reference_W_;  ///< Unit length.
};

}  // namespace mortise::sensors
