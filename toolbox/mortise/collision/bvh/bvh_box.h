#pragma once

/// Boxes in double precision while a hierarchy is built, and how a node holds them. Only for building a `Bvh`.

#include <limits>

#include "mortise/collision/bvh/bvh.h"

namespace mortise {

struct BvhBox {
  Matrix3d axes = Matrix3d::Identity();
  Vector3d min = Vector3d::Constant(std::numeric_limits<double>::infinity());
  Vector3d max = -min;  ///< Along the axes, relative to the hierarchy's origin.
  double halfArea() const {
    const Vector3d d = (max - min).cwiseMax(0);
    return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
  }
};

/// Puts a box into lane k of a node, rounded outward.
void storeBox(BvhNode& node, int k, const BvhBox& box);

}  // namespace mortise
