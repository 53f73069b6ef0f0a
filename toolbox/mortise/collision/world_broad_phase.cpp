/// The broad phase: which pairs of bodies could touch, by their boxes in the world, four at a time.

#include <algorithm>
#include <bit>
#include <vector>

#include "mortise/base/expect.h"
#include "mortise/collision/outward_rounding.h"
#include "mortise/collision/world_collider.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace mortise {

namespace {

struct BodyBox {
  float low[3], high[3];
};

/// One bit for each of the four boxes that overlap.
unsigned overlapsOfFour(const BodyBox& box, const std::vector<float> (&low)[3], const std::vector<float> (&high)[3],
                        std::size_t first) {
#ifdef __SSE2__
  __m128 apart = _mm_setzero_ps();
  for (int k = 0; k < 3; ++k) {
    apart = _mm_or_ps(apart, _mm_cmplt_ps(_mm_loadu_ps(&high[k][first]), _mm_set1_ps(box.low[k])));
    apart = _mm_or_ps(apart, _mm_cmplt_ps(_mm_set1_ps(box.high[k]), _mm_loadu_ps(&low[k][first])));
  }
  return ~static_cast<unsigned>(_mm_movemask_ps(apart)) & 15u;
#else
  unsigned bits = 0;
  for (unsigned i = 0; i < 4; ++i) {
    bool apart = false;
    for (int k = 0; k < 3; ++k) apart |= high[k][first + i] < box.low[k] || box.high[k] < low[k][first + i];
    bits |= static_cast<unsigned>(!apart) << i;
  }
  return bits;
#endif
}

/// The same of boxes that are larger by `reach`.
unsigned overlapsOfFour(const BodyBox& box, const std::vector<float> (&low)[3], const std::vector<float> (&high)[3],
                        const std::vector<float>& reach, std::size_t first) {
#ifdef __SSE2__
  const __m128 r = _mm_loadu_ps(&reach[first]);
  __m128 apart = _mm_setzero_ps();
  for (int k = 0; k < 3; ++k) {
    apart = _mm_or_ps(apart, _mm_cmplt_ps(_mm_add_ps(_mm_loadu_ps(&high[k][first]), r), _mm_set1_ps(box.low[k])));
    apart = _mm_or_ps(apart, _mm_cmplt_ps(_mm_set1_ps(box.high[k]), _mm_sub_ps(_mm_loadu_ps(&low[k][first]), r)));
  }
  return ~static_cast<unsigned>(_mm_movemask_ps(apart)) & 15u;
#else
  unsigned bits = 0;
  for (unsigned i = 0; i < 4; ++i) {
    bool apart = false;
    for (int k = 0; k < 3; ++k)
      apart |= high[k][first + i] + reach[first + i] < box.low[k] || box.high[k] < low[k][first + i] - reach[first + i];
    bits |= static_cast<unsigned>(!apart) << i;
  }
  return bits;
#endif
}

bool inMask(const std::vector<std::uint64_t>& mask, int i) { return (mask[i >> 6] >> (i & 63)) & 1; }

}  // namespace

void WorldCollisionState::broadPhase(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b,
                                     RobotPairs robotPairs) {
  candidates_.clear();
  const PairTable& pairs = collider_->pairs();
  for (int i = 0; i < collider_->numIds(); ++i) {
    const bool inA = inMask(a, i), inB = inMask(b, i);
    if (!inA && !inB) continue;
    const BodyBox box = {{low_[0][i], low_[1][i], low_[2][i]}, {high_[0][i], high_[1][i], high_[2][i]}};
    const PairTable::Row& row = pairs.row(i);
    for (int word = std::max(row.firstWord(), i >> 6); word < row.endWord(); ++word) {
      std::uint64_t partners = row.word(word) & ((inA ? b[word] : 0) | (inB ? a[word] : 0));
      if (word == i >> 6) partners &= ~((std::uint64_t(2) << (i & 63)) - 1);
      while (partners) {
        const int group = std::countr_zero(partners) & ~3;
        const unsigned of4 = static_cast<unsigned>(partners >> group) & 15u;
        partners &= ~(std::uint64_t(15) << group);
        unsigned near = of4 & overlapsOfFour(box, low_, high_, static_cast<std::size_t>(word) * 64 + group);
        for (; near; near &= near - 1) {
          const int j = word * 64 + group + std::countr_zero(near);
          const int ri = collider_->robotOf(i), rj = collider_->robotOf(j);
          if (robotPairs == RobotPairs::same && (ri < 0 || ri != rj)) continue;
          if (robotPairs == RobotPairs::different && ri == rj) continue;
          candidates_.push_back({i, j, collider_->pairIndex(i, j)});
        }
      }
    }
  }
}

void WorldCollisionState::pairsInReach(const IdSelection& a, const IdSelection& b, std::span<const double> reach,
                                       std::vector<IdPair>& pairs) {
  pairs.clear();
  const int n = collider_->numIds();
  MORTISE_REQUIRE_SIZE(reach, n, "one for each id");
  MORTISE_REQUIRE_SIZE(a.bits, collider_->pairs().wordsPerRow(), "those of a selection of this world");
  MORTISE_REQUIRE_SIZE(b.bits, collider_->pairs().wordsPerRow(), "those of a selection of this world");
  reach_.resize(low_[0].size(), 0);
  for (int id = 0; id < n; ++id) {
    if (!collider_->shape(id)) continue;
    double size = 1;
    for (int k = 0; k < 3; ++k) size += std::max(std::abs(double(low_[k][id])), std::abs(double(high_[k][id])));
    // Adding it in single precision rounds by less than that.
    reach_[id] = floatAbove(reach[id] + 1e-6 * (size + reach[id]));
  }
  const PairTable& table = collider_->pairs();
  for (int i = 0; i < n; ++i) {
    const bool inA = inMask(a.bits, i), inB = inMask(b.bits, i);
    if (!inA && !inB) continue;
    const float r = reach_[i];
    const BodyBox box = {{low_[0][i] - r, low_[1][i] - r, low_[2][i] - r},
                         {high_[0][i] + r, high_[1][i] + r, high_[2][i] + r}};
    const PairTable::Row& row = table.row(i);
    for (int word = std::max(row.firstWord(), i >> 6); word < row.endWord(); ++word) {
      std::uint64_t partners = row.word(word) & ((inA ? b.bits[word] : 0) | (inB ? a.bits[word] : 0));
      if (word == i >> 6) partners &= ~((std::uint64_t(2) << (i & 63)) - 1);
      while (partners) {
        const int group = std::countr_zero(partners) & ~3;
        const unsigned of4 = static_cast<unsigned>(partners >> group) & 15u;
        partners &= ~(std::uint64_t(15) << group);
        unsigned near = of4 & overlapsOfFour(box, low_, high_, reach_, static_cast<std::size_t>(word) * 64 + group);
        for (; near; near &= near - 1) pairs.push_back({i, word * 64 + group + std::countr_zero(near)});
      }
    }
  }
}

}  // namespace mortise
