/// Points of Sobol's sequence: how evenly they lie, and that seeds differ.

#include "mortise/path_tracing/sobol.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace mortise::path_tracing {
namespace {

TEST(Sobol, HasOnePointInEachElementaryBox) {
  for (const std::uint32_t seed : {0U, 1U, 77777U})
    for (int bits = 0; bits <= 8; ++bits) {
      const std::uint32_t count = 1U << bits;
      for (const std::uint32_t block : {0U, 1U, 5U})
        for (int across = 0; across <= bits; ++across) {
          std::vector<int> boxes(count);
          for (std::uint32_t i = 0; i < count; ++i) {
            const auto p = scrambledSobol(block * count + i, seed);
            ASSERT_TRUE(p[0] >= 0 && p[0] < 1 && p[1] >= 0 && p[1] < 1);
            const auto column = static_cast<std::uint32_t>(p[0] * (1 << across)),
                       row = static_cast<std::uint32_t>(p[1] * (1 << (bits - across)));
            ++boxes[(row << across) + column];
          }
          for (const int points : boxes)
            ASSERT_EQ(points, 1) << count << " points, seed " << seed << ", block " << block << ", " << across;
        }
    }
}

TEST(Sobol, PixelsAndDimensionsHaveSequencesOfTheirOwn) {
  std::set<std::pair<double, double>> seen;
  for (const std::uint32_t column : {0U, 1U, 2U})
    for (const std::uint32_t row : {0U, 1U, 2U}) {
      PixelSampler sampler(column, row, 0);
      for (int k = 0; k < 5; ++k) {
        const auto p = sampler.next();
        seen.emplace(p[0], p[1]);
      }
    }
  EXPECT_EQ(seen.size(), 45u);
  PixelSampler a(3, 4, 9), b(3, 4, 9);
  for (int k = 0; k < 5; ++k) EXPECT_EQ(a.next(), b.next());
}

TEST(Sobol, TheTentIsHighestInItsMiddle) {
  EXPECT_EQ(tentOffset(0), -1);
  EXPECT_EQ(tentOffset(0.5), 0);
  double mean = 0, square = 0;
  constexpr int kCount = 10000;
  for (int i = 0; i < kCount; ++i) {
    const double x = tentOffset((i + 0.5) / kCount);
    ASSERT_TRUE(x > -1 && x < 1);
    mean += x / kCount;
    square += x * x / kCount;
  }
  EXPECT_NEAR(mean, 0, 1e-9);
  EXPECT_NEAR(square, 1.0 / 6, 1e-4) << "the variance of a triangle over -1 to 1";
}

}  // namespace
}  // namespace mortise::path_tracing
