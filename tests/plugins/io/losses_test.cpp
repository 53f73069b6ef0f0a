// What a format cannot hold of what is written is said once, and refused by `--strict`: the kinds of shapes, objects,
// terrains and motions. Those of robots are in rob_writer_test.cpp and urdf_writer_test.cpp.

#include <functional>

#include "io_test.h"

namespace mortise {
namespace {

struct Loss {
  std::string kind;  ///< What it is called in the tests.
  std::function<Resource()> resource;
  std::string file;  ///< Its extension chooses the writer.
  std::string said;
  Severity severity = Severity::warning;
};

GeometryPtr shapeOf(Geometry::Data data, double margin = 0) {
  return std::make_shared<const Geometry>(std::move(data), margin);
}

TriangleMesh triangle(double size) {
  return {{Vector3d::Zero(), size * Vector3d::UnitX(), size * Vector3d::UnitY()}, {{0, 1, 2}}};
}

HeightmapShape hill() {
  HeightmapShape map;
  map.columns = map.rows = 2;
  map.heights = {0, 0.1, 0.25, 1};
  return map;
}

VolumeGrid cells() {
  VolumeGrid grid;
  grid.cells = {2, 1, 1};
  grid.values = {0.1, 0.7};
  return grid;
}

RigidObject cube() {
  RigidObject object;
  object.geometry = shapeOf(triangle(1));
  return object;
}

HermiteTrajectory slow() {
  HermiteTrajectory motion;
  motion.times = {0, 2};
  motion.configurations = {VectorXd::Zero(2), VectorXd::Ones(2)};
  motion.velocities = {VectorXd::Zero(2), VectorXd::Zero(2)};
  return motion;
}

const std::vector<Loss>& losses() {
  static const std::vector<Loss> all = {
      {"margin", [] { return shapeOf(triangle(1), 0.02); }, "a.off",
       "a file of a shape holds no margin: the margin of 0.02 m is left out"},
      {"margin_of_part",
       [] {
         return shapeOf(GeometryGroup{{shapeOf(triangle(1)), shapeOf(SphereShape(), 0.03)}});
       },
       "a.group", "a file of a shape holds no margin: the margin of 0.03 m is left out"},
      {"hull_as_mesh",
       [] {
         return shapeOf(ConvexHullShape{{Vector3d::Zero(), Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ()}});
       },
       "a.obj", "the file holds triangles: a ConvexHull is read back as a mesh, which is hollow"},
      {"group_as_mesh",
       [] {
         return shapeOf(GeometryGroup{{shapeOf(triangle(1)), shapeOf(triangle(2))}});
       },
       "a.ply", "is read back as a mesh, which is hollow"},
      {"heightmap_as_mesh", [] { return shapeOf(hill()); }, "a.tri", "is read back as a mesh, which is hollow"},
      {"single_precision", [] { return shapeOf(triangle(0.1)); }, "a.stl",
       "STL holds single precision: coordinates are rounded by up to 1.5e-09", Severity::note},
      {"heightmap_in_group", [] { return shapeOf(GeometryGroup{{shapeOf(hill())}}); }, "a.group",
       "a group holds no heightmap: it is read back as the mesh of its surface"},
      {"heights_rounded", [] { return shapeOf(hill()); }, "a.json", "the image holds heights in steps of 1.53e-05 m"},
      {"truncation",
       [] {
         return shapeOf(ImplicitSurfaceShape{cells(), 0.5});
       },
       "a.vol", "the file does not hold that distances end at 0.5 m"},
      {"threshold",
       [] {
         return shapeOf(OccupancyGridShape{cells(), 0.3});
       },
       "a.occ", "the file holds no threshold: the numbers of cells become 1 above 0.3 and 0 below"},
      {"object_margin",
       [] {
         RigidObject object = cube();
         object.geometry = object.geometry->withMargin(0.01);
         return object;
       },
       "o.obj", "this format cannot hold a margin around a shape"},
      {"object_padding",
       [] {
         RigidObject object = cube();
         object.surface.padding = 0.01;
         return object;
       },
       "o.obj", "this format cannot hold padding"},
      {"object_preshrink",
       [] {
         RigidObject object = cube();
         object.surface.preshrink = 1;
         return object;
       },
       "o.obj", "this format cannot hold padding"},
      {"object_colors",
       [] {
         RigidObject object = cube();
         object.display.push_back(parseYaml("color: \"1 0 0\"", "display"));
         return object;
       },
       "o.obj", "this format cannot hold colors and textures"},
      {"terrain_surface",
       [] {
         Terrain terrain;
         terrain.geometry = shapeOf(triangle(1));
         terrain.surface.restitution = 0.7;
         return terrain;
       },
       "t.env", "a terrain file holds friction alone of a surface"},
      {"terrain_colors",
       [] {
         Terrain terrain;
         terrain.geometry = shapeOf(triangle(1));
         terrain.display.push_back(parseYaml("color: \"1 0 0\"", "display"));
         return terrain;
       },
       "t.env", "this format cannot hold colors and textures"},
      {"times", [] { return slow(); }, "m.milestones", "times are lost: milestones are read one second apart"},
  };
  return all;
}

class Losses : public test::IoTest, public testing::WithParamInterface<int> {};

TEST_P(Losses, AreSaidOnceAndRefusedByStrict) {
  const Loss& loss = losses()[static_cast<std::size_t>(GetParam())];
  loader.write(loss.resource(), path(loss.file), diagnostics);
  int said = 0;
  for (const Diagnostic& problem : diagnostics.all()) {
    if (problem.message.find(loss.said) == std::string::npos) continue;
    ++said;
    EXPECT_EQ(problem.severity, loss.severity) << loss.kind;
  }
  EXPECT_EQ(said, 1) << loss.kind << ": " << problems();

  Diagnostics strict;
  strict.setStrict(true);
  loader.write(loss.resource(), path(loss.file), strict);
  EXPECT_EQ(strict.hasErrors(), loss.severity == Severity::warning) << loss.kind;
}

INSTANTIATE_TEST_SUITE_P(OfWriters, Losses, testing::Range(0, static_cast<int>(losses().size())),
                         [](const auto& each) { return losses()[static_cast<std::size_t>(each.param)].kind; });

/// What a format holds whole is written without a word.
TEST_F(Losses, WhatFitsIsWrittenInSilence) {
  HeightmapShape plain = hill();
  plain.heights = {0, 1, 1, 0};
  const std::pair<GeometryPtr, const char*> full[] = {
      {shapeOf(triangle(1)), "a.off"},
      {shapeOf(triangle(0.25)), "a.stl"},
      {shapeOf(SphereShape()), "a.geom"},
      {shapeOf(plain), "a.json"},
      {shapeOf(OccupancyGridShape{cells()}), "a.occ"},
      {shapeOf(ImplicitSurfaceShape{cells()}), "a.vol"},
      {shapeOf(PointCloud{{Vector3d::Zero()}}), "a.ply"},
      {shapeOf(GeometryGroup{{shapeOf(ConvexHullShape{{Vector3d::Zero()}})}}), "a.group"},
  };
  for (const auto& [shape, file] : full) {
    loader.write(shape, path(file), diagnostics);
    EXPECT_TRUE(diagnostics.all().empty()) << file << ": " << problems();
  }
  loader.write(cube(), path("o.obj"), diagnostics);
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
}

}  // namespace
}  // namespace mortise
