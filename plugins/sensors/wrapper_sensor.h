#pragma once

#include <span>
#include <string>
#include <vector>

#include "mortise/base/schema.h"
#include "mortise/component/sensor.h"

namespace mortise {

/// A setting of a wrapper. All of them are numbers: one, or a list that holds nothing (not set), one for all channels,
/// or one a channel.
struct WrapperSetting {
  const char* name;
  bool list;
  double fallback;  ///< Of a single number.
  const char* help;
  ParameterOptions options = {};
  bool infinite = false;  ///< May be infinite.
};

/// What sensors that change another sensor's values have in common: they find it by name among the sensors that stand
/// before them, have its channels and its camera, and read its latest values. Settings can change while running.
class WrapperSensor : public Sensor {
 public:
  void start(const SensorSetup& setup) final;
  std::span<const std::string> channels() const final { return wrapped_.channels; }
  const CameraModel* camera() const final { return wrapped_.camera; }
  Value settings() const final;
  bool changeSetting(std::string_view name, const Value& value) final;
  void save(ByteWriter& out) const final;
  void restore(ByteReader& in) final;

 protected:
  using Numbers = std::vector<std::vector<double>>;  ///< By setting.

  /// `table` outlives the sensor.
  WrapperSensor(const ComponentContext& context, std::span<const WrapperSetting> table);

  std::span<const double> input() const { return wrapped_.values; }
  std::size_t size() const { return wrapped_.values.size(); }
  /// Channels before this one are packed colours, which cannot be calculated with.
  std::size_t firstNumber() const { return firstNumber_; }

  bool isSet(std::size_t setting) const { return !numbers_[setting].empty(); }
  double number(std::size_t setting) const { return numbers_[setting][0]; }
  double number(std::size_t setting, std::size_t channel) const {
    const std::vector<double>& values = numbers_[setting];
    return values.size() == 1 ? values[0] : values[channel];
  }

  /// True: a sensor that has colours only is refused.
  virtual bool needsNumbers() const { return true; }
  /// At the start, before the settings are checked; seconds between readings.
  virtual void prepare(double period) {}
  /// Throws `Error` for settings that do not go together; nothing has been changed yet.
  virtual void check(const Numbers& numbers) const;
  /// After `start`: nothing has been measured.
  virtual void begin() = 0;
  /// After a change of settings.
  virtual void settingsChanged() {}
  virtual void saveState(ByteWriter& out) const {}
  virtual void restoreState(ByteReader& in) {}

  static double entry(const std::vector<double>& values, std::size_t channel) {
    return values.size() == 1 ? values[0] : values[channel];
  }
  /// Throws `Error` for NaN, which no sensor delivers.
  static void requireNumbers(std::span<const double> values);

 private:
  void checkAll(const Numbers& numbers) const;

  std::span<const WrapperSetting> table_;
  Numbers numbers_;
  std::vector<SourcePosition> positions_;
  std::string sensor_;
  SourcePosition sensorPosition_;
  SensorReading wrapped_;
  std::size_t firstNumber_ = 0;
  bool started_ = false;
};

/// Declares what the table says, on a `ComponentBuilder` or a `Schema`.
template <typename Builder>
void declareSettings(Builder& builder, std::span<const WrapperSetting> table) {
  for (const WrapperSetting& setting : table) {
    if (setting.list)
      builder.parameter(setting.name, ParameterType::realList, setting.help, setting.options);
    else
      builder.parameter(setting.name, Value(setting.fallback), setting.help, setting.options);
  }
}

}  // namespace mortise
