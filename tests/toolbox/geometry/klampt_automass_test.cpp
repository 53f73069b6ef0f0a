#include "mortise/geometry/klampt_automass.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/math/rotation.h"

namespace mortise {
namespace {

/// A box from the origin, edges a, b, c, faces outwards.
TriangleMesh boxMesh(double a, double b, double c) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) mesh.vertices.emplace_back(i & 1 ? a : 0, i & 2 ? b : 0, i & 4 ? c : 0);
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

TEST(MassProperties, SolidBoxAgreesWithTheFormula) {
  const BodyInertia body = klamptMassProperties(Geometry(boxMesh(1, 2, 3)), 6, 0);
  EXPECT_EQ(body.mass, 6);
  EXPECT_TRUE(body.com.isApprox(Vector3d(0.5, 1, 1.5), 1e-12));
  const Matrix3d expected = Vector3d(6 * (4 + 9) / 12.0, 6 * (1 + 9) / 12.0, 6 * (1 + 4) / 12.0).asDiagonal();
  EXPECT_TRUE(body.inertia.isApprox(expected, 1e-12));
}

TEST(MassProperties, HollowBoxAgreesWithItsSixPlates) {
  const double a = 1, b = 2, c = 3;
  BodyInertia plates;
  const double area = 2 * (a * b + b * c + c * a);
  const auto plate = [&](const Vector3d& center, const Vector3d& size, double plateArea) {
    BodyInertia p;
    p.mass = plateArea / area;
    p.com = center;
    const Vector3d s = size.cwiseAbs2();
    p.inertia = p.mass / 12 * Matrix3d(Vector3d(s[1] + s[2], s[0] + s[2], s[0] + s[1]).asDiagonal());
    plates = plates.mass == 0 ? p : plates.combinedWith(p);
  };
  for (const double side : {0.0, 1.0}) {
    plate({side * a, b / 2, c / 2}, {0, b, c}, b * c);
    plate({a / 2, side * b, c / 2}, {a, 0, c}, a * c);
    plate({a / 2, b / 2, side * c}, {a, b, 0}, a * b);
  }
  const BodyInertia body = klamptMassProperties(Geometry(boxMesh(a, b, c)), 1);
  EXPECT_TRUE(body.com.isApprox(plates.com, 1e-12));
  EXPECT_TRUE(body.inertia.isApprox(plates.inertia, 1e-12));
}

TEST(MassProperties, FractionBlendsShellAndSolidAboutTheBlendedCenter) {
  const Geometry box(boxMesh(1, 1, 1));
  const BodyInertia half = klamptMassProperties(box, 1, 0.5);
  EXPECT_NEAR(half.inertia(0, 0), 0.5 * (5.0 / 18) + 0.5 / 6, 1e-12);
  const BodyInertia about = klamptMassPropertiesAbout(box, 1, Vector3d::Zero(), 0);
  EXPECT_NEAR(about.inertia(0, 0), 1.0 / 6 + 0.5, 1e-12);
}

TEST(MassProperties, TurningTheMeshTurnsTheInertia) {
  const GeometryPtr box = std::make_shared<Geometry>(boxMesh(1, 2, 3));
  const RigidTransform X(rotationFromRollPitchYaw({0.3, 0.7, -1.1}), {4, 5, 6});
  const BodyInertia body = klamptMassProperties(*box, 2, 0.3);
  const BodyInertia turned = klamptMassProperties(*transformed(*box, X), 2, 0.3);
  EXPECT_TRUE(turned.com.isApprox(X * body.com, 1e-10));
  EXPECT_TRUE(turned.inertia.isApprox(X.R * body.inertia * X.R.transpose(), 1e-9));
}

TEST(MassProperties, PrimitivesCountAsTheirBoundingBox) {
  const BodyInertia ball = klamptMassProperties(Geometry(SphereShape{{1, 2, 3}, 0.5}), 6);
  EXPECT_EQ(ball.com, Vector3d(1, 2, 3));
  EXPECT_TRUE(ball.inertia.isApprox(Matrix3d::Identity(), 1e-12));
}

TEST(MassProperties, GroupsAddTheCovariancesOfTheirParts) {
  const auto box = std::make_shared<Geometry>(boxMesh(1, 1, 1));
  const Geometry group(GeometryGroup{{box, box}});
  const BodyInertia body = klamptMassProperties(group, 1);
  EXPECT_TRUE(body.com.isApprox(Vector3d::Constant(0.5), 1e-12));
  EXPECT_NEAR(body.inertia(0, 0), 2 * 5.0 / 18, 1e-12);
}

TEST(MassProperties, PointClouds) {
  const BodyInertia body = klamptMassProperties(Geometry(PointCloud{{{1, 0, 0}, {-1, 0, 0}}}), 3);
  EXPECT_EQ(body.com, Vector3d(0, 0, 0));
  EXPECT_TRUE(body.inertia.isApprox(Matrix3d(Vector3d(0, 3, 3).asDiagonal()), 1e-12));
}

TEST(MassProperties, AMeshWithoutVolumeHasNoSolid) {
  const Geometry sheet(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  EXPECT_NO_THROW(klamptMassProperties(sheet, 1));
  EXPECT_THROW(klamptMassProperties(sheet, 1, 0.5), Error);
  // Cones from a point in the plane of the only face.
  TriangleMesh open = boxMesh(1, 1, 1);
  open.triangles.resize(2);
  EXPECT_THROW(klamptMassPropertiesAbout(Geometry(open), 1, Vector3d::Zero(), 0), Error);
}

TEST(MassProperties, InsideOutIsTheSameSolid) {
  TriangleMesh inverted = boxMesh(1, 2, 3);
  for (auto& t : inverted.triangles) std::swap(t[1], t[2]);
  for (const double fraction : {0.0, 0.25, 1.0}) {
    const BodyInertia outward = klamptMassProperties(Geometry(boxMesh(1, 2, 3)), 6, fraction);
    const BodyInertia inward = klamptMassProperties(Geometry(inverted), 6, fraction);
    EXPECT_TRUE(inward.com.isApprox(outward.com, 1e-12)) << fraction;
    EXPECT_TRUE(inward.inertia.isApprox(outward.inertia, 1e-12)) << fraction;
  }
}

/// Klamp't sums tetrahedra from the mean of the vertices. In a unit cube without its face at z = 1 a pyramid from the
/// middle is missing: 1/6 of the volume with its center at 0.5 + 3/4 0.5. Wherever the cube is.
TEST(MassProperties, OpeningsAreClosedFromTheMeanOfTheVertices) {
  for (const Vector3d& shift : {Vector3d(0, 0, 0), Vector3d(5, -7, 11)}) {
    TriangleMesh open = boxMesh(1, 1, 1);
    open.triangles.erase(open.triangles.begin() + 2, open.triangles.begin() + 4);
    for (Vector3d& v : open.vertices) v += shift;
    const Vector3d com = klamptMassProperties(Geometry(open), 1, 0).com - shift;
    EXPECT_NEAR(com.z(), (0.5 - (0.5 + 0.375) / 6) / (5.0 / 6), 1e-12);
    EXPECT_NEAR(com.x(), 0.5, 1e-12);
  }
}

TEST(MassProperties, VerticesAsTheReferenceReadsThem) {
  const double third = 1.0 / 3;
  TriangleMesh mesh{{{3.5775, -3.5775, third}, {0.1f, 1e20, -0.0}, {8, 0, 0}}, {{0, 1, 2}}};
  const auto shape = std::make_shared<Geometry>(mesh, 0.25, "a.off");
  const auto group = std::make_shared<Geometry>(GeometryGroup{{shape}});
  for (const GeometryPtr& rounded :
       {withSingleVertices(shape), withSingleVertices(group)->as<GeometryGroup>()->parts[0]}) {
    const auto& vertices = rounded->as<TriangleMesh>()->vertices;
    // The float below, though 3.5775 is nearer to the one above: 3 + 0.5775f rounds down.
    EXPECT_EQ(vertices[0].x(), static_cast<double>(3.57749987f));
    EXPECT_EQ(vertices[0].y(), static_cast<double>(-3.57749987f));
    EXPECT_EQ(vertices[0].z(), static_cast<double>(1.0f / 3));
    EXPECT_EQ(vertices[1].x(), static_cast<double>(0.1f));
    EXPECT_EQ(vertices[1].y(), static_cast<double>(1e20f));
    EXPECT_EQ(vertices[2], Vector3d(8, 0, 0));
    EXPECT_EQ(rounded->margin(), 0.25);
  }
  const auto ball = std::make_shared<Geometry>(SphereShape{{third, 0, 0}, third});
  EXPECT_EQ(withSingleVertices(ball), ball);
  EXPECT_EQ(withSingleVertices(nullptr), nullptr);
}

TEST(MassProperties, NothingHasNoInertia) {
  const BodyInertia body = klamptMassProperties(Geometry(), 2);
  EXPECT_EQ(body.mass, 2);
  EXPECT_EQ(body.inertia, Matrix3d(Matrix3d::Zero()));
}

}  // namespace
}  // namespace mortise
