#pragma once

#include <memory>
#include <string>

#include "command_line.h"
#include "mortise/base/value.h"
#include "mortise/model/world.h"
#include "mortise/plan/plan_job.h"
#include "mortise/plan/plan_settings.h"
#include "mortise/plugin/format_loader.h"

namespace mortise::app {

/// The options of `mortise plan`.
void declarePlanOptions(CommandLine& line);

/// The settings that they stand for, those of --settings FILE below them; not yet complete. Throws `UsageError`.
Value planSettings(const CommandLine& line);

/// What is to be done; all that is wrong with it goes to `diagnostics`. `sources.referringFile`: as for `planSettings`.
PlanJob planJob(const CommandLine& line, const Value& settings, const PlanSources& sources, Diagnostics& diagnostics);

}  // namespace mortise::app
