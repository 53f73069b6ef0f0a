#pragma once

/// Volume, center and inertia of solid bodies, exactly: closed forms for primitives, sums of signed tetrahedra for
/// everything with faces. What Klamp't's `automass` would make of a shape is in mortise/geometry/klampt_automass.h.

#include <optional>

#include "mortise/geometry/geometry.h"
#include "mortise/math/inertia.h"

namespace mortise {

/// Moments of a body of uniform density, in the geometry's frame.
struct SolidMoments {
  double volume = 0;                       ///< m^3
  Vector3d center = Vector3d::Zero();      ///< m
  Matrix3d covariance = Matrix3d::Zero();  ///< Mean of (x - center) (x - center)^T over the body, m^2.

  /// About the center, axes of the geometry's frame: mass * (trace(covariance) I - covariance).
  BodyInertia inertiaOf(double mass) const;
};

struct SolidOptions {
  /// Height at which the ground of a heightmap ends, z in its own frame: a heightmap has no bottom of its own.
  std::optional<double> heightmapBottom;
};

/// Spheres, boxes, ellipsoids, cylinders, capsules, convex hulls, closed meshes (counter-clockwise seen from outside;
/// corners in one place count as one), heightmaps with a bottom, the cells of occupancy grids, and groups of these:
/// where the parts of a group overlap, their matter counts twice. Margins do not count. Throws `Error` for anything
/// that encloses no volume: points, segments, triangles, polygons, point clouds, open or inverted meshes, flat hulls;
/// and for implicit surfaces.
SolidMoments solidMoments(const Geometry& geometry, const SolidOptions& options = {});

/// `mass` (kg, at least 0) spread evenly through the body.
BodyInertia solidInertia(const Geometry& geometry, double mass, const SolidOptions& options = {});
/// A body of this density, kg/m^3.
BodyInertia solidInertiaOfDensity(const Geometry& geometry, double density, const SolidOptions& options = {});

}  // namespace mortise
