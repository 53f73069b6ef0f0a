#include "mortise/simulation/scene/material_check.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

std::string warningsOf(const World& world) {
  Diagnostics diagnostics;
  checkMaterials(world, diagnostics);
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) text += diagnostic.message + "\n";
  return text;
}

World groundAndBox() {
  World world;
  world.terrains.push_back(test::groundTerrain());
  world.terrains[0].surface.stiffness = 8e5;
  world.objects.push_back(test::boxObject("box", Vector3d(0, 0, 0.1)));
  return world;
}

TEST(MaterialCheck, OrdinaryWorldsAreSilent) {
  EXPECT_EQ(warningsOf(groundAndBox()), "");
  World heavy = groundAndBox();
  heavy.objects[0].inertia.mass = 1000;
  EXPECT_EQ(warningsOf(heavy), "");
}

TEST(MaterialCheck, WhatIsTooHeavyForItsContactsIsNamed) {
  World world = groundAndBox();
  // A box of 0.2 m: 98,000 N on four springs of 8e5 N/m are 31 mm, ten times that is more than a quarter of its size.
  world.objects[0].inertia.mass = 1e5;
  world.objects[0].inertia.inertia = 1e5 * test::boxInertia(1, Vector3d::Constant(0.2)).inertia;
  const std::string text = warningsOf(world);
  EXPECT_NE(text.find("object 'box' is too heavy for its contacts"), std::string::npos) << text;
  EXPECT_NE(text.find("'ground'"), std::string::npos) << text;
  // It is so: the box is nowhere near its place after two seconds.
  test::MemoryLog log;
  const std::unique_ptr<Registry> registry = test::makeRegistry(log);
  SimulationOptions options;
  options.backend = "mortise";
  Simulation simulation(world, *registry, nullptr, log, options);
  EXPECT_TRUE(log.mentions("too heavy for its contacts"));
  simulation.advance(2);
  EXPECT_LT(simulation.objectState(0).X_WB.p.z(), 0);
  world.terrains[0].surface.stiffness = 8e7;
  EXPECT_EQ(warningsOf(world), "");
}

TEST(MaterialCheck, ArmsOfRollingFrictionThatNoPatchHasAreRefused) {
  for (const double arm : {0.0, 1e-3, 1e6}) {
    World world = groundAndBox();
    world.objects[0].surface.rolling = arm;
    EXPECT_EQ(warningsOf(world), "") << arm;
  }
  for (const double arm : {1.1e6, 1e300, std::numeric_limits<double>::infinity()}) {
    World world = groundAndBox();
    world.objects[0].surface.rolling = arm;
    Diagnostics diagnostics;
    checkMaterials(world, diagnostics);
    EXPECT_EQ(diagnostics.errorCount(), 1) << arm;
    EXPECT_NE(warningsOf(world).find("'box' has a rolling friction of"), std::string::npos) << arm;
  }
}

/// Two surfaces act in series, so the hint names the softer one.
TEST(MaterialCheck, TheHintNamesTheSofterSurface) {
  const auto hintOf = [](double ground, double box) {
    World world = groundAndBox();
    world.objects[0].inertia.mass = 1000;
    world.terrains[0].surface.stiffness = ground;
    world.objects[0].surface.stiffness = box;
    Diagnostics diagnostics;
    checkMaterials(world, diagnostics);
    return diagnostics.all().size() == 1 ? diagnostics.all()[0].hint : std::string("no single warning");
  };
  constexpr double kRigid = std::numeric_limits<double>::infinity();
  EXPECT_EQ(hintOf(1e4, kRigid), "write a larger kStiffness for 'ground'");
  EXPECT_EQ(hintOf(8e5, 1e4), "write a larger kStiffness for 'box'");
  EXPECT_EQ(hintOf(kRigid, 1e4), "write a larger kStiffness for 'box'");
  EXPECT_EQ(hintOf(kRigid, kRigid), "no single warning");
}

TEST(MaterialCheck, RestitutionsAboveOneAreNamed) {
  World world = groundAndBox();
  world.objects[0].surface.restitution = 3;
  EXPECT_NE(warningsOf(world).find("'box' has a restitution of 3"), std::string::npos) << warningsOf(world);
}

TEST(MaterialCheck, AStiffnessOfNothingIsNamedWithItsLine) {
  World world = groundAndBox();
  world.file = "w.xml";
  world.objects[0].position.file = "w.xml";
  world.objects[0].position.line = 7;
  world.objects[0].surface.stiffness = 0;
  Diagnostics diagnostics;
  checkMaterials(world, diagnostics);
  ASSERT_EQ(diagnostics.warningCount(), 1);
  EXPECT_EQ(diagnostics.all()[0].where.line, 7);
  EXPECT_NE(diagnostics.all()[0].message.find("'box' has a stiffness of 0: its contacts carry no weight"),
            std::string::npos);
  // A setting of the simulation, as well.
  world.objects[0].surface.stiffness = 1e4;
  EXPECT_EQ(warningsOf(world), "");
  SurfaceOverride change;
  change.stiffness = 0;
  world.simulation.surfaces.emplace_back(world.terrainId(0), change);
  EXPECT_NE(warningsOf(world).find("'ground' has a stiffness of 0"), std::string::npos) << warningsOf(world);
}

TEST(MaterialCheck, NumbersThatMeanNothingAreErrors) {
  for (double Surface::*number : {&Surface::friction, &Surface::restitution, &Surface::stiffness, &Surface::damping})
    for (const double bad : {-1.0, std::nan("")}) {
      World world = groundAndBox();
      world.terrains[0].surface.*number = bad;
      Diagnostics diagnostics;
      checkMaterials(world, diagnostics);
      EXPECT_EQ(diagnostics.errorCount(), 1) << bad;
      world.terrains[0].surface.*number = 0.5;
      Diagnostics good;
      checkMaterials(world, good);
      EXPECT_EQ(good.errorCount(), 0);
    }
}

TEST(MaterialCheck, InertiasThatNoBodyHasAreNamed) {
  World world = groundAndBox();
  world.objects[0].inertia.inertia = Vector3d(1, 1, 5).asDiagonal();
  EXPECT_NE(warningsOf(world).find("object 'box' has an inertia that no body can have"), std::string::npos)
      << warningsOf(world);
}

}  // namespace
}  // namespace mortise
