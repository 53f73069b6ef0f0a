#include "mujoco_test.h"

// What MuJoCo reaches on closed forms, in both profiles and at two steps. The bounds are what was measured, and a
// little: they fail when something gets worse. The figures are recorded with the test's result.

namespace mortise::test {
namespace {

struct Setting {
  const char* profile;
  double dt;
  bool soft() const { return profile[0] == 'r'; }
  std::string name() const { return std::string(profile) + (dt < 5e-4 ? "_0.1ms" : "_1ms"); }
};
constexpr Setting kSettings[] = {
    {"recommended", 1e-3}, {"normalized", 1e-3}, {"recommended", 1e-4}, {"normalized", 1e-4}};

class MujocoFigures : public Mujoco {
 protected:
  /// Records a figure and compares it with the four bounds, in the order of `kSettings`.
  void expectBelow(const std::string& what, const Setting& setting, double figure, std::array<double, 4> bounds) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.3g", figure);
    RecordProperty(what + "_" + setting.name(), text);
    std::size_t index = 0;
    while (kSettings[index].profile != setting.profile || kSettings[index].dt != setting.dt) ++index;
    EXPECT_LT(figure, bounds[index]) << what << ", " << setting.name();
  }
  static void run(HandContacts& contacts, Scene& scene, double seconds, double dt) {
    for (double t = 0; t < seconds - 0.5 * dt; t += dt) contacts.step(scene, dt);
  }
};

TEST_P(MujocoFigures, Pendulum) {
  for (const Setting& setting : kSettings) {
    SceneBuilder b;
    const double length = 0.5, mass = 1.2, amplitude = 0.1, about = 0.01;
    const int link = b.addBody(nullptr, RigidTransform::rotation(rotationY(amplitude)),
                               {mass, Vector3d(0, 0, -length), Matrix3d::Identity() * about});
    b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d::UnitY(), amplitude);
    b.finish();
    b.scene.timeStep = setting.dt;
    auto scene = engine(setting.profile)->build(b.scene);
    double before = amplitude, first = -1, last = -1;
    int crossings = 0;
    for (int i = 1; crossings < 9; ++i) {
      scene->step(setting.dt);
      const double now = jointOf(*scene, b.scene, 0).position;
      if (before * now < 0) {
        last = (i - 1 + before / (before - now)) * setting.dt;
        if (first < 0) first = last;
        ++crossings;
      }
      before = now;
    }
    const double inertia = about + mass * length * length;
    const double exact =
        2 * std::numbers::pi * std::sqrt(inertia / (mass * kGravity * length)) * (1 + amplitude * amplitude / 16);
    expectBelow("period_error", setting, std::abs((last - first) / 4 / exact - 1), {1e-6, 1e-6, 1e-6, 1e-6});
  }
}

TEST_P(MujocoFigures, DoublePendulumEnergy) {
  for (const Setting& setting : kSettings) {
    SceneBuilder b;
    const double length = 0.5, about = 0.02;
    const BodyInertia inertia{1, Vector3d(0, 0, -0.5 * length), Matrix3d::Identity() * about};
    const Matrix3d R1 = rotationY(1.0), R2 = rotationY(1.8);
    const int first = b.addBody(nullptr, RigidTransform::rotation(R1), inertia);
    const int second = b.addBody(nullptr, {R2, R1 * Vector3d(0, 0, -length)}, inertia);
    b.addJoint(SceneJoint::Type::revolute, -1, first, Vector3d::UnitY(), 1.0);
    b.addJoint(SceneJoint::Type::revolute, first, second, Vector3d::UnitY(), 0.8);
    b.finish();
    b.scene.timeStep = setting.dt;
    auto scene = engine(setting.profile)->build(b.scene);
    const auto energy = [&] {
      double sum = 0;
      for (const BodyState& s : bodiesOf(*scene, 2)) {
        const Vector3d arm = s.X_WB.R * inertia.com;
        sum += 0.5 * (s.v_WB + s.w_WB.cross(arm)).squaredNorm() + 0.5 * about * s.w_WB.squaredNorm() +
               kGravity * (s.X_WB.p + arm).z();
      }
      return sum;
    };
    const double before = energy();
    double worst = 0;
    for (double t = 0; t < 3; t += setting.dt) {
      scene->step(setting.dt);
      worst = std::max(worst, std::abs(energy() - before));
    }
    expectBelow("energy_error", setting, worst, {0.12, 0.12, 0.012, 0.012});
  }
}

TEST_P(MujocoFigures, FreeFlightMomentum) {
  for (const Setting& setting : kSettings) {
    SceneBuilder b;
    b.scene.gravity.setZero();
    const Vector3d size(0.1, 0.2, 0.4);
    const int box = b.addBox(size, 1, {});
    b.scene.bodies[box].inertia.com = Vector3d(0.05, 0.02, 0);
    b.scene.bodies[box].w_WB = Vector3d(0.1, 5, 0.1);
    b.finish();
    b.scene.timeStep = setting.dt;
    auto scene = engine(setting.profile)->build(b.scene);
    const Matrix3d I = boxInertia(1, size);
    const auto spin = [&] {
      const BodyState s = bodyOf(*scene, b.scene, box);
      return Vector3d(s.X_WB.R * I * s.X_WB.R.transpose() * s.w_WB);
    };
    const auto momentum = [&] {
      const BodyState s = bodyOf(*scene, b.scene, box);
      return Vector3d(s.v_WB + s.w_WB.cross(s.X_WB.R * b.scene.bodies[box].inertia.com));
    };
    const Vector3d spinBefore = spin(), momentumBefore = momentum();
    for (double t = 0; t < 2; t += setting.dt) scene->step(setting.dt);
    expectBelow("linear_momentum_error", setting, (momentum() - momentumBefore).norm(), {1e-12, 1e-12, 1e-12, 1e-12});
    expectBelow("angular_momentum_error", setting, (spin() - spinBefore).norm() / spinBefore.norm(),
                {4e-3, 4e-3, 4e-4, 4e-4});
  }
}

TEST_P(MujocoFigures, BoxOnASlope) {
  for (const Setting& setting : kSettings)
    for (const double ratio : {0.99, 1.01}) {
      SceneBuilder b;
      const double friction = 0.6, angle = std::atan(ratio * friction), yaw = 0.7854;
      b.surface.friction = friction;
      const Matrix3d R_WS = rotationZ(yaw) * rotationY(angle);
      b.addFixed(nullptr, RigidTransform::rotation(R_WS));
      const Vector3d size(0.2, 0.2, 0.05);
      const int block = b.addBox(size, 1, {R_WS * rotationZ(0.4), R_WS * Vector3d(0, 0, 0.025)});
      b.finish();
      b.scene.timeStep = setting.dt;
      HandContacts contacts(b.scene);
      contacts.addBox(block, size);
      auto scene = engine(setting.profile)->build(b.scene);
      run(contacts, *scene, 0.3, setting.dt);
      const BodyState from = bodyOf(*scene, b.scene, block);
      run(contacts, *scene, 0.5, setting.dt);
      const BodyState to = bodyOf(*scene, b.scene, block);
      if (ratio < 1) {
        expectBelow("creep_speed", setting, (to.X_WB.p - from.X_WB.p).norm() / 0.5, {2e-3, 3e-7, 2e-3, 3e-8});
        continue;
      }
      const double gain = (R_WS.transpose() * (to.v_WB - from.v_WB)).x();
      const double exact = 0.5 * kGravity * (std::sin(angle) - friction * std::cos(angle));
      expectBelow("slip_error", setting, std::abs(gain - exact) / (0.5 * kGravity * friction),
                  {3.2e-3, 1e-9, 3e-3, 1e-9});
    }
}

TEST_P(MujocoFigures, SlidingDistance) {
  for (const Setting& setting : kSettings) {
    double worst = 0;
    for (int k = 0; k < 8; ++k) {
      const double direction = k * std::numbers::pi / 4 + 0.1;
      SceneBuilder b;
      b.surface.friction = 0.4;
      b.addFixed(nullptr);
      const Vector3d size(0.2, 0.2, 0.04), along(std::cos(direction), std::sin(direction), 0);
      const int block = b.addBox(size, 1, RigidTransform::translation({0, 0, 0.02}));
      b.scene.bodies[block].v_WB = 2 * along;
      b.finish();
      b.scene.timeStep = setting.dt;
      HandContacts contacts(b.scene);
      contacts.addBox(block, size);
      auto scene = engine(setting.profile)->build(b.scene);
      run(contacts, *scene, 0.7, setting.dt);
      const double distance = 4 / (2 * 0.4 * kGravity);
      const Vector3d end = bodyOf(*scene, b.scene, block).X_WB.p;
      worst = std::max(worst, (end.head<2>() - distance * along.head<2>()).norm() / distance);
    }
    expectBelow("sliding_error", setting, worst, {3e-3, 3e-3, 3e-3, 4e-4});
  }
}

TEST_P(MujocoFigures, FallOntoTheGround) {
  for (const Setting& setting : kSettings) {
    SceneBuilder b;
    b.surface.restitution = 0.8;  // MuJoCo has none.
    b.addFixed(nullptr);
    const int ball = b.addSphere(0.05, 0.5, {0, 0, 0.35});
    b.finish();
    b.scene.timeStep = setting.dt;
    HandContacts contacts(b.scene);
    contacts.addBall(ball, 0.05);
    auto scene = engine(setting.profile)->build(b.scene);
    double deepest = 0, rebound = 0;
    for (double t = 0; t < 1; t += setting.dt) {
      contacts.step(*scene, setting.dt);
      const BodyState state = bodyOf(*scene, b.scene, ball);
      deepest = std::max(deepest, 0.05 - state.X_WB.p.z());
      if (t > 0.24) rebound = std::max(rebound, state.v_WB.z());
    }
    expectBelow("deepest", setting, deepest, {0.02, 3e-4, 0.02, 3e-5});
    expectBelow("rebound_ratio", setting, rebound / std::sqrt(2 * kGravity * 0.3), {0.15, 0.03, 0.15, 0.03});
    expectBelow("rest_depth", setting, std::abs(0.05 - bodyOf(*scene, b.scene, ball).X_WB.p.z()),
                {5e-4, 1e-8, 5e-4, 1e-8});
  }
}

TEST_P(MujocoFigures, SoftContactDepth) {
  for (const Setting& setting : kSettings) {
    SceneBuilder b;
    b.surface.stiffness = 2 * 40000;  // Two in series.
    b.surface.damping = 2 * 1000;
    b.addFixed(nullptr);
    const Vector3d size(0.2, 0.3, 0.1);
    const int box = b.addBox(size, 3, RigidTransform::translation({0.3, 0.1, 0.05}));
    b.finish();
    b.scene.timeStep = setting.dt;
    HandContacts contacts(b.scene);
    contacts.addBox(box, size);
    auto scene = engine(setting.profile)->build(b.scene);
    run(contacts, *scene, 1, setting.dt);
    const double exact = 3 * kGravity / (4 * 40000), depth = 0.05 - bodyOf(*scene, b.scene, box).X_WB.p.z();
    expectBelow("soft_depth_error", setting, std::abs(depth / exact - 1), {1e-9, 1e-9, 1e-9, 1e-9});
    EXPECT_NEAR(contactForceOn(*scene, box).z(), 3 * kGravity, 1e-5);
  }
}

TEST_P(MujocoFigures, Stacks) {
  for (const Setting& setting : kSettings)
    for (const double top : {1.0, 100.0}) {
      // With MuJoCo's own softness a hundred kilograms press boxes of one through each other.
      if (top > 1 && (setting.soft() || setting.dt < 5e-4)) continue;
      SceneBuilder b;
      b.addFixed(nullptr);
      const Vector3d size(0.1, 0.1, 0.1);
      for (int i = 0; i < 10; ++i)
        b.addBox(size, i == 9 ? top : 1, {rotationZ(0.1 * i), Vector3d(0.002 * (i % 3), 0, 0.05 + 0.1 * i)});
      b.finish();
      b.scene.timeStep = setting.dt;
      HandContacts contacts(b.scene);
      for (int i = 1; i <= 10; ++i)
        contacts.addBox(i, size, i - 1, Vector3d::UnitZ(), i > 1 ? Vector3d(0, 0, 0.05) : Vector3d::Zero());
      auto scene = engine(setting.profile)->build(b.scene);
      run(contacts, *scene, 0.2, setting.dt);
      const BodyState from = bodyOf(*scene, b.scene, 10);
      run(contacts, *scene, 0.1, setting.dt);
      const BodyState to = bodyOf(*scene, b.scene, 10);
      const std::string what = top == 1 ? "stack" : "heavy_top";
      expectBelow(what + "_sinks", setting, 0.95 - to.X_WB.p.z(), {8e-3, 3e-6, 8e-3, 3e-6});
      expectBelow(what + "_drift", setting, (to.X_WB.p - from.X_WB.p).norm() / 0.1, {3e-3, 1e-6, 3e-3, 1e-6});
    }
}

MORTISE_FOR_MUJOCO(MujocoFigures);

}  // namespace
}  // namespace mortise::test
