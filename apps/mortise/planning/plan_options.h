#pragma once

#include <memory>
#include <string>

#include "command_line/command_line.h"
#include "mortise/base/value.h"
#include "mortise/planning/plan_request_settings.h"

namespace mortise::app {

/// The options of `mortise plan`.
void declarePlanOptions(CommandLine& line);

/// The settings that they stand for, those of --settings FILE below them. Throws `UsageError`.
PlanRequestSettings planRequestSettings(const CommandLine& line);

/// Throws `Error` for files that are not there and look as if they belonged to --shortcut or --retime, whose values may
/// be left out. `arguments` as typed.
void refuseOtherValues(const CommandLine& line, const std::vector<std::string>& arguments);

/// A line with the names of the files that were written, as the report's `files` has them; empty: none.
std::string writtenText(const Value& report);

}  // namespace mortise::app
