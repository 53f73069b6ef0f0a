#include "mortise/planning/real_time/moving_obstacles.h"

#include <gtest/gtest.h>

#include "mortise/planning/real_time/moving_ramps.h"
#include "tests/toolbox/planning/real_time/real_time_scene.h"

namespace mortise {
namespace {

class MovingObstaclesTest : public testing::Test {
 protected:
  test::RealTimeScene scene{true};
  RealTimeRobot robot{scene.world, 0, scene.start(), scene.options()};
  std::shared_ptr<const WorldCollider> collider = realTimeCollider(scene.world);
  MovingObstacles obstacles{robot.space(), 0, *collider, scene.motions};
  WorldCollisionState state{collider};

  bool meets(const VectorXd& q, double t) {
    state.setConfiguration(0, q);
    const int ball = scene.motions[0].id();
    state.setPose(ball, scene.motions[0].poseAt(t));
    return state.anyCollision(IdFilter::robots(0), IdFilter::of({ball}));
  }
};

TEST_F(MovingObstaclesTest, AgreeWithAFineLookAtRandomMotions) {
  RandomStream random(5, "moving obstacles");
  int blocked = 0, wrong = 0, timid = 0;
  std::vector<ParabolicRamp> ramps;
  for (int k = 0; k < 300; ++k) {
    VectorXd a(3), b(3), dq(3);
    for (int i = 0; i < 3; ++i) {
      a[i] = random.uniform(-3, 3);
      b[i] = random.uniform(-3, 3);
      dq[i] = random.uniform(-0.5, 0.5);
    }
    if (!fastestRamps(a, dq, b, VectorXd::Zero(3), robot.limits().limits, ramps)) continue;
    const double start = random.uniform(0, 10), T = ramps[0].T;
    bool hits = false;
    VectorXd q(3);
    for (int i = 0; i <= 2000 && !hits; ++i) {
      double v = 0, acceleration = 0;
      for (int c = 0; c < 3; ++c) ramps[static_cast<std::size_t>(c)].evaluate(T * i / 2000, q[c], v, acceleration);
      hits = meets(q, start + T * i / 2000);
    }
    const bool free = obstacles.free(ramps, start);
    blocked += hits;
    wrong += free && hits;
    timid += !free && !hits;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(blocked, 20);
  EXPECT_LE(timid, 5);  // What grazes the ball.
}

TEST_F(MovingObstaclesTest, WhatBlocksAPathIsMostlyFoundWithoutAProof) {
  RandomStream random(8, "moving obstacles");
  std::vector<ParabolicRamp> ramps;
  int blocked = 0, examined = 0;
  for (int k = 0; k < 300; ++k) {
    VectorXd a(3), b(3);
    for (int i = 0; i < 3; ++i) {
      a[i] = random.uniform(-3, 3);
      b[i] = random.uniform(-3, 3);
    }
    if (!fastestRamps(a, VectorXd::Zero(3), b, VectorXd::Zero(3), robot.limits().limits, ramps)) continue;
    RampPath path(3);
    path.append(ramps);
    const double start = random.uniform(0, 10);
    const std::int64_t before = obstacles.proofs();
    const bool free = obstacles.free(path, start);
    EXPECT_EQ(free, obstacles.free(ramps, start)) << "looking first changes no answer";
    blocked += !free;
    obstacles.chargeTo(nullptr);
    const std::int64_t proofs = obstacles.proofs() - before;
    if (free) continue;
    // The second answer, without a look, takes all the proofs.
    const std::int64_t second = obstacles.proofs();
    (void)obstacles.free(ramps, start);
    examined += proofs == obstacles.proofs() - second;
  }
  EXPECT_GT(blocked, 20);
  EXPECT_GT(examined, 8 * blocked / 10);
}

TEST_F(MovingObstaclesTest, WhatCannotBeProvenWithTheEffortCountsAsBlocked) {
  RandomStream random(6, "moving obstacles");
  std::vector<ParabolicRamp> ramps;
  int free = 0, givenUp = 0;
  for (int k = 0; k < 100; ++k) {
    VectorXd a(3), b(3);
    for (int i = 0; i < 3; ++i) {
      a[i] = random.uniform(-3, 3);
      b[i] = random.uniform(-3, 3);
    }
    if (!fastestRamps(a, VectorXd::Zero(3), b, VectorXd::Zero(3), robot.limits().limits, ramps)) continue;
    const bool truth = obstacles.free(ramps, 0);
    PlanningEffort much(1000000), one(1);
    obstacles.chargeTo(&much);
    EXPECT_EQ(obstacles.free(ramps, 0), truth);
    obstacles.chargeTo(&one);
    const bool hasty = obstacles.free(ramps, 0);
    EXPECT_TRUE(truth || !hasty);
    EXPECT_LE(one.used(), 3) << "it stops soon after its effort is used up";
    obstacles.chargeTo(nullptr);
    free += truth;
    givenUp += truth && !hasty;
  }
  EXPECT_GT(free, 20);
  EXPECT_GT(givenUp, 0);
}

TEST_F(MovingObstaclesTest, RestIsFreeAsLongAsNobodyComes) {
  // Hanging down, where the ball passes once in two seconds.
  VectorXd q(3);
  q << 1.57, 0, 0;
  double from = -1, to = -1;
  for (int i = 0; i < 4000; ++i) {
    const double t = i * 1e-3;
    if (!meets(q, t)) continue;
    if (from < 0) from = t;
    if (to < 0 || t - to < 0.01) to = t;
  }
  ASSERT_GT(from, 0.1);
  EXPECT_TRUE(obstacles.restFree(q, 0, from - 0.01));
  EXPECT_FALSE(obstacles.restFree(q, 0, from + 0.01));
  EXPECT_FALSE(obstacles.restFree(q, 0));
  EXPECT_FALSE(obstacles.restFree(q, 100));
  EXPECT_TRUE(obstacles.freeAt(q, from - 0.01));
  EXPECT_FALSE(obstacles.freeAt(q, 0.5 * (from + to)));
  EXPECT_TRUE(obstacles.restFree(scene.start(), 0));
}

TEST_F(MovingObstaclesTest, OnlyBodiesWithoutJointsMoveByThemselves) {
  EXPECT_THROW(MovingObstacles(robot.space(), 0, *collider, {KnownMotion(scene.world->linkId(0, 0), {0}, {{}})}),
               Error);
  EXPECT_THROW(MovingObstacles(robot.space(), 0, *collider, {scene.motions[0], scene.motions[0]}), Error);
}

}  // namespace
}  // namespace mortise
