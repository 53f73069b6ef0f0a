// Coulomb's law: when a block slips, and how far it slides.

#include "tests/runtime/simulation/closed_form.h"

namespace mortise::test {
namespace {

class FrictionOn : public ClosedForm {};

constexpr double kFriction = 0.5;

TEST_P(FrictionOn, BlockSlipsAtTheFrictionAngleWhateverItsHeading) {
  for (const Ground ground : {Ground::rigid, Ground::soft})
    for (const double yaw : {0.0, 0.3, 0.7854, 1.2})
      for (const double ratio : {0.99, 1.01, 1.1}) {
        SCOPED_TRACE(std::string(nameOf(ground)) + ", yaw " + std::to_string(yaw) + ", tan of the slope over mu " +
                     std::to_string(ratio));
        world = World();
        const double angle = std::atan(ratio * kFriction);
        const Matrix3d R_WS = rotationY(angle);  // Downhill is +x of the slope.
        addGround(ground, kFriction, 0, R_WS);
        const int block = addBox(Vector3d(0.2, 0.2, 0.1), 1,
                                 {R_WS * rotationZ(yaw), R_WS * Vector3d(-3, 0, 0.05 + kPadding)}, kFriction);
        const auto simulation = simulate();
        simulation->advance(0.3);
        const BodyState from = simulation->objectState(block);
        simulation->advance(0.5);
        const BodyState to = simulation->objectState(block);
        const Vector3d slid = R_WS.transpose() * (to.X_WB.p - from.X_WB.p);
        const Vector3d gained = R_WS.transpose() * (to.v_WB - from.v_WB);
        if (ratio < 1) {
          EXPECT_LT(slid.norm(), 2e-4);
          EXPECT_LT(to.v_WB.norm(), 5e-4);
        } else {
          const double measured = (kG * std::sin(angle) - gained.x() / 0.5) / (kG * std::cos(angle));
          EXPECT_NEAR(measured, kFriction, 0.01 * kFriction);
          EXPECT_GT(slid.x(), 0.5 * 0.5 * 0.5 * kG * kFriction * (ratio - 1) * std::cos(angle) * 0.5);
          EXPECT_LT(std::abs(slid.y()), 0.02 * slid.x());
        }
      }
}

TEST_P(FrictionOn, SlidingBlockStopsAfterItsDistanceInEightDirections) {
  const double speed = 2, friction = 0.4, distance = truth::slidingDistance(speed, friction, kG);
  for (const Ground ground : {Ground::rigid, Ground::soft})
    for (int k = 0; k < 8; ++k) {
      SCOPED_TRACE(std::string(nameOf(ground)) + ", direction " + std::to_string(k));
      world = World();
      addGround(ground, friction);
      const int block =
          addBox(Vector3d(0.2, 0.2, 0.04), 1, RigidTransform::translation({0, 0, 0.02 + kPadding}), friction);
      const Vector3d direction(std::cos(k * std::numbers::pi / 4), std::sin(k * std::numbers::pi / 4), 0);
      const auto simulation = [&] {
        world.objects[block].v_WO = speed * direction;
        return simulate();
      }();
      simulation->advance(1);
      const BodyState end = simulation->objectState(block);
      EXPECT_LT(end.v_WB.norm(), 1e-3);
      EXPECT_NEAR(end.X_WB.p.dot(direction), distance, 0.02 * distance);
      EXPECT_LT((end.X_WB.p.head<2>() - distance * direction.head<2>()).norm(), 0.02 * distance);
    }
}

TEST_P(FrictionOn, FrictionIsTheHarmonicMeanOfBothSurfaces) {
  addGround(Ground::rigid, 0.8);
  const int block = addBox(Vector3d(0.2, 0.2, 0.04), 1, RigidTransform::translation({0, 0, 0.02 + kPadding}), 0.2);
  world.objects[block].v_WO = Vector3d(1, 0, 0);
  const auto simulation = simulate();
  simulation->advance(0.6);
  const double distance = truth::slidingDistance(1, 0.32, kG);
  EXPECT_NEAR(simulation->objectState(block).X_WB.p.x(), distance, 0.02 * distance);
}

MORTISE_CLOSED_FORM(FrictionOn);

}  // namespace
}  // namespace mortise::test
