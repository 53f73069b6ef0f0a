// Wrong sizes are refused before anything is written.

#include "tests/support/preconditions.h"

#include <gtest/gtest.h>
#include <limits>

#include "mortise/timing/bound_usage.h"
#include "mortise/timing/motion_queue.h"
#include "mortise/timing/ramp_path.h"

namespace mortise {
namespace {

using test::refuses;

const VectorXd kTwo = VectorXd::Zero(2), kThree = VectorXd::Zero(3);

TEST(TimingPreconditions, AQueueTakesGoalsOfItsSize) {
  MotionQueue queue;
  queue.reset(kTwo, {});
  EXPECT_TRUE(refuses([&] { queue.appendLinear(kThree, 1); },
                      "MotionQueue::goal: `q` has 3 entries instead of 2, one for each coordinate"));
  EXPECT_THROW(queue.appendCubic(kTwo, kThree, 1), PreconditionError);
  EXPECT_THROW(queue.appendRamp(kTwo, kThree), PreconditionError);
  EXPECT_THROW(queue.appendLinearRamp(kThree), PreconditionError);
  const VectorXd nan = VectorXd::Constant(2, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW(queue.appendLinear(nan, 1), PreconditionError);
  EXPECT_EQ(queue.numPieces(), 0u);
  MotionQueue other;
  other.reset(kThree, {});
  EXPECT_THROW(queue.append(other, 0), PreconditionError);
}

TEST(TimingPreconditions, MotionsAreEvaluatedIntoVectorsOfTheirSize) {
  MotionQueue queue;
  queue.reset(kTwo, {});
  VectorXd two(2), one(1);
  EXPECT_THROW(queue.evaluate(0, two, two, one), PreconditionError);
  const std::vector<CoordinateLimits> limits(2, {.vMin = -1, .vMax = 1, .aMax = 1});
  RampPath path = RampPath::throughMilestones({kTwo, VectorXd::Ones(2)}, limits);
  EXPECT_TRUE(refuses([&] { path.evaluate(0.5, two, one, two); },
                      "RampPath::evaluate: `dq` has 1 entry instead of 2, one for each coordinate"));
  EXPECT_THROW(path.append(RampPath(3), 0, 1), PreconditionError);
  const ParabolicRamp ramp{.T = 1};
  EXPECT_THROW(path.append({&ramp, 1}), PreconditionError);
  EXPECT_THROW(path.replace(0, 1, {&ramp, 1}), PreconditionError);
  EXPECT_THROW(boundUsage(path.trajectory(), std::span(limits).first(1)), PreconditionError);
  EXPECT_THROW(boundUsage(path.trajectory(), 100, limits), PreconditionError);
}

}  // namespace
}  // namespace mortise
