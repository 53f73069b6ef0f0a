#pragma once

#include <optional>
#include <string>

#include "mortise/base/value.h"
#include "mortise/geometry/geometry.h"

namespace mortise {

/// Properties of a triangle mesh; vertices in one place count as one.
struct MeshReport {
  int components = 0;           ///< Pieces that share no vertex.
  int borderEdges = 0;          ///< Edges of one triangle.
  int crowdedEdges = 0;         ///< Edges of more than two triangles, where pieces touch.
  int flippedEdges = 0;         ///< Edges of several triangles that do not face the same side.
  int degenerateTriangles = 0;  ///< Corners in one place or on a line: area below 1e-12 of the longest edge squared.
  int unusedVertices = 0;       ///< Number of vertices of no triangle.
  double area = 0;              ///< Area of all triangles, m^2.
  /// Each edge is run through as often one way as the other.
  bool closed() const { return components > 0 && borderEdges + flippedEdges == 0; }
  /// Signed, m^3: negative when the triangles face inward. Meaningless unless closed.
  double volume = 0;
  Vector3d center = Vector3d::Zero();  ///< Center of the volume.
};
MeshReport reportOn(const TriangleMesh& mesh);

/// Area of the surface, m^2: of meshes and all primitives but ellipsoids, where it has no closed form.
std::optional<double> surfaceArea(const Geometry& geometry);

/// Returns what `mortise geometry info --json` prints: type, counts, bounds, area and volume where they are defined,
/// and what is particular to the type; the same for each part of a group.
Value geometryReport(const Geometry& geometry);

/// The same for people. `name` begins the first line.
std::string geometryReportText(const Geometry& geometry, const std::string& name);

}  // namespace mortise
