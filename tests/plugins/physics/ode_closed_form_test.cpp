#include "hand_contacts.h"

// What ODE reaches of closed forms with its recommended settings. The bounds are what the engine gives, rounded up: a
// test that fails says that the adapter got worse.

namespace mortise::test {
namespace {

class OdeClosedForms : public PhysicsTest {
 protected:
  static Value solver(const char* name) {
    Value map = Value::map();
    map.set("solver", std::string(name));
    return map;
  }
};

constexpr const char* kSolvers[] = {"exact", "quick"};

/// Boxes on each other, 0.1 m high and 1 kg each, contacts from outside.
struct Stack {
  explicit Stack(int count) : contacts(b.scene) {
    b.addFixed(nullptr);
    const Vector3d size(0.2, 0.2, 0.1);
    for (int i = 0; i < count; ++i) {
      const int box = b.addBox(size, 1, RigidTransform::translation({0, 0, 0.05 + 0.1 * i}));
      contacts.addBox(box, size, i == 0 ? 0 : box - 1, Vector3d::UnitZ(), {0, 0, i == 0 ? 0.0 : 0.05});
    }
    b.finish();
  }
  SceneBuilder b;
  HandContacts contacts;
};

TEST_P(OdeClosedForms, StackStandsAndFewerIterationsAreWorse) {
  const auto sunk = [&](const Value& settings) {
    Stack stack(10);
    auto scene = make(settings)->build(stack.b.scene);
    stack.contacts.advance(*scene, 1000);
    return 0.95 - bodyOf(*scene, stack.b.scene, 10).X_WB.p.z();
  };
  EXPECT_LT(std::abs(sunk(solver("exact"))), 1e-7);
  Value quick = solver("quick");
  const auto with = [&](int iterations) {
    quick.set("quick_step_num_iterations", iterations);
    return std::abs(sunk(quick));
  };
  const double one = with(1), fifty = with(50);
  EXPECT_LT(fifty, 1e-4);
  EXPECT_GT(one, 20 * fifty);
}

TEST_P(OdeClosedForms, RestingForceIsTheWeight) {
  for (const char* name : kSolvers) {
    Stack stack(1);
    auto scene = make(solver(name))->build(stack.b.scene);
    stack.contacts.advance(*scene, 200);
    EXPECT_NEAR(contactForceOn(*scene, 1).z(), kGravity, 1e-3 * kGravity) << name;
  }
}

TEST_P(OdeClosedForms, SlidingEndsWhereFrictionSays) {
  for (const char* name : kSolvers)
    for (int direction = 0; direction < 8; ++direction) {
      SceneBuilder b;
      b.surface.friction = 0.5;
      b.addFixed(nullptr);
      const Vector3d size(0.2, 0.2, 0.02);
      const int block = b.addBox(size, 1, RigidTransform::translation({0, 0, 0.01}));
      const double angle = direction * std::numbers::pi / 8;
      b.scene.bodies[block].v_WB = Vector3d(std::cos(angle), std::sin(angle), 0);
      b.finish();
      HandContacts contacts(b.scene);
      contacts.addBox(block, size);
      auto scene = make(solver(name))->build(b.scene);
      contacts.advance(*scene, 400);
      const double expected = 1 / (2 * 0.5 * kGravity);
      EXPECT_NEAR(bodyOf(*scene, b.scene, block).X_WB.p.head<2>().norm(), expected, 0.006 * expected)
          << name << direction;
    }
}

TEST_P(OdeClosedForms, FirstBounceReachesItsHeight) {
  for (const char* name : kSolvers)
    for (const double restitution : {0.5, 0.7, 0.9}) {
      SceneBuilder b;
      b.surface.restitution = restitution;
      b.addFixed(nullptr);
      const int ball = b.addSphere(0.1, 1, {0, 0, 0.6});
      b.finish();
      HandContacts contacts(b.scene);
      contacts.addBall(ball, 0.1);
      auto scene = make(solver(name))->build(b.scene);
      double highest = 0;
      bool up = false;
      for (int i = 0; i < 1000; ++i) {
        contacts.step(*scene);
        const BodyState state = bodyOf(*scene, b.scene, ball);
        if (up && state.v_WB.z() <= 0) break;
        up = up || state.v_WB.z() > 0;
        if (up) highest = std::max(highest, state.X_WB.p.z() - 0.1);
      }
      const double expected = restitution * restitution * 0.5;
      EXPECT_NEAR(highest, expected, 0.004 * expected) << name << restitution;
    }
}

TEST_P(OdeClosedForms, SoftContactSinksByLoadOverStiffness) {
  for (const char* name : kSolvers) {
    Stack stack(1);
    auto& scene = stack.b.scene;
    for (Surface& surface : scene.surfaces) {
      surface.stiffness = 2 * 1000;  // In series: 1000 N/m a point.
      surface.damping = 2 * 30;
    }
    auto run = make(solver(name))->build(scene);
    stack.contacts.advance(*run, 2000);
    EXPECT_NEAR(0.05 - bodyOf(*run, scene, 1).X_WB.p.z(), kGravity / 4000, 0.01 * kGravity / 4000) << name;
  }
}

/// A pendulum of 1 kg at 0.5 m about y, released at an angle from hanging.
struct Pendulum {
  explicit Pendulum(double angle) {
    const Matrix3d R = rotationAbout(Vector3d::UnitY(), -angle);
    link = b.addBody(nullptr, {R, Vector3d::Zero()}, {1, Vector3d(0, 0, -0.5), Matrix3d::Identity() * 1e-3});
    b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d::UnitY(), -angle);
    b.finish();
  }
  SceneBuilder b;
  int link = -1;
};

TEST_P(OdeClosedForms, PendulumKeepsItsPeriod) {
  for (const char* name : kSolvers) {
    Pendulum pendulum(0.1);
    auto scene = make(solver(name))->build(pendulum.b.scene);
    std::vector<double> crossings;
    double last = -0.1;
    for (int i = 1; i < 8000; ++i) {
      scene->step(kStep);
      const double q = jointOf(*scene, pendulum.b.scene, 0).position;
      if (last < 0 && q >= 0) crossings.push_back(i - q / (q - last));
      last = q;
    }
    ASSERT_GE(crossings.size(), 4u);
    const double period = kStep * (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
    const double inertia = 0.25 + 1e-3;
    const double expected = 2 * std::numbers::pi * std::sqrt(inertia / (kGravity * 0.5)) * (1 + 0.1 * 0.1 / 16);
    EXPECT_NEAR(period, expected, 1e-3 * expected) << name;
  }
}

TEST_P(OdeClosedForms, DriveIsTheImplicitSpring) {
  // I q'' = -kP q - kD q', taken with q and v of the end of each step, has a closed form step by step.
  for (const char* name : kSolvers) {
    SceneBuilder b;
    b.scene.gravity.setZero();
    const int link = b.addBody(nullptr, {}, {1, Vector3d::Zero(), Matrix3d::Identity() * 0.1});
    b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d::UnitZ());
    b.finish();
    auto scene = make(solver(name))->build(b.scene);
    std::vector<JointDrive> drives(1);
    drives[0].stiffness = 1e5;  // 0.16 steps a radian of its oscillation.
    drives[0].damping = 20;
    drives[0].target = 1;
    scene->setJointDrives(drives);
    double q = 0, v = 0;
    for (int i = 0; i < 500; ++i) {
      scene->step(kStep);
      v = (0.1 * v + kStep * 1e5 * (1 - q)) / (0.1 + kStep * (20 + kStep * 1e5));
      q += kStep * v;
      ASSERT_NEAR(jointOf(*scene, b.scene, 0).position, q, 1e-6) << name << i;
    }
  }
}

TEST_P(OdeClosedForms, DriveKeepsItsEffortLimit) {
  for (const char* name : kSolvers) {
    SceneBuilder b;
    b.scene.gravity.setZero();
    const int link = b.addBody(nullptr, {}, {1, Vector3d::Zero(), Matrix3d::Identity() * 0.1});
    b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d::UnitZ());
    b.finish();
    auto scene = make(solver(name))->build(b.scene);
    std::vector<JointDrive> drives(1);
    drives[0].damping = 1000;
    drives[0].targetVelocity = 100;
    drives[0].minEffort = -1;
    drives[0].maxEffort = 2;
    scene->setJointDrives(drives);
    advance(*scene, 100);
    EXPECT_NEAR(jointOf(*scene, b.scene, 0).velocity, 2 * 0.1 / 0.1, 1e-6) << name;
    EXPECT_NEAR(jointOf(*scene, b.scene, 0).effort, 2, 1e-6) << name;
  }
}

TEST_P(OdeClosedForms, StopHoldsWithinOneStepsWay) {
  // ODE knows of a stop when it has been passed.
  for (const char* name : kSolvers) {
    SceneBuilder b;
    b.scene.gravity.setZero();
    const int link = b.addBody(nullptr, {}, {1, Vector3d::Zero(), Matrix3d::Identity() * 0.1});
    const int joint = b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d::UnitZ());
    b.scene.joints[joint].upper = 7;  // Beyond a turn: ODE's own angles end at pi.
    b.scene.joints[joint].velocity = 5;
    b.scene.bodies[link].w_WB = Vector3d(0, 0, 5);
    b.finish();
    auto scene = make(solver(name))->build(b.scene);
    double farthest = 0;
    for (int i = 0; i < 1600; ++i) {
      scene->step(kStep);
      farthest = std::max(farthest, jointOf(*scene, b.scene, joint).position);
    }
    EXPECT_GT(farthest, 7 - 1e-9) << name;
    EXPECT_LT(farthest, 7 + 5 * kStep + 1e-9) << name;
  }
}

TEST_P(OdeClosedForms, SnapshotsContinueBitForBit) {
  for (const char* name : {"exact", "quick", "auto"}) {
    Stack stack(6);
    stack.b.scene.bodies[3].v_WB = Vector3d(0.3, 0.1, 0);
    auto scene = make(solver(name))->build(stack.b.scene);
    stack.contacts.advance(*scene, 50);
    ByteWriter middle;
    scene->save(middle);
    const auto go = [&](Scene& on) {
      stack.contacts.advance(on, 200);
      ByteWriter out;
      on.save(out);
      return out.bytes();
    };
    const auto end = go(*scene);
    auto fresh = make(solver(name))->build(stack.b.scene);
    for (Scene* again : {scene.get(), fresh.get()}) {
      ByteReader in(middle.bytes());
      again->restore(in);
      EXPECT_EQ(go(*again), end) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, OdeClosedForms, testing::Values(std::string("ode")),
                         [](const testing::TestParamInfo<std::string>& backend) { return backend.param; });

}  // namespace
}  // namespace mortise::test
