#pragma once

#include "wrapper_sensor.h"

namespace mortise {

/// Another sensor's values with Gaussian noise, then rounded.
class CorruptedSensor final : public WrapperSensor {
 public:
  static std::span<const WrapperSetting> table();
  explicit CorruptedSensor(const ComponentContext& context) : WrapperSensor(context, table()), host_(context.host) {}
  void simulate(const SimulationView& view, double period, std::span<double> out) override;

 private:
  enum { kVariance, kResolution };
  void begin() override {}

  Host& host_;
};

}  // namespace mortise
