// Checks of what people wrote against a schema: unknown keys, types, units, bounds, choices.

#include "mortise/base/schema_check.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/units.h"
#include "mortise/base/value_text.h"
#include "mortise/text/normalize.h"
#include "mortise/text/suggest.h"

namespace mortise {

std::string expectation(const Parameter& parameter) {
  const std::string unit = parameter.options.unit.empty() ? "" : " (" + parameter.options.unit + ")";
  const std::string count = parameter.options.size >= 0 ? std::to_string(parameter.options.size) + " " : "";
  switch (parameter.type) {
    case ParameterType::boolean:
      return "true or false";
    case ParameterType::integer:
      return "an integer" + unit;
    case ParameterType::real:
      return "a number" + unit;
    case ParameterType::string:
      return "a string";
    case ParameterType::realList:
      return "a list of " + count + "numbers" + unit;
    case ParameterType::integerList:
      return "a list of " + count + "integers" + unit;
    case ParameterType::stringList:
      return "a list of " + count + "strings";
    case ParameterType::map:
      return "a map";
    case ParameterType::any:
      return "a value";
  }
  return "a value";
}

namespace {

std::string found(const Value& value) {
  switch (value.type()) {
    case Value::Type::null:
      return "nothing";
    case Value::Type::boolean:
      return "the boolean " + value.text();
    case Value::Type::integer:
    case Value::Type::real:
      return value.text();
    case Value::Type::string:
      return "the string '" + value.asString() + "'";
    case Value::Type::list:
      return "a list of " + std::to_string(value.size());
    case Value::Type::map:
      return "a map";
  }
  return "something else";
}

bool equalsIgnoringCase(std::string_view a, std::string_view b) { return lowerCase(a) == lowerCase(b); }

std::optional<bool> toBoolean(const Value& value) {
  if (value.isBool()) return value.asBool();
  if (value.isInteger() && (value.asInteger() == 0 || value.asInteger() == 1)) return value.asInteger() == 1;
  if (!value.isString()) return std::nullopt;
  for (const char* word : {"true", "yes", "on", "1"})
    if (equalsIgnoringCase(value.asString(), word)) return true;
  for (const char* word : {"false", "no", "off", "0"})
    if (equalsIgnoringCase(value.asString(), word)) return false;
  return std::nullopt;
}

/// Pieces of "1 2 3", "1, 2, 3" or "a,b c, d": commas separate when there are any, else blanks do.
std::vector<std::string> pieces(std::string_view text) {
  std::vector<std::string> result;
  const bool commas = text.find(',') != std::string_view::npos;
  std::string piece;
  const auto flush = [&] {
    if (const std::string_view word = trimmed(piece); commas || !word.empty()) result.emplace_back(word);
    piece.clear();
  };
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (commas ? c == ',' : blank)
      flush();
    else
      piece += c;
  }
  flush();
  return result;
}

/// One check of one value, with everything that its messages need.
class Converter {
 public:
  Converter(const Parameter& parameter, const std::string& owner, Diagnostics& diagnostics)
      : parameter_(parameter), owner_(owner), diagnostics_(diagnostics) {}

  /// The value in the parameter's type, or nullopt after reporting what is wrong.
  std::optional<Value> convert(const Value& given) {
    std::optional<Value> result = convertAny(given);
    if (result) result->setPosition(given.position());
    return result;
  }

 private:
  std::nullopt_t fail(const Value& at, std::string problem, std::string hint = {}) {
    SourcePosition where = at.position();
    if (!where.known()) where.path = parameter_.name;
    diagnostics_.error("'" + parameter_.name + "'" + owner_ + ": " + std::move(problem), std::move(where),
                       std::move(hint));
    return std::nullopt;
  }

  std::nullopt_t wrongType(const Value& value) {
    return fail(value, "expected " + expectation(parameter_) + ", found " + found(value), parameter_.summary);
  }

  std::optional<Value> convertAny(const Value& given) {
    switch (parameter_.type) {
      case ParameterType::any:
        return given;
      case ParameterType::map:
        if (!given.isMap()) return wrongType(given);
        return given;
      case ParameterType::boolean:
        if (const auto value = toBoolean(given)) return Value(*value);
        return wrongType(given);
      case ParameterType::integer:
        return integer(given, given);
      case ParameterType::real:
        return real(given, given);
      case ParameterType::string:
        return string(given, given);
      case ParameterType::realList:
      case ParameterType::integerList:
      case ParameterType::stringList:
        return list(given);
    }
    return given;
  }

  /// `at` is the whole value that `given` is part of, for messages about types.
  std::optional<Value> integer(const Value& given, const Value& at) {
    Value value = given;
    if (value.isString()) {
      const auto number = quantity(given, at);
      if (!number) return std::nullopt;
      value = Value(*number);
    }
    if (value.type() == Value::Type::real) {
      const double number = value.asReal();
      if (std::trunc(number) != number || std::abs(number) >= 0x1p63)
        return fail(given, "expected an integer, found " + given.text());
      value = Value(static_cast<std::int64_t>(number));
    }
    if (!value.isInteger()) return wrongType(at);
    if (!inBounds(given, static_cast<double>(value.asInteger()))) return std::nullopt;
    return value;
  }

  std::optional<Value> real(const Value& given, const Value& at) {
    double number = 0;
    if (given.isNumber()) {
      number = given.asReal();
    } else if (given.isString()) {
      const auto parsed = quantity(given, at);
      if (!parsed) return std::nullopt;
      number = *parsed;
    } else {
      return wrongType(at);
    }
    if (std::isnan(number))
      return fail(given, "found nan, which is refused: expected " + expectation(parameter_), parameter_.summary);
    if (std::isinf(number) && !parameter_.options.infinite)
      return fail(given, "must be finite, found " + formatReal(number), parameter_.summary);
    if (!inBounds(given, number)) return std::nullopt;
    if (given.isNumber()) doubtAngle(given, number);
    return Value(number);
  }

  /// Angles in degrees that somebody wrote without a unit are more than a turn in radians.
  void doubtAngle(const Value& given, double number) {
    constexpr double kTurn = 6.283185307179586;
    if (parameter_.options.unit != "rad" || !given.position().known() || !(std::abs(number) > kTurn + 1e-9)) return;
    if (std::isinf(number)) return;
    diagnostics_.warning("'" + parameter_.name + "'" + owner_ + ": " + formatReal(number) +
                             " without a unit is in rad, " + formatReal(std::abs(number) / kTurn, 3) + " turns",
                         given.position(),
                         "write '" + formatReal(number) + " deg' for degrees, or '" + formatReal(number) + " rad'");
  }

  std::optional<Value> string(const Value& given, const Value& at) {
    if (!given.isScalar() || given.isNull()) return wrongType(at);
    const std::string text = given.text();
    for (const auto& [before, now] : parameter_.options.formerChoices) {
      if (text != before) continue;
      diagnostics_.note("'" + before + "' of '" + parameter_.name + "'" + owner_ + " is called '" + now + "' now",
                        given.position(), "write '" + now + "'; the former name still works");
      return Value(now);
    }
    const auto& choices = parameter_.options.choices;
    if (!choices.empty() && std::find(choices.begin(), choices.end(), text) == choices.end()) {
      const std::string near = didYouMean(text, choices);
      return fail(given, "'" + text + "' is not one of the choices",
                  (near.empty() ? "" : near + " ") + "choices: " + nameList(choices, choices.size()));
    }
    return Value(text);
  }

  std::optional<Value> list(const Value& given) {
    std::vector<Value> parts;
    if (given.isList()) {
      parts = given.items();
    } else if (given.isString()) {
      std::string problem;
      // "90 deg" is one quantity, not two pieces.
      const bool single = parameter_.type != ParameterType::stringList && !parameter_.options.unit.empty() &&
                          parseQuantity(given.asString(), parameter_.options.unit, problem);
      if (single) {
        parts.push_back(given);
      } else {
        for (std::string& piece : pieces(given.asString())) {
          parts.push_back(Value::fromText(std::move(piece), parameter_.type == ParameterType::stringList));
          parts.back().setPosition(given.position());
        }
      }
    } else if (given.isScalar() && !given.isNull()) {
      parts.push_back(given);
    } else {
      return wrongType(given);
    }
    const int size = parameter_.options.size;
    if (size >= 0 && static_cast<int>(parts.size()) != size)
      return fail(given, "expected " + expectation(parameter_) + ", found " + std::to_string(parts.size()),
                  parameter_.summary);
    Value result = Value::list();
    bool good = true;
    for (const Value& part : parts) {
      const Value& at = given.isList() ? part : given;
      std::optional<Value> item = parameter_.type == ParameterType::realList      ? real(part, at)
                                  : parameter_.type == ParameterType::integerList ? integer(part, at)
                                                                                  : string(part, at);
      if (!item) {
        good = false;
        continue;
      }
      item->setPosition(part.position());
      result.push_back(std::move(*item));
    }
    if (!good) return std::nullopt;
    return result;
  }

  std::optional<double> quantity(const Value& given, const Value& at) {
    std::string problem;
    const std::optional<double> number = parseQuantity(given.asString(), parameter_.options.unit, problem);
    if (number) return number;
    if (problem.starts_with("unit"))
      fail(given, "expected " + expectation(parameter_) + ": " + problem);
    else
      wrongType(at);
    return std::nullopt;
  }

  bool inBounds(const Value& given, double number) {
    const double min = parameter_.options.min, max = parameter_.options.max;
    if (number >= min && number <= max) return true;
    const std::string unit = parameter_.options.unit.empty() ? "" : " " + parameter_.options.unit;
    std::string bounds;
    if (std::isfinite(min) && std::isfinite(max))
      bounds = "between " + formatReal(min) + " and " + formatReal(max) + unit;
    else if (number < min)
      bounds = "at least " + formatReal(min) + unit;
    else
      bounds = "at most " + formatReal(max) + unit;
    std::string shown = given.isString() ? "'" + given.asString() + "'" : formatReal(number);
    fail(given, "must be " + bounds + ", found " + shown, parameter_.summary);
    return false;
  }

  const Parameter& parameter_;
  const std::string& owner_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<Value> convertSetting(const Parameter& parameter, const Value& given, std::string_view what,
                                    Diagnostics& diagnostics) {
  if (given.isNull() && parameter.isOptional()) return given;
  const std::string owner = what.empty() ? std::string() : " of " + std::string(what);
  return Converter(parameter, owner, diagnostics).convert(given);
}

namespace {

/// Reports a key that no parameter has, with those that are near.
void reportUnknown(const std::vector<Parameter>& parameters, const Value::Entry& entry, const std::string& owner,
                   const SourcePosition& where, Diagnostics& diagnostics) {
  std::vector<std::string> names, all;
  for (const Parameter& known : parameters) {
    names.push_back(known.name);
    all.push_back(known.name);
    all.insert(all.end(), known.options.aliases.begin(), known.options.aliases.end());
  }
  const std::string near = didYouMean(entry.key, all);
  const std::string known = names.empty() ? "it takes no keys" : "known keys: " + nameList(names, names.size());
  SourcePosition at = where;
  if (!at.known()) at.path = entry.key;
  diagnostics.error("unknown key '" + entry.key + "'" + owner, at, near.empty() ? known : near + " " + known);
}

/// Reports a parameter that is required and not given, and a key with nothing behind it; `entry`: null without a key.
void reportUnset(const Parameter& parameter, const Value::Entry* entry, const Value& given, const std::string& owner,
                 Diagnostics& diagnostics) {
  if (parameter.options.required) {
    SourcePosition where = entry ? entry->value.position() : given.position();
    if (!where.known()) where.path = parameter.name;
    diagnostics.error("'" + parameter.name + "'" + owner + " is missing: expected " + expectation(parameter), where,
                      parameter.summary);
  } else if (entry && !parameter.defaultValue.isNull()) {
    // A key with nothing behind it is a slip, unless nothing is what the parameter holds by default.
    diagnostics.error("'" + parameter.name + "'" + owner + ": expected " + expectation(parameter) + ", found nothing",
                      entry->value.position().known() ? entry->value.position() : entry->keyPosition,
                      "leave the key out to get the default");
  }
}

}  // namespace

Value Schema::complete(const Value& given, std::string_view what, Diagnostics& diagnostics) const {
  const std::string owner = what.empty() ? std::string() : " of " + std::string(what);
  Value result = Value::map();
  result.setPosition(given.position());
  if (!given.isMap() && !given.isNull()) {
    diagnostics.error("expected a map of settings" + owner + ", found " + found(given), given.position());
    return result;
  }

  std::vector<const Value::Entry*> entryOf(parameters_.size(), nullptr);
  std::vector<const Value::Entry*> others;
  constexpr std::size_t kMaxUnknown = 100;  // Are told one by one.
  std::size_t unknown = 0;
  for (const Value::Entry& entry : given.entries()) {
    const SourcePosition& where = entry.keyPosition.known() ? entry.keyPosition : entry.value.position();
    const Parameter* parameter = find(entry.key);
    if (!parameter) {
      if (otherKeysAllowed_) {
        others.push_back(&entry);
        continue;
      }
      if (++unknown > kMaxUnknown) continue;
      reportUnknown(parameters_, entry, owner, where, diagnostics);
      continue;
    }
    const Value::Entry*& slot = entryOf[static_cast<std::size_t>(parameter - parameters_.data())];
    if (slot) {
      diagnostics.error(
          "'" + parameter->name + "'" + owner + " is given twice, as '" + slot->key + "' and as '" + entry.key + "'",
          where, "remove one of the two");
      continue;
    }
    if (parameter->wasCalled(entry.key))
      diagnostics.note("'" + entry.key + "'" + owner + " is called '" + parameter->name + "' now", where,
                       "write '" + parameter->name + "'; the former name still works");
    slot = &entry;
  }
  if (unknown > kMaxUnknown)
    diagnostics.error(std::to_string(unknown - kMaxUnknown) + " further keys" + owner + " are unknown",
                      given.position(), "is this the file that was meant?");

  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Parameter& parameter = parameters_[i];
    const Value::Entry* entry = entryOf[i];
    Value value = parameter.defaultValue;
    if (entry && !entry->value.isNull()) {
      if (auto converted = Converter(parameter, owner, diagnostics).convert(entry->value))
        value = std::move(*converted);
    } else {
      reportUnset(parameter, entry, given, owner, diagnostics);
    }
    result.entries().push_back({parameter.name, std::move(value), entry ? entry->keyPosition : SourcePosition{}});
  }
  for (const Value::Entry* entry : others) result.entries().push_back(*entry);
  return result;
}

}  // namespace mortise
