#pragma once

/// The bounding volume hierarchy of a shape: boxes with axes of their own, eight to a node, in single precision, laid
/// out so that one box is tested against eight at once. Boxes are rounded outward: none is ever smaller than what it
/// holds.

#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "mortise/math/transform.h"

namespace mortise {

struct HeightmapShape;

/// Item of a hierarchy: the hull of some points, swept by a radius.
struct BvhItem {
  int firstPoint = 0, numPoints = 0;
  double radius = 0;
};

/// A reference to a box: eight times its node plus its place in the node.
using BoxIndex = std::int32_t;

/// Eight boxes. Lane k of every array belongs to box k.
struct alignas(64) BvhNode {
  float axes[9][8];       ///< axes[3 i + j]: component i of unit axis j, in the shape's frame.
  float center[3][8];     ///< Relative to the hierarchy's origin.
  float half[3][8];       ///< Half sizes along the axes.
  float size[8];          ///< Half diagonal.
  std::int32_t child[8];  ///< Its node; or -1 - first item for a leaf.
  std::int32_t count[8];  ///< Items of a leaf; 0 for an inner box.
  std::int32_t used;      ///< Boxes in the node: the first ones; the others are empty.

  bool leaf(int k) const { return child[k] < 0; }
  int firstItem(int k) const { return -1 - child[k]; }
};

class Bvh {
 public:
  /// Items in `order` stand leaf by leaf. Points are relative to nothing: the origin is chosen here, in the middle.
  /// Node 0 holds one box, around everything. Nothing at all when there are no items.
  void build(std::span<const Vector3d> points, std::span<const BvhItem> items, int leafSize);

  /// The same over the triangles of a heightmap of at least two by two points, in linear time: boxes along the grid's
  /// axes, up to four cells to a leaf. Items are numbered as the triangles of `HeightmapShape::surface` are.
  void buildGrid(const HeightmapShape& map, double sweep);

  bool empty() const { return nodes_.empty(); }
  const BvhNode* nodes() const { return nodes_.data(); }
  int numNodes() const { return static_cast<int>(nodes_.size()); }
  /// Item at each place of the leaves.
  const std::vector<int>& order() const { return order_; }
  const Vector3d& origin() const { return origin_; }
  /// No point of any item is farther from the origin.
  double radius() const { return radius_; }

 private:
  std::vector<BvhNode> nodes_;
  std::vector<int> order_;
  Vector3d origin_ = Vector3d::Zero();
  double radius_ = 0;
};

}  // namespace mortise
