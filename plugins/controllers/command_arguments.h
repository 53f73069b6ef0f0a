#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/math/transform.h"

namespace mortise {

/// Every number of a command's arguments in order: a number, text with numbers between blanks or commas, or lists of
/// these, nested as they please. Throws `Error` for anything else and for numbers that are not finite.
std::vector<double> numbersFrom(std::string_view command, const Value& arguments);

/// The one name that a command takes: text, or a list with nothing else. Empty when it is anything else.
std::string nameFrom(const Value& arguments);

/// Time, configuration and velocity as motion commands take them.
struct MotionArguments {
  double t = 0;
  VectorXd q, v;
};

/// `shape` holds those of the letters t, q and v that the command takes, in this order: "q", "tq", "qv", "tv", "tqv".
/// Arguments are numbers one after another (`numbersFrom`), each vector with or without its length in front as Klamp't
/// writes it, or a map with the keys t (or time), q (or configuration) and v (or velocity). Throws `Error` that says
/// what is expected.
MotionArguments motionArguments(std::string_view command, std::string_view shape, const Value& arguments, int numLinks);

/// true or false; also 1 and 0, and either as text.
bool booleanSetting(std::string_view name, const Value& value);
/// A finite number within [low, high], also as text.
double numberSetting(std::string_view name, const Value& value, double low, double high);
/// The same for a quantity, as a number in `unit` or as text with another unit of the same kind ("200 ms").
double quantitySetting(std::string_view name, const Value& value, std::string_view unit, double low, double high);
/// Throws `Error` when there is any argument.
void requireNoArguments(std::string_view command, const Value& arguments);
/// Three finite numbers.
Vector3d vectorSetting(std::string_view name, const Value& value);

}  // namespace mortise
