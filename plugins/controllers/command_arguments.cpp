#include "command_arguments.h"

#include <cmath>
#include <string>

#include "mortise/base/error.h"
#include "mortise/base/units.h"
#include "mortise/base/value_text.h"

namespace mortise {

namespace {

void addNumber(std::string_view command, double number, const Value& where, std::vector<double>& numbers) {
  if (!std::isfinite(number))
    throw Error(std::string(command) + " takes finite numbers, not " + formatReal(number), where.position());
  numbers.push_back(number);
}

void addNumbers(std::string_view command, const Value& value, std::vector<double>& numbers) {
  if (value.isNumber()) return addNumber(command, value.asReal(), value, numbers);
  if (value.isList()) {
    for (const Value& item : value.items()) addNumbers(command, item, numbers);
    return;
  }
  if (value.isNull()) return;
  if (!value.isString())
    throw Error(std::string(command) + " takes numbers, not " + std::string(Value::typeName(value.type())),
                value.position());
  const std::string& text = value.asString();
  constexpr const char* kBetween = " \t\r\n,;";
  for (std::size_t at = text.find_first_not_of(kBetween); at != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    const std::string word = text.substr(at, end - at);
    const Value number = Value::fromText(word);
    if (!number.isNumber())
      throw Error(std::string(command) + " takes numbers, and '" + word + "' is none", value.position());
    addNumber(command, number.asReal(), value, numbers);
    at = text.find_first_not_of(kBetween, end);
  }
}

/// "a time in seconds, then one position a link and one velocity a link: 13 numbers"
std::string expectation(std::string_view shape, int n) {
  std::string text;
  std::size_t count = 0;
  for (const char part : shape) {
    text += text.empty() ? "" : part == shape.back() && shape.size() > 1 ? " and " : ", ";
    text += part == 't' ? "a time in seconds" : part == 'q' ? "a position for each link" : "a velocity for each link";
    count += part == 't' ? 1 : static_cast<std::size_t>(n);
  }
  return text + ": " + std::to_string(count) + " numbers";
}

std::string keys(std::string_view shape) {
  std::string text;
  for (const char part : shape) text += (text.empty() ? "{" : ", ") + std::string(1, part) + ": ...";
  return text + "}";
}

MotionArguments fromMap(std::string_view command, std::string_view shape, const Value& arguments, int n) {
  MotionArguments result;
  std::string found;
  for (const Value::Entry& entry : arguments.entries()) {
    const std::string& key = entry.key;
    const char part = key == "t" || key == "time"                      ? 't'
                      : key == "q" || key == "configuration"           ? 'q'
                      : key == "v" || key == "velocity" || key == "dq" ? 'v'
                                                                       : ' ';
    if (shape.find(part) == std::string_view::npos)
      throw Error(std::string(command) + " has no argument '" + key + "'", entry.value.position(),
                  "write " + keys(shape));
    const std::vector<double> numbers = numbersFrom(command, entry.value);
    const std::size_t wanted = part == 't' ? 1 : static_cast<std::size_t>(n);
    const bool counted = part != 't' && numbers.size() == wanted + 1 && numbers[0] == n;
    if (numbers.size() != wanted && !counted)
      throw Error(std::string(command) + ": '" + key + "' has " + std::to_string(numbers.size()) + " numbers, not " +
                      std::to_string(wanted),
                  entry.value.position());
    if (part == 't')
      result.t = numbers[0];
    else
      (part == 'q' ? result.q : result.v) = Eigen::Map<const VectorXd>(numbers.data() + (counted ? 1 : 0), n);
    found += part;
  }
  for (const char part : shape)
    if (found.find(part) == std::string::npos)
      throw Error(std::string(command) + " lacks its argument '" + std::string(1, part) + "'", arguments.position(),
                  "write " + keys(shape));
  return result;
}

}  // namespace

std::vector<double> numbersFrom(std::string_view command, const Value& arguments) {
  std::vector<double> numbers;
  addNumbers(command, arguments, numbers);
  return numbers;
}

std::string nameFrom(const Value& arguments) {
  if (arguments.isList() && arguments.size() == 1) return nameFrom(arguments[0]);
  return arguments.isString() ? arguments.asString() : "";
}

MotionArguments motionArguments(std::string_view command, std::string_view shape, const Value& arguments, int n) {
  if (arguments.isMap()) return fromMap(command, shape, arguments, n);
  const std::vector<double> numbers = numbersFrom(command, arguments);
  const bool timed = shape.front() == 't';
  const std::size_t vectors = shape.size() - (timed ? 1 : 0);
  const auto count = static_cast<std::size_t>(n);
  const std::size_t plain = (timed ? 1 : 0) + vectors * count;
  const bool counted = numbers.size() == plain + vectors;
  if (numbers.size() != plain && !counted)
    throw Error(std::string(command) + " takes " + expectation(shape, n) + ", not " + std::to_string(numbers.size()),
                arguments.position(), "a map does as well: " + keys(shape));
  MotionArguments result;
  std::size_t at = 0;
  for (const char part : shape) {
    if (part == 't') {
      result.t = numbers[at++];
      continue;
    }
    if (counted && numbers[at++] != n)
      throw Error(std::string(command) + ": a vector says it has " + formatReal(numbers[at - 1]) +
                      " numbers, but the robot has " + std::to_string(n) + " links",
                  arguments.position());
    (part == 'q' ? result.q : result.v) = Eigen::Map<const VectorXd>(numbers.data() + at, n);
    at += count;
  }
  return result;
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

}  // namespace mortise
