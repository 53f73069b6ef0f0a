// What the loop hands its components: estimates, readings of other sensors, every step, controllers of their own.

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "mortise/base/error.h"
#include "mortise/component/role.h"
#include "mortise/loading/format_loader.h"
#include "mortise/plugin/plugin.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

/// Means over its period of what a view shows of each step: force of contacts on the first object, speed of the last
/// link, force put on from outside.
class StepProbe final : public Sensor {
 public:
  void start(const SensorSetup& setup) override {
    id_ = setup.world.objects.empty() ? -1 : setup.world.objectId(0);
    robot_ = setup.robot;
    sum_ = {};
    steps_ = 0;
  }
  std::span<const std::string> channels() const override { return channels_; }
  bool observesSteps() const override { return true; }
  void observe(const SimulationView& view, double dt) override {
    for (const ContactForce& contact : view.weightedContacts) {
      if (contact.idA == id_) sum_[0] += contact.force.z();
      if (contact.idB == id_) sum_[0] -= contact.force.z();
    }
    sum_[1] += view.robots[robot_].twists.back().v_WL.norm();
    for (const AppliedWrench& wrench : view.wrenches)
      if (wrench.id == id_) sum_[2] += wrench.force.x();
    ++steps_;
    EXPECT_DOUBLE_EQ(view.timeStep, dt);
  }
  void simulate(const SimulationView&, double, std::span<double> out) override {
    for (int i = 0; i < 3; ++i) out[i] = steps_ > 0 ? sum_[i] / steps_ : 0;
    out[3] = steps_;
    sum_ = {};
    steps_ = 0;
  }
  void save(ByteWriter& out) const override {
    for (double v : sum_) out.put(v);
    out.put(steps_);
  }
  void restore(ByteReader& in) override {
    for (double& v : sum_) in.get(v);
    in.get(steps_);
  }

 private:
  std::vector<std::string> channels_ = {"force", "speed", "outside", "steps"};
  int id_ = -1, robot_ = 0, steps_ = 0;
  std::array<double, 3> sum_ = {};
};

/// Repeats the first value of the sensor before it.
class Repeater final : public Sensor {
 public:
  void start(const SensorSetup& setup) override {
    if (setup.sensors.empty()) throw Error("no sensor stands before this one");
    before_ = setup.sensors.back().values;
  }
  std::span<const std::string> channels() const override { return channels_; }
  void simulate(const SimulationView&, double, std::span<double> out) override { out[0] = before_[0]; }

 private:
  std::vector<std::string> channels_ = {"value"};
  std::span<const double> before_;
};

class TruthEstimator final : public Estimator {
 public:
  explicit TruthEstimator(const ComponentContext& context) : shift_(context.settings.at("shift").asReal()) {}
  void start(const EstimatorSetup& setup) override { EXPECT_TRUE(setup.simulated); }
  void readSensors(const EstimatorInput& input) override { truth_ = input.truth; }
  void estimate(VectorXd& q, VectorXd& dq) const override {
    q = truth_->q;
    q[0] += shift_;
    dq = truth_->dq;
  }

 private:
  double shift_;
  const RobotState* truth_ = nullptr;
};

/// Torque of the first driver: what its random stream says, or the estimate of the first coordinate.
class Follower final : public Controller {
 public:
  explicit Follower(const ComponentContext& context) : host_(context.host) {}
  void start(const ControllerSetup&) override {}
  void update(const ControllerInput& input, double, std::span<ActuatorCommand> commands) override {
    commands[0].mode = ActuatorCommand::Mode::torque;
    commands[0].torque = input.estimate != nullptr ? input.estimate->q[0] : host_.random().gaussian();
  }

 private:
  Host& host_;
};

/// Leaves everything to another controller.
class Parent final : public Controller {
 public:
  explicit Parent(const ComponentContext& context)
      : child_(context.host.createController(context.settings.at("child").asString(), Value::map(), "child", {})) {}
  void start(const ControllerSetup& setup) override { child_->start(setup); }
  void update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) override {
    child_->update(input, period, commands);
  }

 private:
  ComponentPtr<Controller> child_;
};

/// Holds another one of its own kind.
class Endless final : public Controller {
 public:
  explicit Endless(const ComponentContext& context)
      : child_(context.host.createController("wiring.Endless", Value::map(), "next", {})) {}
  void start(const ControllerSetup&) override {}
  void update(const ControllerInput&, double, std::span<ActuatorCommand>) override {}

 private:
  ComponentPtr<Controller> child_;
};

MORTISE_PLUGIN_AS(wiring_plugin, , "wiring_plugin", "1") {
  plugin.sensor<StepProbe>("wiring.StepProbe");
  plugin.sensor<Repeater>("wiring.Repeater");
  plugin.estimator<TruthEstimator>("wiring.Truth").parameter("shift", 0.0, "Added to the first coordinate.");
  plugin.controller<Follower>("wiring.Follower");
  plugin.controller<Follower>("wiring.Asking").attribute("estimator", "wiring.Truth");
  plugin.controller<Endless>("wiring.Endless");
  plugin.controller<Follower>("wiring.Writer")
      .parameter("file", "", "Written.")
      .attribute("outputs", std::vector<std::string>{"file"});
  plugin.controller<Parent>("wiring.Parent").parameter("child", "wiring.Follower", "Who does the work.");
}

class Wiring : public testing::Test {
 protected:
  Wiring() { registry->addBuiltIn(wiring_plugin), registry->discover(); }

  static ComponentOptions component(Kind kind, const char* type, double rate = 0) {
    ComponentOptions options;
    options.kind = kind;
    options.type = type;
    options.rate = rate;
    return options;
  }
  static std::span<const double> values(const Simulation& simulation, std::string_view name) {
    const SensorReading* reading = findReading(simulation.sensorReadings(0), name);
    return reading != nullptr ? reading->values : std::span<const double>();
  }

  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
  World world = test::smallWorld();
};

TEST_F(Wiring, SensorsSeeEveryStepAndWhatActsInIt) {
  SimulationOptions options;
  options.components = {component(Kind::sensor, "wiring.StepProbe", 20)};
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.advance(0.5);
  simulation.applyWrench(world.objectId(0), Vector3d(0.5, 0, 0), Vector3d::Zero(), Vector3d::Zero());
  simulation.advance(0.051);
  const std::span<const double> probe = values(simulation, "wiring.StepProbe");
  ASSERT_EQ(probe.size(), 4U);
  EXPECT_EQ(probe[3], 50) << "steps in a period";
  EXPECT_NEAR(probe[0], 9.8, 0.02) << "the weight, from the contacts of all steps";
  EXPECT_DOUBLE_EQ(probe[2], 0.5);
}

TEST_F(Wiring, ForcesOfDividedStepsAddUpToMeans) {
  SimulationOptions options;
  options.components = {component(Kind::sensor, "wiring.StepProbe", 1000)};
  options.onUnstable = OnUnstable::scale;  // Klamp't's rule divides steps.
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.advance(0.5);
  const double before = simulation.objectState(0).v_WB.z();
  // A push along the ground that looks like an instability: the step is made in parts.
  const Vector3d center = simulation.objectState(0).X_WB.p;
  simulation.applyWrench(world.objectId(0), Vector3d(5000, 0, 0), Vector3d::Zero(), center);
  ASSERT_EQ(simulation.step(), StepStatus::adaptive);
  const double change = simulation.objectState(0).v_WB.z() - before;
  EXPECT_GT(simulation.view().weightedContacts.size(), simulation.view().contacts.size());
  simulation.step();
  EXPECT_NEAR(values(simulation, "wiring.StepProbe")[0], change / 0.001 + 9.8, 1e-3 * 9.8)
      << "what the ground gave is what gravity took and what the body gained";
}

TEST_F(Wiring, TwistsOfLinksAreThoseOfTheirBodies) {
  world.robots[0].dq[0] = 2;
  world.robots[0].dq[1] = -1;
  Simulation simulation(world, *registry, nullptr, log);
  for (int k = 0; k < 3; ++k, simulation.advance(0.05)) {
    const SimulationView view = simulation.view();
    const Robot& robot = *world.robots[0].robot;
    std::vector<Vector3d> v(robot.numLinks()), w(robot.numLinks());
    linkVelocities(robot, *view.robots[0].state, v, w);
    for (int i = 0; i < robot.numLinks(); ++i) {
      EXPECT_LT((view.robots[0].twists[i].v_WL - v[i]).norm(), k == 0 ? 1e-9 : 1e-4)
          << "joints of the engine have some play";
      EXPECT_LT((view.robots[0].twists[i].w_WL - w[i]).norm(), k == 0 ? 1e-9 : 1e-4);
    }
  }
}

TEST_F(Wiring, SensorsFindThoseBeforeThem) {
  SimulationOptions options;
  options.components = {component(Kind::sensor, "wiring.StepProbe"), component(Kind::sensor, "wiring.Repeater")};
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.advance(0.2);
  EXPECT_EQ(values(simulation, "wiring.Repeater")[0], values(simulation, "wiring.StepProbe")[0]);
  EXPECT_NE(values(simulation, "wiring.Repeater")[0], 0);
  simulation.reset();
  simulation.advance(0.2);
  EXPECT_EQ(values(simulation, "wiring.Repeater")[0], values(simulation, "wiring.StepProbe")[0]);

  options.components.erase(options.components.begin());
  EXPECT_THROW(Simulation(world, *registry, nullptr, log, options), Error);
}

TEST_F(Wiring, SensorsAreSwitchedOffAndOn) {
  SimulationOptions options;
  options.components = {component(Kind::sensor, "wiring.StepProbe", 100)};
  options.components[0].enabled = false;
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.advance(0.1);
  EXPECT_EQ(values(simulation, "wiring.StepProbe")[3], 0);
  simulation.setSensorEnabled(0, "wiring.StepProbe", true);
  simulation.setSensorRate(0, "wiring.StepProbe", 50);
  const std::vector<std::byte> snapshot = simulation.save();
  simulation.advance(0.061);
  EXPECT_EQ(values(simulation, "wiring.StepProbe")[3], 20);
  const std::uint64_t hash = simulation.stateHash();
  Simulation other(world, *registry, nullptr, log, options);
  other.restore(snapshot);
  other.advance(0.061);
  EXPECT_EQ(other.stateHash(), hash) << "a snapshot knows what was switched";
  EXPECT_THROW(simulation.setSensorEnabled(0, "wiring.StepProb", true), Error);
  EXPECT_THROW(simulation.setSensorRate(0, "wiring.StepProbe", 0), Error);
}

TEST_F(Wiring, ControllersGetTheEstimateTheyAskFor) {
  SimulationOptions options;
  options.components = {component(Kind::controller, "wiring.Asking")};
  Simulation asking(world, *registry, nullptr, log, options);
  asking.advance(0.055);
  EXPECT_NE(asking.view().robots[0].commands[0].torque, 0);

  options.components = {component(Kind::controller, "wiring.Follower")};
  options.components[0].estimator = "wiring.Truth";
  options.components[0].estimatorSettings.set("shift", 0.25);
  Simulation named(world, *registry, nullptr, log, options);
  named.step();
  EXPECT_DOUBLE_EQ(named.view().robots[0].commands[0].torque, world.robots[0].q[0] + 0.25);

  options.components[0].estimator = "wiring.Trut";
  try {
    Simulation simulation(world, *registry, nullptr, log, options);
    FAIL() << "an estimator that nobody has";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("wiring.Truth"), std::string::npos) << error.what();
  }
}

TEST_F(Wiring, ControllersCreateControllersWithStreamsOfTheirOwn) {
  SimulationOptions options;
  options.seed = 7;
  options.components = {component(Kind::controller, "wiring.Parent")};
  Simulation first(world, *registry, nullptr, log, options);
  first.advance(0.1);
  const std::vector<std::byte> snapshot = first.save();
  first.advance(0.1);
  Simulation second(world, *registry, nullptr, log, options);
  second.restore(snapshot);
  second.advance(0.1);
  EXPECT_EQ(first.stateHash(), second.stateHash()) << "the child's random stream belongs to the state";

  options.components[0].settings.set("child", "wiring.Folower");
  EXPECT_THROW(Simulation(world, *registry, nullptr, log, options), Error);
}

TEST_F(Wiring, ControllersThatHoldThemselvesAreRefused) {
  SimulationOptions options;
  options.components = {component(Kind::controller, "wiring.Parent")};
  options.components[0].settings.set("child", "wiring.Endless");
  try {
    Simulation simulation(world, *registry, nullptr, log, options);
    FAIL() << "no end";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("16 deep"), std::string::npos) << error.what();
  }
}

TEST_F(Wiring, RatesThatStepsDoNotAllowAreSaid) {
  SimulationOptions options;
  options.components = {component(Kind::sensor, "wiring.StepProbe", 5000)};
  Simulation simulation(world, *registry, nullptr, log, options);
  EXPECT_TRUE(log.mentions("1000 Hz at most"));
}

/// A folder with a motion file in it, which goes when the test ends.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("mortise_wiring_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

TEST_F(Wiring, ReferencesOfWorldFilesAreRelativeToThem) {
  Folder folder;
  std::ofstream(folder / "motion.path") << "0 2 0 0\n1 2 0.1 0\n";
  Diagnostics diagnostics;
  FormatLoader loader(*registry, log, ResourcePath());
  Value settings = Value::map();
  settings.set("path", "motion.path");
  world.simulation.controllers.push_back({0, {"PolynomialPathController", settings, {folder / "world.xml", 3, 1, {}}}});
  Simulation simulation(world, *registry, &loader, log);
  simulation.advance(1);
  EXPECT_NEAR(simulation.view().robots[0].commands[0].position, 0.1, 2e-3);
  EXPECT_FALSE(log.mentions("motion.path"));
}

TEST_F(Wiring, WhatAComponentWritesIsNoSettingOfIt) {
  Folder folder;
  SimulationOptions options;
  options.components = {component(Kind::controller, "wiring.Writer")};
  options.components[0].settings.set("file", folder / "out.txt");
  const auto hash = [&] {
    Simulation simulation(world, *registry, nullptr, log, options);
    return simulation.effectiveSettings().findPath("components.0.settings_hash")->asString();
  };
  const std::string before = hash();
  std::ofstream(folder / "out.txt") << "written";
  EXPECT_EQ(hash(), before);
  options.components[0].settings.set("file", folder / "other.txt");
  EXPECT_NE(hash(), before);
}

TEST_F(Wiring, SensorsRunAtTheRateOfTheirRobotsController) {
  SimulationOptions options;
  options.components = {component(Kind::controller, "wiring.Follower", 500)};
  Simulation simulation(world, *registry, nullptr, log, options);
  const Value settings = simulation.effectiveSettings();
  for (const Value& entry : settings.at("components").items())
    EXPECT_EQ(entry.at("rate").asReal(), 500) << entry.string("sensor", "the controller");
}

TEST_F(Wiring, WrongSensorsOfAWorldAreLeftOutUnlessStrict) {
  Value settings = Value::map();
  settings.set("qvarianc", 1);
  world.simulation.sensors.push_back({0, {"JointPositionSensor", settings, {"world.xml", 3, 1, {}}}});
  Simulation simulation(world, *registry, nullptr, log);
  EXPECT_TRUE(log.mentions("is left out")) << "and says so";
  SimulationOptions options;
  options.strict = true;
  EXPECT_THROW(Simulation(world, *registry, nullptr, log, options), Error);
  world.simulation.sensors[0].second.settings = Value::map();
  world.simulation.sensors[0].second.settings.set("rate", -1.0);
  EXPECT_THROW(Simulation(world, *registry, nullptr, log), Error);
}

TEST_F(Wiring, NamesOfStandardSensorsMayBeTaken) {
  Value settings = Value::map();
  settings.set("name", "q");
  world.simulation.sensors.push_back({0, {"JointVelocitySensor", settings, {}}});
  Simulation simulation(world, *registry, nullptr, log);
  ASSERT_EQ(simulation.sensorReadings(0).size(), 2U);
  EXPECT_EQ(simulation.sensorReadings(0)[0].name, "q");
  EXPECT_EQ(simulation.sensorReadings(0)[1].name, "JointPositionSensor");
}

TEST_F(Wiring, OtherPluginsTakeTheRolesOfStandardComponents) {
  Registry own(log);
  own.addFile(MORTISE_BINARY_DIR "/tests/plugins/kernel_only.so");
  own.addFolder(MORTISE_BINARY_DIR "/lib/mortise/plugins", "build");
  own.discover();
  Simulation simulation(world, own, nullptr, log);
  const Value settings = simulation.effectiveSettings();
  EXPECT_EQ(settings.findPath("components.0.controller")->asString(), "fixture.Follower");
  ASSERT_EQ(simulation.sensorReadings(0).size(), 2U);
  const SensorReading& positions = simulation.sensorReadings(0)[0];
  EXPECT_EQ(positions.name, "q");
  EXPECT_EQ(positions.type, "fixture.Encoder");
  EXPECT_TRUE(positions.hasRole(role::kJointPositions));
  EXPECT_TRUE(simulation.sensorReadings(0)[1].hasRole(role::kJointVelocities));
  simulation.advance(0.02);
  EXPECT_EQ(positions.values[0], 0.25) << "what the sensor of the other plugin says";
}

TEST_F(Wiring, ASensorOfAnotherPluginStandsForTheStandardOne) {
  registry->addFile(MORTISE_BINARY_DIR "/tests/plugins/kernel_only.so");
  registry->discover();
  Value settings = Value::map();
  settings.set("value", 0.5);
  world.simulation.sensors = {{0, {"fixture.Encoder", settings, {}}}, {0, {"DriverTorqueSensor", Value::map(), {}}}};
  SimulationOptions options;
  ComponentOptions follower;
  follower.type = "fixture.Follower";
  options.components = {follower};
  Simulation simulation(world, *registry, nullptr, log, options);
  ASSERT_EQ(simulation.sensorReadings(0).size(), 3U) << "no other one measures positions";
  EXPECT_EQ(simulation.sensorReadings(0)[0].name, "fixture.Encoder");
  simulation.advance(0.02);
  EXPECT_NEAR(simulation.sensorReadings(0)[1].values[0], 0.5, 1e-9) << "the controller finds it by its role";
}

TEST_F(Wiring, RobotsNameTheirController) {
  RobotDescription description = test::armDescription(2);
  description.controller = Value::map();
  description.controller.set("type", "wiring.Follower");
  world.robots[0] = test::placedRobot(description);
  Simulation own(world, *registry, nullptr, log);
  EXPECT_EQ(own.effectiveSettings().findPath("components.0.controller")->asString(), "wiring.Follower");
  world.simulation.controllers.push_back({0, {"wiring.Asking", Value::map(), {}}});
  Simulation worlds(world, *registry, nullptr, log);
  EXPECT_EQ(worlds.effectiveSettings().findPath("components.0.controller")->asString(), "wiring.Asking")
      << "the world's comes before the robot's own";
  world.simulation.controllers.push_back({0, {"wiring.Follower", Value::map(), {}}});
  Simulation two(world, *registry, nullptr, log);
  EXPECT_TRUE(log.mentions("has two controllers; 'wiring.Asking' is left out"));
  SimulationOptions options;
  options.strict = true;
  EXPECT_THROW(Simulation(world, *registry, nullptr, log, options), Error);
}

}  // namespace
}  // namespace mortise
