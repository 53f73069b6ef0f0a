#pragma once

/// Parabolic ramps between states of several coordinates, as real-time planners put them together.

#include <span>
#include <vector>

#include "mortise/timing/ramp_path.h"

namespace mortise {

/// The fastest synchronized ramps from one state to another within the limits; circular coordinates go the short way
/// round. False when there are none. Velocities that are out of bounds by rounding are moved to them.
bool fastestRamps(const VectorXd& q0, const VectorXd& dq0, const VectorXd& q1, const VectorXd& dq1,
                  std::span<const CoordinateLimits> limits, std::vector<ParabolicRamp>& ramps);
/// Each coordinate brakes to rest as fast as it can. False where that leaves the bounds of position.
bool brakingRamps(const VectorXd& q, const VectorXd& dq, std::span<const CoordinateLimits> limits,
                  std::vector<ParabolicRamp>& ramps);
/// Rest at `q` for so many seconds.
void restingRamps(const VectorXd& q, double duration, std::vector<ParabolicRamp>& ramps);
/// Rest at `q`, in no time.
RampPath restingPath(const VectorXd& q);

/// Says whether a path keeps to the limits everywhere, joins on without jumps and ends at rest, up to rounding: exact,
/// from its ramps. `coordinate`: the first that does not.
bool keepsLimits(const RampPath& path, std::span<const CoordinateLimits> limits, int* coordinate = nullptr);

}  // namespace mortise
