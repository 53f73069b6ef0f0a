#include <limits>

#include "hand_contacts.h"

// Contacts that the direct solver of the ODE backend finds hard: large heaps, very light bodies, friction without end.

namespace mortise::test {
namespace {

class OdeSettling : public PhysicsTest {
 protected:
  static Value solver(const char* name) {
    Value map = Value::map();
    map.set("solver", std::string(name));
    return map;
  }
  static double energyOf(const Scene& scene, const SceneDescription& description) {
    const std::vector<BodyState> states = bodiesOf(scene, description.bodies.size());
    double sum = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      const SceneBody& body = description.bodies[i];
      if (body.motion != BodyMotion::dynamic) continue;
      const Matrix3d inertia = states[i].X_WB.R * body.inertia.inertia * states[i].X_WB.R.transpose();
      sum += body.inertia.mass * (kGravity * states[i].X_WB.p.z() + 0.5 * states[i].v_WB.squaredNorm()) +
             0.5 * states[i].w_WB.dot(inertia * states[i].w_WB);
    }
    return sum;
  }
  static std::int64_t count(const Scene& scene, const char* name) {
    return scene.effectiveSettings().at(name).asInteger();
  }
};

TEST_P(OdeSettling, LargeHeapsAreSweptWithinBoundedPasses) {
  constexpr int kWide = 5, kHigh = 5;
  constexpr double kSize = 0.1;
  SceneBuilder b;
  b.addFixed(planeGeometry());
  // Layers lie across the gaps of those below, by turns along x and y; no two boxes touch at the start.
  const auto shift = [](int i) { return 0.15 * kSize * std::sin(7.3 * i); };
  int number = 0;
  for (int z = 0; z < kHigh; ++z)
    for (int x = 0; x < kWide; ++x)
      for (int y = 0; y < kWide; ++y, ++number)
        b.addBox(Vector3d::Constant(kSize), 1,
                 RigidTransform::translation({kSize * (1.4 * x + (z % 4 == 1 || z % 4 == 2 ? 0.7 : 0)) + shift(number),
                                              kSize * (1.4 * y + (z % 4 >= 2 ? 0.7 : 0)) + shift(number + 50),
                                              1.02 * kSize * (z + 0.52)}));
  b.finish();
  auto scene = build(b.scene);
  double energy = energyOf(*scene, b.scene);
  std::unique_ptr<Scene> second;
  for (int step = 0; step < 150; ++step) {
    const std::int64_t passes = count(*scene, "contact_passes");
    scene->step(kStep);
    const double now = energyOf(*scene, b.scene);
    // What went 0.2 mm into others before it was found is pushed out at 0.02 m/s, which is up to 0.05 J for all.
    ASSERT_LT(now, energy + 0.05) << "step " << step;
    energy = now;
    EXPECT_LT(count(*scene, "contact_passes") - passes, step < 60 ? 150 : 20) << "step " << step;
    for (const ContactForce& contact : scene->contacts()) {
      const double normal = contact.force.dot(contact.normal);
      EXPECT_GE(normal, -1e-9);
      // Cones follow to 0.1 %, and to 1e-4 of the largest one.
      EXPECT_LE((contact.force - normal * contact.normal).norm(), 0.5 * normal * 1.002 + 0.05);
    }
    if (step == 120) {
      ByteWriter out;
      scene->save(out);
      second = build(b.scene);
      ByteReader in(out.bytes());
      second->restore(in);
    } else if (second) {
      second->step(kStep);
    }
  }
  EXPECT_GT(count(*scene, "unsettled_islands"), 0) << "the heap is no test of sweeps";
  ByteWriter a, c;
  scene->save(a);
  second->save(c);
  EXPECT_TRUE(std::ranges::equal(a.bytes(), c.bytes()));
  for (const BodyState& body : bodiesOf(*scene, b.scene.bodies.size())) EXPECT_GT(body.X_WB.p.z(), -1e-9);
}

// The tolerance of slipping contacts in m/s used to be more than light bodies bear.
TEST_P(OdeSettling, LightBodiesGetNoEnergy) {
  for (const double mass : {1e-3, 1e-5, 1e-6, 1e-8})
    for (const double size : {1e-3, 1e-2}) {
      SceneBuilder b;
      b.addFixed(nullptr);
      HandContacts contacts(b.scene);
      for (int i = 0; i < 5; ++i) {
        const int box = b.addBox(Vector3d::Constant(size), mass,
                                 {rotationAbout(Vector3d(1, 0.3 * i, 0.2), 0.05 * i), {2 * size * i, 0, 1.1 * size}});
        b.scene.bodies[box].v_WB = Vector3d(0, 0.05 * i, 0);
        contacts.addBox(box, Vector3d::Constant(size));
      }
      b.finish();
      auto scene = build(b.scene);
      double energy = energyOf(*scene, b.scene);
      for (int step = 0; step < 300; ++step) {
        contacts.step(*scene);
        const double now = energyOf(*scene, b.scene);
        // A corner that is pushed out, or a gap that closes within a step, moves the weight by micrometres.
        ASSERT_LT(now, energy + mass * kGravity * 2e-5) << mass << " kg, " << size << " m, step " << step;
        energy = now;
      }
      for (int i = 1; i <= 5; ++i) {
        const BodyState state = bodyOf(*scene, b.scene, i);
        EXPECT_NEAR(state.X_WB.p.z(), 0.5 * size, 0.02 * size) << mass << " kg, " << size << " m";
        EXPECT_LT(state.v_WB.norm(), 1e-4) << mass << " kg, " << size << " m";
      }
    }
}

TEST_P(OdeSettling, FrictionWithoutEndHolds) {
  for (const char* name : {"direct", "exact", "quick"}) {
    SceneBuilder b;
    b.scene.gravity = Vector3d(5, 0, -kGravity);
    b.addFixed(nullptr);
    const Vector3d size(0.2, 0.2, 0.1);
    HandContacts contacts(b.scene);
    const int box = b.addBox(size, 1, RigidTransform::translation({0, 0, 0.05}));
    contacts.addBox(box, size);
    b.finish();
    auto scene = make(solver(name))->build(b.scene);
    for (int step = 0; step < 200; ++step) {
      const auto found = contacts.find(*scene);
      std::vector<SceneContact> list(found.begin(), found.end());
      for (SceneContact& contact : list) contact.material.friction = std::numeric_limits<double>::infinity();
      scene->setContacts(list);
      scene->step(kStep);
    }
    EXPECT_LT(std::abs(bodyOf(*scene, b.scene, box).X_WB.p.x()), 1e-4) << name;
    EXPECT_NEAR(contactForceOn(*scene, box).x(), -5, 0.05) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(, OdeSettling, testing::Values(std::string("ode")));

}  // namespace
}  // namespace mortise::test
