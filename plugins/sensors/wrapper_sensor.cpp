#include "wrapper_sensor.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/suggest.h"

namespace mortise {

namespace {

std::vector<double> numbersOf(const Value& value) { return value.isNull() ? std::vector<double>{} : value.asReals(); }

}  // namespace

WrapperSensor::WrapperSensor(const ComponentContext& context, std::span<const WrapperSetting> table)
    : table_(table),
      sensor_(context.settings.at("of").asString()),
      sensorPosition_(context.settings.at("of").position()) {
  for (const WrapperSetting& setting : table_) {
    const Value& value = context.settings.at(setting.name);
    numbers_.push_back(numbersOf(value));
    positions_.push_back(value.position());
  }
}

void WrapperSensor::start(const SensorSetup& setup) {
  const SensorReading* wrapped = findReading(setup.sensors, sensor_);
  if (wrapped == nullptr) {
    std::vector<std::string> names;
    for (const SensorReading& reading : setup.sensors) names.emplace_back(reading.name);
    std::string hint = didYouMean(sensor_, names);
    if (!hint.empty()) hint += ' ';
    hint += "A sensor must be declared before those that wrap it; ";
    hint += names.empty() ? "none stands before this one" : listNames(names);
    throw Error(
        "there is no sensor '" + sensor_ + "' before this one on robot '" + setup.world.robots[setup.robot].name + "'",
        sensorPosition_, hint);
  }
  wrapped_ = *wrapped;
  firstNumber_ = 0;
  if (const CameraModel* camera = wrapped_.camera; camera != nullptr && camera->color)
    firstNumber_ = std::min(size(), static_cast<std::size_t>(camera->width) * static_cast<std::size_t>(camera->height));
  if (needsNumbers() && firstNumber_ == size() && size() > 0)
    throw Error("sensor '" + sensor_ + "' measures nothing but colours, which this wrapper passes on as they are",
                sensorPosition_, "give the camera depth=1, or wrap it with a TimeDelayedSensor");
  prepare(setup.period);
  checkAll(numbers_);
  started_ = true;
  begin();
}

Value WrapperSensor::settings() const {
  Value all = Value::map();
  all.set("of", sensor_);
  for (std::size_t i = 0; i < table_.size(); ++i)
    all.set(table_[i].name, table_[i].list ? Value(numbers_[i]) : Value(numbers_[i][0]));
  return all;
}

bool WrapperSensor::changeSetting(std::string_view name, const Value& value) {
  const auto row =
      std::find_if(table_.begin(), table_.end(), [&](const auto& setting) { return setting.name == name; });
  if (row == table_.end()) return false;
  Schema schema;
  declareSettings(schema, {&*row, 1});
  Value given = Value::map();
  given.set(name, value);
  Diagnostics diagnostics;
  const Value complete = schema.complete(given, "a wrapper of sensor '" + sensor_ + "'", diagnostics);
  diagnostics.throwIfErrors();
  Numbers numbers = numbers_;
  numbers[static_cast<std::size_t>(row - table_.begin())] = numbersOf(complete.at(name));
  if (started_) checkAll(numbers);
  numbers_ = std::move(numbers);
  if (started_) settingsChanged();
  return true;
}

void WrapperSensor::check(const Numbers&) const {}

void WrapperSensor::checkAll(const Numbers& numbers) const {
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const WrapperSetting& setting = table_[i];
    const std::vector<double>& values = numbers[i];
    const std::string what = "'" + std::string(setting.name) + "' of a wrapper of sensor '" + sensor_ + "'";
    if (setting.list && values.size() > 1 && values.size() != size())
      throw Error(what + " has " + std::to_string(values.size()) + " entries, but the sensor has " +
                      std::to_string(size()) + " channels",
                  positions_[i], "give one for all channels, or one a channel");
    for (const double value : values) {
      if (setting.infinite ? std::isnan(value) : !std::isfinite(value))
        throw Error(what + " must be finite", positions_[i], setting.help);
      if (value < setting.options.min || value > setting.options.max)
        throw Error(what + " is out of its bounds", positions_[i], setting.help);
    }
  }
  check(numbers);
}

void WrapperSensor::save(ByteWriter& out) const {
  for (const std::vector<double>& values : numbers_) out.put(std::span<const double>(values));
  saveState(out);
}

void WrapperSensor::restore(ByteReader& in) {
  Numbers numbers(numbers_.size());
  for (std::size_t i = 0; i < table_.size(); ++i) {
    // The count stands in front; only what a setting can have is made room for.
    const auto count = in.get<std::uint64_t>();
    if (table_[i].list ? count > 1 && count != size() : count != 1)
      throw Error("the snapshot holds " + std::to_string(count) + " entries of '" + table_[i].name + "'");
    numbers[i].resize(count);
    for (double& value : numbers[i]) in.get(value);
  }
  checkAll(numbers);
  restoreState(in);
  numbers_ = std::move(numbers);
  settingsChanged();
}

void WrapperSensor::requireNumbers(std::span<const double> values) {
  for (const double value : values)
    if (std::isnan(value)) throw Error("the snapshot holds a measured value that is not a number");
}

}  // namespace mortise
