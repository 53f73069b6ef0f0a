// Energy from nowhere: it is found, named and counted, on every engine, and nothing is changed unless that is asked
// for.

#include "mortise/simulation/stepping/energy_watch.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/closed_forms/shapes.h"
#include "mortise/plugin/plugin.h"
#include "mortise/simulation/simulation.h"
#include "mortise/simulation/summary.h"
#include "tests/support/engines.h"
#include "tests/support/forwarding_scene.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

/// An engine with a defect: in one of its steps a body, or a robot's joints, gain a share of their energy.
struct Defect {
  Registry* registry = nullptr;
  std::string engine;
  int body = -1;  ///< Of the scene.
  bool joints = false;
  int step = 0;
  double fraction = 0;
};
Defect defect;

class DefectiveScene final : public test::ForwardingScene {
 public:
  explicit DefectiveScene(std::unique_ptr<Scene> engine, std::size_t bodies, std::size_t joints)
      : ForwardingScene(std::move(engine)), bodies_(bodies), joints_(joints) {}
  void step(double dt) override {
    inner().step(dt);
    if (++steps_ != defect.step || defect.fraction == 0) return;
    const std::vector<ContactForce> contacts(inner().contacts().begin(), inner().contacts().end());
    contacts_ = contacts;
    const double factor = std::sqrt(1 + defect.fraction);
    inner().readBodies(bodies_);
    inner().readJoints(joints_);
    if (defect.joints) {
      for (std::size_t j = 0; j < joints_.size(); ++j)
        inner().setJointState(static_cast<int>(j), joints_[j].position, factor * joints_[j].velocity);
    } else {
      BodyState state = bodies_[static_cast<std::size_t>(defect.body)];
      state.v_WB *= factor;
      state.w_WB *= factor;
      inner().setBodyState(defect.body, state);
    }
    changed_ = true;
  }
  void readJoints(std::span<JointState> out) const override {
    inner().readJoints(out);
    // What drives and stops did in the step is not the defect's.
    for (std::size_t j = 0; changed_ && steps_ == defect.step && j < out.size(); ++j) {
      out[j].effort = joints_[j].effort;
      out[j].stop = joints_[j].stop;
    }
  }
  std::span<const ContactForce> contacts() const override {
    return changed_ && steps_ == defect.step ? std::span<const ContactForce>(contacts_) : inner().contacts();
  }

 private:
  std::vector<BodyState> bodies_;
  std::vector<JointState> joints_;
  std::vector<ContactForce> contacts_;
  int steps_ = 0;
  bool changed_ = false;
};

class DefectivePhysics final : public Physics {
 public:
  explicit DefectivePhysics(const ComponentContext& context)
      : inner_(test::engineBehind(*defect.registry, defect.engine, context)) {}
  PhysicsCapabilities capabilities() const override { return inner_->capabilities(); }
  std::unique_ptr<Scene> build(const SceneDescription& description) override {
    return std::make_unique<DefectiveScene>(inner_->build(description), description.bodies.size(),
                                            description.joints.size());
  }

 private:
  ComponentPtr<Physics> inner_;
};

}  // namespace
}  // namespace mortise

MORTISE_PLUGIN_AS(test_defective, __attribute__((visibility("hidden"))), "test", "1") {
  plugin.physics<mortise::DefectivePhysics>("test.Defective").summary("Another engine with a defect.");
}

namespace mortise {
namespace {

constexpr int kStep = 150;  // The step in which the defect shows.

class EnergyWatchTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    MORTISE_NEEDS_ENGINES(GetParam());
    registry->addBuiltIn(test_defective);
    registry->discover();
  }
  SimulationOptions options(int body, double fraction, bool joints = false) {
    defect = {registry.get(), GetParam(), body, joints, kStep, fraction};
    SimulationOptions o;
    o.backend = "test.Defective";
    o.adaptiveTimeStepping = false;  // So that steps of the engine are steps.
    return o;
  }
  /// Runs past the defect with `share` more energy. Whether the step and only it was unstable, by that body.
  void expectFound(const World& world, int body, const std::string& name, bool joints = false) {
    for (const double fraction : {0.0, 0.01, 0.1}) {
      SCOPED_TRACE(fraction);
      log.lines.clear();
      Simulation simulation(world, *registry, nullptr, log, options(body, fraction, joints));
      double before = 0;
      for (int i = 0; i < 2 * kStep; ++i) {
        if (i == kStep - 1) before = simulation.energy().kinetic;
        simulation.step();
      }
      const auto& counts = simulation.statusCounts();
      const std::vector<UnstableBody>& found = simulation.unstableBodies();
      if (fraction == 0) {
        EXPECT_EQ(counts[static_cast<int>(StepStatus::unstable)], 0)
            << (found.empty() ? "" : toText(unstableBodyValue(found.front())));
        continue;
      }
      EXPECT_EQ(counts[static_cast<int>(StepStatus::unstable)], 1);
      ASSERT_EQ(found.size(), 1u);
      EXPECT_TRUE(found.front().name.starts_with(name)) << found.front().name;
      EXPECT_EQ(found.front().steps, 1);
      EXPECT_NEAR(found.front().firstTime, kStep * simulation.timeStep(), 1e-9);
      EXPECT_NEAR(found.front().largest, fraction * before, 0.6 * fraction * before);
      EXPECT_TRUE(log.mentions("'" + found.front().name + "' gained "));
      EXPECT_TRUE(log.mentions("J from nowhere in the step to t = 0.15 s"));
      const Value summary = summarize(simulation);
      EXPECT_EQ(summary.at("unstable")[0].at("body").asString(), found.front().name);
      EXPECT_EQ(summary.at("unstable")[0].at("largest").at("energy").asReal(), found.front().largest);
    }
  }
  static std::string toText(const Value& value) { return value.at("body").text() + " " + value.at("energy").text(); }
  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
};

RigidObject ball(const std::string& name, double radius, double mass, const Vector3d& p, const Vector3d& v) {
  RigidObject object;
  object.name = name;
  object.geometry = truth::sphereGeometry(radius);
  object.inertia = {mass, Vector3d::Zero(), truth::sphereMoments(mass, radius)};
  object.X_WO.p = p;
  object.v_WO = v;
  object.surface.restitution = 0;
  object.surface.friction = 0.5;
  return object;
}

TEST_P(EnergyWatchTest, FindsEnergyInFreeFlight) {
  World world;
  world.objects.push_back(ball("ball", 0.1, 2, Vector3d(0, 0, 5), Vector3d(1, 0, 1)));
  world.objects.push_back(test::boxObject("other", Vector3d(3, 0, 5)));
  world.objects[0].w_WO = Vector3d(1, 2, 3);
  expectFound(world, 0, "ball");
}

TEST_P(EnergyWatchTest, FindsEnergyInContact) {
  World world;
  world.terrains.push_back(test::groundTerrain());
  world.objects.push_back(test::boxObject("box", Vector3d(0, 0, 0.1026)));
  world.objects[0].surface.friction = 0.1;
  world.objects[0].v_WO = Vector3d(2, 0, 0);
  expectFound(world, 1, "box");
}

TEST_P(EnergyWatchTest, FindsEnergyOfARobot) {
  World world;
  RobotDescription arm = test::armDescription(2);
  arm.links[0].X_PL0.p = Vector3d(0, 0, 1.5);
  for (Driver& driver : arm.drivers) driver.servoP = driver.servoD = 0;
  for (Link& link : arm.links) link.torqueMax = 0;
  arm.links[0].q = 0.3;
  world.robots.push_back(test::placedRobot(arm));
  world.robots[0].dq = Eigen::Vector2d(1.5, 0.5);
  expectFound(world, 0, "arm[rod", true);
}

TEST_P(EnergyWatchTest, WhatForcesDoIsNoDefect) {
  World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, options(0, 0));
  simulation.advance(0.1);
  // 5 m/s in a step from rest.
  simulation.applyWrench(world.objectId(0), Vector3d(5000, 0, 0), Vector3d(0, 0, 10), simulation.objectState(0).X_WB.p);
  simulation.step();
  EXPECT_GT(simulation.objectState(0).v_WB.x(), 2);
  simulation.advance(0.3);
  EXPECT_LE(simulation.worstStatus(), StepStatus::contactUnreliable);
  EXPECT_TRUE(simulation.unstableBodies().empty());
}

TEST(EnergyWatch, NamesFrictionThatPushesOn) {
  SceneDescription scene;
  scene.bodies.resize(2);
  scene.bodies[0].name = "floor";
  scene.bodies[0].motion = BodyMotion::fixed;
  scene.bodies[1].name = "puck";
  scene.bodies[1].inertia = {1, Vector3d::Zero(), Matrix3d::Identity()};
  for (const double friction : {-100.0, 100.0}) {
    EnergyWatch watch(scene);
    std::vector<BodyState> bodies(2);
    bodies[1].v_WB = Vector3d(1, 0, 0);
    watch.begin(bodies, {});
    bodies[1].v_WB.x() += 1e-3 * friction;
    ContactForce contact;
    contact.bodyA = 1;
    contact.bodyB = 0;
    contact.normal = Vector3d::UnitZ();
    contact.force = Vector3d(friction, 0, 200);
    contact.depth = 2e-3;
    EnergyWatch::Step step;
    step.seconds = 1e-3;
    step.bodies = bodies;
    step.contacts = {&contact, 1};
    const auto gains = watch.check(step);
    if (friction < 0) {
      EXPECT_TRUE(gains.empty()) << "it brakes";
      continue;
    }
    ASSERT_EQ(gains.size(), 1u);
    EXPECT_EQ(gains[0].body, 1);
    EXPECT_NEAR(gains[0].energy, 0.5 * (1.1 * 1.1 - 1), 1e-12);
    EXPECT_EQ(gains[0].cause, "pushed on by friction with 'floor', 2 mm deep");
  }
}

/// Two equal bodies that a fixed joint holds 1 m apart, without gravity.
class JointedPair {
 public:
  JointedPair() : bodies_(2) {
    scene_.bodies.resize(2);
    for (int i = 0; i < 2; ++i) {
      scene_.bodies[i].name = i == 0 ? "left" : "right";
      scene_.bodies[i].inertia = {1, Vector3d::Zero(), Matrix3d::Identity()};
      scene_.bodies[i].X_WB.p.x() = bodies_[i].X_WB.p.x() = i;
    }
    SceneConstraint joint;
    joint.a = 0;
    joint.b = 1;
    scene_.constraints = {joint};
    watch_ = std::make_unique<EnergyWatch>(scene_);
  }
  /// Both move on at `speed`, against each other at `parting`, and are pulled apart by `gap`. How many gains are found.
  std::size_t step(double speed, double parting, double gap) {
    watch_->begin(bodies_, {});
    for (int i = 0; i < 2; ++i) {
      bodies_[i].v_WB = Vector3d((i == 0 ? -0.5 : 0.5) * parting, speed, 0);
      bodies_[i].X_WB.p.x() = i == 0 ? 0 : 1 + gap;
    }
    EnergyWatch::Step made;
    made.seconds = 1e-3;
    made.bodies = bodies_;
    return watch_->check(made).size();
  }

 private:
  SceneDescription scene_;
  std::vector<BodyState> bodies_;
  std::unique_ptr<EnergyWatch> watch_;
};

TEST(EnergyWatch, JointsThatGiveWayGiveBackWhatTheyTook) {
  JointedPair soft;
  EXPECT_EQ(soft.step(0, 1, 0), 1u) << "nothing was taken";
  EXPECT_EQ(soft.step(0, 0.5, 1e-3), 0u);
  EXPECT_EQ(soft.step(0, 0, 1.5e-3), 0u);
  EXPECT_EQ(soft.step(0, -0.5, 1e-3), 0u);
  EXPECT_EQ(soft.step(0, -0.9, 0), 0u);
  JointedPair greedy;
  EXPECT_EQ(greedy.step(0, 1, 0), 1u);
  EXPECT_EQ(greedy.step(0, 0, 1.5e-3), 0u);
  EXPECT_EQ(greedy.step(0, -1.1, 0), 1u) << "more than was taken";
}

TEST(EnergyWatch, RigidJointsKeepNothing) {
  JointedPair rigid;
  EXPECT_EQ(rigid.step(2, 0, 0), 1u);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(rigid.step(2 - 0.05 * i, 0, 0), 0u) << "losses are none of its concern";
  EXPECT_EQ(rigid.step(1.55 * std::sqrt(1.01), 0, 0), 1u) << "and make no room for 1 % more";
}

TEST_P(EnergyWatchTest, ChainsAndBeamsAreSilent) {
  for (const WorldJoint::Type type : {WorldJoint::Type::hinge, WorldJoint::Type::fixed}) {
    World world;
    for (int i = 0; i < 6; ++i) {
      world.objects.push_back(test::boxObject("box" + std::to_string(i),
                                              Vector3d(0.2 + 0.4 * i, 0, 3)));  // Corners of neighbors keep clear.
      world.objects.back().inertia.mass = i < 5 ? 0.1 : 1;
      world.objects.back().inertia.inertia = Matrix3d::Identity() * (i < 5 ? 1e-3 : 1e-2);
      WorldJoint joint;
      joint.type = type;
      joint.idA = world.objectId(i);
      if (i > 0) joint.idB = world.objectId(i - 1);
      joint.point = Vector3d(0.4 * i, 0, 3);
      joint.axis = Vector3d::UnitY();
      world.simulation.joints.push_back(joint);
    }
    Simulation simulation(world, *registry, nullptr, log, options(0, 0));
    simulation.advance(0.8);
    EXPECT_TRUE(simulation.unstableBodies().empty()) << toText(unstableBodyValue(simulation.unstableBodies().front()));
  }
}

TEST_P(EnergyWatchTest, StopsWhereThatIsAskedFor) {
  World world;
  world.objects.push_back(ball("ball", 0.1, 2, Vector3d(0, 0, 5), Vector3d(1, 0, 1)));
  world.simulation.onUnstable = OnUnstable::stop;
  Simulation simulation(world, *registry, nullptr, log, options(0, 0.1));
  EXPECT_EQ(simulation.advance(1), StepStatus::error);
  EXPECT_EQ(simulation.tick(), kStep);
  EXPECT_NE(simulation.fault().find("'ball' gained 0."), std::string::npos) << simulation.fault();
}

TEST_P(EnergyWatchTest, ReportingChangesNothingAndGoesOnFromSnapshots) {
  const World world = test::smallWorld();
  std::uint64_t hashes[3];
  for (int i = 0; i < 3; ++i) {
    SimulationOptions o = options(0, 0);
    o.onUnstable = i == 0 ? OnUnstable::report : OnUnstable::stop;
    Simulation simulation(world, *registry, nullptr, log, o);
    simulation.advance(0.2);
    if (i == 2) {
      const auto snapshot = simulation.save();
      simulation.advance(0.1);
      simulation.restore(snapshot);
    }
    simulation.advance(0.2);
    hashes[i] = simulation.stateHash();
    EXPECT_TRUE(simulation.unstableBodies().empty());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

INSTANTIATE_TEST_SUITE_P(Engines, EnergyWatchTest, testing::Values("mortise", "ode", "bullet", "mujoco", "dart"),
                         [](const auto& given) { return std::string(given.param); });

}  // namespace
}  // namespace mortise
