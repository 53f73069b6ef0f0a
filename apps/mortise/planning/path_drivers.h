#pragma once

#include "command_line/commands.h"

namespace mortise::app {

int pathDrivers(const Arguments& arguments);

}  // namespace mortise::app
