#include "mortise/motion/trajectory.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace mortise
