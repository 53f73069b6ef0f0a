#pragma once

#include <cstdint>
#include <vector>

#include "mortise/collision/bvh/bvh.h"

namespace mortise {

class CollisionShape;

/// Axis-aligned boxes, eight to a node.
struct alignas(64) RayNode {
  /// Lower ends along x, y, z and then upper ends; relative to the hierarchy's origin, rounded outward.
  float bounds[6][8];
  std::int32_t child[8], count[8];  ///< Children as in `BvhNode`; where there is no box, a leaf of no items.
};

/// A hierarchy of its own for rays, which pass oriented boxes more slowly than aligned ones: divided by the surface
/// heuristic over the elements' bounds.
class RayHierarchy {
 public:
  explicit RayHierarchy(const CollisionShape& shape);
  const RayNode* nodes() const { return nodes_.data(); }
  /// The shape's place of what stands at an index of the leaves.
  int place(int index) const { return order_[static_cast<std::size_t>(index)]; }
  /// Nine numbers; only of shapes that are triangles only.
  const double* triangle(int index) const { return triangles_.data() + 9 * static_cast<std::size_t>(index); }

 private:
  struct Item;
  struct Range;
  /// Returns where a range is cut in two; `halving`: in the middle.
  int cut(const std::vector<Item>& items, const Range& range, bool halving);
  void fill(std::size_t node, const std::vector<Item>& items, const Range& full, int depth);

  std::vector<RayNode> nodes_;
  std::vector<int> order_;
  std::vector<double> triangles_;
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
