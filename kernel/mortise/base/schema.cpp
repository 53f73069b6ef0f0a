#include "mortise/base/schema.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace mortise {

namespace {

constexpr std::array<std::string_view, 9> kTypeNames = {"boolean",      "integer",     "real", "string", "real_list",
                                                        "integer_list", "string_list", "map",  "any"};

ParameterType typeOfDefault(const Value& value) {
  switch (value.type()) {
    case Value::Type::null:
      return ParameterType::any;
    case Value::Type::boolean:
      return ParameterType::boolean;
    case Value::Type::integer:
      return ParameterType::integer;
    case Value::Type::real:
      return ParameterType::real;
    case Value::Type::string:
      return ParameterType::string;
    case Value::Type::map:
      return ParameterType::map;
    case Value::Type::list:
      break;
  }
  bool strings = value.size() > 0, integers = value.size() > 0, numbers = true;
  for (const Value& item : value.items()) {
    strings = strings && item.isString();
    integers = integers && item.isInteger();
    numbers = numbers && item.isNumber();
  }
  if (strings) return ParameterType::stringList;
  if (integers) return ParameterType::integerList;
  return numbers ? ParameterType::realList : ParameterType::any;
}

/// A position says that somebody wrote the value; nobody writes a default.
void forgetPositions(Value& value) {
  value.setPosition({});
  for (Value& item : value.items()) forgetPositions(item);
  for (Value::Entry& entry : value.entries()) {
    entry.keyPosition = {};
    forgetPositions(entry.value);
  }
}

/// Brings a default to the declared type (an integer for a real, ...), checking it by the parameter's own rules.
void settleDefault(Parameter& parameter) {
  if (parameter.defaultValue.isNull()) return;
  Diagnostics diagnostics;
  std::optional<Value> value = convertSetting(parameter, parameter.defaultValue, "the default", diagnostics);
  if (!value) {
    const Diagnostic& first = diagnostics.all().front();
    throw Error("schema: " + first.message, first.where);
  }
  parameter.defaultValue = std::move(*value);
  forgetPositions(parameter.defaultValue);
}

}  // namespace

std::string_view parameterTypeName(ParameterType type) { return kTypeNames[static_cast<std::size_t>(type)]; }

bool Parameter::isCalled(std::string_view given) const {
  return name == given || std::find(options.aliases.begin(), options.aliases.end(), given) != options.aliases.end() ||
         wasCalled(given);
}

bool Parameter::wasCalled(std::string_view given) const {
  return std::find(options.formerly.begin(), options.formerly.end(), given) != options.formerly.end();
}

const Parameter* Schema::find(std::string_view nameOrAlias) const {
  for (const Parameter& parameter : parameters_)
    if (parameter.isCalled(nameOrAlias)) return &parameter;
  return nullptr;
}

namespace {

void checkNames(const Schema& schema, const Parameter& parameter) {
  if (parameter.name.empty()) throw Error("schema: a parameter needs a name");
  if (schema.find(parameter.name)) throw Error("schema: parameter '" + parameter.name + "' is declared twice");
  std::vector<std::string> others = parameter.options.aliases;
  others.insert(others.end(), parameter.options.formerly.begin(), parameter.options.formerly.end());
  for (const std::string& alias : others)
    if (alias == parameter.name || schema.find(alias))
      throw Error("schema: alias '" + alias + "' of parameter '" + parameter.name + "' is already taken");
  if (parameter.options.min > parameter.options.max)
    throw Error("schema: the bounds of parameter '" + parameter.name + "' leave no value");
}

}  // namespace

Schema& Schema::parameter(Parameter parameter) {
  checkNames(*this, parameter);
  settleDefault(parameter);
  parameters_.push_back(std::move(parameter));
  return *this;
}

Schema& Schema::parameter(std::string name, Value defaultValue, std::string summary, ParameterOptions options) {
  const ParameterType type = typeOfDefault(defaultValue);
  return parameter({std::move(name), type, std::move(defaultValue), std::move(summary), std::move(options)});
}

Schema& Schema::parameter(std::string name, ParameterType type, std::string summary, ParameterOptions options) {
  return parameter({std::move(name), type, {}, std::move(summary), std::move(options)});
}

Schema& Schema::allowOtherKeys(bool allow) {
  otherKeysAllowed_ = allow;
  return *this;
}

Value Schema::toValue() const {
  Value list = Value::list();
  for (const Parameter& parameter : parameters_) {
    const ParameterOptions& options = parameter.options;
    Value entry = Value::map();
    entry.set("name", parameter.name);
    entry.set("type", parameterTypeName(parameter.type));
    if (!parameter.defaultValue.isNull()) entry.set("default", parameter.defaultValue);
    if (!parameter.summary.empty()) entry.set("summary", parameter.summary);
    if (!options.unit.empty()) entry.set("unit", options.unit);
    if (std::isfinite(options.min)) entry.set("min", options.min);
    if (std::isfinite(options.max)) entry.set("max", options.max);
    if (!options.choices.empty()) entry.set("choices", options.choices);
    if (!options.formerChoices.empty()) {
      Value former = Value::map();
      for (const auto& [before, now] : options.formerChoices) former.set(before, now);
      entry.set("former_choices", std::move(former));
    }
    if (options.required) entry.set("required", true);
    if (options.size >= 0) entry.set("size", options.size);
    if (!options.aliases.empty()) entry.set("aliases", options.aliases);
    if (!options.formerly.empty()) entry.set("formerly", options.formerly);
    if (options.infinite) entry.set("infinite", true);
    if (options.changeable) entry.set("changeable", true);
    list.push_back(std::move(entry));
  }
  Value value = Value::map();
  value.set("parameters", std::move(list));
  if (otherKeysAllowed_) value.set("other_keys", true);
  return value;
}

Schema Schema::fromValue(const Value& value) {
  Schema schema;
  if (value.isNull()) return schema;
  schema.allowOtherKeys(value.boolean("other_keys", false));
  const Value* list = value.find("parameters");
  if (!list || list->isNull()) return schema;
  if (!list->isList()) throw Error("expected a list of parameters", list->position());
  for (const Value& entry : list->items()) {
    Parameter parameter;
    parameter.name = entry.at("name").asString();
    const Value& typeValue = entry.at("type");
    const auto type = std::find(kTypeNames.begin(), kTypeNames.end(), typeValue.asString());
    if (type == kTypeNames.end())
      throw Error("'" + typeValue.asString() + "' is not a type of parameter", typeValue.position());
    parameter.type = static_cast<ParameterType>(type - kTypeNames.begin());
    parameter.summary = entry.string("summary", "");
    ParameterOptions& options = parameter.options;
    options.unit = entry.string("unit", "");
    options.min = entry.real("min", options.min);
    options.max = entry.real("max", options.max);
    if (const Value* choices = entry.find("choices")) options.choices = choices->asStrings();
    if (const Value* former = entry.find("former_choices"))
      for (const Value::Entry& each : former->entries())
        options.formerChoices.emplace_back(each.key, each.value.asString());
    options.required = entry.boolean("required", false);
    options.size = static_cast<int>(entry.integer("size", -1));
    if (const Value* aliases = entry.find("aliases")) options.aliases = aliases->asStrings();
    if (const Value* formerly = entry.find("formerly")) options.formerly = formerly->asStrings();
    options.infinite = entry.boolean("infinite", false);
    options.changeable = entry.boolean("changeable", false);
    if (const Value* defaultValue = entry.find("default")) parameter.defaultValue = *defaultValue;
    schema.parameter(std::move(parameter));
  }
  return schema;
}

}  // namespace mortise
