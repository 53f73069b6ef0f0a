#pragma once

#include <string>

#include "command_line/command_spec.h"

namespace mortise::app {

/// The manual page mortise(1), in the man macros of troff: every command below `program` with its options, from the
/// same declarations as --help.
std::string manualPage(int (*program)(const Arguments&));

}  // namespace mortise::app
