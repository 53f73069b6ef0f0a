#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "mortise/dynamics/sweeps.h"

#define MORTISE_SWEEPS portable
#define MORTISE_SWEEPS_TABLE kPortableSweeps
#include "mortise/dynamics/pack_portable.h"
#include "mortise/dynamics/pack_vectors.h"
#include "mortise/dynamics/sweeps_body.h"

namespace mortise::detail {

const Sweeps& sweeps() {
#if defined(__x86_64__)
  static const bool avx2 = __builtin_cpu_supports("avx2");
  if (avx2) return kAvx2Sweeps;
#endif
  return kPortableSweeps;
}

}  // namespace mortise::detail
