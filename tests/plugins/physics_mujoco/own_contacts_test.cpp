#include "mujoco_test.h"

// Contacts that MuJoCo finds from geoms.

namespace mortise::test {
namespace {

class MujocoShapes : public Mujoco {
 protected:
  static int shapeCount(const Scene& scene, const char* kind) {
    const Value settings = scene.effectiveSettings();
    return settings.at("shapes").contains(kind) ? static_cast<int>(settings.at("shapes").at(kind).asInteger()) : 0;
  }
};

TEST_P(MujocoShapes, FlatGroundIsOnePlaneAndTouchesOnce) {
  SceneBuilder b;
  const int ground = b.addFixed(planeGeometry());
  const int ball = b.addSphere(0.1, 1, {0.3, 0.2, 0.0999});
  b.finish();
  for (const char* profile : {"recommended", "normalized"}) {
    auto scene = engine(profile)->build(b.scene);
    EXPECT_EQ(shapeCount(*scene, "plane"), 1);
    advance(*scene, 1000);
    ASSERT_EQ(scene->contacts().size(), 1u);
    EXPECT_NEAR(contactForceOn(*scene, ball).z(), kGravity, 1e-3);
    EXPECT_NEAR(contactForceOn(*scene, ground).z(), -kGravity, 1e-3);
    // The plane goes where its body goes.
    scene->setBodyState(ground, {RigidTransform::translation({0, 0, -0.5}), Vector3d::Zero(), Vector3d::Zero()});
    advance(*scene, 1000);
    EXPECT_NEAR(bodyOf(*scene, b.scene, ball).X_WB.p.z(), -0.4, 1e-3);
  }
}

TEST_P(MujocoShapes, AnEdgeIsAnEdge) {
  // A table top with something below it, or something beyond its edge, is a slab.
  SceneBuilder b;
  b.addFixed(planeGeometry(0.5));
  const int ball = b.addSphere(0.1, 1, {0.55, 0, 0.1});
  b.finish();
  auto scene = engine()->build(b.scene);
  EXPECT_EQ(shapeCount(*scene, "plane"), 0);
  EXPECT_EQ(shapeCount(*scene, "box"), 1);
  advance(*scene, 1500);
  EXPECT_LT(bodyOf(*scene, b.scene, ball).X_WB.p.z(), -0.5);
}

TEST_P(MujocoShapes, ConcaveGroundIsRefusedUnlessItsHullWillDo) {
  SceneBuilder b;
  b.addFixed(bowlGeometry());
  b.addSphere(0.1, 1, {0, 0, 0.2});
  b.finish();
  EXPECT_THROW(engine()->build(b.scene), Error);
  auto scene = make(settingsOf({{"fixed_meshes", Value("hull")}}))->build(b.scene);
  EXPECT_EQ(shapeCount(*scene, "convex hull"), 1);
}

TEST_P(MujocoShapes, HeightmapsAreHeightFields) {
  SceneBuilder b;
  HeightmapShape map;
  map.columns = map.rows = 21;
  map.size = {2, 2};
  for (int j = 0; j < 21; ++j)
    for (int i = 0; i < 21; ++i) map.heights.push_back(0.3 + 0.02 * ((i - 10) * (i - 10) + (j - 10) * (j - 10)) / 10.0);
  b.addFixed(geometry(map), {rotationZ(0.5), Vector3d(1, 0, 0)});
  const int ball = b.addSphere(0.1, 1, {1.2, 0.1, 0.8});
  b.finish();
  auto scene = engine()->build(b.scene);
  EXPECT_EQ(shapeCount(*scene, "height field"), 1);
  advance(*scene, 3000);
  const Vector3d p = bodyOf(*scene, b.scene, ball).X_WB.p;
  EXPECT_NEAR(p.z(), 0.4, 0.03);
  EXPECT_LT((p - Vector3d(1, 0, p.z())).norm(), 0.4);
}

TEST_P(MujocoShapes, PairsCanBeSwitchedOff) {
  SceneBuilder b;
  const int ground = b.addFixed(planeGeometry());
  const int box = b.addBox({0.1, 0.1, 0.1}, 1, RigidTransform::translation({0, 0, 0.05}));
  b.finish();
  auto scene = engine()->build(b.scene);
  advance(*scene, 100);
  EXPECT_NEAR(bodyOf(*scene, b.scene, box).X_WB.p.z(), 0.05, 1e-3);
  scene->setCollision(ground, box, false);
  advance(*scene, 100);
  EXPECT_LT(bodyOf(*scene, b.scene, box).X_WB.p.z(), 0.01);
  EXPECT_TRUE(scene->contacts().empty());
}

TEST_P(MujocoShapes, RungeKuttaNeedsItsOwnContacts) {
  SceneBuilder b;
  const int link = b.addBody(nullptr, {}, {1, Vector3d(0.5, 0, 0), Matrix3d::Identity() * 0.02});
  b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d(0, -1, 0));
  b.finish();
  auto scene = make(settingsOf({{"integrator", Value("RK4")}}))->build(b.scene);
  const auto energy = [&] {
    const JointState s = jointOf(*scene, b.scene, 0);
    return 0.5 * 0.27 * s.velocity * s.velocity + 0.5 * kGravity * std::sin(s.position);
  };
  advance(*scene, 1000);
  EXPECT_NEAR(energy(), 0, 1e-9);
  b.scene.contactSource = ContactSource::external;
  EXPECT_THROW(make(settingsOf({{"integrator", Value("RK4")}}))->build(b.scene), Error);
}

TEST_P(MujocoShapes, PyramidsSlipEarlierOnTheDiagonal) {
  // A pyramid's corners lie on the cone.
  double gain[2];
  for (const bool elliptic : {true, false}) {
    SceneBuilder b;
    b.surface.friction = 0.5;
    b.scene.gravity = Vector3d(0.45 * kGravity * std::cos(0.7854), 0.45 * kGravity * std::sin(0.7854), -kGravity);
    b.addFixed(planeGeometry());
    const int box = b.addBox({0.2, 0.2, 0.05}, 1, RigidTransform::translation({0, 0, 0.025}));
    b.finish();
    auto scene =
        make(settingsOf({{"profile", Value("normalized")}, {"cone", Value(elliptic ? "elliptic" : "pyramidal")}}))
            ->build(b.scene);
    advance(*scene, 500);
    gain[elliptic] = bodyOf(*scene, b.scene, box).v_WB.norm();
  }
  EXPECT_LT(gain[1], 1e-4);
  EXPECT_GT(gain[0], 0.1);
}

MORTISE_FOR_MUJOCO(MujocoShapes);

}  // namespace
}  // namespace mortise::test
