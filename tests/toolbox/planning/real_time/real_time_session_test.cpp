#include "mortise/planning/real_time/real_time_session.h"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>

#include "mortise/math/rotation.h"
#include "tests/support/hostile_bytes.h"
#include "tests/toolbox/planning/real_time/real_time_scene.h"

namespace mortise {
namespace {

/// Sends a robot to random targets, half of them replaced on the way.
class Errand {
 public:
  Errand(const test::RealTimeScene& scene, RealTimeRobotOptions options, int checks = 10)
      : robot(scene.world, 0, scene.start(), std::move(options)),
        audit(robot.space(), realTimeCollider(scene.world), robot.limits().limits, scene.motions),
        checks_(checks) {
    robot.start(scene.start(), 0);
  }

  VectorXd randomTarget() {
    VectorXd q;
    do robot.space().sample(random, q);
    while (!robot.canStay(q, now()));
    return q;
  }
  double now() const { return 1e-3 * static_cast<double>(tick_); }
  bool there() const { return robot.session().reaches() && now() >= robot.session().queue().endTime(); }
  void tick() {
    robot.session().advance(now());
    VectorXd q(3), dq(3), ddq(3);
    for (int k = 0; k < checks_; ++k) {
      const double t = 1e-3 * (static_cast<double>(tick_) + static_cast<double>(k) / checks_);
      robot.session().queue().evaluate(t, q, dq, ddq);
      audit.observe(t, q, dq);
      hash = hashBytes(q.data(), 3 * sizeof(double), hash);
    }
    ++tick_;
  }
  void run(int targets) {
    for (int i = 0; i < targets; ++i) {
      robot.session().setTarget(robot.configurationTarget(randomTarget()), now());
      const double end = now() + (random.uniform() < 0.5 ? random.uniform(0.05, 1) : 8);
      while (now() < end && !there()) tick();
      reached += there();
    }
  }

  RandomStream random{3, "errands"};
  RealTimeRobot robot;
  MotionAudit audit;
  std::uint64_t hash = 0;
  int reached = 0;

 private:
  int checks_;
  std::int64_t tick_ = 0;
};

class RealTimeSessionTest : public testing::TestWithParam<std::tuple<bool, RealTimeMethod>> {};

TEST_P(RealTimeSessionTest, WhatIsExecutedIsContinuousWithinLimitsAndFree) {
  const auto [moving, method] = GetParam();
  const test::RealTimeScene scene(moving);
  Errand errand(scene, scene.options(method));
  errand.run(25);
  EXPECT_TRUE(errand.audit.findings().clean()) << errand.audit.findings().first;
  EXPECT_GE(errand.reached, method == RealTimeMethod::ik ? 3 : 8);
  EXPECT_GT(errand.audit.findings().peakVelocity, 0.5);
  // The same again, to the last bit.
  Errand again(scene, scene.options(method));
  again.run(25);
  EXPECT_EQ(again.hash, errand.hash);
}

INSTANTIATE_TEST_SUITE_P(All, RealTimeSessionTest,
                         testing::Combine(testing::Bool(), testing::Values(RealTimeMethod::hybrid, RealTimeMethod::tree,
                                                                           RealTimeMethod::ik)),
                         [](const auto& each) {
                           return std::string(std::get<0>(each.param) ? "Moving" : "Resting") +
                                  std::string(realTimeMethodName(std::get<1>(each.param)));
                         });

TEST(RealTimeSession, WhoDoesNotLookAtWhatMovesRunsIntoIt) {
  const test::RealTimeScene scene(true);
  RealTimeRobotOptions options = scene.options();
  options.motions.clear();
  Errand errand(scene, options);
  errand.run(25);
  EXPECT_GT(errand.audit.findings().collisions, 0);
}

TEST(RealTimeSession, AConstantSplitIsKeptAndAnAdaptiveOneFollowsSuccess) {
  const test::RealTimeScene scene(false);
  RealTimeRobotOptions options = scene.options();
  options.session.split.kind = SplitTimeOptions::Kind::constant;
  options.session.split.initial = 0.15;
  Errand errand(scene, options);
  errand.robot.session().setTarget(errand.robot.configurationTarget(errand.randomTarget()), 0);
  while (!errand.there() && errand.now() < 10) errand.tick();
  EXPECT_TRUE(errand.there());
  EXPECT_EQ(errand.robot.session().split(), 0.15);
  EXPECT_NEAR(errand.robot.session().response().response, 0.15, 1e-12);

  Errand adaptive(scene, scene.options());
  adaptive.robot.session().setTarget(adaptive.robot.configurationTarget(adaptive.randomTarget()), 0);
  while (!adaptive.there() && adaptive.now() < 10) adaptive.tick();
  EXPECT_EQ(adaptive.robot.session().split(), options.session.split.min);
  // Nowhere to go: the box holds the target.
  VectorXd inside(3);
  inside << -0.6, 0, 0;
  ASSERT_FALSE(adaptive.robot.canStay(inside, 0));
  adaptive.robot.session().setTarget(adaptive.robot.configurationTarget(inside), adaptive.now());
  for (int i = 0; i < 8000; ++i) adaptive.tick();
  EXPECT_EQ(adaptive.robot.session().split(), options.session.split.max);
  EXPECT_FALSE(adaptive.robot.session().reaches());
  EXPECT_TRUE(adaptive.audit.findings().clean()) << adaptive.audit.findings().first;
}

TEST(RealTimeSession, TakesAPointOfALinkToAPose) {
  const test::RealTimeScene scene(true);
  Errand errand(scene, scene.options());
  IKGoal goal;
  goal.link = 2;
  goal.position = IKGoal::Position::point;
  goal.p_LP = Vector3d(0.5, 0, 0);
  goal.p_DP = Vector3d(0.2, 0, 1.1);
  errand.robot.session().setTarget(errand.robot.poseTarget({goal}), 0);
  while (!errand.there() && errand.now() < 10) errand.tick();
  ASSERT_TRUE(errand.there());
  RobotState state(*scene.world->robots[0].robot);
  state.q = errand.robot.session().queue().endConfiguration();
  updateFrames(*scene.world->robots[0].robot, state);
  EXPECT_LT((state.X_WL[2] * goal.p_LP - goal.p_DP).norm(), 2e-3);
  EXPECT_TRUE(errand.audit.findings().clean()) << errand.audit.findings().first;
}

TEST(RealTimeSession, ContinuesFromASavedStateToTheSameBits) {
  const test::RealTimeScene scene(true);
  Errand one(scene, scene.options()), other(scene, scene.options());
  const VectorXd target = one.randomTarget();
  one.robot.session().setTarget(one.robot.configurationTarget(target), 0);
  for (int i = 0; i < 37; ++i) {
    one.tick();
    other.tick();
  }
  ByteWriter saved;
  one.robot.session().save(saved);
  ByteReader in(saved.bytes());
  other.robot.session().restore(in, other.robot.configurationTarget(target));
  one.hash = other.hash = 0;
  for (int i = 0; i < 2000; ++i) {
    one.tick();
    other.tick();
  }
  EXPECT_EQ(one.hash, other.hash);
  EXPECT_GT(one.robot.session().response().splices, 0);
}

TEST(RealTimeSession, KeepsUpWithTheClockOnTheWall) {
  const test::RealTimeScene scene(true);
  RealTimeRobotOptions options = scene.options();
  options.session.wallClock = true;
  Errand errand(scene, options, 2);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 3; ++i) {
    errand.robot.session().setTarget(errand.robot.configurationTarget(errand.randomTarget()), errand.now());
    const double end = errand.now() + (i < 2 ? 0.3 : 8);
    while (errand.now() < end && !errand.there()) {
      std::this_thread::sleep_until(start + std::chrono::duration<double>(errand.now()));
      errand.tick();
    }
  }
  EXPECT_TRUE(errand.there());
  EXPECT_TRUE(errand.audit.findings().clean()) << errand.audit.findings().first;
}

TEST(RealTimeSession, OptionsThatMakeNoSenseAreRefused) {
  const test::RealTimeScene scene(false);
  const auto refused = [&](const auto& change) {
    RealTimeRobotOptions options = scene.options();
    change(options);
    EXPECT_THROW(RealTimeRobot(scene.world, 0, scene.start(), options), Error);
  };
  refused([](RealTimeRobotOptions& o) { o.session.split.initial = 0; });
  refused([](RealTimeRobotOptions& o) { o.session.split.max = 0.001; });
  refused([](RealTimeRobotOptions& o) { o.session.padding = 1; });
  refused([](RealTimeRobotOptions& o) { o.session.iterationsPerSecond = NAN; });
  refused([](RealTimeRobotOptions& o) { o.links = {7}; });
  RealTimeRobot robot(scene.world, 0, scene.start(), scene.options());
  VectorXd inside(3);
  inside << -0.6, 0, 0;
  EXPECT_THROW(robot.start(inside, 0), Error);
  EXPECT_THROW(robot.configurationTarget(VectorXd::Zero(2)), Error);
}

}  // namespace
}  // namespace mortise
