#pragma once

/// Walks two hierarchies together, or one with a ray, and hands the leaves that may matter to a visitor. The inner
/// loops are compiled for the processor's baseline and for AVX2 and chosen when the program starts; both do the same
/// operations in the same order (no fused multiply-add), so that they give the same bits.

#include <cstdint>
#include <vector>

#include "mortise/collision/bvh/bvh.h"

namespace mortise {

/// Relative pose of two hierarchies, in single precision, with what that may be off by.
struct BvhPair {
  BvhPair(const Bvh& a, const Bvh& b, const Matrix3d& R_AB, const Vector3d& t_AB);

  const BvhNode* a;
  const BvhNode* b;
  float R_AB[9], t_AB[3];  ///< From the frame of b's boxes into that of a's; rows.
  float R_BA[9], t_BA[3];
  float slack;       ///< Meters that any coordinate may be off by.
  float squareness;  ///< Error that |R| may have.
  double gap;        ///< Between the bounding spheres; negative when they overlap. Never too large.
};

struct BvhStackEntry {
  std::int32_t a, b;
  float bound;
};
using BvhStack = std::vector<BvhStackEntry>;

/// Gets items [firstA, firstA + countA) against [firstB, firstB + countB), as they stand in the leaves; true ends it.
using OverlapVisitor = bool (*)(void* context, int firstA, int countA, int firstB, int countB);
/// Visits every pair of leaves whose boxes come within `tolerance` meters of each other (some farther ones too).
/// Returns whether the visitor ended it.
bool visitOverlapping(const BvhPair& pair, double tolerance, BvhStack& stack, OverlapVisitor visitor, void* context);

/// Visitor of pairs in reach; returns the distance beyond which pairs no longer matter.
using NearVisitor = double (*)(void* context, int firstA, int countA, int firstB, int countB);
/// Visits pairs of leaves, near ones first, that may be nearer than what the visitor returned last (at first: `limit`).
void visitNear(const BvhPair& pair, double limit, BvhStack& stack, NearVisitor visitor, void* context);

bool bvhUsesAvx2();
/// "avx2" or "baseline": what the inner loops run on.
const char* bvhInstructionSet();
/// For tests: takes the baseline even where the processor can do more. Not for use while queries run.
void forceBaselineInstructions(bool force);

}  // namespace mortise
