#include "mortise/motion/multipath.h"

#include <gtest/gtest.h>
#include <limits>

#include "mortise/motion/hermite_trajectory.h"

namespace mortise {
namespace {

using Interpolation = MultiPath::Interpolation;

VectorXd one(double x) { return VectorXd::Constant(1, x); }

/// Two sections of one coordinate: 0, 1, 4 and 4, 2.
MultiPath twoSections(bool timed) {
  MultiPath path;
  path.sections.resize(2);
  path.sections[0].milestones = {one(0), one(1), one(4)};
  path.sections[1].milestones = {one(4), one(2)};
  if (timed) {
    path.sections[0].times = {1, 2, 4};
    path.sections[1].times = {4, 5};
  }
  return path;
}

struct At {
  int section = 0;
  double q = 0, dq = 0;
};

At evaluate(const MultiPath& path, double t, Interpolation interpolation = Interpolation::linear) {
  VectorXd q(1), dq(1);
  const int section = path.evaluate(t, interpolation, q, dq);
  return {section, q[0], dq[0]};
}

TEST(MultiPath, TimedSections) {
  const MultiPath path = twoSections(true);
  EXPECT_EQ(path.problem(), "");
  EXPECT_TRUE(path.timed());
  EXPECT_EQ(path.startTime(), 1);
  EXPECT_EQ(path.endTime(), 5);
  EXPECT_EQ(evaluate(path, 0.5).section, -1);
  EXPECT_EQ(evaluate(path, 0.5).q, 0);
  EXPECT_EQ(evaluate(path, 0.5).dq, 0);
  EXPECT_EQ(evaluate(path, 3).section, 0);
  EXPECT_DOUBLE_EQ(evaluate(path, 3).q, 2.5);
  EXPECT_DOUBLE_EQ(evaluate(path, 3).dq, 1.5);
  // Where sections meet, the earlier one counts; the end is behind all of them.
  EXPECT_EQ(evaluate(path, 4).section, 0);
  EXPECT_DOUBLE_EQ(evaluate(path, 4).q, 4);
  EXPECT_EQ(evaluate(path, 4.5).section, 1);
  EXPECT_DOUBLE_EQ(evaluate(path, 4.5).q, 3);
  EXPECT_EQ(evaluate(path, 5).section, 2);
  EXPECT_EQ(evaluate(path, 5).q, 2);
}

TEST(MultiPath, WithoutTimesSectionsTakeEquallyLong) {
  const MultiPath path = twoSections(false);
  EXPECT_FALSE(path.timed());
  EXPECT_EQ(path.duration(), 1);
  EXPECT_DOUBLE_EQ(evaluate(path, 0.125).q, 0.5);
  EXPECT_DOUBLE_EQ(evaluate(path, 0.125).dq, 4);
  EXPECT_DOUBLE_EQ(evaluate(path, 0.25).q, 1);
  EXPECT_EQ(evaluate(path, 0.5).section, 1);
  EXPECT_DOUBLE_EQ(evaluate(path, 0.75).q, 3);
  EXPECT_EQ(evaluate(path, 1).section, 1);
  EXPECT_DOUBLE_EQ(evaluate(path, 1).q, 2);
  EXPECT_EQ(evaluate(path, 1.5).section, 2);
}

TEST(MultiPath, CubicIsSmoothWithinASectionAndItsVelocityIsItsDerivative) {
  MultiPath path;
  path.sections.resize(1);
  path.sections[0].milestones = {one(0), one(1), one(-2), one(3)};
  path.sections[0].times = {0, 1, 2, 3};
  for (const double knot : {1.0, 2.0})
    EXPECT_NEAR(evaluate(path, knot - 1e-9, Interpolation::cubic).dq,
                evaluate(path, knot + 1e-9, Interpolation::cubic).dq, 1e-6);
  for (double t = 0.05; t < 3; t += 0.2) {
    const double h = 1e-6;
    const double slope =
        (evaluate(path, t + h, Interpolation::cubic).q - evaluate(path, t - h, Interpolation::cubic).q) / (2 * h);
    EXPECT_NEAR(evaluate(path, t, Interpolation::cubic).dq, slope, 1e-6) << t;
  }
}

TEST(MultiPath, VelocitiesMakeItHermite) {
  // q = t^3 has these values and slopes; a cubic reproduces it.
  MultiPath path;
  path.sections.resize(1);
  path.sections[0].milestones = {one(0), one(1), one(27)};
  path.sections[0].velocities = {one(0), one(3), one(27)};
  path.sections[0].times = {0, 1, 3};
  const HermiteTrajectory same{path.sections[0].times, path.sections[0].milestones, path.sections[0].velocities};
  for (double t = 0; t < 3; t += 0.3) {
    EXPECT_NEAR(evaluate(path, t, Interpolation::cubic).q, t * t * t, 1e-12);
    EXPECT_NEAR(evaluate(path, t, Interpolation::cubic).dq, 3 * t * t, 1e-12);
    VectorXd q(1), dq(1);
    same.evaluate(t, q, dq);
    EXPECT_NEAR(q[0], t * t * t, 1e-12);
    EXPECT_NEAR(dq[0], 3 * t * t, 1e-12);
  }
  VectorXd q(1), dq(1);
  same.evaluate(3, q, dq);
  EXPECT_EQ(dq[0], 27);
  same.evaluate(3.1, q, dq);
  EXPECT_EQ(q[0], 27);
  EXPECT_EQ(dq[0], 0);
}

TEST(MultiPath, ContinuityLooksAtPositionsTimesAndVelocities) {
  MultiPath path = twoSections(true);
  EXPECT_TRUE(path.continuous());
  path.sections[1].times = {4.5, 5};
  EXPECT_FALSE(path.continuous());
  path = twoSections(false);
  path.sections[1].milestones[0] = one(4.1);
  EXPECT_FALSE(path.continuous());
  EXPECT_TRUE(path.continuous(0.2));
  path = twoSections(true);
  path.sections[0].velocities = {one(0), one(0), one(1)};
  EXPECT_FALSE(path.continuous());
  path.sections[1].velocities = {one(1), one(0)};
  EXPECT_TRUE(path.continuous());
}

TEST(MultiPath, HoldsOfTheWholePathAreFoundByIndexAndName) {
  MultiPath path = twoSections(false);
  path.holds.resize(2);
  path.holds[0].hold.link = 5;
  path.holds[1].name = "left";
  path.holds[1].hold.link = 7;
  path.holds[1].hold.goal.link = 7;
  path.sections[1].holdNames = {"left"};
  path.sections[1].holdIndices = {0};
  ASSERT_EQ(path.problem(), "");
  ASSERT_EQ(path.holdsOf(1).size(), 2u);
  EXPECT_EQ(path.holdsOf(1)[0].link, 5);
  EXPECT_EQ(path.goalsOf(1)[1].link, 7);
  EXPECT_TRUE(path.holdsOf(0).empty());
  path.sections[0].holdIndices = {2};
  EXPECT_EQ(path.problem(), "section 0 refers to hold 2, the path has 2");
  path.sections[0].holdIndices = {};
  path.sections[0].holdNames = {"right"};
  EXPECT_EQ(path.problem(), "section 0 refers to hold 'right', which the path has not");
}

TEST(MultiPath, ATimeThatIsNoNumberEndsAtTheEnd) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const bool timed : {false, true}) {
    EXPECT_EQ(evaluate(twoSections(timed), nan).section, 2);
    EXPECT_EQ(evaluate(twoSections(timed), nan).q, 2);
  }
  VectorXd q(1), dq(1);
  Trajectory{{0, 1}, {one(3), one(4)}}.evaluate(nan, q, dq);
  EXPECT_EQ(q[0], 4);
  HermiteTrajectory{{0, 1}, {one(3), one(4)}, {one(0), one(0)}}.evaluate(nan, q, dq);
  EXPECT_EQ(q[0], 4);
}

TEST(MultiPath, ProblemsAreNamed) {
  MultiPath path = twoSections(true);
  path.sections[1].times.clear();
  EXPECT_EQ(path.problem(), "some sections have times and some have none");
  path = twoSections(true);
  path.sections[0].times[2] = 1.5;
  EXPECT_EQ(path.problem(), "section 0 goes back in time at milestone 2");
  path = twoSections(true);
  path.sections[1].milestones.pop_back();
  EXPECT_EQ(path.problem(), "section 1 has 1 milestones, it needs two at least");
  path = twoSections(true);
  path.sections[1].milestones[1] = VectorXd::Zero(2);
  EXPECT_EQ(path.problem(), "section 1 has milestones of 2 and others of 1 numbers");
  EXPECT_EQ(MultiPath().problem(), "the path has no sections");
}

}  // namespace
}  // namespace mortise
