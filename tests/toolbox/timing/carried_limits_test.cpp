#include "mortise/timing/carried_limits.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"

namespace mortise {
namespace {

VectorXd at(double a, double b) {
  VectorXd q(2);
  q << a, b;
  return q;
}

CoordinateLimits bounded(double v, double a) { return {.vMin = -v, .vMax = v, .aMax = a}; }

TEST(CarriedLimits, AreTheLargestThatTheOthersTakeThemTo) {
  const std::vector<CoordinateLimits> limits = {bounded(2, 8), {}};
  // The first edge takes 0.5 s at the velocity limit, and the second coordinate goes 3 m in it; the second 1 s for 1 m.
  const auto carried = withCarriedLimits(limits, {at(0, 0), at(1, 3), at(3, 4)});
  EXPECT_EQ(carried[0].vMax, 2);
  EXPECT_EQ(carried[0].aMax, 8);
  EXPECT_NEAR(carried[1].vMax, 6, 1e-6);
  EXPECT_NEAR(carried[1].vMin, -6, 1e-6);
  EXPECT_NEAR(carried[1].aMax, 24, 1e-6);
}

TEST(CarriedLimits, HoldWhereACoordinateMovesAlone) {
  const std::vector<CoordinateLimits> limits = {bounded(2, 8), {}};
  // Where the first moves by rounding alone, it says nothing of speeds.
  const auto carried = withCarriedLimits(limits, {at(0, 0), at(1, 3), at(1 + 1e-15, 9)});
  EXPECT_NEAR(carried[1].vMax, 6, 1e-6);
  EXPECT_NEAR(carried[1].aMax, 24, 1e-6);
}

TEST(CarriedLimits, StayAwayFromWhatRests) {
  const auto carried = withCarriedLimits(std::vector<CoordinateLimits>{bounded(2, 8), {}}, {at(0, 1), at(1, 1)});
  EXPECT_TRUE(isUnbounded(carried[1]));
}

TEST(CarriedLimits, RefuseWhatNothingBounds) {
  const std::vector<CoordinateLimits> limits = {bounded(2, 8), {}};
  const std::vector<std::string> names = {"elbow", "base_x"};
  try {
    (void)withCarriedLimits(limits, {at(0, 0), at(0, 3)}, names);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'base_x'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace mortise
