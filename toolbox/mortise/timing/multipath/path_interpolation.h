#pragma once

/// Interpolation of paths between their milestones.

#include <string>
#include <string_view>
#include <vector>

#include "mortise/motion/multipath.h"

namespace mortise {

enum class PathInterpolation {
  given,   ///< Curves as the path says: cubics in sections that have velocities, straight lines in others.
  linear,  ///< Straight lines everywhere.
  cubic    ///< Cubics everywhere: `MultiPath::Interpolation::cubic`.
};

/// "given", "linear", "cubic".
const std::vector<std::string>& pathInterpolationNames();
/// Throws `Error` that lists the names.
PathInterpolation pathInterpolation(std::string_view name);

/// `MultiPath::evaluate`, between milestones as asked for.
int evaluatePath(const MultiPath& path, double t, PathInterpolation interpolation, VectorXd& q, VectorXd& dq);

/// Returns the interpolation of the full path: linear or cubic, and given where its sections differ.
PathInterpolation resolvedInterpolation(const MultiPath& path, PathInterpolation interpolation);

}  // namespace mortise
