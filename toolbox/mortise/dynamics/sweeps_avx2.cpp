#include "mortise/dynamics/sweeps.h"

#if defined(__x86_64__)

// Headers of others come first: nothing of theirs may be compiled for AVX2, or the linker could choose it for everyone.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define MORTISE_SWEEPS avx2
#define MORTISE_SWEEPS_TABLE kAvx2Sweeps
#include "mortise/dynamics/pack_avx2.h"
#include "mortise/dynamics/pack_vectors.h"
#include "mortise/dynamics/sweeps_body.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
