#include "wrappers/corrupted_sensor.h"

#include <algorithm>

#include "common/noise.h"

namespace mortise::sensors {

void CorruptedSettings::bind(SettingBinder& b) {
  WrapperSettings::bind(b);
  b.add(
      "variance", variance,
      "Variance of the Gaussian noise, in the square of the channel's unit: one for all channels or one a channel; by "
      "default none.",
      {.min = 0, .changeable = true});
  b.add("resolution", resolution,
        "Values are rounded to multiples of this, after the noise: one for all channels or one a channel; 0, the "
        "default: not rounded.",
        {.min = 0, .changeable = true});
}

void CorruptedSensor::simulate(const SimulationView&, double, std::span<double> out) {
  const std::span<const double> in = input();
  std::copy(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(firstNumber()), out.begin());
  for (std::size_t i = firstNumber(); i < out.size(); ++i) {
    const double variance = !settings_->variance.empty() ? entry(settings_->variance, i) : 0;
    const double resolution = !settings_->resolution.empty() ? entry(settings_->resolution, i) : 0;
    out[i] = measured(in[i], variance, resolution, host_.random());
  }
}

}  // namespace mortise::sensors
