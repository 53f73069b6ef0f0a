#pragma once

#include "command_line.h"
#include "mortise/base/resources.h"

namespace mortise::app {

/// Adds --package NAME=DIR, repeatable: where packages of `package://` references are.
void addResourceOptions(CommandLine& line);

/// What --package said, for a `FormatLoader`. Throws `UsageError`.
ResourcePath resourcePath(const CommandLine& line);

}  // namespace mortise::app
