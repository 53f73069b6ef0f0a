// Motors that are asked for more than they can give.

#include <algorithm>
#include <cmath>

#include "mortise/closed_forms/closed_forms.h"
#include "mortise/closed_forms/shapes.h"
#include "mortise/closed_forms/truth_case.h"
#include "mortise/math/rotation.h"

namespace mortise::truth {

namespace {

/// Returns how far an effort is beyond a limit, as a fraction of it.
double beyond(double effort, double limit) { return std::max(0.0, std::abs(effort) - limit) / limit; }

/// An arm of two links that its motors lift, at their limits first, then as their gains say.
double saturatedMotor(Trial& trial) {
  constexpr double kCheck = 0.1, kTime = 1;
  DrivenArm arm;
  arm.gravity = kGravity;
  for (int i = 0; i < 2; ++i) {
    arm.stiffness[i] = i == 0 ? 400 : 200;
    arm.damping[i] = i == 0 ? 20 : 8;
    arm.target[i] = i == 0 ? 1.2 : -0.8;
    arm.limit[i] = i == 0 ? 12 : 3;
  }
  const Vector3d axis(0, -1, 0), down(0, 0, -1), along = down * arm.length[0];
  Rig rig(trial);
  int joints[2];
  for (int i = 0, parent = -1; i < 2; ++i) {
    const Vector3d size(0.04, 0.04, arm.length[i]);
    const int link = rig.builder.addBody(
        nullptr, RigidTransform::translation(i == 0 ? Vector3d(Vector3d::Zero()) : along),
        {arm.mass[i], 0.5 * arm.length[i] * down,
         Vector3d(1, 1, 1e-3).asDiagonal() * Matrix3d::Identity() * arm.mass[i] * size.z() * size.z() / 12});
    joints[i] = rig.builder.addJoint(SceneJoint::Type::revolute, parent, link, axis);
    parent = link;
  }
  rig.start();
  std::vector<JointDrive> drives(2);
  for (int i = 0; i < 2; ++i) {
    JointDrive& drive = drives[static_cast<std::size_t>(i)];
    drive.stiffness = arm.stiffness[i];
    drive.damping = arm.damping[i];
    drive.target = arm.target[i];
    drive.maxEffort = arm.limit[i];
    drive.minEffort = -arm.limit[i];
  }
  rig.setDrives(drives);
  double worst = 0;
  ArmState exact;
  double reached = 0;
  for (int i = trial.stepsIn(kTime); i > 0; --i) {
    rig.step();
    for (int k = 0; k < 2; ++k) worst = std::max(worst, beyond(rig.joint(joints[k]).effort, arm.limit[k]));
    if (rig.time() < reached + kCheck - 0.5 * trial.step()) continue;
    exact = drivenArm(arm, exact, rig.time() - reached);
    reached = rig.time();
    for (int k = 0; k < 2; ++k) worst = std::max(worst, std::abs(rig.joint(joints[k]).position - exact.q[k]));
  }
  return worst;
}

/// Two stiff fingers at the limit of their motors on a box: they press with just that, and it stays.
double gripper(Trial& trial) {
  constexpr double kSize = 0.1, kLimit = 40;
  const Vector3d extent = Vector3d::Constant(kSize), finger(0.02, 0.04, 0.04);
  Rig rig(trial);
  const int box = rig.builder.addBox(extent, 1, RigidTransform::translation({0, 0, 1}));
  int joints[2], fingers[2];
  for (int i = 0; i < 2; ++i) {
    const double side = i == 0 ? -1 : 1;
    fingers[i] =
        rig.builder.addBox(finger, 0.1, RigidTransform::translation({side * 0.5 * (kSize + finger.x()), 0, 1}));
    joints[i] = rig.builder.addJoint(SceneJoint::Type::prismatic, -1, fingers[i], Vector3d(-side, 0, 0));
    rig.touchBox(fingers[i], finger, box, Vector3d(side, 0, 0), Vector3d(side * 0.5 * kSize, 0, 0));
  }
  rig.start();
  std::vector<JointDrive> drives(2);
  for (JointDrive& drive : drives) {
    drive.stiffness = 1e5;
    drive.damping = 1e3;
    drive.target = 0.02;  // 2,000 N, if they could.
    drive.minEffort = -kLimit;
    drive.maxEffort = kLimit;
  }
  rig.setDrives(drives);
  double worst = 0;
  Vector3d start = Vector3d::Zero();
  for (int i = 0; i < trial.stepsIn(1); ++i) {
    rig.step();
    for (const int joint : joints) worst = std::max(worst, beyond(rig.joint(joint).effort, kLimit));
    if (i == trial.stepsIn(0.1)) start = rig.body(box).X_WB.p;
    if (i < trial.stepsIn(0.5)) continue;
    for (const int each : fingers) worst = std::max(worst, std::abs(std::abs(rig.contactForce(each).x()) / kLimit - 1));
  }
  return std::max(worst, (rig.body(box).X_WB.p - start).norm() / kSize);
}

}  // namespace

std::vector<TruthCase> motorCases() {
  return {
      {.name = "saturated_motor",
       .sentence = "The motors of an arm of two links lift it against gravity, at their limits of 12 and 3 N m at "
                   "first.",
       .quantity = "angle, every 0.1 s for 1 s, and torque beyond its limit in any step, in parts of the limit",
       .unit = "rad",
       .form = "M dv/dt + c = clamp(k (target - q) - d v, limit)",
       .source = "Runge-Kutta steps of fourth order, 0.01 ms",
       .tolerance = 0.02,
       .error = saturatedMotor},
      {.name = "gripper",
       .sentence = "Two fingers of 100 g on stiff motors press on a box of 1 kg at their limit of 40 N and hold it.",
       .quantity = "force of motors beyond the limit, pressing force against it, way of the box in 0.9 s over its "
                   "size",
       .unit = "1",
       .form = "each presses with 40 N; the box stays: 2 mu 40 N is more than m g",
       .source = "statics and Coulomb's law",
       .tolerance = 0.01,
       .contacts = true,
       .error = gripper}};
}

}  // namespace mortise::truth
