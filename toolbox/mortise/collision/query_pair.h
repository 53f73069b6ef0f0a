#pragma once

/// What the queries over two shapes share. Private to this folder.

#include <cstddef>

#include "mortise/collision/query.h"

namespace mortise::detail {

/// Two shapes and where the second stands in the frame of the first.
struct ShapePair {
  /// Throws `Error` for a pose that is not finite.
  ShapePair(const CollisionShape& first, const RigidTransform& X_WA, const CollisionShape& second,
            const RigidTransform& X_WB);

  BvhPair boxes() const { return {a.bvh(), b.bvh(), X_AB.R, X_AB.p}; }
  bool triangles() const { return a.trianglesOnly() && b.trianglesOnly(); }
  /// Of two shapes of triangles.
  double sweeps() const { return a.sweep() + b.sweep(); }
  void triangleOfB(int place, double* result) const { transformTriangle(X_AB, b.triangle(place), result); }

  const CollisionShape& a;
  const CollisionShape& b;
  RigidTransform X_AB;
};

/// Whether a piece of one shape lies inside what the surfaces of the other enclose (`CollisionShape::solid`), given
/// that the surfaces do not meet; `inner` is the element of the piece, `outer` the nearest the outer can name.
bool encloses(const ShapePair& pair, FeaturePair& found);

}  // namespace mortise::detail
