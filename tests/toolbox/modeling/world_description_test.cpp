#include "mortise/model/world_description.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"
#include "mortise/modeling/world_compiler.h"
#include "tests/kernel/model/robots.h"

namespace mortise {
namespace {

GeometryPtr box() { return std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d::Zero(), Vector3d::Ones()}); }

/// Two terrains, three objects of one shape (the last two placed alike in their frames), two robots.
WorldDescription sampleDescription() {
  WorldDescription world;
  const GeometryPtr shape = box();
  for (const char* name : {"floor", "hill"}) {
    Terrain terrain;
    terrain.name = name;
    terrain.geometry = shape;
    world.addTerrain(terrain);
  }
  for (const char* name : {"a", "b", "c"}) {
    RigidObject object;
    object.name = name;
    object.geometry = shape;
    object.inertia = {1, Vector3d::Zero(), Matrix3d::Identity()};
    world.addObject(object);
  }
  for (const std::size_t i : {1u, 2u}) {
    ObjectGeometry geometry;
    geometry.placement.scale = Vector3d::Constant(2);
    world.objects[i].geometry.push_back(geometry);
  }
  world.addRobot(test::floatingArm(), "first");
  world.addRobot(test::floatingArm(), "second");
  return world;
}

EntitySettings about(World::Kind kind, int index, int link = -1) {
  EntitySettings settings;
  settings.entity.kind = kind;
  settings.entity.index = index;
  settings.entity.link = link;
  SurfaceSettings surface;
  surface.change.friction = 0.25;
  settings.surfaces.push_back(surface);
  return settings;
}

TEST(WorldDescription, CompilesOnlyWhatChanged) {
  WorldDescription description = sampleDescription();
  WorldCompiler compiler;
  const World before = compiler.compile(description);
  EXPECT_NE(before.robots[0].robot, before.robots[1].robot) << "two descriptions";
  EXPECT_EQ(before.objects[1].geometry, before.objects[2].geometry) << "placed alike";
  EXPECT_NE(before.objects[0].geometry, before.objects[1].geometry);

  description.editRobot(0, [](RobotDescription& robot) { robot.links[2].inertia.mass = 7; });
  description.objects[0].setMass(3);
  description.objects[2].geometry[0].placement.scale = Vector3d::Constant(3);
  const World after = compiler.compile(description);
  EXPECT_NE(after.robots[0].robot, before.robots[0].robot);
  EXPECT_EQ(after.robots[0].robot->link(2).inertia.mass, 7);
  EXPECT_EQ(before.robots[0].robot->link(2).inertia.mass, test::floatingArm().links[2].inertia.mass);
  EXPECT_EQ(after.robots[1].robot, before.robots[1].robot);
  EXPECT_EQ(after.objects[0].inertia.mass, 3);
  EXPECT_EQ(after.objects[0].geometry, before.objects[0].geometry);
  EXPECT_EQ(after.objects[1].geometry, before.objects[1].geometry);
  EXPECT_NE(after.objects[2].geometry, before.objects[2].geometry);
  EXPECT_EQ(after.objects[2].geometry->bounds().max, Vector3d(3, 3, 3));
  EXPECT_EQ(after.terrains[0].geometry, before.terrains[0].geometry);

  description.robots[1].placement.translation = Vector3d(0, 0, 1);
  const World moved = compiler.compile(description);
  EXPECT_EQ(moved.robots[0].robot, after.robots[0].robot);
  EXPECT_NE(moved.robots[1].robot, after.robots[1].robot);
  EXPECT_EQ(moved.robots[1].robot->link(0).X_PL0.p.z(), after.robots[1].robot->link(0).X_PL0.p.z() + 1);
  EXPECT_EQ(moved.robots[1].robot->link(1).X_PL0, after.robots[1].robot->link(1).X_PL0);
}

TEST(WorldDescription, RobotsOfOneDescriptionShareWhatIsCompiled) {
  WorldDescription description = sampleDescription();
  description.robots[1].robot = description.robots[0].robot;
  const World world = WorldCompiler().compile(description);
  EXPECT_EQ(world.robots[0].robot, world.robots[1].robot);
}

TEST(WorldDescription, AMountedGripperAddsItsLinks) {
  WorldDescription description = sampleDescription();
  WorldCompiler compiler;
  const World before = compiler.compile(description);
  description.editRobot(1, [](RobotDescription& robot) {
    Link finger;
    finger.name = "finger";
    finger.parent = static_cast<int>(robot.links.size()) - 1;
    robot.links.push_back(finger);
    robot.joints.push_back({JointType::normal, static_cast<int>(robot.links.size()) - 1, -1});
  });
  const World after = compiler.compile(description);
  EXPECT_EQ(after.robots[0].robot, before.robots[0].robot);
  EXPECT_EQ(after.robots[1].robot->numLinks(), before.robots[1].robot->numLinks() + 1);
  EXPECT_EQ(after.robots[1].q.size(), after.robots[1].robot->numLinks());
  EXPECT_EQ(after.numIds(), before.numIds() + 1);
}

TEST(WorldDescription, RemovingKeepsTheSimulationInStep) {
  WorldDescription description = sampleDescription();
  SimulationDescription& simulation = description.simulation;
  simulation.entities = {about(World::Kind::object, 0), about(World::Kind::object, 2), about(World::Kind::terrain, 1),
                         about(World::Kind::link, 1, 3), about(World::Kind::robot, 0)};
  JointEntry joint;
  joint.bodies = {simulation.entities[1].entity, simulation.entities[3].entity};
  simulation.joints = {joint, joint};
  simulation.joints[1].bodies[0].index = 1;

  description.removeObject(1);
  ASSERT_EQ(description.objects.size(), 2u);
  EXPECT_EQ(description.objectName(1), "c");
  ASSERT_EQ(simulation.entities.size(), 5u);
  EXPECT_EQ(simulation.entities[0].entity.index, 0);
  EXPECT_EQ(simulation.entities[1].entity.index, 1);
  ASSERT_EQ(simulation.joints.size(), 1u) << "the joint of object b is gone";
  EXPECT_EQ(simulation.joints[0].bodies[0].index, 1);

  description.removeRobot(0);
  ASSERT_EQ(simulation.entities.size(), 4u);
  EXPECT_EQ(simulation.joints[0].bodies[1].index, 0);
  description.removeTerrain(0);
  EXPECT_EQ(simulation.entities[2].entity.index, 0);

  const World world = WorldCompiler().compile(description);
  EXPECT_EQ(world.simulation.joints.at(0).idA, world.objectId(1));
  EXPECT_EQ(world.simulation.joints.at(0).idB, world.linkId(0, 3));
  EXPECT_EQ(world.simulationSurface(world.terrainId(0)).friction, 0.25);
  EXPECT_EQ(world.simulationSurface(world.linkId(0, 3)).friction, 0.25);
  EXPECT_EQ(world.simulationSurface(world.linkId(0, 2)).friction, 1);
  EXPECT_THROW(description.removeObject(2), Error);
  EXPECT_THROW(description.removeRobot(-1), Error);
  EXPECT_THROW(description.editRobot(5, [](RobotDescription&) {}), Error);
}

TEST(WorldDescription, MassesFollowTheShapeWhereTheyAreAskedTo) {
  WorldDescription description = sampleDescription();
  ObjectEntry& object = description.objects[0];
  ObjectPhysics physics;
  physics.mass = 6;
  physics.automass = true;
  physics.surfaceFraction = 0;
  object.physics.push_back(physics);
  WorldCompiler compiler;
  EXPECT_TRUE(compiler.compile(description).objects[0].inertia.com.isApprox(Vector3d::Constant(0.5)));
  object.setMass(12);
  const BodyInertia heavy = compiler.compile(description).objects[0].inertia;
  EXPECT_EQ(heavy.mass, 12);
  EXPECT_NEAR(heavy.inertia(0, 0), 12 / 6.0, 1e-12) << "automass goes by the new mass";
  const BodyInertia mine = {2, Vector3d(1, 2, 3), Matrix3d(Vector3d(4, 5, 6).asDiagonal())};
  object.setInertia(mine);
  EXPECT_EQ(compiler.compile(description).objects[0].inertia, mine);
}

TEST(WorldDescription, WhatCannotBeCompiledIsAnErrorWithItsPlace) {
  WorldDescription description = sampleDescription();
  description.objects[0].base.reset();
  description.objects[0].position = {"w.xml", 4, 2, {}};
  description.robots[0].configuration = VectorXd::Zero(2);
  Diagnostics diagnostics;
  WorldCompiler().compile(description, diagnostics);
  ASSERT_EQ(diagnostics.errorCount(), 2);
  EXPECT_EQ(diagnostics.all()[0].where.line, 4);
  EXPECT_NE(diagnostics.all()[1].message.find("2 numbers"), std::string::npos);
  description = sampleDescription();
  description.simulation.entities = {about(World::Kind::object, 9)};
  EXPECT_THROW(WorldCompiler().compile(description), Error);
}

TEST(Placement, SaysThePoseItWasMadeOf) {
  const RigidTransform X(rotationFromRollPitchYaw(Vector3d(0.3, -1.2, 2.5)), Vector3d(1, 2, 3));
  const Placement placement = Placement::of(X);
  EXPECT_TRUE(placement.moves());
  EXPECT_EQ(placement.pose().p, X.p);
  EXPECT_TRUE(placement.pose().R.isApprox(X.R, 1e-14));
  EXPECT_FALSE(Placement::of(RigidTransform::translation(X.p)).rotationMoment);
  EXPECT_TRUE(Placement().empty());
}

}  // namespace
}  // namespace mortise
