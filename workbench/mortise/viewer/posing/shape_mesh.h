#pragma once

/// Shapes as the triangles that people see.

#include <algorithm>

#include "mortise/geometry/tessellate.h"

namespace mortise::viewer {

/// A fortieth of the diagonal of a shape (m): of round ones, edges of their facets.
inline double facetSize(const Geometry& shape) {
  const AxisAlignedBounds bounds = shape.bounds();
  return std::max((bounds.max - bounds.min).norm() / 40, 1e-6);
}

/// Throws `Error` for what has no surface.
inline TriangleMesh shownMesh(const Geometry& shape) {
  if (const auto* mesh = shape.as<TriangleMesh>()) return *mesh;
  return tessellated(shape, facetSize(shape));
}

}  // namespace mortise::viewer
