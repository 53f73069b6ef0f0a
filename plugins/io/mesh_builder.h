#pragma once

#include <span>

#include "mortise/geometry/geometry.h"

namespace mortise::io {

/// Adds a polygon as a fan of triangles around its first corner. Corners that repeat make no triangle.
inline void addPolygon(std::span<const int> corners, TriangleMesh& mesh) {
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const int a = corners[0], b = corners[i - 1], c = corners[i];
    if (a != b && b != c && c != a) mesh.triangles.push_back({a, b, c});
  }
}

}  // namespace mortise::io
