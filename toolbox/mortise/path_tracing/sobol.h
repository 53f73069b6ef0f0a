#pragma once

#include <array>
#include <cstdint>

namespace mortise::path_tracing {

/// Points of Sobol's sequence in two dimensions, scrambled as Owen does it by hashes (Burley, Practical Hash-based Owen
/// Scrambling, 2020). Every block of 2^m points whose first index is a multiple of 2^m has exactly one point in each of
/// the 2^m boxes of any of the ways to divide the unit square into equal boxes of powers of two.
std::array<double, 2> scrambledSobol(std::uint32_t index, std::uint32_t seed);

/// The random numbers of one sample of a pixel: a pair for each thing that is drawn, of sequences of their own.
class PixelSampler {
 public:
  PixelSampler(std::uint32_t column, std::uint32_t row, std::uint32_t index, std::uint32_t seed = 0);
  /// From 0 to below 1.
  std::array<double, 2> next();

 private:
  std::uint32_t pixel_, index_, dimension_ = 0;
};

/// From 0 to 1 to a place under a triangle over -1 to 1, highest in its middle.
double tentOffset(double u);

}  // namespace mortise::path_tracing
