#pragma once

#include "wrappers/wrapper_sensor.h"

namespace mortise::sensors {

struct FilteredSettings : WrapperSettings {
  double smoothing = 0;
  std::vector<double> initial;
  void bind(SettingBinder& b);
};

/// Another sensor's values, exponentially smoothed.
class FilteredSensor final : public WrapperSensor<FilteredSettings> {
 public:
  using WrapperSensor::WrapperSensor;
  void simulate(const SimulationView& view, double period, std::span<double> out) override;

 private:
  void begin() override;
  void saveState(ByteWriter& out) const override;
  void restoreState(ByteReader& in) override;

  std::vector<double> mean_;
  bool begun_ = false;
};

}  // namespace mortise::sensors
