#include "mortise/planning/optimization/path_optimization.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/planning/optimization/clearance_terms.h"
#include "mortise/planning/spaces/robot_space.h"
#include "tests/support/vector.h"
#include "tests/toolbox/planning/arm_scene.h"

namespace mortise {
namespace {

using test::ArmScene;

/// The straight way past the box goes through it with the tip; the box is wide, so that out of it is up, down
/// or back.
struct AroundABox {
  ArmScene scene{Vector3d(1.55, 0, 0.02), Vector3d(0.2, 2, 0.2)};
  RobotSpace space{scene.collider, 0, VectorXd::Zero(3)};
  std::vector<VectorXd> straight = {vector({0.5, 0.1, 0.1}), vector({-0.5, 0.1, 0.1})};
};

TEST(ClearanceTerms, GradientsAreThoseOfTheDistance) {
  AroundABox s;
  ClearanceTerms terms(s.space, s.scene.collider);
  std::vector<ClearanceTerm> here, there;
  for (const VectorXd& q : {vector({0.35, 0.2, -0.1}), vector({0.1, -0.3, 0.4})}) {
    terms.evaluate(q, 1, true, here);
    ASSERT_FALSE(here.empty());
    for (Eigen::Index j = 0; j < 3; ++j) {
      const double h = 1e-6;
      terms.evaluate(q + h * VectorXd::Unit(3, j), 1, false, there);
      ASSERT_EQ(there.size(), here.size());
      for (std::size_t i = 0; i < here.size(); ++i)
        EXPECT_NEAR((there[i].distance - here[i].distance) / h, here[i].gradient[j], 1e-4);
    }
  }
}

TEST(PathOptimization, MovesAPathOutOfABox) {
  AroundABox s;
  ASSERT_FALSE(s.space.visible(s.straight[0], s.straight[1]));
  PathOptimizationOptions options;
  options.clearance = 0.02;
  const PathOptimizationResult result = optimizePath(s.space, s.scene.collider, s.straight, options);
  EXPECT_TRUE(result.feasible);
  EXPECT_LT(result.clearanceBefore, 0);
  EXPECT_GT(result.clearance, 0.015);
  EXPECT_EQ(result.path.size(), 20u);
  EXPECT_EQ(result.path.front(), s.straight.front());
  EXPECT_EQ(result.path.back(), s.straight.back());
  // Without anything in the way a path becomes the straight line.
  ArmScene empty(Vector3d(5, 5, 5));
  RobotSpace open(empty.collider, 0, VectorXd::Zero(3));
  const PathOptimizationResult line =
      optimizePath(open, empty.collider, {vector({0, 0, 0}), vector({1, 1, -1}), vector({1, -0.5, 0.5})}, options);
  EXPECT_TRUE(line.feasible);
  EXPECT_NEAR(line.length, (vector({1, -0.5, 0.5})).norm(), 1e-3);
  EXPECT_LT(line.cost, line.costBefore);
}

TEST(PathOptimization, TheSameArgumentsGiveTheSamePath) {
  AroundABox s;
  const PathOptimizationResult a = optimizePath(s.space, s.scene.collider, s.straight),
                               b = optimizePath(s.space, s.scene.collider, s.straight);
  ASSERT_EQ(a.path.size(), b.path.size());
  for (std::size_t i = 0; i < a.path.size(); ++i) EXPECT_EQ(a.path[i], b.path[i]);
}

TEST(PathOptimization, EndsInAGoalOfALink) {
  AroundABox s;
  PathOptimizationOptions options;
  options.fixedEnd = false;
  IKGoal goal;
  goal.link = 2;
  goal.position = IKGoal::Position::point;
  goal.p_LP = Vector3d(0.5, 0, 0);
  goal.p_DP = Vector3d(0.9, 0, 0.8);
  options.endGoals = {goal};
  const PathOptimizationResult result = optimizePath(s.space, s.scene.collider, s.straight, options);
  EXPECT_LT(result.residual, 1e-3);
  EXPECT_TRUE(result.feasible);
}

TEST(PathOptimization, RefusesWhatMeansNothing) {
  AroundABox s;
  PathOptimizationOptions options;
  EXPECT_THROW(optimizePath(s.space, s.scene.collider, {s.straight[0]}, options), Error);
  EXPECT_THROW(optimizePath(s.space, s.scene.collider, {vector({0}), vector({1})}, options), Error);
  options.waypoints = 1;
  EXPECT_THROW(optimizePath(s.space, s.scene.collider, s.straight, options), Error);
  options = {};
  options.trust = 0;
  EXPECT_THROW(optimizePath(s.space, s.scene.collider, s.straight, options), Error);
  ArmScene spinning(Vector3d(1.2, 0, 0), Vector3d::Constant(0.2), 0);
  RobotSpace round(spinning.collider, 0, VectorXd::Zero(3));
  EXPECT_THROW(optimizePath(round, spinning.collider, s.straight, {}), Error);
}

}  // namespace
}  // namespace mortise
