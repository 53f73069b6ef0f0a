#pragma once

/// Convex solids as each of the engines sees them, and proofs about them that use none of the engines: support
/// functions and membership in extended precision.

#include <array>
#include <fcl/fcl.h>
#include <memory>
#include <string>
#include <vector>

#include "mortise/base/random.h"
#include "mortise/collision/query.h"

class btConvexShape;

namespace mortise::bench {

using Real = long double;
using Vector3L = Eigen::Matrix<Real, 3, 1>;

/// Centerd in its frame; cylinder and capsule along z.
struct Solid {
  enum class Kind { sphere, ellipsoid, box, capsule, cylinder, convex, triangle };
  Kind kind = Kind::sphere;
  /// Sphere: radius in x. Ellipsoid: semi-axes. Box: half sizes. Capsule, cylinder: radius, radius, half height.
  Vector3d size = Vector3d::Ones();
  std::vector<Vector3d> points;           ///< Convex, triangle.
  std::vector<std::array<int, 3>> faces;  ///< Convex: counter-clockwise seen from outside.

  /// The most that n . x is in it.
  Real support(const Vector3L& n) const;
  /// A point of it where that is so.
  Vector3L farthest(const Vector3L& n) const;
  /// Negative inside; outside at least the distance.
  Real excess(const Vector3L& x) const;
};

/// A random one of this kind, sizes 0.1 to 1.
Solid randomSolid(Solid::Kind kind, RandomStream& random);
Solid triangleOf(const TriangleMesh& mesh, int index);
const char* nameOf(Solid::Kind kind);

CollisionShapePtr oursOf(const Solid& solid);
/// A triangle is a mesh of one.
std::shared_ptr<fcl::CollisionGeometryd> fclOf(const Solid& solid);
/// With margins of zero but where the margin is the radius. Null for an ellipsoid, which Bullet has not.
std::shared_ptr<btConvexShape> bulletOf(const Solid& solid);

struct BulletAnswer {
  bool found = false;
  double distance = 0;
  Vector3d pointA, pointB, normal;  ///< From the first to the second.
};
BulletAnswer bulletSeparation(const btConvexShape& a, const RigidTransform& X_WA, const btConvexShape& b,
                              const RigidTransform& X_WB);

/// Returns how far the second lies beyond the first along a direction of the world: no more than their signed distance.
Real gapAlong(const Solid& a, const RigidTransform& X_WA, const Solid& b, const RigidTransform& X_WB,
              const Vector3d& direction);
/// The most of `gapAlong` that is found from directions all around and from this one: where it is above zero they are
/// apart.
Real searchedGap(const Solid& a, const RigidTransform& X_WA, const Solid& b, const RigidTransform& X_WB,
                 const Vector3d& start, int steps = 400);
/// Bounds of the distance, 0 where they overlap, from both sides: along a direction they are `lower` apart, and two
/// points of them are `upper` apart. From the difference's points that are nearest to the origin (Wolfe, 1976), which
/// are sought until both agree.
struct DistanceBounds {
  Real lower = 0, upper = 0;
};
DistanceBounds boundedDistance(const Solid& a, const RigidTransform& X_WA, const Solid& b, const RigidTransform& X_WB,
                               const Vector3d& start);
/// The least that is found, from this point on, of the larger of the two excesses: where it is not above zero they have
/// a point in common.
Real searchedExcess(const Solid& a, const RigidTransform& X_WA, const Solid& b, const RigidTransform& X_WB,
                    const Vector3d& start);
/// `excess` of a point of the world.
Real excessAt(const Solid& solid, const RigidTransform& X_W, const Vector3d& p_W);

}  // namespace mortise::bench
