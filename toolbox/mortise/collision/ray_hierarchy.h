#pragma once

#include <cstdint>
#include <vector>

#include "mortise/collision/bvh.h"

namespace mortise {

class CollisionShape;

/// Axis-aligned boxes for the boxes of a hierarchy, eight to a node, with the same children and leaves.
struct alignas(64) RayNode {
  /// Lower ends along x, y, z and then upper ends; relative to the hierarchy's origin, rounded outward.
  float bounds[6][8];
  std::int32_t child[8], count[8];  ///< As in `BvhNode`.
};

class RayHierarchy {
 public:
  explicit RayHierarchy(const CollisionShape& shape);
  const RayNode* nodes() const { return nodes_.data(); }

 private:
  std::vector<RayNode> nodes_;
};

/// A ray in the shape's frame, its origin relative to the hierarchy's.
struct LocalRay {
  double origin[3], direction[3];
};
struct RayStackEntry {
  std::int32_t box;
  float t;
};

/// Visits leaves that the ray may meet before `limit`, near ones first, until none is left. The visitor gets a leaf's
/// items and returns the new limit.
using RayVisitor = double (*)(void* context, int first, int count);
void visitAlongRay(const RayNode* nodes, const LocalRay& ray, double limit, RayVisitor visitor, void* context);

}  // namespace mortise
