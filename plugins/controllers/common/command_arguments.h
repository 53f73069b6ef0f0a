#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/math/transform.h"

namespace mortise::controllers {

/// Every number of a command's arguments in order: a number, text with numbers between blanks or commas, or lists of
/// these, nested as they please. Throws `Error` for anything else and for numbers that are not finite.
std::vector<double> numbersFrom(std::string_view command, const Value& arguments);

/// The same with units: numbers and quantities ("90 deg") one after another, as one list.
Value quantitiesFrom(std::string_view command, const Value& arguments);

/// The one name that a command takes: text, or a list with nothing else. Empty when it is anything else.
std::string nameFrom(const Value& arguments);

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

}  // namespace mortise::controllers
