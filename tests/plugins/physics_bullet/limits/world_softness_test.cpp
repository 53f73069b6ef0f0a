// A world's ERP and CFM make a stack on Bullet settle about as slowly as on an engine with another solver: how long it
// takes is theirs, not Bullet's.

#include <gtest/gtest.h>
#include <limits>

#include "mortise/closed_forms/shapes.h"
#include "tests/support/plain/plain_comparison.h"

namespace mortise::test {
namespace {

/// Ten blocks of 0.1 m whose layers of 1 mm start 0.1 mm apart, as Klamp't's `stacktest.xml` has them.
World stack(bool soft) {
  World world;
  world.simulation.timeStep = 1e-3;
  if (soft) {
    world.simulation.errorReduction = 0.2;
    world.simulation.constraintForceMixing = 0.01;
  }
  Terrain floor;
  floor.name = "floor";
  floor.geometry = truth::geometryOf(AxisAlignedBoxShape{Vector3d(-2, -2, -1), Vector3d(2, 2, 0)});
  world.terrains.push_back(floor);
  for (int i = 0; i < 10; ++i) {
    RigidObject block;
    block.name = "block " + std::to_string(i);
    block.geometry = truth::boxGeometry(Vector3d::Constant(0.1));
    block.inertia = {1, Vector3d::Zero(), truth::boxMoments(1, Vector3d::Constant(0.1))};
    block.X_WO.p = Vector3d(0, 0, 0.0511 + 0.1021 * i);
    world.objects.push_back(block);
  }
  for (int id = 0; id <= 10; ++id) {
    SurfaceOverride surface;
    surface.friction = 0.5;
    surface.restitution = 0;
    surface.stiffness = surface.damping = std::numeric_limits<double>::infinity();
    surface.padding = id == 0 ? 0 : 1e-3;
    world.simulation.surfaces.emplace_back(id, surface);
  }
  return world;
}

/// s, until nothing has moved faster than 1 mm/s for 0.1 s.
double timeToRest(const World& world, const std::string& backend) {
  NullLog log;
  SimulationOptions options;
  options.backend = backend;
  Simulation simulation(world, plainRegistry(), nullptr, log, options);
  int quiet = 0, steps = 0;
  for (; quiet < 100 && steps < 5000; ++steps) {
    simulation.step();
    double fastest = 0;
    for (int i = 0; i < 10; ++i) fastest = std::max(fastest, simulation.objectState(i).v_WB.norm());
    quiet = fastest < 1e-3 ? quiet + 1 : 0;
  }
  return 1e-3 * steps;
}

TEST(WorldSoftnessOnBullet, StacksRestAboutWhenTheyDoOnMortise) {
  const World soft = stack(true);
  const double bullet = timeToRest(soft, "bullet");
  EXPECT_GT(bullet, 1);
  EXPECT_NEAR(bullet, timeToRest(soft, "mortise"), 0.25 * bullet);
  EXPECT_LT(timeToRest(stack(false), "bullet"), 0.5 * bullet) << "with Bullet's own settings";
}

}  // namespace
}  // namespace mortise::test
