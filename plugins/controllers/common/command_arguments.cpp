#include "common/command_arguments.h"

#include <cmath>
#include <string>

#include "mortise/base/error.h"
#include "mortise/base/units.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/configuration_reader.h"

namespace mortise::controllers {

namespace {

void addNumber(std::string_view command, double number, const Value& where, std::vector<double>& numbers) {
  if (!std::isfinite(number))
    throw Error(std::string(command) + " takes finite numbers, not " + formatReal(number), where.position());
  numbers.push_back(number);
}

/// Adds what stands between blanks and commas, however it is nested.
void addWords(std::string_view command, const Value& value, std::vector<std::string>& words) {
  if (value.isNull()) return;
  if (value.isList()) {
    for (const Value& item : value.items()) addWords(command, item, words);
    return;
  }
  if (value.isMap() || value.isBool())
    throw Error(std::string(command) + " takes numbers, not " + std::string(Value::typeName(value.type())),
                value.position());
  constexpr const char* kBetween = " \t\r\n,;";
  const std::string text = value.text();
  for (std::size_t at = text.find_first_not_of(kBetween); at != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBetween, end);
  }
}

void addNumbers(std::string_view command, const Value& value, std::vector<double>& numbers) {
  if (value.isNumber()) return addNumber(command, value.asReal(), value, numbers);
  if (value.isList()) {
    for (const Value& item : value.items()) addNumbers(command, item, numbers);
    return;
  }
  std::vector<std::string> words;
  addWords(command, value, words);
  for (const std::string& word : words) {
    const Value number = Value::fromText(word);
    if (!number.isNumber())
      throw Error(std::string(command) + " takes numbers, and '" + word + "' is none", value.position());
    addNumber(command, number.asReal(), value, numbers);
  }
}

}  // namespace

std::vector<double> numbersFrom(std::string_view command, const Value& arguments) {
  std::vector<double> numbers;
  addNumbers(command, arguments, numbers);
  return numbers;
}

Value quantitiesFrom(std::string_view command, const Value& arguments) {
  std::vector<std::string> words;
  addWords(command, arguments, words);
  Value list = Value::list();
  for (Value& item : quantitiesFromWords(words, arguments.position())) {
    if (!isQuantity(item))
      throw Error(std::string(command) + " takes numbers, and '" + item.text() + "' is none", arguments.position());
    if (item.isNumber() && !std::isfinite(item.asReal()))
      throw Error(std::string(command) + " takes finite numbers, not " + item.text(), arguments.position());
    list.push_back(std::move(item));
  }
  return list.setPosition(arguments.position());
}

std::string nameFrom(const Value& arguments) {
  if (arguments.isList() && arguments.size() == 1) return nameFrom(arguments[0]);
  return arguments.isString() ? arguments.asString() : "";
}

bool booleanSetting(std::string_view name, const Value& value) {
  const Value typed = value.isString() ? Value::fromText(value.asString()) : value;
  if (typed.isBool()) return typed.asBool();
  if (typed.isInteger() && (typed.asInteger() == 0 || typed.asInteger() == 1)) return typed.asInteger() == 1;
  throw Error("'" + std::string(name) + "' is true or false (or 1 or 0)", value.position());
}

double numberSetting(std::string_view name, const Value& value, double low, double high) {
  const Value typed = value.isString() ? Value::fromText(value.asString()) : value;
  if (typed.isNumber() && typed.asReal() >= low && typed.asReal() <= high) return typed.asReal();
  throw Error("'" + std::string(name) + "' is a number from " + formatReal(low) + " to " + formatReal(high),
              value.position());
}

double quantitySetting(std::string_view name, const Value& value, std::string_view unit, double low, double high) {
  if (!value.isString()) return numberSetting(name, value, low, high);
  std::string problem;
  const std::optional<double> number = parseQuantity(value.asString(), unit, problem);
  if (!number) throw Error("'" + std::string(name) + "': " + problem, value.position());
  if (*number >= low && *number <= high) return *number;
  throw Error("'" + std::string(name) + "' is from " + formatReal(low) + " to " + formatReal(high) + " " +
                  std::string(unit) + ", not " + value.asString(),
              value.position());
}

void requireNoArguments(std::string_view command, const Value& arguments) {
  const bool none = arguments.isNull() || ((arguments.isList() || arguments.isMap()) && arguments.size() == 0) ||
                    (arguments.isString() && arguments.asString().find_first_not_of(" \t\r\n") == std::string::npos);
  if (!none) throw Error(std::string(command) + " takes no arguments", arguments.position());
}

Vector3d vectorSetting(std::string_view name, const Value& value) {
  const std::vector<double> numbers = numbersFrom(name, value);
  if (numbers.size() != 3)
    throw Error("'" + std::string(name) + "' takes three numbers, not " + std::to_string(numbers.size()),
                value.position());
  return Vector3d(numbers[0], numbers[1], numbers[2]);
}

}  // namespace mortise::controllers
