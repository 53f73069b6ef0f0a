#pragma once

#include <cmath>

#include "mortise/contact/hold.h"
#include "mortise/math/rotation.h"
#include "mortise/model/robot_state.h"
#include "tests/support/worlds.h"

namespace mortise::test {

/// Two legs of six joints under a floating body of 10 kg: hips 0.2 m apart, thighs and shins of 0.3 m and 1 kg, feet of
/// 0.2 m by 0.1 m whose soles are 0.05 m below the ankles. Links 0 to 5: the base; 6 to 11: the left leg; 12 to 17: the
/// right one. Torque limits of 60 N*m.
inline RobotDescription bipedDescription() {
  RobotDescription robot;
  robot.name = "biped";
  const auto add = [&](const std::string& name, int parent, const Vector3d& axis, const Vector3d& p, LinkMotion motion,
                       double low, double high) {
    Link link;
    link.name = name;
    link.parent = parent;
    link.axis = axis;
    link.X_PL0.p = p;
    link.motion = motion;
    link.qMin = low;
    link.qMax = high;
    link.torqueMax = 60;
    robot.links.push_back(link);
    return static_cast<int>(robot.links.size()) - 1;
  };
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ(), zero = Vector3d::Zero();
  const Vector3d slide[] = {x, y, z}, turn[] = {z, y, x};
  const char* names[] = {"tx", "ty", "tz", "rz", "ry", "rx"};
  for (int i = 0; i < 6; ++i)
    add(names[i], i - 1, i < 3 ? slide[i] : turn[i - 3], zero, i < 3 ? LinkMotion::prismatic : LinkMotion::revolute,
        -kInfinity, kInfinity);
  robot.joints.push_back({JointType::floating, 5, -1});
  Link& body = robot.links[5];
  body.inertia = boxInertia(10, Vector3d(0.2, 0.3, 0.4));
  body.inertia.com = Vector3d(0, 0, 0.2);
  body.geometry =
      std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(-0.1, -0.15, 0.05), Vector3d(0.1, 0.15, 0.4)});
  for (const int side : {1, -1}) {
    const std::string leg = side > 0 ? "left_" : "right_";
    const auto joint = [&](const char* name, int parent, const Vector3d& axis, const Vector3d& p, double low,
                           double high) {
      const int link = add(leg + name, parent, axis, p, LinkMotion::revolute, low, high);
      robot.joints.push_back({JointType::normal, link, -1});
      return link;
    };
    const int yaw = joint("hip_yaw", 5, z, Vector3d(0, 0.1 * side, 0), -1, 1);
    const int roll = joint("hip_roll", yaw, x, zero, -0.8, 0.8);
    const int thigh = joint("hip_pitch", roll, y, zero, -2, 1);
    const int shin = joint("knee", thigh, y, Vector3d(0, 0, -0.3), 0, 2.5);
    const int ankle = joint("ankle_pitch", shin, y, Vector3d(0, 0, -0.3), -1.5, 1.5);
    const int foot = joint("ankle_roll", ankle, x, zero, -0.8, 0.8);
    for (const int link : {thigh, shin}) {
      robot.links[link].inertia = boxInertia(1, Vector3d(0.06, 0.06, 0.3));
      robot.links[link].inertia.com = Vector3d(0, 0, -0.15);
      robot.links[link].geometry =
          std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(-0.03, -0.03, -0.27), Vector3d(0.03, 0.03, -0.03)});
    }
    robot.links[foot].inertia = boxInertia(0.5, Vector3d(0.2, 0.1, 0.03));
    robot.links[foot].geometry =
        std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(-0.08, -0.05, -0.05), Vector3d(0.12, 0.05, -0.02)});
  }
  for (int left = 6; left < 12; ++left)
    for (int right = 12; right < 18; ++right) robot.selfCollisionPairs.push_back({left, right});
  robot.selfCollisionPairs.push_back({5, 9});
  robot.selfCollisionPairs.push_back({5, 15});
  return robot;
}

/// With bent knees, soles at z = 0 (to rounding), the body upright above the feet.
inline VectorXd bipedStanding(double bend) {
  VectorXd q = VectorXd::Zero(18);
  q[2] = 0.6 * std::cos(bend) + 0.05;
  for (const int leg : {6, 12}) {
    q[leg + 2] = -bend;
    q[leg + 3] = 2 * bend;
    q[leg + 4] = -bend;
  }
  return q;
}

/// Feet where they are at `q`, each on the four corners of its sole.
inline Stance bipedStance(const Robot& robot, const VectorXd& q, const std::vector<int>& feet, double friction) {
  RobotState state(robot);
  state.q = q;
  updateFrames(robot, state);
  Stance stance;
  for (const int foot : feet) {
    const RigidTransform& X_WL = state.X_WL[static_cast<std::size_t>(foot)];
    Hold hold;
    hold.link = hold.goal.link = foot;
    hold.goal.position = IKGoal::Position::point;
    hold.goal.p_DP = X_WL.p;
    hold.goal.rotation = IKGoal::Rotation::fixed;
    hold.goal.rotationVector_DL = momentFromRotation(X_WL.R);
    for (const double dx : {-0.08, 0.12})
      for (const double dy : {-0.05, 0.05})
        hold.contacts.push_back({X_WL * Vector3d(dx, dy, -0.05), Vector3d::UnitZ(), friction});
    stance.holds.push_back(hold);
  }
  return stance;
}

}  // namespace mortise::test
