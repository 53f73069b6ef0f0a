#pragma once

/// Random convex elements, and what is needed to judge answers about them without the code under test: their support
/// functions, written down once more.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <vector>

#include "mortise/base/random.h"
#include "mortise/geometry/convex/convex_element.h"
#include "mortise/math/rotation.h"

namespace mortise::test {

inline const char* coreName(CoreKind kind) {
  constexpr const char* names[] = {"point", "segment", "triangle", "box", "cylinder", "ellipsoid", "hull"};
  return names[static_cast<int>(kind)];
}
constexpr int kNumCores = 7;

class ElementSource {
 public:
  explicit ElementSource(std::uint64_t seed) : random(seed) {
    for (int i = 0; i < 20; ++i) {
      std::vector<Vector3d> points;
      const int count = 5 + static_cast<int>(random.below(60));
      for (int k = 0; k < count; ++k)
        points.push_back(i % 3 ? Vector3d(unit().cwiseProduct(Vector3d(1, 0.7, 0.5))) : vector(0.8));
      // Every fifth is flat.
      if (i % 5 == 4)
        for (Vector3d& p : points) p.z() = 0.2;
      hulls.push_back(ConvexPolyhedron::of(points));
    }
  }

  Vector3d vector(double reach) {
    return {random.uniform(-reach, reach), random.uniform(-reach, reach), random.uniform(-reach, reach)};
  }
  Vector3d unit() {
    for (;;) {
      const Vector3d v = vector(1);
      const double length = v.norm();
      if (length > 0.1 && length <= 1) return v / length;
    }
  }
  RigidTransform pose(double reach) { return {rotationAboutAxis(unit(), random.uniform(-3.1, 3.1)), vector(reach)}; }
  Vector3d sizes() { return {random.uniform(0.05, 1), random.uniform(0.05, 1), random.uniform(0.05, 1)}; }

  ConvexElement element(CoreKind kind, double radius) {
    switch (kind) {
      case CoreKind::point:
        return ConvexElement::point(vector(0.3), radius);
      case CoreKind::segment:
        return ConvexElement::segment(vector(1), vector(1), radius);
      case CoreKind::triangle:
        return ConvexElement::triangle(vector(1), vector(1), vector(1), radius);
      case CoreKind::box:
        return ConvexElement::box(pose(0.3), sizes(), radius);
      case CoreKind::cylinder:
        return ConvexElement::cylinder(pose(0.3), random.uniform(0.05, 1), random.uniform(0.05, 1), radius);
      case CoreKind::ellipsoid:
        return ConvexElement::ellipsoid(pose(0.3), sizes(), radius);
      case CoreKind::hull:
        break;
    }
    return ConvexElement::hull(&hulls[random.below(hulls.size())], radius);
  }

  RandomStream random;
  std::vector<ConvexPolyhedron> hulls;
};

/// Support function: the most that n . x is on the element.
inline double support(const ConvexElement& e, const Vector3d& n) {
  const double sweep = e.radius * n.norm();
  const Vector3d local = e.X.R.transpose() * n;
  switch (e.kind) {
    case CoreKind::point:
      return n.dot(e.a) + sweep;
    case CoreKind::segment:
      return std::max(n.dot(e.a), n.dot(e.b)) + sweep;
    case CoreKind::triangle:
      return std::max({n.dot(e.a), n.dot(e.b), n.dot(e.c)}) + sweep;
    case CoreKind::box:
      return n.dot(e.X.p) + local.cwiseAbs().dot(e.half) + sweep;
    case CoreKind::cylinder:
      return n.dot(e.X.p) + e.half[0] * std::hypot(local[0], local[1]) + e.half[2] * std::abs(local[2]) + sweep;
    case CoreKind::ellipsoid:
      return n.dot(e.X.p) + local.cwiseProduct(e.half).norm() + sweep;
    case CoreKind::hull:
      break;
  }
  double maximum = -1e300;
  for (const Vector3d& v : e.polyhedron->vertices) maximum = std::max(maximum, n.dot(v));
  return maximum + sweep;
}

/// How far the second lies beyond the first along n: a bound from below of their distance, whatever n of unit length.
inline double gapAlong(const ConvexElement& a, const ConvexElement& b, const RigidTransform& X_AB, const Vector3d& n) {
  return n.dot(X_AB.p) - support(b, -(X_AB.R.transpose() * n)) - support(a, n);
}

}  // namespace mortise::test
