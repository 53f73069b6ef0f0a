#pragma once

/// Finds simple shapes that files store as triangles. A box kept as a box collides exactly and fast.

#include <optional>
#include <vector>

#include "mortise/geometry/geometry.h"

namespace mortise::ode {

/// The pieces of a mesh that share no vertex position, in order of their first triangle.
std::vector<TriangleMesh> connectedParts(const TriangleMesh& mesh);

/// Centre and axes, and edge lengths, when the mesh is the closed surface of a box (faces may be subdivided).
struct RecognizedBox {
  RigidTransform X_MB;  ///< Pose of the box's centre frame in the mesh's frame.
  Vector3d size;
};
std::optional<RecognizedBox> recognizeBox(const TriangleMesh& mesh);

/// A flat convex region.
struct FlatPatch {
  Vector3d normal = Vector3d::UnitZ();  ///< Unit, in the mesh's frame, by the triangles' winding.
  std::vector<Vector3d> outline;        ///< Corners, counter-clockwise seen against the normal.
};
/// Nothing unless all triangles lie in one plane and together fill the convex hull of their corners.
std::optional<FlatPatch> recognizeFlatPatch(const TriangleMesh& mesh);

}  // namespace mortise::ode
