#pragma once

#include "wrapper_sensor.h"

namespace mortise {

/// Another sensor's values, exponentially smoothed.
class FilteredSensor final : public WrapperSensor {
 public:
  static std::span<const WrapperSetting> table();
  explicit FilteredSensor(const ComponentContext& context) : WrapperSensor(context, table()) {}
  void simulate(const SimulationView& view, double period, std::span<double> out) override;

 private:
  enum { kSmoothing, kInitial };
  void begin() override;
  void saveState(ByteWriter& out) const override;
  void restoreState(ByteReader& in) override;

  std::vector<double> mean_;
  bool begun_ = false;
};

}  // namespace mortise
