#pragma once

/// What stages of planning share.

#include <memory>
#include <string>

#include "mortise/component/stage.h"
#include "mortise/motion/hermite_trajectory.h"
#include "mortise/planning/plan_settings.h"

namespace mortise {

/// What a plan's settings may refer to in a pipeline. `running`: motions of earlier stages are there; else they may be
/// named all the same.
PlanSources planSources(StageContext& context, bool running);

/// While stages are checked: throws `Error` where `name` is neither a file nor anything that an earlier stage saves,
/// but what a later one does.
void refuseLaterResult(StageContext& context, const std::string& name, const SourcePosition& where);

/// What a stage wants of a result that it names.
enum class ResultKind { motion, state };

/// While stages are checked: `name` is a result of that kind that an earlier stage will have saved, or a file. True for
/// a result. Throws `Error` for anything else, which suggests the nearest result.
bool requireResultOrFile(StageContext& context, const std::string& name, ResultKind kind, const SourcePosition& where);

/// The result of an earlier stage that a reference to a state means: by the result's name, or, where there is no file
/// of this name, by what the stage's `save_state` calls the file; of several the latest. Empty: none.
std::string resultWithState(StageContext& context, const std::string& name);

/// The world of a stage, which outlives what is made of it.
std::shared_ptr<const World> worldOf(const StageContext& context);

/// Settings of `own` go before those of `below`; null is no setting.
Value overlaid(const Value& own, const Value& below);

/// Only what says what moves among what, and at what cost: of a stage's settings, those that are given.
Value problemSettings(const Value& settings);

/// Writes NAME.path, or for a motion with velocities NAME.json, to the run directory; the file's name.
std::string writeRunFile(StageContext& context, const std::string& name, const Trajectory& trajectory);
std::string writeRunFile(StageContext& context, const std::string& name, const HermiteTrajectory& motion);

}  // namespace mortise
