#pragma once

/// Groups of a shape's triangles: corners at one place, edges, flat regions, and which corners stand for
/// those around them. Only for building a `ContactSurface`.

#include <array>
#include <span>
#include <vector>

#include "mortise/contacts/contact_surface.h"

namespace mortise {

/// The topology of all triangles of a shape: corners at the same place are one, whatever the file says.
struct Welding {
  std::vector<int> places;             ///< That hold triangles, ascending.
  std::vector<ConvexElement> corners;  ///< Corners of these.
  std::vector<std::array<int, 3>> vertices, edges;
  std::vector<Vector3d> normals;
  std::vector<double> areas;
  std::vector<int> firstUse, uses;  ///< By edge: 3 * triangle + side.
  int numVertices = 0, numEdges = 0;
  std::vector<int> region;
  std::vector<Vector3d> regionNormals;
  std::vector<char> sharp, turned;     ///< By edge: not within a flat region; turned by more than `kSharp`, or open.
  std::vector<double> turns, lengths;  ///< By edge: rad, meters; no turn where not between two faces.
  std::vector<char> fine;              ///< By edge.
  std::vector<VertexKind> kinds;       ///< Kinds of vertices.
  std::vector<char> anchors;           ///< By vertex.
  std::vector<std::vector<Vector3d>> around;  ///< By vertex: unit, along the edges from it.

  Vector3d corner(int triangle, int i) const {
    const ConvexElement& t = corners[triangle];
    return i == 0 ? t.a : i == 1 ? t.b : t.c;
  }
  /// Unit, within the triangle's plane, from side i inward; zero for triangles without area.
  Vector3d inward(int triangle, int i) const {
    const Vector3d along = corner(triangle, (i + 1) % 3) - corner(triangle, i);
    const Vector3d across = normals[triangle].cross(along);
    const double length = across.norm();
    return length > 0 ? Vector3d(across / length) : Vector3d::Zero();
  }
  std::span<const int> usesOf(int edge) const {
    return {uses.data() + firstUse[edge], static_cast<std::size_t>(firstUse[edge + 1] - firstUse[edge])};
  }
};

/// `mesh.places` and what comes of it are filled from the shape. `radius`: of the shape, or of what it is a part of.
Welding weld(const CollisionShape& shape, double radius);

}  // namespace mortise
