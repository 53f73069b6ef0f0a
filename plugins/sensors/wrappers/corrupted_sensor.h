#pragma once

#include "wrappers/wrapper_sensor.h"

namespace mortise::sensors {

struct CorruptedSettings : WrapperSettings {
  std::vector<double> variance, resolution;
  void bind(SettingBinder& b);
};

/// Another sensor's values with Gaussian noise, then rounded.
class CorruptedSensor final : public WrapperSensor<CorruptedSettings> {
 public:
  using WrapperSensor::WrapperSensor;
  void simulate(const SimulationView& view, double period, std::span<double> out) override;

 private:
  void begin() override {}
};

}  // namespace mortise::sensors
