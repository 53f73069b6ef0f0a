// Pendulums, closed loops, stops, drives.

#include <algorithm>
#include <cmath>

#include "mortise/closed_forms/closed_forms.h"
#include "mortise/closed_forms/shapes.h"
#include "mortise/closed_forms/truth_case.h"

namespace mortise::truth {

namespace {

constexpr double kSwing = 0.5;  ///< rad

double relative(double measured, double expected) { return std::abs(measured - expected) / expected; }

double pendulumSwing(Trial& trial) {
  constexpr double kLength = 0.5, kMass = 1.2, kAbout = 0.01;
  Rig rig(trial);
  const Vector3d axis = Vector3d::UnitY();
  const int link = rig.builder.addBody(nullptr, RigidTransform::rotation(rotationAbout(axis, kSwing)),
                                       {kMass, Vector3d(0, 0, -kLength), Matrix3d::Identity() * kAbout});
  const int joint = rig.builder.addJoint(SceneJoint::Type::revolute, -1, link, axis, kSwing);
  rig.start();
  const double measured = measuredPeriod(
      3, trial.step(), 20, [&] { rig.step(); }, [&] { return rig.joint(joint).position; });
  const double weightMoment = kMass * kGravity * kLength;
  return relative(measured, pendulumPeriod(kAbout + kMass * kLength * kLength, weightMoment, kSwing));
}

double doublePendulumEnergy(Trial& trial) {
  constexpr double kLength = 0.5;
  const BodyInertia inertia{1, Vector3d(0, 0, -0.5 * kLength), Matrix3d::Identity() * 0.02};
  const Vector3d axis = Vector3d::UnitY();
  const Matrix3d R1 = rotationAbout(axis, 1.0), R2 = rotationAbout(axis, 1.8);
  Rig rig(trial);
  const int first = rig.builder.addBody(nullptr, RigidTransform::rotation(R1), inertia);
  const int second = rig.builder.addBody(nullptr, {R2, R1 * Vector3d(0, 0, -kLength)}, inertia);
  rig.builder.addJoint(SceneJoint::Type::revolute, -1, first, axis, 1.0);
  rig.builder.addJoint(SceneJoint::Type::revolute, first, second, axis, 0.8);
  rig.start();
  const std::vector<SceneBody>& bodies = rig.builder.scene.bodies;
  const double before = energyOf(bodies, rig.bodies(), kGravity);
  double worst = 0;
  for (int i = 0; i < 300; ++i) {
    rig.advance(0.01);
    worst = std::max(worst, std::abs(energyOf(bodies, rig.bodies(), kGravity) - before));
  }
  return worst;
}

/// Two cranks of equal length on the world and a coupler between their ends, which stays level: a pendulum whose
/// inertia about a pivot is that of both cranks and of the coupler as a point at their ends. The four hinges are 20
/// constraints of rank 17.
double parallelogram(Trial& trial) {
  constexpr double kLength = 0.4, kWidth = 0.6, kCrank = 0.5, kCoupler = 1.5;
  const Vector3d axis = Vector3d::UnitY();
  const Matrix3d R = rotationAbout(axis, kSwing);
  const Vector3d crankSize(0.04, 0.04, kLength), couplerSize(kWidth, 0.04, 0.04), reach = R * Vector3d(0, 0, -kLength);
  Rig rig(trial);
  const BodyInertia crank{kCrank, Vector3d(0, 0, -0.5 * kLength), boxMoments(kCrank, crankSize)};
  const int left = rig.builder.addBody(nullptr, RigidTransform::rotation(R), crank);
  const int right = rig.builder.addBody(nullptr, {R, Vector3d(kWidth, 0, 0)}, crank);
  const int coupler = rig.builder.addBody(nullptr, RigidTransform::translation(reach),
                                          {kCoupler, Vector3d(0.5 * kWidth, 0, 0), boxMoments(kCoupler, couplerSize)});
  rig.builder.addHinge(left, -1, Vector3d::Zero(), axis);
  rig.builder.addHinge(right, -1, Vector3d(kWidth, 0, 0), axis);
  rig.builder.addHinge(left, coupler, reach, axis);
  rig.builder.addHinge(right, coupler, Vector3d(kWidth, 0, 0) + reach, axis);
  rig.start();
  const double measured = measuredPeriod(
      3, trial.step(), 20, [&] { rig.step(); },
      [&] {
        const Matrix3d& now = rig.body(left).X_WB.R;
        return std::atan2(now(0, 2), now(2, 2));
      });
  const double pivot = crank.inertia(1, 1) + kCrank * 0.25 * kLength * kLength;
  return relative(measured, pendulumPeriod(2 * pivot + kCoupler * kLength * kLength,
                                           (2 * kCrank * 0.5 + kCoupler) * kGravity * kLength, kSwing));
}

double jointStop(Trial& trial) {
  constexpr double kStop = -0.6;
  Rig rig(trial);
  const int link = rig.builder.addBody(nullptr, {}, {1, Vector3d(0.5, 0, 0), Matrix3d::Identity() * 0.02});
  const int joint = rig.builder.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d(0, -1, 0));  // Falls to -q.
  rig.builder.scene.joints[joint].lower = kStop;
  rig.builder.scene.joints[joint].upper = 1;
  rig.start();
  double lowest = 0;
  for (int i = trial.stepsIn(2); i > 0; --i) {
    rig.step();
    lowest = std::min(lowest, rig.joint(joint).position);
  }
  return std::max(kStop - lowest, std::abs(rig.joint(joint).position - kStop));
}

double driveTracking(Trial& trial) {
  constexpr double kMass = 1, kArm = 0.2, kInertia = 0.1;
  Rig rig(trial);
  rig.builder.scene.gravity.setZero();
  const double about = kInertia - kMass * kArm * kArm;
  const int link = rig.builder.addBody(nullptr, {}, {kMass, Vector3d(kArm, 0, 0), Matrix3d::Identity() * about});
  const int joint = rig.builder.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d(0, -1, 0));
  rig.start();
  JointDrive drive;
  drive.stiffness = 20;
  drive.damping = 1;
  drive.target = 0.5;
  rig.setDrives(std::span(&drive, 1));
  double worst = 0;
  for (int i = trial.stepsIn(1); i > 0; --i) {
    rig.step();
    const double exact = drivenPosition(rig.time(), kInertia, drive.stiffness, drive.damping, drive.target);
    worst = std::max(worst, std::abs(rig.joint(joint).position - exact));
  }
  return worst;
}

}  // namespace

std::vector<TruthCase> jointCases() {
  return {{.name = "pendulum_period",
           .sentence = "A pendulum swings by 0.5 rad to each side.",
           .quantity = "period, mean of three swings",
           .unit = "1",
           .form = "4 K(sin(0.25)) sqrt(I / (m g l))",
           .source = "complete elliptic integral, by Gauss's arithmetic-geometric mean",
           .tolerance = 1e-3,
           .error = pendulumSwing},
          {.name = "pendulum_energy",
           .sentence = "A double pendulum swings through large angles without friction for 3 s.",
           .quantity = "energy, of about 6 J that change sides",
           .unit = "J",
           .form = "E(t) = E(0)",
           .source = "conservation of energy",
           .tolerance = 0.4,
           .error = doublePendulumEnergy},
          {.name = "closed_loop",
           .sentence = "A parallelogram of two cranks and a coupler on four hinges swings by 0.5 rad.",
           .quantity = "period, mean of three swings",
           .unit = "1",
           .form = "as a pendulum of inertia 2 I + M l^2 and weight moment (m + M) g l",
           .source = "the coupler does not turn",
           .tolerance = 1e-3,
           .worldJoints = true,
           .error = parallelogram},
          {.name = "joint_stop",
           .sentence = "A rod falls onto the stop of its joint and stays there.",
           .quantity = "angle beyond the stop at most, and from it after 2 s",
           .unit = "rad",
           .form = "q = stop",
           .source = "a rigid stop",
           .tolerance = 5e-3,
           .error = jointStop},
          {.name = "drive",
           .sentence = "A drive of stiffness 20 and damping 1 takes a link of 0.1 kg m^2 to 0.5 rad.",
           .quantity = "angle, the worst in 1 s",
           .unit = "rad",
           .form = "0.5 (1 - exp(-d t) (cos(w t) + d/w sin(w t))), d = 5/s, w^2 = 200/s^2 - d^2",
           .source = "the damped oscillator",
           .tolerance = 5e-3,
           .error = driveTracking}};
}

}  // namespace mortise::truth
