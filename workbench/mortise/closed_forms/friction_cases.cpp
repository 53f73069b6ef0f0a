// Dry friction: when a block slips, how far it slides, how a ball rolls.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/closed_forms/closed_forms.h"
#include "mortise/closed_forms/truth_case.h"
#include "mortise/math/rotation.h"

namespace mortise::truth {

namespace {

double slip(Trial& trial) {
  constexpr double kFriction = 0.6, kTime = 0.4;
  double worst = 0;
  for (const double yaw : {0.0, 0.4, 0.7854, 1.9})
    for (const double ratio : {0.99, 1.01}) {
      const double angle = std::atan(ratio * kFriction);
      const Matrix3d R_WS = rotationZ(yaw) * rotationY(angle);  // Downhill is +x of the slope.
      Rig rig(trial);
      rig.builder.surface.friction = kFriction;
      rig.addGround(R_WS);
      const Vector3d size(0.2, 0.2, 0.05);
      const int block = rig.builder.addBox(size, 1, {R_WS * rotationZ(0.5 * yaw), R_WS * Vector3d(0, 0, 0.025)});
      rig.touchBox(block, size);
      rig.start();
      rig.advance(0.1);
      const BodyState from = rig.body(block);
      rig.advance(kTime);
      const BodyState to = rig.body(block);
      // What holds may not even creep; of what slides, the way beyond that of its speed says how it gains more.
      Vector3d displacement = to.X_WB.p - from.X_WB.p;
      if (ratio > 1) displacement -= kTime * from.v_WB;
      const Vector3d gained = 2 / (kTime * kTime) * (R_WS.transpose() * displacement);
      const Vector3d expected(slopeAcceleration(angle, kFriction, kGravity), 0, 0);
      worst = std::max(worst, (gained - expected).norm() / (kFriction * kGravity * std::cos(angle)));
    }
  return worst;
}

double slide(Trial& trial) {
  constexpr double kSpeed = 2, kFriction = 0.4;
  const double distance = slidingDistance(kSpeed, kFriction, kGravity);
  double worst = 0;
  for (int k = 0; k < 8; ++k) {
    const double angle = k * std::numbers::pi / 4 + 0.1;
    const Vector3d direction(std::cos(angle), std::sin(angle), 0);
    Rig rig(trial);
    rig.builder.surface.friction = kFriction;
    rig.addGround();
    const Vector3d size(0.2, 0.2, 0.04);
    const int block = rig.builder.addBox(size, 1, RigidTransform::translation({0, 0, 0.02}));
    rig.builder.scene.bodies[block].v_WB = kSpeed * direction;
    rig.touchBox(block, size);
    rig.start();
    rig.advance(0.7);
    worst = std::max(worst, (rig.body(block).X_WB.p - Vector3d(0, 0, 0.02) - distance * direction).norm());
  }
  return worst;
}

double roll(Trial& trial) {
  constexpr double kRadius = 0.05, kAngle = 0.3, kSpeed = 2;
  double worst = 0;
  for (const bool slope : {true, false}) {
    const Matrix3d R_WS = slope ? rotationY(kAngle) : Matrix3d::Identity();
    Rig rig(trial);
    rig.addGround(R_WS);
    const int ball = rig.builder.addSphere(kRadius, 0.5, R_WS * Vector3d(0, 0, kRadius));
    if (!slope) rig.builder.scene.bodies[ball].v_WB = Vector3d(kSpeed, 0, 0);
    rig.touchBall(ball, kRadius);
    rig.start();
    rig.advance(1);
    const BodyState& end = rig.body(ball);
    const double speed = slope ? rollingAcceleration(kAngle, kGravity) : rollingSpeed(kSpeed);
    const Vector3d v = R_WS * Vector3d(speed, 0, 0), w = R_WS * Vector3d(0, speed / kRadius, 0);
    worst = std::max({worst, (end.v_WB - v).norm() / speed, (end.w_WB - w).norm() * kRadius / speed});
  }
  return worst;
}

}  // namespace

std::vector<TruthCase> frictionCases() {
  return {{.name = "slip",
           .sentence = "A block on a slope holds just below the friction angle and slides just above it, whatever its "
                       "heading.",
           .quantity = "force along the slope over friction, slopes of 0.99 and 1.01 mu, four headings",
           .unit = "1",
           .form = "a = 0 up to tan(angle) = mu, beyond it g (sin(angle) - mu cos(angle))",
           .source = "Coulomb's law",
           .tolerance = 0.005,
           .contacts = true,
           .error = slip},
          {.name = "slide",
           .sentence = "A block that is pushed off at 2 m/s stops after the same distance in eight directions.",
           .quantity = "where it stops, of 0.51 m",
           .unit = "m",
           .form = "v^2 / (2 mu g), straight ahead",
           .source = "Coulomb's law",
           .tolerance = 0.03 * slidingDistance(2, 0.4, kGravity),
           .contacts = true,
           .error = slide},
          {.name = "roll",
           .sentence = "A ball rolls down a slope without slipping, and one that is set down sliding ends up rolling.",
           .quantity = "speed and spin after 1 s",
           .unit = "1",
           .form = "5/7 g sin(angle) t; 5/7 v",
           .source = "moment of inertia 2/5 m r^2 of a homogeneous ball",
           .tolerance = 0.005,
           .contacts = true,
           .error = roll}};
}

}  // namespace mortise::truth
