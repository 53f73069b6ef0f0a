#include "wrappers/time_delayed_sensor.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise::sensors {

namespace {

/// Maximum count of numbers in transit: half a gigabyte.
constexpr double kMaximumNumbers = 1 << 26;

}  // namespace

void TimeDelayedSettings::bind(SettingBinder& b) {
  WrapperSettings::bind(b);
  b.add("delay", delay, "Time from a reading to its arrival.", {.min = 0, .max = 1e6, .unit = "s", .changeable = true});
  b.add("jitter", jitter, "Each reading arrives up to this much earlier or later, uniformly distributed.",
        {.min = 0, .max = 1e6, .unit = "s", .changeable = true});
  b.add("initial", initial,
        "What is shown until the first reading arrives: one for all channels or one a channel; by default the first "
        "values measured.",
        {.changeable = true});
}

std::size_t TimeDelayedSensor::readingsInTransit(double delay, double jitter) const {
  // One more for the reading that sets out, two for the unevenness of rates that do not divide the ticks.
  const double readings = std::ceil((delay + jitter) / period_) + 3;
  if (!(readings * static_cast<double>(std::max<std::size_t>(size(), 1)) <= kMaximumNumbers))
    throw Error("a delay of " + formatReal(delay) + " s and readings every " + formatReal(period_) +
                    " s would keep more than " + std::to_string(static_cast<int>(kMaximumNumbers)) +
                    " values in transit",
                {}, "lower the delay, or the rate of this sensor");
  return static_cast<std::size_t>(readings);
}

void TimeDelayedSensor::check(const TimeDelayedSettings& settings) const {
  (void)readingsInTransit(settings.delay, settings.jitter);
}

void TimeDelayedSensor::prepare(double period) { period_ = period; }

void TimeDelayedSensor::begin() {
  first_ = count_ = 0;
  begun_ = false;
  arrived_.assign(size(), 0);
  times_.clear();
  values_.clear();
  settingsChanged();
}

void TimeDelayedSensor::settingsChanged() {
  const std::size_t needed = readingsInTransit(settings_->delay, settings_->jitter);
  if (needed > times_.size()) reserve(needed);
}

void TimeDelayedSensor::reserve(std::size_t capacity) {
  std::vector<double> times(capacity), values(capacity * size());
  for (std::size_t i = 0; i < count_; ++i) {
    const std::size_t slot = (first_ + i) % times_.size();
    times[i] = times_[slot];
    std::copy_n(valuesAt(slot).begin(), size(), values.begin() + static_cast<std::ptrdiff_t>(i * size()));
  }
  times_ = std::move(times);
  values_ = std::move(values);
  first_ = 0;
}

void TimeDelayedSensor::deliverFirst() {
  const std::span<const double> values = valuesAt(first_);
  std::copy(values.begin(), values.end(), arrived_.begin());
  first_ = (first_ + 1) % times_.size();
  --count_;
}

void TimeDelayedSensor::simulate(const SimulationView& view, double period, std::span<double> out) {
  if (period != period_) {  // The rate was changed: the only time that this allocates.
    period_ = period;
    settingsChanged();
  }
  const std::span<const double> in = input();
  if (!begun_) {
    begun_ = true;
    for (std::size_t i = 0; i < arrived_.size(); ++i)
      arrived_[i] = !settings_->initial.empty() ? entry(settings_->initial, i) : in[i];
  }
  double arrival = view.time + settings_->delay;
  if (const double jitter = settings_->jitter; jitter > 0) arrival += host_.random().uniform(-jitter, jitter);
  // There is room for all while readings come once a period; else the oldest arrives early rather than not at all.
  if (count_ == times_.size()) deliverFirst();
  const std::size_t slot = (first_ + count_) % times_.size();
  times_[slot] = arrival;
  std::copy(in.begin(), in.end(), valuesAt(slot).begin());
  ++count_;
  // Due now in spite of rounding: times are multiples of a step that has no exact form.
  const double now = view.time + 1e-6 * period_;
  while (count_ > 0 && times_[first_] <= now) deliverFirst();
  std::copy(arrived_.begin(), arrived_.end(), out.begin());
}

void TimeDelayedSensor::saveState(ByteWriter& out) const {
  out.put(static_cast<std::uint8_t>(begun_));
  out.put(std::span<const double>(arrived_));
  out.put(static_cast<std::uint64_t>(count_));
  for (std::size_t i = 0; i < count_; ++i) {
    const std::size_t slot = (first_ + i) % times_.size();
    out.put(times_[slot]);
    out.append(values_.data() + slot * size(), size() * sizeof(double));
  }
}

void TimeDelayedSensor::restoreState(ByteReader& in) {
  const auto begun = in.get<std::uint8_t>();
  if (begun > 1) throw Error("the snapshot of a TimeDelayedSensor is not one");
  std::vector<double> arrived(size());
  in.get(std::span<double>(arrived));
  requireNumbers(arrived);
  const auto count = in.get<std::uint64_t>();
  if (static_cast<double>(count) * static_cast<double>(std::max<std::size_t>(size(), 1)) > kMaximumNumbers)
    throw Error("the snapshot of a TimeDelayedSensor holds " + std::to_string(count) + " readings");
  // Grows with what the snapshot really holds, whatever its count says.
  std::vector<double> times, values;
  for (std::uint64_t i = 0; i < count; ++i) {
    times.push_back(in.get<double>());
    if (!std::isfinite(times.back())) throw Error("the snapshot holds a time of arrival that is not finite");
    for (std::size_t c = 0; c < size(); ++c) values.push_back(in.get<double>());
  }
  requireNumbers(values);
  const std::size_t capacity = std::max<std::size_t>({times_.size(), times.size() + 1});
  first_ = 0;
  count_ = times.size();
  times.resize(capacity);
  values.resize(capacity * size());
  times_ = std::move(times);
  values_ = std::move(values);
  arrived_ = std::move(arrived);
  begun_ = begun == 1;
}

}  // namespace mortise::sensors
