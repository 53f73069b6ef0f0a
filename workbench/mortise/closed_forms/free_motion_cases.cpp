// Nothing holds and nothing touches.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/closed_forms/closed_forms.h"
#include "mortise/closed_forms/shapes.h"
#include "mortise/closed_forms/truth_case.h"
#include "mortise/math/rotation.h"

namespace mortise::truth {

namespace {

double parabola(Trial& trial) {
  const Vector3d com(0.1, -0.2, 0.3), w(1, -2, 0.5), v(3, 1, 4);
  const RigidTransform X_WB(rotationAbout({1, 2, 3}, 0.7), Vector3d(1, 2, 3));
  Rig rig(trial);
  const int body = rig.builder.addBody(nullptr, X_WB, {1.5, com, Vector3d(0.02, 0.03, 0.04).asDiagonal()});
  rig.builder.scene.bodies[body].w_WB = w;
  rig.builder.scene.bodies[body].v_WB = v - w.cross(X_WB.R * com);
  rig.start();
  rig.advance(1);
  const Vector3d expected = X_WB * com + v + Vector3d(0, 0, -0.5 * kGravity);
  return (rig.body(body).X_WB * com - expected).norm();
}

double gyroscope(Trial& trial) {
  constexpr double kTime = 2;
  const Matrix3d inertia = Vector3d(0.1, 0.2, 0.25).asDiagonal();
  FreeRotation start;
  start.w_WB = Vector3d(0.3, 4, 0.1);  // Near the unstable axis: it turns over.
  Rig rig(trial);
  rig.builder.scene.gravity.setZero();
  const int body = rig.builder.addBody(nullptr, {}, {1, Vector3d::Zero(), inertia});
  rig.builder.scene.bodies[body].w_WB = start.w_WB;
  rig.start();
  rig.advance(kTime);
  const FreeRotation exact = freeRotation(inertia, start, kTime);
  return momentFromRotation(exact.R_WB.transpose() * rig.body(body).X_WB.R).norm();
}

/// A body with two arms of two rods each, in flight.
double flight(Trial& trial) {
  double worst = 0;
  for (const bool motors : {false, true}) {
    Rig rig(trial);
    SceneBuilder& b = rig.builder;
    b.scene.gravity.setZero();
    const int base = b.addBody(nullptr, {}, {5, Vector3d::Zero(), boxMoments(5, Vector3d(0.4, 0.3, 0.2))});
    b.scene.bodies[base].v_WB = Vector3d(0.5, -0.2, 0.3);
    b.scene.bodies[base].w_WB = Vector3d(-0.4, 0.3, 0.9);
    const double velocities[] = {0.7, -0.5, 0.2, 0.6};
    int joints = 0;
    for (const double side : {1.0, -1.0}) {
      int parent = base;
      for (int k = 0; k < 2; ++k, ++joints) {
        const Matrix3d R = rotationZ(side > 0 ? 0.0 : std::numbers::pi);
        const int link = b.addBody(nullptr, {R, Vector3d(side * (k == 0 ? 0.2 : 0.6), 0, 0)},
                                   {1, Vector3d(0.2, 0, 0), boxMoments(1, Vector3d(0.4, 0.06, 0.06))});
        b.addJoint(SceneJoint::Type::revolute, parent, link, k == 0 ? Vector3d::UnitY() : Vector3d::UnitZ(), 0,
                   velocities[joints]);
        parent = link;
      }
    }
    rig.start();
    if (motors) {
      std::vector<JointDrive> drives(4);
      for (JointDrive& drive : drives) {
        drive.stiffness = 30;
        drive.damping = 1;
        drive.minEffort = -20;
        drive.maxEffort = 20;
      }
      rig.setDrives(drives);
    }
    const Momentum start = momentumOf(b.scene.bodies, rig.bodies());
    for (int i = 0; i < 30; ++i) {
      rig.advance(0.1);
      const Momentum now = momentumOf(b.scene.bodies, rig.bodies());
      worst = std::max({worst, (now.linear - start.linear).norm() / start.linear.norm(),
                        (now.angular - start.angular).norm() / start.angular.norm()});
    }
  }
  return worst;
}

}  // namespace

std::vector<TruthCase> freeMotionCases() {
  return {{.name = "free_fall",
           .sentence = "A spinning body that is thrown flies along a parabola, wherever its frame is.",
           .quantity = "place of its center of mass after 1 s",
           .unit = "m",
           .form = "p + v t - g t^2 / 2",
           .source = "Galilei",
           .tolerance = 5.2e-3,
           .error = parabola},
          {.name = "gyroscope",
           .sentence = "A free body turns over near its unstable axis.",
           .quantity = "orientation after 2 s",
           .unit = "rad",
           .form = "Euler's equations without torque",
           .source = "Runge-Kutta steps of fourth order, 0.1 ms",
           .tolerance = 0.05,
           .error = gyroscope},
          {.name = "free_flight",
           .sentence = "A body with two arms of two links each flies freely, limp and with motors at work.",
           .quantity = "linear and angular momentum, the worst in 3 s",
           .unit = "1",
           .form = "both stay as they are",
           .source = "conservation of momentum",
           .tolerance = 2e-3,
           .error = flight}};
}

}  // namespace mortise::truth
