#include "mortise/collision/bvh/bvh_traversal.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace mortise {
namespace {

#define MORTISE_KERNELS "mortise/collision/bvh/bvh_kernels.inc"
#include "mortise/collision/bvh/compile_kernels.inc"

std::atomic<bool> forceBaseline = false;

}  // namespace

BvhPair::BvhPair(const Bvh& bvhA, const Bvh& bvhB, const Matrix3d& R, const Vector3d& t)
    : a(bvhA.nodes()), b(bvhB.nodes()) {
  const Vector3d &p = bvhA.origin(), &q = bvhB.origin();
  double between[3], squared = 0;
  for (int i = 0; i < 3; ++i) {
    between[i] = R(i, 0) * q[0] + R(i, 1) * q[1] + R(i, 2) * q[2] + t[i] - p[i];
    squared += between[i] * between[i];
  }
  // Rotations of files are orthonormal to about 1e-6 only, and are used as they are.
  double unsquare = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) {
      const double product = R(0, i) * R(0, j) + R(1, i) * R(1, j) + R(2, i) * R(2, j) - (i == j ? 1 : 0);
      unsquare += (i == j ? 1 : 2) * std::fabs(product);
    }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      R_AB[3 * i + j] = static_cast<float>(R(i, j));
      R_BA[3 * i + j] = static_cast<float>(R(j, i));
    }
    t_AB[i] = static_cast<float>(between[i]);
    t_BA[i] = static_cast<float>(-(R(0, i) * between[0] + R(1, i) * between[1] + R(2, i) * between[2]));
  }
  const double distance = std::sqrt(squared), radii = bvhA.radius() + bvhB.radius();
  squareness = static_cast<float>(2e-6 + 2 * unsquare);
  slack = static_cast<float>((1e-6 + unsquare) * 2 * (std::min(distance, 2 * radii) + radii));
  gap = distance - bvhA.radius() - bvhB.radius() * (1 + unsquare);
  gap -= 1e-12 * (distance + radii);
}

bool visitOverlapping(const BvhPair& pair, double tolerance, BvhStack& stack, OverlapVisitor visitor, void* context) {
  if (pair.gap > tolerance) return false;
  const float rounded = static_cast<float>(tolerance * (1 + 1e-6));
#if defined(MORTISE_HAS_AVX2)
  if (bvhUsesAvx2()) return avx2::visitOverlapping(pair, rounded, stack, visitor, context);
#endif
  return baseline::visitOverlapping(pair, rounded, stack, visitor, context);
}

void visitNear(const BvhPair& pair, double limit, BvhStack& stack, NearVisitor visitor, void* context) {
  if (pair.gap > limit) return;
#if defined(MORTISE_HAS_AVX2)
  if (bvhUsesAvx2()) return avx2::visitNear(pair, limit, stack, visitor, context);
#endif
  return baseline::visitNear(pair, limit, stack, visitor, context);
}

bool bvhUsesAvx2() {
#if defined(MORTISE_HAS_AVX2)
  static const bool available = __builtin_cpu_supports("avx2");
  return available && !forceBaseline.load(std::memory_order_relaxed);
#else
  return false;
#endif
}
const char* bvhInstructionSet() { return bvhUsesAvx2() ? "avx2" : "baseline"; }
void forceBaselineInstructions(bool force) { forceBaseline.store(force, std::memory_order_relaxed); }

}  // namespace mortise
