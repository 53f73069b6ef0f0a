#include "mortise/planning/paths/retime.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/planning/paths/path_check.h"
#include "mortise/planning/paths/ramp_shortcut.h"
#include "mortise/planning/planning_run.h"
#include "mortise/planning/spaces/robot_space.h"
#include "mortise/timing/bound_usage.h"
#include "tests/toolbox/planning/arm_scene.h"

namespace mortise {
namespace {

using test::ArmScene;
using test::limit;

StopConditions retimeRounds(std::int64_t count) {
  StopConditions conditions;
  conditions.foundSolution = false;
  conditions.iterations = count;
  return conditions;
}

MotionLimits limitsOf(std::vector<CoordinateLimits> limits) {
  MotionLimits result;
  result.limits = std::move(limits);
  return result;
}

/// Round the box at (1, 0, -1), which the straight edge from level to straight down goes through.
std::vector<VectorXd> roundTheBox() {
  return {vector({0, 0, 0}),       vector({-0.6, 0.3, 0}), vector({-0.2, 1.6, 0.4}), vector({0.4, 1.9, 0.9}),
          vector({0.9, 1.9, 0.6}), vector({1.7, 0.9, 0}),  vector({1.9, 0, 0})};
}

TEST(RampShortcutter, MeetsTheClosedFormWhereNothingIsInTheWay) {
  test::PlaneSpace space(0);
  const std::vector<CoordinateLimits> limits = {limit(1, 2), limit(2, 1)};
  const std::vector<VectorXd> path = {vector({0, 0}), vector({1, 2}), vector({2, 0}), vector({3, 0})};
  RandomStream random(1);
  StopClock stop(retimeRounds(3000));
  RetimeOptions options;
  options.idle = 0;
  const RetimeOutcome outcome = retime(space, limitsOf(limits), path, random, stop, options);
  // 3 at full speed 1, and half a second up and down: 3.5 s. Coordinate 1 could rest.
  EXPECT_NEAR(outcome.duration, 3.5, 0.01);
  EXPECT_GE(outcome.duration, 3.5 - 1e-9);
  EXPECT_GT(outcome.durationBefore, 6);
  EXPECT_EQ(outcome.stops, 0);
  EXPECT_LE(boundUsage(outcome.trajectory, limits).velocity, 1 + 1e-9);
  EXPECT_LE(boundUsage(outcome.trajectory, limits).acceleration, 1 + 1e-9);
}

TEST(RampShortcutter, MotionsAmongObstaclesAreFreeAndWithinBounds) {
  const ArmScene scene(Vector3d(1, 0, -1));
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3));
  PathChecker checker(space, scene.collider);
  const MotionLimits limits = motionLimits(space, *scene.world);
  EXPECT_TRUE(limits.assumed.empty());
  ASSERT_TRUE(checker.check(roundTheBox()).valid) << checker.check(roundTheBox()).faults[0].text;
  for (const RetimeMethod method : {RetimeMethod::parabolic, RetimeMethod::blend, RetimeMethod::linear}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      RandomStream random(seed);
      StopClock stop(retimeRounds(500));
      RetimeOptions options;
      options.method = method;
      options.tolerance = 1e-4;
      const RetimeOutcome outcome = retime(space, limits, roundTheBox(), random, stop, options);
      std::vector<CoordinateLimits> bounds = limits.limits;
      if (method == RetimeMethod::linear)
        for (CoordinateLimits& c : bounds) c.aMax = std::numeric_limits<double>::infinity();
      const PathCheckResult result = checker.check(outcome.trajectory, bounds);
      EXPECT_TRUE(result.valid) << retimeMethodName(method) << ": " << result.faults[0].text;
      EXPECT_EQ(outcome.trajectory.configurations.front(), roundTheBox().front());
      EXPECT_TRUE(outcome.trajectory.configurations.back().isApprox(roundTheBox().back()));
      if (method == RetimeMethod::parabolic) {
        EXPECT_LT(outcome.duration, 0.7 * outcome.durationBefore);
        EXPECT_GT(outcome.improvements, 0);
      } else if (method == RetimeMethod::blend) {
        EXPECT_LT(outcome.duration, outcome.durationBefore);
        EXPECT_NEAR(outcome.length, outcome.lengthBefore, 0.2);
      }
    }
  }
}

TEST(RampShortcutter, TheSameStreamGivesTheSameMotionAndAnyRoundIsWhole) {
  const ArmScene scene(Vector3d(1, 0, -1));
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3));
  const MotionLimits limits = motionLimits(space, *scene.world);
  const auto run = [&](std::uint64_t seed, std::int64_t count) {
    RandomStream random(seed);
    StopClock stop(retimeRounds(count));
    RetimeOptions options;
    options.idle = 0;
    return retime(space, limits, roundTheBox(), random, stop, options);
  };
  const RetimeOutcome a = run(1, 100), b = run(1, 100), c = run(2, 100);
  EXPECT_EQ(a.trajectory.times, b.trajectory.times);
  EXPECT_EQ(a.trajectory.configurations, b.trajectory.configurations);
  EXPECT_NE(a.trajectory.times, c.trajectory.times);
  PathChecker checker(space, scene.collider);
  double before = a.durationBefore;
  for (const std::int64_t count : {0, 1, 2, 3, 5, 8, 13, 21, 34, 55}) {
    const RetimeOutcome outcome = run(1, count);
    EXPECT_EQ(outcome.rounds, count);
    EXPECT_LE(outcome.duration, before * (1 + 1e-6));
    before = outcome.duration;
    const PathCheckResult result = checker.check(outcome.trajectory, limits.limits, {.resolution = 0.01});
    EXPECT_TRUE(result.valid) << count << ": " << result.faults[0].text;
  }
}

TEST(RampShortcutter, CircularJointsGoTheShortWay) {
  const ArmScene scene(Vector3d(10, 0, 0), Vector3d::Constant(0.2), 0);
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3));
  const MotionLimits limits = motionLimits(space, *scene.world);
  ASSERT_TRUE(limits.limits[0].circular);
  ASSERT_FALSE(limits.limits[1].circular);
  const std::vector<VectorXd> path = {vector({3, 0, 0}), vector({-2.5, 1, 0}), vector({-0.1, 0, 0}), vector({2, 0, 1})};
  PathChecker checker(space, scene.collider);
  for (const RetimeMethod method : {RetimeMethod::parabolic, RetimeMethod::blend, RetimeMethod::linear}) {
    RandomStream random(1);
    StopClock stop(retimeRounds(200));
    RetimeOptions options;
    options.method = method;
    const RetimeOutcome outcome = retime(space, limits, path, random, stop, options);
    EXPECT_NEAR(outcome.trajectory.configurations.back()[0], 2 + 2 * M_PI, 1e-9);
    std::vector<CoordinateLimits> bounds = limits.limits;
    if (method == RetimeMethod::linear)
      for (CoordinateLimits& c : bounds) c.aMax = std::numeric_limits<double>::infinity();
    const PathCheckResult result = checker.check(outcome.trajectory, bounds);
    EXPECT_TRUE(result.valid) << retimeMethodName(method) << ": " << result.faults[0].text;
    EXPECT_LT(outcome.trajectory.times.size(), 200u) << "ways are lines, so nothing was discretized";
  }
}

TEST(MotionLimits, FollowLinksAndDriversAndSayWhatTheyAssume) {
  const ArmScene scene(Vector3d(10, 0, 0));
  RobotSpaceOptions some;
  some.links = {2, 1};
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3), some);
  MotionLimitOptions options;
  options.velocityScaling = 0.5;
  options.accelerationScaling = 0.25;
  MotionLimits limits = motionLimits(space, *scene.world, options);
  ASSERT_EQ(limits.limits.size(), 2u);
  EXPECT_EQ(limits.names, (std::vector<std::string>{"rod1", "rod2"}));
  EXPECT_DOUBLE_EQ(limits.limits[0].vMax, 1);
  EXPECT_DOUBLE_EQ(limits.limits[0].vMin, -1);
  EXPECT_DOUBLE_EQ(limits.limits[0].aMax, 1);
  EXPECT_DOUBLE_EQ(limits.limits[0].xMax, 3);
  options.velocity = 3;
  options.acceleration = 8;
  limits = motionLimits(space, *scene.world, options);
  EXPECT_DOUBLE_EQ(limits.limits[1].vMax, 1.5);
  EXPECT_DOUBLE_EQ(limits.limits[1].aMax, 2);

  for (const double bad : {0.0, -1.0, 1.5, std::nan("")}) {
    options = {};
    options.velocityScaling = bad;
    EXPECT_THROW(motionLimits(space, *scene.world, options), Error);
    options = {};
    options.accelerationScaling = bad;
    EXPECT_THROW(motionLimits(space, *scene.world, options), Error);
  }
  options = {};
  options.velocity = -1;
  EXPECT_THROW(motionLimits(space, *scene.world, options), Error);
}

/// As `ArmScene`, with links and drivers changed.
template <typename F>
std::shared_ptr<const World> changed(const ArmScene& scene, F&& change) {
  World world = *scene.world;
  RobotDescription description = world.robots[0].robot->description();
  change(description);
  world.robots[0] = test::placedRobot(std::move(description));
  return std::make_shared<const World>(std::move(world));
}

TEST(MotionLimits, InfiniteAccelerationsFollowFromVelocities) {
  const ArmScene scene(Vector3d(10, 0, 0));
  const auto world = changed(scene, [](RobotDescription& robot) {
    for (Link& link : robot.links) link.accelerationMax = std::numeric_limits<double>::infinity();
  });
  RobotSpace space(std::make_shared<const WorldCollider>(world), 0, VectorXd::Zero(3));
  MotionLimits limits = motionLimits(space, *world);
  EXPECT_EQ(limits.assumed, (std::vector<int>{0, 1, 2}));
  EXPECT_DOUBLE_EQ(limits.limits[0].aMax, 8) << "2 rad/s within 0.25 s";
  MotionLimitOptions options;
  options.rampUp = 0;
  try {
    motionLimits(space, *world, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'rod0'"), std::string::npos);
    EXPECT_NE(error.hint().find("acceleration: 4"), std::string::npos);
  }
  const auto wild = changed(scene, [](RobotDescription& robot) {
    for (Link& link : robot.links) {
      link.accelerationMax = link.velocityMax = std::numeric_limits<double>::infinity();
      link.velocityMin = -std::numeric_limits<double>::infinity();
    }
  });
  RobotSpace other(std::make_shared<const WorldCollider>(wild), 0, VectorXd::Zero(3));
  EXPECT_THROW(motionLimits(other, *wild), Error);
}

TEST(MotionLimits, AffineDriversAreOneCoordinateAndLiftingIsExact) {
  const ArmScene scene(Vector3d(10, 0, 0));
  const auto world = changed(scene, [](RobotDescription& robot) {
    robot.drivers.resize(2);
    robot.drivers[1].type = DriverType::affine;
    robot.drivers[1].name = "pinch";
    robot.drivers[1].links = {1, 2};
    robot.drivers[1].scale = {1, -2};
    robot.drivers[1].offset = {0.1, 0};
    robot.drivers[1].qMin = -5;
    robot.drivers[1].qMax = 5;
  });
  RobotSpace space(std::make_shared<const WorldCollider>(world), 0, VectorXd::Zero(3));
  const MotionLimits limits = motionLimits(space, *world);
  ASSERT_EQ(limits.limits.size(), 2u);
  EXPECT_NEAR(limits.limits[1].vMax, 1, 1e-12) << "rod2 moves twice as fast";
  EXPECT_NEAR(limits.limits[1].aMax, 2, 1e-12);
  RandomStream random(1);
  StopClock stop(retimeRounds(100));
  const RetimeOutcome outcome =
      retime(space, limits, {vector({0, 0}), vector({1, 0.5}), vector({-1, 0.2})}, random, stop);
  const HermiteTrajectory complete = liftTrajectory(space, outcome.trajectory);
  ASSERT_EQ(complete.times.size(), outcome.trajectory.times.size());
  std::vector<CoordinateLimits> links(3, limit(2, 4));
  EXPECT_LE(boundUsage(complete, links).velocity, 1 + 1e-9);
  EXPECT_LE(boundUsage(complete, links).acceleration, 1 + 1e-9);
  VectorXd q(2), dq(2), full, expected(3), rates(3);
  for (double t = 0; t < outcome.duration; t += 0.01) {
    outcome.trajectory.evaluate(t, q, dq);
    space.lift(q, full);
    complete.evaluate(t, expected, rates);
    EXPECT_LT((full - expected).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_NEAR(rates[2], -2 * dq[1], 1e-9);
  }
  const HermiteTrajectory robot = ofMover(complete, space.movers()[0]);
  EXPECT_EQ(robot.configurations, complete.configurations);
  EXPECT_EQ(liftPath(space, {vector({1, 2})})[0].size(), 3);
}

/// Ways are arcs about the origin: angles and radii go straight, coordinates do not.
class ArcSpace final : public test::PlaneSpace {
 public:
  ArcSpace() : PlaneSpace(0.5) {}
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override {
    const double from = std::atan2(a[1], a[0]), turn = std::remainder(std::atan2(b[1], b[0]) - from, 2 * M_PI);
    const double r = (1 - u) * a.norm() + u * b.norm(), angle = from + u * turn;
    q = vector({r * std::cos(angle), r * std::sin(angle)});
  }
  void refine(const VectorXd& a, const VectorXd& b, double tolerance, std::vector<VectorXd>& path) const override {
    const double turn = std::acos(a.dot(b) / a.norm() / b.norm());
    const int parts = std::max(1, static_cast<int>(std::ceil(turn / std::sqrt(8 * tolerance / 4))));
    for (int k = 1; k < parts; ++k) {
      VectorXd q;
      interpolate(a, b, static_cast<double>(k) / parts, q);
      path.push_back(q);
    }
  }
  bool satisfies(int constraint, const VectorXd& q) override {
    return PlaneSpace::satisfies(constraint, q) && (!ring || std::abs(q.norm() - 1) < 1e-6);
  }
  bool visible(const VectorXd&, const VectorXd&) override { return true; }
  bool ring = false;
};

TEST(Discretize, KeepsToWaysThatAreNoLines) {
  ArcSpace space;
  const std::vector<VectorXd> path = {vector({1, 0}), vector({0, 1}), vector({-1, 0})};
  for (const double tolerance : {1e-2, 1e-4}) {
    const std::vector<VectorXd> fine = discretize(space, path, tolerance);
    EXPECT_GT(fine.size(), 6u);
    for (std::size_t i = 1; i < fine.size(); ++i) EXPECT_LT(1 - (0.5 * (fine[i] + fine[i - 1])).norm(), tolerance);
  }
  EXPECT_THROW(discretize(space, path, 0), Error);
  test::PlaneSpace plane;
  EXPECT_EQ(discretize(plane, path, 1e-3), path);

  const MotionLimits limits = limitsOf({limit(1, 1), limit(1, 1)});
  RandomStream random(1);
  StopClock stop(retimeRounds(10));
  RetimeOptions options;
  try {
    retime(space, limits, path, random, stop, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("blend"), std::string::npos);
  }
  options.method = RetimeMethod::blend;
  options.tolerance = 1e-4;
  options.deviation = 1e-4;
  const RetimeOutcome outcome = retime(space, limits, path, random, stop, options);
  VectorXd q(2), dq(2);
  for (double t = 0; t < outcome.duration; t += 1e-3) {
    outcome.trajectory.evaluate(t, q, dq);
    EXPECT_NEAR(q.norm(), 1, 3e-4);
  }
  EXPECT_LT(outcome.duration, 0.5 * outcome.durationBefore) << "no rests";
  EXPECT_LE(boundUsage(outcome.trajectory, limits.limits).acceleration, 1 + 1e-9);
}

/// The first coordinate jumps by 2 on the way, as rotation vectors do.
class JumpingSpace final : public test::PlaneSpace {
 public:
  JumpingSpace() : PlaneSpace(0) {}
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override {
    PlaneSpace::interpolate(a, b, u, q);
    if (u > 0 && u < 1) q[0] = std::remainder(q[0] + 1, 2);
  }
};

TEST(Retime, CoordinatesThatJumpAreNoMotion) {
  JumpingSpace space;
  RandomStream random(1);
  StopClock stop(retimeRounds(10));
  RetimeOptions options;
  options.method = RetimeMethod::blend;
  try {
    retime(space, limitsOf({limit(1, 1), limit(1, 1)}), {vector({-0.9, 0}), vector({0.9, 0})}, random, stop, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("jump"), std::string::npos);
  }
}

TEST(Discretize, SaysWhichConfigurationDoesNotHold) {
  ArcSpace space;
  space.ring = true;
  EXPECT_NO_THROW(discretize(space, {vector({1, 0}), vector({0, 1})}, 1e-3));
  try {
    discretize(space, {vector({1, 0}), vector({0, 1}), vector({-2, 0})}, 1e-3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("milestones 1 and 2"), std::string::npos) << error.what();
  }
}

TEST(Retime, OutputsForFilesAndFollowers) {
  test::PlaneSpace space(0);
  const MotionLimits limits = limitsOf({limit(1, 2), limit(1, 2)});
  RandomStream random(1);
  StopClock stop(retimeRounds(100));
  const RetimeOutcome outcome = retime(space, limits, {vector({0, 0}), vector({1, 1}), vector({2, 0})}, random, stop);
  for (const double tolerance : {1e-2, 1e-4}) {
    const Trajectory lines = sampled(outcome.trajectory, tolerance);
    VectorXd q(2), dq(2), p(2), dp(2);
    for (double t = 0; t < outcome.duration; t += 1e-3) {
      outcome.trajectory.evaluate(t, q, dq);
      lines.evaluate(t, p, dp);
      EXPECT_LE((q - p).cwiseAbs().maxCoeff(), tolerance * (1 + 1e-6));
    }
    EXPECT_EQ(lines.times.back(), outcome.trajectory.times.back());
  }
  EXPECT_THROW(sampled(outcome.trajectory, 0), Error);
  EXPECT_THROW(sampled(outcome.trajectory, 1e-15), Error);

  const MultiPath multi = multiPathOf(outcome.trajectory);
  EXPECT_EQ(multi.problem(), "");
  EXPECT_TRUE(multi.timed());
  VectorXd q(2), dq(2), p(2), dp(2);
  for (double t = 0; t < outcome.duration; t += 0.01) {
    multi.evaluate(t, MultiPath::Interpolation::cubic, q, dq);
    outcome.trajectory.evaluate(t, p, dp);
    EXPECT_LT((p - q).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((dp - dq).cwiseAbs().maxCoeff(), 1e-9);
  }
  // One milestone: a rest.
  const RetimeOutcome rest = retime(space, limits, {vector({1, 1})}, random, stop);
  EXPECT_EQ(rest.duration, 0);
  EXPECT_EQ(multiPathOf(rest.trajectory).problem(), "");
  EXPECT_EQ(sampled(rest.trajectory, 1e-3).times.size(), 1u);
}

TEST(Retime, WrongInputSaysSo) {
  test::PlaneSpace space(0);
  RandomStream random(1);
  StopClock stop(retimeRounds(10));
  const std::vector<VectorXd> path = {vector({0, 0}), vector({1, 1})};
  const MotionLimits limits = limitsOf({limit(1, 2), limit(1, 2)});
  EXPECT_THROW(retime(space, limits, {}, random, stop), Error);
  EXPECT_THROW(retime(space, limitsOf({limit(1, 2)}), path, random, stop), Error);
  EXPECT_THROW(retime(space, limits, {vector({0, 0}), vector({NAN, 1})}, random, stop), Error);
  EXPECT_THROW(retime(space, limitsOf({limit(0, 2), limit(1, 2)}), path, random, stop), Error);
  RetimeOptions options;
  options.tolerance = -1;
  EXPECT_THROW(retime(space, limits, path, random, stop, options), Error);
  EXPECT_EQ(retimeMethod("toppra"), RetimeMethod::blend);
  EXPECT_EQ(retimeMethod("linear"), RetimeMethod::linear);
  try {
    retimeMethod("fast");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("parabolic"), std::string::npos);
  }
}

}  // namespace
}  // namespace mortise
