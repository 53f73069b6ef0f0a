#include "wrappers/transformed_sensor.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::sensors {

void TransformedSettings::bind(SettingBinder& b) {
  WrapperSettings::bind(b);
  b.add("scale", scale, "Factor: one for all channels or one a channel; by default 1.", {.changeable = true});
  b.add("bias", bias, "Added after scaling: one for all channels or one a channel; by default 0.",
        {.changeable = true});
  b.add("minimum", minimum,
        "Minimum value, after scale and bias: one for all channels or one a channel; by default none.",
        {.infinite = true, .changeable = true});
  b.add("maximum", maximum,
        "Maximum value, after scale and bias: one for all channels or one a channel; by default none.",
        {.infinite = true, .changeable = true});
}

void TransformedSensor::check(const TransformedSettings& settings) const {
  if (settings.minimum.empty() || settings.maximum.empty()) return;
  for (std::size_t i = firstNumber(); i < size(); ++i)
    if (entry(settings.minimum, i) > entry(settings.maximum, i))
      throw Error("minimum is above maximum for channel '" + channels()[i] + "'", settingPosition("minimum"),
                  "swap them");
}

void TransformedSensor::simulate(const SimulationView&, double, std::span<double> out) {
  const std::span<const double> in = input();
  std::copy(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(firstNumber()), out.begin());
  for (std::size_t i = firstNumber(); i < out.size(); ++i) {
    double value = in[i];
    if (!settings_->scale.empty()) {
      const double scale = entry(settings_->scale, i);
      // Infinitely far times nothing is nothing: NaN would be a fault.
      value = scale == 0 ? 0 : scale * value;
    }
    if (!settings_->bias.empty()) value += entry(settings_->bias, i);
    if (!settings_->minimum.empty()) value = std::max(value, entry(settings_->minimum, i));
    if (!settings_->maximum.empty()) value = std::min(value, entry(settings_->maximum, i));
    out[i] = value;
  }
}

}  // namespace mortise::sensors
