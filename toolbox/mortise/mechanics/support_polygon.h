#pragma once

/// Region of the center of mass of a body at rest on contacts, seen along gravity.

#include <span>
#include <vector>

#include "mortise/contact/hold.h"
#include "mortise/mechanics/forces/contact_force_limits.h"

namespace mortise {

struct SupportPolygonOptions {
  Vector3d gravity_W = Vector3d(0, 0, -9.8);
  /// Edges of the pyramids, inside the friction cones, that stand for them; 0: the cones themselves.
  int coneEdges = 0;
  /// Meters between the inner and the outer polygon at most. With pyramids both become the same after finitely many
  /// steps whatever this is; with cones it says when to stop.
  double tolerance = 1e-6;
  ContactForceLimits limits = {};
  double mass = 1;  ///< Mass of the body (kg): what forces are compared with by limits. Means nothing without them.
};

/// A convex region in the plane across gravity, by Bretl and Lall (2008): linear programs find the farthest point in
/// one direction after another, across the longest gap between what is surely inside and what is surely not.
///
/// Contacts that can pull (a hook, a hand around a rail) make it unbounded: its corners and all sums of `rays()`. The
/// rays come first, from the forces that balance without weight; then directions across which the region ends. A
/// strip, half a plane and the whole plane have no corners; `halfPlanes()` says what each region is. A curved border
/// that nears its ray without end (friction cones) is followed until the rest is a millionth of the distance.
class SupportPolygon {
 public:
  struct HalfPlane {
    Eigen::Vector2d normal;  ///< Unit, out of the region.
    double offset = 0;       ///< normal . x <= offset.
  };

  /// Nothing balances: `empty`.
  SupportPolygon() = default;
  /// Throws `Error` for contacts that are not finite, normals that are not of unit length, friction below 0, coneEdges
  /// that are neither 0 nor at least 3, without gravity, and for bad limits. Infinite friction: any force out of what
  /// is touched.
  explicit SupportPolygon(std::span<const ContactPoint> contacts, const SupportPolygonOptions& options = {});

  bool empty() const { return anchors_.empty(); }
  bool bounded() const { return rays_.empty(); }
  /// Every center of mass balances.
  bool isUnbounded() const { return !empty() && halfPlanes_.empty(); }
  /// Corners of the inner region, counter-clockwise seen against gravity, in coordinates along `x_W` and `y_W`. One or
  /// two where it is a point or a line. With rays they begin at the last one and end at the first one.
  const std::vector<Eigen::Vector2d>& corners() const { return corners_; }
  /// Unit directions in which the region never ends, counter-clockwise; weighted sums of them do not, either.
  const std::vector<Eigen::Vector2d>& rays() const { return rays_; }
  /// Returns the half planes that hold all points of the inner region; none for the whole plane and for the empty one.
  const std::vector<HalfPlane>& halfPlanes() const { return halfPlanes_; }
  /// Points that make up the region together with the rays: the corners, or a point of each line where there are none.
  const std::vector<Eigen::Vector2d>& anchors() const { return anchors_; }
  /// Corners of the outer region; the same when exact.
  const std::vector<Eigen::Vector2d>& outerCorners() const { return outer_; }
  /// Axes of the plane: x and y of the world when gravity points down.
  const Vector3d& x_W() const { return x_W_; }
  const Vector3d& y_W() const { return y_W_; }
  Eigen::Vector2d flat(const Vector3d& p_W) const { return {x_W_.dot(p_W), y_W_.dot(p_W)}; }

  /// Distance from the edge of the inner region in meters, positive inside; -infinite when it is empty, infinite when
  /// it is the whole plane. Outside it is minus the largest distance from the line of an edge, which is no more than
  /// the distance from the region.
  double margin(const Vector3d& com_W) const;
  /// The same inside; outside minus the Euclidean distance from the inner region.
  double signedDistance(const Vector3d& com_W) const;
  /// To 1e-9 m.
  bool contains(const Vector3d& com_W, double margin = 0) const { return this->margin(com_W) >= margin - 1e-9; }
  /// m^2; infinite when it is.
  double area() const;

 private:
  void addHalfPlanes();

  std::vector<Eigen::Vector2d> corners_, rays_, anchors_, outer_;
  std::vector<HalfPlane> halfPlanes_;
  Vector3d x_W_ = Vector3d::UnitX(), y_W_ = Vector3d::UnitY();
};

}  // namespace mortise
