#pragma once

#include <string>

#include "mortise/base/diagnostics.h"

namespace mortise::app {

/// A line or two a problem, and a last one with how many there are.
std::string problemText(const Diagnostics& diagnostics, const std::string& file);

}  // namespace mortise::app
