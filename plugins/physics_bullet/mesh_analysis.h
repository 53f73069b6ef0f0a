#pragma once

/// What a triangle mesh really is: boxes, convex bodies and flat patches have better shapes in an engine than a bag of
/// triangles.

#include <array>
#include <optional>
#include <vector>

#include "mortise/geometry/geometry.h"

namespace mortise::bullet {

/// The same surface with equal vertices merged and degenerate triangles dropped.
TriangleMesh weldedMesh(const TriangleMesh& mesh);

/// The pieces of a welded mesh that share no vertex, in the order of their first triangles.
std::vector<TriangleMesh> connectedParts(const TriangleMesh& welded);

struct OrientedBox {
  RigidTransform X;  ///< Centre and axes; right-handed, axes as near to the frame's as possible.
  Vector3d halfExtents = Vector3d::Zero();
};

/// The box whose corners the points are, when they are the eight corners of one.
std::optional<OrientedBox> boxFromCorners(const std::vector<Vector3d>& points);

/// Whether each edge belongs to two triangles that run through it in opposite directions.
bool isClosed(const TriangleMesh& welded);

/// Whether a welded mesh bounds one convex body. Linear in the number of triangles: a closed, connected surface without
/// handles that bends outward at each edge is convex.
bool isConvex(const TriangleMesh& welded);

/// A mesh all in one plane. `outline` are the corners of its convex hull.
struct FlatPatch {
  Vector3d normal = Vector3d::UnitZ();  ///< To the side from which the triangles run counter-clockwise; unit length.
  bool twoSided = false;                ///< Triangles face both ways: the sign of `normal` means nothing.
  bool convex = false;                  ///< The triangles fill their convex hull.
  std::vector<Vector3d> outline;
};
std::optional<FlatPatch> flatPatch(const TriangleMesh& welded);

}  // namespace mortise::bullet
