#pragma once

/// The distance of two convex cores from their support points alone: GJK (Gilbert, Johnson and Keerthi, 1988) while
/// they are apart, EPA (van den Bergen, 2001) where they overlap. Both keep a bound from either side and stop when they
/// meet, so what they return says how good it is.

#include "mortise/geometry/convex/element_cores.h"

namespace mortise {

/// Two cores, the second posed by `X_AB`, seen as their difference: the points a - b.
class CoreDifference {
 public:
  CoreDifference(const ConvexElement& a, const ConvexElement& b, const RigidTransform& X_AB, SeparationHint* hint);

  struct Point {
    Vector3d w = Vector3d::Zero();  ///< pointA - pointB.
    Vector3d pointA = Vector3d::Zero(), pointB = Vector3d::Zero();
  };
  /// Farthest of the difference along a direction.
  Point support(const Vector3d& direction);

  Vector3d center() const;
  double size() const {
    return size_;
  }  ///< Returns the size of both together, in meters; at least a tiny positive number.
  const ConvexElement& a() const { return a_; }
  const ConvexElement& b() const { return b_; }
  const RigidTransform& X_AB() const { return X_AB_; }
  void leave(SeparationHint* hint, const Vector3d& direction) const;

 private:
  const ConvexElement& a_;
  const ConvexElement& b_;
  RigidTransform X_AB_;
  double size_;
  int vertexA_ = 0, vertexB_ = 0;
};

/// Up to four points of a difference.
struct Simplex {
  int count = 0;
  CoreDifference::Point points[4];
  double weights[4] = {};  ///< Weights of the nearest point to the origin.

  void add(const CoreDifference::Point& p) { points[count++] = p; }
  /// Nearest point of their hull to the origin; keeps only the points that it needs, with their weights. Sets
  /// `inside` when the origin is within a tetrahedron, which is then kept whole.
  Vector3d nearest(bool& inside);
  Vector3d pointA() const;
  Vector3d pointB() const;
};

struct GjkResult {
  bool overlapping = false;
  double upper = 0;  ///< Distance of two points of the cores.
  double lower = 0;  ///< The cores are at least that far apart.
  Vector3d pointA = Vector3d::Zero(), pointB = Vector3d::Zero();
  Vector3d normal = Vector3d::UnitZ();  ///< Unit, from the first to the second.
  Simplex simplex;
};

/// Stops early once the cores are known to be farther apart than `enough`, or nearer; negative: goes on to the end.
/// `start` is the first direction.
GjkResult gjk(CoreDifference& difference, const Vector3d& start, double enough);

struct EpaResult {
  /// Least translation along `normal` that parts the cores; negative by a rounding error where they only touch.
  double depth = 0;
  double lower = 0;  ///< No translation shorter than this does.
  Vector3d pointA = Vector3d::Zero(), pointB = Vector3d::Zero(), normal = Vector3d::UnitZ();
};
/// For cores that overlap or touch, from the simplex where GJK ended.
EpaResult epa(CoreDifference& difference, const Simplex& simplex);

}  // namespace mortise
