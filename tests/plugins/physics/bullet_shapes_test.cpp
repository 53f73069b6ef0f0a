/// What the Bullet backend makes of geometry, ids and materials.

#include "mortise/base/error.h"
#include "tests/plugins/physics/scenes.h"

namespace mortise::test {
namespace {

/// An upright prism with a regular polygon for a base, closed, z from 0 to `height`.
TriangleMesh prism(int sides, double radius, double height) {
  TriangleMesh mesh;
  for (int i = 0; i < sides; ++i)
    for (const double z : {0.0, height})
      mesh.vertices.emplace_back(radius * std::cos(2 * std::numbers::pi * i / sides),
                                 radius * std::sin(2 * std::numbers::pi * i / sides), z);
  for (int i = 0; i < sides; ++i) {
    const int a = 2 * i, b = 2 * ((i + 1) % sides);
    mesh.triangles.push_back({a, b, b + 1});
    mesh.triangles.push_back({a, b + 1, a + 1});
    if (i >= 2) {
      mesh.triangles.push_back({0, 2 * i, 2 * (i - 1)});
      mesh.triangles.push_back({1, 2 * (i - 1) + 1, 2 * i + 1});
    }
  }
  return mesh;
}

/// A gate: two posts and a beam on top of them, 0.1 deep; opening 0.2 wide and high. As one surface, or as three boxes
/// in one mesh.
TriangleMesh gate(bool oneSurface) {
  TriangleMesh all;
  if (oneSurface) {
    const double outline[][2] = {{-0.15, -0.125}, {-0.1, -0.125}, {-0.1, 0.125}, {0.1, 0.125},
                                 {0.1, -0.125},   {0.15, -0.125}, {0.15, 0.175}, {-0.15, 0.175}};
    for (const auto& p : outline)
      for (const double y : {-0.05, 0.05}) all.vertices.emplace_back(p[0], y, p[1]);
    for (int i = 0; i < 8; ++i) {
      const int a = 2 * i, b = 2 * ((i + 1) % 8);
      all.triangles.push_back({a, b, b + 1});
      all.triangles.push_back({a, b + 1, a + 1});
    }
    const int faces[][3] = {{0, 1, 2}, {0, 2, 7}, {2, 3, 7}, {3, 6, 7}, {3, 4, 6}, {4, 5, 6}};
    for (const auto& f : faces) {
      all.triangles.push_back({2 * f[0], 2 * f[2], 2 * f[1]});
      all.triangles.push_back({2 * f[0] + 1, 2 * f[1] + 1, 2 * f[2] + 1});
    }
    return all;
  }
  const auto add = [&all](const Vector3d& size, const Vector3d& center) {
    const int first = static_cast<int>(all.vertices.size());
    TriangleMesh part = boxMesh(size);
    for (const Vector3d& v : part.vertices) all.vertices.push_back(v + center);
    for (auto t : part.triangles) all.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  };
  add({0.05, 0.1, 0.249}, {-0.125, 0, 0});
  add({0.05, 0.1, 0.249}, {0.125, 0, 0});
  add({0.3, 0.1, 0.05}, {0, 0, 0.15});
  return all;
}

class BulletShapes : public PhysicsTest {};

TEST_P(BulletShapes, PaddingOfConvexMeshesCountsAsSolid) {
  for (const double padding : {0.0, 0.004}) {
    SceneBuilder b;
    b.addFixed(planeGeometry());
    b.surface.padding = padding;
    const int body = b.addBody(geometry(prism(8, 0.1, 0.2)), RigidTransform::translation({0, 0, 0.01}),
                               {1, Vector3d(0, 0, 0.1), boxInertia(1, {0.15, 0.15, 0.2})});
    b.finish();
    auto scene = build(b.scene);
    advance(*scene, 1500);
    EXPECT_NEAR(bodyOf(*scene, b.scene, body).X_WB.p.z(), padding, 2e-4) << padding;
    EXPECT_LT(bodyOf(*scene, b.scene, body).v_WB.norm(), 1e-3);
  }
}

TEST_P(BulletShapes, FlatTerrainStopsWhatIsFast) {
  for (const double speed : {5.0, 40.0}) {
    SceneBuilder b;
    b.addFixed(planeGeometry());
    const int box = b.addBox({0.1, 0.1, 0.1}, 1, RigidTransform::translation({0.3, 0.2, 1}));
    b.scene.bodies[box].v_WB = Vector3d(0, 0, -speed);
    b.finish();
    auto scene = build(b.scene);
    advance(*scene, 2500);
    EXPECT_NEAR(bodyOf(*scene, b.scene, box).X_WB.p.z(), 0.05, 1e-3) << speed;
  }
}

TEST_P(BulletShapes, ConcaveMeshesAreHullsUnlessAskedOtherwise) {
  const struct {
    const char* movingMeshes;
    bool oneSurface;
    const char* shape;
    int count;
    bool passes;
  } cases[] = {{"hull", true, "convex hull", 1, false},
               {"gimpact", true, "gimpact mesh", 1, true},
               {"hull", false, "box", 4, true}};  // Three of the gate, one of the block.
  for (const auto& expected : cases) {
    Value settings = Value::map();
    settings.set("moving_meshes", expected.movingMeshes);
    SceneBuilder b;
    b.addFixed(boxGeometry({0.1, 0.6, 0.2}), RigidTransform::translation({0, 0, 0.1}));  // Fits through the opening.
    const int body = b.addBody(geometry(gate(expected.oneSurface)), RigidTransform::translation({0, 0, 0.45}),
                               {1, Vector3d(0, 0, 0.05), boxInertia(1, {0.3, 0.1, 0.3})});
    b.finish();
    auto scene = make(settings)->build(b.scene);
    EXPECT_EQ(scene->effectiveSettings().at("shapes").integer(expected.shape, 0), expected.count);
    advance(*scene, 300);
    const double z = bodyOf(*scene, b.scene, body).X_WB.p.z();
    // A hull lies with its feet on the block; the true gate falls over it.
    if (expected.passes)
      EXPECT_LT(z, 0.2) << expected.shape;
    else
      EXPECT_NEAR(z, 0.2 + 0.125, 5e-3) << expected.shape;
  }
}

TEST_P(BulletShapes, EllipsoidsAreHulls) {
  SceneBuilder b;
  b.addFixed(planeGeometry());
  EllipsoidShape shape;
  shape.radii = Vector3d(0.2, 0.15, 0.1);
  const int body = b.addBody(geometry(shape), RigidTransform::translation({0, 0, 0.11}),
                             {1, Vector3d::Zero(), boxInertia(1, {0.3, 0.25, 0.15})});
  b.finish();
  auto scene = build(b.scene);
  EXPECT_EQ(scene->effectiveSettings().at("shapes").integer("convex hull", 0), 1);
  advance(*scene, 1000);
  EXPECT_NEAR(bodyOf(*scene, b.scene, body).X_WB.p.z(), 0.1, 5e-3);
}

/// One body, two shapes of different ids: each has its own partners and its own material.
TEST_P(BulletShapes, IdsDecideWithinOneBody) {
  for (const double friction : {0.1, 0.9}) {
    SceneBuilder b;
    const double slope = 0.4;  // tan 0.42
    const Matrix3d R = rotationAbout(Vector3d::UnitY(), slope);
    b.surface.friction = 1e6;  // The harmonic mean is then twice the other one's.
    b.addFixed(boxGeometry({10, 2, 0.2}), RigidTransform(R, R * Vector3d(0, 0, -0.1)));
    b.surface.friction = 0.5 * friction;
    const int body = b.addBody(nullptr, RigidTransform(R, R * Vector3d(0, 0, 0.0501)),
                               {1, Vector3d::Zero(), boxInertia(1, {0.3, 0.3, 0.1})});
    b.finish();
    // Shape 1 is the box that rests; shape 2 would reach into the ground, but may not touch it.
    b.scene.bodies[body].shapes.push_back({1, boxGeometry({0.3, 0.3, 0.1}), {}});
    b.scene.bodies[body].shapes.push_back({2, boxGeometry({0.1, 0.1, 0.4}), {}});
    b.scene.surfaces.push_back({.friction = 5, .restitution = 0});
    b.scene.filter = CollisionFilter(3);
    b.scene.filter.allow(0, 1);
    auto scene = build(b.scene);
    advance(*scene, 500);
    ASSERT_FALSE(scene->contacts().empty());
    for (const ContactForce& contact : scene->contacts()) {
      EXPECT_EQ(contact.idA, 0);
      EXPECT_EQ(contact.idB, 1);
    }
    const double slid = (bodyOf(*scene, b.scene, body).X_WB.p - b.scene.bodies[body].X_WB.p).norm();
    if (friction < std::tan(slope))
      EXPECT_NEAR(slid, 0.5 * kGravity * (std::sin(slope) - friction * std::cos(slope)) * 0.25, 0.02);
    else
      EXPECT_LT(slid, 2e-3);
  }
}

TEST_P(BulletShapes, PointCloudsAreRefusedByName) {
  SceneBuilder b;
  b.addFixed(geometry(PointCloud{{Vector3d::Zero(), Vector3d::UnitX()}}));
  b.scene.bodies[0].name = "scan";
  b.finish();
  try {
    build(b.scene);
    FAIL() << "a point cloud was accepted";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("scan"), std::string::npos);
    EXPECT_FALSE(error.hint().empty());
  }
}

/// Not the same bits as without the snapshot, but the same bits every time.
TEST_P(BulletShapes, ASnapshotAlwaysContinuesTheSameWay) {
  SceneBuilder b;
  b.addFixed(planeGeometry());
  for (int i = 0; i < 6; ++i)
    b.addBox({0.1, 0.1, 0.1}, 1, RigidTransform::translation({0.02 * i, 0.01 * i, 0.1 + 0.12 * i}));
  b.finish();
  auto scene = build(b.scene);
  advance(*scene, 300);
  ByteWriter snapshot;
  scene->save(snapshot);
  std::vector<std::byte> first;
  for (int round = 0; round < 2; ++round) {
    auto other = build(b.scene);
    advance(*other, 17 * round);
    ByteReader in(snapshot.bytes());
    other->restore(in);
    advance(*other, 200);
    ByteWriter end;
    other->save(end);
    if (round == 0)
      first = end.bytes();
    else
      EXPECT_EQ(end.bytes(), first);
  }
}

INSTANTIATE_TEST_SUITE_P(, BulletShapes, testing::Values(std::string("bullet")));

}  // namespace
}  // namespace mortise::test
