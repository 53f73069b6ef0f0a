#pragma once

#include "mortise/geometry/geometry.h"

namespace mortise {

/// The shape moved inward by `amount` meters all over, so that a layer of that thickness around it ends about where the
/// shape was (Klamp't's `preshrink`). The same shape for 0. Corners of closed meshes move so that all faces around them
/// move by the amount, as nearly as can be (least squares), by at most three times the amount; hulls, boxes, spheres,
/// capsules, cylinders and ellipsoids get smaller; groups part by part. What has no inside or is too thin stays as it
/// is: points, segments, triangles, polygons, clouds, heightmaps, grids, meshes that are not closed, and anything that
/// would lose more than nine tenths of its least size. Throws `Error` for an amount that is negative or not finite.
GeometryPtr preshrunk(const GeometryPtr& geometry, double amount);

}  // namespace mortise
