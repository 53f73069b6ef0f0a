#pragma once

#include <string>

#include "mortise/base/value.h"

namespace mortise {

/// The result of a stage as a person reads it, in lines of at most 100 characters for results of usual size: tables for
/// `simulate` and `compare`, YAML for stages of plugins. Ends with a line end.
std::string renderResult(const std::string& name, const Value& result);

}  // namespace mortise
