#include "scenes.h"

namespace mortise::test {
namespace {

class Contacts : public PhysicsTest {
 protected:
  /// Waits until it is quiet, then expects the weight as mean contact force and little motion.
  void expectRest(Scene& scene, const SceneDescription& description, int body, double mass, double height,
                  double tolerance = 1e-3) {
    advance(scene, 1000);
    const Vector3d force = meanContactForceOn(scene, body, 500);
    EXPECT_NEAR(force.z(), mass * kGravity, 0.01 * mass * kGravity);
    EXPECT_LT(force.head<2>().norm(), 0.02 * mass * kGravity);
    const BodyState state = bodyOf(scene, description, body);
    EXPECT_NEAR(state.X_WB.p.z(), height, tolerance);
    EXPECT_LT(state.v_WB.norm(), 2e-3);
  }
};

TEST_P(Contacts, BoxRestsOnFlatPatch) {
  SceneBuilder b;
  b.addFixed(planeGeometry());
  const int box = b.addBox({0.2, 0.2, 0.1}, 2, RigidTransform::translation({0.3, 0.1, 0.06}));
  b.finish();
  auto scene = build(b.scene);
  expectRest(*scene, b.scene, box, 2, 0.05);
}

TEST_P(Contacts, BoxRestsOnBox) {
  SceneBuilder b;
  b.addFixed(boxGeometry({4, 4, 0.2}), RigidTransform::translation({0, 0, -0.1}));
  const int box = b.addBox({0.2, 0.2, 0.1}, 2, {rotationZ(0.5), Vector3d(0.3, 0.1, 0.06)});
  b.finish();
  auto scene = build(b.scene);
  expectRest(*scene, b.scene, box, 2, 0.05);
}

TEST_P(Contacts, BoxesGivenAsTrianglesRest) {
  SceneBuilder b;
  b.addFixed(geometry(boxMesh({4, 4, 0.2})), RigidTransform::translation({0, 0, -0.1}));
  const Vector3d size(0.2, 0.2, 0.1);
  const int box = b.addBody(geometry(boxMesh(size)), {rotationZ(0.5), Vector3d(0.3, 0.1, 0.06)},
                            {2, Vector3d::Zero(), boxInertia(2, size)});
  b.finish();
  auto scene = build(b.scene);
  expectRest(*scene, b.scene, box, 2, 0.05, 3e-3);
}

TEST_P(Contacts, BoxRestsOnMesh) {
  SceneBuilder b;
  b.addFixed(bowlGeometry());
  const int box = b.addBox({0.2, 0.2, 0.1}, 2, {rotationZ(0.3), Vector3d(0.31, 0.12, 0.06)});
  b.finish();
  auto scene = build(b.scene);
  expectRest(*scene, b.scene, box, 2, 0.05, 3e-3);
}

TEST_P(Contacts, RoundShapesRest) {
  SceneBuilder b;
  b.addFixed(boxGeometry({8, 8, 0.2}), RigidTransform::translation({0, 0, -0.1}));
  const int ball = b.addSphere(0.1, 1, {0, 0, 0.11});
  CylinderShape can;
  can.base = Vector3d(0, 0, -0.1);
  can.radius = 0.05;
  can.height = 0.2;
  const BodyInertia inertia{1, Vector3d::Zero(), Matrix3d::Identity() * 0.005};
  const int cylinder = b.addBody(geometry(can), RigidTransform::translation({1, 0, 0.11}), inertia);
  CapsuleShape pill{Vector3d(0, -0.1, 0), Vector3d(0, 0.1, 0), 0.05};
  const int capsule = b.addBody(geometry(pill), RigidTransform::translation({2, 0, 0.06}), inertia);
  b.finish();
  auto scene = build(b.scene);
  advance(*scene, 1000);
  // ODE leaves a layer of 1 mm alone, in which shapes may penetrate.
  const auto bodies = bodiesOf(*scene, b.scene.bodies.size());
  EXPECT_NEAR(bodies[ball].X_WB.p.z(), 0.1, 1.2e-3);
  EXPECT_NEAR(bodies[cylinder].X_WB.p.z(), 0.1, 1.2e-3);
  EXPECT_GT(bodies[cylinder].X_WB.R(2, 2), 0.999);
  EXPECT_NEAR(bodies[capsule].X_WB.p.z(), 0.05, 1.2e-3);
}

TEST_P(Contacts, OverhangingBoxTipsOnlyBeyondItsMiddle) {
  for (const double overhang : {0.08, 0.12}) {
    SceneBuilder b;
    TriangleMesh table;
    table.vertices = {{-1, -1, 0}, {0, -1, 0}, {0, 1, 0}, {-1, 1, 0}};
    table.triangles = {{0, 1, 2}, {0, 2, 3}};
    b.addFixed(geometry(table));
    // A box of 0.2 m along x, of which `overhang` sticks out over the edge at x = 0.
    const int box = b.addBox({0.2, 0.2, 0.1}, 1, RigidTransform::translation({overhang - 0.1, 0, 0.051}));
    b.finish();
    auto scene = build(b.scene);
    advance(*scene, 1000);
    const double height = bodyOf(*scene, b.scene, box).X_WB.p.z();
    if (overhang < 0.1)
      EXPECT_NEAR(height, 0.05, 3e-3);
    else
      EXPECT_LT(height, -0.1);
  }
}

TEST_P(Contacts, BlockOnInclineSlipsAtTheFrictionAngle) {
  const double friction = 0.5;
  for (const double yaw : {0.0, 0.3, 0.7854, 1.2}) {
    for (const double ratio : {0.95, 1.05}) {
      SceneBuilder b;
      b.surface.friction = friction;
      const double angle = ratio * std::atan(friction);
      const Matrix3d R_WS = rotationY(angle);  // Downhill is +x of the slope.
      b.addFixed(planeGeometry(), RigidTransform::rotation(R_WS));
      const int block = b.addBox({0.2, 0.2, 0.1}, 1, {R_WS * rotationZ(yaw), R_WS * Vector3d(-3, 0, 0.0501)});
      b.finish();
      auto scene = build(b.scene);
      advance(*scene, 500);
      const Vector3d from = bodyOf(*scene, b.scene, block).X_WB.p;
      const double v0 = (R_WS.transpose() * bodyOf(*scene, b.scene, block).v_WB).x();
      advance(*scene, 500);
      const BodyState state = bodyOf(*scene, b.scene, block);
      const Vector3d slid = R_WS.transpose() * (state.X_WB.p - from);
      if (ratio < 1) {
        EXPECT_LT(slid.norm(), 2e-3) << "yaw " << yaw;
      } else {
        const double acceleration = truth::slopeAcceleration(angle, friction, kGravity);
        EXPECT_GT(slid.x(), 0.5 * v0 * 0.5) << "yaw " << yaw;
        EXPECT_NEAR((R_WS.transpose() * state.v_WB).x() - v0, acceleration * 0.5, 0.1 * acceleration * 0.5)
            << "yaw " << yaw;
        EXPECT_LT(std::abs(slid.y()), 0.05 * slid.x()) << "yaw " << yaw;
      }
    }
  }
}

TEST_P(Contacts, SlidingBlockStopsWhereCoulombSays) {
  for (const double direction : {0.0, 0.4, 0.7854, 2.5}) {
    SceneBuilder b;
    b.surface.friction = 0.4;
    b.addFixed(planeGeometry());
    const int block = b.addBox({0.2, 0.2, 0.04}, 1, RigidTransform::translation({0, 0, 0.02}));
    const Vector3d v(2 * std::cos(direction), 2 * std::sin(direction), 0);
    b.scene.bodies[block].v_WB = v;
    b.finish();
    auto scene = build(b.scene);
    advance(*scene, 1000);
    const Vector3d end = bodyOf(*scene, b.scene, block).X_WB.p;
    const double distance = truth::slidingDistance(2, 0.4, kGravity);
    EXPECT_NEAR(end.head<2>().norm(), distance, 0.03 * distance) << "direction " << direction;
    EXPECT_LT((end.head<2>() - distance * v.head<2>() / 2).norm(), 0.05 * distance) << "direction " << direction;
  }
}

TEST_P(Contacts, BounceReachesTheSquareOfRestitution) {
  for (const double restitution : {0.5, 0.8}) {
    SceneBuilder b;
    b.surface.restitution = restitution;
    b.addFixed(planeGeometry());
    const int ball = b.addSphere(0.05, 0.5, {0, 0, 1.05});
    b.finish();
    auto scene = build(b.scene);
    double highest = 0;
    bool touched = false;
    for (int i = 0; i < 1200; ++i) {
      scene->step(kStep);
      const double z = bodyOf(*scene, b.scene, ball).X_WB.p.z() - 0.05;
      touched = touched || z < 0.01;
      const double v = bodyOf(*scene, b.scene, ball).v_WB.z();
      if (touched && v > 0) highest = std::max(highest, z);
      if (touched && v < 0 && highest > 0.02) break;
    }
    const double expected = truth::bounceHeight(restitution, 1);
    // Bullet's error reduction adds energy to bounces.
    const double tolerance = GetParam() == "bullet" ? 0.35 : 0.05;
    EXPECT_NEAR(highest, expected, tolerance * expected) << restitution;
  }
}

TEST_P(Contacts, NoRestitutionMeansNoBounce) {
  SceneBuilder b;
  b.addFixed(planeGeometry());
  const int box = b.addBox({0.2, 0.2, 0.1}, 1, RigidTransform::translation({0, 0, 1.05}));
  b.finish();
  auto scene = build(b.scene);
  double highest = 0;
  for (int i = 0; i < 1500; ++i) {
    scene->step(kStep);
    if (i > 500) highest = std::max(highest, bodyOf(*scene, b.scene, box).X_WB.p.z() - 0.05);
  }
  EXPECT_LT(highest, 5e-3);
  EXPECT_NEAR(bodyOf(*scene, b.scene, box).X_WB.p.z(), 0.05, 1e-3);
}

TEST_P(Contacts, SoftContactGivesWay) {
  if (!physics().capabilities().contactSoftness) GTEST_SKIP() << "the backend's contacts are rigid";
  SceneBuilder b;
  b.surface.stiffness = 2000;  // Two in series: 1000 N/m.
  b.surface.damping = 200;
  b.addFixed(planeGeometry());
  const int ball = b.addSphere(0.1, 1, {0.3, 0.1, 0.1});  // On one triangle of the ground, not on an edge.
  b.finish();
  auto scene = build(b.scene);
  advance(*scene, 3000);
  const double depth = 0.1 - bodyOf(*scene, b.scene, ball).X_WB.p.z();
  EXPECT_NEAR(depth, kGravity / 1000, 0.1 * kGravity / 1000 + 1e-3);  // ODE leaves a layer of 1 mm alone.
}

TEST_P(Contacts, StackOfTenStands) {
  SceneBuilder b;
  b.addFixed(planeGeometry());
  const double size = 0.1;
  int bottom = -1, top = -1;
  for (int i = 0; i < 10; ++i) {
    top = b.addBox(Vector3d::Constant(size), 1, RigidTransform::translation({0, 0, (i + 0.5) * size + 1e-3 * (i + 1)}));
    if (bottom < 0) bottom = top;
  }
  b.finish();
  auto scene = build(b.scene);
  advance(*scene, 2000);
  const auto bodies = bodiesOf(*scene, b.scene.bodies.size());
  for (int i = 0; i < 10; ++i) {
    const Vector3d p = bodies[bottom + i].X_WB.p;
    EXPECT_NEAR(p.z(), (i + 0.5) * size, 5e-3) << "box " << i;
    EXPECT_LT(p.head<2>().norm(), 1e-2) << "box " << i;
  }
  // The ground carries all ten.
  EXPECT_NEAR(meanContactForceOn(*scene, 0, 200).z(), -10 * kGravity, 0.02 * 10 * kGravity);
}

TEST_P(Contacts, ForcesPointTheRightWay) {
  SceneBuilder b;
  b.addFixed(planeGeometry());                                                                // id 0
  const int lower = b.addBox({0.4, 0.4, 0.1}, 3, RigidTransform::translation({0, 0, 0.05}));  // id 1
  const int upper = b.addBox({0.2, 0.2, 0.1}, 2, RigidTransform::translation({0, 0, 0.15}));  // id 2
  b.finish();
  auto scene = build(b.scene);
  advance(*scene, 500);
  Vector3d onGround = Vector3d::Zero(), onLower = Vector3d::Zero();
  int steps = 200, seen = 0;
  for (int i = 0; i < steps; ++i) {
    scene->step(kStep);
    for (const ContactForce& c : scene->contacts()) {
      ++seen;
      EXPECT_LT(c.idA, c.idB);
      EXPECT_EQ(c.bodyA, c.idA);
      EXPECT_EQ(c.bodyB, c.idB);
      // A is below B here, and the normal points from B to A.
      EXPECT_LT(c.normal.z(), -0.99);
      EXPECT_GE(c.force.dot(c.normal), -1e-9);
      if (c.idA == 0 && c.idB == lower) onGround += c.force;
      if (c.idA == lower && c.idB == upper) onLower += c.force;
    }
  }
  EXPECT_GT(seen, steps);
  EXPECT_NEAR(onGround.z() / steps, -5 * kGravity, 0.01 * 5 * kGravity);
  EXPECT_NEAR(onLower.z() / steps, -2 * kGravity, 0.01 * 2 * kGravity);
}

TEST_P(Contacts, FilterIsRespected) {
  SceneBuilder b;
  b.addFixed(planeGeometry());
  const int caught = b.addBox({0.2, 0.2, 0.2}, 1, RigidTransform::translation({0, 0, 0.2}));
  const int ignored = b.addBox({0.2, 0.2, 0.2}, 1, RigidTransform::translation({1, 0, 0.2}));
  b.finish();
  b.scene.filter.allow(0, ignored, false);
  auto scene = build(b.scene);
  advance(*scene, 1000);
  EXPECT_GT(bodyOf(*scene, b.scene, caught).X_WB.p.z(), 0.09);
  EXPECT_LT(bodyOf(*scene, b.scene, ignored).X_WB.p.z(), -2);
}

TEST_P(Contacts, ShapesOfOneBodyDoNotTouch) {
  // Two shapes of a welded body overlap and the filter even allows the pair: nothing may happen.
  SceneBuilder b;
  b.scene.gravity.setZero();
  const int body = b.addBox({0.2, 0.2, 0.2}, 1, {});
  b.scene.bodies[body].shapes.push_back({1, boxGeometry({0.3, 0.1, 0.1}), {}});
  b.scene.surfaces.push_back(b.surface);
  b.finish();
  b.scene.filter = CollisionFilter(2);
  b.scene.filter.allow(0, 1);
  auto scene = build(b.scene);
  advance(*scene, 10);
  EXPECT_TRUE(scene->contacts().empty());
  EXPECT_EQ(bodyOf(*scene, b.scene, body).v_WB.norm(), 0);
}

TEST_P(Contacts, MovingMeshRestsOnMesh) {
  if (!physics().capabilities().movingMeshes) GTEST_SKIP() << "the backend has no moving meshes";
  // A table on four legs, as one mesh that is neither convex nor a box.
  SceneBuilder b;
  b.addFixed(bowlGeometry());
  TriangleMesh table;
  const auto append = [&](const Vector3d& size, const Vector3d& at, bool skew) {
    const TriangleMesh part = boxMesh(size);
    const int shift = static_cast<int>(table.vertices.size());
    for (Vector3d v : part.vertices) {
      if (skew && v.z() < 0) v.head<2>() *= 0.6;
      table.vertices.push_back(v + at);
    }
    for (const auto& t : part.triangles) table.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  };
  append({0.4, 0.4, 0.05}, {0, 0, 0.15}, true);
  for (int i = 0; i < 4; ++i) append({0.06, 0.06, 0.3}, {i & 1 ? 0.15 : -0.15, i & 2 ? 0.15 : -0.15, 0}, true);
  const int body = b.addBody(geometry(table), RigidTransform::translation({0.1, 0.05, 0.155}),
                             {2, Vector3d(0, 0, 0.05), Matrix3d::Identity() * 0.05});
  b.finish();
  auto scene = build(b.scene);
  advance(*scene, 1000);
  const BodyState state = bodyOf(*scene, b.scene, body);
  EXPECT_NEAR(state.X_WB.p.z(), 0.15, 5e-3);
  EXPECT_GT(state.X_WB.R(2, 2), 0.999);
  EXPECT_NEAR(meanContactForceOn(*scene, body, 300).z(), 2 * kGravity, 0.03 * 2 * kGravity);
}

INSTANTIATE_TEST_SUITE_P(, Contacts, testing::Values(std::string("ode"), std::string("bullet")),
                         [](const testing::TestParamInfo<std::string>& backend) { return backend.param; });

}  // namespace
}  // namespace mortise::test
