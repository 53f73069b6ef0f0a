#pragma once

#include "mortise/geometry/geometry.h"

namespace mortise {

/// The shape, moved, turned and scaled, with its margin and file. Throws `Error` where the map turns it into one that
/// cannot be held (a sphere scaled unevenly becomes an ellipsoid; a sheared box is refused).
GeometryPtr transformed(const Geometry& geometry, const AffineMap& map);

/// The union, as Klamp't forms it: two meshes become one mesh with the triangles of both; anything else becomes a
/// group, in which groups are flattened.
GeometryPtr unionOf(const GeometryPtr& a, const GeometryPtr& b);

}  // namespace mortise
