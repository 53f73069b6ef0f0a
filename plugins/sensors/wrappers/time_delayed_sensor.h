#pragma once

#include "wrappers/wrapper_sensor.h"

namespace mortise::sensors {

struct TimeDelayedSettings : WrapperSettings {
  double delay = 0, jitter = 0;  ///< s
  std::vector<double> initial;
  void bind(SettingBinder& b);
};

/// Another sensor's values, as they arrive after a delay. Each reading sets out when it is made and arrives `delay`
/// seconds later, give or take `jitter`, never before one that set out earlier; the last that arrived is held.
class TimeDelayedSensor final : public WrapperSensor<TimeDelayedSettings> {
 public:
  using WrapperSensor::WrapperSensor;
  void simulate(const SimulationView& view, double period, std::span<double> out) override;

 private:
  bool needsNumbers() const override { return false; }
  void prepare(double period) override;
  void check(const TimeDelayedSettings& settings) const override;
  void begin() override;
  void settingsChanged() override;
  void saveState(ByteWriter& out) const override;
  void restoreState(ByteReader& in) override;

  std::size_t readingsInTransit(double delay, double jitter) const;
  std::span<double> valuesAt(std::size_t slot) { return std::span<double>(values_).subspan(slot * size(), size()); }
  /// Room for `capacity` readings; those in transit stay.
  void reserve(std::size_t capacity);
  void deliverFirst();

  // Readings in transit: a ring, the oldest at `first_`.
  std::vector<double> times_;   ///< Times of arrival, s.
  std::vector<double> values_;  ///< Those of a reading one after the other.
  std::size_t first_ = 0, count_ = 0;
  std::vector<double> arrived_;
  bool begun_ = false;
  double period_ = 0;  ///< That there is room for, s.
};

}  // namespace mortise::sensors
