#pragma once

#include <memory>
#include <string>

#include "command_line/command_line.h"
#include "mortise/base/value.h"
#include "mortise/loading/format_loader.h"
#include "mortise/model/world.h"
#include "mortise/planning/plan_job.h"
#include "mortise/planning/plan_settings.h"

namespace mortise::app {

/// The options of `mortise plan`.
void declarePlanOptions(CommandLine& line);

/// The settings that they stand for, those of --settings FILE below them; not yet complete. Throws `UsageError`.
Value planSettings(const CommandLine& line);

/// What is to be done; all that is wrong with it goes to `diagnostics`. `sources.referringFile`: as for `planSettings`.
PlanJob planJob(const CommandLine& line, const Value& settings, const PlanSources& sources, Diagnostics& diagnostics);

/// Throws `Error` for files that are not there and look as if they belonged to --shortcut or --retime, whose values may
/// be left out. `arguments` as typed.
void refuseStrayValues(const CommandLine& line, const std::vector<std::string>& arguments);

/// A line with the names of the files that were written, as the report's `files` has them; empty: none.
std::string writtenText(const Value& report);

}  // namespace mortise::app
