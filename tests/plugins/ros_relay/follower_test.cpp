#include <gtest/gtest.h>

#include "mortise/base/bytes.h"
#include "mortise/base/error.h"
#include "ros/relay/trajectory_follower.h"
#include "tests/plugins/ros_relay/trajectories.h"
#include "tests/support/worlds.h"

namespace mortise::ros::test {

namespace {

using mortise::test::armDescription;

class FollowerTest : public testing::Test {
 protected:
  void accept(const JointTrajectory& message, double now) { follower.accept(message, now, q0, remarks); }
  /// Returns the command of joint `link` at `time`.
  JointTarget told(int link, double time) const {
    VectorXd q = q0, dq = q0, effort = q0;
    follower.evaluate(time, q, dq, effort);
    return {q[link], dq[link], effort[link], follower.torqueOnly(link, time)};
  }
  std::vector<std::byte> saved() const {
    ByteWriter out;
    follower.save(out);
    return out.bytes();
  }

  RobotPtr robot = Robot::compile(armDescription(3));
  VectorXd q0 = VectorXd::Zero(3);
  TrajectoryFollower follower{*robot, {}};
  std::vector<std::string> remarks;
};

TEST_F(FollowerTest, PositionsAreFollowedLinearlyFromWhereTheJointIs) {
  accept(trajectory(10, {"rod1"}, {{2, {0.4}}, {3, {-0.6}}}), 5);
  EXPECT_DOUBLE_EQ(told(1, 9.9).q, 0);
  EXPECT_NEAR(told(1, 10.5).q, 0.1, 1e-12);
  EXPECT_NEAR(told(1, 10.5).v, 0.2, 1e-12);
  EXPECT_NEAR(told(1, 12.25).q, 0.15, 1e-12);
  EXPECT_NEAR(told(1, 12.25).v, -1, 1e-12);
  EXPECT_DOUBLE_EQ(told(1, 100).q, -0.6);
  EXPECT_DOUBLE_EQ(told(1, 100).v, 0);
  EXPECT_DOUBLE_EQ(told(0, 12).q, 0);
  EXPECT_TRUE(remarks.empty());
}

TEST_F(FollowerTest, PositionsAndVelocitiesAreFollowedByTheCubicThroughBoth) {
  // q(s) = s^3 - s on [0, 2], which a cubic gives exactly.
  accept(trajectory(1, {"rod0"}, {{0, {0}, {-1}}, {2, {6}, {11}}}), 0);
  for (double s = 0; s < 2; s += 0.125) {
    EXPECT_NEAR(told(0, 1 + s).q, s * s * s - s, 1e-12) << s;
    EXPECT_NEAR(told(0, 1 + s).v, 3 * s * s - 1, 1e-12) << s;
  }
  EXPECT_DOUBLE_EQ(told(0, 3.5).q, 6);
  EXPECT_DOUBLE_EQ(told(0, 3.5).v, 0);
}

TEST_F(FollowerTest, VelocitiesMoveTheJointByTheirIntegralAndStopAtTheEnd) {
  accept(trajectory(0, {"rod2"}, {{0, {}, {1}}, {2, {}, {3}}, {3, {}, {3}}}), 4);
  // The stamp of 0 means at once; the velocity grows by 1 each second for two, then stays.
  EXPECT_NEAR(told(2, 5).v, 2, 1e-12);
  EXPECT_NEAR(told(2, 5).q, 1.5, 1e-12);
  EXPECT_NEAR(told(2, 6.5).q, 4 + 1.5, 1e-12);
  EXPECT_NEAR(told(2, 9).q, 7, 1e-12);
  EXPECT_DOUBLE_EQ(told(2, 9).v, 0);
}

TEST_F(FollowerTest, EffortsAreFedForwardAndCountAloneWithoutOthers) {
  JointTrajectory both = trajectory(0, {"rod0", "rod1"}, {{1, {1, 2}}, {2, {1, 2}}});
  both.points[0].effort = {10, 20};
  both.points[1].effort = {30, 40};
  accept(both, 0);
  EXPECT_NEAR(told(0, 0.5).effort, 5, 1e-12);
  EXPECT_NEAR(told(1, 1.5).effort, 30, 1e-12);
  EXPECT_NEAR(told(1, 7).effort, 40, 1e-12);
  EXPECT_FALSE(told(0, 0.5).torque);

  JointTrajectory alone = trajectory(0, {"rod2"}, {{0, {}}, {1, {}}});
  alone.points[0].effort = {3};
  alone.points[1].effort = {5};
  accept(alone, 10);
  EXPECT_TRUE(told(2, 10.5).torque);
  EXPECT_NEAR(told(2, 10.5).effort, 4, 1e-12);
  // Then motion begins where the joint is, not where it was told to be.
  q0[2] = 0.7;
  accept(trajectory(0, {"rod2"}, {{1, {1.7}}}), 20);
  EXPECT_FALSE(told(2, 20).torque);
  EXPECT_NEAR(told(2, 20).q, 0.7, 1e-12);
  EXPECT_NEAR(told(2, 20.5).q, 1.2, 1e-12);
}

TEST_F(FollowerTest, ALaterTrajectoryTakesOverAtItsStampForItsJointsAlone) {
  accept(trajectory(1, {"rod0", "rod1"}, {{10, {10, 10}}}), 1);
  accept(trajectory(4, {"rod1"}, {{1, {0}}}), 2);
  EXPECT_NEAR(told(1, 3).q, 2, 1e-12) << "until then the first one counts";
  EXPECT_NEAR(told(1, 4.5).q, 1.5, 1e-12) << "from 3, where the joint is told to be at 4 s, to 0";
  EXPECT_NEAR(told(1, 9).q, 0, 1e-12);
  EXPECT_NEAR(told(0, 9).q, 8, 1e-12) << "the other joint goes on";
}

TEST_F(FollowerTest, ATrajectoryThatComesLateGoesOnWithoutAJump) {
  accept(trajectory(10, {"rod0"}, {{0, {5}}, {1, {6}}, {2, {8}}}), 10.5);
  EXPECT_NEAR(told(0, 10.5).q, 0, 1e-12) << "the point that is over is left out";
  EXPECT_NEAR(told(0, 11).q, 6, 1e-12);
  EXPECT_NEAR(told(0, 11.5).q, 7, 1e-12);
}

TEST_F(FollowerTest, APointThatIsDueAtOnceIsTheTargetAtOnce) {
  accept(trajectory(0, {"rod0"}, {{0, {0.25}}}), 3);
  EXPECT_DOUBLE_EQ(told(0, 3).q, 0.25);
  accept(trajectory(3.5, {"rod0"}, {{0, {0.5}}}), 4);
  EXPECT_DOUBLE_EQ(told(0, 4).q, 0.5) << "even if it comes a little late";
}

TEST_F(FollowerTest, StampsOfAnotherClockAreRefusedWithBothTimesAndChangeNothing) {
  const std::vector<std::byte> before = saved();
  for (const double stamp : {1.7e9, 700.0, 1.0}) {
    try {
      accept(trajectory(stamp, {"rod0"}, {{1, {1}}}), 50);
      FAIL() << stamp;
    } catch (const Error& error) {
      EXPECT_NE(error.message().find("50 s"), std::string::npos) << error.message();
      EXPECT_NE(error.hint().find("use_sim_time"), std::string::npos) << error.hint();
    }
  }
  EXPECT_EQ(saved(), before);
  TrajectoryFollower careless(*robot, {600, 1, true});
  careless.accept(trajectory(1.7e9, {"rod0"}, {{1, {1}}}), 50, q0, remarks);
  VectorXd q = q0, dq = q0, effort = q0;
  careless.evaluate(50.5, q, dq, effort);
  EXPECT_NEAR(q[0], 0.5, 1e-12);
}

TEST_F(FollowerTest, ForeignJointsAreSaidAndLeftOut) {
  const std::vector<std::byte> before = saved();
  accept(trajectory(0, {"elbow"}, {{1, {1}}}), 2);
  EXPECT_EQ(saved(), before) << "nothing of it is for this robot";
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_NE(remarks[0].find("'elbow'"), std::string::npos);
  accept(trajectory(0, {"elbow", "rod1"}, {{1, {1, 3}}}), 2);
  EXPECT_NEAR(told(1, 3).q, 3, 1e-12) << "the place in the lists is that of the name";
}

TEST_F(FollowerTest, NoPointsStopTheJoints) {
  accept(trajectory(1, {"rod0", "rod1"}, {{10, {10, 10}}}), 1);
  accept(trajectory(0, {"rod0"}, {}), 3);
  EXPECT_NEAR(told(0, 8).q, 2, 1e-12);
  EXPECT_NEAR(told(1, 8).q, 7, 1e-12);
  accept(trajectory(0, {}, {}), 9);
  EXPECT_NEAR(told(1, 11).q, 8, 1e-12) << "no names stop all joints";
}

TEST_F(FollowerTest, WrongMessagesAreRefusedAndChangeNothing) {
  accept(trajectory(1, {"rod0"}, {{10, {10}}}), 1);
  const std::vector<std::byte> before = saved();
  std::vector<JointTrajectory> wrong = {
      trajectory(0, {"rod0", "rod1"}, {{1, {1}}}),        // Too few numbers.
      trajectory(0, {"rod0"}, {{1, {1}}, {1, {2}}}),      // Times do not increase.
      trajectory(0, {"rod0"}, {{1, {1}}, {2, {}, {1}}}),  // Not the same lists.
      trajectory(0, {"rod0", "rod0"}, {{1, {1, 1}}}),     // A name twice.
      trajectory(0, {"rod0"}, {{1, {std::nan("")}}}),     // No number.
      trajectory(0, {"rod0"}, {{1, {}}}),                 // No list.
  };
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    EXPECT_THROW(accept(wrong[i], 2), Error) << i;
    EXPECT_EQ(saved(), before) << i;
  }
}

TEST_F(FollowerTest, WhatIsOverIsForgotten) {
  for (int i = 0; i < 2000; ++i) accept(trajectory(i, {"rod0", "rod1"}, {{0.25, {1, 1}}, {0.5, {0, 0}}}), i);
  EXPECT_LT(saved().size(), 2000u);
}

TEST_F(FollowerTest, ASavedStateContinuesToTheSameBits) {
  accept(trajectory(1, {"rod0", "rod1"}, {{1, {0.3, 1}, {1, 0.1}}, {5, {-0.2, 2}, {0, 0}}}), 1);
  accept(trajectory(3, {"rod1"}, {{1, {}, {0.7}}, {2, {}, {0.1}}}), 2);
  const std::vector<std::byte> bytes = saved();
  TrajectoryFollower other(*robot, {});
  ByteReader in(bytes);
  other.restore(in);
  EXPECT_TRUE(in.atEnd());
  VectorXd qa = q0, dqa = q0, ea = q0, qb = q0, dqb = q0, eb = q0;
  for (double t = 2; t < 7; t += 0.0625) {
    follower.evaluate(t, qa, dqa, ea);
    other.evaluate(t, qb, dqb, eb);
    EXPECT_EQ(qa, qb);
    EXPECT_EQ(dqa, dqb);
  }
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ByteReader cut({bytes.data(), size});
    EXPECT_THROW(other.restore(cut), Error) << size;
  }
}

}  // namespace

}  // namespace mortise::ros::test
