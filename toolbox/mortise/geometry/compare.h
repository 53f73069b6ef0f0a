#pragma once

#include "mortise/geometry/geometry.h"

namespace mortise {

/// Says whether two geometries are the same shape: same type, same margin, equal numbers in the same order. Meshes are
/// compared corner by corner, so vertices may be numbered differently; the file a shape came from does not count.
/// Coordinates of meshes may differ by `vertexTolerance` times their size, or that many meters where they are below
/// one.
bool sameShape(const Geometry& a, const Geometry& b, double vertexTolerance = 0);
/// The same for pointers; null equals an empty geometry.
bool sameShape(const GeometryPtr& a, const GeometryPtr& b, double vertexTolerance = 0);

}  // namespace mortise
