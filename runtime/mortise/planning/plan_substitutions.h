#pragma once

/// Substitutions that plans, motions and inverse kinematics make for what was asked for, told to a log (`substitute`).

#include "mortise/base/log.h"
#include "mortise/base/value.h"
#include "mortise/ik/ik_solver.h"

namespace mortise {

/// Coordinates to which a motion gave limits of acceleration. `report`: of `PathWork::retime` or `timingReport`;
/// `rampUp`: `MotionLimitOptions::rampUp`.
void reportAssumedAccelerations(const Value& report, double rampUp, LogSink& log);

/// The margin of the space, where an optimization kept it in place of its smaller clearance. `report`: of
/// `PathWork::optimize`.
void reportKeptClearance(const Value& report, LogSink& log);

/// Joints that inverse kinematics moves and that are outside of their limits at the start: the search begins on the
/// limits.
void reportStartBeyondLimits(const IKSolver& solver, const VectorXd& start, LogSink& log);

}  // namespace mortise
