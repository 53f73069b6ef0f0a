#include "mortise/model/pair_table.h"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "mortise/base/random.h"

namespace mortise {
namespace {

std::vector<std::pair<int, int>> pairsOf(const PairTable& table) {
  std::vector<std::pair<int, int>> pairs;
  table.forEachPair([&](int a, int b) { pairs.emplace_back(a, b); });
  return pairs;
}

std::size_t wordsOf(const PairTable& table) {
  std::size_t words = 0;
  for (int id = 0; id < table.size(); ++id)
    words += static_cast<std::size_t>(table.row(id).endWord() - table.row(id).firstWord());
  return words;
}

TEST(PairTable, IsSymmetric) {
  PairTable table(130);
  table.set(3, 129, true);
  EXPECT_TRUE(table(3, 129));
  EXPECT_TRUE(table(129, 3));
  EXPECT_FALSE(table(3, 128));
  table.set(129, 3, false);
  EXPECT_FALSE(table(3, 129));
}

TEST(PairTable, IsWhatAMatrixWouldBe) {
  RandomStream random(7, "pairs");
  for (const int n : {1, 2, 63, 64, 65, 200}) {
    PairTable table(n);
    std::vector<char> matrix(static_cast<std::size_t>(n * n), 0);
    for (int change = 0; change < 20 * n; ++change) {
      const auto id = [&] { return static_cast<int>(random.below(static_cast<std::uint64_t>(n))); };
      const int a = id(), b = id();
      const bool on = random.below(3) > 0;
      table.set(a, b, on);
      matrix[static_cast<std::size_t>(a * n + b)] = matrix[static_cast<std::size_t>(b * n + a)] = on;
    }
    std::vector<std::pair<int, int>> expected;
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        ASSERT_EQ(table(a, b), matrix[static_cast<std::size_t>(a * n + b)] != 0) << n << ": " << a << " " << b;
        ASSERT_EQ(table.row(a).word(b >> 6) >> (b & 63) & 1, table(a, b) ? 1u : 0u);
        if (a < b && table(a, b)) expected.emplace_back(a, b);
      }
    EXPECT_EQ(pairsOf(table), expected) << n;
  }
}

TEST(PairTable, WalksUntilItIsTold) {
  PairTable table(200);
  table.set(1, 2, true);
  table.set(70, 199, true);
  int seen = 0;
  EXPECT_FALSE(table.everyPair([&](int, int) { return ++seen < 1; }));
  EXPECT_EQ(seen, 1);
  EXPECT_TRUE(table.everyPair([&](int, int) { return ++seen > 0; }));
  EXPECT_EQ(seen, 3);
}

TEST(PairTable, TakesLittleForTerrainsThatNeverMeet) {
  constexpr int kTerrains = 50'000, kMoving = 20;
  PairTable table(kTerrains + kMoving);
  for (int moving = kTerrains; moving < kTerrains + kMoving; ++moving)
    for (int id = 0; id < moving; ++id) table.set(id, moving, true);
  EXPECT_LE(wordsOf(table), 2u * kTerrains + kMoving * static_cast<std::size_t>(table.wordsPerRow()));
  // What is off takes nothing, and switching it off once more neither.
  PairTable off(kTerrains);
  for (int id = 1; id < kTerrains; ++id) off.set(0, id, false);
  EXPECT_EQ(wordsOf(off), 0u);
}

}  // namespace
}  // namespace mortise
