#pragma once

#include <optional>
#include <vector>

#include "mortise/geometry/geometry.h"

namespace mortise::ode {

/// Convex hull of a set of points (Quickhull; Barber, Dobkin and Huhdanpaa, 1996). Triangles are counter-clockwise seen
/// from outside; points within a relative 1e-9 of a face are left out. Nothing when the points lie in a plane.
std::optional<TriangleMesh> convexHull(const std::vector<Vector3d>& points);

}  // namespace mortise::ode
