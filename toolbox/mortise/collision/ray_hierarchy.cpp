#include "mortise/collision/ray_hierarchy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/base/interruption.h"
#include "mortise/collision/bvh/bvh_traversal.h"
#include "mortise/collision/shape.h"

namespace mortise {
namespace {

// Below `kMaxUnevenDepth` levels every cut halves, so that no tree is deeper than `kMaxRayDepth`: 31 more levels for
// any number of elements that an int holds. The stack of a ray has room for that.
constexpr int kMaxUnevenDepth = 96, kMaxRayDepth = 128;

#define MORTISE_KERNELS "mortise/collision/bvh/ray_kernels.inc"
#include "mortise/collision/bvh/compile_kernels.inc"

float below(double x) {
  volatile float rounded = static_cast<float>(x);  // g++ 12 folds the conversions away where it vectorizes.
  const float value = rounded;
  return value <= x ? value : std::nextafter(value, -std::numeric_limits<float>::infinity());
}
float above(double x) { return -below(-x); }

}  // namespace

struct RayHierarchy::Item {
  AxisAlignedBounds bounds;
  Vector3d center;
};

struct RayHierarchy::Range {
  int begin = 0, end = 0;
  AxisAlignedBounds bounds;
  int count() const { return end - begin; }
};

namespace {

constexpr int kLeaf = 2;
constexpr int kBins = 16;

double halfArea(const AxisAlignedBounds& box) {
  const Vector3d d = (box.max - box.min).cwiseMax(0);
  return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
}

void include(AxisAlignedBounds& box, const AxisAlignedBounds& other) {
  box.min = box.min.cwiseMin(other.min);
  box.max = box.max.cwiseMax(other.max);
}

}  // namespace

RayHierarchy::RayHierarchy(const CollisionShape& shape) {
  const RigidTransform toOrigin = RigidTransform::translation(-shape.bvh().origin());
  std::vector<Item> items;
  Range full{0, shape.numElements(), {}};
  for (int place = 0; place < shape.numElements(); ++place) {
    const AxisAlignedBounds bounds = elementBounds(shape.element(place), toOrigin);
    items.push_back({bounds, (bounds.min + bounds.max) / 2});
    order_.push_back(place);
    include(full.bounds, bounds);
  }
  nodes_.emplace_back();
  fill(0, items, full, 0);
  if (!shape.trianglesOnly()) return;
  triangles_.reserve(9 * order_.size());
  for (const int place : order_) triangles_.insert(triangles_.end(), shape.triangle(place), shape.triangle(place) + 9);
}

int RayHierarchy::cut(const std::vector<Item>& items, const Range& range, bool halving) {
  if (halving) return range.begin + range.count() / 2;
  AxisAlignedBounds centers;
  for (int i = range.begin; i < range.end; ++i) centers.include(items[order_[i]].center);
  double best = std::numeric_limits<double>::infinity();
  int bestAxis = -1, bestBin = 0;
  const auto binOf = [&](int item, int axis) {
    const double fraction = (items[item].center[axis] - centers.min[axis]) / (centers.max[axis] - centers.min[axis]);
    return static_cast<int>(std::clamp(kBins * fraction, 0.0, kBins - 1.0));
  };
  for (int axis = 0; axis < 3; ++axis) {
    if (!(centers.max[axis] > centers.min[axis])) continue;
    struct Bin {
      AxisAlignedBounds bounds;
      int count = 0;
    } bins[kBins];
    for (int i = range.begin; i < range.end; ++i) {
      Bin& bin = bins[binOf(order_[i], axis)];
      include(bin.bounds, items[order_[i]].bounds);
      ++bin.count;
    }
    double right[kBins];
    Bin sum;
    for (int b = kBins - 1; b > 0; --b) {
      include(sum.bounds, bins[b].bounds);
      sum.count += bins[b].count;
      right[b] = halfArea(sum.bounds) * sum.count;
    }
    sum = {};
    for (int b = 0; b + 1 < kBins; ++b) {
      include(sum.bounds, bins[b].bounds);
      sum.count += bins[b].count;
      const double cost = halfArea(sum.bounds) * sum.count + right[b + 1];
      if (sum.count == 0 || sum.count == range.count() || !(cost < best)) continue;
      best = cost;
      bestAxis = axis;
      bestBin = b;
    }
  }
  const int middle = range.begin + range.count() / 2;
  if (bestAxis < 0) return middle;
  const auto place = std::stable_partition(order_.begin() + range.begin, order_.begin() + range.end,
                                           [&](int item) { return binOf(item, bestAxis) <= bestBin; });
  const int at = static_cast<int>(place - order_.begin());
  // Chains of very uneven cuts would make the tree deep.
  return std::min(at - range.begin, range.end - at) * 64 >= range.count() ? at : middle;
}

void RayHierarchy::fill(std::size_t node, const std::vector<Item>& items, const Range& full, int depth) {
  interruptionPoint();
  std::vector<Range> ranges = {full};
  while (ranges.size() < 8) {
    int largest = -1;
    for (int k = 0; k < static_cast<int>(ranges.size()); ++k)
      if (ranges[k].count() > kLeaf && (largest < 0 || halfArea(ranges[k].bounds) > halfArea(ranges[largest].bounds)))
        largest = k;
    if (largest < 0) break;
    const int at = cut(items, ranges[largest], depth >= kMaxUnevenDepth);
    Range halves[2] = {{ranges[largest].begin, at, {}}, {at, ranges[largest].end, {}}};
    for (Range& half : halves)
      for (int i = half.begin; i < half.end; ++i) include(half.bounds, items[order_[i]].bounds);
    ranges[largest] = halves[0];
    ranges.push_back(halves[1]);
  }
  for (int k = 0; k < 8; ++k) {
    const bool used = k < static_cast<int>(ranges.size()) && ranges[k].count() > 0;
    for (int i = 0; i < 3; ++i) {
      // Empty boxes are inside out, and no ray enters them.
      nodes_[node].bounds[i][k] = used ? below(ranges[k].bounds.min[i]) : std::numeric_limits<float>::infinity();
      nodes_[node].bounds[3 + i][k] = used ? above(ranges[k].bounds.max[i]) : -std::numeric_limits<float>::infinity();
    }
    // Boxes of numbers that overflow may be entered all the same: then there is a leaf of nothing.
    nodes_[node].child[k] = -1;
    nodes_[node].count[k] = 0;
    if (!used) continue;
    if (ranges[k].count() <= kLeaf) {
      nodes_[node].child[k] = -1 - ranges[k].begin;
      nodes_[node].count[k] = ranges[k].count();
    } else {
      nodes_[node].child[k] = static_cast<std::int32_t>(nodes_.size());
      nodes_.emplace_back();
    }
  }
  for (std::size_t k = 0; k < ranges.size(); ++k)
    if (nodes_[node].child[k] > 0) fill(static_cast<std::size_t>(nodes_[node].child[k]), items, ranges[k], depth + 1);
}

void visitAlongRay(const RayNode* nodes, const LocalRay& ray, double limit, RayVisitor visitor, void* context) {
#if defined(MORTISE_HAS_AVX2)
  if (bvhUsesAvx2()) return avx2::visitAlongRay(nodes, ray, limit, visitor, context);
#endif
  baseline::visitAlongRay(nodes, ray, limit, visitor, context);
}

}  // namespace mortise
