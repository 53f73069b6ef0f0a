#include "mortise/timing/multipath/path_interpolation.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/planning/paths/motion_conversion.h"
#include "tests/support/vector.h"

namespace mortise {
namespace {

/// From rest at 0 to 1 within 1 s with velocities, then straight to 3 within another.
MultiPath mixedPath() {
  MultiPath path;
  path.sections.resize(2);
  path.sections[0].milestones = {vector({0}), vector({1})};
  path.sections[0].times = {0, 1};
  path.sections[0].velocities = {vector({0}), vector({2})};
  path.sections[1].milestones = {vector({1}), vector({3})};
  path.sections[1].times = {1, 2};
  return path;
}

std::pair<double, double> at(const MultiPath& path, double t, PathInterpolation how) {
  VectorXd q(1), dq(1);
  evaluatePath(path, t, how, q, dq);
  return {q[0], dq[0]};
}

TEST(PathInterpolation, SectionsWithVelocitiesAreCubicAsGiven) {
  const MultiPath path = mixedPath();
  EXPECT_EQ(at(path, 0.5, PathInterpolation::given), std::pair(0.25, 1.0)) << "t^2";
  EXPECT_EQ(at(path, 1.5, PathInterpolation::given), std::pair(2.0, 2.0));
  EXPECT_EQ(at(path, 0.5, PathInterpolation::linear), std::pair(0.5, 1.0));
  EXPECT_EQ(at(path, 0.5, PathInterpolation::cubic).first, 0.25);
  EXPECT_EQ(at(path, -1, PathInterpolation::given), std::pair(0.0, 0.0));
  EXPECT_EQ(at(path, 5, PathInterpolation::given), std::pair(3.0, 0.0));
  EXPECT_EQ(resolvedInterpolation(path, PathInterpolation::given), PathInterpolation::given);
  EXPECT_EQ(resolvedInterpolation(path, PathInterpolation::linear), PathInterpolation::linear);
}

TEST(PathInterpolation, ConversionsMeanTheSame) {
  const MultiPath path = mixedPath();
  Diagnostics diagnostics;
  MotionConversionOptions options;
  options.every = 0.125;
  const auto samples = std::get<Trajectory>(convertMotion(path, FileContent::trajectory, options, diagnostics));
  for (std::size_t i = 0; i < samples.times.size(); ++i)
    EXPECT_EQ(samples.configurations[i][0], at(path, samples.times[i], PathInterpolation::given).first) << i;
}

TEST(PathInterpolation, HasNames) {
  EXPECT_EQ(pathInterpolation("given"), PathInterpolation::given);
  EXPECT_EQ(pathInterpolation("cubic"), PathInterpolation::cubic);
  EXPECT_THROW(pathInterpolation("round"), Error);
}

}  // namespace
}  // namespace mortise
