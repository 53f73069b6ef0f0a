// The closed forms themselves, against other ways to the same number.

#include <cmath>
#include <numbers>

#include "mortise/closed_forms/closed_forms.h"
#include "mortise/closed_forms/scene_builder.h"
#include "mortise/closed_forms/shapes.h"
#include "mortise/math/rotation.h"
#include "tests/workbench/closed_forms/support.h"

namespace mortise::test {
namespace {

TEST(TruthForms, PendulumPeriodIsItsSeries) {
  // T / T0 = 1 + a^2/16 + 11 a^4/3072 + 173 a^6/737280 + ...
  const double a = 0.3, small = 2 * std::numbers::pi * std::sqrt(0.2 / 3.0);
  EXPECT_NEAR(truth::pendulumPeriod(0.2, 3, 0), small, 1e-15);
  const double series = 1 + a * a / 16 + 11 * std::pow(a, 4) / 3072 + 173 * std::pow(a, 6) / 737280;
  EXPECT_NEAR(truth::pendulumPeriod(0.2, 3, a) / small, series, 1e-8);
}

TEST(TruthForms, MeasuredPeriodIsThatOfASine) {
  double t = 0.3;
  const double period = truth::measuredPeriod(
      4, 0.001, 20, [&] { t += 0.001; }, [&] { return std::sin(2 * std::numbers::pi * t / 0.7); });
  EXPECT_NEAR(period, 0.7, 1e-6);
  EXPECT_TRUE(std::isnan(truth::measuredPeriod(
      1, 0.01, 1, [] {}, [] { return 1.0; })));
}

TEST(TruthForms, SlopesHoldUpToTheFrictionAngle) {
  EXPECT_EQ(truth::slopeAcceleration(std::atan(0.499), 0.5, 9.8), 0);
  EXPECT_NEAR(truth::slopeAcceleration(std::numbers::pi / 2, 0.5, 9.8), 9.8, 1e-12);
  EXPECT_NEAR(truth::slidingDistance(2, 0.4, 9.8), 0.5102, 1e-4);
  EXPECT_DOUBLE_EQ(truth::bounceHeight(0.5, 2), 0.5);
}

TEST(TruthForms, DrivenPositionSolvesItsEquation) {
  const double inertia = 0.1, stiffness = 20, damping = 1, target = 0.5, h = 1e-4;
  const auto q = [&](double t) { return truth::drivenPosition(t, inertia, stiffness, damping, target); };
  EXPECT_EQ(q(0), 0);
  EXPECT_NEAR((q(h) - q(0)) / h, 0, 1e-2);
  for (const double t : {0.05, 0.2, 0.7}) {
    const double acceleration = (q(t + h) - 2 * q(t) + q(t - h)) / (h * h), speed = (q(t + h) - q(t - h)) / (2 * h);
    EXPECT_NEAR(inertia * acceleration, stiffness * (target - q(t)) - damping * speed, 1e-4) << t;
  }
}

TEST(TruthForms, SymmetricTopPrecesses) {
  // Moments A, A, C: the spin about the axis stays, and the axis goes around the angular momentum L at |L| / A.
  const double A = 0.2, C = 0.3, time = 1.7;
  const Matrix3d inertia = Vector3d(A, A, C).asDiagonal();
  truth::FreeRotation start;
  start.w_WB = Vector3d(1, 0, 3);
  const truth::FreeRotation end = truth::freeRotation(inertia, start, time);
  const Vector3d L = inertia * start.w_WB;
  const Matrix3d turn = truth::rotationAbout(L, L.norm() / A * time);
  EXPECT_LT((end.R_WB.col(2) - turn * Vector3d::UnitZ()).norm(), 1e-11);
  EXPECT_LT((end.w_WB - turn * start.w_WB).norm(), 1e-11);
}

TEST(TruthForms, SoftImpactsKeepTheirEnergy) {
  // Without damping and weight: v sqrt(m / k).
  const truth::SoftImpact impact = truth::softImpact(2, 0.5, 1000, 0, 0);
  EXPECT_NEAR(impact.depth, 0.5 * std::sqrt(2.0 / 1000), 1e-5);
  EXPECT_NEAR(impact.force, 1000 * impact.depth, 1e-6);
}

TEST(TruthForms, JointsGiveTheirChildrenTheirVelocity) {
  truth::SceneBuilder b;
  const int first = b.addBody(nullptr, {}, {1, Vector3d::Zero(), Matrix3d::Identity()});
  const int second =
      b.addBody(nullptr, RigidTransform::translation({1, 0, 0}), {1, Vector3d::Zero(), Matrix3d::Identity()});
  b.addJoint(SceneJoint::Type::revolute, -1, first, Vector3d::UnitZ(), 0, 2);
  b.addJoint(SceneJoint::Type::revolute, first, second, Vector3d::UnitZ(), 0, -3);
  EXPECT_LT((b.scene.bodies[second].v_WB - Vector3d(0, 2, 0)).norm(), 1e-15);
  EXPECT_LT((b.scene.bodies[second].w_WB - Vector3d(0, 0, -1)).norm(), 1e-15);
}

TEST(TruthForms, CentralImpactKeepsMomentumAndRestitution) {
  for (const double e : {0.0, 0.3, 1.0}) {
    const truth::ImpactSpeeds after = truth::centralImpact(2, 3, 5, -1, e);
    EXPECT_NEAR(2 * after.a + 5 * after.b, 2 * 3 - 5 * 1, 1e-12);
    EXPECT_NEAR(after.b - after.a, e * 4, 1e-12);
  }
  EXPECT_NEAR(truth::centralImpact(1, 2, 1, 0, 1).b, 2, 1e-15);
}

TEST(TruthForms, DrivenArmKeepsEnergyWithoutMotorsAndRestsWhereItsSpringsHoldIt) {
  truth::DrivenArm arm;
  const auto energy = [&](const truth::ArmState& s) {
    // Homogeneous rods of 1 kg and 0.5 m, joints at their ends.
    const double a = s.q[0], b = a + s.q[1], wa = s.dq[0], wb = wa + s.dq[1], l = 0.5;
    const double vx = l * wa * std::cos(a) + 0.5 * l * wb * std::cos(b);
    const double vz = l * wa * std::sin(a) + 0.5 * l * wb * std::sin(b);
    return l * l / 6 * wa * wa + 0.5 * (vx * vx + vz * vz) + l * l / 24 * wb * wb -
           9.8 * (0.5 * l * std::cos(a) + l * std::cos(a) + 0.5 * l * std::cos(b));
  };
  const truth::ArmState start{{1.5, -0.7}, {0.4, 1}};
  EXPECT_NEAR(energy(truth::drivenArm(arm, start, 0.5)), energy(start), 1e-9);
  for (int i = 0; i < 2; ++i) {
    arm.stiffness[i] = 300;
    arm.damping[i] = 20;
    arm.target[i] = 0.5;
    arm.limit[i] = 1000;
  }
  const truth::ArmState end = truth::drivenArm(arm, {}, 4);
  const double second = 9.8 * 0.25 * std::sin(end.q[0] + end.q[1]);
  EXPECT_NEAR(300 * (0.5 - end.q[0]), 9.8 * 0.75 * std::sin(end.q[0]) + second, 1e-4);
  EXPECT_NEAR(300 * (0.5 - end.q[1]), second, 1e-4);
}

}  // namespace
}  // namespace mortise::test
