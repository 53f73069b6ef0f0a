#include "mortise/model/robot_state.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/random.h"
#include "mortise/math/rotation.h"
#include "tests/kernel/model/robots.h"
#include "tests/support/preconditions.h"

namespace mortise {
namespace {

VectorXd randomVector(RandomStream& random, int n) {
  VectorXd v(n);
  for (int i = 0; i < n; ++i) v[i] = random.uniform(-1, 1);
  return v;
}

TEST(RobotState, FramesOfAnArmByHand) {
  RobotDescription d;
  d.links.resize(2);
  d.links[0].axis = Vector3d::UnitZ();
  d.links[1].parent = 0;
  d.links[1].axis = 2 * Vector3d::UnitX();  // Scales the motion.
  d.links[1].motion = LinkMotion::prismatic;
  d.links[1].X_PL0.p = Vector3d(1, 0, 0);
  const RobotPtr robot = Robot::compile(d);
  RobotState state(*robot);
  state.q << EIGEN_PI / 2, 0.5;
  updateFrames(*robot, state);
  EXPECT_TRUE(state.X_WL[1].p.isApprox(Vector3d(0, 2, 0), 1e-12));
  EXPECT_TRUE(state.X_WL[1].R.isApprox(rotationZ(EIGEN_PI / 2), 1e-12));
}

TEST(RobotState, AnAxisThatIsNotOfUnitLengthScalesTheAngle) {
  Link link;
  link.axis = 2 * Vector3d::UnitZ();
  EXPECT_TRUE(linkMotion(link, 0.3).R.isApprox(rotationZ(0.6), 1e-12));
}

TEST(RobotState, VelocitiesAgreeWithFiniteDifferences) {
  const RobotPtr robot = Robot::compile(test::floatingArm());
  RandomStream random(3);
  const double h = 1e-6;
  for (int round = 0; round < 20; ++round) {
    RobotState state(*robot), before(*robot), after(*robot);
    state.q = randomVector(random, 8);
    state.dq = randomVector(random, 8);
    before.q = state.q - h * state.dq;
    after.q = state.q + h * state.dq;
    updateFrames(*robot, state);
    updateFrames(*robot, before);
    updateFrames(*robot, after);
    std::vector<Vector3d> v(8), w(8);
    linkVelocities(*robot, state, v, w);
    for (int i = 0; i < 8; ++i) {
      EXPECT_TRUE(v[i].isApprox((after.X_WL[i].p - before.X_WL[i].p) / (2 * h), 1e-6) || v[i].norm() < 1e-7);
      const Vector3d turned = momentFromRotation(after.X_WL[i].R * before.X_WL[i].R.transpose()) / (2 * h);
      EXPECT_NEAR((w[i] - turned).norm(), 0, 1e-6);
    }
  }
}

TEST(RobotState, BasePoseAndTwistSurviveTheRoundTrip) {
  RobotDescription d = test::floatingArm();
  d.links[0].X_PL0.R = rotationFromRollPitchYaw({0.2, 0.4, 0.6});
  const RobotPtr robot = Robot::compile(d);
  RandomStream random(5);
  for (int round = 0; round < 50; ++round) {
    RobotState state(*robot);
    state.q = randomVector(random, 8);
    state.q[3] += 2 * EIGEN_PI * (round % 3);  // Angles stay near what they were, however often they went round.
    state.dq = randomVector(random, 8);
    updateFrames(*robot, state);
    std::vector<Vector3d> v(8), w(8);
    linkVelocities(*robot, state, v, w);
    VectorXd q = state.q + 0.1 * randomVector(random, 8), dq = VectorXd::Zero(8);
    setFloatingBasePose(*robot, state.X_WL[5], q);
    EXPECT_TRUE(q.head<6>().isApprox(state.q.head<6>(), 1e-9)) << q.head<6>().transpose();
    setFloatingBaseVelocity(*robot, v[5], w[5], state.q, dq);
    EXPECT_TRUE(dq.head<6>().isApprox(state.dq.head<6>(), 1e-9));
  }
}

TEST(RobotState, InTheSingularPositionTheClosestRatesAreFound) {
  const RobotPtr robot = Robot::compile(test::floatingArm());
  for (const double pitch : {EIGEN_PI / 2, -EIGEN_PI / 2}) {
    RobotState state(*robot);
    state.q.setZero();
    state.q[4] = pitch;
    state.q[3] = 0.3;
    setFloatingBaseVelocity(*robot, {1, 2, 3}, {0, 0, 2}, state.q, state.dq);
    updateFrames(*robot, state);
    std::vector<Vector3d> v(8), w(8);
    linkVelocities(*robot, state, v, w);
    EXPECT_TRUE(w[5].isApprox(Vector3d(0, 0, 2), 1e-9)) << w[5].transpose();
    EXPECT_NEAR(std::abs(state.dq[3]), std::abs(state.dq[5]), 1e-12);  // Least squares shares the rate.
    EXPECT_EQ(v[5], Vector3d(1, 2, 3));
  }
}

TEST(RobotState, SizesThatAreNotTheRobotsAreRefused) {
  const RobotPtr robot = Robot::compile(test::floatingArm());
  RobotState state(*robot);
  std::vector<Vector3d> v(8), w(7);
  EXPECT_TRUE(test::refuses([&] { linkVelocities(*robot, state, v, w); },
                            "linkVelocities: `w_WL` has 7 entries instead of 8, one for each link"));
  VectorXd q(5);
  EXPECT_THROW(setFloatingBasePose(*robot, {}, q), PreconditionError);
  EXPECT_THROW(setFloatingBaseVelocity(*robot, Vector3d::Zero(), Vector3d::Zero(), state.q, q), PreconditionError);
  state.X_WL.resize(7);
  EXPECT_THROW(updateFrames(*robot, state), PreconditionError);
  state.q.resize(9);
  EXPECT_THROW(updateFrames(*robot, state), PreconditionError);
}

}  // namespace
}  // namespace mortise
