#pragma once

/// Errors of timed commands that cannot be carried out.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/component/controller.h"
#include "mortise/pipeline/simulate/timed_command.h"

namespace mortise {

/// The error with the time and the text of the command in front, at the command's position where it has none.
Error placedAt(const Error& error, const TimedCommand& command);

/// `owner`: "the controller of robot 'arm'". `known`: names and help.
Error unknownCommand(const TimedCommand& command, const std::string& owner,
                     const std::vector<std::pair<std::string, std::string>>& known);
/// For a setting that the owner does not have, or cannot change while it runs.
Error unknownSetting(const TimedCommand& command, const std::string& owner, const Value& settings);
Error unknownSensor(const TimedCommand& command, const std::string& robot, const std::vector<std::string>& names);

/// Makes of a world what an edit makes of it; null: of the one at the start. Throws `Error`.
using TryEdit = std::function<EditedWorld(const WorldEdit& edit, const EditedWorld* before)>;
/// Tries edits one after another, as they come. Reports the first that cannot be: those that follow count on it.
void checkEdits(const std::vector<TimedCommand>& commands, const TryEdit& tryEdit, Diagnostics& diagnostics);

/// Says whether a name with dots may be a setting of an inner controller that is not shown now.
bool mayBeInside(const Value& settings, const std::string& name);
/// Says whether a controller has no setting of this name. Controllers inside another one may have settings that are
/// shown at some times only; a name that could be one of these does not count as missing.
bool lacksSetting(const Controller& controller, const std::string& name);

}  // namespace mortise
