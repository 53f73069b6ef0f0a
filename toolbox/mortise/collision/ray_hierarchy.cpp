#include "mortise/collision/ray_hierarchy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/collision/bvh_traversal.h"
#include "mortise/collision/shape.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // Vectors never cross a function that is not inlined.
#endif

namespace mortise {
namespace {

// A cut leaves no more than 63/64 of a range above 64 items, and seven cuts make a level.
constexpr int kMaxRayDepth = 256;

namespace baseline {
#include "mortise/collision/ray_kernels.inc"
}  // namespace baseline

#if defined(__x86_64__)
#define MORTISE_KERNELS_AVX2
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
namespace avx2 {
#include "mortise/collision/ray_kernels.inc"
}  // namespace avx2
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

float below(double x) {
  volatile float rounded = static_cast<float>(x);  // g++ 12 folds the conversions away where it vectorises.
  const float value = rounded;
  return value <= x ? value : std::nextafter(value, -std::numeric_limits<float>::infinity());
}
float above(double x) { return -below(-x); }

}  // namespace

RayHierarchy::RayHierarchy(const CollisionShape& shape) {
  const Bvh& bvh = shape.bvh();
  nodes_.resize(static_cast<std::size_t>(bvh.numNodes()));
  std::vector<AxisAlignedBounds> whole(nodes_.size());
  const RigidTransform toOrigin = RigidTransform::translation(-bvh.origin());
  // Children stand after their parents.
  for (int n = bvh.numNodes() - 1; n >= 0; --n) {
    const BvhNode& node = bvh.nodes()[n];
    for (int k = 0; k < 8; ++k) {
      AxisAlignedBounds box;
      if (k < node.used && node.leaf(k)) {
        for (int i = 0; i < node.count[k]; ++i) {
          const AxisAlignedBounds item = elementBounds(shape.element(node.firstItem(k) + i), toOrigin);
          box.include(item.min);
          box.include(item.max);
        }
      } else if (k < node.used) {
        box = whole[node.child[k]];
      }
      nodes_[n].child[k] = node.child[k];
      nodes_[n].count[k] = node.count[k];
      for (int i = 0; i < 3; ++i) {
        // Empty boxes are inside out, and no ray enters them.
        nodes_[n].bounds[i][k] = k < node.used ? below(box.min[i]) : std::numeric_limits<float>::infinity();
        nodes_[n].bounds[3 + i][k] = k < node.used ? above(box.max[i]) : -std::numeric_limits<float>::infinity();
      }
      if (k >= node.used) continue;
      whole[n].include(box.min);
      whole[n].include(box.max);
    }
  }
}

void visitAlongRay(const RayNode* nodes, const LocalRay& ray, double limit, RayVisitor visitor, void* context) {
#if defined(MORTISE_KERNELS_AVX2)
  if (bvhUsesAvx2()) return avx2::visitAlongRay(nodes, ray, limit, visitor, context);
#endif
  baseline::visitAlongRay(nodes, ray, limit, visitor, context);
}

}  // namespace mortise
