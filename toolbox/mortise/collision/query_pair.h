#pragma once

/// Common parts of the queries over two shapes. Private to this folder.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "mortise/collision/query.h"

namespace mortise::detail {

/// Stretches no length by more than a thousandth.
inline bool nearlyOrthonormal(const Matrix3d& R) {
  const double* c = R.data();
  const double xx = c[0] * c[0] + c[1] * c[1] + c[2] * c[2] - 1, yy = c[3] * c[3] + c[4] * c[4] + c[5] * c[5] - 1;
  const double zz = c[6] * c[6] + c[7] * c[7] + c[8] * c[8] - 1, xy = c[0] * c[3] + c[1] * c[4] + c[2] * c[5];
  const double yz = c[3] * c[6] + c[4] * c[7] + c[5] * c[8], zx = c[6] * c[0] + c[7] * c[1] + c[8] * c[2];
  return xx * xx + yy * yy + zz * zz + 2 * (xy * xy + yz * yz + zx * zx) < 1e-6;
}

/// Says whether the spheres around two shapes are more than `reach` meters apart; false for poses that are not finite.
inline bool farApart(const CollisionShape& a, const RigidTransform& X_WA, const CollisionShape& b,
                     const RigidTransform& X_WB, double reach) {
  const Vector3d &p = a.center(), &q = b.center();
  double squared = 0, size = 0;
  for (int i = 0; i < 3; ++i) {
    const double x = X_WA.R(i, 0) * p[0] + X_WA.R(i, 1) * p[1] + X_WA.R(i, 2) * p[2] + X_WA.p[i];
    const double y = X_WB.R(i, 0) * q[0] + X_WB.R(i, 1) * q[1] + X_WB.R(i, 2) * q[2] + X_WB.p[i];
    squared += (x - y) * (x - y);
    size += std::fabs(x) + std::fabs(y);
  }
  // Rotations of files stretch by 1e-6 or so; what stretches by more is left to the closer look.
  const double radii = (a.radius() + b.radius()) * 1.001 + reach + 1e-9 * size;
  return squared > radii * radii && nearlyOrthonormal(X_WA.R) && nearlyOrthonormal(X_WB.R);
}

/// Returns how far apart two triangles are along an axis, from the first to the second.
inline double gapAlong(const double* axis, const double* a, const double* b) {
  const auto along = [&](const double* p) { return axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2]; };
  return std::min({along(b), along(b + 3), along(b + 6)}) - std::max({along(a), along(a + 3), along(a + 6)});
}

/// Two shapes and where the second stands in the frame of the first.
struct ShapePair {
  /// Throws `Error` for a pose that is not finite.
  ShapePair(const CollisionShape& first, const RigidTransform& X_WA, const CollisionShape& second,
            const RigidTransform& X_WB);

  BvhPair boxes() const { return {a.bvh(), b.bvh(), X_AB.R, X_AB.p}; }
  bool triangles() const { return a.trianglesOnly() && b.trianglesOnly(); }
  /// Returns the sum of the sweeps of two shapes of triangles.
  double sweeps() const { return a.sweep() + b.sweep(); }
  void triangleOfB(int place, double* result) const { transformTriangle(X_AB, b.triangle(place), result); }

  const CollisionShape& a;
  const CollisionShape& b;
  RigidTransform X_AB;
};

/// Says whether two shapes of triangles have a point in common, their sweeps left out, and where.
bool coresMeet(const ShapePair& pair, QueryWorkspace& workspace, QueryHint& where);

/// Says whether a piece of one shape lies inside what the surfaces of the other enclose (`CollisionShape::solid`),
/// given that the surfaces do not meet; `inner` is the element of the piece, `outer` the nearest the outer can name.
bool encloses(const ShapePair& pair, FeaturePair& found);

}  // namespace mortise::detail
