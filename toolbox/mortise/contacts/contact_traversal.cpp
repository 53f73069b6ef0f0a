#include "mortise/contacts/contact_traversal.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"            // Vectors never cross a function that is not inlined.
#pragma GCC diagnostic ignored "-Wunused-function"  // The kernels come with walks of their own.
#elif defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#endif

namespace mortise {
namespace {

namespace baseline {
#include "mortise/collision/bvh/bvh_kernels.inc"
#include "mortise/contacts/contact_traversal.inc"
}  // namespace baseline

#if defined(__x86_64__)
#define MORTISE_HAS_AVX2
#define MORTISE_KERNELS_AVX2
#include "mortise/collision/bvh/avx2_begin.inc"
namespace avx2 {
#include "mortise/collision/bvh/bvh_kernels.inc"
#include "mortise/contacts/contact_traversal.inc"
}  // namespace avx2
#include "mortise/collision/bvh/avx2_end.inc"
#undef MORTISE_KERNELS_AVX2
#endif

}  // namespace

bool visitFacing(const BvhPair& pair, const NormalNode* normalsA, const NormalNode* normalsB, double tolerance,
                 double turn, double sideways, BvhStack& stack, OverlapVisitor visitor, void* context) {
  if (pair.gap > tolerance) return false;
  const auto reach = static_cast<float>(tolerance * (1 + 1e-6)), angle = static_cast<float>(turn * (1 + 1e-6));
  const auto aside = static_cast<float>(sideways * (1 + 1e-6)) + pair.slack;
#if defined(MORTISE_HAS_AVX2)
  if (bvhUsesAvx2()) return avx2::visitFacing(pair, normalsA, normalsB, reach, angle, aside, stack, visitor, context);
#endif
  return baseline::visitFacing(pair, normalsA, normalsB, reach, angle, aside, stack, visitor, context);
}

}  // namespace mortise
