#pragma once

/// Depth of the origin in a convex set that is known by its support function alone.

#include <Eigen/Core>
#include <functional>

namespace mortise {

/// A vector of at most 6 numbers, without allocation.
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

/// The farthest point of a convex and bounded set in a direction of unit length; returns its distance in it.
using SupportFunction = std::function<double(const SmallVector& direction, SmallVector& farthest)>;

struct BoundaryDistance {
  bool flat = false;       ///< The set has no interior; then nothing below is set.
  bool converged = false;  ///< `upper - lower` is within the tolerance.
  /// Bounds of the distance from the origin to the nearest point of the boundary, in units of the set; not above 0 when
  /// the origin is not inside, and then only the sign counts.
  double lower = 0, upper = 0;
  SmallVector direction;  ///< Direction of unit length, towards the nearest point of the boundary.
  int supports = 0;       ///< Number of times that the set was asked.
};

struct ExpandingPolytopeOptions {
  double tolerance = 1e-9;  ///< Tolerance of the distance, in units of the set's extent.
  int maxFacets = 200000;   ///< Alive at once. What was found until then is returned.
};

/// A polytope inside the set is expanded at its facet nearest to the origin until this facet is part of the set's
/// boundary (Gilbert, Johnson and Keerthi's and van den Bergen's idea in up to 6 dimensions; for grasps: Zheng, 2013).
/// Points get 1e-12 of the set's extent as noise from a fixed seed, so that facets with more corners than needed do no
/// harm. `dimension` is 2 to 6. Throws `Error` for a support that is not finite.
BoundaryDistance distanceToBoundary(int dimension, const SupportFunction& support,
                                    const ExpandingPolytopeOptions& options = {});

}  // namespace mortise
