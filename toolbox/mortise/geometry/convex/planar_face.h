#pragma once

/// Plane faces of meshes.

#include "mortise/geometry/geometry.h"

namespace mortise {

struct PlanarFaceOptions {
  double angle = 0.02;      ///< Radians: how far the normals of its triangles may differ from that of the first.
  double distance = 0.001;  ///< Meters: how far its corners may be from the plane of the first.
};

/// Corners of the convex hull of a plane face: of the triangle nearest to a point of the surface, whose normal is along
/// `normal` (of any length, either sign), and of all triangles in its plane that can be reached from it across common
/// edges. Vertices in the same place count as one, so meshes whose triangles share no vertices (STL) have faces, too.
/// In the plane of the first triangle, counter-clockwise against `normal`. Empty when no triangle has such a normal.
std::vector<Vector3d> planarFace(const TriangleMesh& mesh, const Vector3d& point, const Vector3d& normal,
                                 const PlanarFaceOptions& options = {});

}  // namespace mortise
