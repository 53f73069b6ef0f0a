#include "mortise/model/robot_state.h"

#include <Eigen/Dense>
#include <cmath>

#include "mortise/base/expect.h"
#include "mortise/math/rotation.h"

namespace mortise {

RobotState::RobotState(const Robot& robot)
    : q(robot.initialConfiguration()), dq(VectorXd::Zero(robot.numLinks())), X_WL(robot.numLinks()) {
  updateFrames(robot, *this);
}

RigidTransform linkMotion(const Link& link, double q) {
  if (link.motion == LinkMotion::prismatic) return RigidTransform::translation(link.axis * q);
  return RigidTransform::rotation(rotationAboutAxis(link.axis, q));
}

void updateFrames(const Robot& robot, RobotState& state) {
  MORTISE_REQUIRE_SIZE(state.q, robot.numLinks(), "one for each link");
  MORTISE_REQUIRE_SIZE(state.X_WL, robot.numLinks(), "one for each link");
  const int n = robot.numLinks();
  for (int i = 0; i < n; ++i) {
    const Link& link = robot.link(i);
    // A revolute link turns about its own origin: no product with zeros.
    const RigidTransform X_PL =
        link.motion == LinkMotion::prismatic
            ? link.X_PL0 * linkMotion(link, state.q[i])
            : RigidTransform(link.X_PL0.R * rotationAboutAxis(link.axis, state.q[i]), link.X_PL0.p + Vector3d::Zero());
    state.X_WL[i] = link.parent < 0 ? X_PL : state.X_WL[link.parent] * X_PL;
  }
}

void linkVelocities(const Robot& robot, const RobotState& state, std::vector<Vector3d>& v_WL,
                    std::vector<Vector3d>& w_WL) {
  MORTISE_REQUIRE_SIZE(state.dq, robot.numLinks(), "one for each link");
  MORTISE_REQUIRE_SIZE(state.X_WL, robot.numLinks(), "one for each link");
  MORTISE_REQUIRE_SIZE(v_WL, robot.numLinks(), "one for each link");
  MORTISE_REQUIRE_SIZE(w_WL, robot.numLinks(), "one for each link");
  const int n = robot.numLinks();
  for (int i = 0; i < n; ++i) {
    const Link& link = robot.link(i);
    const int parent = link.parent;
    if (parent < 0) {
      v_WL[i].setZero();
      w_WL[i].setZero();
    } else {
      w_WL[i] = w_WL[parent];
      v_WL[i] = v_WL[parent] + w_WL[parent].cross(state.X_WL[i].p - state.X_WL[parent].p);
    }
    // A revolute link turns about its own origin; the axis is the same before and after the motion.
    const Vector3d rate = state.X_WL[i].R * link.axis * state.dq[i];
    (link.motion == LinkMotion::prismatic ? v_WL[i] : w_WL[i]) += rate;
  }
}

void setFloatingBasePose(const Robot& robot, const RigidTransform& X_WB, VectorXd& q) {
  MORTISE_REQUIRE(robot.floatingBaseLink() >= 0, "the robot must have a floating base");
  MORTISE_REQUIRE_SIZE(q, robot.numLinks(), "one for each link");
  const RigidTransform X_MB = robot.link(0).X_PL0.inverse() * X_WB;
  q.head<3>() = X_MB.p;
  const Vector3d angles = eulerZyxFromRotation(X_MB.R);
  for (int i = 0; i < 3; ++i) q[3 + i] = unwrapNear(angles[i], q[3 + i]);
}

void setFloatingBaseVelocity(const Robot& robot, const Vector3d& v_WB, const Vector3d& w_WB, const VectorXd& q,
                             VectorXd& dq) {
  MORTISE_REQUIRE(robot.floatingBaseLink() >= 0, "the robot must have a floating base");
  MORTISE_REQUIRE_SIZE(q, robot.numLinks(), "one for each link");
  MORTISE_REQUIRE_SIZE(dq, robot.numLinks(), "one for each link");
  const Matrix3d R_MW = robot.link(0).X_PL0.R.transpose();
  dq.head<3>() = R_MW * v_WB;
  // Angular velocity of Rz(a) Ry(b) Rx(c) in the mounting frame: columns are the axes that the rates turn about.
  const double a = q[3], b = q[4];
  Matrix3d axes;
  axes.col(0) = Vector3d::UnitZ();
  axes.col(1) = Vector3d(-std::sin(a), std::cos(a), 0);
  axes.col(2) = Vector3d(std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), -std::sin(b));
  const Vector3d w_M = R_MW * w_WB;
  if (std::abs(std::cos(b)) > 1e-9) {
    dq.segment<3>(3) = axes.inverse() * w_M;
    return;
  }
  // Axes z and x coincide up to sign: the rate about them is shared, and what cannot be reached is dropped.
  const double sign = b > 0 ? -1 : 1;
  const double shared = w_M.z() / 2;
  dq[3] = shared;
  dq[4] = axes.col(1).dot(w_M);
  dq[5] = sign * shared;
}

}  // namespace mortise
