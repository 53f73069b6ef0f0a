#pragma once

#include <string>

#include "mortise/base/schema.h"

namespace mortise {

/// Says what a parameter takes, for messages: "a number (s)", "a list of 3 numbers".
std::string expectation(const Parameter& parameter);

}  // namespace mortise
