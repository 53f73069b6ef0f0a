#pragma once

/// Functions that the commands on motion files share.

#include <memory>
#include <string>
#include <vector>

#include "command_line/command_line.h"
#include "mortise/base/value.h"
#include "mortise/inspect/motion_info.h"
#include "mortise/loading/format_loader.h"
#include "mortise/model/robot.h"
#include "mortise/planning/settings/motion_settings.h"

namespace mortise::app {

struct OpenedMotion {
  inspect::Motion motion;
  RobotPtr robot;    ///< Null without --robot.
  std::string file;  ///< The file as found.
};

/// FILE, --robot, --strict, and the options of plugins and packages.
void declareMotionFile(CommandLine& line);
OpenedMotion openMotion(const CommandLine& line);
/// The same with a loader of the caller's, which can then write. `reading`: settings of the file's format; a format
/// with a setting `robot` gets that of the command line besides.
OpenedMotion openMotion(const CommandLine& line, FormatLoader& loader, const std::string& reference,
                        const Value& reading = Value::map());
std::vector<std::string> linkNamesOf(const Robot& robot);

/// --output, where the command writes one path.
void declareMotionOutput(CommandLine& line);

/// Returns the settings of samples that the options say. Throws `UsageError`, also where they name no times.
EvaluateSettings evaluateSettings(const CommandLine& line);

/// Writes a path to --output, if given, and prints what became of it.
void finishPath(const CommandLine& line, FormatLoader& loader, const MultiPath& before, const MultiPath& after);

}  // namespace mortise::app
