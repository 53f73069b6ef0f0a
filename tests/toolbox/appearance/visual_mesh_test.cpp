// Normals of surfaces: smooth where faces meet flatly, apart where they do not.

#include "mortise/appearance/visual_mesh.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <set>

#include "mortise/geometry/tessellate.h"

namespace mortise {
namespace {

constexpr double kCrease = std::numbers::pi / 6;

VisualMeshData dataOf(const Geometry::Data& shape, double resolution = 0.05) {
  const TriangleMesh mesh = tessellated(Geometry(shape), resolution);
  VisualMeshData data;
  data.vertices = mesh.vertices;
  data.triangles = mesh.triangles;
  return data;
}

/// The plane normal of a triangle.
Vector3d faceNormal(const VisualMeshData& mesh, const std::array<int, 3>& t) {
  const Vector3d& a = mesh.vertices[static_cast<std::size_t>(t[0])];
  return (mesh.vertices[static_cast<std::size_t>(t[1])] - a)
      .cross(mesh.vertices[static_cast<std::size_t>(t[2])] - a)
      .normalized();
}

TEST(CreaseNormals, FacesOfABoxStayFlat) {
  const VisualMeshData mesh = withNormals(dataOf(AxisAlignedBoxShape{Vector3d::Zero(), Vector3d(1, 2, 3)}), kCrease);
  EXPECT_EQ(mesh.vertices.size(), 24U) << "each corner once a face";
  ASSERT_EQ(mesh.normals.size(), mesh.vertices.size());
  for (const auto& t : mesh.triangles)
    for (const int v : t)
      EXPECT_LT((mesh.normals[static_cast<std::size_t>(v)].cast<double>() - faceNormal(mesh, t)).norm(), 1e-6);
}

TEST(CreaseNormals, OfASphereAreThoseOfTheSphere) {
  const VisualMeshData before = dataOf(SphereShape{Vector3d::Zero(), 1});
  const VisualMeshData mesh = withNormals(before, kCrease);
  EXPECT_EQ(mesh.vertices.size(), before.vertices.size()) << "nothing is doubled";
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    EXPECT_GT(mesh.normals[i].cast<double>().dot(mesh.vertices[i].normalized()), 0.999);
}

TEST(CreaseNormals, OfACylinderPartAtItsRims) {
  const VisualMeshData mesh =
      withNormals(dataOf(CylinderShape{Vector3d::Zero(), Vector3d::UnitZ(), 1, 1}, 0.1), kCrease);
  for (const auto& t : mesh.triangles) {
    const bool cap = std::abs(faceNormal(mesh, t).z()) > 0.5;
    for (const int v : t) {
      const Eigen::Vector3f& normal = mesh.normals[static_cast<std::size_t>(v)];
      EXPECT_NEAR(std::abs(normal.z()), cap ? 1 : 0, 1e-5);
      EXPECT_NEAR(normal.norm(), 1, 1e-5);
    }
  }
}

TEST(CreaseNormals, TheAngleDecides) {
  // Two faces that meet at 20 degrees, and at 40.
  for (const double degrees : {20.0, 40.0}) {
    const double angle = degrees * std::numbers::pi / 180;
    VisualMeshData roof;
    roof.vertices = {{0, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {std::cos(angle), 0, -std::sin(angle)}};
    roof.triangles = {{0, 1, 2}, {1, 0, 3}};
    const VisualMeshData mesh = withNormals(roof, kCrease);
    EXPECT_EQ(mesh.vertices.size(), degrees < 30 ? 4U : 6U) << degrees;
  }
}

TEST(CreaseNormals, SeamsOfTexturesDoNotShow) {
  // The same place twice, with other texture coordinates.
  VisualMeshData flat;
  flat.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0.1}, {0, 1, 0}};
  flat.textureCoordinates = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0.5}, {1, 1}, {0.2, 0.2}};
  flat.triangles = {{0, 1, 2}, {3, 4, 5}};
  const VisualMeshData mesh = withNormals(flat, kCrease);
  ASSERT_EQ(mesh.vertices.size(), 6U);
  EXPECT_EQ(mesh.textureCoordinates, flat.textureCoordinates);
  EXPECT_LT((mesh.normals[1] - mesh.normals[3]).norm(), 1e-6f);
  EXPECT_GT((mesh.normals[0] - mesh.normals[1]).norm(), 1e-3f);
}

TEST(CreaseNormals, SurviveWhatIsDegenerate) {
  VisualMeshData bad;
  const double huge = 1e200;
  bad.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 0}, {huge, 0, 0}, {0, huge, 0}};
  bad.triangles = {{0, 1, 2}, {0, 3, 1}, {0, 4, 5}};
  const VisualMeshData mesh = withNormals(bad, kCrease);
  ASSERT_EQ(mesh.triangles.size(), 3U);
  for (const Eigen::Vector3f& normal : mesh.normals) EXPECT_NEAR(normal.norm(), 1, 1e-5) << normal.transpose();
}

TEST(CreaseNormals, AFanOfManyFacesTakesNoTime) {
  // All with all would be 1.6e11 comparisons.
  VisualMeshData fan;
  constexpr int kFaces = 400'000;
  fan.vertices.emplace_back(0, 0, 1);
  for (int i = 0; i <= kFaces; ++i) {
    const double angle = 2 * std::numbers::pi * i / kFaces;
    fan.vertices.emplace_back(std::cos(angle), std::sin(angle), 0);
  }
  for (int i = 1; i <= kFaces; ++i) fan.triangles.push_back({0, i, i + 1});
  const VisualMeshData mesh = withNormals(fan, kCrease);
  EXPECT_EQ(mesh.triangles.size(), fan.triangles.size());
  for (const Eigen::Vector3f& normal : mesh.normals) ASSERT_NEAR(normal.z(), std::sqrt(0.5), 1e-3);
}

TEST(VisualShapes, AMirrorTurnsTrianglesOver) {
  auto data = std::make_shared<VisualMeshData>(dataOf(AxisAlignedBoxShape{Vector3d::Zero(), Vector3d::Ones()}));
  const VisualShape shape = {{data, std::nullopt}};
  const VisualShape mirrored = transformed(shape, AffineMap::scaling(Vector3d(-2, 1, 1)));
  const AxisAlignedBounds bounds = boundsOf(mirrored);
  EXPECT_EQ(bounds.min, Vector3d(-2, 0, 0));
  const Vector3d center = 0.5 * (bounds.min + bounds.max);
  const VisualMeshData& mesh = *mirrored.front().data;
  for (const auto& t : mesh.triangles)
    EXPECT_GT(faceNormal(mesh, t).dot(mesh.vertices[static_cast<std::size_t>(t[0])] - center), 0) << "outwards still";
}

}  // namespace
}  // namespace mortise
