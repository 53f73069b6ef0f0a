#pragma once

#include <span>
#include <string>
#include <vector>

#include "mortise/component/sensor.h"
#include "mortise/settings/settings.h"

namespace mortise::sensors {

/// Settings that those of all wrappers begin with. Settings that are lists hold one number for all channels or one a
/// channel; empty: not set.
struct WrapperSettings {
  std::string of;
  void bind(SettingBinder& b) {
    b.add("of", of, "Name of the wrapped sensor, which is declared before this one.",
          {.required = true, .aliases = {"sensor"}});
  }
};

/// The wrapped sensor: found by name among the sensors that are declared before the wrapper.
class WrappedSensor {
 protected:
  /// Throws `Error` for a sensor that is not there. `numbers`: a sensor that measures only packed colors is refused.
  void find(const SensorSetup& setup, const std::string& name, const SourcePosition& where, bool numbers);
  /// Throws `Error` for a list in `settings` that has neither one entry nor one a channel.
  void checkCounts(const Value& settings) const;

  std::span<const double> input() const { return wrapped_.values; }
  std::size_t size() const { return wrapped_.values.size(); }
  /// Channels before this one are packed colors, which cannot be calculated with.
  std::size_t firstNumber() const { return firstNumber_; }
  static double entry(const std::vector<double>& values, std::size_t channel) {
    return values.size() == 1 ? values[0] : values[channel];
  }
  /// Throws `Error` for NaN, which no sensor delivers.
  static void requireNumbers(std::span<const double> values);

  SensorReading wrapped_;

 private:
  std::string name_;
  std::size_t firstNumber_ = 0;
};

/// The common part of sensors that change another sensor's values: they have its channels and its camera, and read its
/// latest values. The settings `S` are derived from `WrapperSettings`; all but the first can change while running.
template <typename S>
class WrapperSensor : public Configured<Sensor, S>, protected WrappedSensor {
 public:
  using Configured<Sensor, S>::Configured;

  void start(const SensorSetup& setup) final {
    find(setup, settings_->of, settings_.position("of"), needsNumbers());
    prepare(setup.period);
    settings_.setCheck([this](const S& settings) {
      checkCounts(settings_.values());
      check(settings);
    });
    begin();
    started_ = true;
  }
  std::span<const std::string> channels() const final { return wrapped_.channels; }
  const CameraModel* camera() const final { return wrapped_.camera; }
  bool changeSetting(std::string_view name, const Value& value) final {
    if (!settings_.change(name, value)) return false;
    if (started_) settingsChanged();
    return true;
  }
  void save(ByteWriter& out) const final {
    settings_.save(out);
    saveState(out);
  }
  void restore(ByteReader& in) final {
    settings_.restore(in);
    restoreState(in);
    settingsChanged();
  }

 protected:
  virtual bool needsNumbers() const { return true; }
  /// At the start, before the settings are checked; seconds between readings.
  virtual void prepare(double period) {}
  /// Throws `Error` for settings that do not go together; nothing has been changed yet.
  virtual void check(const S& settings) const {}
  /// After `start`: nothing has been measured.
  virtual void begin() = 0;
  /// After a change of settings.
  virtual void settingsChanged() {}
  virtual void saveState(ByteWriter& out) const {}
  virtual void restoreState(ByteReader& in) {}

  using Configured<Sensor, S>::host_;
  using Configured<Sensor, S>::settings_;

 private:
  bool started_ = false;
};

}  // namespace mortise::sensors
