#include <thread>

#include "dart_scenes.h"

// That DART does the work, and what is kept of it.

namespace mortise::test {
namespace {

class DartEngine : public DartTest {
 protected:
  struct Stack {
    SceneDescription scene;
    Vector3d size{0.1, 0.1, 0.1};
    int top = 0;
  };
  static Stack stack(HandContacts** contacts, std::unique_ptr<HandContacts>& owner, SceneBuilder& b) {
    Stack s;
    b.surface.restitution = 0.3;
    b.addFixed(nullptr);
    owner = std::make_unique<HandContacts>(b.scene);
    *contacts = owner.get();
    for (int i = 0; i < 5; ++i) {
      const int box = b.addBox(s.size, 1, {rotationZ(0.2 * i), Vector3d(0.01 * i, 0, 0.051 + 0.101 * i)});
      owner->addBox(box, s.size, s.top, Vector3d::UnitZ(), s.top ? Vector3d(0, 0, 0.05) : Vector3d::Zero());
      s.top = box;
    }
    b.finish();
    return s;
  }
  /// Two rods that hang from the world and a bar between them: a parallelogram, closed by a hinge.
  static SceneBuilder fourBar() {
    SceneBuilder b;
    const auto rod = [&](const Vector3d& from, const Vector3d& along) {
      return b.addBox(Vector3d(0.02, 0.02, 0.02) + along.cwiseAbs(), 1,
                      RigidTransform::translation(from + 0.5 * along));
    };
    const int left = rod({0, 0, 1}, {0, 0, -0.5}), right = rod({0.6, 0, 1}, {0, 0, -0.5});
    const int bar = rod({0, 0, 0.5}, {0.6, 0, 0});
    const auto hinge = [&](int a, int other, const Vector3d& at) {
      SceneConstraint c;
      c.type = SceneConstraint::Type::hinge;
      c.a = a;
      c.b = other;
      c.point = at;
      c.axis = Vector3d::UnitY();
      b.scene.constraints.push_back(c);
    };
    hinge(left, -1, {0, 0, 1});
    hinge(right, -1, {0.6, 0, 1});
    hinge(bar, left, {0, 0, 0.5});
    hinge(bar, right, {0.6, 0, 0.5});
    b.scene.contactSource = ContactSource::external;  // None.
    for (const int body : {left, right}) b.scene.bodies[body].w_WB = Vector3d(0, 2, 0);
    b.finish();
    return b;
  }
};

TEST_P(DartEngine, ItsStepMakesTheVelocities) {
  // With one sweep of DART's own iterative solver the stack falls apart or sinks: nobody else holds it.
  const auto sinks = [&](std::initializer_list<std::pair<const char*, Value>> settings) {
    SceneBuilder b;
    HandContacts* contacts = nullptr;
    std::unique_ptr<HandContacts> owner;
    const Stack s = stack(&contacts, owner, b);
    auto scene = buildWith(b.scene, settings);
    contacts->advance(*scene, 600);
    EXPECT_EQ(count(*scene, "world_steps"), 600);
    EXPECT_GT(count(*scene, "solved_groups"), 500);
    EXPECT_GE(count(*scene, "largest_group"), 5 * 4 * 3);
    return std::abs(bodyOf(*scene, b.scene, s.top).X_WB.p.z() - 0.45);
  };
  const double exact = sinks({});
  const double weak = sinks({{"lcp_solver", Value("pgs")},
                             {"secondary_lcp_solver", Value("none")},
                             {"max_iteration", Value(std::int64_t{1})}});
  EXPECT_LT(exact, 1e-4);
  EXPECT_GT(weak, 0.05);
}

TEST_P(DartEngine, SnapshotsContinueBitForBit) {
  for (const char* lcp : {"dantzig", "pgs"}) {
    SceneBuilder b;
    HandContacts* contacts = nullptr;
    std::unique_ptr<HandContacts> owner;
    stack(&contacts, owner, b);
    auto scene = buildWith(b.scene, {{"lcp_solver", Value(lcp)}});
    contacts->advance(*scene, 80);
    scene->applyWrench(1, Vector3d(1, 0, 0), Vector3d(0, 0.01, 0), Vector3d::Zero());
    const auto middle = bytesOf(*scene);
    contacts->advance(*scene, 60);
    const auto end = bytesOf(*scene);
    auto fresh = buildWith(b.scene, {{"lcp_solver", Value(lcp)}});
    for (Scene* again : {scene.get(), fresh.get()}) {
      ByteReader in(middle);
      again->restore(in);
      EXPECT_TRUE(in.atEnd());
      EXPECT_EQ(bytesOf(*again), middle) << lcp;
      contacts->advance(*again, 60);
      EXPECT_EQ(bytesOf(*again), end) << lcp;
    }
  }
}

TEST_P(DartEngine, SnapshotsOfLoopsContinueBitForBit) {
  const SceneBuilder b = fourBar();
  // Projected Gauss-Seidel starts from the impulses of the last step.
  auto scene = buildWith(b.scene, {{"lcp_solver", Value("pgs")}});
  advance(*scene, 100);
  const auto middle = bytesOf(*scene);
  advance(*scene, 100);
  const auto end = bytesOf(*scene);
  auto fresh = buildWith(b.scene, {{"lcp_solver", Value("pgs")}});
  for (Scene* again : {scene.get(), fresh.get()}) {
    ByteReader in(middle);
    again->restore(in);
    advance(*again, 100);
    EXPECT_EQ(bytesOf(*again), end);
  }
}

TEST_P(DartEngine, HingesCloseLoops) {
  const SceneBuilder b = fourBar();
  for (const double h : {1e-3, 1e-4}) {
    auto scene = build(b.scene);
    double open = 0;
    for (int i = 0; i < std::lround(1 / h); ++i) {
      scene->step(h);
      const auto bodies = bodiesOf(*scene, 3);
      open = std::max(open, (bodies[2].X_WB * Vector3d(0.3, 0, 0) - bodies[1].X_WB * Vector3d(0, 0, -0.25)).norm());
    }
    EXPECT_LT(open, 1e-8) << h;
    std::vector<JointState> hinges(4);
    scene->readConstraints(hinges);
    EXPECT_NEAR(hinges[0].position, hinges[1].position, 1e-6);  // A parallelogram.
    EXPECT_NEAR(hinges[0].position, -hinges[2].position, 1e-6);
    EXPECT_NEAR(hinges[2].position, hinges[3].position, 1e-6);
    EXPECT_NEAR(hinges[0].velocity, -hinges[3].velocity, 1e-6);
  }
}

TEST_P(DartEngine, WhatItHasNoJointForIsRefused) {
  SceneBuilder b = fourBar();
  SceneConstraint& last = b.scene.constraints.back();
  last.friction = 0.1;
  EXPECT_THROW(build(b.scene), Error);
  last.friction = 0;
  last.type = SceneConstraint::Type::slider;
  EXPECT_THROW(build(b.scene), Error);
  last.type = SceneConstraint::Type::fixed;
  advance(*build(b.scene), 10);
}

TEST_P(DartEngine, ScenesWithOtherParametersDoNotDisturbEachOther) {
  // Error reduction belongs to the process in DART.
  SceneBuilder b;
  b.addFixed(nullptr);
  const Vector3d size(0.1, 0.1, 0.1);
  b.addBox(size, 1, RigidTransform::translation({0, 0, 0.045}));
  b.finish();
  HandContacts template_(b.scene);
  template_.addBox(1, size);
  const auto run = [&](Scene& scene) {
    HandContacts contacts = template_;
    contacts.advance(scene, 300);
  };
  auto slow = build(b.scene), slowAlone = build(b.scene);
  auto fast = buildWith(b.scene, {{"max_error_reduction_velocity", Value(1.0)}});
  auto fastAlone = buildWith(b.scene, {{"max_error_reduction_velocity", Value(1.0)}});
  run(*slowAlone);
  run(*fastAlone);
  std::thread other([&] { run(*fast); });
  run(*slow);
  other.join();
  EXPECT_EQ(bytesOf(*slow), bytesOf(*slowAlone));
  EXPECT_EQ(bytesOf(*fast), bytesOf(*fastAlone));
  EXPECT_NE(bytesOf(*slow), bytesOf(*fast));
}

TEST_P(DartEngine, SaysNothingOnTheStandardStreams) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  SceneBuilder b;
  HandContacts* contacts = nullptr;
  std::unique_ptr<HandContacts> owner;
  stack(&contacts, owner, b);
  contacts->advance(*build(b.scene), 100);
  advance(*build(fourBar().scene), 10);
  EXPECT_EQ(testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr(), "");
}

TEST_P(DartEngine, KinematicBodiesGoOnAndChange) {
  SceneBuilder b;
  const int body = b.addBox({0.1, 0.1, 0.1}, 1, RigidTransform::translation({0, 0, 1}));
  b.scene.bodies[body].motion = BodyMotion::kinematic;
  b.scene.bodies[body].inertia.com = Vector3d(0.1, 0, 0);
  b.scene.bodies[body].v_WB = Vector3d(0.5, 0, 0);
  b.scene.bodies[body].w_WB = Vector3d(0, 0, 3);
  b.finish();
  auto scene = build(b.scene);
  scene->applyWrench(body, Vector3d(0, 0, 100), Vector3d::Zero(), Vector3d::Zero());
  advance(*scene, 1000);
  BodyState state = bodyOf(*scene, b.scene, body);
  EXPECT_LT((state.X_WB.p - Vector3d(0.5, 0, 1)).norm(), 1e-12);  // Its frame's origin, not the center of mass.
  EXPECT_LT((state.X_WB.R - rotationZ(3)).norm(), 1e-9);
  scene->setBodyMotion(body, BodyMotion::dynamic);
  const auto bytes = bytesOf(*scene);
  EXPECT_NEAR(bodyOf(*scene, b.scene, body).v_WB.x(), 0.5, 1e-12);
  advance(*scene, 100);
  state = bodyOf(*scene, b.scene, body);
  EXPECT_NEAR(state.X_WB.p.z(), 1 - 0.5 * kGravity * 0.01, 2e-3);
  auto fresh = build(b.scene);
  ByteReader in(bytes);
  fresh->restore(in);
  advance(*fresh, 100);
  EXPECT_EQ(bytesOf(*fresh), bytesOf(*scene));
}

MORTISE_FOR_DART(DartEngine);

}  // namespace
}  // namespace mortise::test
