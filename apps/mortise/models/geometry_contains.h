#pragma once

#include "command_line/commands.h"

namespace mortise::app {

int geometryContainsCommand(const Arguments& arguments);  // geometry_queries.cpp

}  // namespace mortise::app
