#include "io_test.h"
#include "mortise/geometry/compare.h"
#include "mortise/geometry/transform_geometry.h"

// Implicit surfaces and occupancy grids, alone and in groups.

namespace mortise::test {
namespace {

using VolumeFormats = IoTest;

const char* kGrid = "-1 -1 0    1 2 3\n2 1 3\n0.5 -0.25 1e-3 \n-7 0 9\n";

TEST_F(VolumeFormats, CellsStandWithTheLastIndexFastest) {
  const GeometryPtr g = geometry(write("a.vol", kGrid));
  EXPECT_EQ(g->typeName(), "ImplicitSurface");
  const auto* shape = g->as<ImplicitSurfaceShape>();
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(shape->grid.min, Vector3d(-1, -1, 0));
  EXPECT_EQ(shape->grid.max, Vector3d(1, 2, 3));
  EXPECT_EQ(shape->grid.cells, (std::array<int, 3>{2, 1, 3}));
  EXPECT_EQ(shape->grid.value(0, 0, 1), -0.25);
  EXPECT_EQ(shape->grid.value(1, 0, 0), -7);
  EXPECT_EQ(shape->grid.center(1, 0, 0), Vector3d(0.5, 0.5, 0.5));

  const GeometryPtr cells = geometry(write("a.occ", kGrid));
  ASSERT_NE(cells->as<OccupancyGridShape>(), nullptr);
  EXPECT_TRUE(cells->as<OccupancyGridShape>()->occupied(1, 0, 2));
  EXPECT_FALSE(cells->as<OccupancyGridShape>()->occupied(0, 0, 0));
  EXPECT_EQ(geometry(write("a.sdf", kGrid))->typeName(), "ImplicitSurface");
}

TEST_F(VolumeFormats, WhatIsWrittenReadsBackEqual) {
  for (const std::string name : {"b.vol", "b.occ", "b.group"}) {
    const GeometryPtr g = geometry(write(name == "b.occ" ? "from.occ" : "from.vol", kGrid));
    writeShape(*g, path(name));
    const GeometryPtr read = geometry(path(name));
    if (name == "b.group") {
      ASSERT_NE(read->as<GeometryGroup>(), nullptr);
      EXPECT_TRUE(sameShape(read->as<GeometryGroup>()->parts.at(0), g));
    } else {
      EXPECT_TRUE(sameShape(read, g));
    }
  }
  // A grid that is moved keeps its place; one that is turned has none in the file.
  const GeometryPtr moved = transformed(*geometry(path("from.vol")), RigidTransform::translation({1, 2, 3}));
  writeShape(*moved, path("moved.vol"));
  EXPECT_EQ(geometry(path("moved.vol"))->bounds().min, Vector3d(0, 1, 3));
  Matrix3d turn;
  turn << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  const GeometryPtr turned = transformed(*moved, RigidTransform::rotation(turn));
  EXPECT_NE(errorText([&] { writeShape(*turned, path("turned.vol")); }).find("turned"), std::string::npos);
  EXPECT_NE(errorText([&] { writeShape(Geometry(SphereShape()), path("ball.vol")); }).find("implicit surface"),
            std::string::npos);
}

TEST_F(VolumeFormats, AnotherThresholdIsDecidedInTheFile) {
  OccupancyGridShape shape;
  shape.grid.cells = {1, 1, 3};
  shape.grid.values = {5, 15, 0.7};
  shape.threshold = 10;
  writeShape(Geometry(shape), path("t.occ"));
  const GeometryPtr read = geometry(path("t.occ"));
  for (int k = 0; k < 3; ++k) EXPECT_EQ(read->as<OccupancyGridShape>()->occupied(0, 0, k), shape.occupied(0, 0, k));
}

TEST_F(VolumeFormats, DamagedFilesAreRefusedWithThePlace) {
  const auto refused = [&](const std::string& text, const std::string& part) {
    const std::string file = write("bad.vol", text);
    const std::string error = errorText([&] { loader.load<GeometryPtr>(file, {}, diagnostics); });
    EXPECT_NE(error.find(part), std::string::npos) << error;
    EXPECT_NE(error.find("bad.vol:"), std::string::npos) << error;
  };
  refused("0 0 0 1 1 -1\n1 1 1\n0\n", "upper corner");
  refused("0 0 0 1 1 1\n1000000 1000000 1000000\n0\n", "more than the file can hold");
  refused("0 0 0 1 1 1\n1 0 1\n0\n", "cells along one axis");
  refused("0 0 0 1 1 1\n1 1 2\n0 x\n", "number of a cell");
  refused("0 0 0 1 1 1\n1 1 2\n0 nan\n", "number of a cell");
  refused("0 0 0 1 1\n", "coordinate of the grid's box");
}

}  // namespace
}  // namespace mortise::test
