#pragma once

#include <string>
#include <vector>

#include "mortise/base/value.h"

namespace mortise {

/// A number of a result; infinity for null, which is how results say that a value is not finite.
double finiteOrInfinity(const Value& value);
/// At most `limit` characters of a name: long names are cut in the middle, where they differ least.
std::string shortened(const std::string& text, std::size_t limit);
/// The id and name of an object or a robot of a result.
std::string entityLabel(const Value& entity);
/// The last position of an object in m, a cell a coordinate.
std::vector<std::string> positionCells(const Value& object);
/// Rows about whole runs (steps, times, status, energies), a column a run. `metrics` are those of the stage `compare`.
std::string runTable(const std::vector<const Value*>& runs, const std::vector<std::string>& metrics);

}  // namespace mortise
