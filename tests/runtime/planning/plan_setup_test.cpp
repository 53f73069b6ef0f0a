#include "mortise/planning/plan_setup.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/planning/space/plan_space.h"
#include "tests/support/plugins.h"
#include "tests/support/tree_planner.h"
#include "tests/support/vector.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

/// A planar arm of three rods that turn about y, hung up at the origin, and a box below, at (0, 0, -0.9).
std::shared_ptr<const World> armAndBox() {
  RobotDescription robot = test::armDescription(3);
  for (Link& link : robot.links) {
    link.geometry =
        std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(0.03, -0.02, -0.02), Vector3d(0.47, 0.02, 0.02)});
    link.qMin = -3;
    link.qMax = 3;
  }
  World world;
  world.robots.push_back(test::placedRobot(std::move(robot)));
  world.objects.push_back(test::boxObject("box", Vector3d(0, 0, -0.9)));
  return std::make_shared<const World>(std::move(world));
}

/// From one side of the box to the other: the straight edge leads through it.
PlanRequest request() {
  PlanRequest request;
  request.space.robots = {0};
  request.starts = {vector({M_PI / 2 - 0.6, 0, 0})};
  request.goal.configurations = {vector({M_PI / 2 + 0.6, 0, 0})};
  request.planner = "test.Tree";
  request.stop.iterations = 20000;
  request.seed = 7;
  return request;
}

class PlanSetupTest : public ::testing::Test {
 protected:
  PlanSetupTest() : registry(log) {
    test::addTreePlanner(registry);
    registry.discover();
  }
  PlanSetup setup(PlanRequest request) { return PlanSetup(world, nullptr, std::move(request), registry, log); }
  std::string faultOf(PlanRequest request) {
    try {
      setup(std::move(request));
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  test::MemoryLog log;
  Registry registry;
  std::shared_ptr<const World> world = armAndBox();
};

TEST_F(PlanSetupTest, PlansAroundWhatIsInTheWay) {
  PlanSetup setup = this->setup(request());
  EXPECT_FALSE(setup.space().visible(setup.problem().starts[0], vector({M_PI / 2 + 0.6, 0, 0})));
  const PlanResult result = setup.run();
  ASSERT_EQ(result.run.outcome.status, PlanningStatus::solved) << result.run.outcome.message;
  EXPECT_EQ(result.planner, "test.Tree");
  ASSERT_GE(result.path.size(), 3u);
  EXPECT_EQ(result.path.front(), request().starts[0]);
  EXPECT_EQ(result.path.back(), request().goal.configurations[0]);
  // Looked at anew, with a collider of another making.
  WorldCollisionState state(std::make_shared<const WorldCollider>(world));
  for (std::size_t i = 1; i < result.path.size(); ++i)
    for (int k = 0; k <= 200; ++k) {
      state.setConfiguration(0, result.path[i - 1] + k / 200.0 * (result.path[i] - result.path[i - 1]));
      ASSERT_FALSE(state.anyCollision()) << i << " " << k;
    }
}

TEST_F(PlanSetupTest, EqualRequestsGiveEqualPathsAndSeedsMatter) {
  PlanSetup first = setup(request()), second = setup(request());
  const PlanResult a = first.run(), b = second.run(), again = first.run();
  ASSERT_FALSE(a.path.empty());
  EXPECT_EQ(a.path, b.path);
  EXPECT_EQ(a.path, again.path);
  EXPECT_EQ(a.run.iterations, again.run.iterations);
  PlanRequest other = request();
  other.seed = 8;
  EXPECT_NE(setup(other).run().path, a.path);
}

TEST_F(PlanSetupTest, ARunThatTimeStoppedIsRepeatedByItsIterations) {
  PlanRequest limited = request();
  limited.stop.iterations = std::numeric_limits<std::int64_t>::max();
  limited.stop.foundSolution = false;
  limited.stop.seconds = 0.05;
  const PlanResult before = setup(limited).run();
  EXPECT_EQ(before.run.stoppedBy, "timeLimit");
  limited.stop.seconds = std::numeric_limits<double>::infinity();
  limited.stop.iterations = before.run.iterations;
  const PlanResult after = setup(limited).run();
  EXPECT_EQ(after.run.stoppedBy, "maxIters");
  EXPECT_EQ(after.run.iterations, before.run.iterations);
  EXPECT_EQ(after.path, before.path);
}

TEST_F(PlanSetupTest, CanBeStoppedAndSaysHowFarItIs) {
  PlanRequest endless = request();
  endless.stop.iterations = std::numeric_limits<std::int64_t>::max();
  endless.stop.foundSolution = false;
  int calls = 0;
  std::int64_t iterations = -1;
  const PlanResult result = setup(endless).run([&] { return calls == 2; },
                                               [&](double seconds, std::int64_t done, double) {
                                                 EXPECT_GT(seconds, 0);
                                                 EXPECT_GT(done, iterations);
                                                 iterations = done;
                                                 ++calls;
                                               });
  EXPECT_EQ(result.run.stoppedBy, "stopRequested");
  EXPECT_EQ(calls, 2);
}

TEST_F(PlanSetupTest, PlansForSomeLinksAloneAndTheOthersStay) {
  PlanRequest some = request();
  some.space.links = {world->linkId(0, 0), world->linkId(0, 1)};
  some.starts[0][2] = some.goal.configurations[0][2] = 0.25;
  PlanSetup setup = this->setup(some);
  EXPECT_EQ(setup.space().dimension(), 2);
  const PlanResult result = setup.run();
  ASSERT_FALSE(result.path.empty());
  for (const VectorXd& q : result.path) EXPECT_EQ(q[2], 0.25);

  some.goal.configurations[0][2] = 0.5;
  const std::string fault = faultOf(some);
  EXPECT_NE(fault.find("link 'rod2'"), std::string::npos) << fault;
  EXPECT_NE(fault.find("not planned for"), std::string::npos) << fault;
}

TEST_F(PlanSetupTest, IgnoresPairsWhenTold) {
  PlanRequest blind = request();
  for (int link = 0; link < 3; ++link) blind.space.ignored.push_back({world->objectId(0), world->linkId(0, link)});
  EXPECT_TRUE(setup(blind).space().visible(blind.starts[0], blind.goal.configurations[0]));
}

TEST_F(PlanSetupTest, KeepsAMargin) {
  PlanRequest wide = request();
  wide.space.margin = 0.05;
  PlanSetup setup = this->setup(wide);
  const PlanResult result = setup.run();
  EXPECT_EQ(result.run.outcome.status, PlanningStatus::solved);
  WorldCollisionState state(std::make_shared<const WorldCollider>(world));
  for (const VectorXd& q : result.path) {
    state.setConfiguration(0, q);
    for (int link = 0; link < 3; ++link)
      EXPECT_GT(state.distance(world->objectId(0), world->linkId(0, link)).distance, 0.05);
  }
}

TEST_F(PlanSetupTest, FindsARegionAndOneOfSeveralGoals) {
  PlanRequest region = request();
  region.goal.configurations.clear();
  region.goal.low = vector({-kInfinity, 1, -kInfinity});
  region.goal.high = vector({kInfinity, 1.05, kInfinity});
  const PlanResult result = setup(region).run();
  ASSERT_FALSE(result.path.empty());
  EXPECT_GE(result.path.back()[1], 1);
  EXPECT_LE(result.path.back()[1], 1.05);

  // A configuration that cannot be reached, for the box is there, beside a region that can.
  region.goal.configurations = {vector({M_PI / 2, 0, 0})};
  const PlanResult either = setup(region).run();
  ASSERT_FALSE(either.path.empty());
  EXPECT_GE(either.path.back()[1], 1);
}

TEST_F(PlanSetupTest, SolvesForGoalsOfLinks) {
  PlanRequest reach = request();
  reach.goal.configurations.clear();
  RobotGoal goal;
  goal.goal.link = 2;
  goal.goal.position = IKGoal::Position::point;
  goal.goal.p_LP = Vector3d(0.5, 0, 0);
  goal.goal.p_DP = Vector3d(-0.8, 0, -0.6);
  reach.goal.ik = {goal};
  PlanSetup setup = this->setup(reach);
  const PlanResult result = setup.run();
  ASSERT_EQ(result.run.outcome.status, PlanningStatus::solved) << result.run.outcome.message;
  const Robot& robot = *world->robots[0].robot;
  RobotState state(robot);
  state.q = result.path.back();
  updateFrames(robot, state);
  EXPECT_LT((state.X_WL[2] * goal.goal.p_LP - goal.goal.p_DP).norm(), 1e-3);
  reach.goal.ik[0].goal.p_DP = Vector3d(-5, 0, 0);
  reach.stop.iterations = 200;
  const PlanResult far = this->setup(reach).run();
  EXPECT_TRUE(far.path.empty());
}

TEST_F(PlanSetupTest, SolvesForCenterOfMassSightAndDistance) {
  const Robot& robot = *world->robots[0].robot;
  RobotState state(robot);
  const auto end = [&](const PlanRequest& reach) {
    const PlanResult result = setup(reach).run();
    EXPECT_EQ(result.run.outcome.status, PlanningStatus::solved) << result.run.outcome.message;
    if (result.path.empty()) return false;
    state.q = result.path.back();
    updateFrames(robot, state);
    return true;
  };
  const auto request = [](std::vector<RobotTerm> terms) {
    PlanRequest reach = mortise::request();
    reach.goal.configurations.clear();
    reach.goalTerms = std::move(terms);
    return reach;
  };
  CenterOfMassGoal center{Vector3d(-0.4, 0, 0), {true, false, false}};
  const PlanRequest balanced = request({{0, {center}}});
  ASSERT_TRUE(end(balanced));
  RobotDynamics dynamics(world->robots[0].robot);
  dynamics.setPosition(state.q);
  EXPECT_NEAR(dynamics.centerOfMass().x(), -0.4, 1e-3);

  // The tip points at a target, the middle joint keeps its distance from another one, and the first joint is near 0.5.
  LookAtGoal lookAt;
  lookAt.link = 2;
  lookAt.axis_L = Vector3d::UnitX();
  lookAt.p_DT = Vector3d(-2, 0, 0.3);
  DistanceGoal distance;
  distance.link = 1;
  distance.p_DP = Vector3d(0, 0, 0.5);
  distance.high = 0.3;
  const PlanRequest several = request({{0, {lookAt}}, {0, {distance}}, {0, {CoordinateGoal{0, -1.3}, 1}}});
  ASSERT_TRUE(end(several));
  const RigidTransform X_LW = state.X_WL[2].inverse();
  EXPECT_LT((X_LW * lookAt.p_DT).normalized().cross(lookAt.axis_L).norm(), 1e-3);
  EXPECT_GT((X_LW * lookAt.p_DT).x(), 0);
  EXPECT_LE((state.X_WL[1].p - distance.p_DP).norm(), 0.3 + 1e-3);
  EXPECT_NEAR(state.q[0], -1.3, 0.02) << "what gives way is met where the others let it";

  EXPECT_NE(faultOf(request({{0, {center, 1}}})).find("priority 0"), std::string::npos);
  EXPECT_NE(faultOf(request({{1, {center}}})).find("not planned for"), std::string::npos);
  PlanRequest far = request({{0, {CenterOfMassGoal{Vector3d(5, 0, 0), {true, false, false}}}}});
  PlanSetup unreachable = setup(far);
  RandomStream random(3);
  VectorXd q;
  EXPECT_FALSE(unreachable.goal().sample(random, q));
  EXPECT_NE(unreachable.goal().explain().find("the center of mass of robot"), std::string::npos)
      << unreachable.goal().explain();
}

TEST_F(PlanSetupTest, NearTheStartIsNearerThanAnyOther) {
  IKGoal goal;
  goal.link = 2;
  goal.position = IKGoal::Position::point;
  goal.p_LP = Vector3d(0.5, 0, 0);
  goal.p_DP = Vector3d(0.7, 0, 0.5);
  PlanRequest reach = request();
  reach.goal.configurations.clear();
  reach.goal.ik = {{0, goal}};
  PlanSetup anywhere = setup(reach);
  reach.nearStart = true;
  PlanSetup near = setup(reach);
  RandomStream random(3);
  VectorXd nearest, other;
  ASSERT_TRUE(near.goal().sample(random, nearest));
  EXPECT_LT(anywhere.goal().distance(nearest), 1e-3) << "it meets the goal";
  const VectorXd& start = near.problem().starts[0];
  int found = 0;
  for (int k = 0; k < 20; ++k)
    if (anywhere.goal().sample(random, other)) {
      ++found;
      EXPECT_GE(near.space().distance(start, other), 0.8 * near.space().distance(start, nearest));
    }
  EXPECT_GT(found, 10);
  VectorXd again;
  PlanSetup same = setup(reach);
  ASSERT_TRUE(same.goal().sample(random, again));
  EXPECT_EQ(again, nearest);
}

TEST_F(PlanSetupTest, GrippersStayWhereTheyAreInGoalsOfLinks) {
  // The last rod is a gripper: the goal places the one before it.
  IKGoal goal;
  goal.link = 1;
  goal.position = IKGoal::Position::point;
  goal.p_LP = Vector3d(0.5, 0, 0);
  goal.p_DP = Vector3d(0.6, 0, 0.4);
  PlanRequest reach = request();
  reach.starts[0][2] = 0.8;
  reach.goal.configurations.clear();
  reach.goal.ik = {{0, goal}};
  for (const bool near : {false, true}) {
    reach.nearStart = near;
    PlanSetup setup = this->setup(reach);
    RandomStream random(3);
    VectorXd q;
    int found = 0;
    for (int k = 0; k < 10; ++k) {
      if (!setup.goal().sample(random, q)) continue;
      ++found;
      EXPECT_EQ(q[2], 0.8);
    }
    EXPECT_GT(found, 0);
    const PlanResult result = setup.run();
    ASSERT_EQ(result.run.outcome.status, PlanningStatus::solved) << result.run.outcome.message;
    EXPECT_EQ(result.path.back()[2], 0.8);
  }
}

TEST_F(PlanSetupTest, ARunWithoutPathSaysWhatIsInTheWay) {
  PlanRequest brief = request();
  brief.stop.iterations = 1;
  const PlanResult result = setup(brief).run();
  ASSERT_EQ(result.run.outcome.status, PlanningStatus::stopped);
  const std::string& message = result.run.outcome.message;
  EXPECT_NE(message.find("nodes; on the straight way to the goal 'box' collides with 'arm[rod"), std::string::npos)
      << message;
}

TEST_F(PlanSetupTest, KeepsGoalsOfLinksAllAlong) {
  // The tip stays in the plane z = 1.2.
  PlanRequest slide = request();
  RobotGoal keep;
  keep.goal.link = 2;
  keep.goal.position = IKGoal::Position::plane;
  keep.goal.p_LP = Vector3d(0.5, 0, 0);
  keep.goal.p_DP = Vector3d(0, 0, 1.2);
  keep.goal.direction_D = Vector3d(0, 0, 1);
  slide.space.keep = {keep};
  slide.space.keepTolerance = 1e-4;
  const auto at = [&](double a, double b) {
    // The tip's height is -(sin a + sin (a + b) + sin (a + b + c)) / 2: c follows.
    const double s = -2.4 - std::sin(a) - std::sin(a + b);
    return vector({a, b, std::asin(s) - a - b});
  };
  slide.starts = {at(-1.2, 0.3)};
  slide.goal.configurations = {at(-0.8, -0.3)};
  // What is nearly right is made right.
  slide.starts[0][2] += 1e-3;
  PlanSetup setup = this->setup(slide);
  EXPECT_TRUE(log.mentions("is projected onto them"));
  const PlanResult result = setup.run();
  ASSERT_EQ(result.run.outcome.status, PlanningStatus::solved) << result.run.outcome.message;
  ASSERT_GE(result.path.size(), 3u);
  const Robot& robot = *world->robots[0].robot;
  RobotState state(robot);
  for (std::size_t i = 1; i < result.path.size(); ++i)
    for (int k = 0; k <= 10; ++k) {
      state.q = result.path[i - 1] + k / 10.0 * (result.path[i] - result.path[i - 1]);
      updateFrames(robot, state);
      ASSERT_NEAR((state.X_WL[2] * keep.goal.p_LP).z(), 1.2, 1.1e-3) << i << " " << k;
    }
  slide.space.object = 0;
  slide.space.robots.clear();
  slide.starts = {VectorXd::Zero(6)};
  EXPECT_NE(faultOf(slide).find("a rigid object moves"), std::string::npos) << faultOf(slide);
}

TEST_F(PlanSetupTest, MovesSeveralRobotsAndObjects) {
  World two = *world;
  RobotDescription description = two.robots[0].robot->description();
  for (Link& link : description.links)
    if (link.parent < 0) link.X_PL0.p = Vector3d(2.2, 0, 0);
  two.robots.push_back(test::placedRobot(description));
  two.robots[1].name = "other";
  world = std::make_shared<const World>(two);
  PlanRequest both = request();
  both.space.robots = {0, 1};
  both.starts = {vector({-1.4, 0, 0, -1.7, 0, 0})};
  both.goal.configurations = {vector({-0.2, 0, 0.1, -2.2, 0, 0})};
  both.settings.set("range", 0.6);
  both.stop.iterations = 100000;
  PlanSetup pair = setup(both);
  EXPECT_EQ(pair.space().dimension(), 6);
  const PlanResult result = pair.run();
  ASSERT_EQ(result.run.outcome.status, PlanningStatus::solved) << result.run.outcome.message;
  WorldCollisionState state(std::make_shared<const WorldCollider>(world));
  for (const VectorXd& q : result.path) {
    state.setConfiguration(0, q.head(3));
    state.setConfiguration(1, q.tail(3));
    EXPECT_FALSE(state.anyCollision());
  }
  // Where the two arms would cross, the goal is none.
  both.goal.configurations[0][3] = -2.9;
  EXPECT_EQ(setup(both).run().run.outcome.status, PlanningStatus::goalInfeasible);

  PlanRequest object;
  object.space.object = 0;
  object.space.workspace = Eigen::AlignedBox3d(Vector3d(-2, -2, -2), Vector3d(3, 2, 2));
  object.planner = "test.Tree";
  object.settings.set("range", 0.4);
  object.stop.iterations = 20000;
  object.starts = {worldConfiguration(*world, object.space)};
  object.goal.configurations = {vector({-0.4, 0, 0.5, 0, 0, 1})};
  const PlanResult moved = setup(object).run();
  ASSERT_EQ(moved.run.outcome.status, PlanningStatus::solved) << moved.run.outcome.message;
  EXPECT_EQ(moved.path.back().size(), 6);
}

TEST_F(PlanSetupTest, SaysWhichStartOrGoalCannotBeAndWhy) {
  PlanRequest blocked = request();
  blocked.starts = {vector({M_PI / 2, 0, 0})};
  PlanResult result = setup(blocked).run();
  EXPECT_EQ(result.run.outcome.status, PlanningStatus::startInfeasible);
  EXPECT_NE(result.run.outcome.message.find("'box'"), std::string::npos) << result.run.outcome.message;
  blocked = request();
  blocked.goal.configurations[0][1] = 3.5;
  result = setup(blocked).run();
  EXPECT_EQ(result.run.outcome.status, PlanningStatus::goalInfeasible);
  EXPECT_NE(result.run.outcome.message.find("rod1"), std::string::npos) << result.run.outcome.message;
}

TEST_F(PlanSetupTest, RefusesWhatDoesNotFit) {
  PlanRequest bad = request();
  bad.planner = "test.Tre";
  EXPECT_NE(faultOf(bad).find("test.Tree"), std::string::npos) << faultOf(bad);
  bad = request();
  bad.settings.set("rage", 1);
  EXPECT_NE(faultOf(bad).find("range"), std::string::npos) << faultOf(bad);
  bad = request();
  bad.starts[0].conservativeResize(2);
  EXPECT_NE(faultOf(bad).find("3 finite numbers, not 2"), std::string::npos) << faultOf(bad);
  bad = request();
  bad.starts.clear();
  EXPECT_NE(faultOf(bad).find("no start"), std::string::npos);
  bad = request();
  bad.goal.configurations.clear();
  EXPECT_NE(faultOf(bad).find("no goal"), std::string::npos);
  bad = request();
  bad.space.object = 0;
  EXPECT_NE(faultOf(bad).find("not both"), std::string::npos);
  bad = request();
  bad.space.robots = {1};
  EXPECT_NE(faultOf(bad).find("no robot 1"), std::string::npos);
  bad = request();
  bad.space.links = {world->objectId(0)};
  EXPECT_NE(faultOf(bad).find("'box' is not a link"), std::string::npos) << faultOf(bad);
  bad = request();
  bad.space.weights = VectorXd::Ones(2);
  EXPECT_NE(faultOf(bad).find("weights"), std::string::npos);
}

}  // namespace
}  // namespace mortise
