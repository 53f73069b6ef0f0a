#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "mortise/timing/motion_queue.h"
#include "tests/support/vector.h"

namespace mortise {
namespace {

using Verdict = SpliceResult::Verdict;

std::vector<CoordinateLimits> spliceLimits() {
  return {{.xMin = -3, .xMax = 3, .vMin = -1, .vMax = 1, .aMax = 2},
          {.xMin = -3, .xMax = 3, .vMin = -2, .vMax = 2, .aMax = 1}};
}

/// From the state that the queue has at a time, by way of its fastest ramps, to rest at a place.
RampPath pathFrom(const MotionQueue& queue, double t, const VectorXd& goal) {
  VectorXd q(2), dq(2), ddq(2);
  queue.evaluate(t, q, dq, ddq);
  std::vector<RampEnds> goals;
  for (int i = 0; i < 2; ++i) goals.push_back({q[i], dq[i], goal[i], 0});
  const double T = minimumTime(goals, queue.limits());
  std::vector<ParabolicRamp> ramps;
  for (std::size_t i = 0; i < 2; ++i) ramps.push_back(*rampOfTime(goals[i], queue.limits()[i], T));
  RampPath path(2);
  path.append(ramps);
  return path;
}

class MotionSplice : public testing::Test {
 protected:
  MotionSplice() {
    queue.reset(vector({0, 0}), spliceLimits());
    queue.appendRamp(vector({2, 1}), vector({0, 0}));
  }
  MotionQueue queue;
};

TEST_F(MotionSplice, TakesOverInMidMotionWithoutAJump) {
  const double end = queue.endTime(), at = 0.6 * end;
  const RampPath path = pathFrom(queue, at, vector({-1, 0.5}));
  const MotionQueue before = queue;
  ASSERT_TRUE(queue.splice(path, at, 0.3 * end));
  EXPECT_DOUBLE_EQ(queue.endTime(), at + path.duration());
  VectorXd q(2), dq(2), ddq(2), q2(2), dq2(2), last(2), lastDq(2);
  const double step = 1e-4;
  for (double t = 0.3 * end; t < queue.endTime() + 0.1; t += step) {
    queue.evaluate(t, q, dq, ddq);
    if (t < at) {
      before.evaluate(t, q2, dq2, ddq);
      EXPECT_EQ(q, q2);
      EXPECT_EQ(dq, dq2);
    }
    for (int i = 0; i < 2 && t > 0.3 * end; ++i) {
      const CoordinateLimits& limits = queue.limits()[static_cast<std::size_t>(i)];
      EXPECT_LE(std::abs(q[i] - last[i]), limits.vMax * step + 1e-9);
      EXPECT_LE(std::abs(dq[i] - lastDq[i]), limits.aMax * step + 1e-9);
    }
    last = q;
    lastDq = dq;
  }
  EXPECT_NEAR(q[0], -1, 1e-12);
  EXPECT_NEAR(q[1], 0.5, 1e-12);
}

TEST_F(MotionSplice, AfterTheEndTheMotionRestsUntilThen) {
  const double end = queue.endTime();
  ASSERT_TRUE(queue.splice(pathFrom(queue, end + 1, vector({0, 0})), end + 1, 0.5 * end));
  VectorXd q(2), dq(2), ddq(2);
  queue.evaluate(0.9 * end, q, dq, ddq);
  EXPECT_GT(dq.norm(), 0);
  queue.evaluate(end + 0.5, q, dq, ddq);
  EXPECT_EQ(q, vector({2, 1}));
  EXPECT_EQ(dq, vector({0, 0}));
  queue.evaluate(end + 1.5, q, dq, ddq);
  EXPECT_LT(dq[0], 0);
}

TEST_F(MotionSplice, WhatComesTooLateOrDoesNotFitIsRefusedAndChangesNothing) {
  const double at = 0.5 * queue.endTime();
  const RampPath path = pathFrom(queue, at, vector({-1, 0}));
  const SpliceResult late = queue.splice(path, at, at + 0.25);
  EXPECT_EQ(late.verdict, Verdict::late);
  EXPECT_DOUBLE_EQ(late.difference, 0.25);
  EXPECT_TRUE(MotionQueue(queue).splice(path, at, at));
  EXPECT_EQ(queue.splice(path, at + 0.1, 0).verdict, Verdict::position);
  // The same place, but at rest.
  VectorXd q(2), dq(2), ddq(2);
  queue.evaluate(at, q, dq, ddq);
  const SpliceResult still = queue.splice(RampPath::throughMilestones({q, vector({0, 0})}, spliceLimits()), at, 0);
  EXPECT_EQ(still.verdict, Verdict::velocity);
  EXPECT_EQ(still.coordinate, std::abs(dq[0]) > std::abs(dq[1]) ? 0 : 1);
  EXPECT_DOUBLE_EQ(still.difference, dq.cwiseAbs().maxCoeff());
  // Half of a motion does not end at rest.
  RampPath half(2);
  half.append(path, 0, 0.5 * path.duration());
  EXPECT_EQ(queue.splice(half, at, 0).verdict, Verdict::moving);
  MotionQueue untouched;
  untouched.reset(vector({0, 0}), spliceLimits());
  untouched.appendRamp(vector({2, 1}), vector({0, 0}));
  ByteWriter one, other;
  queue.save(one);
  untouched.save(other);
  EXPECT_EQ(one.bytes(), other.bytes());
}

TEST_F(MotionSplice, VerdictsHaveNames) {
  EXPECT_EQ(spliceVerdictName(Verdict::accepted), "accepted");
  EXPECT_EQ(spliceVerdictName(Verdict::moving), "moving");
}

}  // namespace
}  // namespace mortise
