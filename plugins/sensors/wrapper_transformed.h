#pragma once

#include "wrapper_sensor.h"

namespace mortise {

/// Another sensor's values, scaled, shifted, then limited.
class TransformedSensor final : public WrapperSensor {
 public:
  static std::span<const WrapperSetting> table();
  explicit TransformedSensor(const ComponentContext& context) : WrapperSensor(context, table()) {}
  void simulate(const SimulationView& view, double period, std::span<double> out) override;

 private:
  enum { kScale, kBias, kMinimum, kMaximum };
  void check(const Numbers& numbers) const override;
  void begin() override {}
};

}  // namespace mortise
