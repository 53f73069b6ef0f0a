/// The Bullet backend on contacts made by hand: boxes and balls over a plane and over each other.

#include <array>
#include <functional>

#include "tests/plugins/physics/allocation_count.h"
#include "tests/plugins/physics/scenes.h"

namespace mortise::test {
namespace {

constexpr double kMargin = 1e-3;

/// Corners of boxes against the half space z < 0 of frame G, and against the top face of another box.
class ContactMaker {
 public:
  explicit ContactMaker(const SceneDescription& scene) : scene_(scene) {}

  void start(const Scene& scene) {
    states_ = bodiesOf(scene, scene_.bodies.size());
    contacts.clear();
  }
  void boxOnPlane(int ground, int box, const Vector3d& size, const Matrix3d& R_WG = Matrix3d::Identity()) {
    for (int i = 0; i < 8; ++i) {
      const Vector3d p = states_[box].X_WB * corner(i, size);
      add(ground, box, i, p, R_WG.col(2), p.dot(R_WG.col(2)));
    }
  }
  void boxOnBox(int lower, int upper, const Vector3d& lowerSize, const Vector3d& upperSize) {
    const RigidTransform& X_WL = states_[lower].X_WB;
    for (int i = 0; i < 8; ++i) {
      const Vector3d p = states_[upper].X_WB * corner(i, upperSize);
      const Vector3d inLower = X_WL.inverse() * p;
      if ((inLower.head<2>().cwiseAbs() - 0.5 * lowerSize.head<2>()).maxCoeff() > 0.01) continue;
      add(lower, upper, i, p, X_WL.R.col(2), inLower.z() - 0.5 * lowerSize.z());
    }
  }
  void ballOnPlane(int ground, int ball, double radius) {
    const Vector3d p = states_[ball].X_WB.p;
    add(ground, ball, 0, Vector3d(p.x(), p.y(), 0), Vector3d::UnitZ(), p.z() - radius);
  }

  std::vector<SceneContact> contacts;

 private:
  static Vector3d corner(int i, const Vector3d& size) {
    return 0.5 * Vector3d((i & 1 ? 1 : -1) * size.x(), (i & 2 ? 1 : -1) * size.y(), (i & 4 ? 1 : -1) * size.z());
  }
  /// `up` points from `below` to `above`, where the ids ascend.
  void add(int below, int above, int index, const Vector3d& point, const Vector3d& up, double gap) {
    if (gap > kMargin || gap < -0.04) return;
    SceneContact contact;
    contact.key = static_cast<std::uint64_t>(above) * 8 + index;
    contact.bodyA = contact.idA = below;
    contact.bodyB = contact.idB = above;
    contact.point = point - 0.5 * gap * up;
    contact.normal = -up;
    contact.gap = gap;
    contact.material = scene_.material(below, above);
    contacts.push_back(contact);
  }

  const SceneDescription& scene_;
  std::vector<BodyState> states_;
};

class BulletExternal : public PhysicsTest {
 protected:
  /// Steps with contacts that `make` finds.
  using Make = std::function<void(ContactMaker&)>;
  static void run(Scene& scene, ContactMaker& maker, const Make& make, int steps) {
    for (int i = 0; i < steps; ++i) {
      maker.start(scene);
      make(maker);
      scene.setContacts(maker.contacts);
      scene.step(kStep);
    }
  }
  static SceneBuilder ground() {
    SceneBuilder b;
    b.scene.contactSource = ContactSource::external;
    b.addFixed(nullptr);
    return b;
  }
};

const Vector3d kBox(0.2, 0.2, 0.1);

TEST_P(BulletExternal, BlockSlipsAtTheFrictionAngle) {
  for (const double yaw : {0.0, 0.3, std::numbers::pi / 4})
    for (const double ratio : {0.99, 1.01}) {
      SceneBuilder b = ground();
      const double angle = std::atan(ratio * 0.5);
      const Matrix3d R_WG = rotationY(angle);
      const int box = b.addBox(kBox, 1, {R_WG * rotationZ(yaw), R_WG * Vector3d(0, 0, 0.05)});
      b.finish();
      auto scene = build(b.scene);
      ContactMaker maker(b.scene);
      run(
          *scene, maker, [&](ContactMaker& m) { m.boxOnPlane(0, box, kBox, R_WG); }, 1000);
      const Vector3d slid = R_WG.transpose() * bodyOf(*scene, b.scene, box).X_WB.p - Vector3d(0, 0, 0.05);
      if (ratio < 1) {
        EXPECT_LT(slid.norm(), 1e-5) << yaw;
      } else {
        const double expected = 0.5 * kGravity * (std::sin(angle) - 0.5 * std::cos(angle));
        EXPECT_NEAR(slid.x(), expected, 0.02 * expected) << yaw;
        EXPECT_LT(std::abs(slid.y()), 0.01 * expected) << yaw;
      }
    }
}

TEST_P(BulletExternal, SlidingDistanceInEightDirections) {
  for (int k = 0; k < 8; ++k) {
    SceneBuilder b = ground();
    const Vector3d size(0.2, 0.2, 0.04);
    const int box = b.addBox(size, 1, RigidTransform::translation({0, 0, 0.02}));
    const double direction = k * std::numbers::pi / 4 + 0.1;
    const Vector3d v(2 * std::cos(direction), 2 * std::sin(direction), 0);
    b.scene.bodies[box].v_WB = v;
    b.finish();
    auto scene = build(b.scene);
    ContactMaker maker(b.scene);
    run(
        *scene, maker, [&](ContactMaker& m) { m.boxOnPlane(0, box, size); }, 800);
    const double distance = 4 / (2 * 0.5 * kGravity);
    const Vector3d end = bodyOf(*scene, b.scene, box).X_WB.p;
    EXPECT_LT((end.head<2>() - 0.5 * distance * v.head<2>()).norm(), 0.01 * distance) << k;
    EXPECT_EQ(bodyOf(*scene, b.scene, box).v_WB.norm() < 1e-6, true);
  }
}

TEST_P(BulletExternal, FirstBounceDoesNotDependOnThePhase) {
  for (const bool soft : {false, true})
    for (const double e : {0.5, 0.6, 0.7, 0.8, 0.9})
      for (int phase = 0; phase < 12; ++phase) {
        SceneBuilder b;
        b.surface.restitution = e;
        if (soft) {
          b.surface.stiffness = 2e5;
          b.surface.damping = 100;
        }
        b.scene.contactSource = ContactSource::external;
        b.addFixed(nullptr);
        const double height = 0.5 + 0.002 * phase / 12;
        const int ball = b.addSphere(0.05, 0.5, {0, 0, 0.05 + height});
        b.finish();
        auto scene = build(b.scene);
        ContactMaker maker(b.scene);
        double highest = 0;
        bool up = false;
        for (int i = 0; i < 900; ++i) {
          run(
              *scene, maker, [&](ContactMaker& m) { m.ballOnPlane(0, ball, 0.05); }, 1);
          const BodyState state = bodyOf(*scene, b.scene, ball);
          up = up || state.v_WB.z() > 0.1;
          if (up) highest = std::max(highest, state.X_WB.p.z() - 0.05);
          if (up && state.v_WB.z() < 0) break;
        }
        EXPECT_NEAR(highest, e * e * height, 0.004 * e * e * height) << "e " << e << ", phase " << phase << soft;
      }
}

TEST_P(BulletExternal, FallingBoxComesToRestAndIsCarried) {
  SceneBuilder b = ground();
  const int box = b.addBox(kBox, 2, {rotationAbout({1, 2, 0.3}, 0.2), Vector3d(0, 0, 0.2)});
  b.finish();
  auto scene = build(b.scene);
  ContactMaker maker(b.scene);
  const Make make = [&](ContactMaker& m) { m.boxOnPlane(0, box, kBox); };
  run(*scene, maker, make, 2000);
  double least = 1e9, most = 0;
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < 500; ++i) {
    run(*scene, maker, make, 1);
    const Vector3d force = contactForceOn(*scene, box);
    sum += force / 500;
    least = std::min(least, force.z());
    most = std::max(most, force.z());
  }
  EXPECT_NEAR(sum.z(), 2 * kGravity, 1e-3 * 2 * kGravity);
  EXPECT_LT(most - least, 1e-3 * 2 * kGravity);
  EXPECT_NEAR(bodyOf(*scene, b.scene, box).X_WB.p.z(), 0.05, 1e-4);
}

TEST_P(BulletExternal, TenBoxesStandTenSeconds) {
  SceneBuilder b = ground();
  const Vector3d size(0.1, 0.1, 0.1);
  for (int i = 0; i < 10; ++i)
    b.addBox(size, 1, RigidTransform::translation({0.001 * (i % 3), 0.001 * (i % 2), 0.05 + 0.1 * i + 2e-4 * (i + 1)}));
  b.finish();
  auto scene = build(b.scene);
  ContactMaker maker(b.scene);
  const Make make = [&](ContactMaker& m) {
    m.boxOnPlane(0, 1, size);
    for (int i = 1; i < 10; ++i) m.boxOnBox(i, i + 1, size, size);
  };
  run(*scene, maker, make, 1000);
  const auto before = bodiesOf(*scene, 11);
  double worst = 0;
  Vector3d mean = Vector3d::Zero();
  for (int i = 0; i < 9000; ++i) {
    run(*scene, maker, make, 1);
    const Vector3d force = contactForceOn(*scene, 0);
    mean += force / 9000;
    worst = std::max(worst, std::abs(-force.z() / (10 * kGravity) - 1));
  }
  EXPECT_NEAR(mean.z(), -10 * kGravity, 1e-3 * 10 * kGravity);
  EXPECT_LT(worst, 0.02);
  const auto after = bodiesOf(*scene, 11);
  for (int i = 1; i <= 10; ++i) {
    EXPECT_LT((after[i].X_WB.p - before[i].X_WB.p).head<2>().norm(), 1e-4) << i;
    EXPECT_NEAR(after[i].X_WB.p.z(), 0.1 * i - 0.05, 5e-4) << i;
  }
}

TEST_P(BulletExternal, SoftGroundSinksAsSpringsDo) {
  // Stiffness and damping for each point: 4 springs carry the box.
  SceneBuilder b;
  b.scene.contactSource = ContactSource::external;
  b.surface.stiffness = 2 * 2e4;
  b.surface.damping = 2 * 5e2;
  b.addFixed(nullptr);
  const int box = b.addBox(kBox, 20, RigidTransform::translation({0, 0, 0.0501}));
  b.finish();
  auto scene = build(b.scene);
  ContactMaker maker(b.scene);
  const Make make = [&](ContactMaker& m) { m.boxOnPlane(0, box, kBox); };
  run(*scene, maker, make, 2000);
  const double sink = 20 * kGravity / (4 * 2e4);
  EXPECT_NEAR(0.05 - bodyOf(*scene, b.scene, box).X_WB.p.z(), sink, 1e-3 * sink);
}

/// A robot that stands on two feet of four corners each, every joint driven.
class BulletRobots : public BulletExternal {
 protected:
  static constexpr int kLinks = 6;  ///< Of each leg.
  SceneBuilder biped() {
    SceneBuilder b = ground();
    b.scene.filter = CollisionFilter();
    torso_ = b.addBox({0.2, 0.4, 0.3}, 20, RigidTransform::translation({0, 0, 0.85}));
    for (int leg = 0; leg < 2; ++leg) {
      int parent = torso_;
      for (int i = 0; i < kLinks; ++i) {
        const bool foot = i == kLinks - 1;
        const Vector3d size = foot ? kFoot : Vector3d(0.08, 0.08, 0.13);
        const double z = foot ? 0.5 * kFoot.z() : 0.7 - 0.13 * (i + 0.5);
        const int link = b.addBox(size, foot ? 1 : 2, RigidTransform::translation({0, leg == 0 ? 0.1 : -0.1, z}));
        const Vector3d axes[] = {Vector3d::UnitZ(), Vector3d::UnitX(), Vector3d::UnitY(),
                                 Vector3d::UnitY(), Vector3d::UnitY(), Vector3d::UnitX()};
        b.addJoint(SceneJoint::Type::revolute, parent, link, axes[i]);
        parent = link;
      }
      feet_[leg] = parent;
    }
    b.finish();
    mass_ = 20 + 2 * (5 * 2 + 1);
    return b;
  }
  std::vector<JointDrive> drives(const SceneDescription& scene) const {
    std::vector<JointDrive> out(scene.joints.size());
    for (JointDrive& drive : out) {
      drive.stiffness = 3000;
      drive.damping = 60;
      drive.dryFriction = 0.2;
      drive.maxEffort = 200;
      drive.minEffort = -200;
    }
    return out;
  }
  Make standing() {
    return [this](ContactMaker& m) {
      for (const int foot : feet_) m.boxOnPlane(0, foot, kFoot);
    };
  }
  void expectCarried();
  void expectBitwise();

  const Vector3d kFoot{0.24, 0.1, 0.05};
  int torso_ = -1;
  std::array<int, 2> feet_{};
  double mass_ = 0;
};

void BulletRobots::expectCarried() {
  SceneBuilder b = biped();
  auto scene = build(b.scene);
  scene->setJointDrives(drives(b.scene));
  ContactMaker maker(b.scene);
  run(*scene, maker, standing(), 3000);
  double least = 1e9, most = 0;
  Vector3d mean = Vector3d::Zero();
  for (int i = 0; i < 1000; ++i) {
    run(*scene, maker, standing(), 1);
    const Vector3d force = -contactForceOn(*scene, 0);
    mean += force / 1000;
    least = std::min(least, force.z());
    most = std::max(most, force.z());
  }
  EXPECT_NEAR(mean.z(), mass_ * kGravity, 2e-3 * mass_ * kGravity);
  EXPECT_LT(mean.head<2>().norm(), 2e-3 * mass_ * kGravity);
  EXPECT_LT(most - least, 0.02 * mass_ * kGravity);
  EXPECT_NEAR(bodyOf(*scene, b.scene, torso_).X_WB.p.z(), 0.85, 5e-3);
  EXPECT_GT(bodyOf(*scene, b.scene, torso_).X_WB.R(2, 2), 0.999);
}

void BulletRobots::expectBitwise() {
  SceneBuilder b = biped();
  const int box = b.addBox(kBox, 1, {rotationAbout({1, 1, 0}, 0.3), Vector3d(1, 0, 0.15)});
  const int door = b.addBox({0.1, 0.4, 0.4}, 1, RigidTransform::translation({2, 0.2, 1}));
  SceneConstraint hinge;
  hinge.type = SceneConstraint::Type::hinge;
  hinge.a = door;
  hinge.point = Vector3d(2, 0, 1);
  hinge.axis = Vector3d(0.5, 0, 1);
  hinge.friction = 0.1;
  hinge.lower = -0.5;
  b.scene.constraints = {hinge};
  b.finish();
  const auto snapshot = [](const Scene& scene) {
    ByteWriter out;
    scene.save(out);
    return out.bytes();
  };
  ContactMaker maker(b.scene);
  const Make make = [&](ContactMaker& m) {
    standing()(m);
    m.boxOnPlane(0, box, kBox);
  };
  auto scene = build(b.scene);
  scene->setJointDrives(drives(b.scene));
  run(*scene, maker, make, 300);
  scene->setBodyMotion(box, BodyMotion::kinematic);
  run(*scene, maker, make, 30);
  scene->setBodyMotion(box, BodyMotion::dynamic);
  scene->applyWrench(torso_, Vector3d(30, 0, 0), Vector3d(0, 0, 5), Vector3d(0, 0.2, 1));
  maker.start(*scene);
  make(maker);
  scene->setContacts(maker.contacts);  // Pending ones are part of the state.
  const auto middle = snapshot(*scene);
  scene->step(kStep);
  run(*scene, maker, make, 1200);
  const auto end = snapshot(*scene);
  auto fresh = build(b.scene);
  for (Scene* again : {scene.get(), fresh.get()}) {
    ByteReader in(middle);
    again->restore(in);
    EXPECT_TRUE(in.atEnd());
    EXPECT_TRUE(snapshot(*again) == middle);
    again->step(kStep);
    run(*again, maker, make, 600);
    // Back and forth on the way, as an adaptive step does.
    const auto here = snapshot(*again);
    run(*again, maker, make, 7);
    ByteReader back(here);
    again->restore(back);
    run(*again, maker, make, 600);
    EXPECT_TRUE(snapshot(*again) == end);
  }
}

TEST_P(BulletRobots, StandingRobotIsCarried) { expectCarried(); }
TEST_P(BulletRobots, SnapshotsContinueBitForBit) { expectBitwise(); }

/// The same robot of rigid bodies.
class BulletMaximal : public BulletRobots {
 protected:
  void SetUp() override {
    BulletRobots::SetUp();
    if (IsSkipped()) return;
    Value settings = Value::map();
    settings.set("articulation", "maximal");
    physics_ = make(settings);
  }
};

TEST_P(BulletMaximal, StandingRobotIsCarried) { expectCarried(); }
TEST_P(BulletMaximal, SnapshotsContinueBitForBit) { expectBitwise(); }

TEST_P(BulletMaximal, DrivesAndStopsAreThoseOfReducedRobots) {
  // An arm of three links whose drives saturate, stick and meet stops.
  SceneBuilder b = ground();
  int parent = -1;
  for (int i = 0; i < 3; ++i) {
    const int link = b.addBody(nullptr, RigidTransform::translation({0.3 * i, 0, 1}),
                               {1, Vector3d(0.15, 0, 0), boxInertia(1, {0.3, 0.05, 0.05})});
    b.addJoint(SceneJoint::Type::revolute, parent, link, i == 1 ? Vector3d(0, 1, 1) : Vector3d(0, 1, 0));
    b.scene.joints[i].upper = i == 0 ? 0.5 : 10;
    parent = link;
  }
  b.finish();
  std::vector<JointDrive> drives(3);
  for (int i = 0; i < 3; ++i) {
    drives[i].stiffness = 200;
    drives[i].damping = 5;
    drives[i].target = -0.3;
    drives[i].minEffort = -4;
    drives[i].maxEffort = 4;
    drives[i].dryFriction = i == 2 ? 2 : 0.1;
    drives[i].viscousFriction = 0.2;
  }
  auto maximal = build(b.scene);
  auto reduced = make(Value::map())->build(b.scene);
  for (Scene* scene : {maximal.get(), reduced.get()}) scene->setJointDrives(drives);
  maximal->setJointState(1, 0.1, 0.5);
  reduced->setJointState(1, 0.1, 0.5);
  for (int i = 0; i < 1000; ++i) {
    maximal->step(kStep);
    reduced->step(kStep);
    for (int j = 0; j < 3; ++j) {
      const JointState x = jointOf(*maximal, b.scene, j), y = jointOf(*reduced, b.scene, j);
      ASSERT_NEAR(x.position, y.position, 5e-3) << i << ", joint " << j;
    }
  }
  EXPECT_NEAR(jointOf(*maximal, b.scene, 0).position, 0.5, 1e-3);
  for (int j = 0; j < 3; ++j) {
    const JointState x = jointOf(*maximal, b.scene, j), y = jointOf(*reduced, b.scene, j);
    EXPECT_NEAR(x.stop, y.stop, 0.15) << j;  // What dry friction holds beside a stop is left open.
    EXPECT_NEAR(x.effort, y.effort, 0.05) << j;
  }
}

TEST_P(BulletRobots, FlyingRobotKeepsItsMomentum) {
  SceneBuilder b = biped();
  b.scene.gravity.setZero();
  b.scene.bodies[torso_].v_WB = Vector3d(0.3, -0.2, 0.1);
  b.scene.bodies[torso_].w_WB = Vector3d(1, 2, 0.5);
  auto scene = build(b.scene);
  auto given = drives(b.scene);
  for (std::size_t i = 0; i < given.size(); ++i) given[i].target = i % 2 == 0 ? 0.4 : -0.3;
  scene->setJointDrives(given);
  const auto momentum = [&] {
    Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
    const auto bodies = bodiesOf(*scene, b.scene.bodies.size());
    for (std::size_t i = 1; i < bodies.size(); ++i) {
      const BodyInertia& inertia = b.scene.bodies[i].inertia;
      const Matrix3d& R = bodies[i].X_WB.R;
      const Vector3d p = inertia.mass * bodies[i].v_WB;
      sum.head<3>() += p;
      sum.tail<3>() += bodies[i].X_WB.p.cross(p) + R * inertia.inertia * R.transpose() * bodies[i].w_WB;
    }
    return sum;
  };
  const auto before = momentum();
  for (int i = 0; i < 5000; ++i) {
    scene->setContacts({});
    scene->step(kStep);
  }
  const auto after = momentum();
  EXPECT_LT((after - before).head<3>().norm(), 1e-9 * before.head<3>().norm());
  EXPECT_LT((after - before).tail<3>().norm(), 1e-9 * before.tail<3>().norm());
  EXPECT_GT(std::abs(jointOf(*scene, b.scene, 2).position), 0.1);  // It has moved its legs.
}

TEST_P(BulletRobots, StepsWithoutAllocatingOnceWarm) {
  SceneBuilder b = biped();
  auto scene = build(b.scene);
  const auto given = drives(b.scene);
  scene->setJointDrives(given);
  ContactMaker maker(b.scene);
  run(*scene, maker, standing(), 500);
  maker.start(*scene);
  standing()(maker);
  std::vector<BodyState> bodies(b.scene.bodies.size());
  std::vector<JointState> joints(b.scene.joints.size());
  const auto step = [&] {
    scene->setJointDrives(given);
    scene->applyWrench(torso_, Vector3d(1, 0, 0), Vector3d::Zero(), Vector3d::Zero());
    scene->setContacts(maker.contacts);
    scene->step(kStep);
    scene->readBodies(bodies);
    scene->readJoints(joints);
    ASSERT_EQ(scene->contacts().size(), maker.contacts.size());
  };
  for (int i = 0; i < 10; ++i) step();
  const long before = allocationCount();
  for (int i = 0; i < 100; ++i) step();
  EXPECT_EQ(allocationCount() - before, 0);
}

TEST_P(BulletRobots, LinksOfOneRobotPushEachOther) {
  // A gripper closes on itself: what one finger gets the other gives, so the base of a free robot stays in place.
  SceneBuilder b;
  b.scene.contactSource = ContactSource::external;
  b.scene.gravity.setZero();
  const int palm = b.addBox({0.1, 0.3, 0.1}, 1, {});
  int fingers[2];
  for (int i = 0; i < 2; ++i) {
    fingers[i] = b.addBox({0.1, 0.02, 0.1}, 0.1, RigidTransform::translation({0.1, i == 0 ? -0.05 : 0.05, 0}));
    b.addJoint(SceneJoint::Type::prismatic, palm, fingers[i], Vector3d::UnitY());
  }
  b.finish();
  auto scene = build(b.scene);
  std::vector<JointDrive> drives(2);
  for (int i = 0; i < 2; ++i) {
    drives[i].feedforward = i == 0 ? 5 : -5;
    drives[i].dryFriction = 0.5;
  }
  scene->setJointDrives(drives);
  for (int i = 0; i < 1000; ++i) {
    const auto bodies = bodiesOf(*scene, 3);
    const double gap = bodies[fingers[1]].X_WB.p.y() - bodies[fingers[0]].X_WB.p.y() - 0.02;
    std::vector<SceneContact> contacts;
    if (gap < kMargin) {
      SceneContact contact;
      contact.bodyA = contact.idA = fingers[0];
      contact.bodyB = contact.idB = fingers[1];
      contact.point = 0.5 * (bodies[fingers[0]].X_WB.p + bodies[fingers[1]].X_WB.p);
      contact.normal = -Vector3d::UnitY();
      contact.gap = gap;
      contacts.push_back(contact);
    }
    scene->setContacts(contacts);
    scene->step(kStep);
  }
  const auto bodies = bodiesOf(*scene, 3);
  EXPECT_NEAR(bodies[fingers[1]].X_WB.p.y() - bodies[fingers[0]].X_WB.p.y(), 0.02, 1e-4);
  EXPECT_LT(bodies[palm].X_WB.p.norm(), 1e-6);
  ASSERT_EQ(scene->contacts().size(), 1u);
  EXPECT_NEAR(scene->contacts()[0].force.y(), -5, 0.5 + 1e-6);  // The drive, give or take what friction holds.
  EXPECT_EQ(scene->contacts()[0].bodyA, fingers[0]);
}

TEST_P(BulletRobots, StopTellsTheWeightsMoment) {
  SceneBuilder b = ground();
  const int link = b.addBody(nullptr, RigidTransform::translation({0, 0, 1}),
                             {2, Vector3d(0.3, 0, 0), boxInertia(2, {0.6, 0.1, 0.1})});
  b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d::UnitY());  // Falls towards positive angles.
  b.scene.joints[0].upper = 0.4;
  b.finish();
  auto scene = build(b.scene);
  advance(*scene, 2000);
  const double moment = 2 * kGravity * 0.3 * std::cos(0.4);
  EXPECT_NEAR(jointOf(*scene, b.scene, 0).stop, -moment, 1e-3 * moment);
  EXPECT_NEAR(jointOf(*scene, b.scene, 0).effort, 0, 1e-9);
}

TEST_P(BulletRobots, WorldJointsAtLinksHaveLimitsAndFriction) {
  for (const bool brakes : {true, false}) {
    SceneBuilder b = ground();
    const int arm = b.addBody(nullptr, RigidTransform::translation({0, 0, 1}),
                              {2, Vector3d(0.2, 0, 0), boxInertia(2, {0.4, 0.1, 0.1})});
    b.addJoint(SceneJoint::Type::revolute, -1, arm, Vector3d::UnitY());
    b.scene.joints[0].lower = -0.01;
    b.scene.joints[0].upper = 0;  // It lies on its stop from the start: no jolt.
    // A box hangs on the end of the arm by a hinge 0.1 m beside its middle.
    const int box = b.addBox({0.1, 0.1, 0.1}, 1, RigidTransform::translation({0.5, 0, 1}));
    SceneConstraint hinge;
    hinge.type = SceneConstraint::Type::hinge;
    hinge.a = box;
    hinge.b = arm;
    hinge.point = Vector3d(0.4, 0, 1);
    hinge.axis = Vector3d::UnitY();
    hinge.friction = brakes ? 1.2 : 0.2;  // The weight's moment is 0.98 N m.
    hinge.upper = 0.3;
    b.scene.constraints = {hinge};
    b.finish();
    auto scene = build(b.scene);
    advance(*scene, 2000);
    JointState state;
    scene->readConstraints({&state, 1});
    if (brakes) {
      EXPECT_NEAR(state.position, 0, 1e-3);
      EXPECT_NEAR(state.effort, -0.98, 0.01);
      EXPECT_EQ(state.stop, 0);
    } else {
      EXPECT_NEAR(state.position, 0.3, 2e-3);
      EXPECT_NEAR(state.stop + state.effort, -0.98 * std::cos(0.3), 0.01);
    }
    // The arm's stop carries both, the hinge's reaction included.
    EXPECT_NEAR(jointOf(*scene, b.scene, 0).stop, -kGravity * (2 * 0.2 + 0.4 + 0.1 * std::cos(brakes ? 0.0 : 0.3)),
                0.1);
    const Vector3d pin = bodyOf(*scene, b.scene, box).X_WB * Vector3d(-0.1, 0, 0);
    EXPECT_LT((pin - bodyOf(*scene, b.scene, arm).X_WB * Vector3d(0.4, 0, 0)).norm(), 1e-4);
  }
}

TEST_P(BulletExternal, KinematicBodyPushesAndBecomesDynamicAgain) {
  SceneBuilder b = ground();
  const int pusher = b.addBox(kBox, 1, RigidTransform::translation({-0.201, 0, 0.3}));
  b.scene.bodies[pusher].motion = BodyMotion::kinematic;
  b.scene.bodies[pusher].v_WB = Vector3d(0.2, 0, 0);
  const int box = b.addBox(kBox, 1, RigidTransform::translation({0, 0, 0.05}));
  b.finish();
  auto scene = build(b.scene);
  ContactMaker maker(b.scene);
  const auto side = [&](ContactMaker& m) {
    m.boxOnPlane(0, box, kBox);
    const auto bodies = bodiesOf(*scene, 3);
    SceneContact contact;
    contact.key = 1000;
    contact.bodyA = contact.idA = pusher;
    contact.bodyB = contact.idB = box;
    contact.point = bodies[box].X_WB.p - Vector3d(0.1, 0, 0);
    contact.normal = -Vector3d::UnitX();
    contact.gap = bodies[box].X_WB.p.x() - bodies[pusher].X_WB.p.x() - 0.2;
    contact.material.friction = 0;
    if (contact.gap < kMargin) m.contacts.push_back(contact);
  };
  run(*scene, maker, side, 1000);
  EXPECT_NEAR(bodyOf(*scene, b.scene, pusher).X_WB.p.x(), -0.001, 1e-9);
  EXPECT_NEAR(bodyOf(*scene, b.scene, pusher).X_WB.p.z(), 0.3, 1e-12);
  EXPECT_NEAR(bodyOf(*scene, b.scene, box).X_WB.p.x(), 0.199, 1e-4);
  scene->setBodyMotion(pusher, BodyMotion::dynamic);
  run(
      *scene, maker, [&](ContactMaker& m) { m.boxOnPlane(0, box, kBox); }, 100);
  EXPECT_NEAR(bodyOf(*scene, b.scene, pusher).v_WB.z(), -0.98, 1e-9);
  EXPECT_NEAR(bodyOf(*scene, b.scene, pusher).v_WB.x(), 0.2, 1e-9);
  EXPECT_THROW(scene->setBodyMotion(0, BodyMotion::dynamic), Error);
}

TEST_P(BulletExternal, ContactsThatCannotBeAreRefused) {
  SceneBuilder b = ground();
  b.addBox(kBox, 1, RigidTransform::translation({0, 0, 0.05}));
  b.finish();
  auto scene = build(b.scene);
  SceneContact good;
  good.bodyA = good.idA = 0;
  good.bodyB = good.idB = 1;
  scene->setContacts({&good, 1});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int k = 0; k < 6; ++k) {
    SceneContact bad = good;
    if (k == 0) bad.bodyA = -1;
    if (k == 1) bad.bodyB = 2;
    if (k == 2) bad.bodyB = 0;
    if (k == 3) bad.gap = nan;
    if (k == 4) bad.normal = Vector3d(0, 0, 2);
    if (k == 5) bad.material.friction = -1;
    EXPECT_THROW(scene->setContacts({&bad, 1}), Error) << k;
  }
  b.scene.contactSource = ContactSource::engine;
  EXPECT_THROW(build(b.scene)->setContacts({&good, 1}), Error);
}

TEST_P(BulletExternal, SurfacesWithoutBoundOfFrictionHold) {
  const Matrix3d R = rotationAbout(Vector3d::UnitY(), 1.0);  // 57 degrees
  SceneBuilder b;
  b.surface.friction = std::numeric_limits<double>::infinity();
  b.scene.contactSource = ContactSource::external;
  b.addFixed(nullptr);
  const Vector3d flat(0.2, 0.2, 0.02);
  const int box = b.addBox(flat, 1, RigidTransform{R, 0.01 * R.col(2)});
  b.finish();
  auto scene = build(b.scene);
  ContactMaker maker(b.scene);
  run(
      *scene, maker, [&](ContactMaker& m) { m.boxOnPlane(0, box, flat, R); }, 300);
  EXPECT_LT((bodyOf(*scene, b.scene, box).X_WB.p - 0.01 * R.col(2)).norm(), 1e-4);
}

/// Boxes in a row, joined by hinges, fall on the plane; what they gain from nowhere would be seen at once.
TEST_P(BulletExternal, ChainsThatLandGainNothing) {
  const Vector3d size(0.08, 0.08, 0.02);
  for (const int count : {14, 20}) {
    for (const int iterations : {200, 20}) {  // Also where sweeps are cut off.
      SceneBuilder b = ground();
      for (int i = 0; i < count; ++i) {
        b.addBox(size, 1, RigidTransform::translation({0.1 * i, 0, 1}));
        SceneConstraint hinge;
        hinge.type = SceneConstraint::Type::hinge;
        hinge.a = i + 1;
        hinge.b = i == 0 ? -1 : i;
        hinge.point = Vector3d(0.1 * i - 0.05, 0, 1);
        hinge.axis = Vector3d::UnitY();
        b.scene.constraints.push_back(hinge);
      }
      b.finish();
      Value settings = Value::map();
      settings.set("iterations", iterations);
      auto scene = make(settings)->build(b.scene);
      ContactMaker maker(b.scene);
      const auto energy = [&] {
        double sum = 0;
        for (int i = 1; i <= count; ++i) {
          const BodyState body = bodyOf(*scene, b.scene, i);
          const Matrix3d R = body.X_WB.R;
          sum += 0.5 * body.v_WB.squaredNorm() + kGravity * body.X_WB.p.z() +
                 0.5 * body.w_WB.dot(R * boxInertia(1, size) * R.transpose() * body.w_WB);
        }
        return sum;
      };
      const double start = energy();
      double most = 0, gap = 0;
      for (int step = 0; step < 1200; ++step) {
        run(
            *scene, maker,
            [&](ContactMaker& m) {
              for (int i = 1; i <= count; ++i) m.boxOnPlane(0, i, size);
            },
            1);
        most = std::max(most, energy());
        for (int i = 1; i < count; ++i)
          gap = std::max(gap, (bodyOf(*scene, b.scene, i).X_WB * Vector3d(0.05, 0, 0) -
                               bodyOf(*scene, b.scene, i + 1).X_WB * Vector3d(-0.05, 0, 0))
                                  .norm());
      }
      EXPECT_LT(most, 1.01 * start) << count << " boxes, " << iterations << " sweeps";
      EXPECT_LT(energy(), 0.6 * start) << count << " boxes, " << iterations << " sweeps";
      EXPECT_LT(gap, 2e-3) << count << " boxes, " << iterations << " sweeps";
    }
  }
}

const auto onBullet = testing::Values(std::string("bullet"));
INSTANTIATE_TEST_SUITE_P(, BulletExternal, onBullet);
INSTANTIATE_TEST_SUITE_P(, BulletRobots, onBullet);
INSTANTIATE_TEST_SUITE_P(, BulletMaximal, onBullet);

}  // namespace
}  // namespace mortise::test
