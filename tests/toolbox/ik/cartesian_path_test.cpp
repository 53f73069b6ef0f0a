// Motions of a hand along lines, and motions that are bent.

#include "mortise/ik/cartesian_path.h"

#include <gtest/gtest.h>

#include "tests/toolbox/ik/chain_robot.h"

namespace mortise {
namespace {

using test::handPose;
using test::poseError;
using test::sevenJoints;

TEST(CartesianPath, FollowsALineInSmallSteps) {
  const RobotPtr robot = sevenJoints();
  IKProblem problem;
  problem.robot = robot;
  const int hand = robot->numLinks() - 1;
  CartesianPathOptions options;
  options.start = VectorXd::Zero(robot->numLinks());
  options.start.head(7) << 0.2, 0.6, 0.1, 0.9, 0.2, 0.7, 0.1;
  const RigidTransform from = handPose(*robot, options.start);
  const RigidTransform to(from.R * rotationX(0.4), from.p + Vector3d(-0.15, 0.2, -0.05));
  const CartesianPath path = moveLinkAlongLine(problem, hand, to, options);
  ASSERT_TRUE(path.complete) << path.problem;
  EXPECT_EQ(path.motion.times.front(), 0);
  EXPECT_EQ(path.motion.times.back(), 1);
  for (std::size_t i = 0; i < path.motion.times.size(); ++i) {
    const VectorXd& q = path.motion.configurations[i];
    EXPECT_LT(poseError(handPose(*robot, q), interpolatePose(from, to, path.motion.times[i])), 2e-9);
    if (i > 0) {
      EXPECT_LE((q - path.motion.configurations[i - 1]).cwiseAbs().maxCoeff(), options.delta);
    }
  }
  // Beyond reach: nothing, or as far as it goes.
  const RigidTransform far(from.R, from.p + Vector3d(3, 0, 0));
  const CartesianPath none = moveLinkAlongLine(problem, hand, far, options);
  EXPECT_FALSE(none.complete);
  EXPECT_TRUE(none.motion.empty());
  EXPECT_FALSE(none.problem.empty());
  options.maximize = true;
  const CartesianPath part = moveLinkAlongLine(problem, hand, far, options);
  EXPECT_FALSE(part.complete);
  EXPECT_GT(part.reached, 0.01);
  EXPECT_EQ(part.motion.times.back(), part.reached);
}

TEST(CartesianPath, BumpsAMotion) {
  const RobotPtr robot = sevenJoints();
  IKProblem problem;
  problem.robot = robot;
  const int hand = robot->numLinks() - 1;
  Trajectory motion;
  motion.times = {0, 1, 2.5};
  for (const double s : {0.0, 0.5, 0.2}) {
    VectorXd q = VectorXd::Zero(robot->numLinks());
    q.head(7) << 0.2 + s, 0.6, 0.1 - s, 0.9 + 0.3 * s, 0.2, 0.7, 0.1;
    motion.configurations.push_back(q);
  }
  const auto bump = [](double) { return RigidTransform::translation({0.02, -0.03, 0.04}); };
  const CartesianPath path = bumpMotion(problem, {hand}, motion, bump, {});
  ASSERT_TRUE(path.complete) << path.problem;
  EXPECT_EQ(path.motion.endTime(), 2.5);
  VectorXd reference(robot->numLinks()), rate(robot->numLinks());
  for (std::size_t i = 0; i < path.motion.times.size(); ++i) {
    motion.evaluate(path.motion.times[i], reference, rate);
    const RigidTransform wanted = bump(0) * handPose(*robot, reference);
    EXPECT_LT(poseError(handPose(*robot, path.motion.configurations[i]), wanted), 2e-9);
    EXPECT_LT((path.motion.configurations[i] - reference).norm(), 0.6) << "near the motion itself";
  }
}

}  // namespace
}  // namespace mortise
