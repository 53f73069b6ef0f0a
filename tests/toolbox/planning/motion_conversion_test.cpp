#include "mortise/planning/paths/motion_conversion.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/motion/multipath.h"
#include "tests/support/vector.h"

namespace mortise {
namespace {

MultiPath twoSections(bool timed) {
  MultiPath path;
  path.sections.resize(2);
  path.sections[0].milestones = {vector({0, 0}), vector({1, 0}), vector({1, 1})};
  path.sections[1].milestones = {vector({1, 1}), vector({0, 0})};
  if (timed) {
    path.sections[0].times = {0, 1, 3};
    path.sections[1].times = {3, 5};
  }
  return path;
}

template <typename T>
T as(const Resource& motion, FileContent kind, const MotionConversionOptions& options = {}) {
  Diagnostics diagnostics;
  return std::get<T>(convertMotion(motion, kind, options, diagnostics));
}

TEST(MotionConversion, EveryKindBecomesEveryOther) {
  using enum FileContent;
  const std::vector<FileContent> kinds = {configurations, trajectory, hermiteTrajectory, multipath};
  Diagnostics diagnostics;
  for (const bool timed : {true, false}) {
    const Resource path = twoSections(timed);
    for (const FileContent first : kinds) {
      const Resource one = convertMotion(path, first, {}, diagnostics);
      EXPECT_EQ(contentOf(one), first);
      for (const FileContent second : kinds) {
        const Resource other = convertMotion(one, second, {}, diagnostics);
        EXPECT_EQ(contentOf(other), second);
        const auto list = as<ConfigurationList>(other, configurations);
        EXPECT_EQ(list.configurations.front(), vector({0, 0}));
        EXPECT_EQ(list.configurations.back(), vector({0, 0}));
      }
    }
  }
  EXPECT_FALSE(diagnostics.hasErrors());
  EXPECT_THROW(convertMotion(Resource(IKGoal()), trajectory, {}, diagnostics), Error);
}

TEST(MotionConversion, PathsWithoutTimesGetKlamptsOrEvenOnes) {
  // One second in all, sections equally long.
  EXPECT_EQ(as<Trajectory>(twoSections(false), FileContent::trajectory).times, (std::vector<double>{0, 0.25, 0.5, 1}));
  EXPECT_EQ(as<HermiteTrajectory>(twoSections(false), FileContent::hermiteTrajectory).times,
            (std::vector<double>{0, 0.25, 0.5, 1}));
  // SetDuration: milestones come evenly.
  MotionConversionOptions options;
  options.duration = 6;
  options.start = 10;
  EXPECT_EQ(as<Trajectory>(twoSections(false), FileContent::trajectory, options).times,
            (std::vector<double>{10, 12, 14, 16}));
  options.duration = 10;
  options.start.reset();
  EXPECT_EQ(as<Trajectory>(twoSections(true), FileContent::trajectory, options).times,
            (std::vector<double>{0, 2, 6, 10}));
}

TEST(MotionConversion, SmoothVelocitiesNeverOvershoot) {
  const Trajectory steps{{0, 1, 2, 3, 4}, {vector({0}), vector({0}), vector({1}), vector({1.1}), vector({0.5})}};
  const HermiteTrajectory curve = withVelocities(steps);
  EXPECT_EQ(curve.velocities[1][0], 0);
  EXPECT_EQ(curve.velocities[3][0], 0);
  EXPECT_GT(curve.velocities[2][0], 0);
  VectorXd q(1), dq(1);
  for (double t = 0; t <= 4; t += 0.01) {
    curve.evaluate(t, q, dq);
    EXPECT_GE(q[0], -1e-12);
    EXPECT_LE(q[0], 1.1 + 1e-12);
  }
  for (const VectorXd& v : withVelocities(steps, KnotVelocities::rest).velocities) EXPECT_EQ(v[0], 0);
  EXPECT_EQ(withVelocities({{0, 2}, {vector({0}), vector({4})}}).velocities[0][0], 2);
}

TEST(MotionConversion, LinesKeepToCubicsAsAskedFor) {
  const HermiteTrajectory curve{{0, 2}, {vector({0}), vector({1})}, {vector({3}), vector({-2})}};
  MotionConversionOptions options;
  VectorXd q(1), dq(1), line(1);
  for (const double resolution : {1e-2, 1e-4}) {
    options.resolution = resolution;
    const auto path = as<Trajectory>(curve, FileContent::trajectory, options);
    for (double t = 0; t <= 2; t += 0.001) {
      curve.evaluate(t, q, dq);
      path.evaluate(t, line, dq);
      EXPECT_NEAR(line[0], q[0], resolution * 1.01);
    }
  }
  options.resolution = 0;
  EXPECT_EQ(as<Trajectory>(curve, FileContent::trajectory, options).times.size(), 2u);
  options.every = 0.5;
  EXPECT_EQ(as<Trajectory>(curve, FileContent::trajectory, options).times, (std::vector<double>{0, 0.5, 1, 1.5, 2}));
  options.every = 0;
  Diagnostics diagnostics;
  EXPECT_THROW(convertMotion(curve, FileContent::trajectory, options, diagnostics), Error);
}

}  // namespace
}  // namespace mortise
