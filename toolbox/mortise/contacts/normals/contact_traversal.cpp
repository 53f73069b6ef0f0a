#include "mortise/contacts/normals/contact_traversal.h"

namespace mortise {
namespace {

#define MORTISE_KERNELS "mortise/contacts/normals/contact_traversal.inc"
#include "mortise/collision/bvh/compile_kernels.inc"

}  // namespace

bool visitFacing(const BvhPair& pair, const NormalNodes& normalsA, const NormalNodes& normalsB, double tolerance,
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
