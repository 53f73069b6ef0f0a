#pragma once

/// Positions of a robot's links along a motion: what `mortise robot trace` and Klamp't's PosMeasure print.

#include <string>
#include <vector>

#include "command_line/command_line.h"
#include "models/robot_input.h"

namespace mortise::app {

/// Declares the options that `traceMotion` reads.
void declareTraceOptions(CommandLine& line);
/// Prints the links `names` (all where there are none) along the motion in `file`. Returns the exit code.
int traceMotion(const CommandLine& line, RobotInput& input, const std::string& file,
                const std::vector<std::string>& names);

}  // namespace mortise::app
