// Soft surfaces: a spring and a damper, no more.

#include "tests/runtime/simulation/closed_form.h"

namespace mortise::test {
namespace {

class SoftOn : public ClosedForm {
 protected:
  static constexpr double kRadius = 0.05, kLayer = 0.03;

  /// A ball of 1 kg with a thick soft layer, `height` above rigid ground.
  void dropBall(double stiffness, double damping, double restitution, double height) {
    world = World();
    addGround(Ground::rigid, 0.5, restitution);
    addBall(kRadius, 1, Vector3d(0, 0, kRadius + kLayer + height), restitution);
    world.objects[0].surface.stiffness = stiffness;
    world.objects[0].surface.damping = damping;
    SurfaceOverride layer;
    layer.padding = kLayer;
    world.simulation.surfaces.emplace_back(world.objectId(0), layer);
  }
};

TEST_P(SoftOn, BallComesToRestWhereItsSpringCarriesIt) {
  for (const double restitution : {0.0, 0.05})
    for (const auto& [stiffness, damping] : {std::pair(1000.0, 50.0), std::pair(5000.0, 100.0)}) {
      SCOPED_TRACE("stiffness " + std::to_string(stiffness) + ", restitution " + std::to_string(restitution));
      dropBall(stiffness, damping, restitution, 0.05);
      const auto simulation = simulate();
      simulation->advance(3);
      const double depth = kG / stiffness;
      EXPECT_NEAR(kRadius + kLayer - simulation->objectState(0).X_WB.p.z(), depth, 0.01 * depth);
      EXPECT_LT(simulation->objectState(0).v_WB.norm(), 1e-4);
      EXPECT_NEAR(recordForce(*simulation, world.objectId(0), 100).mean.z(), kG, 1e-3 * kG);
    }
}

TEST_P(SoftOn, BallSinksInAsSpringAndDamperLetIt) {
  for (const double restitution : {0.0, 0.05})
    for (const auto& [stiffness, damping] : {std::pair(1000.0, 50.0), std::pair(3000.0, 20.0)}) {
      SCOPED_TRACE("stiffness " + std::to_string(stiffness) + ", restitution " + std::to_string(restitution));
      const double height = 0.02, speed = std::sqrt(2 * kG * height);
      dropBall(stiffness, damping, restitution, height);
      const auto simulation = simulate();
      double deepest = 0, peak = 0;
      for (int i = 0; i < 300; ++i) {
        simulation->step();
        deepest = std::max(deepest, kRadius + kLayer - simulation->objectState(0).X_WB.p.z());
        peak = std::max(peak, contactForceOn(*simulation, world.objectId(0)).z());
      }
      const truth::SoftImpact expected = truth::softImpact(1, speed, stiffness, damping, kG);
      EXPECT_NEAR(deepest, expected.depth, 0.1 * expected.depth);
      EXPECT_LT(peak, 1.15 * expected.force);
    }
}

TEST_P(SoftOn, SoftnessCountsForEachPoint) {
  // A box on four corners: four springs.
  world = World();
  addGround(Ground::rigid);
  const Vector3d size(0.2, 0.2, 0.1);
  const int box = addBox(size, 2, RigidTransform::translation({0, 0, 0.05 + 0.01}));
  world.objects[box].surface.stiffness = 2000;
  world.objects[box].surface.damping = 200;
  SurfaceOverride layer;
  layer.padding = 0.01;
  world.simulation.surfaces.emplace_back(world.objectId(box), layer);
  const auto simulation = simulate();
  simulation->advance(3);
  ASSERT_EQ(simulation->contacts().size(), 4u);
  const double depth = 2 * kG / (4 * 2000);
  EXPECT_NEAR(0.05 + 0.01 - simulation->objectState(box).X_WB.p.z(), depth, 0.01 * depth);
}

MORTISE_CLOSED_FORM(SoftOn);

}  // namespace
}  // namespace mortise::test
