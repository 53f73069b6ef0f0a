#include "allocation_count.h"
#include "hand_contacts.h"
#include "scenes.h"

// What only the ODE backend promises.

namespace mortise::test {
namespace {

class OdeBackend : public PhysicsTest {
 protected:
  static Value settings(std::string_view key, Value value) {
    Value map = Value::map();
    map.set(key, std::move(value));
    return map;
  }
  static std::int64_t shapes(const Scene& scene, const char* kind) {
    return scene.effectiveSettings().at("shapes").at(kind).asInteger();
  }
};

TEST_P(OdeBackend, RecognizesBoxesAmongTriangles) {
  SceneBuilder b;
  b.addFixed(planeGeometry());
  b.addFixed(bowlGeometry());
  // Two boxes that do not touch, one of them turned, in one mesh, with a tetrahedron between them.
  TriangleMesh mesh = boxMesh({0.1, 0.2, 0.3});
  const auto append = [&](const TriangleMesh& part, const RigidTransform& X) {
    const int shift = static_cast<int>(mesh.vertices.size());
    for (const Vector3d& v : part.vertices) mesh.vertices.push_back(X * v);
    for (const auto& t : part.triangles) mesh.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  };
  append(boxMesh({0.3, 0.1, 0.1}), {rotationAbout({1, 2, 3}, 1), Vector3d(1, 0, 0)});
  append({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}},
         {rotationAbout({1, 0, 0}, 0.3), Vector3d(0, 3, 0)});
  b.addBody(geometry(mesh), RigidTransform::translation({0, 0, 5}), {1, Vector3d::Zero(), Matrix3d::Identity() * 0.1});
  // A box with its lid missing is no box.
  TriangleMesh open = boxMesh({0.1, 0.1, 0.1});
  open.triangles.pop_back();
  b.addBody(geometry(open), RigidTransform::translation({0, 0, 9}), {1, Vector3d::Zero(), Matrix3d::Identity() * 0.1});
  b.finish();
  auto scene = build(b.scene);
  EXPECT_EQ(shapes(*scene, "boxes"), 2);
  EXPECT_EQ(shapes(*scene, "meshes"), 4);
}

TEST_P(OdeBackend, PaddingGrowsPrimitivesAndIsSaidToBeLeftOutOfMeshes) {
  SceneBuilder b;
  b.surface.padding = 0.003;
  b.addFixed(planeGeometry());
  b.surface.padding = 0.002;
  const int box = b.addBox({0.2, 0.2, 0.1}, 1, RigidTransform::translation({0.13, 0.07, 0.055}));
  b.surface.preshrink = 1;
  const int shrunk = b.addBox({0.2, 0.2, 0.1}, 1, RigidTransform::translation({-0.47, 0.07, 0.055}));
  b.finish();
  auto scene = build(b.scene);
  advance(*scene, 800);
  // What has sunk in at the first touch, up to the surface layer of 1 mm, is left alone.
  EXPECT_NEAR(bodyOf(*scene, b.scene, box).X_WB.p.z(), 0.0515, 5.1e-4);
  EXPECT_NEAR(bodyOf(*scene, b.scene, shrunk).X_WB.p.z(), 0.0495, 5.1e-4);
  EXPECT_EQ(scene->effectiveSettings().at("substitutions").items().at(0).asString(),
            "1 meshes without their padding or margin");
}

TEST_P(OdeBackend, SolversAgree) {
  // An arm that saturates one drive and slips another.
  SceneBuilder b;
  int parent = b.addFixed(nullptr, RigidTransform::translation({0, 0, 0.8}));
  for (int i = 0; i < 3; ++i) {
    const int link = b.addBody(nullptr, RigidTransform::translation({0.3 * i, 0, 0.8}),
                               {1, Vector3d(0.15, 0, 0), boxInertia(1, {0.3, 0.05, 0.05})});
    b.addJoint(SceneJoint::Type::revolute, parent, link, Vector3d(0, -1, 0));
    parent = link;
  }
  b.finish();
  std::vector<JointDrive> drives(3);
  for (JointDrive& d : drives) {
    d.stiffness = 500;
    d.damping = 20;
    d.minEffort = -8;  // The first joint's load is 13 N*m.
    d.maxEffort = 8;
    d.dryFriction = 0.5;
    d.viscousFriction = 0.2;
  }
  const auto run = [&](const Value& settings) {
    auto scene = make(settings)->build(b.scene);
    scene->setJointDrives(drives);
    std::vector<double> positions;
    for (int i = 0; i < 400; ++i) {
      scene->step(kStep);
      for (int j = 0; j < 3; ++j) positions.push_back(jointOf(*scene, b.scene, j).position);
    }
    return positions;
  };
  const auto exact = run(settings("solver", "exact"));
  Value quick = settings("solver", "quick");
  quick.set("quick_step_num_iterations", 3000);
  const auto iterative = run(quick);
  EXPECT_LT(exact[3 * 399], -0.1);  // The first drive gave way.
  for (std::size_t i = 0; i < exact.size(); ++i)
    ASSERT_NEAR(exact[i], iterative[i], 2e-3) << i / 3 << ", joint " << i % 3;
}

TEST_P(OdeBackend, EveryStepIsOneOfOdesTwo) {
  SceneBuilder b;
  b.addFixed(planeGeometry(50));
  for (int i = 0; i < 100; ++i)  // 100 boxes apart from each other.
    b.addBox({0.2, 0.2, 0.1}, 1, RigidTransform::translation({0.5 * (i % 10), 0.5 * (i / 10), 0.0495}));
  b.finish();
  const auto count = [](const Scene& scene, const char* name) {
    return scene.effectiveSettings().at(name).asInteger();
  };
  for (const char* name : {"auto", "exact", "quick"}) {
    auto scene = make(settings("solver", name))->build(b.scene);
    advance(*scene, 20);
    EXPECT_EQ(count(*scene, "exact_steps") + count(*scene, "quick_steps"), 20) << name;
    EXPECT_EQ(count(*scene, "quick_steps"), std::string(name) == "quick" ? 20 : count(*scene, "failed_exact_steps"))
        << name;
  }
  auto limited = make(settings("exact_limit", 11))->build(b.scene);  // Each box has twelve rows or more.
  advance(*limited, 20);
  EXPECT_EQ(count(*limited, "quick_steps"), 20);
  EXPECT_EQ(count(*limited, "exact_steps"), 0);
}

TEST_P(OdeBackend, HeapsAreQuickStacksAndRobotsExact) {
  // Boxes on each other have twelve rows each.
  const auto quickSteps = [&](int boxes, bool joint, const Value& settings) {
    SceneBuilder b;
    b.addFixed(nullptr);
    const Vector3d size(0.1, 0.1, 0.1);
    for (int i = 0; i < boxes; ++i) b.addBox(size, 1, RigidTransform::translation({0, 0, 0.05 + 0.1 * i}));
    if (joint) {
      const int link = b.addBody(nullptr, {}, {1, Vector3d(0.1, 0, 0), Matrix3d::Identity() * 0.01});
      b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d::UnitY());
    }
    b.finish();
    HandContacts contacts(b.scene);
    for (int i = 1; i <= boxes; ++i)
      contacts.addBox(i, size, i - 1, Vector3d::UnitZ(), i > 1 ? Vector3d(0, 0, 0.05) : Vector3d::Zero());
    auto scene = make(settings)->build(b.scene);
    contacts.advance(*scene, 10);
    const Value out = scene->effectiveSettings();
    return out.at("quick_steps").asInteger() - out.at("failed_exact_steps").asInteger();
  };
  EXPECT_EQ(quickSteps(10, false, Value::map()), 0);
  EXPECT_EQ(quickSteps(11, false, Value::map()), 10);
  EXPECT_EQ(quickSteps(11, true, Value::map()), 0);
  EXPECT_EQ(quickSteps(11, false, settings("exact_limit", 132)), 0);
}

TEST_P(OdeBackend, SettingsReachTheEngine) {
  SceneBuilder b;
  b.addSphere(0.1, 1, {0, 0, 1});
  b.finish();
  const auto effective = [&](const Value& value) { return make(value)->build(b.scene)->effectiveSettings(); };
  Value out = effective(Value::map());
  EXPECT_EQ(out.at("erp").asReal(), 0.2);
  EXPECT_EQ(out.at("cfm").asReal(), 1e-8);
  EXPECT_EQ(out.at("contact_surface_layer").asReal(), 1e-3);
  EXPECT_EQ(out.at("contact_max_correcting_vel").asReal(), 0.1);
  b.scene.surfaces[0].stiffness = 1e4;
  EXPECT_TRUE(std::isinf(effective(Value::map()).at("contact_max_correcting_vel").asReal()));
  EXPECT_EQ(effective(settings("solver", "quick")).at("cfm").asReal(), 1e-10);
  // What a world asks for, and a setting that wins.
  b.scene.errorReduction = 0.7;
  b.scene.constraintForceMixing = 1e-4;
  EXPECT_EQ(effective(Value::map()).at("erp").asReal(), 0.7);
  EXPECT_EQ(effective(Value::map()).at("cfm").asReal(), 1e-4);
  EXPECT_EQ(effective(settings("erp", 0.3)).at("erp").asReal(), 0.3);
  Value normalized = settings("profile", "normalized");
  out = effective(normalized);
  EXPECT_EQ(out.at("erp").asReal(), 0.7);
  EXPECT_EQ(out.at("cfm").asReal(), 1e-4);
  normalized.set("auto_disable", true);
  EXPECT_THROW(effective(normalized), Error);
  EXPECT_EQ(effective(settings("iterations", 7)).at("quick_step_num_iterations").asInteger(), 7);
  EXPECT_EQ(effective(settings("linear_damping", 0.1)).at("linear_damping").asReal(), 0.1);
  EXPECT_THROW(effective(settings("solver", "direct")), Error);
}

TEST_P(OdeBackend, AutoDisablePutsBodiesToSleepAndDrivesWakeThem) {
  SceneBuilder b;
  const int link = b.addBody(nullptr, {}, {1, Vector3d::Zero(), Matrix3d::Identity() * 0.1});
  b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d::UnitZ());
  b.finish();
  auto physics = make(settings("auto_disable", true));
  EXPECT_EQ(physics->capabilities().restore, PhysicsCapabilities::Restore::approximate);
  auto scene = physics->build(b.scene);
  advance(*scene, 50);
  std::vector<JointDrive> drives(1);
  drives[0].feedforward = 1;
  scene->setJointDrives(drives);
  advance(*scene, 100);
  EXPECT_NEAR(jointOf(*scene, b.scene, 0).velocity, 1, 1e-9);
}

TEST_P(OdeBackend, TiesAmongContactsAreCountedAndSurvived) {
  // Boxes that touch exactly: Dantzig's method meets steps of length zero, and ODE then drops all forces.
  SceneBuilder b;
  b.addFixed(planeGeometry());
  for (int i = 0; i < 10; ++i) b.addBox({0.2, 0.2, 0.1}, 1, RigidTransform::translation({0, 0, 0.05 + 0.1 * i}));
  b.finish();
  auto scene = make(settings("solver", "exact"))->build(b.scene);
  advance(*scene, 500);
  const auto bodies = bodiesOf(*scene, 11);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(bodies[1 + i].X_WB.p.z(), 0.05 + 0.1 * i, 2e-3 * (i + 1));
  const Value out = scene->effectiveSettings();
  EXPECT_EQ(out.at("failed_exact_steps").asInteger(), out.at("quick_steps").asInteger());
  EXPECT_LE(out.at("failed_exact_steps").asInteger(), out.at("lcp_errors").asInteger());
}

TEST_P(OdeBackend, KinematicBodyPushes) {
  SceneBuilder b;
  b.addFixed(planeGeometry());
  const int pusher = b.addBox({0.1, 0.4, 0.2}, 1, RigidTransform::translation({-0.3, 0, 0.15}));
  b.scene.bodies[pusher].motion = BodyMotion::kinematic;
  b.scene.bodies[pusher].v_WB = Vector3d(0.2, 0, 0);
  const int box = b.addBox({0.2, 0.2, 0.2}, 1, RigidTransform::translation({0, 0, 0.1}));
  b.finish();
  auto scene = build(b.scene);
  advance(*scene, 2000);
  EXPECT_NEAR(bodyOf(*scene, b.scene, pusher).X_WB.p.x(), -0.3 + 0.4, 1e-6);
  EXPECT_NEAR(bodyOf(*scene, b.scene, pusher).X_WB.p.z(), 0.15, 1e-12);
  EXPECT_NEAR(bodyOf(*scene, b.scene, box).X_WB.p.x(), 0.1 + 0.05 + 0.1, 5e-3);
}

TEST_P(OdeBackend, StepsWithoutAllocatingOnceWarm) {
  SceneBuilder b;
  b.addFixed(bowlGeometry());
  for (int i = 0; i < 20; ++i)
    b.addBox({0.1, 0.1, 0.1}, 1, RigidTransform::translation({0.2 * (i % 5), 0.2 * (i / 5.0), 0.06}));
  const int link =
      b.addBody(nullptr, RigidTransform::translation({0, 0, 2}), {1, Vector3d(0.2, 0, 0), Matrix3d::Identity() * 0.02});
  b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d::UnitY());
  b.finish();
  auto scene = build(b.scene);
  std::vector<JointDrive> drives(1);
  drives[0].stiffness = 100;
  drives[0].maxEffort = 5;
  drives[0].minEffort = -5;
  drives[0].dryFriction = 0.1;
  std::vector<BodyState> bodies(b.scene.bodies.size());
  std::vector<JointState> joints(1);
  const auto tick = [&] {
    scene->setJointDrives(drives);
    scene->applyWrench(1, Vector3d(0, 0, 0.1), Vector3d::Zero(), Vector3d::Zero());
    scene->step(kStep);
    scene->readBodies(bodies);
    scene->readJoints(joints);
  };
  for (int i = 0; i < 300; ++i) tick();
  const long before = allocationCount();
  for (int i = 0; i < 100; ++i) tick();
  EXPECT_EQ(allocationCount() - before, 0);
}

TEST_P(OdeBackend, SceneThatIsNotFiniteStopsWithAnError) {
  SceneBuilder b;
  const int ball = b.addSphere(0.1, 1, {0, 0, 1});
  b.finish();
  auto scene = build(b.scene);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  scene->applyWrench(ball, Vector3d(nan, 0, 0), Vector3d::Zero(), Vector3d::Zero());
  EXPECT_THROW(advance(*scene, 3), Error);
  // Another scene is none the worse for it.
  auto other = build(b.scene);
  advance(*other, 10);
  EXPECT_TRUE(bodyOf(*other, b.scene, ball).X_WB.allFinite());
}

TEST_P(OdeBackend, ShapesThatCannotBeHeldAreRefused) {
  SceneBuilder b;
  b.addBody(geometry(ConvexHullShape{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}), {},
            {1, Vector3d::Zero(), Matrix3d::Identity()});
  b.finish();
  EXPECT_THROW(build(b.scene), Error);
}

INSTANTIATE_TEST_SUITE_P(, OdeBackend, testing::Values(std::string("ode")),
                         [](const testing::TestParamInfo<std::string>& backend) { return backend.param; });

}  // namespace
}  // namespace mortise::test
