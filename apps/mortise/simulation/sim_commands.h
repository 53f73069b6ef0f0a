#pragma once

/// Commands by time of `mortise sim`, and what can be commanded.

#include <string>
#include <vector>

#include "command_line/command_line.h"
#include "mortise/pipeline/simulate/timed_command.h"

namespace mortise::app {

/// --command and --list-commands.
void declareCommandOptions(CommandLine& line);
/// Returns those of the world's file and of --command, by time. Throws `Error`.
std::vector<TimedCommand> commandsFrom(const CommandLine& line, const World& world);
/// Returns what `listCommands` returns, for people.
std::string commandListText(const Value& robots);

}  // namespace mortise::app
