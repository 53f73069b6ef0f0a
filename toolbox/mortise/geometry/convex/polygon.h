#pragma once

/// Polygons in space.

#include <array>
#include <vector>

#include "mortise/math/transform.h"

namespace mortise {

/// Twice the area as a vector along the normal, counter-clockwise seen against it (Newell's method). Zero for polygons
/// without area, such as a line there and back.
Vector3d polygonNormal(const std::vector<Vector3d>& vertices);

/// Triangles that fill a plane polygon, convex or not, as indices of its corners with the polygon's sense of turning,
/// by cutting ears (Meisters, 1975). Corners in one place and on straight edges are allowed. One that is not quite
/// plane is taken as its projection along `polygonNormal`. A border that crosses itself gives triangles between its
/// corners that cover what it encloses, and may cover more. Nothing for fewer than three corners.
std::vector<std::array<int, 3>> triangulatePolygon(const std::vector<Vector3d>& vertices);

}  // namespace mortise
