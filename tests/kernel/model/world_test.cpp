#include "mortise/model/world.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "tests/kernel/model/robots.h"

namespace mortise {
namespace {

World sample() {
  World world;
  world.terrains.resize(2);
  world.terrains[1].name = "hill";
  world.objects.resize(1);
  world.objects[0].name = "ball";
  world.objects[0].surface.friction = 0.9;
  WorldRobot robot;
  robot.name = "first";
  robot.robot = Robot::compile(test::floatingArm());
  world.robots = {robot, robot};
  world.robots[1].name = "second";
  return world;
}

TEST(World, IdsGoTerrainsObjectsRobotsLinks) {
  const World world = sample();
  EXPECT_EQ(world.numIds(), 2 + 1 + 2 * 9);
  EXPECT_EQ(world.robotId(0), 3);
  EXPECT_EQ(world.robotId(1), 12);
  EXPECT_EQ(world.linkId(1, 7), 20);
  for (int id = 0; id < world.numIds(); ++id) {
    const World::Entity e = world.entity(id);
    const int back = e.kind == World::Kind::terrain  ? world.terrainId(e.index)
                     : e.kind == World::Kind::object ? world.objectId(e.index)
                     : e.kind == World::Kind::robot  ? world.robotId(e.index)
                                                     : world.linkId(e.index, e.link);
    EXPECT_EQ(back, id);
  }
  EXPECT_EQ(world.nameOf(1), "hill");
  EXPECT_EQ(world.nameOf(2), "ball");
  EXPECT_EQ(world.nameOf(12), "second");
  EXPECT_EQ(world.nameOf(20), "second[l7]");
  EXPECT_THROW(world.entity(-1), Error);
  EXPECT_THROW(world.entity(21), Error);
}

TEST(World, SurfacesStartFromKlamptsDefaults) {
  const World world = sample();
  EXPECT_EQ(world.simulationSurface(0),
            (Surface{.friction = 0.5, .restitution = 0.1, .stiffness = 8e5, .damping = 2e5, .padding = 0}));
  EXPECT_EQ(world.simulationSurface(2), (Surface{.friction = 0.9, .restitution = 0.5, .padding = 0.0025}));
  EXPECT_EQ(world.simulationSurface(4), (Surface{.friction = 1, .restitution = 0.1, .padding = 0.0025}));
  EXPECT_THROW(world.simulationSurface(3), Error);
}

TEST(World, APaddingOfZeroCanBeAskedFor) {
  World world = sample();
  world.objects[0].surface.padding = 0;
  const Surface bare = world.simulationSurface(2);
  EXPECT_EQ(bare.padding, 0.0);
  EXPECT_EQ(bare.thickness(), 0);
  world.objects[0].surface.padding = 0.004;
  world.objects[0].surface.preshrink = 1;
  const Surface shrunk = world.simulationSurface(2);
  EXPECT_EQ(shrunk.thickness(), 0.004);
  EXPECT_EQ(shrunk.standout(), 0);
  EXPECT_EQ(shrunk.shrinkage(), 0.004);
  world.objects[0].surface.padding.reset();
  EXPECT_EQ(world.simulationSurface(2).thickness(), kDefaultPadding);
}

TEST(World, LaterOverridesWin) {
  World world = sample();
  SurfaceOverride first, second;
  first.friction = 0.1;
  first.padding = 0;
  second.friction = 0.2;
  second.preshrink = 1;
  world.simulation.surfaces = {{2, first}, {2, second}, {4, first}};
  const Surface ball = world.simulationSurface(2);
  EXPECT_EQ(ball.friction, 0.2);
  EXPECT_EQ(ball.padding, 0);
  EXPECT_EQ(ball.preshrink, 1);
  EXPECT_EQ(ball.restitution, 0.5);
  EXPECT_EQ(world.simulationSurface(4).friction, 0.1);
  EXPECT_EQ(world.simulationSurface(5).friction, 1);
}

TEST(World, SurfacesOfAPairCombine) {
  const Surface soft{.friction = 1, .restitution = 0.2, .stiffness = 1e4, .damping = 3e3};
  const Surface hard{.friction = 0.5, .restitution = 0.4};
  const ContactMaterial pair = combine(soft, hard);
  EXPECT_NEAR(pair.friction, 2 / 3.0, 1e-15);
  EXPECT_NEAR(pair.restitution, 0.3, 1e-15);
  EXPECT_EQ(pair.stiffness, 1e4);
  EXPECT_EQ(combine(soft, soft).stiffness, 5e3);
  EXPECT_EQ(combine(hard, hard).damping, kInfinity);
  EXPECT_EQ(combine(Surface{.friction = 0}, hard).friction, 0);
}

}  // namespace
}  // namespace mortise
