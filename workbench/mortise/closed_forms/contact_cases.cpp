// Cases of bodies that are hit, carried and held.

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/closed_forms/closed_forms.h"
#include "mortise/closed_forms/shapes.h"
#include "mortise/closed_forms/truth_case.h"
#include "mortise/math/rotation.h"

namespace mortise::truth {

namespace {

/// Returns how high a ball comes back that is dropped by `fall`; 0 when it does not.
double reboundOf(Trial& trial, double restitution, double fall) {
  constexpr double kRadius = 0.05;
  Rig rig(trial);
  rig.builder.surface.restitution = restitution;
  rig.addGround();
  const int ball = rig.builder.addSphere(kRadius, 0.5, {0, 0, kRadius + fall});
  rig.touchBall(ball, kRadius);
  rig.start();
  double highest = 0;
  bool up = false;
  for (int i = trial.stepsIn(1.5); i > 0; --i) {
    rig.step();
    const BodyState& state = rig.body(ball);
    if (state.v_WB.z() > 0) up = true;
    if (up) highest = std::max(highest, state.X_WB.p.z() - kRadius);
    if (up && state.v_WB.z() < 0) break;
  }
  return highest;
}

double bounce(Trial& trial) {
  constexpr int kPhases = 4;
  double worst = 0;
  for (const double restitution : {0.5, 0.7, 0.9})
    for (int phase = 0; phase < kPhases; ++phase) {
      // So that the ball touches the ground in all parts of a step.
      const double fall = 1 + phase * std::sqrt(2 * kGravity) * trial.step() / kPhases;
      const double expected = bounceHeight(restitution, fall);
      worst = std::max(worst, std::abs(reboundOf(trial, restitution, fall) - expected) / expected);
    }
  return worst;
}

/// Boxes of these masses, a little apart at the start; how far the worst is from where it must stand after `seconds`.
double stackOf(Trial& trial, const std::vector<double>& masses, double seconds) {
  const Vector3d size = Vector3d::Constant(0.1);
  Rig rig(trial);
  rig.addGround();
  std::vector<int> boxes;
  std::vector<Vector3d> places;
  for (const double mass : masses) {
    const double number = static_cast<double>(boxes.size());
    places.emplace_back(0.002 * std::fmod(number, 3), 0, 0.05 + 0.1 * number);
    const Vector3d apart(0, 0, 2e-4 * number);
    boxes.push_back(rig.builder.addBox(size, mass, {rotationZ(0.1 * number), places.back() + apart}));
    if (boxes.size() == 1)
      rig.touchBox(boxes[0], size);
    else
      rig.touchBox(boxes.back(), size, boxes[boxes.size() - 2], Vector3d::UnitZ(), Vector3d(0, 0, 0.05));
  }
  rig.start();
  rig.advance(seconds);
  double worst = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    worst = std::max(worst, (rig.body(boxes[i]).X_WB.p - places[i]).norm());
  return worst;
}

double stack(Trial& trial) { return stackOf(trial, std::vector<double>(10, 1.0), 2); }
double massRatio(Trial& trial) { return stackOf(trial, {1, 100}, 2); }

double softDepth(Trial& trial) {
  constexpr double kRadius = 0.1, kMass = 1, kStiffness = 1000, kDamping = 50;
  Rig rig(trial);
  rig.builder.surface.stiffness = 2 * kStiffness;  // Two in series.
  rig.builder.surface.damping = 2 * kDamping;
  rig.addGround();
  const int ball = rig.builder.addSphere(kRadius, kMass, {0, 0, kRadius});
  rig.touchBall(ball, kRadius);
  rig.start();
  rig.advance(2);
  const double expected = kMass * kGravity / kStiffness;
  return std::abs(kRadius - rig.body(ball).X_WB.p.z() - expected) / expected;
}

double grasp(Trial& trial) {
  const double size = 0.1;
  const Vector3d extent = Vector3d::Constant(size), finger(0.02, 0.04, 0.04);
  Rig rig(trial);
  const int box = rig.builder.addBox(extent, 1, RigidTransform::translation({0, 0, 1}));
  for (const double side : {-1.0, 1.0}) {
    const int body =
        rig.builder.addBox(finger, 0.5, RigidTransform::translation({side * 0.5 * (size + finger.x()), 0, 1}));
    rig.builder.addJoint(SceneJoint::Type::prismatic, -1, body, Vector3d(-side, 0, 0));
    rig.touchBox(body, finger, box, Vector3d(side, 0, 0), Vector3d(side * 0.5 * size, 0, 0));
  }
  rig.start();
  std::vector<JointDrive> drives(2);
  for (JointDrive& drive : drives) {
    drive.stiffness = 1e4;
    drive.damping = 200;
    drive.target = 0.005;  // 50 N from each side.
    drive.minEffort = -100;
    drive.maxEffort = 100;
  }
  rig.setDrives(drives);
  rig.advance(0.1);
  const Vector3d start = rig.body(box).X_WB.p;
  double worst = (start - Vector3d(0, 0, 1)).norm();
  for (int i = 0; i < 30; ++i) {
    rig.advance(0.1);
    worst = std::max(worst, (rig.body(box).X_WB.p - start).norm());
  }
  return worst;
}

}  // namespace

std::vector<TruthCase> contactCases() {
  return {
      {.name = "bounce",
       .sentence = "A ball that is dropped from 1 m comes back as high as its restitution says, whichever part of a "
                   "step it lands in.",
       .quantity = "height of the first bounce, e = 0.5, 0.7, 0.9, four phases of the step",
       .unit = "1",
       .form = "e^2 h",
       .source = "Newton's law of restitution",
       .tolerance = 0.02,
       .contacts = true,
       .restitution = true,
       .error = bounce},
      {.name = "stack",
       .sentence = "Ten boxes of 1 kg stand on each other.",
       .quantity = "distance of a box from its place after 2 s",
       .unit = "m",
       .form = "rigid boxes stay where they stand",
       .source = "statics",
       .tolerance = 1e-3,
       .contacts = true,
       .error = stack},
      {.name = "mass_ratio",
       .sentence = "A box of 1 kg carries one of 100 kg.",
       .quantity = "distance of a box from its place after 2 s",
       .unit = "m",
       .form = "rigid boxes stay where they stand",
       .source = "statics",
       .tolerance = 1e-3,
       .contacts = true,
       .error = massRatio},
      {.name = "soft_depth",
       .sentence = "A ball sinks into soft ground until its spring carries the weight.",
       .quantity = "depth after 2 s, of 9.8 mm",
       .unit = "1",
       .form = "m g / k",
       .source = "Hooke's law",
       .tolerance = 0.01,
       .contacts = true,
       .softness = true,
       .error = softDepth},
      {.name = "grasp",
       .sentence = "Two driven fingers press on a box of 1 kg with 50 N and hold it by friction.",
       .quantity = "way of the box in 3 s",
       .unit = "m",
       .form = "it stays: 2 mu 50 N is more than m g",
       .source = "Coulomb's law",
       .tolerance = 1e-3,
       .contacts = true,
       .error = grasp}};
}

}  // namespace mortise::truth
