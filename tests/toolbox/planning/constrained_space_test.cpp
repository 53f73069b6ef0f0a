#include "mortise/planning/spaces/constrained_space.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "tests/support/connect.h"
#include "tests/support/vector.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

/// Rods of 0.5 m in the plane y = 0 whose last end is held at a distance from the first: with three rods a four-bar
/// linkage.
struct Linkage {
  explicit Linkage(int rods, double ground, const Vector3d& obstacle = Vector3d(10, 0, 0),
                   ConstrainedSpaceOptions options = {}) {
    RobotDescription arm = test::armDescription(rods);
    for (Link& link : arm.links) {
      link.geometry =
          std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(0.03, -0.02, -0.02), Vector3d(0.47, 0.02, 0.02)});
      link.qMin = -3.1;
      link.qMax = 3.1;
    }
    World w;
    w.robots.push_back(test::placedRobot(std::move(arm)));
    w.objects.push_back(test::boxObject("box", obstacle));
    auto world = std::make_shared<const World>(std::move(w));
    RobotSpaceOptions robotOptions;
    robotOptions.constraints = {{"above", [](const VectorXd& q) { return q[0] < 2.5; }}};
    robot = std::make_unique<RobotSpace>(std::make_shared<const WorldCollider>(world), 0, VectorXd::Zero(rods),
                                         robotOptions);
    goal.link = rods - 1;
    goal.position = IKGoal::Position::point;
    goal.p_LP = Vector3d(0.5, 0, 0);
    goal.p_DP = Vector3d(ground, 0, 0);
    space = std::make_unique<ConstrainedSpace>(*robot, std::vector<IKGoal>{goal}, options);
  }
  std::unique_ptr<RobotSpace> robot;
  IKGoal goal;
  std::unique_ptr<ConstrainedSpace> space;
};

/// Where the last end of three rods is, by hand: rotations about y take x to -z.
Eigen::Vector2d endOf(const VectorXd& q) {
  Eigen::Vector2d end(0, 0);
  double angle = 0;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    angle += q[i];
    end += 0.5 * Eigen::Vector2d(std::cos(angle), -std::sin(angle));
  }
  return end;
}

/// The four-bar linkage's other joints for its first: where rods two and three meet, on one side (1 or -1).
VectorXd linkageAt(double first, double ground, double side) {
  const Eigen::Vector2d elbow = 0.5 * Eigen::Vector2d(std::cos(first), -std::sin(first));
  const Eigen::Vector2d to = Eigen::Vector2d(ground, 0) - elbow;
  const double direction = std::atan2(-to.y(), to.x()), open = std::acos(to.norm());  // Both rods are half a meter.
  const double second = direction + side * open;
  const double third = direction - side * open;
  return vector({first, std::remainder(second - first, 2 * M_PI), std::remainder(third - second, 2 * M_PI)});
}

TEST(ConstrainedSpace, SamplesLieOnTheSolutions) {
  Linkage linkage(3, 1);
  ConstrainedSpace& space = *linkage.space;
  EXPECT_EQ(space.dimension(), 3);
  RandomStream random(1);
  VectorXd q;
  double low = 0, high = 0;
  for (int k = 0; k < 200; ++k) {
    space.sample(random, q);
    EXPECT_LE((endOf(q) - Eigen::Vector2d(1, 0)).norm(), 1e-6);
    EXPECT_LE(space.residual(q), 1e-6);
    EXPECT_TRUE(space.satisfies(0, q));
    low = std::min(low, q[0]);
    high = std::max(high, q[0]);
    const VectorXd center = q;
    space.sampleNear(random, center, 0.3, q);
    EXPECT_LE(space.distance(center, q), 0.3);
    EXPECT_LE(space.residual(q), 1e-6);
  }
  // The first rod reaches as far as the others let it: |elbow - (1, 0)| <= 1.
  const double reach = std::acos(0.25);
  EXPECT_GT(high, 0.9 * reach);
  EXPECT_LT(high, reach + 1e-3);
  EXPECT_LT(low, -0.9 * reach);
}

TEST(ConstrainedSpace, WaysFollowTheKnownCurve) {
  for (const double deviation : {1e-2, 1e-3, 1e-4}) {
    ConstrainedSpaceOptions options;
    options.deviation = deviation;
    Linkage linkage(3, 1, Vector3d(10, 0, 0), options);
    ConstrainedSpace& space = *linkage.space;
    const VectorXd a = linkageAt(-0.8, 1, 1), b = linkageAt(0.9, 1, 1);
    ASSERT_LE(space.residual(a), 1e-9);
    ASSERT_TRUE(space.visible(a, b));
    const std::vector<VectorXd> edge = space.edgePoints(a, b);
    ASSERT_GT(edge.size(), 10u);
    EXPECT_EQ(edge.front(), a);
    EXPECT_EQ(edge.back(), b);
    for (std::size_t i = 1; i < edge.size(); ++i) {
      EXPECT_LE((edge[i] - linkageAt(edge[i][0], 1, 1)).norm(), 1e-5);
      EXPECT_LE(space.distance(edge[i - 1], edge[i]), options.step + 1e-12);
      for (int k = 0; k <= 20; ++k) {
        const VectorXd between = edge[i - 1] + k / 20.0 * (edge[i] - edge[i - 1]);
        EXPECT_LE(space.residual(between), deviation);
      }
    }
    // The same from the other end, bit by bit.
    std::vector<VectorXd> back = space.edgePoints(b, a);
    std::reverse(back.begin(), back.end());
    ASSERT_EQ(edge.size(), back.size());
    for (std::size_t i = 0; i < edge.size(); ++i) EXPECT_EQ(edge[i], back[i]);
  }
}

TEST(ConstrainedSpace, RefinedWaysAreAsNearAsAsked) {
  Linkage linkage(3, 1);
  ConstrainedSpace& space = *linkage.space;
  const VectorXd a = linkageAt(-0.8, 1, 1), b = linkageAt(0.9, 1, 1);
  std::size_t last = 0;
  for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
    std::vector<VectorXd> path = {a};
    space.refine(a, b, tolerance, path);
    path.push_back(b);
    EXPECT_GE(path.size(), last);
    last = path.size();
    for (std::size_t i = 1; i < path.size(); ++i) {
      EXPECT_LE(space.residual(path[i]), 1e-6);
      EXPECT_LE(space.residual(0.5 * (path[i - 1] + path[i])), std::max(tolerance, 1e-6) + 1e-6);
    }
  }
  EXPECT_GT(last, 200u);
}

TEST(ConstrainedSpace, InterpolationMeetsTheEdgeAndItself) {
  Linkage linkage(3, 1), other(3, 1);
  ConstrainedSpace& space = *linkage.space;
  const VectorXd a = linkageAt(-0.8, 1, 1), b = linkageAt(0.9, 1, 1);
  VectorXd q, again;
  // Points first and the edge then, or the edge first: the same bits.
  const std::vector<VectorXd> edge = other.space->edgePoints(a, b);
  for (int k = 0; k <= 64; ++k) {
    const double u = k / 64.0;
    space.interpolate(a, b, u, q);
    EXPECT_LE(space.residual(q), 1e-6);
    other.space->interpolate(a, b, u, again);
    EXPECT_EQ(q, again);
    space.interpolate(b, a, 1 - u, again);
    EXPECT_EQ(q, again);
    EXPECT_LE((q - linkageAt(q[0], 1, 1)).norm(), 1e-5);
  }
  space.interpolate(a, b, 0.5, q);
  EXPECT_EQ(std::count(edge.begin(), edge.end(), q), 1) << "the first middle is on the edge";
  q = a;
  space.interpolate(q, b, 0.25, q);
  space.interpolate(a, b, 0.25, again);
  EXPECT_EQ(q, again) << "the result may be an argument";
  EXPECT_TRUE(space.visible(a, b));
  EXPECT_EQ(space.edgePoints(a, b), edge);
}

TEST(ConstrainedSpace, RefusesToJumpBetweenBranches) {
  // Two rods have two isolated solutions.
  Linkage two(2, 0.8);
  const double open = std::acos(0.8);
  const VectorXd up = vector({-open, 2 * open}), down = vector({open, -2 * open});
  ASSERT_LE(two.space->residual(up), 1e-9);
  ASSERT_LE(two.space->residual(down), 1e-9);
  EXPECT_FALSE(two.space->visible(up, down));
  EXPECT_TRUE(two.space->edgePoints(up, down).empty());
  EXPECT_TRUE(two.space->visible(up, up));
  VectorXd q;
  two.space->interpolate(up, down, 0.3, q);
  EXPECT_FALSE(two.space->feasible(q)) << "planners must not take it for a step";

  // Ground shorter than the rods (Grashof): the linkage has two curves that never meet.
  Linkage linkage(3, 0.3);
  const VectorXd a = linkageAt(0.3, 0.3, 1), b = linkageAt(0.3, 0.3, -1);
  ASSERT_LE(linkage.space->residual(a), 1e-9);
  EXPECT_FALSE(linkage.space->visible(a, b));
  RandomStream random(4);
  EXPECT_TRUE(test::connect(*linkage.space, a, b, 0.3, 400, random).empty());
}

TEST(ConstrainedSpace, PlansAroundAnObstacleAlongTheSolutions) {
  // Four rods: two degrees of freedom. A box at the middle of the straight edge.
  Linkage linkage(4, 1.2, Vector3d(0.55, 0, -0.45));
  ConstrainedSpace& space = *linkage.space;
  RandomStream random(9);
  int planned = 0;
  VectorXd start, goal;
  for (int k = 0; k < 10; ++k) {
    do space.sample(random, start);
    while (!space.feasible(start));
    do space.sample(random, goal);
    while (!space.feasible(goal));
    const std::vector<VectorXd> path = test::connect(space, start, goal, 0.5, 2000, random);
    if (path.empty()) continue;
    ++planned;
    for (std::size_t i = 1; i < path.size(); ++i) {
      const std::vector<VectorXd> edge = space.edgePoints(path[i - 1], path[i]);
      ASSERT_FALSE(edge.empty());
      for (std::size_t j = 1; j < edge.size(); ++j)
        for (int part = 0; part <= 50; ++part) {
          const VectorXd q = edge[j - 1] + part / 50.0 * (edge[j] - edge[j - 1]);
          EXPECT_TRUE(space.robotSpace().feasible(q));
          EXPECT_LE((endOf(q) - Eigen::Vector2d(1.2, 0)).norm(), 1e-3);
        }
    }
  }
  EXPECT_GE(planned, 8);
}

TEST(ConstrainedSpace, CopiesPlanTheSamePath) {
  Linkage linkage(4, 1.2, Vector3d(0.55, 0, -0.45));
  RandomStream random(9);
  VectorXd start, goal;
  do linkage.space->sample(random, start);
  while (!linkage.space->feasible(start));
  do linkage.space->sample(random, goal);
  while (!linkage.space->feasible(goal));
  linkage = Linkage(4, 1.2, Vector3d(0.55, 0, -0.45));
  RandomStream first(2), second(2);
  const std::unique_ptr<PlanningSpace> copy = linkage.space->copy();
  const std::vector<VectorXd> path = test::connect(*linkage.space, start, goal, 0.5, 2000, first);
  ASSERT_FALSE(path.empty());
  EXPECT_EQ(test::connect(*copy, start, goal, 0.5, 2000, second), path);
  EXPECT_EQ(linkage.space->counts().edges, copy->counts().edges);
}

TEST(ConstrainedSpace, SaysWhichLinkIsHowFarOff) {
  Linkage linkage(3, 1);
  ConstrainedSpace& space = *linkage.space;
  const std::vector<std::string> names(space.constraints().begin(), space.constraints().end());
  EXPECT_EQ(names, (std::vector<std::string>{"joint_limits", "ik_constraint", "self_collision", "collision", "above"}));
  int violated = 0;
  const VectorXd straight = VectorXd::Zero(3);
  EXPECT_FALSE(space.feasible(straight, &violated));
  ASSERT_EQ(violated, 1);
  const std::string text = space.explain(violated, straight);
  EXPECT_NE(text.find("'rod2'"), std::string::npos) << text;
  EXPECT_NE(text.find("0.5 m"), std::string::npos) << text;
  EXPECT_TRUE(space.feasible(linkageAt(0.3, 1, 1)));
  EXPECT_FALSE(space.satisfies(0, vector({0, 3.2, 0})));
  EXPECT_NE(space.explain(0, vector({0, 3.2, 0})).find("rod1"), std::string::npos);
  EXPECT_FALSE(space.satisfies(1, VectorXd::Constant(3, std::nan(""))));
  EXPECT_FALSE(space.satisfies(4, vector({2.6, 0, 0}))) << "constraints of the robot's space come along";
  EXPECT_EQ(space.coordinateName(1), "rod1");
  const Value properties = space.properties();
  EXPECT_TRUE(properties.at("submanifold").asBool());
}

TEST(ConstrainedSpace, BadInputSaysWhatIsWrong) {
  Linkage linkage(3, 1);
  const std::vector<IKGoal> goals = {linkage.goal};
  const auto with = [&](auto change) {
    ConstrainedSpaceOptions options;
    change(options);
    return ConstrainedSpace(*linkage.robot, goals, options);
  };
  EXPECT_THROW(with([](auto& o) { o.tolerance = 0; }), Error);
  EXPECT_THROW(with([](auto& o) { o.step = std::nan(""); }), Error);
  EXPECT_THROW(with([](auto& o) { o.growth = 1; }), Error);
  EXPECT_THROW(with([](auto& o) { o.deviation = 1e-7; }), Error);
  EXPECT_THROW(with([](auto& o) { o.maxIterations = 0; }), Error);
  IKGoal unknown = linkage.goal;
  unknown.link = 7;
  EXPECT_THROW(ConstrainedSpace(*linkage.robot, {unknown}), Error);
  // Only the last link is planned for, and the goal is for the first.
  RobotDescription arm = test::armDescription(3);
  World w;
  w.robots.push_back(test::placedRobot(std::move(arm)));
  RobotSpaceOptions last;
  last.links = {2};
  const RobotSpace one(std::make_shared<const WorldCollider>(std::make_shared<const World>(std::move(w))), 0,
                       VectorXd::Zero(3), last);
  IKGoal first = linkage.goal;
  first.link = 0;
  try {
    ConstrainedSpace space(one, {first});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("'rod0'"), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace mortise
