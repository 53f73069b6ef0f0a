#include <algorithm>

#include "hand_contacts.h"

// Contacts from outside, against closed forms.

namespace mortise::test {
namespace {

class ExternalContacts : public PhysicsTest {
 protected:
  void SetUp() override {
    PhysicsTest::SetUp();
    if (IsSkipped()) return;
    ASSERT_TRUE(physics().capabilities().externalContacts);
  }
  static void makeSoft(SceneBuilder& b, double stiffness, double damping) {
    b.surface.stiffness = 2 * stiffness;  // Two in series.
    b.surface.damping = 2 * damping;
  }
};

TEST_P(ExternalContacts, ForceIsTheWeight) {
  for (const bool soft : {false, true}) {
    SceneBuilder b;
    if (soft) makeSoft(b, 40000, 10000);
    b.addFixed(nullptr);
    const Vector3d size(0.2, 0.3, 0.1);
    const int box = b.addBox(size, 3, {rotationZ(0.3), Vector3d(0.3, 0.1, 0.055)});
    b.finish();
    HandContacts contacts(b.scene);
    contacts.addBox(box, size);
    auto scene = build(b.scene);
    contacts.advance(*scene, 2000);
    Vector3d sum = Vector3d::Zero();
    double minimum = 1e9, maximum = 0;
    for (int i = 0; i < 500; ++i) {
      contacts.step(*scene);
      const Vector3d force = contactForceOn(*scene, box);
      sum += force / 500;
      minimum = std::min(minimum, force.z());
      maximum = std::max(maximum, force.z());
    }
    const double weight = 3 * kGravity;
    EXPECT_NEAR(sum.z(), weight, 1e-3 * weight) << soft;
    EXPECT_LT(sum.head<2>().norm(), 1e-3 * weight) << soft;
    EXPECT_LT(maximum - minimum, 0.01 * weight) << soft;  // It does not come and go.
    const double depth = 0.05 - bodyOf(*scene, b.scene, box).X_WB.p.z();
    EXPECT_NEAR(depth, soft ? weight / (4 * 40000) : 0, soft ? 0.02 * weight / (4 * 40000) : 1e-5) << soft;
  }
}

TEST_P(ExternalContacts, FallWithoutRestitutionEndsOnTheSurface) {
  SceneBuilder b;
  b.addFixed(nullptr);
  const Vector3d size(0.1, 0.1, 0.1);
  const int box = b.addBox(size, 1, RigidTransform::translation({0, 0, 0.35}));
  b.finish();
  HandContacts contacts(b.scene);
  contacts.addBox(box, size);
  auto scene = build(b.scene);
  double deepest = 0;
  for (int i = 0; i < 600; ++i) {
    contacts.step(*scene);
    deepest = std::max(deepest, 0.05 - bodyOf(*scene, b.scene, box).X_WB.p.z());
    ASSERT_TRUE(i < 350 || bodyOf(*scene, b.scene, box).X_WB.p.z() < 0.0512) << "it bounced";
  }
  EXPECT_LT(deepest, 2.5e-3);  // At 2.4 m/s a step is longer than the margin.
  EXPECT_NEAR(bodyOf(*scene, b.scene, box).X_WB.p.z(), 0.05, 2e-5);
}

TEST_P(ExternalContacts, FirstBounceIsTheSquareOfRestitution) {
  for (const bool soft : {false, true})
    for (const double e : {0.5, 0.6, 0.7, 0.8, 0.9})
      for (int phase = 0; phase < 12; ++phase) {
        SceneBuilder b;
        if (soft) makeSoft(b, 80000, 20000);
        b.surface.restitution = e;
        b.addFixed(nullptr);
        const double height = 1 + phase * 4.43e-3 / 12;  // A step's way at the end, in twelve parts.
        const int ball = b.addSphere(0.05, 0.5, {0, 0, 0.05 + height});
        b.finish();
        HandContacts contacts(b.scene);
        contacts.addBall(ball, 0.05);
        auto scene = build(b.scene);
        double highest = 0;
        for (int i = 0, state = 0; i < 1500 && state < 2; ++i) {
          contacts.step(*scene);
          const BodyState body = bodyOf(*scene, b.scene, ball);
          if (state == 0 && body.v_WB.z() > 0) state = 1;
          if (state == 1) highest = std::max(highest, body.X_WB.p.z() - 0.05);
          if (state == 1 && body.v_WB.z() < 0) state = 2;
        }
        const double expected = truth::bounceHeight(e, height);
        EXPECT_NEAR(highest, expected, 0.02 * expected) << "e " << e << ", phase " << phase << soft;
      }
}

TEST_P(ExternalContacts, StackOfTenStandsStill) {
  for (const bool soft : {false, true}) {
    SceneBuilder b;
    if (soft) makeSoft(b, 400000, 100000);
    b.addFixed(nullptr);
    const Vector3d size(0.1, 0.1, 0.1);
    std::vector<int> boxes;
    for (int i = 0; i < 10; ++i)
      boxes.push_back(b.addBox(size, 1, {rotationZ(0.1 * i), Vector3d(0.002 * (i % 3), 0, 0.05 + 0.1002 * i)}));
    b.finish();
    HandContacts contacts(b.scene);
    for (int i = 0; i < 10; ++i)
      if (i == 0)
        contacts.addBox(boxes[0], size);
      else
        contacts.addBox(boxes[i], size, boxes[i - 1], Vector3d::UnitZ(), Vector3d(0, 0, 0.05));
    auto scene = build(b.scene);
    contacts.advance(*scene, 1000);
    const auto early = bodiesOf(*scene, b.scene.bodies.size());
    contacts.advance(*scene, 8500);
    std::vector<double> carried(10, 0.0);
    for (int i = 0; i < 500; ++i) {
      contacts.step(*scene);
      for (const ContactForce& c : scene->contacts()) carried[c.idB - 1] += -c.force.z() / 500;  // On the lower one.
    }
    const auto late = bodiesOf(*scene, b.scene.bodies.size());
    for (int i = 0; i < 10; ++i) {
      const Vector3d drift = late[boxes[i]].X_WB.p - early[boxes[i]].X_WB.p;
      EXPECT_LT(drift.head<2>().norm(), 2e-3) << i << soft;
      EXPECT_NEAR(late[boxes[i]].X_WB.p.z(), 0.05 + 0.1 * i, 1e-3) << i << soft;
      EXPECT_NEAR(carried[i], (10 - i) * kGravity, 0.02 * (10 - i) * kGravity) << i << soft;
    }
  }
}

TEST_P(ExternalContacts, StandingRobotWeighsWhatItWeighs) {
  // A torso on two legs of three joints each, held by stiff drives; two feet on the ground.
  SceneBuilder b;
  b.addFixed(nullptr);
  const Vector3d torsoSize(0.2, 0.4, 0.5), legSize(0.08, 0.08, 0.3), footSize(0.25, 0.12, 0.04);
  const int torso =
      b.addBody(nullptr, RigidTransform::translation({0, 0, 0.945}), {30, Vector3d::Zero(), boxInertia(30, torsoSize)});
  double mass = 30;
  HandContacts contacts(b.scene);
  std::vector<int> feet;
  for (const double side : {0.12, -0.12}) {
    int parent = torso;
    double z = 0.695;
    for (int i = 0; i < 3; ++i) {
      const bool foot = i == 2;
      const Vector3d size = foot ? footSize : legSize;
      const int link = b.addBody(nullptr, RigidTransform::translation({0, side, foot ? 0.035 : z - 0.15}),
                                 {foot ? 1.0 : 4.0, Vector3d::Zero(), boxInertia(foot ? 1.0 : 4.0, size)});
      mass += foot ? 1 : 4;
      b.addJoint(SceneJoint::Type::revolute, parent, link, Vector3d::UnitY());
      parent = link;
      z -= 0.3;
    }
    contacts.addBox(parent, footSize);
    feet.push_back(parent);
  }
  b.finish();
  // Shift feet down so that they stand: soles at z = 0.015 fall by as much.
  auto scene = build(b.scene);
  std::vector<JointDrive> drives(6);
  for (JointDrive& d : drives) {
    d.stiffness = 3000;
    d.damping = 150;
    d.dryFriction = 0.5;
    d.minEffort = -300;
    d.maxEffort = 300;
  }
  scene->setJointDrives(drives);
  contacts.advance(*scene, 3000);
  Vector3d sum = Vector3d::Zero();
  double worst = 0;
  const double weight = mass * kGravity;
  for (int i = 0; i < 500; ++i) {
    contacts.step(*scene);
    Vector3d force = Vector3d::Zero();
    for (const int foot : feet) force += contactForceOn(*scene, foot);
    sum += force / 500;
    worst = std::max(worst, std::abs(force.z() - weight));
  }
  EXPECT_NEAR(sum.z(), weight, 0.02 * weight);
  EXPECT_LT(sum.head<2>().norm(), 0.02 * weight);
  EXPECT_LT(worst, 0.2 * weight);
  EXPECT_GT(bodyOf(*scene, b.scene, torso).X_WB.R(2, 2), 0.999);  // It stands.
}

TEST_P(ExternalContacts, ReportsKeysGapsAndForces) {
  SceneBuilder b;
  b.addFixed(nullptr);
  const int ball = b.addSphere(0.1, 2, {0, 0, 0.1});
  const int above = b.addSphere(0.1, 2, {1, 0, 0.1007});
  b.finish();
  HandContacts contacts(b.scene);
  contacts.addBall(ball, 0.1);
  contacts.addBall(above, 0.1);
  auto scene = build(b.scene);
  contacts.step(*scene);
  ASSERT_EQ(scene->contacts().size(), 2u);
  const ContactForce &touching = scene->contacts()[0], &apart = scene->contacts()[1];
  EXPECT_EQ(touching.key, 9u);
  EXPECT_EQ(apart.key, 17u);
  EXPECT_NEAR(touching.depth, 0, 1e-9);
  EXPECT_NEAR(apart.depth, -7e-4, 1e-9);
  EXPECT_NEAR(touching.force.z(), -2 * kGravity, 1e-2 * kGravity);  // On A, the ground.
  EXPECT_EQ(apart.force.norm(), 0);
  // They hold for one step: without contacts the ball falls.
  scene->step(kStep);
  EXPECT_TRUE(scene->contacts().empty());
  EXPECT_NEAR(bodyOf(*scene, b.scene, ball).v_WB.z(), -kGravity * kStep, 5e-5);
}

TEST_P(ExternalContacts, BadContactsAreRefused) {
  SceneBuilder b;
  b.addFixed(nullptr);
  b.addSphere(0.1, 2, {0, 0, 0.1});
  b.finish();
  auto own = build(b.scene);
  SceneContact good;
  good.bodyA = good.idA = 0;
  good.bodyB = good.idB = 1;
  if (physics().capabilities().ownContacts) {
    EXPECT_THROW(own->setContacts(std::span(&good, 1)), Error) << "this one finds its own";
  }
  HandContacts contacts(b.scene);
  auto scene = build(b.scene);
  scene->setContacts(std::span(&good, 1));
  SceneContact bad = good;
  bad.bodyB = 7;
  EXPECT_THROW(scene->setContacts(std::span(&bad, 1)), Error);
  bad = good;
  bad.bodyB = 0;
  EXPECT_THROW(scene->setContacts(std::span(&bad, 1)), Error);
  bad = good;
  bad.gap = std::nan("");
  EXPECT_THROW(scene->setContacts(std::span(&bad, 1)), Error);
  bad = good;
  bad.point.x() = std::numeric_limits<double>::infinity();
  EXPECT_THROW(scene->setContacts(std::span(&bad, 1)), Error);
  scene->step(kStep);
}

TEST_P(ExternalContacts, SnapshotsContinue) {
  ASSERT_EQ(physics().capabilities().restore, PhysicsCapabilities::Restore::bitwise);
  SceneBuilder b;
  b.surface.restitution = 0.3;
  b.addFixed(nullptr);
  const Vector3d size(0.1, 0.12, 0.1);
  HandContacts contacts(b.scene);
  int below = 0;
  for (int i = 0; i < 4; ++i) {
    const int box = b.addBox(size, 1, {rotationZ(0.2 * i), Vector3d(0.01 * i, 0, 0.06 + 0.11 * i)});
    contacts.addBox(box, size, below, Vector3d::UnitZ(), below ? Vector3d(0, 0, 0.05) : Vector3d::Zero());
    below = box;
  }
  b.finish();
  auto scene = build(b.scene);
  contacts.advance(*scene, 150);
  ByteWriter middle;
  scene->save(middle);
  contacts.advance(*scene, 100);
  ByteWriter end;
  scene->save(end);
  const auto reference = bodiesOf(*scene, b.scene.bodies.size());
  auto fresh = build(b.scene);
  for (Scene* again : {scene.get(), fresh.get()}) {
    ByteReader in(middle.bytes());
    again->restore(in);
    EXPECT_TRUE(in.atEnd());
    contacts.advance(*again, 100);
    ByteWriter out;
    again->save(out);
    EXPECT_EQ(out.bytes(), end.bytes());
    const auto bodies = bodiesOf(*again, b.scene.bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
      EXPECT_LT((bodies[i].X_WB.p - reference[i].X_WB.p).norm(), 2e-3) << i;
  }
}

TEST_P(ExternalContacts, KinematicBodyCarries) {
  // A box on a conveyor that moves under it takes on its speed, and stays on the one that rises.
  SceneBuilder b;
  b.addFixed(nullptr);
  const int belt = b.addBox({2, 1, 0.1}, 1, {});
  b.scene.bodies[belt].motion = BodyMotion::kinematic;
  b.scene.bodies[belt].v_WB = Vector3d(0.3, 0, 0.1);
  const Vector3d size(0.1, 0.1, 0.1);
  const int box = b.addBox(size, 1, RigidTransform::translation({0, 0, 0.1}));
  b.finish();
  HandContacts contacts(b.scene);
  contacts.addBox(box, size, belt, Vector3d::UnitZ(), Vector3d(0, 0, 0.05));
  auto scene = build(b.scene);
  contacts.advance(*scene, 1000);
  const auto bodies = bodiesOf(*scene, b.scene.bodies.size());
  EXPECT_NEAR(bodies[belt].X_WB.p.x(), 0.3, 1e-9);
  EXPECT_NEAR(bodies[box].v_WB.x(), 0.3, 1e-3);
  EXPECT_NEAR(bodies[box].X_WB.p.z(), 0.2, 1e-3);
}

MORTISE_FOR_EACH_BACKEND(ExternalContacts);

}  // namespace
}  // namespace mortise::test
