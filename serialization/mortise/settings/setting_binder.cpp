#include "mortise/settings/setting_binder.h"

#include <cmath>
#include <limits>

namespace mortise {

namespace {

/// Longer lists and texts in a snapshot are damage.
constexpr std::uint64_t kMaximumCount = 1u << 20;

std::uint64_t countFrom(ByteReader& in) {
  const auto count = in.get<std::uint64_t>();
  if (count > kMaximumCount) throw Error("the snapshot holds " + std::to_string(count) + " entries of one setting");
  return count;
}

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint8_t kAbsentBoolean = 2;

/// Real numbers and booleans have values that stand for absence; an empty list is absent. Everything else is preceded
/// by whether it is there, where it may be absent.
bool savesPresence(const Parameter& parameter) {
  const ParameterType type = parameter.type;
  return parameter.isOptional() && (type == ParameterType::integer || type == ParameterType::string);
}

/// The count of a list is saved before it, unless the type fixes it and the list may be absent.
bool savesCount(const Parameter& parameter) { return parameter.options.size < 0 || !parameter.isOptional(); }

void saveList(const Parameter& parameter, const Value& value, ByteWriter& out) {
  if (savesCount(parameter)) out.put(static_cast<std::uint64_t>(value.size()));
  for (const Value& item : value.items()) {
    if (parameter.type == ParameterType::stringList)
      out.put(std::string_view(item.asString()));
    else if (parameter.type == ParameterType::integerList)
      out.put(item.asInteger());
    else
      out.put(item.asReal());
  }
  if (value.isNull() && !savesCount(parameter))
    for (int i = 0; i < parameter.options.size; ++i) out.put(kAbsent);
}

void saveValue(const Parameter& parameter, const Value& value, ByteWriter& out) {
  switch (parameter.type) {
    case ParameterType::boolean:
      return out.put(value.isNull() ? kAbsentBoolean : static_cast<std::uint8_t>(value.asBool()));
    case ParameterType::integer:
      return out.put(value.asInteger());
    case ParameterType::real:
      return out.put(value.isNull() ? kAbsent : value.asReal());
    case ParameterType::string:
      return out.put(std::string_view(value.asString()));
    case ParameterType::realList:
    case ParameterType::integerList:
    case ParameterType::stringList:
      return saveList(parameter, value, out);
    case ParameterType::map:
    case ParameterType::any:
      throw Error("'" + parameter.name + "' cannot be saved: bind it as a type, or not as changeable");
  }
}

Value restoreList(const Parameter& parameter, ByteReader& in) {
  Value list = Value::list();
  bool absent = false;
  const std::uint64_t count =
      savesCount(parameter) ? countFrom(in) : static_cast<std::uint64_t>(parameter.options.size);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (parameter.type == ParameterType::stringList)
      list.push_back(in.getString());
    else if (parameter.type == ParameterType::integerList)
      list.push_back(in.get<std::int64_t>());
    else
      list.push_back(in.get<double>());
    absent = absent || (list.items().back().isNumber() && std::isnan(list.items().back().asReal()));
  }
  return parameter.isOptional() && (absent || list.size() == 0) ? Value() : list;
}

Value restoreValue(const Parameter& parameter, ByteReader& in) {
  switch (parameter.type) {
    case ParameterType::boolean: {
      const auto byte = in.get<std::uint8_t>();
      if (byte == kAbsentBoolean && parameter.isOptional()) return Value();
      return byte > 1 ? Value(static_cast<int>(byte)) : Value(byte == 1);
    }
    case ParameterType::integer:
      return Value(in.get<std::int64_t>());
    case ParameterType::real: {
      const auto number = in.get<double>();
      return std::isnan(number) && parameter.isOptional() ? Value() : Value(number);
    }
    case ParameterType::string:
      return Value(in.getString());
    case ParameterType::realList:
    case ParameterType::integerList:
    case ParameterType::stringList:
      return restoreList(parameter, in);
    case ParameterType::map:
    case ParameterType::any:
      break;
  }
  return Value();
}

}  // namespace

int SettingType<int>::from(const Value& value, std::string_view name) {
  const std::int64_t number = value.asInteger();
  if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max())
    throw Error("'" + std::string(name) + "' is out of range: " + std::to_string(number), value.position());
  return static_cast<int>(number);
}

Value SettingType<std::vector<int>>::value(const std::vector<int>& list) {
  if (list.empty()) return Value();
  Value value = Value::list();
  for (const int number : list) value.push_back(number);
  return value;
}

std::vector<int> SettingType<std::vector<int>>::from(const Value& value, std::string_view name) {
  std::vector<int> list;
  for (const Value& item : value.items()) list.push_back(SettingType<int>::from(item, name));
  return list;
}

SettingBinder& SettingBinder::bind(Parameter parameter, std::function<Value()> get,
                                   std::function<void(const Value&)> set) {
  if (!parameter.options.required) parameter.defaultValue = get();
  settings_.push_back({std::move(parameter), std::move(get), std::move(set)});
  return *this;
}

SettingBinder& SettingBinder::map(std::string name, Value& variable, std::string summary, ParameterOptions options) {
  return bind(
      {std::move(name), ParameterType::map, {}, std::move(summary), std::move(options)},
      [&variable] { return variable; }, [&variable](const Value& value) { variable = value; });
}

SettingBinder& SettingBinder::others(Value& variable) {
  others_ = &variable;
  return *this;
}

void SettingBinder::declare(Schema& schema) const {
  for (const Bound& bound : settings_) schema.parameter(bound.parameter);
  if (others_ != nullptr) schema.allowOtherKeys();
}

void SettingBinder::read(const Value& complete) {
  Diagnostics problems;
  for (Bound& bound : settings_) {
    const Value* value = complete.find(bound.parameter.name);
    if (value == nullptr || (value->isNull() && bound.parameter.options.required)) continue;
    try {
      bound.set(*value);
    } catch (const Error& error) {
      problems.error(error);
    }
  }
  if (others_ != nullptr) {
    *others_ = Value::map();
    others_->setPosition(complete.position());
    for (const Value::Entry& entry : complete.entries())
      if (find(entry.key) == nullptr) others_->entries().push_back(entry);
  }
  if (problems.errorCount() > 1) problems.throwIfErrors();
  for (const Diagnostic& problem : problems.all()) throw Error(problem.message, problem.where, problem.hint);
}

const Parameter* SettingBinder::find(std::string_view nameOrAlias) const {
  for (const Bound& bound : settings_)
    if (bound.parameter.isCalled(nameOrAlias)) return &bound.parameter;
  return nullptr;
}

Value SettingBinder::values() const {
  Value map = Value::map();
  for (const Bound& bound : settings_) map.set(bound.parameter.name, bound.get());
  return map;
}

std::string SettingBinder::change(std::string_view nameOrAlias, const Value& value) {
  for (Bound& bound : settings_) {
    if (!bound.parameter.isCalled(nameOrAlias) || !bound.parameter.options.changeable) continue;
    Diagnostics diagnostics;
    const std::optional<Value> converted = convertSetting(bound.parameter, value, "", diagnostics);
    diagnostics.throwIfErrors();
    bound.set(*converted);
    return bound.parameter.name;
  }
  return {};
}

void SettingBinder::save(ByteWriter& out) const {
  for (const Bound& bound : settings_) {
    if (!bound.parameter.options.changeable) continue;
    const Value value = bound.get();
    if (savesPresence(bound.parameter)) out.put(static_cast<std::uint8_t>(!value.isNull()));
    if (!value.isNull() || !savesPresence(bound.parameter)) saveValue(bound.parameter, value, out);
  }
}

void SettingBinder::restore(ByteReader& in) {
  for (Bound& bound : settings_) {
    if (!bound.parameter.options.changeable) continue;
    const bool present = !savesPresence(bound.parameter) || in.get<std::uint8_t>() != 0;
    const Value value = present ? restoreValue(bound.parameter, in) : Value();
    if (value == bound.get()) continue;
    Diagnostics diagnostics;
    const std::optional<Value> converted = convertSetting(bound.parameter, value, "the snapshot", diagnostics);
    diagnostics.throwIfErrors();
    bound.set(*converted);
  }
}

}  // namespace mortise
