#pragma once

/// Recognition of the solid behind a triangle mesh. Files keep boxes, solids and grounds as triangles; engines collide
/// a box, a convex body or a flat patch faster and more exactly than a bag of triangles.
///
/// All functions take vertices with finite coordinates and triangles whose indices are valid. Lengths compare with
/// tolerances relative to the mesh's extent.

#include <optional>
#include <vector>

#include "mortise/geometry/geometry.h"

namespace mortise {

/// The same surface with equal vertices merged. Triangles that have two corners in one place, and vertices that no
/// triangle uses, are left out.
TriangleMesh weldedMesh(const TriangleMesh& mesh);

/// The pieces of a welded mesh that share no vertex, in the order of their first triangles.
std::vector<TriangleMesh> connectedParts(const TriangleMesh& welded);

/// A box B among the triangles of a mesh with frame M.
struct RecognizedBox {
  RigidTransform X_MB;               ///< Center and axes; right-handed, each axis as near to that of M as possible.
  Vector3d size = Vector3d::Zero();  ///< Full lengths of the edges, in meters.
};
/// The box, when the mesh is the whole surface of one. Faces may be subdivided in any way and all wound inward; meshes
/// need not be welded.
std::optional<RecognizedBox> recognizeBox(const TriangleMesh& mesh);

/// Says whether each edge of a welded mesh belongs to two triangles that run through it in opposite directions.
bool isClosed(const TriangleMesh& welded);

/// Says whether a welded mesh bounds one convex body and its triangles face outward. Takes n log n time: a closed,
/// connected surface without handles that bends outward at each edge is convex.
bool isConvex(const TriangleMesh& welded);

/// A mesh all in one plane.
struct FlatPatch {
  Vector3d normal = Vector3d::UnitZ();  ///< Unit, in the mesh's frame, to the side to which most of the area faces.
  bool twoSided = false;                ///< So much faces the other way that the sign of `normal` means nothing.
  bool convex = false;                  ///< Not two-sided, and the triangles fill their convex hull.
  std::vector<Vector3d> outline;        ///< Corners of the convex hull, counter-clockwise seen against the normal.
};
/// Nothing unless all triangles lie in one plane. Meshes need not be welded.
std::optional<FlatPatch> recognizeFlatPatch(const TriangleMesh& mesh);

}  // namespace mortise
