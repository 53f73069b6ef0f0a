#pragma once

#include <vector>

#include "mortise/math/transform.h"

namespace mortise::bullet {

/// Corners of the convex hull; of many corners those that stand out most, so that no contact takes long.
std::vector<Vector3d> hullCorners(const std::vector<Vector3d>& points);

/// Corners of the hull with every face moved outward by `distance`. Corners stay sharp, but move by no more than three
/// times the distance. The hull must be solid.
std::vector<Vector3d> grownHull(const std::vector<Vector3d>& corners, double distance);

/// Extent along the direction in which the points extend least: 0 for flat or straight sets.
double thickness(const std::vector<Vector3d>& points);

}  // namespace mortise::bullet
