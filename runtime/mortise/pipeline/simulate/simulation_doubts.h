#pragma once

#include "mortise/base/diagnostics.h"
#include "mortise/model/world.h"
#include "mortise/motion/trajectory.h"
#include "mortise/pipeline/simulate/simulation_run.h"

namespace mortise {

/// Warns of settings of a simulation that have no effect beside its others.
void doubtSettings(const SimulationPlan& plan, double step, Diagnostics& diagnostics);

/// Warns of a motion that a robot cannot follow as it is: one that starts elsewhere than the robot, leaves its joint
/// limits, or is faster than its velocity limits. `start`: where the robot is; empty: not known.
void doubtMotion(const Trajectory& motion, const WorldRobot& robot, const VectorXd& start, const PlacedText& follow,
                 Diagnostics& diagnostics);

}  // namespace mortise
