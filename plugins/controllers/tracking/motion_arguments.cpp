#include "tracking/motion_arguments.h"

#include <string>
#include <vector>

#include "common/command_arguments.h"
#include "mortise/base/error.h"
#include "mortise/configuration/configuration_reader.h"

namespace mortise::controllers {

namespace {

/// "a time in seconds, a position for each link and a velocity for each link: 13 numbers"
std::string expectation(std::string_view shape, std::size_t n) {
  std::string text;
  std::size_t count = 0;
  for (const char part : shape) {
    text += text.empty() ? "" : part == shape.back() && shape.size() > 1 ? " and " : ", ";
    text += part == 't' ? "a time in seconds" : part == 'q' ? "a position for each link" : "a velocity for each link";
    count += part == 't' ? 1 : n;
  }
  return text + ": " + std::to_string(count) + " numbers";
}

std::string keys(std::string_view shape) {
  std::string text;
  for (const char part : shape) text += (text.empty() ? "{" : ", ") + std::string(1, part) + ": ...";
  return text + "}";
}

/// Which argument a key of a map is; ' ' for none.
char partOf(const std::string& key) {
  if (key == "t" || key == "time") return 't';
  if (key == "q" || key == "configuration") return 'q';
  return key == "v" || key == "velocity" || key == "dq" ? 'v' : ' ';
}

ConfigurationReader readerOf(const Robot& robot, char part) {
  using Quantity = ConfigurationReader::Quantity;
  return ConfigurationReader(robot, part == 'q' ? Quantity::position : Quantity::velocity);
}

/// The one word that is no number; empty where there is something else.
std::string fileIn(const Value& value) {
  const std::string name = nameFrom(value);
  return name.find_first_of(" \t\r\n,;") == std::string::npos && !isQuantity(Value(name)) ? name : "";
}

/// From item `at` of a list, `count` items.
Value slice(const Value& list, std::size_t at, std::size_t count) {
  Value part = Value::list();
  for (std::size_t i = at; i < at + count; ++i) part.push_back(list[i]);
  return part.setPosition(list.position());
}

}  // namespace

VectorXd MotionArgumentReader::vectorFrom(std::string_view command, char part, const Value& value,
                                          const VectorXd& base) const {
  const ConfigurationReader reader = readerOf(robot_, part);
  const auto files = [this](const std::string& name) {
    return ConfigurationFile{host_.loadTrajectory(name).configurations, false};
  };
  const VectorXd rest = part == 'q' ? base : VectorXd(VectorXd::Zero(base.size()));
  if (value.isMap()) return reader.read(value, rest, files);
  if (const std::string name = fileIn(value); part == 'q' && !name.empty())
    return reader.read(Value(name).setPosition(value.position()), rest, files);
  Value list = quantitiesFrom(command, value);
  const auto n = static_cast<std::size_t>(robot_.numLinks());
  if (list.size() == n + 1 && list[0].isNumber() && list[0].asReal() == static_cast<double>(n))
    list = slice(list, 1, n);
  return reader.fromList(list, rest);
}

MotionArguments MotionArgumentReader::fromMap(std::string_view command, std::string_view shape, const Value& arguments,
                                              const VectorXd& base) const {
  MotionArguments result;
  std::string found;
  for (const Value::Entry& entry : arguments.entries()) {
    const char part = partOf(entry.key);
    if (shape.find(part) == std::string_view::npos)
      throw Error(std::string(command) + " has no argument '" + entry.key + "'", entry.value.position(),
                  "write " + keys(shape));
    if (part == 't')
      result.t = quantityOf(entry.value, "s");
    else
      (part == 'q' ? result.q : result.v) = vectorFrom(command, part, entry.value, base);
    found += part;
  }
  for (const char part : shape)
    if (found.find(part) == std::string::npos)
      throw Error(std::string(command) + " lacks its argument '" + std::string(1, part) + "'", arguments.position(),
                  "write " + keys(shape));
  return result;
}

MotionArguments MotionArgumentReader::fromNumbers(std::string_view command, std::string_view shape,
                                                  const Value& arguments, const VectorXd& base) const {
  const Value numbers = quantitiesFrom(command, arguments);
  const auto n = static_cast<std::size_t>(robot_.numLinks()), drivers = static_cast<std::size_t>(robot_.numDrivers());
  const std::size_t times = shape.front() == 't' ? 1 : 0, vectors = shape.size() - times;
  const bool counted = numbers.size() == times + vectors * (n + 1);
  const bool byDriver = drivers > 0 && drivers != n && numbers.size() == times + vectors * drivers;
  if (!counted && !byDriver && numbers.size() != times + vectors * n)
    throw Error(
        std::string(command) + " takes " + expectation(shape, n) + ", not " + std::to_string(numbers.size()),
        arguments.position(),
        (drivers > 0 && drivers != n ? "or " + std::to_string(drivers) + " numbers a vector, one a driver; a map"
                                     : std::string("a map")) +
            " does as well: " + keys(shape) + (shape == "q" ? ", or {elbow: 90 deg}" : ""));
  MotionArguments result;
  std::size_t at = 0;
  for (const char part : shape) {
    if (part == 't') {
      result.t = quantityOf(numbers[at++], "s");
      continue;
    }
    if (counted) {
      if (!numbers[at].isNumber() || numbers[at].asReal() != static_cast<double>(n))
        throw Error(std::string(command) + ": a vector says it has " + numbers[at].text() +
                        " numbers, but the robot has " + std::to_string(n) + " links",
                    arguments.position());
      ++at;
    }
    const std::size_t count = byDriver ? drivers : n;
    const VectorXd rest = part == 'q' ? base : VectorXd(VectorXd::Zero(base.size()));
    (part == 'q' ? result.q : result.v) = readerOf(robot_, part).fromList(slice(numbers, at, count), rest);
    at += count;
  }
  return result;
}

MotionArguments MotionArgumentReader::read(std::string_view command, std::string_view shape, const Value& arguments,
                                           const VectorXd& base) const {
  if (arguments.isList() && arguments.size() == 1 && arguments[0].isMap())
    return read(command, shape, arguments[0], base);
  if (shape == "q") {
    const bool named = !fileIn(arguments).empty();
    const bool byName =
        arguments.isMap() && arguments.size() > 0 && !arguments.contains("q") && !arguments.contains("configuration");
    if (named || byName) return {0, vectorFrom(command, 'q', arguments, base), {}};
  }
  return arguments.isMap() ? fromMap(command, shape, arguments, base) : fromNumbers(command, shape, arguments, base);
}

}  // namespace mortise::controllers
