#include "mortise/geometry/remesh.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/geometry/convex/mesh_recognition.h"
#include "mortise/geometry/oriented_box.h"
#include "mortise/geometry/tessellate.h"
#include "mortise/math/rotation.h"
#include "tests/support/mesh_area.h"

namespace mortise {
namespace {

/// Signed area of a closed chain seen against the normal.
double enclosed(const SliceChain& chain, const Vector3d& normal) {
  Vector3d sum = Vector3d::Zero();
  for (std::size_t i = 0; i < chain.points.size(); ++i)
    sum += chain.points[i].cross(chain.points[(i + 1) % chain.points.size()]);
  return 0.5 * sum.dot(normal);
}

const RigidTransform kRemeshedPose(rotationFromRollPitchYaw({0.3, -0.7, 1.1}), {0.4, -0.2, 0.9});

TEST(Remesh, RefiningKeepsTheSurfaceAndShortensEdges) {
  const TriangleMesh box = tessellated(Geometry(BoxShape{kRemeshedPose, {1, 0.3, 2}}), 1);
  const TriangleMesh fine = refined(box, 0.1);
  EXPECT_TRUE(isClosed(fine));
  EXPECT_NEAR(area(fine), area(box), 1e-12);
  for (const auto& t : fine.triangles)
    for (std::size_t e = 0; e < 3; ++e) EXPECT_LE((fine.vertices[t[e]] - fine.vertices[t[(e + 1) % 3]]).norm(), 0.1);
  EXPECT_EQ(refined(box, 10).triangles.size(), box.triangles.size());
  EXPECT_THROW(refined(box, 0), Error);
  EXPECT_THROW(refined(box, 1e-6), Error);
}

TEST(Remesh, ClusteringMovesNothingFartherThanACell) {
  const TriangleMesh sphere = tessellated(Geometry(SphereShape{{0, 0, 0}, 1}), 0.02);
  const TriangleMesh coarse = clustered(sphere, 0.2);
  EXPECT_LT(coarse.triangles.size(), sphere.triangles.size() / 10);
  EXPECT_GT(coarse.triangles.size(), 100u);
  for (const Vector3d& v : coarse.vertices) EXPECT_NEAR(v.norm(), 1, 0.2 * std::sqrt(3.0));
  EXPECT_NEAR(area(coarse), 4 * std::numbers::pi, 0.5);
}

TEST(Remesh, SlicesOfABoxAreItsSectionsInOrder) {
  const TriangleMesh box = tessellated(Geometry(AxisAlignedBoxShape{{0, 0, 0}, {1, 2, 3}}), 1);
  const auto level = sliced(box, Vector3d::UnitZ(), 1.5);
  ASSERT_EQ(level.size(), 1u);
  EXPECT_TRUE(level[0].closed);
  EXPECT_NEAR(enclosed(level[0], Vector3d::UnitZ()), 2, 1e-12);
  EXPECT_NEAR(enclosed(sliced(box, -Vector3d::UnitZ(), -1.5)[0], -Vector3d::UnitZ()), 2, 1e-12);
  // Through the middle across a diagonal: the largest section.
  const Vector3d n = Vector3d(2, -1, 0).normalized();
  EXPECT_NEAR(std::abs(enclosed(sliced(box, n, 0)[0], n)), 3 * std::sqrt(5.0), 1e-12);
  EXPECT_TRUE(sliced(box, Vector3d::UnitZ(), 3.5).empty());
  // Through a face: what lies in the plane counts as above.
  EXPECT_EQ(sliced(box, Vector3d::UnitZ(), 3).size() + sliced(box, Vector3d::UnitZ(), 0).size(), 1u);
}

TEST(Remesh, SlicesOfOpenSurfacesHaveEnds) {
  const TriangleMesh patch{{{0, 0, 0}, {2, 0, 0}, {2, 2, 1}, {0, 2, 1}}, {{0, 1, 2}, {0, 2, 3}}};
  const auto chains = sliced(patch, Vector3d::UnitZ(), 0.5);
  ASSERT_EQ(chains.size(), 1u);
  EXPECT_FALSE(chains[0].closed);
  ASSERT_EQ(chains[0].points.size(), 3u);
  EXPECT_NEAR((chains[0].points.front() - chains[0].points.back()).norm(), 2, 1e-15);
}

TEST(Remesh, RegionsHoldWhatTouchesThem) {
  const TriangleMesh grid =
      refined(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}}, 0.1);
  AxisAlignedBounds box;
  box.include({0.4, 0.4, -1});
  box.include({0.6, 0.6, 1});
  const TriangleMesh in = within(grid, box), out = within(grid, box, true);
  EXPECT_EQ(in.triangles.size() + out.triangles.size(), grid.triangles.size());
  EXPECT_NEAR(area(in) + area(out), 1, 1e-12);
  EXPECT_GE(area(in), 0.04);
  EXPECT_LE(area(in), 0.36);
  const TriangleMesh ball = within(grid, Vector3d(0.5, 0.5, 0), 0.2);
  EXPECT_GE(area(ball), std::numbers::pi * 0.04);
  EXPECT_LE(area(ball), std::numbers::pi * 0.12);

  PointCloud cloud{grid.vertices, {{"id", {}}}};
  for (std::size_t i = 0; i < grid.vertices.size(); ++i) cloud.properties[0].values.push_back(static_cast<double>(i));
  const PointCloud picked = within(cloud, box);
  for (std::size_t i = 0; i < picked.points.size(); ++i)
    EXPECT_EQ(picked.points[i], grid.vertices[static_cast<std::size_t>(picked.properties[0].values[i])]);
  EXPECT_EQ(picked.points.size() + within(cloud, box, true).points.size(), cloud.points.size());
  EXPECT_EQ(sliced(cloud, Vector3d::UnitX(), 0, 1e-9).points.size(),
            static_cast<std::size_t>(
                std::count_if(cloud.points.begin(), cloud.points.end(), [](const Vector3d& p) { return p.x() == 0; })));
  EXPECT_LE(thinned(cloud, 0.5).points.size(), 9u);
}

TEST(OrientedBox, FindsTheBoxOfABox) {
  const OrientedBox box = orientedBox(Geometry(BoxShape{kRemeshedPose, {1, 0.3, 2}}));
  EXPECT_NEAR(box.volume(), 0.6, 1e-12);
  EXPECT_LT((box.X.p - kRemeshedPose * Vector3d(0.5, 0.15, 1)).norm(), 1e-12);
  EXPECT_NEAR(box.X.R.determinant(), 1, 1e-12);
  const OrientedBox mesh = orientedBox(Geometry(tessellated(Geometry(BoxShape{kRemeshedPose, {1, 0.3, 2}}), 1)));
  EXPECT_NEAR(mesh.volume(), 0.6, 1e-9);
  const OrientedBox swollen = orientedBox(*Geometry(BoxShape{kRemeshedPose, {1, 0.3, 2}}).withMargin(0.1));
  EXPECT_NEAR(swollen.volume(), 1.2 * 0.5 * 2.2, 1e-9);
}

TEST(OrientedBox, RoundAndFlatShapes) {
  EXPECT_NEAR(orientedBox(Geometry(CylinderShape{{0, 0, 0}, Vector3d(1, 2, 2) / 3, 0.5, 3})).volume(), 3, 1e-12);
  EXPECT_NEAR(orientedBox(Geometry(SphereShape{{1, 1, 1}, 2})).volume(), 64, 1e-12);
  EXPECT_NEAR(orientedBox(Geometry(EllipsoidShape{kRemeshedPose, {1, 2, 3}})).volume(), 48, 1e-10);
  const OrientedBox flat =
      orientedBox(std::vector<Vector3d>{kRemeshedPose * Vector3d(0, 0, 0), kRemeshedPose * Vector3d(2, 0, 0),
                                        kRemeshedPose * Vector3d(2, 1, 0), kRemeshedPose * Vector3d(0, 1, 0)});
  Vector3d size = flat.size;
  std::sort(size.data(), size.data() + 3);
  EXPECT_LT((size - Vector3d(0, 1, 2)).norm(), 1e-9);
  const OrientedBox line = orientedBox(std::vector<Vector3d>{{0, 0, 0}, {1, 2, 2}, {0.5, 1, 1}});
  EXPECT_NEAR(line.size.maxCoeff(), 3, 1e-12);
  EXPECT_NEAR(line.size.sum(), 3, 1e-9);
  EXPECT_THROW(orientedBox(std::vector<Vector3d>{}), Error);
  EXPECT_THROW(orientedBox(std::vector<Vector3d>{{NAN, 0, 0}}), Error);
}

TEST(OrientedBox, TurnedBoundsAreTight) {
  const AxisAlignedBounds b = boundsIn(Geometry(CylinderShape{{0, 0, 0}, {0, 0, 1}, 0.5, 2}),
                                       RigidTransform::rotation(rotationX(std::numbers::pi / 2)));
  EXPECT_LT((b.min - Vector3d(-0.5, -2, -0.5)).norm(), 1e-12);
  EXPECT_LT((b.max - Vector3d(0.5, 0, 0.5)).norm(), 1e-12);
}

}  // namespace
}  // namespace mortise
