#pragma once

/// Functions that planning stages share.

#include <memory>
#include <string>

#include "mortise/component/stage.h"
#include "mortise/motion/hermite_trajectory.h"
#include "mortise/motion/multipath.h"
#include "mortise/planning/settings/plan_settings.h"
#include "mortise/settings/placed.h"

namespace mortise {

/// Returns what a plan's settings may refer to in a pipeline. `running`: motions of earlier stages exist; otherwise
/// their names are accepted.
PlanSources planSources(StageContext& context, bool running);

/// While stages are checked: throws `Error` where `name` is neither a file nor a result of an earlier stage, but of a
/// later one.
void refuseLaterResult(StageContext& context, const std::string& name, const SourcePosition& where);

/// While stages are checked: whether `name` is a result of that kind of an earlier stage; false for a file. Throws
/// `Error` for anything else, with the nearest result.
bool requireResultOrFile(StageContext& context, const std::string& name, ResultKind kind, const SourcePosition& where);

/// The result of an earlier stage that a reference to a state means: by the result's name, or, where there is no file
/// of this name, by what the stage's `save_state` calls the file; of several the latest. Null: none.
const StageOutput* outputWithState(StageContext& context, const std::string& name);

/// The world of a stage, which outlives what refers to it.
std::shared_ptr<const World> worldOf(const StageContext& context);

/// Index of the robot that a stage is about: the named one, or, for null, the world's only one. `where`: of the stage,
/// for the message where there are several. Throws `Error`.
int stageRobot(const World& world, const Value& named, const SourcePosition& where);

/// Throws `Error` where configurations of a motion file have another number of links than the robot.
void requireLinks(Eigen::Index numbers, const WorldRobot& robot, const PlacedText& path);

/// A path with its sections, goals and holds, out of what an earlier stage saved or a file. Throws `Error`.
MultiPath stageMotion(StageContext& context, const PlacedText& path);

/// The settings of `own`, and those of `below` that it does not have; null is not a setting.
Value overlaid(const Value& own, const Value& below);

/// The given settings of the space and the objective, out of those of a stage.
Value problemSettings(const Value& settings);

/// Writes NAME.path, or for a motion with velocities NAME.json, to the run directory; the file's name.
std::string writeRunFile(StageContext& context, const std::string& name, const Trajectory& trajectory);
std::string writeRunFile(StageContext& context, const std::string& name, const HermiteTrajectory& motion);

}  // namespace mortise
