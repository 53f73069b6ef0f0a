#pragma once

#include <string>

#include "mortise/geometry/geometry.h"

namespace mortise::robotsim {

/// Signed distance fields and occupancy grids as other kinds, as Klamp't's manual has it: the mesh of a field and its
/// points are those of the level `parameter`, a grid gives a point for each filled cell, and fields and grids keep
/// their box with cells of the size `parameter` (0: the same cells). Null for other shapes and kinds.
GeometryPtr convertedVolume(const Geometry& geometry, const std::string& name, double parameter);

/// The smallest side of the cells of a field or grid; 0 for other shapes.
double cellSizeOf(const Geometry& geometry);

}  // namespace mortise::robotsim
