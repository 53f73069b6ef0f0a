// The DART backend's friction is that of a program on DART alone.

#include <gtest/gtest.h>

#include "tests/plugins/physics_dart/plain/collisions.h"
#include "tests/support/plain/plain_sliding.h"

namespace mortise::test {
namespace {

/// v^2 / (2 mu g) along an axis, 0.71 of it between two.
TEST(PlainDart, LimitsFrictionAlongTwoAxes) {
  const double length = 2 * 2 / (2 * 0.5 * 9.8);
  for (const double part : {0.0, 1.0}) {
    const auto [library, ours, apart] = slides("dart", 2, part * std::numbers::pi / 4, 0, 600, plain::collideOnDart);
    const double expected = length * (part == 0 ? 1 : std::numbers::sqrt2 / 2);
    EXPECT_NEAR(library.length, expected, 0.02 * length) << part;
    EXPECT_NEAR(ours.length, library.length, 1e-3 * length) << part;
  }
}

}  // namespace
}  // namespace mortise::test
