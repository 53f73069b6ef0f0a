#pragma once

/// Options of the space in which plans and paths move, of which some are lists that are said by repeating an option.

#include <string>
#include <vector>

#include "command_line/command_line.h"

namespace mortise::app {

/// Returns each value of a repeated option, read as YAML.
Value yamlList(const CommandLine& line, const std::string& option);

/// The settings of the space that are said by repeating an option: links, ignore and keep.
const std::vector<std::string>& spaceLists();
void declareSpaceLists(CommandLine& line);
/// Returns what was given for them, as a map that knows the options as positions. Throws `UsageError`.
Value givenSpaceLists(const CommandLine& line);

/// Declares an option for each setting of a space in which one robot of a world moves along a path that is there, but
/// for those in `without`, which have no effect on what the command does.
void declarePathSpace(CommandLine& line, const std::vector<std::string>& without);
/// Returns what was given for them.
Value givenPathSpace(const CommandLine& line, const std::vector<std::string>& without);

}  // namespace mortise::app
