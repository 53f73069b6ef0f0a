#pragma once

/// Meshes made finer or coarser, cut, and picked from.

#include <vector>

#include "mortise/geometry/geometry.h"

namespace mortise {

/// The same surface with no edge longer than `longestEdge` meters: edges are halved until they are short enough, in
/// both triangles that share one, so that closed meshes stay closed. Throws `Error` where the length is not positive or
/// it would take more than 10 million triangles.
TriangleMesh refined(const TriangleMesh& mesh, double longestEdge);

/// A coarser mesh: all vertices within one cell of a cubic grid with edges of `cell` meters become their mean, and
/// triangles that lose a side go (Rossignac and Borrel, 1993). No point moves farther than a cell's diagonal.
TriangleMesh clustered(const TriangleMesh& mesh, double cell);

/// Cut of a plane `dot(normal, x) = offset` with the triangles: chains of points along the cut. A chain that ends where
/// it began is closed and runs counter-clockwise about solid seen against the normal when triangles face outward.
/// Triangles in the plane are left out, as are touching corners.
struct SliceChain {
  std::vector<Vector3d> points;  ///< Without the first one again when closed.
  bool closed = false;
};
std::vector<SliceChain> sliced(const TriangleMesh& mesh, const Vector3d& normal, double offset);

/// The points of a cloud within `thickness` meters of a plane.
PointCloud sliced(const PointCloud& cloud, const Vector3d& normal, double offset, double thickness);

/// Returns the part of a mesh or cloud in a region: triangles and points that touch the box, or lie without it when
/// `invert`. Vertices that nothing uses go; properties of points stay with them.
TriangleMesh within(const TriangleMesh& mesh, const AxisAlignedBounds& box, bool invert = false);
PointCloud within(const PointCloud& cloud, const AxisAlignedBounds& box, bool invert = false);
/// The same for a ball.
TriangleMesh within(const TriangleMesh& mesh, const Vector3d& center, double distance, bool invert = false);
PointCloud within(const PointCloud& cloud, const Vector3d& center, double distance, bool invert = false);

/// One point of each cell of a cubic grid with edges of `cell` meters: the first in the cloud's order, with its
/// properties.
PointCloud thinned(const PointCloud& cloud, double cell);

/// The mesh with only the vertices that its triangles use, in their order.
TriangleMesh withoutUnusedVertices(const TriangleMesh& mesh);

}  // namespace mortise
