#pragma once

/// Shapes as scenes for other programs hold them: triangles and points.

#include <vector>

#include "mortise/appearance/display_color.h"
#include "mortise/geometry/geometry.h"

namespace mortise {

struct DrawnShape {
  TriangleMesh mesh;
  std::vector<Vector3d> points;
  std::vector<Color> colors;  ///< Colors of the points; empty: none.
};

/// Round shapes are divided so that they differ from what they are by about 1 % of their size. Shapes without surface
/// are left out.
DrawnShape drawnShape(const Geometry& geometry);

}  // namespace mortise
