#pragma once

#include "mortise/geometry/geometry.h"

namespace mortise {

/// The surface of what an implicit surface encloses, by marching tetrahedra over the centers of the grid's cells (Doi
/// and Koide, 1991), closed where the solid reaches the side of the grid's box. Closed, triangles counter-clockwise
/// from outside, in the geometry's frame. Exact at the tetrahedra's edges; between them off by what the distance bends
/// within a cell.
TriangleMesh implicitSurfaceMesh(const ImplicitSurfaceShape& shape);

}  // namespace mortise
