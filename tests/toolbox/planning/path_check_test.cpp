#include "mortise/planning/paths/path_check.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/planning/paths/retime.h"
#include "mortise/planning/spaces/robot_space.h"
#include "tests/toolbox/planning/arm_scene.h"

namespace mortise {
namespace {

using test::ArmScene;

const VectorXd kLevel = vector({0, 0, 0}), kDown = vector({1.5, 0, 0}), kUp = vector({-1.5, 0, 0});

TEST(PathChecker, SaysWhereAndWhoAndHowDeep) {
  const ArmScene scene(Vector3d(1, 0, -1));
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3));
  PathChecker checker(space, scene.collider);
  const PathCheckResult good = checker.check({kLevel, kUp});
  EXPECT_TRUE(good.valid);
  EXPECT_TRUE(good.faults.empty());
  EXPECT_NEAR(static_cast<double>(good.configurations), 1501, 2);

  const PathCheckResult bad = checker.check({kUp, kLevel, kDown});
  ASSERT_EQ(bad.faults.size(), 1u);
  const PathFault& fault = bad.faults[0];
  EXPECT_FALSE(bad.valid);
  EXPECT_EQ(fault.kind, PathFault::Kind::collision);
  EXPECT_EQ(fault.segment, 1u);
  EXPECT_EQ(fault.ids.b, scene.world->linkId(0, 2)) << "the outermost rod comes first";
  EXPECT_NE(fault.text.find("'box'"), std::string::npos) << fault.text;
  EXPECT_NE(fault.text.find("between milestones 1 and 2"), std::string::npos) << fault.text;
  // It begins where the space finds it too: not before, but soon after.
  VectorXd q;
  space.interpolate(kLevel, kDown, fault.u, q);
  EXPECT_FALSE(space.feasible(q));
  space.interpolate(kLevel, kDown, fault.u - 0.001, q);
  EXPECT_TRUE(space.feasible(q));

  PathCheckOptions options;
  // One collision is one fault, from where it begins to where it ends.
  options.maxFaults = 5;
  const PathCheckResult through = checker.check({kLevel, kLevel, kDown}, options);
  ASSERT_LT(through.faults.size(), 5u);
  EXPECT_EQ(through.faults[0].u, fault.u);
  EXPECT_EQ(through.faults[0].lastSegment, 1u);
  EXPECT_GT(through.faults[0].lastU, fault.u + 0.1);
  EXPECT_NE(through.faults[0].text.find(", up to "), std::string::npos) << through.faults[0].text;
  for (const PathFault& one : through.faults) EXPECT_EQ(one.ids.a, through.faults[0].ids.a);
  // Apart from each other they are two.
  const PathCheckResult twice = checker.check({kLevel, kDown, kLevel, kDown}, options);
  EXPECT_GT(twice.faults.size(), through.faults.size());
  options.resolution = 0;
  EXPECT_THROW(checker.check({kLevel, kDown}, options), Error);
}

TEST(PathChecker, SmallWeightsMakeNoCoarserChecks) {
  const ArmScene scene(Vector3d(1, 0, -1));
  RobotSpaceOptions options;
  options.metric.weights = vector({1e-3, 1e-3, 1e-3});
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3), options);
  EXPECT_NEAR(static_cast<double>(PathChecker(space, scene.collider).check({kLevel, kUp}).configurations), 1501, 2);
}

TEST(PathChecker, SeesWhatCoarseStepsMiss) {
  // A thin plate that the tip goes through within 0.006 rad.
  const ArmScene scene(Vector3d(0, 0, -1.45), Vector3d(0.005, 0.2, 0.04));
  RobotSpaceOptions coarse;
  coarse.edges.method = EdgeCheckOptions::Method::resolution;
  coarse.edges.resolution = 0.35;
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3), coarse);
  const VectorXd a = vector({M_PI / 2 - 0.1, 0, 0}), b = vector({M_PI / 2 + 0.2, 0, 0});
  ASSERT_TRUE(space.feasible(a));
  ASSERT_TRUE(space.feasible(b));
  ASSERT_TRUE(space.visible(a, b)) << "what the planner would have believed";
  PathChecker checker(space, scene.collider);
  const PathCheckResult result = checker.check({a, b});
  ASSERT_FALSE(result.valid);
  EXPECT_EQ(result.faults[0].kind, PathFault::Kind::collision);
}

TEST(PathChecker, LimitsMarginsAndClearance) {
  const ArmScene scene(Vector3d(1.6, 0, 0));  // The tip is at 1.47 m, the box begins at 1.5 m.
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3));
  PathChecker checker(space, scene.collider);
  PathCheckResult result = checker.check({kUp, vector({-1.5, 3.2, 0})});
  ASSERT_EQ(result.faults.size(), 1u);
  EXPECT_EQ(result.faults[0].kind, PathFault::Kind::limits);
  EXPECT_EQ(result.faults[0].coordinate, 1);
  EXPECT_NE(result.faults[0].text.find("rod1"), std::string::npos);
  EXPECT_NEAR(result.faults[0].u, 3 / 3.2, 2e-3);

  PathCheckOptions options;
  options.clearance = true;
  result = checker.check({kUp, kLevel}, options);
  EXPECT_TRUE(result.valid);
  // Not level: an edge of the rod, 0.02 m off its axis, comes nearest when it points at the box.
  EXPECT_NEAR(result.clearance, 1.5 - std::hypot(1.47, 0.02), 1e-6);
  EXPECT_NEAR(result.nearestU, 1 - std::atan(0.02 / 1.47) / 1.5, 1e-3);
  options.margin = 0.05;
  result = checker.check({kUp, kLevel}, options);
  ASSERT_FALSE(result.valid);
  EXPECT_NEAR(result.faults[0].distance, 0.05, 0.002);
  EXPECT_NE(result.faults[0].text.find(" m from "), std::string::npos) << result.faults[0].text;
}

TEST(PathChecker, LeavesOutWhatNothingMoves) {
  // The box stands in the first rod, which stays.
  const ArmScene scene(Vector3d(0.25, 0, 0));
  RobotSpaceOptions options;
  options.links = {1, 2};
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3), options);
  PathChecker checker(space, scene.collider);
  EXPECT_TRUE(checker.check({vector({0, 0}), vector({1, 0})}).valid);
  RobotSpace all(scene.collider, 0, VectorXd::Zero(3));
  PathChecker other(all, scene.collider);
  EXPECT_FALSE(other.check({kLevel, vector({0, 1, 0})}).valid);
  other.setPose(scene.world->objectId(0), RigidTransform(Matrix3d::Identity(), Vector3d(10, 0, 0)));
  EXPECT_TRUE(other.check({kLevel, vector({0, 1, 0})}).valid);
}

TEST(PathChecker, OtherConstraintsHold) {
  const ArmScene scene(Vector3d(10, 0, 0));
  RobotSpaceOptions options;
  options.constraints.push_back({"calm", [](const VectorXd& q) { return q[0] > -1.2; }, {}});
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3), options);
  PathChecker checker(space, scene.collider);
  const PathCheckResult result = checker.check({kLevel, kUp});
  ASSERT_EQ(result.faults.size(), 1u);
  EXPECT_EQ(result.faults[0].kind, PathFault::Kind::constraint);
  EXPECT_NEAR(result.faults[0].u, 0.8, 2e-3);
  EXPECT_NE(result.faults[0].text.find("calm"), std::string::npos);
}

TEST(PathChecker, HostilePaths) {
  const ArmScene scene(Vector3d(10, 0, 0));
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3));
  PathChecker checker(space, scene.collider);
  for (const std::vector<VectorXd>& path :
       {std::vector<VectorXd>{}, {kLevel, vector({0, 0})}, {kLevel, vector({0, NAN, 0})}}) {
    const PathCheckResult result = checker.check(path);
    ASSERT_EQ(result.faults.size(), 1u);
    EXPECT_EQ(result.faults[0].kind, PathFault::Kind::size);
    EXPECT_FALSE(result.faults[0].text.empty());
  }
  EXPECT_TRUE(checker.check({kLevel}).valid);
  EXPECT_TRUE(checker.check({kLevel, kLevel}).valid);
}

TEST(PathChecker, TimedMotionsKeepToTheirBounds) {
  const ArmScene scene(Vector3d(10, 0, 0));
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3));
  PathChecker checker(space, scene.collider);
  const std::vector<CoordinateLimits> limits(3, test::limit(1, 3));
  HermiteTrajectory trajectory;
  trajectory.times = {0, 1};
  trajectory.configurations = {kLevel, vector({0, 1, 0})};
  trajectory.velocities = {VectorXd::Zero(3), VectorXd::Zero(3)};
  // Smooth step: at most 1.5 in the middle, 6 at the ends.
  PathCheckOptions options;
  options.maxFaults = 10;
  PathCheckResult result = checker.check(trajectory, limits, options);
  ASSERT_EQ(result.faults.size(), 2u);
  EXPECT_EQ(result.faults[0].kind, PathFault::Kind::velocity);
  EXPECT_NEAR(result.faults[0].time, 0.5, 1e-9);
  EXPECT_EQ(result.faults[0].coordinate, 1);
  EXPECT_EQ(result.faults[1].kind, PathFault::Kind::acceleration);
  EXPECT_NE(result.faults[1].text.find("rod1"), std::string::npos) << result.faults[1].text;
  trajectory.times[1] = 1.5;
  EXPECT_TRUE(checker.check(trajectory, limits).valid);

  // A jump of velocity, and one of position.
  trajectory.velocities[1] = vector({0, 0.1, 0});
  trajectory.times.push_back(1.5);
  trajectory.configurations.push_back(trajectory.configurations[1]);
  trajectory.velocities.push_back(VectorXd::Zero(3));
  result = checker.check(trajectory, limits);
  ASSERT_EQ(result.faults.size(), 1u);
  EXPECT_EQ(result.faults[0].kind, PathFault::Kind::acceleration);
  EXPECT_NE(result.faults[0].text.find("the velocity of rod1 jumps"), std::string::npos) << result.faults[0].text;
  trajectory.configurations[2][0] = 0.1;
  trajectory.velocities[1].setZero();
  result = checker.check(trajectory, limits);
  ASSERT_EQ(result.faults.size(), 1u);
  EXPECT_EQ(result.faults[0].kind, PathFault::Kind::jump);

  trajectory.times = {0, 2, 1};
  EXPECT_EQ(checker.check(trajectory, limits).faults.at(0).kind, PathFault::Kind::size);
  trajectory.times = {0, 1, 2};
  EXPECT_EQ(checker.check(trajectory, std::span(limits).first(2)).faults.at(0).kind, PathFault::Kind::size);
  EXPECT_EQ(checker.check(HermiteTrajectory(), limits).faults.at(0).kind, PathFault::Kind::size);
}

TEST(PathChecker, CurvesBetweenKnotsAreLookedAtWhereTheyAre) {
  // Both knots are free and the straight edge between them too, but the curve swings down to the box.
  const ArmScene scene(Vector3d(1, 0, -1));
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3));
  PathChecker checker(space, scene.collider);
  HermiteTrajectory trajectory;
  trajectory.times = {0, 1};
  trajectory.configurations = {vector({0.2, 0, 0}), vector({-0.2, 0, 0})};
  trajectory.velocities = {vector({6, 0, 0}), vector({0, 0, 0})};
  ASSERT_TRUE(checker.check(trajectory.configurations).valid);
  const std::vector<CoordinateLimits> limits(3);
  const PathCheckResult result = checker.check(trajectory, limits);
  ASSERT_FALSE(result.valid);
  EXPECT_EQ(result.faults[0].kind, PathFault::Kind::collision);
}

}  // namespace
}  // namespace mortise
