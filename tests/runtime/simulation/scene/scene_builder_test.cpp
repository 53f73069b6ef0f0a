#include "mortise/simulation/scene/scene_builder.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "mortise/math/rotation.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

TEST(SceneBuilder, NumbersBodiesInTheOrderOfIds) {
  const World world = test::smallWorld();
  const SceneMap map = buildScene(world);
  ASSERT_EQ(map.description.bodies.size(), 5u);
  EXPECT_EQ(map.terrainBodies, std::vector<int>{0});
  EXPECT_EQ(map.objectBodies, (std::vector<int>{1, 2}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(map.description.bodies[i].id, i);
  EXPECT_EQ(map.description.bodies[3].id, world.linkId(0, 0));
  EXPECT_EQ(map.description.joints.size(), 2u);
  EXPECT_EQ(map.description.joints[0].parent, -1);
  EXPECT_EQ(map.description.joints[1].parent, map.description.joints[0].child);
}

TEST(SceneBuilder, LetsNothingFixedMeetTerrain) {
  World world = test::smallWorld();
  world.terrains.push_back(test::groundTerrain());
  RobotDescription arm = test::armDescription(2);
  arm.joints[0].type = JointType::weld;
  for (Link& link : arm.links) link.geometry = test::boxGeometry(Vector3d::Constant(0.1));
  world.robots[0] = test::placedRobot(arm);
  const SceneMap map = buildScene(world);
  const CollisionFilter& filter = map.description.filter;
  EXPECT_FALSE(filter.test(0, 1)) << "terrain and terrain";
  EXPECT_FALSE(filter.test(0, world.linkId(0, 0))) << "terrain and welded link";
  EXPECT_TRUE(filter.test(0, world.linkId(0, 1)));
  EXPECT_TRUE(filter.test(0, world.objectId(0)));
  EXPECT_TRUE(filter.test(world.objectId(0), world.objectId(1)));
}

TEST(SceneBuilder, ObeysCollisionSettings) {
  World world = test::smallWorld();
  RobotDescription arm = test::armDescription(3);
  for (Link& link : arm.links) link.geometry = test::boxGeometry(Vector3d::Constant(0.1));
  arm.selfCollisionPairs = {{0, 2}};
  world.robots[0] = test::placedRobot(arm);
  world.robots.push_back(test::placedRobot(arm));
  world.simulation.objectCollisions = false;
  world.simulation.robotRobotCollisions = false;
  EXPECT_FALSE(buildScene(world).description.filter.test(world.objectId(0), world.objectId(1)));
  EXPECT_FALSE(buildScene(world).description.filter.test(world.linkId(0, 0), world.linkId(0, 2)));
  EXPECT_FALSE(buildScene(world).description.filter.test(world.linkId(0, 0), world.linkId(1, 0)));
  world.simulation.robotSelfCollisions = true;
  world.simulation.robotRobotCollisions = true;
  EXPECT_TRUE(buildScene(world).description.filter.test(world.linkId(0, 0), world.linkId(0, 2)));
  EXPECT_FALSE(buildScene(world).description.filter.test(world.linkId(0, 0), world.linkId(0, 1)));
  EXPECT_TRUE(buildScene(world).description.filter.test(world.linkId(0, 0), world.linkId(1, 0)));
}

TEST(SceneBuilder, MergesWeldedLinksWithTheirWholeInertia) {
  RobotDescription arm = test::armDescription(2);
  arm.joints[1].type = JointType::weld;
  arm.links[1].q = 0.7;
  World world;
  world.robots.push_back(test::placedRobot(arm));
  const SceneMap map = buildScene(world);
  ASSERT_EQ(map.description.bodies.size(), 1u);
  const BodyInertia& merged = map.description.bodies[0].inertia;
  EXPECT_DOUBLE_EQ(merged.mass, 2);
  // Center: rod 0 at 0.25, rod 1 at 0.5 plus 0.25 along its own direction.
  const Vector3d second = Vector3d(0.5, 0, 0) + 0.25 * Vector3d(std::cos(0.7), 0, -std::sin(0.7));
  EXPECT_NEAR((merged.com - 0.5 * (Vector3d(0.25, 0, 0) + second)).norm(), 0, 1e-14);
  // About y through the joint: both rods by the parallel axis theorem.
  const double rod = test::boxInertia(1, Vector3d(0.5, 0.05, 0.05)).inertia(1, 1);
  const double about = merged.inertia(1, 1) + 2 * (merged.com.x() * merged.com.x() + merged.com.z() * merged.com.z());
  EXPECT_NEAR(about, 2 * rod + 0.0625 + second.squaredNorm(), 1e-14);
}

TEST(SceneBuilder, TurnsAFloatingChainIntoOneFreeBody) {
  RobotDescription robot;
  robot.name = "floater";
  for (int i = 0; i < 6; ++i) {
    Link link;
    link.name = "base" + std::to_string(i);
    link.parent = i - 1;
    link.motion = i < 3 ? LinkMotion::prismatic : LinkMotion::revolute;
    link.axis = Vector3d::Unit(i < 3 ? i : 5 - i);
    robot.links.push_back(link);
  }
  robot.links[5].inertia = test::boxInertia(3, Vector3d(0.1, 0.2, 0.3));
  robot.joints.push_back({JointType::floating, 5, -1});
  World world;
  world.robots.push_back(test::placedRobot(robot));
  world.robots[0].q << 1, 2, 3, 0.1, 0.2, 0.3;
  world.robots[0].dq << 0.5, 0, 0, 1, 0, 0;
  const SceneMap map = buildScene(world);
  ASSERT_EQ(map.description.bodies.size(), 1u);
  EXPECT_TRUE(map.description.joints.empty());
  const SceneBody& body = map.description.bodies[0];
  EXPECT_EQ(body.X_WB.p, Vector3d(1, 2, 3));
  EXPECT_EQ(body.v_WB, Vector3d(0.5, 0, 0));
  EXPECT_NEAR((body.w_WB - Vector3d(0, 0, 1)).norm(), 0, 1e-15);
  EXPECT_DOUBLE_EQ(body.inertia.mass, 3);
  EXPECT_EQ(map.robots[0].floatingBody, 0);
}

TEST(SceneBuilder, SubstitutesWhatNoEngineCouldUseAndSaysSo) {
  RobotDescription arm = test::armDescription(1);
  arm.links[0].inertia = BodyInertia();
  World world;
  world.robots.push_back(test::placedRobot(arm));
  const SceneMap map = buildScene(world);
  EXPECT_DOUBLE_EQ(map.description.bodies[0].inertia.mass, 0.001);
  EXPECT_EQ(map.description.bodies[0].inertia.inertia, Matrix3d(0.001 * Matrix3d::Identity()));
  ASSERT_EQ(map.substitutions.size(), 2u);
  EXPECT_NE(map.substitutions[0].subject.find("arm"), std::string::npos);
}

/// A chain of three links with nothing in the first two, and a bar on the third.
RobotDescription chainDescription(JointType type, const std::vector<LinkMotion>& motions,
                                  const std::vector<Vector3d>& axes) {
  RobotDescription robot;
  robot.name = "chain";
  for (int i = 0; i < 3; ++i) {
    Link link;
    link.name = "part" + std::to_string(i);
    link.parent = i - 1;
    link.motion = motions[i];
    link.axis = axes[i];
    robot.links.push_back(link);
  }
  robot.links[2].inertia = test::boxInertia(0.02, Vector3d(0.3, 0.01, 0.01));
  robot.links[2].inertia.com = Vector3d(0.15, 0, 0);
  robot.joints = {{type, 2, -1}};
  return robot;
}

RobotDescription ballDescription() {
  return chainDescription(JointType::ballAndSocket, std::vector<LinkMotion>(3, LinkMotion::revolute),
                          {Vector3d::UnitZ(), Vector3d::UnitY(), Vector3d::UnitX()});
}

TEST(SceneBuilder, LinksInBetweenCarryNextToNothing) {
  World world;
  world.robots.push_back(test::placedRobot(ballDescription()));
  const SceneMap map = buildScene(world);
  ASSERT_EQ(map.description.joints.size(), 3u);
  EXPECT_EQ(map.substitutions.size(), 4u) << "mass and inertia of two links";
  const BodyInertia& bar = map.description.bodies[2].inertia;
  const Matrix3d real = bar.inertiaAboutOrigin();
  for (int b = 0; b < 2; ++b) {
    const BodyInertia& between = map.description.bodies[b].inertia;
    EXPECT_NEAR(between.mass, 1e-4 * 0.02, 1e-12);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_GT(between.inertia(axis, axis), 0);
      // The roll of the bar about its own axis has a thousandth of the others' inertia: also that stays its own.
      EXPECT_LT(between.inertia(axis, axis), 1e-4 * real(axis, axis) + 3e-7 * real.trace()) << axis;
    }
  }
}

TEST(SceneBuilder, ABallJointSwingsAsIfTheLinksInBetweenWereNotThere) {
  test::MemoryLog log;
  const auto registry = test::makeRegistry(log);
  World world;
  world.simulation.gravity = Vector3d(9.8, 0, 0);  // Along the bar, away from the singular position of the chain.
  world.robots.push_back(test::placedRobot(ballDescription()));
  world.robots[0].q << 0, 0.02, 0;
  const BodyInertia bar = world.robots[0].robot->link(2).inertia;
  const double period =
      2 * std::numbers::pi * std::sqrt(bar.inertiaAboutOrigin()(1, 1) / (bar.mass * 9.8 * bar.com.x()));
  const char* backend = "mortise";
  SimulationOptions options;
  options.backend = backend;
  options.timeStep = 0.0005;
  Simulation simulation(world, *registry, nullptr, log, options);
  double before = 0.02, crossings = 0, last = 0, first = 0;
  while (simulation.time() < 5) {
    ASSERT_NE(simulation.step(), StepStatus::error) << simulation.fault();
    const double now = simulation.configuration(0)[1];
    if ((now > 0) != (before > 0)) {
      last = simulation.time() - 0.0005 * now / (now - before);
      if (crossings++ == 0) first = last;
    }
    before = now;
  }
  EXPECT_NEAR(2 * (last - first) / (crossings - 1), period, 1e-3 * period) << backend;
}

TEST(SceneBuilder, APlanarJointIsTwoSlidersAndAHinge) {
  World world;
  world.robots.push_back(test::placedRobot(
      chainDescription(JointType::floatingPlanar, {LinkMotion::prismatic, LinkMotion::prismatic, LinkMotion::revolute},
                       {Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ()})));
  world.robots[0].q << 1, 2, 0.5;
  const SceneMap map = buildScene(world);
  ASSERT_EQ(map.description.joints.size(), 3u);
  EXPECT_EQ(map.description.joints[0].type, SceneJoint::Type::prismatic);
  EXPECT_EQ(map.description.joints[1].type, SceneJoint::Type::prismatic);
  EXPECT_EQ(map.description.joints[2].type, SceneJoint::Type::revolute);
  EXPECT_EQ(map.description.joints[2].parent, map.description.joints[1].child);
  EXPECT_EQ(map.description.bodies[2].X_WB.p, Vector3d(1, 2, 0));
  EXPECT_EQ(map.robots[0].floatingBody, -1);
}

TEST(SceneBuilder, BodiesDoNotDependOnWhereARunStarts) {
  // To the last bit: snapshots are taken back in worlds that start elsewhere.
  RobotDescription robot;
  robot.name = "floater";
  for (int i = 0; i < 10; ++i) {
    Link link;
    link.name = "link" + std::to_string(i);
    link.parent = i - 1;
    link.motion = i < 3 ? LinkMotion::prismatic : LinkMotion::revolute;
    link.axis = Vector3d::Unit(i < 3 ? i : i < 6 ? 5 - i : i % 3);
    if (i > 5) link.X_PL0 = {rotationFromRollPitchYaw(Vector3d(0.1 * i, 0.2, 0.3)), Vector3d(0.1, 0.02 * i, 0.3)};
    if (i == 5 || i > 7) link.inertia = test::boxInertia(0.3 * i, Vector3d(0.1, 0.2, 0.3));
    robot.links.push_back(link);
    if (i > 4)
      robot.joints.push_back({i == 5 ? JointType::floating : i == 8 ? JointType::weld : JointType::normal, i, -1});
  }
  World a, b;
  a.robots.push_back(test::placedRobot(robot));
  b.robots.push_back(test::placedRobot(robot));
  b.robots[0].q << 1, 2, 3, 0.1, 0.2, 0.3, 0.4, 0.5, 0, 0.7;
  const SceneMap x = buildScene(a), y = buildScene(b);
  ASSERT_GT(x.substitutions.size(), 0u);
  for (std::size_t i = 0; i < x.description.bodies.size(); ++i)
    EXPECT_EQ(x.description.bodies[i].inertia, y.description.bodies[i].inertia) << x.description.bodies[i].name;
}

TEST(SceneBuilder, SpinJointsHaveNoStops) {
  RobotDescription arm = test::armDescription(1);
  arm.joints[0].type = JointType::spin;
  arm.links[0].qMin = -1;
  arm.links[0].qMax = 1;
  World world;
  world.robots.push_back(test::placedRobot(arm));
  const SceneMap map = buildScene(world);
  EXPECT_EQ(map.description.joints[0].upper, kInfinity);
  EXPECT_EQ(map.description.joints[0].lower, -kInfinity);
}

TEST(SceneBuilder, AFloatingJointBelowALinkIsAChainOfSix) {
  RobotDescription robot = test::armDescription(1);
  for (int i = 0; i < 6; ++i) {
    Link link;
    link.name = "free" + std::to_string(i);
    link.parent = i;
    link.motion = i < 3 ? LinkMotion::prismatic : LinkMotion::revolute;
    link.axis = Vector3d::Unit(i < 3 ? i : 5 - i);
    robot.links.push_back(link);
  }
  robot.links[6].inertia = test::boxInertia(3, Vector3d(0.1, 0.2, 0.3));
  robot.joints.push_back({JointType::floating, 6, 0});
  World world;
  world.robots.push_back(test::placedRobot(robot));
  const SceneMap map = buildScene(world);
  EXPECT_EQ(map.description.joints.size(), 7u);
  EXPECT_EQ(map.robots[0].floatingBody, -1);
}

TEST(SceneBuilder, KeepsWhatIsRealOfAnInertia) {
  RobotDescription arm = test::armDescription(1);
  arm.links[0].inertia.inertia = Vector3d(0, 0.02, 0.02).asDiagonal();  // An infinitely thin rod.
  World world;
  world.robots.push_back(test::placedRobot(arm));
  RigidObject rod = test::boxObject("rod", Vector3d::Zero());
  rod.inertia.inertia = Vector3d(0, 0.02, 0.02).asDiagonal();
  world.objects.push_back(rod);
  const SceneMap map = buildScene(world);
  for (const SceneBody& body : map.description.bodies) {
    EXPECT_GT(body.inertia.inertia(0, 0), 0);
    EXPECT_NEAR(body.inertia.inertia(1, 1), 0.02, 2e-5) << body.name;
  }
  EXPECT_EQ(std::count_if(map.substitutions.begin(), map.substitutions.end(),
                          [](const Substitution& each) { return each.kind == SubstitutionKind::inertia; }),
            2);
}

TEST(SceneBuilder, LinksThatHangOnTheWorldNeverMeetTerrain) {
  World world = test::smallWorld();
  RobotDescription arm = test::armDescription(2);
  for (Link& link : arm.links) link.geometry = test::boxGeometry(Vector3d::Constant(0.1));
  world.robots[0] = test::placedRobot(arm);
  const CollisionFilter filter = buildScene(world).description.filter;
  EXPECT_FALSE(filter.test(0, world.linkId(0, 0)));
  EXPECT_TRUE(filter.test(0, world.linkId(0, 1)));
  EXPECT_TRUE(filter.test(world.objectId(0), world.linkId(0, 0)));
}

TEST(SceneBuilder, ScalesJointsWithTheLengthOfTheAxis) {
  RobotDescription arm = test::armDescription(1);
  arm.links[0].axis = Vector3d(0, 2, 0);
  arm.links[0].q = 0.25;
  arm.links[0].qMax = 1;
  World world;
  world.robots.push_back(test::placedRobot(arm));
  const SceneMap map = buildScene(world);
  EXPECT_DOUBLE_EQ(map.description.joints[0].position, 0.5);
  EXPECT_DOUBLE_EQ(map.description.joints[0].upper, 2);
  EXPECT_DOUBLE_EQ(map.robots[0].links[0].axisScale, 2);
}

TEST(SceneBuilder, RefusesAnAxisOfLengthZero) {
  RobotDescription arm = test::armDescription(1);
  arm.links[0].axis.setZero();
  World world;
  try {
    world.robots.push_back(test::placedRobot(arm));
    buildScene(world);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("axis"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace mortise
