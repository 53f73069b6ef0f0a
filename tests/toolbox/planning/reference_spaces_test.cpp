// Spaces and goals with the reference's robots: meshes of thousands of triangles, many links.

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/loading/format_loader.h"
#include "mortise/math/rotation.h"
#include "mortise/planning/goals/ik_goal_region.h"
#include "mortise/planning/sampling.h"
#include "mortise/planning/spaces/multi_robot_space.h"
#include "tests/support/planning_checks.h"
#include "tests/support/plugins.h"
#include "tests/support/reference.h"

namespace mortise {
namespace {

class ReferenceSpaces : public ::testing::Test {
 protected:
  World load(const std::string& file) {
    Diagnostics diagnostics;
    return loader_.world(test::referenceDir() + "/klampt-data/" + file, {}, diagnostics);
  }
  RobotDescription robot(const std::string& file) {
    Diagnostics diagnostics;
    return loader_.load<RobotDescription>(test::referenceDir() + "/klampt-data/" + file, {}, diagnostics);
  }
  static WorldRobot placed(RobotDescription description) {
    WorldRobot robot;
    robot.name = description.name;
    robot.robot = Robot::compile(std::move(description));
    robot.q = robot.robot->initialConfiguration();
    robot.dq = VectorXd::Zero(robot.q.size());
    return robot;
  }
  static std::shared_ptr<const WorldCollider> collider(World world) {
    WorldColliderOptions options;
    options.fixedLinksAgainstTerrains = false;
    return std::make_shared<const WorldCollider>(std::make_shared<const World>(std::move(world)), options);
  }
  static std::shared_ptr<const World> worldOf(const std::shared_ptr<const WorldCollider>& collider) {
    return {collider, &collider->world()};
  }
  /// The pose of a link in a configuration, as a goal.
  static IKGoal poseOf(const Robot& robot, const VectorXd& q, int link) {
    RobotState state(robot);
    state.q = q;
    updateFrames(robot, state);
    const RigidTransform& X_WL = state.X_WL[static_cast<std::size_t>(link)];
    IKGoal goal;
    goal.link = link;
    goal.position = IKGoal::Position::point;
    goal.p_DP = X_WL.p;
    goal.rotation = IKGoal::Rotation::fixed;
    goal.rotationVector_DL = momentFromRotation(X_WL.R);
    return goal;
  }

  test::MemoryLog log_;
  std::unique_ptr<Registry> registry_ = test::makeRegistry(log_);
  FormatLoader loader_{*registry_, log_};
};

TEST_F(ReferenceSpaces, TwoTx90InOneWorld) {
  MORTISE_NEEDS_REFERENCE();
  World world = load("tx90obstacles.xml");
  ASSERT_EQ(world.robots.size(), 1U);
  RobotDescription second = world.robots[0].robot->description();
  second.name = "second";
  for (Link& link : second.links)
    if (link.parent < 0) link.X_PL0 = RigidTransform::translation(Vector3d(1.1, 0.3, 0)) * link.X_PL0;
  world.robots.push_back(placed(std::move(second)));
  MultiRobotSpace space(collider(std::move(world)), {{.robot = 0}, {.robot = 1}});
  EXPECT_EQ(space.dimension(), 14) << "six joints and a gripper each";
  RandomStream random(1);
  VectorXd q;
  std::string reason;
  ASSERT_TRUE(sampleFeasible(space, random, 1000, q, &reason)) << reason;
  const test::EdgeCounts counts = test::compareEdges(space, 100, 0.02);
  EXPECT_EQ(counts.free + counts.blocked, 100);
  EXPECT_GT(counts.free, 5);
  EXPECT_GT(counts.blocked, 5);
  EXPECT_EQ(counts.missed, 0);
  EXPECT_LE(counts.refused, 3);
  test::expectMetric(space, 50);
}

TEST_F(ReferenceSpaces, ArmsOfHubo) {
  MORTISE_NEEDS_REFERENCE();
  const auto scene = collider(load("hubo_table.xml"));
  const Robot& hubo = *scene->world().robots[0].robot;
  const int leftHand = hubo.description().findLink("Body_LWP"), rightHand = hubo.description().findLink("Body_RWP");
  ASSERT_GE(leftHand, 0);
  ASSERT_GE(rightHand, 0);
  RobotSpaceOptions options;
  const int chest = hubo.floatingBaseLink();
  for (const int hand : {leftHand, rightHand})
    for (int i = hand; i > chest; i = hubo.link(i).parent) options.links.push_back(i);
  RobotSpace space(scene, 0, scene->world().robots[0].q, options);
  ASSERT_EQ(space.dimension(), 12) << "six joints an arm";
  // Where both hands are in some configuration is where they can be.
  RandomStream random(2);
  VectorXd q, full;
  std::string reason;
  ASSERT_TRUE(sampleFeasible(space, random, 1000, q, &reason)) << reason;
  space.lift(q, full);
  IKGoalRegion region(space, worldOf(scene), {{0, {poseOf(hubo, full, leftHand), poseOf(hubo, full, rightHand)}}},
                      {.tries = 100});
  int found = 0;
  for (int i = 0; i < 20; ++i) {
    if (!region.sample(random, q)) continue;
    ++found;
    EXPECT_TRUE(space.feasible(q));
    EXPECT_TRUE(region.contains(q));
    space.lift(q, full);
    EXPECT_TRUE(space.agrees(full));
  }
  EXPECT_GT(found, 0) << region.explain();
}

TEST_F(ReferenceSpaces, ArmsReachPosesFastEnoughToSample) {
  MORTISE_NEEDS_REFERENCE();
  for (const char* file : {"robots/ur5.rob", "robots/kinova_gen3_7dof.urdf", "robots/puma760.rob"}) {
    SCOPED_TRACE(file);
    World world;
    world.robots.push_back(placed(robot(file)));
    const auto scene = collider(std::move(world));
    const Robot& arm = *scene->world().robots[0].robot;
    RobotSpace space(scene, 0, scene->world().robots[0].q);
    RandomStream random(3);
    VectorXd q, full;
    int solved = 0;
    std::int64_t tried = 0, unsolved = 0;
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(sampleFeasible(space, random, 10000, q));
      space.lift(q, full);
      IKGoalRegion region(space, worldOf(scene), {{0, {poseOf(arm, full, arm.numLinks() - 1)}}}, {.tries = 100});
      if (!region.sample(random, q)) continue;
      ++solved;
      tried += region.statistics().tried;
      unsolved += region.statistics().unsolved;
      PlannedGoalFunction function(space, scene->world(), {{0, {poseOf(arm, full, arm.numLinks() - 1)}}});
      VectorXd r(function.size());
      function.residual(q.data(), r.data());
      EXPECT_LE(r.cwiseAbs().maxCoeff(), 1e-6);
      EXPECT_TRUE(space.feasible(q));
    }
    EXPECT_GE(solved, 18) << "every pose is one that the arm can take";
    EXPECT_LT(unsolved, tried);
  }
}

}  // namespace
}  // namespace mortise
