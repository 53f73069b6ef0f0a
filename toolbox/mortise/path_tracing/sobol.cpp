#include "mortise/path_tracing/sobol.h"

#include <cmath>

#include "mortise/hash/hash.h"

namespace mortise::path_tracing {

namespace {

std::uint32_t reversedBits(std::uint32_t x) {
  x = (x >> 16) | (x << 16);
  x = (x & 0x00ff00ffU) << 8 | (x & 0xff00ff00U) >> 8;
  x = (x & 0x0f0f0f0fU) << 4 | (x & 0xf0f0f0f0U) >> 4;
  x = (x & 0x33333333U) << 2 | (x & 0xccccccccU) >> 2;
  return (x & 0x55555555U) << 1 | (x & 0xaaaaaaaaU) >> 1;
}

/// Flips each bit by a hash of those above it (Laine and Karras).
std::uint32_t owenScrambled(std::uint32_t x, std::uint32_t seed) {
  x = reversedBits(x);
  x += seed;
  x ^= x * 0x6c50b47cU;
  x ^= x * 0xb82f1e52U;
  x ^= x * 0xc7afe638U;
  x ^= x * 0x8d22f6e6U;
  return reversedBits(x);
}

std::uint32_t mixed(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>(splitMixBits(static_cast<std::uint64_t>(a) << 32 | b) >> 32);
}

/// The second dimension of Sobol's sequence; the first one is the index with its bits reversed.
std::uint32_t secondSobol(std::uint32_t index) {
  std::uint32_t result = 0;
  for (std::uint32_t column = 1U << 31; index != 0; index >>= 1, column ^= column >> 1)
    if (index & 1) result ^= column;
  return result;
}

constexpr double kUnit = 1.0 / 4294967296.0;

}  // namespace

std::array<double, 2> scrambledSobol(std::uint32_t index, std::uint32_t seed) {
  index = owenScrambled(index, seed);
  return {kUnit * owenScrambled(reversedBits(index), mixed(seed, 1)),
          kUnit * owenScrambled(secondSobol(index), mixed(seed, 2))};
}

PixelSampler::PixelSampler(std::uint32_t column, std::uint32_t row, std::uint32_t index, std::uint32_t seed)
    : pixel_(mixed(mixed(column, row), seed)), index_(index) {}

std::array<double, 2> PixelSampler::next() { return scrambledSobol(index_, mixed(pixel_, dimension_++)); }

double tentOffset(double u) { return u < 0.5 ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u); }

}  // namespace mortise::path_tracing
