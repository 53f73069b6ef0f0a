#include "wrappers/filtered_sensor.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::sensors {

void FilteredSettings::bind(SettingBinder& b) {
  WrapperSettings::bind(b);
  b.add("smoothing", smoothing, "How much of the last value remains, per reading: 0 passes values on, 1 never changes.",
        {.min = 0, .max = 1, .changeable = true});
  b.add("initial", initial,
        "Initial smoothed value: one for all channels or one a channel; by default the first value measured.",
        {.changeable = true});
}

void FilteredSensor::begin() {
  mean_.assign(size(), 0);
  begun_ = false;
}

void FilteredSensor::simulate(const SimulationView&, double, std::span<double> out) {
  const std::span<const double> in = input();
  if (!begun_) {
    begun_ = true;
    for (std::size_t i = 0; i < mean_.size(); ++i)
      mean_[i] = !settings_->initial.empty() ? entry(settings_->initial, i) : in[i];
  }
  std::copy(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(firstNumber()), out.begin());
  const double smoothing = settings_->smoothing;
  for (std::size_t i = firstNumber(); i < out.size(); ++i) {
    // A mean with an infinite value would be infinite, or no number, for good.
    if (std::isfinite(mean_[i]) && std::isfinite(in[i]))
      mean_[i] = smoothing * mean_[i] + (1 - smoothing) * in[i];
    else
      mean_[i] = in[i];
    out[i] = mean_[i];
  }
}

void FilteredSensor::saveState(ByteWriter& out) const {
  out.put(static_cast<std::uint8_t>(begun_));
  out.put(std::span<const double>(mean_));
}

void FilteredSensor::restoreState(ByteReader& in) {
  const auto begun = in.get<std::uint8_t>();
  if (begun > 1) throw Error("the snapshot of a FilteredSensor is not one");
  std::vector<double> mean(mean_.size());
  in.get(std::span<double>(mean));
  requireNumbers(mean);
  mean_ = std::move(mean);
  begun_ = begun == 1;
}

}  // namespace mortise::sensors
