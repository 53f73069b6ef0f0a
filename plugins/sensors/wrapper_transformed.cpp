#include "wrapper_transformed.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise {

std::span<const WrapperSetting> TransformedSensor::table() {
  static const WrapperSetting settings[] = {
      {"scale", true, 1, "Factor: one for all channels or one a channel; by default 1."},
      {"bias", true, 0, "Added after scaling: one for all channels or one a channel; by default 0."},
      {"minimum",
       true,
       0,
       "Least value, after scale and bias: one for all channels or one a channel; by default none.",
       {},
       true},
      {"maximum",
       true,
       0,
       "Greatest value, after scale and bias: one for all channels or one a channel; by default none.",
       {},
       true},
  };
  return settings;
}

void TransformedSensor::check(const Numbers& numbers) const {
  if (numbers[kMinimum].empty() || numbers[kMaximum].empty()) return;
  for (std::size_t i = firstNumber(); i < size(); ++i)
    if (entry(numbers[kMinimum], i) > entry(numbers[kMaximum], i))
      throw Error("minimum is above maximum for channel '" + channels()[i] + "'", {}, "swap them");
}

void TransformedSensor::simulate(const SimulationView&, double, std::span<double> out) {
  const std::span<const double> in = input();
  std::copy(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(firstNumber()), out.begin());
  for (std::size_t i = firstNumber(); i < out.size(); ++i) {
    double value = in[i];
    if (isSet(kScale)) {
      const double scale = number(kScale, i);
      // Infinitely far times nothing is nothing: NaN would be a fault.
      value = scale == 0 ? 0 : scale * value;
    }
    if (isSet(kBias)) value += number(kBias, i);
    if (isSet(kMinimum)) value = std::max(value, number(kMinimum, i));
    if (isSet(kMaximum)) value = std::min(value, number(kMaximum, i));
    out[i] = value;
  }
}

}  // namespace mortise
