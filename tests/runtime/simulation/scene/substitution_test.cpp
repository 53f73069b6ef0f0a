// Whatever a simulation computes with in place of what files and options say is said once a kind, stands in the record
// of the run, and is refused by `strict`: the kinds of a simulation by itself. Those of pipelines, plans and motions
// are in tests/runtime/pipeline/substitution_test.cpp.

#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <optional>

#include "mortise/base/diagnostics.h"
#include "mortise/plugin/plugin.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/engines.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

/// A backend that finds its own contacts and takes no others; nothing moves in it.
class OwnContactsScene final : public Scene {
 public:
  explicit OwnContactsScene(const SceneDescription& description) : description_(description) {}
  void setGravity(const Vector3d&) override {}
  void setJointDrives(std::span<const JointDrive>) override {}
  void applyWrench(int, const Vector3d&, const Vector3d&, const Vector3d&) override {}
  void setBodyState(int, const BodyState&) override {}
  void setJointState(int, double, double) override {}
  void setBodyMotion(int, BodyMotion) override {}
  void setCollision(int, int, bool) override {}
  void setContacts(std::span<const SceneContact>) override {}
  void step(double) override {}
  void readBodies(std::span<BodyState> out) const override {
    for (std::size_t b = 0; b < out.size(); ++b)
      out[b] = {description_.bodies[b].X_WB, description_.bodies[b].v_WB, description_.bodies[b].w_WB};
  }
  void readJoints(std::span<JointState>) const override {}
  void readConstraints(std::span<JointState>) const override {}
  std::span<const ContactForce> contacts() const override { return {}; }
  void save(ByteWriter&) const override {}
  void restore(ByteReader&) override {}
  Value effectiveSettings() const override { return Value::map(); }

 private:
  SceneDescription description_;
};

class OwnContactsPhysics final : public Physics {
 public:
  PhysicsCapabilities capabilities() const override {
    PhysicsCapabilities can;
    can.ownContacts = true;
    return can;
  }
  std::unique_ptr<Scene> build(const SceneDescription& description) override {
    return std::make_unique<OwnContactsScene>(description);
  }
};

/// A controller that tells, when it starts or at its third update, that it does something else than it was asked for.
class ConcedingController final : public Controller {
 public:
  explicit ConcedingController(const ComponentContext& context)
      : host_(context.host), late_(context.settings.boolean("late", false)) {}
  void start(const ControllerSetup&) override {
    updates_ = 0;
    if (!late_) host_.log(LogLevel::warning, "the gain 7 is beyond 5, and becomes that");
  }
  void update(const ControllerInput&, double, std::span<ActuatorCommand>) override {
    if (late_ && ++updates_ >= 3)
      host_.log(LogLevel::warning, "update " + std::to_string(updates_) + " of 'rod0' is left out");
  }

 private:
  Host& host_;
  bool late_;
  int updates_ = 0;
};

MORTISE_PLUGIN_AS(mortise_test_own_contacts, , "test_own_contacts", "1.0.0") {
  plugin.physics<OwnContactsPhysics>("test.OwnContacts").summary("Finds contacts by itself.");
  plugin.controller<ConcedingController>("test.Conceding")
      .summary("Does something else than it was asked for.")
      .parameter("late", false, "At the third update, not at the start.");
}

void addConceding(bool late, World& world, SimulationOptions& options) {
  world.robots = test::smallWorld().robots;
  ComponentOptions controller;
  controller.type = "test.Conceding";
  controller.settings.set("late", late);
  controller.onError = OnError::hold;
  options.components.push_back(std::move(controller));
}

struct SubstitutionCase {
  SubstitutionKind kind;
  std::function<void(World&, SimulationOptions&)> make;
  std::string said;      ///< In the message and in the record.
  bool inSteps = false;  ///< Seen in a step only.
};

const SubstitutionCase kSubstitutionCases[] = {
    {SubstitutionKind::mass, [](World& world, SimulationOptions&) { world.objects[0].inertia.mass = 0; },
     "it has no mass and moves with 0.001 kg"},
    {SubstitutionKind::inertia,
     [](World& world, SimulationOptions&) { world.objects[0].inertia.inertia = -Matrix3d::Identity(); },
     "it has no inertia that a body can have"},
    {SubstitutionKind::padding, [](World& world, SimulationOptions&) { world.objects[0].surface.padding.reset(); },
     "it gives no padding; contacts are found within 0.0025 m around it"},
    {SubstitutionKind::backend, [](World&, SimulationOptions& options) { options.backend.clear(); },
     "no physics backend is named; 'mortise.NativePhysics' simulates the world"},
    {SubstitutionKind::backendSettings,
     [](World& world, SimulationOptions&) {
       world.simulation.backend = "ode";
       world.simulation.backendSettings = Value::map();
       world.simulation.backendSettings.set("iterations", 5);
     },
     "the world's settings of backend 'ode' (iterations) do not apply to 'mortise.NativePhysics'"},
    {SubstitutionKind::contacts,
     [](World& world, SimulationOptions& options) {
       world.simulation.boundaryLayerContacts = true;
       options.backend = "test.OwnContacts";
     },
     "backend 'test.OwnContacts' takes no contacts from outside; it finds its own"},
    {SubstitutionKind::adaptiveSteps,
     [](World&, SimulationOptions& options) {
       options.backend = "bullet";
       options.contacts = ContactSource::engine;
       options.adaptiveTimeStepping = true;
     },
     "steps are not divided: backend 'mortise.BulletPhysics' finds contacts by itself"},
    {SubstitutionKind::motion,
     [](World& world, SimulationOptions&) {
       world = test::smallWorld();
       for (RigidObject& object : world.objects) object.surface.padding = 0.001;
       world.robots[0].dq.setConstant(300);  // 0.3 rad in a step.
     },
     "it turns farther in a step than the engine can follow", true},
    {SubstitutionKind::motors,
     [](World&, SimulationOptions& options) {
       options.backend = "kinematic";
       options.actuatorLimits.velocity = true;
     },
     "backend 'mortise.KinematicPhysics' has no dynamics: models of motors and their limits have no effect"},
    {SubstitutionKind::component, [](World& world, SimulationOptions& options) { addConceding(false, world, options); },
     "arm/test.Conceding: the gain 7 is beyond 5, and becomes that"},
};

// Two kinds need a pipeline: tests/runtime/pipeline/substitution_test.cpp.
static_assert(std::size(kSubstitutionCases) + 2 == kNumSimulationSubstitutions, "a kind has no test");

class Substitutions : public testing::TestWithParam<int> {
 protected:
  Substitutions() {
    registry_->addBuiltIn(mortise_test_own_contacts);
    registry_->discover();
  }
  /// A world that gives everything.
  static World givingAll() {
    World world = test::smallWorld();
    world.robots.clear();
    for (RigidObject& object : world.objects) object.surface.padding = 0.001;
    return world;
  }
  test::MemoryLog log_;
  std::unique_ptr<Registry> registry_ = test::makeRegistry(log_);
};

TEST_P(Substitutions, AreSaidRecordedAndRefused) {
  const SubstitutionCase& each = kSubstitutionCases[GetParam()];
  World world = givingAll();
  SimulationOptions options;
  options.backend = "mortise";
  each.make(world, options);
  if (options.backend == "bullet") MORTISE_NEEDS_ENGINES("bullet");
  test::MemoryLog log;
  Simulation simulation(world, *registry_, nullptr, log, options);
  EXPECT_NE(log.mentions(each.said), each.inSteps);
  for (int i = 0; each.inSteps && i < 10 && !log.mentions(each.said); ++i) simulation.step();
  EXPECT_TRUE(log.mentions(each.said));
  const Value settings = simulation.effectiveSettings();
  const Value& record = settings.at("substitutions").at(substitutionName(each.kind));
  ASSERT_EQ(record.size(), 1u);
  EXPECT_NE(record[0].asString().find(each.said), std::string::npos) << record[0].asString();

  options.strict = true;
  std::string refused;
  try {
    Simulation strict(world, *registry_, nullptr, log, options);
    for (int i = 0; each.inSteps && i < 10; ++i) strict.step();
    refused = strict.fault();
  } catch (const Error& error) {
    refused = error.what();
  }
  if (weightOf(each.kind) == SubstitutionWeight::byDefault)
    EXPECT_EQ(refused, "") << "a documented default repairs nothing";
  else
    EXPECT_NE(refused.find(each.said), std::string::npos) << refused;
}

INSTANTIATE_TEST_SUITE_P(, Substitutions, testing::Range(0, static_cast<int>(std::size(kSubstitutionCases))),
                         [](const auto& each) {
                           return std::string(substitutionName(kSubstitutionCases[each.param].kind));
                         });

TEST_F(Substitutions, AWorldThatGivesAllHasNone) {
  SimulationOptions options;
  options.backend = "mortise";
  options.strict = true;
  const Simulation simulation(givingAll(), *registry_, nullptr, log_, options);
  EXPECT_EQ(simulation.effectiveSettings().find("substitutions"), nullptr);
}

TEST_F(Substitutions, OneMessageStandsForAllOfAKind) {
  World world = givingAll();
  ASSERT_GE(world.objects.size(), 2u);
  for (RigidObject& object : world.objects) object.inertia.mass = 0;
  SimulationOptions options;
  options.backend = "mortise";
  test::MemoryLog log;
  const Simulation simulation(world, *registry_, nullptr, log, options);
  int said = 0;
  for (const auto& [level, line] : log.lines) said += line.find("it has no mass") != std::string::npos;
  EXPECT_EQ(said, 1);
  EXPECT_TRUE(log.mentions("(and " + std::to_string(world.objects.size() - 1) + " more"));
}

/// Components speak when they like: what they say in a run is told each time, kept once a kind, and ends a strict run,
/// even where the component is to be held on errors.
TEST_F(Substitutions, ComponentsSpeakWhileTheyRun) {
  World world = givingAll();
  SimulationOptions options;
  options.backend = "mortise";
  addConceding(true, world, options);
  test::MemoryLog log;
  Simulation simulation(world, *registry_, nullptr, log, options);
  EXPECT_EQ(simulation.advance(0.055), StepStatus::normal);
  EXPECT_TRUE(log.mentions("arm/test.Conceding: update 6 of 'rod0' is left out"));
  const Value settings = simulation.effectiveSettings();
  const Value& record = settings.at("substitutions").at("component");
  ASSERT_EQ(record.size(), 1u);
  EXPECT_EQ(record[0].asString(), "arm/test.Conceding: update 3 of 'rod0' is left out (and 3 more like it)");

  options.strict = true;
  Simulation strict(world, *registry_, nullptr, log_, options);
  EXPECT_EQ(strict.advance(0.055), StepStatus::error);
  EXPECT_EQ(strict.fault(), "strict: arm/test.Conceding: update 3 of 'rod0' is left out");
  EXPECT_EQ(strict.tick(), 21);
}

TEST_F(Substitutions, SettingsOfTheWorldHoldForItsOwnBackendHoweverItIsChosen) {
  World world = givingAll();
  world.simulation.backend = "mortise";
  world.simulation.backendSettings = Value::map();
  world.simulation.backendSettings.set("iterations", 7);
  SimulationOptions options;
  options.backend = "mortise.NativePhysics";
  const Simulation simulation(world, *registry_, nullptr, log_, options);
  EXPECT_EQ(simulation.effectiveSettings().at("engine").at("iterations").asInteger(), 7);
}

}  // namespace
}  // namespace mortise
