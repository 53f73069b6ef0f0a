#include "mortise/planning/real_time/known_motion.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "mortise/base/random.h"
#include "mortise/math/rotation.h"
#include "mortise/planning/real_time/obstacle_motion.h"
#include "tests/support/error_text.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

RigidTransform pose(const Vector3d& p, const Vector3d& moment = Vector3d::Zero()) {
  return RigidTransform(rotationFromMoment(moment), p);
}

TEST(KnownMotion, GoesStraightAndTurnsEvenlyBetweenItsPoses) {
  const KnownMotion motion(0, {1, 3}, {pose({0, 0, 0}), pose({2, 0, 0}, {0, 0, std::numbers::pi / 2})});
  const RigidTransform X = motion.poseAt(2);
  EXPECT_NEAR((X.p - Vector3d(1, 0, 0)).norm(), 0, 1e-14);
  EXPECT_NEAR((X.R - rotationFromMoment(Vector3d(0, 0, std::numbers::pi / 4))).norm(), 0, 1e-14);
  EXPECT_EQ(motion.poseAt(0).p, Vector3d(0, 0, 0));
  EXPECT_EQ(motion.poseAt(9).p, Vector3d(2, 0, 0));
  EXPECT_EQ(motion.seenBy(0.5), 3);
  EXPECT_EQ(motion.seenBy(5), 5);
}

TEST(KnownMotion, RepeatsOverAndOver) {
  const KnownMotion motion(0, {0, 1, 2}, {pose({0, 0, 0}), pose({1, 0, 0}), pose({0, 0, 0})}, true);
  for (const double t : {0.25, 2.25, 1000.25, -1.75}) EXPECT_NEAR(motion.poseAt(t).p.x(), 0.25, 1e-12) << t;
  EXPECT_EQ(motion.seenBy(7), 9);
}

TEST(KnownMotion, NoPointGoesFartherThanTheBound) {
  RandomStream random(1, "known motion");
  std::vector<double> times;
  std::vector<RigidTransform> poses;
  for (int i = 0; i < 6; ++i) {
    times.push_back(i + 0.3 * random.uniform());
    const auto vector = [&] { return Vector3d(random.gaussian(), random.gaussian(), random.gaussian()); };
    poses.push_back(pose(vector(), 0.5 * vector()));
  }
  poses.back() = poses.front();
  for (const bool repeat : {false, true}) {
    const KnownMotion motion(0, times, poses, repeat);
    for (int k = 0; k < 300; ++k) {
      const double t = random.uniform(-2, 20), before = random.uniform(), after = random.uniform(), reach = 0.3;
      const double bound = motion.motionAround(t, before, after, reach);
      Vector3d p = Vector3d(random.gaussian(), random.gaussian(), random.gaussian());
      p *= reach / p.norm();
      const Vector3d middle = motion.poseAt(t) * p;
      for (int i = 0; i <= 20; ++i) {
        const double s = t - before + (before + after) * i / 20;
        EXPECT_LE((motion.poseAt(s) * p - middle).norm(), bound + 1e-12);
      }
    }
  }
}

TEST(KnownMotion, WhatMakesNoSenseIsRefused) {
  EXPECT_THROW(KnownMotion(0, {}, {}), Error);
  EXPECT_THROW(KnownMotion(0, {0, 0}, {pose({0, 0, 0}), pose({1, 0, 0})}), Error);
  EXPECT_THROW(KnownMotion(0, {0, NAN}, {pose({0, 0, 0}), pose({1, 0, 0})}), Error);
  EXPECT_THROW(KnownMotion(0, {0, 1}, {pose({0, 0, 0}), pose({1, 0, 0})}, true), Error);
}

TEST(KnownMotion, ComesFromATrajectoryOfSixNumbers) {
  World world;
  world.objects.push_back(test::boxObject("box", Vector3d::Zero()));
  Trajectory path;
  path.times = {0, 1, 2};
  VectorXd a = VectorXd::Zero(6), b = a;
  b[1] = 2;
  path.configurations = {a, b, a};
  EXPECT_TRUE(knownMotionOf(path, "box", world).repeats());
  EXPECT_FALSE(knownMotionOf(path, "box", world, false).repeats());
  EXPECT_EQ(knownMotionOf(path, "box", world).poseAt(0.5).p, Vector3d(0, 1, 0));
  EXPECT_THROW(knownMotionOf(path, "bix", world), Error);
  path.configurations[1] = VectorXd::Zero(7);
  EXPECT_THROW(knownMotionOf(path, "box", world), Error);
}

}  // namespace
}  // namespace mortise
