#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"
#include "mortise/planning/spaces/multi_robot_space.h"
#include "mortise/planning/spaces/object_space.h"
#include "tests/support/planning_checks.h"
#include "tests/support/vector.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

/// A planar arm of three rods of 0.5 m in the plane y = 0, at `x`.
RobotDescription arm(const std::string& name, double x) {
  RobotDescription robot = test::armDescription(3);
  robot.name = name;
  robot.links[0].X_PL0.p = Vector3d(x, 0, 0);
  for (Link& link : robot.links) {
    link.geometry =
        std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(0.03, -0.02, -0.02), Vector3d(0.47, 0.02, 0.02)});
    link.qMin = -3;
    link.qMax = 3;
  }
  robot.selfCollisionPairs = {{0, 2}};
  return robot;
}

std::shared_ptr<const WorldCollider> twoArms(const Vector3d& box = Vector3d(0.8, 0, -0.7)) {
  World w;
  w.robots.push_back(test::placedRobot(arm("left", 0)));
  w.robots.push_back(test::placedRobot(arm("right", 1.6)));
  w.objects.push_back(test::boxObject("box", box));
  return std::make_shared<const WorldCollider>(std::make_shared<const World>(std::move(w)));
}

TEST(MultiRobotSpace, NamesWhoCollidesWithWhom) {
  MultiRobotSpace space(twoArms(), {{.robot = 0}, {.robot = 1}});
  ASSERT_EQ(space.dimension(), 6);
  EXPECT_EQ(space.coordinateName(4), "right.rod1");
  EXPECT_EQ(space.movers().size(), 2U);
  EXPECT_EQ(space.fullSize(), 6);
  int violated = 0;
  const VectorXd up = vector({-1.5, 0, 0, -1.5, 0, 0});
  EXPECT_TRUE(space.feasible(up, &violated));
  EXPECT_EQ(violated, -1);
  const auto expectViolated = [&](const VectorXd& q, const std::string& name, const std::string& text) {
    EXPECT_FALSE(space.feasible(q, &violated)) << name;
    EXPECT_EQ(space.constraints()[static_cast<std::size_t>(violated)], name);
    EXPECT_NE(space.explain(violated, q).find(text), std::string::npos) << space.explain(violated, q);
    for (int c = 0; c <= violated; ++c) EXPECT_EQ(space.satisfies(c, q), c != violated);
  };
  expectViolated(vector({-1.5, 0, 3.2, -1.5, 0, 0}), "joint_limits", "'left': link 'rod2'");
  expectViolated(vector({-1.5, 0, 0, -1.5, 2.8, 2.8}), "self_collision", "right[rod");
  expectViolated(vector({0, 0, 0, M_PI - 0.2, 0, 0}), "robot_collision", "'left[rod");
  expectViolated(vector({0.7, 0, 0, -1.5, 0, 0}), "collision", "box");
  EXPECT_FALSE(space.feasible(vector({NAN, 0, 0, 0, 0, 0})));
}

TEST(MultiRobotSpace, WaysOfBothAtOnceAreProven) {
  MultiRobotSpace space(twoArms(), {{.robot = 0}, {.robot = 1}});
  // Both sweep through where the other was, one after another or at once.
  const test::EdgeCounts counts = test::compareEdges(space, 300, 0.004);
  EXPECT_EQ(counts.free + counts.blocked, 300);
  EXPECT_GT(counts.free, 40);
  EXPECT_GT(counts.blocked, 40);
  EXPECT_EQ(counts.missed, 0);
  EXPECT_LE(counts.refused, 3) << "nearer than the clearance of 0.1 mm, or a touch between two samples";
  test::expectMetric(space);
  test::expectSameInThreads(space);
}

TEST(MultiRobotSpace, WaysMayGoAsNearAsTheMargin) {
  CompositeMotionOptions options;
  options.margin = 0.05;
  RobotSpaceOptions single;
  single.margin = 0.05;
  World w;  // No pairs of its own, which are nearer than the margin at every joint.
  for (const double x : {0.0, 1.6}) {
    RobotDescription description = arm(x > 0 ? "right" : "left", x);
    description.selfCollisionPairs.clear();
    w.robots.push_back(test::placedRobot(description));
  }
  w.objects.push_back(test::boxObject("box", Vector3d(0.8, 0, -0.7)));
  const auto collider = std::make_shared<const WorldCollider>(std::make_shared<const World>(std::move(w)));
  MultiRobotSpace both(collider, {{.robot = 0}, {.robot = 1}}, options);
  RobotSpace left(collider, 0, vector({0, 0, 0}), single);
  for (PlanningSpace* space : std::initializer_list<PlanningSpace*>{&both, &left}) {
    const test::EdgeCounts counts = test::compareEdges(*space, 200, 0.004);
    EXPECT_EQ(counts.free + counts.blocked, 200);
    EXPECT_GT(counts.blocked, 20);
    EXPECT_EQ(counts.missed, 0);
    EXPECT_LE(counts.refused, 2) << "not as if the margin were twice as wide";
  }
}

TEST(MultiRobotSpace, WhatIsFreeAroundAWayIsFreeEverywhereInIt) {
  MultiRobotSpace space(twoArms(), {{.robot = 0}, {.robot = 1}});
  RandomStream random(7);
  VectorXd a, b, q;
  VectorXd deviation(6);
  int free = 0, refused = 0, narrower = 0;
  while (free < 60) {
    space.sample(random, a);
    space.sampleNear(random, a, 0.6, b);
    if (!space.feasible(a) || !space.feasible(b)) continue;
    for (double& d : deviation) d = random.uniform(0, 0.05);
    if (!space.visibleAround(a, b, deviation)) {
      ++refused;
      narrower += space.visibleAround(a, b, VectorXd(deviation * 1e-4));
      continue;
    }
    ++free;
    ASSERT_TRUE(space.visible(a, b));
    for (int k = 0; k < 50; ++k) {
      space.interpolate(a, b, random.uniform(), q);
      // Corners of what it may leave the way by: that is where it goes farthest.
      for (Eigen::Index c = 0; c < q.size(); ++c) q[c] += (random.uniform() < 0.5 ? -1 : 1) * deviation[c];
      int violated = -1;
      const bool feasible = space.feasible(q, &violated);
      ASSERT_TRUE(feasible || space.constraints()[static_cast<std::size_t>(violated)] == "joint_limits");
    }
  }
  EXPECT_GT(refused, 10);
  EXPECT_GT(narrower, 5) << "next to nothing aside of the way, most of them are free";
}

TEST(MultiRobotSpace, WaysByResolutionAgreeOnMostWays) {
  CompositeMotionOptions options;
  options.edges.method = EdgeCheckOptions::Method::resolution;
  options.edges.resolution = 0.01;
  MultiRobotSpace space(twoArms(), {{.robot = 0}, {.robot = 1}}, options),
      proven(twoArms(), {{.robot = 0}, {.robot = 1}});
  RandomStream random(2);
  VectorXd a, b;
  int free = 0, provenFree = 0;
  for (int i = 0; i < 400; ++i) {
    space.sample(random, a);
    space.sample(random, b);
    if (!space.feasible(a) || !space.feasible(b)) continue;
    const bool byResolution = space.visible(a, b), byProof = proven.visible(a, b);
    free += byResolution;
    provenFree += byProof;
    EXPECT_LE(byProof, byResolution) << "what is proven free has no collision";
  }
  EXPECT_GT(provenFree, 5);
  EXPECT_LE(free - provenFree, 4);
}

TEST(MultiRobotSpace, TogetherIsNotOneAfterTheOther) {
  MultiRobotSpace space(twoArms(Vector3d(0, 10, 0)), {{.robot = 0}, {.robot = 1}});
  RandomStream random(4);
  VectorXd a, b, between;
  int onlyApart = 0, onlyTogether = 0;
  for (int i = 0; i < 2000; ++i) {
    space.sample(random, a);
    space.sample(random, b);
    between = b;
    between.tail(3) = a.tail(3);  // The left arm goes first.
    if (!space.feasible(a) || !space.feasible(b)) continue;
    const bool apart = space.feasible(between) && space.visible(a, between) && space.visible(between, b);
    const bool together = space.visible(a, b);
    onlyApart += apart && !together;
    onlyTogether += together && !apart;
  }
  EXPECT_GT(onlyApart, 0);
  EXPECT_GT(onlyTogether, 0);
}

TEST(MultiRobotSpace, SubsetsWeightsAndMargins) {
  MovingRobot left{.robot = 0, .base = vector({-1.2, 0.1, 0.2}), .links = {1}, .weight = 2}, right{.robot = 1};
  MultiRobotSpace space(twoArms(), {right, left});
  ASSERT_EQ(space.dimension(), 4);
  EXPECT_EQ(space.firstCoordinate(1), 3);
  VectorXd full, q;
  space.lift(vector({1, 2, 3, 0.5}), full);
  EXPECT_EQ(full, vector({1, 2, 3, -1.2, 0.5, 0.2}));
  space.reduce(full, q);
  EXPECT_EQ(q, vector({1, 2, 3, 0.5}));
  EXPECT_TRUE(space.agrees(full));
  full[5] += 1e-3;
  int difference = -1;
  EXPECT_FALSE(space.agrees(full, &difference));
  EXPECT_EQ(difference, 5);
  EXPECT_NEAR(space.distance(vector({0, 0, 0, 0}), vector({0.3, 0, 0, 0.2})), 0.5, 1e-12);
  test::expectMetric(space);

  const VectorXd facing = vector({0, 0, 0, M_PI, 0, 0});
  // Roots are 3.4 m apart and each arm reaches 1.47 m, which leaves 0.46 m between them.
  World w;
  w.robots.push_back(test::placedRobot(arm("left", 0)));
  w.robots.push_back(test::placedRobot(arm("right", 3.4)));
  for (WorldRobot& robot : w.robots) {
    RobotDescription description = robot.robot->description();
    description.links[0].qMax = 4;
    robot.robot = Robot::compile(description);
  }
  const auto collider = std::make_shared<const WorldCollider>(std::make_shared<const World>(std::move(w)));
  for (const double margin : {0.45, 0.47}) {
    CompositeMotionOptions options;
    options.margin = margin;
    MultiRobotSpace wide(collider, {{.robot = 0}, {.robot = 1}}, options);
    ASSERT_EQ(wide.constraints()[2], "robot_collision");
    EXPECT_EQ(wide.satisfies(2, facing), margin < 0.46) << wide.explain(2, facing);
  }
}

TEST(MultiRobotSpace, WrongInputIsRefused) {
  const auto collider = twoArms();
  EXPECT_THROW(MultiRobotSpace(collider, {}), Error);
  EXPECT_THROW(MultiRobotSpace(collider, {{.robot = 2}}), Error);
  EXPECT_THROW(MultiRobotSpace(collider, {{.robot = 0}, {.robot = 0}}), Error);
  EXPECT_THROW(MultiRobotSpace(collider, {{.robot = 0, .base = vector({1, 2})}}), Error);
  EXPECT_THROW(MultiRobotSpace(collider, {{.robot = 0, .links = {3}}}), Error);
  EXPECT_THROW(MultiRobotSpace(collider, {{.robot = 0, .weight = 0}}), Error);
  CompositeMotionOptions options;
  options.margin = -1;
  EXPECT_THROW(MultiRobotSpace(collider, {{.robot = 0}}, options), Error);
  MultiRobotSpace space(collider, {{.robot = 0}});
  EXPECT_THROW(space.setPose(collider->world().linkId(0, 1), {}), Error);
  EXPECT_THROW(space.setConfiguration(0, vector({0, 0, 0})), Error);
  space.setConfiguration(1, vector({0, 0, 0}));
}

TEST(MultiRobotSpace, ConstraintsOfTheCallerSeeAllRobots) {
  CompositeMotionOptions options;
  options.constraints.push_back({"in_step", [](const VectorXd& q) { return std::abs(q[0] - q[3]) < 0.5; }});
  MultiRobotSpace space(twoArms(), {{.robot = 0}, {.robot = 1}}, options);
  EXPECT_EQ(space.constraints().back(), "in_step");
  const VectorXd a = vector({-1.5, 0, 0, -1.5, 0, 0}), b = vector({-1.1, 0, 0, -1.1, 0, 0});
  EXPECT_TRUE(space.feasible(a));
  EXPECT_FALSE(space.feasible(vector({-1.5, 0, 0, -0.9, 0, 0})));
  EXPECT_TRUE(space.visible(a, b));
}

// ---- rigid objects

std::shared_ptr<const WorldCollider> boxes(const Geometry& geometry) {
  World w;
  w.objects.push_back(test::boxObject("moving", Vector3d(0, 0, 0)));
  w.objects.back().geometry = std::make_shared<Geometry>(geometry);
  for (int i = 0; i < 4; ++i)
    w.objects.push_back(test::boxObject("post" + std::to_string(i), Vector3d(0.3 + 0.35 * i, i % 2 ? 0.2 : -0.2, 0.1)));
  w.robots.push_back(test::placedRobot(arm("arm", -1)));
  return std::make_shared<const WorldCollider>(std::make_shared<const World>(std::move(w)));
}

/// A rod that reaches far from its origin.
Geometry rod() { return Geometry(AxisAlignedBoxShape{Vector3d(-0.05, -0.02, -0.02), Vector3d(0.4, 0.02, 0.02)}); }

TEST(ObjectSpace, RotationsGoTheShortWay) {
  ObjectSpaceOptions options;
  options.characteristicLength = 2;
  ObjectSpace space(boxes(rod()), 0, options);
  ASSERT_EQ(space.dimension(), 6);
  EXPECT_EQ(space.coordinateName(3), "rx");
  const VectorXd a = vector({0, 0, 2, 0, 0, 3}), b = vector({1, 0, 2, 0, 0, -3});
  const double turn = 2 * M_PI - 6;
  EXPECT_NEAR(space.distance(a, b), std::hypot(1, 2 * turn), 1e-12);
  VectorXd middle;
  space.interpolate(a, b, 0.5, middle);
  EXPECT_NEAR(middle[0], 0.5, 1e-12);
  EXPECT_NEAR(std::abs(middle[5]), M_PI, 1e-12);
  // The middle of a great circle, beside rotations that are multiplied out.
  RandomStream random(7);
  for (int i = 0; i < 100; ++i) {
    VectorXd p, q, m;
    space.sample(random, p);
    space.sample(random, q);
    space.interpolate(p, q, 0.5, m);
    const Matrix3d P = rotationFromMoment(p.tail<3>()), Q = rotationFromMoment(q.tail<3>()),
                   M = rotationFromMoment(m.tail<3>());
    EXPECT_TRUE((P.transpose() * M).isApprox(M.transpose() * Q, 1e-9));
    EXPECT_NEAR(momentFromRotation(P.transpose() * M).norm(), 0.5 * momentFromRotation(P.transpose() * Q).norm(), 1e-9);
    EXPECT_TRUE(space.pose(p).R.isApprox(P, 1e-12));
    EXPECT_TRUE(space.pose(space.configuration(space.pose(p))).R.isApprox(P, 1e-9));
  }
  test::expectMetric(space);
}

TEST(ObjectSpace, OrientationsAreUniform) {
  ObjectSpace space(boxes(rod()), 0);
  RandomStream random(9);
  VectorXd q;
  Vector3d sum = Vector3d::Zero();
  double angle = 0;
  constexpr int kSamples = 20000;
  for (int i = 0; i < kSamples; ++i) {
    space.sample(random, q);
    sum += rotationFromMoment(q.tail<3>()).col(0);
    angle += q.tail<3>().norm();
  }
  EXPECT_LT((sum / kSamples).norm(), 0.02);
  EXPECT_NEAR(angle / kSamples, M_PI / 2 + 2 / M_PI, 0.02) << "mean angle of uniform rotations";
}

TEST(ObjectSpace, WaysAreProven) {
  ObjectSpaceOptions options;
  options.low = Vector3d(-0.2, -0.6, -0.2);
  options.high = Vector3d(1.8, 0.6, 0.4);
  ObjectSpace space(boxes(rod()), 0, options);
  const test::EdgeCounts counts = test::compareEdges(space, 1000, 0.003);
  EXPECT_EQ(counts.free + counts.blocked, 1000);
  EXPECT_GT(counts.free, 100);
  EXPECT_GT(counts.blocked, 100);
  EXPECT_EQ(counts.missed, 0);
  EXPECT_LE(counts.refused, 8);
  test::expectSameInThreads(space);
}

TEST(ObjectSpace, BoundsAndCollisionsSayWhy) {
  ObjectSpace space(boxes(rod()), 0);
  VectorXd low, high;
  space.bounds(low, high);
  // The arm at x = -1 reaches back to -1, forward to 0.47; the last post ends at 1.45. The rod's diameter is 0.8 m.
  EXPECT_LT(low[0], -1.3);
  EXPECT_GT(high[0], 1.9);
  int violated = -1;
  EXPECT_FALSE(space.feasible(vector({9, 0, 0, 0, 0, 0}), &violated));
  EXPECT_EQ(space.constraints()[static_cast<std::size_t>(violated)], "bounds");
  EXPECT_NE(space.explain(violated, vector({9, 0, 0, 0, 0, 0})).find("x = 9"), std::string::npos);
  const VectorXd in = vector({0.3, -0.2, 0.1, 0, 0, 0});
  EXPECT_FALSE(space.feasible(in, &violated));
  EXPECT_EQ(space.constraints()[static_cast<std::size_t>(violated)], "collision");
  EXPECT_NE(space.explain(violated, in).find("post0"), std::string::npos);
  EXPECT_FALSE(space.feasible(vector({-0.9, 0, 0, 0, 0, 0}))) << "robots are obstacles too";
  space.setConfiguration(0, vector({-1.5, 0, 0}));
  EXPECT_TRUE(space.feasible(vector({-0.9, 0, 0, 0, 0, 0}))) << "it has moved away";

  EXPECT_THROW(ObjectSpace(boxes(rod()), 7), Error);
  ObjectSpaceOptions options;
  options.low = Vector3d(0, 0, 0);
  options.high = Vector3d(-1, 1, 1);
  EXPECT_THROW(ObjectSpace(boxes(rod()), 0, options), Error);
  options.high = Vector3d(1, kInfinity, 1);
  EXPECT_THROW(ObjectSpace(boxes(rod()), 0, options), Error);
}

TEST(ObjectSpace, PlanarMotionKeepsHeightAndTilt) {
  ObjectSpaceOptions options;
  options.planar = true;
  options.X_WO = RigidTransform(rotationX(0.4), Vector3d(0, 0, 0.05));
  options.low = Vector3d(-0.2, -0.8, 0);
  options.high = Vector3d(1.8, 0.8, 0);
  ObjectSpace space(boxes(rod()), 0, options);
  ASSERT_EQ(space.dimension(), 3);
  EXPECT_EQ(space.coordinateName(2), "turn");
  RandomStream random(3);
  VectorXd q, full, back;
  for (int i = 0; i < 100; ++i) {
    space.sample(random, q);
    space.lift(q, full);
    space.reduce(full, back);
    EXPECT_LE(space.distance(q, back), 1e-9);
    EXPECT_DOUBLE_EQ(full[2], 0.05);
    EXPECT_TRUE(space.pose(q).R.isApprox(rotationZ(q[2]) * rotationX(0.4), 1e-9));
  }
  EXPECT_TRUE(space.agrees(full));
  full[2] += 0.01;
  EXPECT_FALSE(space.agrees(full));
  test::expectMetric(space);
  const test::EdgeCounts counts = test::compareEdges(space, 200, 0.003);
  EXPECT_GT(counts.free, 20);
  EXPECT_GT(counts.blocked, 20);
  EXPECT_EQ(counts.missed, 0);
  EXPECT_LE(counts.refused, 2);
}

}  // namespace
}  // namespace mortise
