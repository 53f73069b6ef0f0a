#pragma once

/// Convex elements of a shape: the leaves that a hierarchy is built over.

#include <deque>
#include <vector>

#include "mortise/geometry/convex/convex_element.h"

namespace mortise {

struct ShapeElements {
  /// In the shape's frame, with its margin in their radii, in the order of its features: corner i of a cloud, triangle
  /// i of a mesh or heightmap, part after part of a group.
  std::vector<ConvexElement> elements;
  std::deque<ConvexPolyhedron> polyhedra;  ///< Polyhedra that elements which are hulls point to.
};

/// The elements of a shape, of its surface where it is a mesh or a heightmap:
/// - point, segment, triangle, box, cylinder, ellipsoid, hull: one element; sphere: a point with a radius; capsule: a
///   segment with one; polygon: triangles (of a convex plane one too);
/// - mesh, heightmap: triangles; cloud: points, with the property `radius` where there is one;
/// - occupancy grid: boxes, each of as many cells as make one;
/// - group: those of all parts, each with its own margin and the group's;
/// - implicit surface: none; `VolumeField` answers for it.
/// Throws `Error` that names the feature where a number is not finite, a triangle names a vertex that is not there, or
/// a radius, size or margin is negative.
ShapeElements shapeElements(const Geometry& geometry);

/// The boxes of occupied cells, merged along z, then y, then x: equal rows become one box.
std::vector<ConvexElement> occupiedBoxes(const OccupancyGridShape& grid, double margin);

/// A frame with its third axis along `axis` and the given origin.
RigidTransform frameAlong(const Vector3d& axis, const Vector3d& origin);

}  // namespace mortise
