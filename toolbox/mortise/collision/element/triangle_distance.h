#pragma once

#include "mortise/geometry/convex/convex_element.h"

namespace mortise {

/// Nearest points of two triangles, and the corners, edges or faces they are on (numbered as in `ConvexElement`).
struct TriangleSeparation {
  double squaredDistance = 0;  ///< 0 exactly when they have a point in common, as `trianglesIntersect` says.
  Vector3d pointA = Vector3d::Zero(), pointB = Vector3d::Zero();
  ElementFeature featureA, featureB;
};

/// Computes the separation of two triangles of nine numbers each, degenerate ones included (Larsen, Gottschalk, Lin and
/// Manocha, "Fast Proximity Queries with Swept Sphere Volumes", 1999). Where they meet, the points are not common
/// points.
TriangleSeparation triangleSeparation(const double* a, const double* b);

/// Quickly, whether the plane of one of two triangles has the other beyond `reach` meters, on one side. True only when
/// they surely are farther apart than that; often false when they are.
bool planesPart(const double* a, const double* b, double reach);

}  // namespace mortise
