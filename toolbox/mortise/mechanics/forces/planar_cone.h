#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

namespace mortise {

/// A closed convex cone in the plane, such as the directions in which a convex set never ends.
struct PlanarCone {
  enum class Kind {
    point,    ///< The origin alone.
    pointed,  ///< A ray, or less than half of the plane between two.
    line,
    halfPlane,
    plane
  };
  Kind kind = Kind::point;
  /// Unit. The cone runs counter-clockwise from `first` to `last`: equal for a ray, opposite for a line and a
  /// half-plane. Without meaning for a point and the plane.
  Eigen::Vector2d first = Eigen::Vector2d::UnitX(), last = Eigen::Vector2d::UnitX();

  /// Unit directions whose sums with weights of at least 0 are the cone, counter-clockwise.
  std::vector<Eigen::Vector2d> generators() const;
};

/// Finds a point that is farthest in a direction; false when there is none.
using PlanarSupport = std::function<bool(const Eigen::Vector2d& normal, Eigen::Vector2d& point)>;

/// The cone of which `support` sees what is in the square from -1 to 1. Directions are told apart by 1e-7.
PlanarCone planarCone(const PlanarSupport& support);

/// Turned by 90 degrees counter-clockwise.
inline Eigen::Vector2d turnedLeft(const Eigen::Vector2d& v) { return {-v.y(), v.x()}; }

}  // namespace mortise
