#pragma once

/// Values from and to text: YAML and `key=value` settings.

#include <string>
#include <string_view>

#include "mortise/base/value.h"

namespace mortise {

/// Reads one YAML document (JSON is a subset). Positions are filled in; duplicate keys, tabs and other
/// syntax errors throw `Error` with file, line and column.
Value parseYaml(std::string_view text, const std::string& fileName);
Value loadYaml(const std::string& path);

/// YAML in block style. Reading it back gives an equal value.
std::string toYaml(const Value& value);

/// Shortest text that reads back to the same double; "inf", "-inf", "nan".
std::string formatReal(double value);
/// At most so many significant digits, for people.
std::string formatReal(double value, int digits);

}  // namespace mortise
