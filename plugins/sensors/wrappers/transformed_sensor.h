#pragma once

#include "wrappers/wrapper_sensor.h"

namespace mortise::sensors {

struct TransformedSettings : WrapperSettings {
  std::vector<double> scale, bias, minimum, maximum;
  void bind(SettingBinder& b);
};

/// Another sensor's values, scaled, shifted, then limited.
class TransformedSensor final : public WrapperSensor<TransformedSettings> {
 public:
  using WrapperSensor::WrapperSensor;
  void simulate(const SimulationView& view, double period, std::span<double> out) override;

 private:
  void check(const TransformedSettings& settings) const override;
  void begin() override {}
};

}  // namespace mortise::sensors
