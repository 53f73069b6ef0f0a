#include "mortise/geometry/tessellate.h"

#include <Eigen/Geometry>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/geometry/convex/mesh_recognition.h"
#include "mortise/geometry/convex/polygon.h"
#include "mortise/math/rotation.h"
#include "tests/support/mesh_area.h"

namespace mortise {
namespace {

double volume(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles)
    sum += mesh.vertices[t[0]].dot(mesh.vertices[t[1]].cross(mesh.vertices[t[2]])) / 6;
  return sum;
}
const RigidTransform kTessellatedPose(rotationFromRollPitchYaw({0.3, -0.7, 1.1}), {0.4, -0.2, 0.9});

TEST(Tessellate, SolidsAreClosedFaceOutwardAndHoldTheRightVolume) {
  struct Case {
    Geometry::Data shape;
    double volume;
  };
  const double pi = std::numbers::pi;
  const std::vector<Case> cases = {
      {SphereShape{{1, 2, 3}, 0.5}, 4 * pi / 3 * 0.125},
      {EllipsoidShape{kTessellatedPose, {0.5, 0.3, 0.2}}, 4 * pi / 3 * 0.03},
      {CylinderShape{{0.1, 0.2, 0.3}, Vector3d(1, 2, 2) / 3, 0.4, 0.7}, pi * 0.16 * 0.7},
      {CapsuleShape{{0, 0, 0}, {0, 0.6, 0.8}, 0.3}, pi * 0.09 + 4 * pi / 3 * 0.027},
      {BoxShape{kTessellatedPose, {0.5, 0.7, 0.2}}, 0.07},
      {AxisAlignedBoxShape{{-1, 0, 1}, {1, 3, 2}}, 6},
      {ConvexHullShape{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}}}, 1.0 / 6}};
  for (const Case& c : cases) {
    const TriangleMesh coarse = tessellated(Geometry(c.shape), 0.1), fine = tessellated(Geometry(c.shape), 0.01);
    for (const TriangleMesh& mesh : {coarse, fine}) {
      EXPECT_TRUE(isClosed(weldedMesh(mesh)));
      EXPECT_LE(volume(mesh), c.volume * (1 + 1e-12));
    }
    EXPECT_NEAR(volume(fine), c.volume, 1e-3 * c.volume);
    EXPECT_LE(c.volume - volume(fine), c.volume - volume(coarse) + 1e-12);
  }
}

TEST(Tessellate, CornersOfRoundShapesLieOnThem) {
  for (const Vector3d& v : tessellated(Geometry(SphereShape{{1, 2, 3}, 0.5}), 0.05).vertices)
    EXPECT_NEAR((v - Vector3d(1, 2, 3)).norm(), 0.5, 1e-14);
}

TEST(Tessellate, EdgesAreNoLongerThanTheResolutionByMuch) {
  const TriangleMesh mesh = tessellated(Geometry(SphereShape{{0, 0, 0}, 1}), 0.1);
  for (const auto& t : mesh.triangles)
    for (std::size_t e = 0; e < 3; ++e) EXPECT_LE((mesh.vertices[t[e]] - mesh.vertices[t[(e + 1) % 3]]).norm(), 0.13);
}

TEST(Tessellate, NonConvexPolygonsAreFilledExactly) {
  // A comb, with a corner on a straight edge and one twice.
  const std::vector<Vector3d> comb = {{0, 0, 0}, {5, 0, 0}, {5, 3, 0}, {4, 3, 0}, {4, 1, 0}, {3, 1, 0},   {3, 3, 0},
                                      {2, 3, 0}, {2, 1, 0}, {2, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0.5, 3, 0}, {0, 3, 0}};
  std::vector<Vector3d> turned;
  for (const Vector3d& p : comb) turned.push_back(kTessellatedPose * p);
  const TriangleMesh mesh = tessellated(Geometry(PolygonShape{turned}), 1);
  EXPECT_EQ(mesh.triangles.size(), comb.size() - 2);
  EXPECT_NEAR(area(mesh), 11, 1e-12);
  EXPECT_NEAR(0.5 * polygonNormal(turned).norm(), 11, 1e-12);
  for (const auto& t : mesh.triangles)
    EXPECT_GE((turned[t[1]] - turned[t[0]]).cross(turned[t[2]] - turned[t[0]]).dot(kTessellatedPose.R.col(2)), -1e-12);
}

TEST(Tessellate, OccupancyGridsBecomeTheOutsideOfTheirCells) {
  OccupancyGridShape shape;
  shape.grid.X = kTessellatedPose;
  shape.grid.min = {-1, -1, -1};
  shape.grid.max = {1, 2, 3};
  shape.grid.cells = {2, 3, 4};
  shape.grid.values.assign(24, 0);
  for (const auto& [i, j, k] : {std::array{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 2, 3}})
    shape.grid.values[shape.grid.index(i, j, k)] = 1;
  const TriangleMesh mesh = tessellated(Geometry(shape), 1);
  EXPECT_NEAR(volume(mesh), 4, 1e-12);
  EXPECT_NEAR(area(mesh), 6 * 4 - 4, 1e-12);
  EXPECT_TRUE(isClosed(weldedMesh(mesh)));
}

TEST(Tessellate, ImplicitSurfacesAreClosedAlsoAtTheWallsOfTheirBox) {
  ImplicitSurfaceShape shape;
  shape.grid.min = {-1, -1, -1};
  shape.grid.max = {1, 1, 0.5};
  shape.grid.cells = {40, 40, 30};
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 40; ++j)
      for (int k = 0; k < 30; ++k) shape.grid.values.push_back(shape.grid.center(i, j, k).norm() - 0.8);
  const TriangleMesh mesh = tessellated(Geometry(shape), 1);
  EXPECT_TRUE(isClosed(weldedMesh(mesh)));
  // A ball without its cap of height 0.3.
  const double pi = std::numbers::pi;
  EXPECT_NEAR(volume(mesh), 4 * pi / 3 * 0.512 - pi * 0.09 * (3 * 0.8 - 0.3) / 3, 0.01);
}

TEST(Tessellate, CloudsInRowsBecomeMeshesWithoutWhatIsMissingOrFar) {
  PointCloud cloud;
  cloud.columns = 4;
  cloud.rows = 3;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 4; ++i) cloud.points.emplace_back(i, j, i == 3 ? 10 : 0);
  EXPECT_EQ(cloudMesh(cloud, 2).triangles.size(), 8u);
  cloud.points[0].x() = NAN;
  EXPECT_EQ(cloudMesh(cloud, 2).triangles.size(), 6u);
}

TEST(Tessellate, RefusesWhatHasNoSurface) {
  EXPECT_THROW(tessellated(Geometry(PointShape{}), 0.1), Error);
  EXPECT_THROW(tessellated(Geometry(SegmentShape{}), 0.1), Error);
  EXPECT_THROW(tessellated(Geometry(PointCloud{{{0, 0, 0}, {1, 0, 0}}}), 0.1), Error);
  EXPECT_THROW(tessellated(Geometry(SphereShape{}), 0), Error);
  EXPECT_THROW(tessellated(Geometry(SphereShape{}), NAN), Error);
  EXPECT_THROW(tessellated(Geometry(SphereShape{}), 1e-9), Error);
}

}  // namespace
}  // namespace mortise
