#pragma once

#include <cstddef>

#include "mortise/geometry/geometry.h"

namespace mortise {

/// The ways in which a triangle mesh fails to bound a solid. Corners in one place count as one.
struct SurfaceDefects {
  std::size_t boundaryEdges = 0;  ///< Edges at which an odd number of triangles meets.
  std::size_t opposedEdges = 0;   ///< Edges whose triangles come in pairs, but are wound against each other.
  double volume = 0;              ///< m^3, signed, openings closed from the mean of the vertices.
  bool inward = false;            ///< The volume is negative beyond roundoff.
  bool any() const { return boundaryEdges > 0 || opposedEdges > 0 || inward; }
};

SurfaceDefects surfaceDefects(const TriangleMesh& mesh);

}  // namespace mortise
