#pragma once

/// Convex hulls of points in space and in the plane.

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "mortise/geometry/geometry.h"

namespace mortise {

/// Convex hull of a set of points (Quickhull; Barber, Dobkin and Huhdanpaa, 1996) as a closed mesh. Its vertices are
/// some of the points, its triangles counter-clockwise seen from outside. Points within 1e-9 of the set's extent of a
/// face are left out; faces of more than three corners are several triangles. Nothing when the points lie in a plane.
std::optional<TriangleMesh> convexHull(const std::vector<Vector3d>& points);

/// Indices of the corners of the convex hull, counter-clockwise from the leftmost point (Andrew's monotone chain,
/// 1979). A corner no more than `tolerance`, in the points' unit, from the segment between its neighbors is left out;
/// 0 leaves out those on a straight edge. Two indices when all points lie on a line, one when they are all the same.
std::vector<int> planarHull(const std::vector<Eigen::Vector2d>& points, double tolerance = 0);

/// Corners of the convex hull, in the points' frame; also of flat and of straight sets, whose corners are those of the
/// polygon or the two ends. Of more than `limit` corners only those are kept that stand out most along the axes and
/// along `limit` directions spread evenly, so that queries on the hull stay cheap: that is a hull within the true one.
std::vector<Vector3d> hullCorners(const std::vector<Vector3d>& points, int limit);

/// Corners of the hull with every face moved outward by `distance` meters. Corners stay sharp, but move by no more than
/// three times the distance. Returns the corners as they are when they lie in a plane.
std::vector<Vector3d> grownHull(const std::vector<Vector3d>& corners, double distance);

/// Extent, in meters, along the principal axis along which the points spread least: 0 for flat or straight sets.
double thickness(const std::vector<Vector3d>& points);

}  // namespace mortise
