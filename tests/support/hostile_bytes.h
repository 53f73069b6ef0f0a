#pragma once

#include <cstddef>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/base/error.h"

namespace mortise::test {

/// Restores `count` damaged copies of what a component saved: some bytes at random, and every third copy cut short,
/// which must be refused. What is taken is used: nothing may crash.
template <typename Component, typename Use>
void restoreDamaged(Component& component, const std::vector<std::byte>& saved, unsigned seed, int count, Use&& use) {
  std::mt19937 random(seed);
  int cut = 0, cutRefused = 0;
  for (int k = 0; k < count; ++k) {
    std::vector<std::byte> bytes = saved;
    for (int j = 0; j < 1 + k % 8; ++j) bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    const bool shorter = k % 3 == 0;
    if (shorter) bytes.resize(random() % bytes.size());
    cut += shorter;
    ByteReader hostile(bytes);
    try {
      component.restore(hostile);
    } catch (const Error&) {
      cutRefused += shorter;
      continue;
    }
    use();
  }
  // A damaged length may make a copy of what is left that is whole.
  EXPECT_GE(cutRefused, cut * 9 / 10);
}

}  // namespace mortise::test
