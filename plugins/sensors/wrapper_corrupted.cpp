#include "wrapper_corrupted.h"

#include <algorithm>

#include "noise.h"

namespace mortise {

std::span<const WrapperSetting> CorruptedSensor::table() {
  static const WrapperSetting settings[] = {
      {"variance",
       true,
       0,
       "Variance of the Gaussian noise, in the square of the channel's unit: one for all channels or one a channel; by "
       "default none.",
       {.min = 0}},
      {"resolution",
       true,
       0,
       "Values are rounded to multiples of this, after the noise: one for all channels or one a channel; 0, the "
       "default: not rounded.",
       {.min = 0}},
  };
  return settings;
}

void CorruptedSensor::simulate(const SimulationView&, double, std::span<double> out) {
  const std::span<const double> in = input();
  std::copy(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(firstNumber()), out.begin());
  for (std::size_t i = firstNumber(); i < out.size(); ++i) {
    const double variance = isSet(kVariance) ? number(kVariance, i) : 0;
    const double resolution = isSet(kResolution) ? number(kResolution, i) : 0;
    out[i] = measured(in[i], variance, resolution, host_.random());
  }
}

}  // namespace mortise
