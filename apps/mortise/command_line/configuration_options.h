#pragma once

/// Configurations of robots as options of commands.

#include "command_line/command_line.h"
#include "mortise/configuration/configuration_reader.h"
#include "mortise/loading/format_loader.h"
#include "mortise/model/world.h"

namespace mortise::app {

/// The configurations in files, as commands name them.
ConfigurationFiles configurationFiles(FormatLoader& loader, Diagnostics& diagnostics);

/// The value of `option` as numbers, YAML or a file's name. Throws `UsageError` for what is no YAML.
Value configurationOption(const std::string& option, const std::string& text);

/// Declares --config of a world; `otherwise` says where robots are without it.
void declareConfigurations(CommandLine& line, const std::string& otherwise);
/// --config of a world: the n-th is of the n-th robot, and a map by robot is of all.
void readConfigurations(const CommandLine& line, FormatLoader& loader, World& world, Diagnostics& diagnostics);

/// One configuration of a robot; links that it does not mention are as in `base`.
VectorXd readConfiguration(const std::string& option, const std::string& text, const Robot& robot, const VectorXd& base,
                           FormatLoader& loader, Diagnostics& diagnostics);

}  // namespace mortise::app
