#include "mortise/timing/motion_queue.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "mortise/base/random.h"
#include "mortise/timing/robot_limits.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/vector.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

struct At {
  VectorXd q, dq, ddq;
};

At at(const MotionQueue& queue, double t) {
  At state{VectorXd(queue.size()), VectorXd(queue.size()), VectorXd(queue.size())};
  queue.evaluate(t, state.q, state.dq, state.ddq);
  return state;
}

std::vector<CoordinateLimits> twoLimits() {
  return {{.xMin = -3, .xMax = 3, .vMin = -1, .vMax = 1, .aMax = 2},
          {.xMin = -3, .xMax = 3, .vMin = -2, .vMax = 2, .aMax = 1}};
}

MotionQueue queueAt(const VectorXd& q) {
  MotionQueue queue;
  queue.reset(q, twoLimits());
  return queue;
}

TEST(MotionQueue, RestsWhereItIsUntilSomethingIsAppended) {
  const MotionQueue queue = queueAt(vector({1, -2}));
  for (const double t : {-1.0, 0.0, 7.0}) {
    EXPECT_EQ(at(queue, t).q, vector({1, -2}));
    EXPECT_TRUE(at(queue, t).dq.isZero(0));
  }
  EXPECT_EQ(queue.endTime(), 0);
}

TEST(MotionQueue, LinearAndCubicPiecesInterpolate) {
  MotionQueue queue = queueAt(vector({0, 0}));
  queue.appendLinear(vector({1, -2}), 2);
  queue.appendCubic(vector({2, 0}), vector({0, 0.5}), 1);
  EXPECT_EQ(queue.endTime(), 3);
  EXPECT_EQ(at(queue, 1).q, vector({0.5, -1}));
  EXPECT_EQ(at(queue, 1).dq, vector({0.5, -1}));
  EXPECT_TRUE(at(queue, 2).q.isApprox(vector({1, -2}), 1e-15));
  EXPECT_TRUE(at(queue, 2).dq.isApprox(vector({0.5, -1}), 1e-15)) << "the cubic goes on with the velocity it finds";
  const At before = at(queue, 3 - 1e-9);
  EXPECT_NEAR(before.q[0], 2, 1e-8);
  EXPECT_NEAR(before.dq[1], 0.5, 1e-7);
  EXPECT_TRUE(at(queue, 3).dq.isZero(0)) << "the end is held";
  // Derivatives against differences.
  for (const double t : {2.1, 2.5, 2.9}) {
    const At middle = at(queue, t);
    EXPECT_TRUE(((at(queue, t + 1e-5).q - at(queue, t - 1e-5).q) / 2e-5).isApprox(middle.dq, 1e-7));
    EXPECT_TRUE(((at(queue, t + 1e-5).dq - at(queue, t - 1e-5).dq) / 2e-5).isApprox(middle.ddq, 1e-6));
  }
  queue.appendLinear(vector({5, 5}), 0);
  EXPECT_EQ(at(queue, 3).q, vector({5, 5})) << "a jump";
}

TEST(MotionQueue, RampsTakeTheTimeOfTheSlowestAndArriveTogether) {
  MotionQueue queue = queueAt(vector({0, 0}));
  queue.appendRamp(vector({1, 1}), vector({0, 0}));
  EXPECT_NEAR(queue.endTime(), 2, 1e-14) << "2 sqrt(1 / 1) of the second; the first could do it in 1.5";
  EXPECT_EQ(at(queue, 2).q, vector({1, 1}));
  EXPECT_NEAR(at(queue, 1).ddq.cwiseAbs().maxCoeff(), 1, 1e-12);
  queue.appendRamp(vector({1, 1}), vector({0, 0}));
  EXPECT_NEAR(queue.endTime(), 2, 1e-14) << "nothing to do";
  EXPECT_EQ(queue.numPieces(), 1u);
}

TEST(MotionQueue, ANewGoalInMidMotionGoesOnWithoutAJump) {
  MotionQueue queue = queueAt(vector({0, 0}));
  queue.appendRamp(vector({2, 2}), vector({0, 0}));
  const At before = at(queue, 1.2);
  queue.cut(1.2);
  queue.appendRamp(vector({-1, 0.5}), vector({0, 0}));
  const At after = at(queue, 1.2);
  EXPECT_EQ(after.q, before.q);
  EXPECT_EQ(after.dq, before.dq);
  EXPECT_EQ(at(queue, queue.endTime()).q, vector({-1, 0.5}));
  queue.cut(1.5);
  EXPECT_EQ(queue.endTime(), 1.5);
  EXPECT_FALSE(queue.endVelocity().isZero(0));
  queue.continueFrom(2);
  EXPECT_TRUE(queue.endVelocity().isZero(0)) << "it has stood still since";
  EXPECT_EQ(queue.endTime(), 2);
}

TEST(MotionQueue, BrakesAsFastAsEachCoordinateCan) {
  MotionQueue queue = queueAt(vector({0, 0}));
  queue.appendCubic(vector({1, 1}), vector({0.8, -0.6}), 1);
  queue.appendBrake();
  EXPECT_NEAR(queue.endTime(), 1.6, 1e-15) << "0.6 / 1 of the second; the first: 0.8 / 2";
  EXPECT_NEAR(queue.endConfiguration()[0], 1 + 0.8 * 0.8 / 4, 1e-15);
  EXPECT_NEAR(queue.endConfiguration()[1], 1 - 0.6 * 0.6 / 2, 1e-15);
  EXPECT_EQ(at(queue, 1.5).dq[0], 0);
  EXPECT_NEAR(at(queue, 1.2).dq[0], 0.4, 1e-12);
  EXPECT_TRUE(queue.endVelocity().isZero(0));
}

TEST(MotionQueue, LinearRampsAreStraightAndKeepEveryLimit) {
  MotionQueue queue = queueAt(vector({0, 1}));
  queue.appendLinearRamp(vector({2, -1}));
  // The first coordinate allows 0.5 lines/s, the second 0.5 lines/s^2.
  EXPECT_NEAR(queue.endTime(), 1 / 0.5 + 0.5 / 0.5, 1e-14);
  for (double t = 0; t <= queue.endTime(); t += 0.01) {
    const At state = at(queue, t);
    EXPECT_NEAR(state.q[0] / 2, (1 - state.q[1]) / 2, 1e-14);
    EXPECT_LE(std::abs(state.dq[0]), 1 + 1e-12);
    EXPECT_LE(std::abs(state.ddq[1]), 1 + 1e-12);
  }
  MotionQueue moving = queueAt(vector({0, 0}));
  moving.appendCubic(vector({0, 0}), vector({0.5, 0}), 1);
  moving.appendLinearRamp(vector({1, 1}));
  EXPECT_EQ(moving.numPieces(), 3u) << "it comes to rest before it turns";
}

TEST(MotionQueue, AnglesGoTheShortWayRound) {
  MotionQueue queue;
  std::vector<CoordinateLimits> limits(1);
  limits[0] = {.vMin = -1, .vMax = 1, .aMax = 1, .circular = true};
  queue.reset(vector({3}), limits);
  queue.appendRamp(vector({-3}), vector({0}));
  EXPECT_NEAR(queue.endConfiguration()[0], 2 * M_PI - 3, 1e-14);
  EXPECT_NEAR(queue.endTime(), 2 * std::sqrt(2 * M_PI - 6), 1e-12);
}

TEST(MotionQueue, WhatCannotBeReachedIsSaidAndChangesNothing) {
  MotionQueue queue;
  std::vector<CoordinateLimits> limits = twoLimits();
  limits[1].vMin = limits[1].vMax = 0;
  queue.reset(vector({0, 0}), limits);
  const std::vector<std::string> names = {"hip", "weld"};
  try {
    queue.appendRamp(vector({1, 1}), vector({0, 0}), names);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("'weld' cannot move: its velocity limit is 0"), std::string::npos) << e.what();
  }
  EXPECT_THROW(queue.appendLinearRamp(vector({1, 1}), names), Error);
  EXPECT_THROW(queue.appendRamp(vector({1, 0}), vector({2, 0}), names), Error) << "faster than the limit";
  EXPECT_THROW(queue.appendRamp(vector({3, 0}), vector({-0.5, 0}), names), Error) << "only from beyond the limit";
  EXPECT_EQ(queue.numPieces(), 0u);
  EXPECT_EQ(queue.endTime(), 0);
  queue.appendRamp(vector({1, 0}), vector({0, 0}), names);
  EXPECT_NEAR(queue.endTime(), 1.5, 1e-14);
}

TEST(MotionQueue, RandomRampsKeepLimitsThroughEveryInterruption) {
  RandomStream random(21, "queue");
  const std::vector<CoordinateLimits> limits = twoLimits();
  for (int trial = 0; trial < 200; ++trial) {
    MotionQueue queue = queueAt(vector({random.uniform(-2, 2), random.uniform(-2, 2)}));
    double now = 0;
    for (int step = 0; step < 10; ++step) {
      const VectorXd goal = vector({random.uniform(-2.9, 2.9), random.uniform(-2.9, 2.9)});
      queue.cut(now);
      const int what = static_cast<int>(random.uniform(0, 4));
      if (what == 0) queue.appendBrake();
      if (what == 1) queue.appendLinearRamp(goal);
      if (what >= 2) queue.appendRamp(goal, vector({0, 0}));
      const double until = now + random.uniform(0, 3);
      At last = at(queue, now);
      for (double t = now; t <= until; t += 0.01) {
        const At state = at(queue, t);
        for (int i = 0; i < 2; ++i) {
          ASSERT_LE(std::abs(state.q[i]), 3 + 1e-9);
          ASSERT_LE(std::abs(state.dq[i]), limits[i].vMax + 1e-9);
          ASSERT_LE(std::abs(state.ddq[i]), limits[i].aMax + 1e-9);
          ASSERT_LE(std::abs(state.q[i] - last.q[i]), limits[i].vMax * 0.01 + 1e-9) << "no jump";
          ASSERT_LE(std::abs(state.dq[i] - last.dq[i]), limits[i].aMax * 0.01 + 1e-9) << "no jump of velocity";
        }
        last = state;
        now = t;
      }
    }
  }
}

TEST(MotionQueue, LimitSharesTellWhatTimedMotionsExceed) {
  MotionQueue queue = queueAt(vector({0, 0}));
  int who = -1;
  EXPECT_NEAR(queue.limitUsage(vector({3, 3}), nullptr, 1, who), 3, 1e-15);
  EXPECT_EQ(who, 0);
  const VectorXd rest = vector({0, 0});
  EXPECT_NEAR(queue.limitUsage(vector({1, 0}), &rest, 1, who), 1.5, 1e-15) << "the middle of a cubic";
  EXPECT_EQ(queue.limitUsage(vector({0, 0}), &rest, 0, who), 0);
  EXPECT_TRUE(std::isinf(queue.limitUsage(vector({1, 0}), nullptr, 0, who)));
}

TEST(MotionQueue, SavesAndRestoresEveryBitAndRefusesOtherBytes) {
  MotionQueue queue = queueAt(vector({0.1, 0}));
  queue.appendRamp(vector({2, 2}), vector({0, 0.1}));
  queue.appendLinear(vector({1, 1}), 0.7);
  queue.appendCubic(vector({0, 1}), vector({0.1, 0}), 1.3);
  ByteWriter out;
  queue.save(out);
  MotionQueue other = queueAt(vector({0, 0}));
  ByteReader in(out.bytes());
  other.restore(in);
  EXPECT_TRUE(in.atEnd());
  for (double t = 0; t < 6; t += 0.037) {
    EXPECT_EQ(at(other, t).q, at(queue, t).q);
    EXPECT_EQ(at(other, t).dq, at(queue, t).dq);
  }
  ByteWriter again;
  other.save(again);
  EXPECT_EQ(again.bytes(), out.bytes());
  // Cut off and damaged bytes end in an error or in a queue of finite numbers.
  RandomStream random(22, "bytes");
  int refused = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::vector<std::byte> bytes = out.bytes();
    if (trial % 3 == 0) bytes.resize(static_cast<std::size_t>(random.uniform(0, static_cast<double>(bytes.size()))));
    for (int k = 0; k < 1 + trial % 4 && !bytes.empty(); ++k)
      bytes[static_cast<std::size_t>(random.uniform(0, static_cast<double>(bytes.size())))] =
          static_cast<std::byte>(random.uniform(0, 256));
    MotionQueue victim = queueAt(vector({0, 0}));
    try {
      ByteReader damaged(bytes);
      victim.restore(damaged);
    } catch (const Error&) {
      ++refused;
      EXPECT_EQ(victim.numPieces(), 0u);
    }
    const At state = at(victim, 1.5);
    (void)state;
  }
  EXPECT_GT(refused, 1000);
}

TEST(MotionQueue, EvaluatingAllocatesNothing) {
  MotionQueue queue = queueAt(vector({0, 0}));
  for (int k = 0; k < 50; ++k) {
    queue.appendRamp(vector({k % 2 ? 1.0 : -1.0, 0.5}), vector({0, 0}));
    queue.appendLinear(vector({0, 0}), 0.1);
    queue.appendCubic(vector({0.3, 0}), vector({0, 0}), 0.1);
  }
  At state = at(queue, 0);
  const std::size_t before = test::allocationCount;
  for (double t = 0; t < queue.endTime() + 1; t += 0.01) queue.evaluate(t, state.q, state.dq, state.ddq);
  EXPECT_EQ(test::allocationCount, before);
}

TEST(RobotLimits, TakeTheNarrowerOfLinkAndDriver) {
  RobotDescription description = test::armDescription(4);
  description.links[0].qMin = -1;
  description.links[0].qMax = 2;
  description.links[0].velocityMin = -3;
  description.links[0].velocityMax = 4;
  description.links[0].accelerationMax = 5;
  description.drivers[0].velocityMax = 3.5;
  description.drivers[0].qMin = -0.5;
  // The second motor moves two links, the third link at twice the pace and backwards.
  description.drivers[1].type = DriverType::affine;
  description.drivers[1].links = {1, 2};
  description.drivers[1].scale = {1, -2};
  description.drivers[1].offset = {0, 0.5};
  description.links[1].velocityMin = -1;
  description.links[1].velocityMax = 1;
  description.links[2].velocityMin = -1;
  description.links[2].velocityMax = 1;
  description.links[1].accelerationMax = description.links[2].accelerationMax = 8;
  description.drivers.erase(description.drivers.begin() + 2);
  description.drivers[2].links = {3};
  description.joints[3].type = JointType::spin;
  const RobotPtr robot = Robot::compile(description);
  const std::vector<CoordinateLimits> limits = coordinateLimits(*robot, 0.5, 0.25);
  EXPECT_EQ(limits[0].xMin, -0.5);
  EXPECT_EQ(limits[0].xMax, 2);
  EXPECT_EQ(limits[0].vMin, -1.5);
  EXPECT_EQ(limits[0].vMax, 1.75);
  EXPECT_EQ(limits[0].aMax, 1.25);
  EXPECT_EQ(limits[1].vMax, 0.25);
  EXPECT_EQ(limits[2].vMax, 0.5);
  EXPECT_EQ(limits[2].vMin, -0.5);
  EXPECT_EQ(limits[1].aMax, 1);
  EXPECT_EQ(limits[2].aMax, 2);
  EXPECT_TRUE(limits[3].circular);
  EXPECT_FALSE(limits[0].circular);
}

}  // namespace
}  // namespace mortise
