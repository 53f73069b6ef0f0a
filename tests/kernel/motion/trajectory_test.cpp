#include "mortise/motion/trajectory.h"

#include <gtest/gtest.h>

#include "mortise/motion/hermite_trajectory.h"
#include "mortise/motion/multipath.h"
#include "tests/support/preconditions.h"

namespace mortise {
namespace {

TEST(Trajectory, LinearInBetweenAndHeldOutside) {
  Trajectory t;
  t.times = {1, 2, 4};
  t.configurations = {Eigen::Vector2d(0, 0), Eigen::Vector2d(1, 2), Eigen::Vector2d(1, 0)};
  VectorXd q(2), dq(2);
  t.evaluate(0, q, dq);
  EXPECT_EQ(q, Eigen::Vector2d(0, 0));
  EXPECT_EQ(dq, Eigen::Vector2d(0, 0));
  t.evaluate(1.5, q, dq);
  EXPECT_EQ(q, Eigen::Vector2d(0.5, 1));
  EXPECT_EQ(dq, Eigen::Vector2d(1, 2));
  t.evaluate(2, q, dq);
  EXPECT_EQ(q, Eigen::Vector2d(1, 2));
  EXPECT_EQ(dq, Eigen::Vector2d(0, -1));
  t.evaluate(9, q, dq);
  EXPECT_EQ(q, Eigen::Vector2d(1, 0));
  EXPECT_EQ(dq, Eigen::Vector2d(0, 0));
  EXPECT_EQ(t.startTime(), 1);
  EXPECT_EQ(t.endTime(), 4);
}

TEST(Trajectory, AJumpTakesTheLaterConfiguration) {
  Trajectory t;
  t.times = {0, 1, 1, 2};
  const VectorXd zero = VectorXd::Zero(1), one = VectorXd::Ones(1);
  t.configurations = {zero, zero, one, one};
  VectorXd q(1), dq(1);
  t.evaluate(1, q, dq);
  EXPECT_EQ(q[0], 1);
  EXPECT_EQ(dq[0], 0);
}

TEST(Trajectory, AnEmptyOneLeavesTheConfigurationAlone) {
  Trajectory t;
  VectorXd q = VectorXd::Ones(2), dq = VectorXd::Ones(2);
  t.evaluate(1, q, dq);
  EXPECT_EQ(q, Eigen::Vector2d(1, 1));
  EXPECT_EQ(dq, Eigen::Vector2d(0, 0));
}

TEST(Trajectory, OutputsOfOtherSizesAreRefused) {
  Trajectory t;
  t.times = {0, 1};
  t.configurations = {Eigen::Vector2d(0, 0), Eigen::Vector2d(1, 2)};
  VectorXd q(2), dq(3), small(1);
  EXPECT_TRUE(
      test::refuses([&] { t.evaluate(0.5, q, dq); }, "Trajectory::evaluate: `dq` has 3 entries instead of 2, as q"));
  HermiteTrajectory h;
  h.times = t.times;
  h.configurations = h.velocities = t.configurations;
  EXPECT_THROW(h.evaluate(0.5, q, small), PreconditionError);
  EXPECT_THROW(h.evaluate(0.5, dq, dq), PreconditionError);
  h.velocities.pop_back();
  EXPECT_TRUE(test::refuses([&] { h.evaluate(0.5, q, q); },
                            "HermiteTrajectory::evaluate: `velocities` has 1 entry instead of 2, one for each time"));
  MultiPath path;
  path.sections.resize(1);
  path.sections[0].milestones = t.configurations;
  EXPECT_THROW(path.evaluate(0.5, MultiPath::Interpolation::linear, dq, dq), PreconditionError);
}

}  // namespace
}  // namespace mortise
