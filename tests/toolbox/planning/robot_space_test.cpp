#include "mortise/planning/spaces/robot_space.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/planning/goals/goals.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/vector.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

/// A planar arm of three rods of 0.5 m that turn about y in the plane y = 0, without limits of its own.
RobotDescription arm() {
  RobotDescription robot = test::armDescription(3);
  for (Link& link : robot.links) {
    link.geometry =
        std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(0.03, -0.02, -0.02), Vector3d(0.47, 0.02, 0.02)});
    link.qMin = -3;
    link.qMax = 3;
  }
  robot.selfCollisionPairs = {{0, 2}};
  return robot;
}

struct Scene {
  explicit Scene(RobotDescription description, const Vector3d& obstacle = Vector3d(10, 0, 0)) {
    World w;
    w.robots.push_back(test::placedRobot(std::move(description)));
    w.objects.push_back(test::boxObject("box", obstacle));
    world = std::make_shared<const World>(std::move(w));
    collider = std::make_shared<const WorldCollider>(world);
  }
  std::shared_ptr<const World> world;
  std::shared_ptr<const WorldCollider> collider;
};

TEST(RobotSpace, NamesTheConstraintThatFailsAndWhoCollides) {
  Scene scene(arm(), Vector3d(0, 0, -1.2));  // Below: q = pi/2 points down.
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3));
  ASSERT_EQ(space.dimension(), 3);
  int violated = 0;
  EXPECT_TRUE(space.feasible(vector({0, 0, 0}), &violated));
  EXPECT_EQ(violated, -1);

  EXPECT_FALSE(space.feasible(vector({0, 3.5, 0}), &violated));
  EXPECT_EQ(space.constraints()[violated], "joint_limits");
  EXPECT_NE(space.explain(violated, vector({0, 3.5, 0})).find("rod1"), std::string::npos);

  EXPECT_FALSE(space.feasible(vector({0, 2.8, 2.8}), &violated));
  EXPECT_EQ(space.constraints()[violated], "self_collision");

  const VectorXd down = vector({M_PI / 2, 0, 0});
  EXPECT_FALSE(space.feasible(down, &violated));
  EXPECT_EQ(space.constraints()[violated], "collision");
  EXPECT_NE(space.explain(violated, down).find("'box'"), std::string::npos) << space.explain(violated, down);

  EXPECT_FALSE(space.feasible(vector({0, NAN, 0})));
}

TEST(RobotSpace, WaysAreBlockedByWhatStandsBetween) {
  Scene scene(arm(), Vector3d(1, 0, -1));
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3));
  const VectorXd level = vector({0, 0, 0}), down = vector({1.5, 0, 0}), up = vector({-1.5, 0, 0});
  ASSERT_TRUE(space.feasible(level));
  ASSERT_TRUE(space.feasible(down));
  EXPECT_FALSE(space.visible(level, down));
  EXPECT_TRUE(space.visible(level, up));
  EXPECT_GT(space.counts().edges, 1);

  const std::unique_ptr<PlanningSpace> other = space.copy();
  EXPECT_FALSE(other->visible(level, down));
  space.setPose(scene.world->objectId(0), RigidTransform{Matrix3d::Identity(), Vector3d(10, 0, 0)});
  EXPECT_TRUE(space.visible(level, down)) << "the obstacle has been moved away";
  EXPECT_FALSE(other->visible(level, down)) << "the copy has its own";
  const std::int64_t examined = space.counts().configurations;
  EXPECT_TRUE(space.visible(down, level));
  EXPECT_EQ(space.counts().configurations, examined) << "a free edge is not checked again";
  space.setPose(scene.world->objectId(0), RigidTransform{Matrix3d::Identity(), Vector3d(1, 0, -1)});
  EXPECT_FALSE(space.visible(level, down)) << "the obstacle is back";
}

TEST(RobotSpace, ChecksDoNotAllocateOnceWarm) {
  Scene scene(arm(), Vector3d(1, 0, -1));
  for (const EdgeCheckOptions::Method method :
       {EdgeCheckOptions::Method::proven, EdgeCheckOptions::Method::resolution}) {
    RobotSpaceOptions options;
    options.edges.method = method;
    RobotSpace space(scene.collider, 0, VectorXd::Zero(3), options);
    RandomStream random(3);
    std::vector<VectorXd> q(100);
    for (VectorXd& each : q) space.sample(random, each);
    int free[3] = {0, 0, 0};
    std::size_t before = 0;
    for (int round = 0; round < 3; ++round) {
      // Elsewhere in the second round, so that nothing is remembered in the third.
      space.setPose(scene.world->objectId(0),
                    RigidTransform{Matrix3d::Identity(), Vector3d(round == 1 ? 1.3 : 1, 0, -1)});
      before = test::allocationCount;
      for (std::size_t i = 1; i < q.size(); ++i)
        free[round] += space.feasible(q[i - 1]) && space.feasible(q[i]) && space.visible(q[i - 1], q[i]) ? 1 : 0;
    }
    EXPECT_EQ(test::allocationCount - before, 0u);
    EXPECT_GT(free[0], 5);
    EXPECT_LT(free[0], 95);
    EXPECT_EQ(free[0], free[2]);
  }
}

TEST(RobotSpace, MarginsKeepADistance) {
  // The tip of the arm is at 1.47 m; the box begins at 1.5 m.
  Scene scene(arm(), Vector3d(1.6, 0, 0));
  RobotSpaceOptions options;
  EXPECT_TRUE(RobotSpace(scene.collider, 0, VectorXd::Zero(3), options).feasible(vector({0, 0, 0})));
  options.margin = 0.029;
  EXPECT_TRUE(RobotSpace(scene.collider, 0, VectorXd::Zero(3), options).feasible(vector({0, 0, 0})));
  options.margin = 0.031;
  EXPECT_FALSE(RobotSpace(scene.collider, 0, VectorXd::Zero(3), options).feasible(vector({0, 0, 0})));
}

TEST(RobotSpace, SomeLinksOnly) {
  Scene scene(arm());
  const VectorXd base = vector({0.3, 0, -0.4});
  RobotSpaceOptions options;
  options.links = {1};
  RobotSpace space(scene.collider, 0, base, options);
  ASSERT_EQ(space.dimension(), 1);
  EXPECT_EQ(space.coordinateName(0), "rod1");
  VectorXd full, q;
  space.lift(vector({0.7}), full);
  EXPECT_EQ(full, vector({0.3, 0.7, -0.4}));
  space.reduce(full, q);
  EXPECT_EQ(q, vector({0.7}));
  EXPECT_TRUE(space.agrees(full));
  int difference = -1;
  EXPECT_FALSE(space.agrees(vector({0.3, 0.7, -0.5}), &difference));
  EXPECT_EQ(difference, 2);

  options.links = {3};
  EXPECT_THROW(RobotSpace(scene.collider, 0, base, options), Error);
  EXPECT_THROW(RobotSpace(scene.collider, 1, base), Error);
  EXPECT_THROW(RobotSpace(scene.collider, 0, vector({0, 0})), Error);
}

TEST(RobotSpace, WeightsOfDistancesAreAboveZero) {
  Scene scene(arm());
  RobotSpaceOptions options;
  options.links = {0, 1};
  options.metric.weights = vector({1, 2, 0});  // The last one stays: its weight is nobody's.
  EXPECT_NO_THROW(RobotSpace(scene.collider, 0, VectorXd::Zero(3), options));
  for (const double weight : {0.0, -1.0, kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    options.metric.weights = vector({1, weight, 1});
    EXPECT_THROW(RobotSpace(scene.collider, 0, VectorXd::Zero(3), options), Error) << weight;
  }
}

TEST(RobotSpace, LinksOfAnAffineDriverAreOneCoordinate) {
  RobotDescription robot = arm();
  robot.drivers.resize(2);
  robot.drivers[1].type = DriverType::affine;
  robot.drivers[1].name = "pinch";
  robot.drivers[1].links = {1, 2};
  robot.drivers[1].scale = {1, -2};
  robot.drivers[1].offset = {0.1, 0};
  robot.drivers[1].qMin = -kInfinity;
  robot.drivers[1].qMax = kInfinity;
  Scene scene(robot);
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3));
  ASSERT_EQ(space.dimension(), 2);
  EXPECT_EQ(space.coordinateName(1), "pinch");
  VectorXd full, low, high;
  space.lift(vector({0.5, 0.2}), full);
  EXPECT_TRUE(full.isApprox(vector({0.5, 0.3, -0.4}))) << full.transpose();
  space.bounds(low, high);
  EXPECT_DOUBLE_EQ(low[1], -1.5) << "rod2 = -2 value must stay within 3";
  EXPECT_DOUBLE_EQ(high[1], 1.5);
  EXPECT_NEAR(space.distance(vector({0, 0}), vector({0, 1})), std::sqrt(5.0), 1e-12) << "both links count";
  RandomStream random(3);
  for (int i = 0; i < 200; ++i) {
    VectorXd q, near;
    space.sample(random, q);
    EXPECT_TRUE(space.satisfies(0, q)) << q.transpose();
    space.sampleNear(random, q, 0.1, near);
    EXPECT_LE(space.distance(q, near), 0.1 + 1e-12);
    EXPECT_TRUE(space.satisfies(0, near));
  }
}

TEST(RobotSpace, SpinJointsGoTheShortWayRound) {
  RobotDescription robot = arm();
  for (int i = 0; i < 3; ++i) robot.joints[i].type = JointType::spin;
  for (Link& link : robot.links) {
    link.qMin = -kInfinity;
    link.qMax = kInfinity;
  }
  Scene scene(robot);
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3));
  const VectorXd a = vector({0.1, 0, 0}), b = vector({2 * M_PI - 0.1, 0, 0});
  EXPECT_NEAR(space.distance(a, b), 0.2, 1e-12);
  VectorXd middle;
  space.interpolate(a, b, 0.5, middle);
  EXPECT_NEAR(std::remainder(middle[0], 2 * M_PI), 0, 1e-12);
  std::vector<VectorXd> path;
  space.refine(a, b, 0.05, path);
  EXPECT_GE(path.size(), 3U) << "coordinates jump at a turn";
}

TEST(RobotSpace, ConstraintsOfTheCallerHoldAllAlong) {
  Scene scene(arm());
  RobotSpaceOptions options;
  options.constraints.push_back({"keep_off", [](const VectorXd& q) { return std::abs(q[0] - 0.5) > 0.02; }});
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3), options);
  EXPECT_EQ(space.constraints().back(), "keep_off");
  EXPECT_FALSE(space.feasible(vector({0.51, 0, 0})));
  EXPECT_FALSE(space.visible(vector({0, 0, 0}), vector({1, 0, 0})));
  EXPECT_TRUE(space.visible(vector({0, 0, 0}), vector({0.4, 0, 0})));
}

TEST(Goals, ConfigurationsAreGivenOnceEach) {
  Scene scene(arm());
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3));
  ConfigurationGoal goal(space, {vector({1, 0, 0}), vector({0, 1, 0})}, 1e-3);
  RandomStream random(1);
  VectorXd q;
  EXPECT_TRUE(goal.sample(random, q));
  EXPECT_TRUE(goal.sample(random, q));
  EXPECT_FALSE(goal.sample(random, q));
  EXPECT_TRUE(goal.contains(vector({0, 1.0005, 0})));
  EXPECT_FALSE(goal.contains(vector({0, 1.002, 0})));
  EXPECT_NEAR(goal.distance(vector({0, 1.1, 0})), 0.099, 1e-12);
  EXPECT_THROW(ConfigurationGoal(space, {}), Error);
  EXPECT_THROW(ConfigurationGoal(space, {vector({1, 0})}), Error);
}

TEST(Goals, RegionsSayWhyNothingIsFound) {
  Scene scene(arm(), Vector3d(0, 0, -1.2));
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3));
  RandomStream random(1);
  VectorXd q;
  RegionGoal easy(space, {"tip high", [](const VectorXd& x) { return x[0] < -0.5; }});
  EXPECT_TRUE(easy.sample(random, q));
  EXPECT_TRUE(easy.contains(q));
  EXPECT_TRUE(space.feasible(q));
  RegionGoal never(space, {"nowhere", [](const VectorXd&) { return false; }}, 50);
  EXPECT_FALSE(never.sample(random, q));
  EXPECT_NE(never.explain().find("50 were outside"), std::string::npos) << never.explain();
}

}  // namespace
}  // namespace mortise
