#include "mortise/geometry/convex/mesh_recognition.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "tests/support/convex_meshes.h"

namespace mortise {
namespace {

using namespace test;

const RigidTransform kTurned(rotationAboutAxis(Vector3d(1, 2, 3).normalized(), 0.3), Vector3d(1, -2, 0.5));

void flip(TriangleMesh& mesh) {
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
}

TEST(Welding, MergesEqualVerticesAndDropsWhatHasNoCorners) {
  TriangleMesh soup = triangleSoup(boxMesh({1, 2, 3}));
  soup.vertices.emplace_back(9, 9, 9);  // Unused.
  soup.triangles.push_back({0, 1, 0});
  EXPECT_FALSE(isClosed(soup));
  const TriangleMesh welded = weldedMesh(soup);
  EXPECT_EQ(welded.vertices.size(), 8u);
  EXPECT_EQ(welded.triangles.size(), 12u);
  EXPECT_TRUE(isClosed(welded));
  for (std::size_t t = 0; t < welded.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) EXPECT_EQ(welded.vertices[welded.triangles[t][k]], soup.vertices[soup.triangles[t][k]]);
  EXPECT_TRUE(weldedMesh({}).triangles.empty());
}

TEST(Parts, ComeInTheOrderOfTheirTriangles) {
  TriangleMesh mesh = gridMesh(1, 1), box = boxMesh({1, 1, 1});
  transform(box, RigidTransform::translation({5, 0, 0}));
  append(mesh, box);
  const auto parts = connectedParts(weldedMesh(triangleSoup(mesh)));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].triangles.size(), 2u);
  EXPECT_EQ(parts[0].vertices.size(), 4u);
  EXPECT_EQ(parts[1].triangles.size(), 12u);
  EXPECT_EQ(parts[1].vertices.size(), 8u);
  EXPECT_TRUE(isClosed(parts[1]));
  EXPECT_TRUE(connectedParts({}).empty());
}

TEST(Boxes, UprightOnesAreNotTurned) {
  TriangleMesh mesh = boxMesh({0.3, 0.1, 0.2});
  transform(mesh, RigidTransform::translation({1, 2, 3}));
  for (const TriangleMesh& same : {mesh, triangleSoup(mesh), subdivided(mesh)}) {
    const auto box = recognizeBox(same);
    ASSERT_TRUE(box);
    EXPECT_EQ(box->X_MB.R, Matrix3d::Identity());
    EXPECT_LT((box->X_MB.p - Vector3d(1, 2, 3)).norm(), 1e-14);
    EXPECT_LT((box->size - Vector3d(0.3, 0.1, 0.2)).norm(), 1e-14);
  }
}

TEST(Boxes, TurnedOnesComeOutTheSameWhateverTheOrderOfTriangles) {
  TriangleMesh mesh = boxMesh({0.3, 0.1, 0.2});
  transform(mesh, kTurned);
  for (int i = 0; i < 12; ++i) {
    std::rotate(mesh.triangles.begin(), mesh.triangles.begin() + 1, mesh.triangles.end());
    if (i == 6) flip(mesh);  // A box wound inward is the same solid.
    const auto box = recognizeBox(mesh);
    ASSERT_TRUE(box) << i;
    EXPECT_LT((box->X_MB.R - kTurned.R).norm(), 1e-12);
    EXPECT_LT((box->X_MB.p - kTurned.p).norm(), 1e-12);
    EXPECT_LT((box->size - Vector3d(0.3, 0.1, 0.2)).norm(), 1e-12);
  }
}

TEST(Boxes, AxesAreRightHandedInAnyPose) {
  for (int i = 0; i < 40; ++i) {
    TriangleMesh mesh = boxMesh({0.3, 0.1, 0.2});
    const RigidTransform X(rotationAboutAxis(Vector3d(1, 0.3 * i, 2 - 0.2 * i).normalized(), 0.37 * i),
                           Vector3d(0, 0, i));
    transform(mesh, X);
    const auto box = recognizeBox(mesh);
    ASSERT_TRUE(box) << i;
    EXPECT_NEAR(box->X_MB.R.determinant(), 1, 1e-12);
    EXPECT_LT((box->X_MB.R.transpose() * box->X_MB.R - Matrix3d::Identity()).norm(), 1e-12);
    // Its corners are the mesh's.
    TriangleMesh again = boxMesh(box->size);
    transform(again, box->X_MB);
    for (const Vector3d& v : mesh.vertices)
      EXPECT_TRUE(std::any_of(again.vertices.begin(), again.vertices.end(), [&](const Vector3d& p) {
        return (p - v).norm() < 1e-12;
      })) << i;
  }
}

TEST(Boxes, TextOfSevenDigitsIsEnough) {
  TriangleMesh mesh = boxMesh({0.3, 0.1, 0.2});
  transform(mesh, RigidTransform(kTurned.R, Vector3d::Zero()));
  for (Vector3d& v : mesh.vertices) v = (v * 1e7).array().round() / 1e7;
  EXPECT_TRUE(recognizeBox(mesh));
}

TEST(Boxes, OthersAreNone) {
  const TriangleMesh mesh = boxMesh({0.3, 0.1, 0.2});
  TriangleMesh open = mesh;
  open.triangles.pop_back();
  EXPECT_FALSE(recognizeBox(open));
  TriangleMesh patched = open;  // Twelve triangles, one of them twice.
  patched.triangles.push_back(open.triangles[0]);
  EXPECT_FALSE(recognizeBox(patched));
  TriangleMesh mixed = mesh;
  std::swap(mixed.triangles[3][0], mixed.triangles[3][1]);
  EXPECT_FALSE(recognizeBox(mixed));
  TriangleMesh skewed = mesh;
  for (Vector3d& v : skewed.vertices) v.x() += 1e-3 * v.z();
  EXPECT_FALSE(recognizeBox(skewed));
  TriangleMesh dented = subdivided(mesh);
  for (Vector3d& v : dented.vertices)
    if (v.isApprox(Vector3d(0.15, 0, 0))) v.x() -= 0.001;
  EXPECT_FALSE(recognizeBox(dented));
  EXPECT_FALSE(recognizeBox(gridMesh(4, 1)));
  EXPECT_FALSE(recognizeBox(boxMesh({1, 1, 0})));
  EXPECT_FALSE(recognizeBox({}));
}

TEST(Convexity, NeedsAClosedSurfaceThatBendsOutward) {
  TriangleMesh mesh = boxMesh({0.3, 0.1, 0.2});
  transform(mesh, kTurned);
  EXPECT_TRUE(isClosed(mesh));
  EXPECT_TRUE(isConvex(mesh));
  EXPECT_TRUE(isConvex(weldedMesh(subdivided(mesh))));

  TriangleMesh open = mesh;
  open.triangles.pop_back();
  EXPECT_FALSE(isClosed(open));
  EXPECT_FALSE(isConvex(open));
  TriangleMesh inward = mesh;
  flip(inward);
  EXPECT_TRUE(isClosed(inward));
  EXPECT_FALSE(isConvex(inward));
  TriangleMesh dented = weldedMesh(subdivided(boxMesh({1, 1, 1})));
  for (Vector3d& v : dented.vertices)
    if (v.isApprox(Vector3d(0, 0, 0.5))) v.z() -= 0.1;
  EXPECT_TRUE(isClosed(dented));
  EXPECT_FALSE(isConvex(dented));

  // Each of two boxes is convex, both together are not.
  TriangleMesh two = boxMesh({1, 1, 1}), other = two;
  transform(other, RigidTransform::translation({3, 0, 0}));
  append(two, other);
  EXPECT_TRUE(isClosed(two));
  EXPECT_FALSE(isConvex(two));
  EXPECT_FALSE(isClosed({}));
  EXPECT_FALSE(isConvex({}));
}

TEST(FlatPatches, OfAGridIsItsSquare) {
  TriangleMesh mesh = gridMesh(5, 2);
  transform(mesh, kTurned);
  for (const TriangleMesh& same : {mesh, triangleSoup(mesh)}) {
    const auto patch = recognizeFlatPatch(same);
    ASSERT_TRUE(patch);
    EXPECT_TRUE(patch->convex);
    EXPECT_FALSE(patch->twoSided);
    EXPECT_LT((patch->normal - kTurned.R.col(2)).norm(), 1e-12);
    ASSERT_EQ(patch->outline.size(), 4u);
    for (int i = 0; i < 4; ++i) {
      const Vector3d a = patch->outline[i], b = patch->outline[(i + 1) % 4], c = patch->outline[(i + 2) % 4];
      EXPECT_NEAR((b - a).norm(), 4, 1e-12);
      EXPECT_GT((b - a).cross(c - b).dot(patch->normal), 0);  // Counter-clockwise.
    }
  }
}

TEST(FlatPatches, FacingDownHaveTheirNormalDown) {
  TriangleMesh mesh = gridMesh(2, 1);
  flip(mesh);
  const auto patch = recognizeFlatPatch(mesh);
  ASSERT_TRUE(patch);
  EXPECT_LT((patch->normal + Vector3d::UnitZ()).norm(), 1e-12);
}

TEST(FlatPatches, TellNotConvexAndTwoSidedOnes) {
  TriangleMesh hole = gridMesh(3, 1);
  hole.triangles.erase(hole.triangles.begin() + 8, hole.triangles.begin() + 10);  // The cell in the middle.
  const auto ring = recognizeFlatPatch(hole);
  ASSERT_TRUE(ring);
  EXPECT_FALSE(ring->convex);
  EXPECT_EQ(ring->outline.size(), 4u);

  TriangleMesh both = gridMesh(1, 1), back = both;
  flip(back);
  append(both, back);
  const auto sheet = recognizeFlatPatch(both);
  ASSERT_TRUE(sheet);
  EXPECT_TRUE(sheet->twoSided);
  EXPECT_FALSE(sheet->convex);
  EXPECT_EQ(sheet->outline.size(), 4u);
  EXPECT_NEAR(std::abs(sheet->normal.z()), 1, 1e-12);
}

TEST(FlatPatches, AreFlat) {
  TriangleMesh bump = gridMesh(4, 1);
  bump.vertices[12].z() = 1e-3;
  EXPECT_FALSE(recognizeFlatPatch(bump));
  EXPECT_FALSE(recognizeFlatPatch(boxMesh({1, 1, 1})));
  EXPECT_FALSE(recognizeFlatPatch({}));
  EXPECT_FALSE(recognizeFlatPatch({{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}}));
}

}  // namespace
}  // namespace mortise
