#pragma once

/// Robots that are chains of joints with a hand, and poses of the hand.

#include <algorithm>
#include <vector>

#include "mortise/math/rotation.h"
#include "mortise/model/robot_state.h"
#include "tests/support/worlds.h"

namespace mortise::test {

/// A chain of joints about these axes, each frame placed in the one before.
inline RobotPtr chainRobot(const std::vector<Vector3d>& axes, const std::vector<Vector3d>& offsets, double limit) {
  RobotDescription robot = test::armDescription(static_cast<int>(axes.size()) + 1);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    robot.links[i].axis = axes[i].normalized();
    robot.links[i].X_PL0.p = offsets[i];
    robot.links[i].qMin = -limit;
    robot.links[i].qMax = limit;
  }
  Link& hand = robot.links.back();  // A weld.
  hand.X_PL0 = RigidTransform(rotationFromMoment({0.3, -0.2, 0.9}), {0.05, 0.02, 0.1});
  hand.qMin = hand.qMax = 0;
  return Robot::compile(std::move(robot));
}

inline RobotPtr sevenJoints() {
  return chainRobot({{0, 0, 1}, {0, 1, 0}, {0, 0, 1}, {0, 1, 0}, {0, 0, 1}, {0, 1, 0}, {0, 0, 1}},
                    {{0, 0, 0.3}, {0.05, 0, 0}, {0, 0, 0.4}, {0.04, 0, 0}, {0, 0, 0.4}, {0.01, 0, 0}, {0, 0, 0.1}},
                    2.2);
}

inline RigidTransform handPose(const Robot& robot, const VectorXd& q, int link = -1) {
  RobotState state(robot);
  state.q = q;
  updateFrames(robot, state);
  return state.X_WL[static_cast<std::size_t>(link < 0 ? robot.numLinks() - 1 : link)];
}

inline double poseError(const RigidTransform& a, const RigidTransform& b) {
  return std::max((a.p - b.p).norm(), (a.R - b.R).cwiseAbs().maxCoeff());
}

}  // namespace mortise::test
