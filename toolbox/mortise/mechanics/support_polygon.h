#pragma once

/// Where the center of mass of a body at rest on contacts may be, seen along gravity.

#include <span>
#include <vector>

#include "mortise/contact/hold.h"
#include "mortise/mechanics/contact_force_limits.h"

namespace mortise {

struct SupportPolygonOptions {
  Vector3d gravity_W = Vector3d(0, 0, -9.8);
  /// Edges of the pyramids, inside the friction cones, that stand for them; 0: the cones themselves.
  int coneEdges = 0;
  /// Meters between the inner and the outer polygon at most. With pyramids both become the same after finitely many
  /// steps whatever this is; with cones it says when to stop.
  double tolerance = 1e-6;
  ContactForceLimits limits = {};
  double mass = 1;  ///< Of the body (kg): what forces are compared with by limits. Means nothing without them.
};

/// A convex polygon in the plane across gravity, by Bretl and Lall (2008): linear programs find the farthest point in
/// one direction after another, across the longest gap between what is surely inside and what is surely not.
/// Contacts that can pull the body to any side (a grasp) leave nothing out: the polygon ends `kFar` meters from the
/// middle of the contacts and `bounded` is false.
class SupportPolygon {
 public:
  static constexpr double kFar = 1000;

  /// Nothing balances: `empty`.
  SupportPolygon() = default;
  /// Throws `Error` for contacts that are not finite, normals that are not of unit length, friction below 0, coneEdges
  /// that are neither 0 nor at least 3, without gravity, and for bad limits. Infinite friction: any force out of what
  /// is touched.
  explicit SupportPolygon(std::span<const ContactPoint> contacts, const SupportPolygonOptions& options = {});

  bool empty() const { return corners_.empty(); }
  bool bounded() const { return bounded_; }
  /// Corners of the inner polygon, counter-clockwise seen against gravity, in coordinates along `x_W` and `y_W`. One
  /// or two where it is a point or a line.
  const std::vector<Eigen::Vector2d>& corners() const { return corners_; }
  /// Corners of the outer polygon; the same when exact.
  const std::vector<Eigen::Vector2d>& outerCorners() const { return outer_; }
  /// Axes of the plane: x and y of the world when gravity points down.
  const Vector3d& x_W() const { return x_W_; }
  const Vector3d& y_W() const { return y_W_; }
  Eigen::Vector2d flat(const Vector3d& p_W) const { return {x_W_.dot(p_W), y_W_.dot(p_W)}; }

  /// Distance from the edge of the inner polygon in meters, positive inside; -infinite when it is empty. Outside it is
  /// minus the largest distance from the line of an edge, which is no more than the distance from the polygon.
  double margin(const Vector3d& com_W) const;
  /// The same inside; outside minus the Euclidean distance from the inner polygon.
  double signedDistance(const Vector3d& com_W) const;
  /// To 1e-9 m.
  bool contains(const Vector3d& com_W, double margin = 0) const { return this->margin(com_W) >= margin - 1e-9; }
  double area() const;

 private:
  struct Edge {
    Eigen::Vector2d normal;  ///< Out of the polygon.
    double offset = 0;       ///< normal . x <= offset.
  };

  std::vector<Eigen::Vector2d> corners_, outer_;
  std::vector<Edge> edges_;
  bool bounded_ = true;
  Vector3d x_W_ = Vector3d::UnitX(), y_W_ = Vector3d::UnitY();
};

}  // namespace mortise
