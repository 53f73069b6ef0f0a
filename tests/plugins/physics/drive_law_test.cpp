/// What `JointDrive` promises, on every engine: the law at the end of the step, limits that no step exceeds, and what
/// both mean for arms, light links and grippers, against closed forms and steps so short that nothing is left of them.

#include <algorithm>

#include "driven_arm.h"
#include "hand_contacts.h"
#include "mortise/base/random.h"

namespace mortise::test {
namespace {

class DriveLaw : public PhysicsTest {
 protected:
  void SetUp() override {
    PhysicsTest::SetUp();
    if (!IsSkipped()) useNormalized();
  }

  /// Moments that gravity has about the hinges of a planar arm.
  static std::vector<double> gravityMoments(const SceneDescription& scene, const std::vector<double>& q) {
    const std::size_t n = q.size();
    std::vector<double> angle(n), moments(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) angle[i] = q[i] + (i > 0 ? angle[i - 1] : 0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = i; k < n; ++k) {
        double x = 0.5 * kArmLink * std::cos(angle[k]);
        for (std::size_t m = i; m < k; ++m) x += kArmLink * std::cos(angle[m]);
        moments[i] += scene.bodies[k].inertia.mass * kGravity * x;
      }
    return moments;
  }
  std::vector<JointState> statesOf(const Scene& scene, std::size_t n) {
    std::vector<JointState> out(n);
    scene.readJoints(out);
    return out;
  }
  void expectStandsByItsLaw(const SceneDescription& description, const JointDrive& drive, double seconds) {
    const std::size_t n = description.joints.size();
    auto scene = build(description);
    const std::vector<JointDrive> drives(n, drive);
    scene->setJointDrives(drives);
    advance(*scene, static_cast<int>(seconds / kStep));
    std::vector<double> q;
    for (const JointState& state : statesOf(*scene, n)) {
      EXPECT_NEAR(state.velocity, 0, 1e-6);
      q.push_back(state.position);
    }
    const std::vector<double> moments = gravityMoments(description, q);
    const std::vector<JointState> states = statesOf(*scene, n);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(drive.stiffness * (drive.target - q[i]), moments[i], 2e-6 * moments[0] + 1e-9 * drive.stiffness) << i;
      EXPECT_NEAR(states[i].effort, moments[i], 2e-6 * moments[0] + 1e-9 * drive.stiffness) << i;
    }
  }
  /// Positions after a time, of an engine or of the engine `mortise` with very short steps.
  std::vector<double> positionsAfter(Physics& engine, const SceneDescription& description,
                                     const std::vector<JointDrive>& drives, double seconds, double h) {
    SceneDescription scene = description;
    scene.timeStep = h;
    auto made = engine.build(scene);
    made->setJointDrives(drives);
    advance(*made, static_cast<int>(std::lround(seconds / h)), h);
    std::vector<double> out;
    for (const JointState& state : statesOf(*made, drives.size())) out.push_back(state.position);
    return out;
  }
  /// Within `bound` of steps of a hundredth, and nearer by half with half the step.
  void expectConverges(const SceneDescription& description, const std::vector<JointDrive>& drives, double seconds,
                       double bound) {
    const ComponentInfo& info = registry().require(Kind::physics, "mortise");
    Diagnostics diagnostics;
    const Value settings = registry().completeSettings(info, Value::map(), diagnostics);
    const auto reference = registry().create<Physics>(info, settings, host_);
    const std::vector<double> exact = positionsAfter(*reference, description, drives, seconds, 1e-5);
    double errors[2] = {0, 0};
    for (int k = 0; k < 2; ++k) {
      const std::vector<double> q = positionsAfter(physics(), description, drives, seconds, k == 0 ? 1e-3 : 2.5e-4);
      for (std::size_t i = 0; i < q.size(); ++i) errors[k] = std::max(errors[k], std::abs(q[i] - exact[i]));
    }
    RecordProperty("error_1ms", std::to_string(errors[0]));
    EXPECT_LT(errors[0], bound);
    EXPECT_LT(errors[1], std::max(0.35 * errors[0], 1e-6));
  }
};

TEST_P(DriveLaw, ASoftArmSagsByItsStiffness) {
  JointDrive d;
  d.stiffness = 20;
  d.damping = 1;
  d.target = 0.4;
  expectStandsByItsLaw(drivenArm({1, 1}), d, 15);
}

TEST_P(DriveLaw, AStiffArmCarriesItsLoad) {
  JointDrive d;
  d.stiffness = 1e6;
  d.damping = 1e3;
  d.target = 0.2;
  expectStandsByItsLaw(drivenArm({2, 2, 2, 1, 1, 0.5, 0.01}), d, 3);
}

TEST_P(DriveLaw, ALightLinkAtTheEndOfAHeavyArm) {
  JointDrive d;
  d.stiffness = 500;
  d.damping = 20;
  d.target = 0.3;
  expectStandsByItsLaw(drivenArm({10, 5, 1e-3, 1e-4}), d, 8);
}

/// Recommended settings must not change where something stands.
TEST_P(DriveLaw, AlsoWithWhatTheEnginesAuthorsRecommend) {
  physics_ = make(Value::map());
  JointDrive d;
  d.stiffness = 20;
  d.damping = 1;
  d.target = 0.4;
  d.minEffort = -100;
  d.maxEffort = 100;
  expectStandsByItsLaw(drivenArm({1, 1}), d, 15);
}

TEST_P(DriveLaw, EachStepEndsOnTheLaw) {
  // ODE moves bodies, so that only about axes that keep their direction its joints move as the step has it.
  const SceneDescription description = drivenArm({2, 1, 0.3, 0.05}, GetParam() == "ode" ? 0 : 0.4);
  const double strength[] = {20, 8, 2, 0.1};
  const std::size_t n = description.joints.size();
  auto scene = build(description);
  RandomStream random(7);
  std::vector<JointDrive> drives(n);
  int saturated = 0;
  std::vector<JointState> before = statesOf(*scene, n);
  for (int step = 0; step < 3000; ++step) {
    if (step % 50 == 0) {
      for (std::size_t i = 0; i < n; ++i) {
        JointDrive& d = drives[i];
        d = JointDrive();
        d.stiffness = random.uniform() < 0.2 ? 0 : std::pow(10.0, random.uniform(0, 6));
        d.damping = strength[i] * std::pow(10.0, random.uniform(-2, 2));
        d.target = random.uniform(-1, 1);
        d.targetVelocity = random.uniform(-1, 1);
        d.feedforward = strength[i] * random.uniform(-0.5, 0.5);
        d.viscousFriction = random.uniform() < 0.5 ? 0.1 * strength[i] * random.uniform() : 0;
        d.dryFriction = random.uniform() < 0.3 ? 0.1 * strength[i] * random.uniform() : 0;
        d.minEffort = -strength[i] * random.uniform(0.2, 1);
        d.maxEffort = strength[i] * random.uniform(0.2, 1);
      }
      scene->setJointDrives(drives);
    }
    scene->step(kStep);
    const std::vector<JointState> after = statesOf(*scene, n);
    for (std::size_t i = 0; i < n; ++i) {
      const double v = after[i].velocity, q = before[i].position + kStep * v;
      const DriveEffort law(drives[i], q, v);
      ASSERT_NEAR(after[i].effort, law.value, 1e-6 * law.scale) << step << ", joint " << i;
      ASSERT_GE(after[i].effort, drives[i].minEffort - 1e-9) << step << ", joint " << i;
      ASSERT_LE(after[i].effort, drives[i].maxEffort + 1e-9) << step << ", joint " << i;
      if (after[i].effort == drives[i].minEffort || after[i].effort == drives[i].maxEffort) ++saturated;
    }
    before = after;
  }
  EXPECT_GT(saturated, 100);
}

TEST_P(DriveLaw, ASaturatedArmConverges) {
  std::vector<JointDrive> drives(2);
  for (JointDrive& d : drives) {
    d.stiffness = 5000;
    d.damping = 50;
    d.target = 0.8;
    d.minEffort = -6;
    d.maxEffort = 6;
  }
  drives[1].minEffort = -1;
  drives[1].maxEffort = 2.5;
  expectConverges(drivenArm({1, 1}), drives, 0.5, 4e-2);
}

TEST_P(DriveLaw, ASwingingArmConverges) {
  std::vector<JointDrive> drives(3);
  for (JointDrive& d : drives) {
    d.stiffness = 30;
    d.damping = 1.5;
    d.target = 0.8;
    d.viscousFriction = 0.1;
    d.minEffort = -60;
    d.maxEffort = 60;
  }
  expectConverges(drivenArm({1, 0.5, 0.01}), drives, 0.4, 2e-2);
}

/// A motor between two free bodies gives both no more momentum than its limit allows, whatever it reports.
TEST_P(DriveLaw, LimitsBoundWhatBodiesGet) {
  SceneBuilder b;
  b.scene.gravity.setZero();
  const double base = 0.3, wheel = 2e-3, limit = 10;
  const int first = b.addBody(nullptr, {}, {2, Vector3d::Zero(), Matrix3d::Identity() * base});
  const int second = b.addBody(nullptr, {}, {0.1, Vector3d::Zero(), Matrix3d::Identity() * wheel});
  b.addJoint(SceneJoint::Type::revolute, first, second, Vector3d::UnitZ());
  b.finish();
  auto scene = build(b.scene);
  RandomStream random(3);
  JointDrive d;
  d.minEffort = -limit;
  d.maxEffort = limit;
  double before = 0;
  for (int step = 0; step < 1000; ++step) {
    if (step % 10 == 0) {
      d.stiffness = std::pow(10.0, random.uniform(1, 6));
      d.damping = std::pow(10.0, random.uniform(-2, 3));
      d.target = jointOf(*scene, b.scene, 0).position + random.uniform(-1, 1);
      scene->setJointDrives(std::span(&d, 1));
    }
    scene->step(kStep);
    const double spin = bodyOf(*scene, b.scene, second).w_WB.z();
    ASSERT_LE(std::abs(spin - before) * wheel / kStep, limit * (1 + 1e-6)) << step;
    ASSERT_NEAR((spin - before) * wheel / kStep, jointOf(*scene, b.scene, 0).effort, 1e-6 * limit) << step;
    before = spin;
  }
}

/// A ball on a slide is driven against the ground, and thrown at it.
TEST_P(DriveLaw, LimitsHoldInImpactsAndUnderLoad) {
  SceneBuilder b;
  b.addFixed(nullptr);
  const double mass = 0.5, limit = 40;
  const int ball = b.addBody(nullptr, RigidTransform::translation({0, 0, 0.35}),
                             {mass, Vector3d::Zero(), Matrix3d::Identity() * 1e-3});
  b.addJoint(SceneJoint::Type::prismatic, -1, ball, Vector3d::UnitZ(), 0, -5);
  b.finish();
  HandContacts contacts(b.scene);
  contacts.addBall(ball, 0.05);
  auto scene = build(b.scene);
  JointDrive d;
  d.stiffness = 1e5;
  d.damping = 100;
  d.target = -0.4;  // Below the ground by 0.1 m.
  d.minEffort = -limit;
  d.maxEffort = limit;
  scene->setJointDrives(std::span(&d, 1));
  double before = -5, peak = 0, force = 0;
  for (int step = 0; step < 1500; ++step) {
    contacts.step(*scene);
    const JointState state = jointOf(*scene, b.scene, 0);
    ASSERT_LE(std::abs(state.effort), limit * (1 + 1e-9)) << step;
    const double push = contactForceOn(*scene, ball).z();
    peak = std::max(peak, push);
    // What was reported is what moved it.
    ASSERT_NEAR(mass * (state.velocity - before) / kStep, state.effort + push - mass * kGravity, 1e-5 * (limit + push))
        << step;
    before = state.velocity;
    if (step >= 1000) force += push / 500;
  }
  EXPECT_GT(peak, 10 * limit);
  EXPECT_NEAR(force, limit + mass * kGravity, 0.02 * limit);
  EXPECT_NEAR(jointOf(*scene, b.scene, 0).velocity, 0, 1e-2);
}

/// A drive that is not at its limit gives way under a contact as its stiffness says.
TEST_P(DriveLaw, ASpringUnderAContactGivesWay) {
  for (const double stiffness : {300.0, 3000.0}) {
    SceneBuilder b;
    b.addFixed(nullptr);
    const int ball = b.addBody(nullptr, RigidTransform::translation({0, 0, 0.05}),
                               {0.01, Vector3d::Zero(), Matrix3d::Identity() * 1e-5});
    b.addJoint(SceneJoint::Type::prismatic, -1, ball, Vector3d::UnitZ());
    b.finish();
    HandContacts contacts(b.scene);
    contacts.addBall(ball, 0.05);
    auto scene = build(b.scene);
    JointDrive d;
    d.stiffness = stiffness;
    d.damping = 20;
    d.target = -0.01;  // In the ground.
    scene->setJointDrives(std::span(&d, 1));
    contacts.advance(*scene, 1000);
    double force = 0, effort = 0;
    for (int i = 0; i < 200; ++i) {
      contacts.step(*scene);
      force += contactForceOn(*scene, ball).z() / 200;
      effort += jointOf(*scene, b.scene, 0).effort / 200;
    }
    EXPECT_NEAR(jointOf(*scene, b.scene, 0).position, 0, 3e-4) << stiffness;
    EXPECT_NEAR(effort, -stiffness * 0.01, 0.05 * stiffness * 0.01) << stiffness;
    EXPECT_NEAR(force, stiffness * 0.01 + 0.01 * kGravity, 0.05 * stiffness * 0.01) << stiffness;
  }
}

TEST_P(DriveLaw, AGripperHoldsWithItsForce) {
  SceneBuilder b;
  b.surface.friction = 0.8;
  const double limit = 40, mass = 0.5, half = 0.03;
  const Vector3d size(2 * half, 0.04, 0.04);
  const int base = b.addFixed(nullptr);
  int fingers[2];
  for (int side = 0; side < 2; ++side) {
    const double sign = side == 0 ? -1 : 1;
    fingers[side] = b.addBody(nullptr, RigidTransform::translation({sign * (half + 0.01), 0, 1}),
                              {0.1, Vector3d::Zero(), boxInertia(0.1, {0.01, 0.05, 0.05})});
    b.addJoint(SceneJoint::Type::prismatic, base, fingers[side], Vector3d(-sign, 0, 0));
  }
  const int box = b.addBox(size, mass, RigidTransform::translation({0, 0, 1}));
  b.scene.gravity.setZero();
  b.finish();
  HandContacts contacts(b.scene);
  for (int side = 0; side < 2; ++side)
    contacts.addBox(box, size, fingers[side], Vector3d(side == 0 ? 1 : -1, 0, 0), Vector3d::Zero());
  auto scene = build(b.scene);
  std::vector<JointDrive> drives(2);
  for (JointDrive& d : drives) {
    d.stiffness = 1e5;
    d.damping = 500;
    d.target = 0.03;  // Shut.
    d.minEffort = -limit;
    d.maxEffort = limit;
  }
  scene->setJointDrives(drives);
  const auto step = [&] {
    contacts.step(*scene);
    for (const JointState& state : statesOf(*scene, 2)) ASSERT_LE(std::abs(state.effort), limit * (1 + 1e-9));
  };
  for (int i = 0; i < 500; ++i) step();
  scene->setGravity(Vector3d(0, 0, -kGravity));
  const double from = bodyOf(*scene, b.scene, box).X_WB.p.z();
  double squeeze = 0, lift = 0;
  for (int i = 0; i < 500; ++i) {
    step();
    if (i < 300) continue;
    for (const ContactForce& contact : scene->contacts()) {
      const double sign = contact.bodyA == box ? 1 : -1;
      squeeze += std::abs(contact.force.x()) / 2 / 200;
      lift += sign * contact.force.z() / 200;
    }
  }
  EXPECT_NEAR(squeeze, limit, 0.02 * limit);
  EXPECT_NEAR(lift, mass * kGravity, 0.02 * mass * kGravity);
  EXPECT_NEAR(bodyOf(*scene, b.scene, box).X_WB.p.z(), from, 1e-3);
  EXPECT_LT(std::abs(bodyOf(*scene, b.scene, box).X_WB.p.x()), 2e-3);
}

MORTISE_FOR_EVERY_ENGINE(DriveLaw);

}  // namespace
}  // namespace mortise::test
