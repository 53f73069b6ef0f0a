#pragma once

/// What is said of commands by time that cannot be carried out.

#include <string>
#include <utility>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/pipeline/stages/timed_command.h"

namespace mortise {

/// The error with the time and the words of the command in front, at the command's place where it has none.
Error placedAt(const Error& error, const TimedCommand& command);

/// `owner`: "the controller of robot 'arm'". `known`: names and help.
Error unknownCommand(const TimedCommand& command, const std::string& owner,
                     const std::vector<std::pair<std::string, std::string>>& known);
/// For a setting that the owner does not have, or has and does not change.
Error unknownSetting(const TimedCommand& command, const std::string& owner, const Value& settings);
Error unknownSensor(const TimedCommand& command, const std::string& robot, const std::vector<std::string>& names);

/// Whether a name with dots can be that of a setting inside a controller, though not of one that it shows now.
bool mayBeInside(const Value& settings, const std::string& name);
/// Whether a controller with these settings has none of this name: what is inside a controller can have settings that
/// it shows at some times only.
bool lacksSetting(const Value& settings, const std::string& name);

}  // namespace mortise
