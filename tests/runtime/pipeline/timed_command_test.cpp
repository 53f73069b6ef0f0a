// Commands by time: how they are written, what is wrong with them, and when they are carried out.

#include "mortise/pipeline/simulate/timed_command.h"

#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/component/controller.h"
#include "mortise/component/sensor.h"
#include "mortise/pipeline/simulate/simulation_job.h"
#include "mortise/plugin/plugin.h"
#include "mortise/simulation/saving/saved_state.h"
#include "support.h"
#include "tests/support/worlds.h"

namespace mortise::test {
namespace {

/// Remembers in its torque what it was told last.
class Obedient final : public Controller {
 public:
  explicit Obedient(const ComponentContext&) {}
  void start(const ControllerSetup&) override {}
  void update(const ControllerInput& input, double, std::span<ActuatorCommand> commands) override {
    lastUpdate_ = input.time;
    for (ActuatorCommand& command : commands) {
      command.mode = ActuatorCommand::Mode::torque;
      command.torque = gain_ * torque_;
    }
  }
  bool command(std::string_view name, const Value& arguments) override {
    if (name == "push") {
      torque_ = arguments.asReals().at(0);
      return true;
    }
    if (name == "push_by") {
      torque_ = arguments.at("torque").asReal();
      return true;
    }
    if (name == "stop") {
      torque_ = 0;
      return true;
    }
    return false;
  }
  std::vector<std::pair<std::string, std::string>> commands() const override {
    return {{"push", "TORQUE: push with it"}, {"push_by", "{torque: TORQUE}: the same"}, {"stop", "push no more"}};
  }
  Value settings() const override {
    Value settings = Value::map();
    settings.set("gain", gain_);
    settings.set("q.enabled", gain_ > 0);
    settings.set("arm.gain", gain_);
    settings.set("lastUpdate", lastUpdate_);
    return settings;
  }
  bool changeSetting(std::string_view name, const Value& value) override {
    if (name != "gain" && name != "arm.gain" && name != "arm.hidden") return false;
    gain_ = value.asReal();
    return true;
  }

 private:
  double torque_ = 0, gain_ = 1, lastUpdate_ = 0;
};

MORTISE_PLUGIN_AS(timed_command_plugin, __attribute__((visibility("hidden"))), "timed_command_plugin", "1") {
  plugin.controller<Obedient>("test.Obedient").alias("obedient").summary("Does what it is told.");
}

class TimedCommands : public PipelineTest {
 protected:
  void SetUp() override {
    PipelineTest::SetUp();
    registry_->addBuiltIn(timed_command_plugin);
    registry_->discover();
    two_ = smallWorld();
    RobotDescription other = armDescription(1);
    other.name = "other arm";
    other.links[0].X_PL0.p = Vector3d(0, 3, 1.5);
    two_.robots.push_back(placedRobot(other));
    one_ = smallWorld();
  }
  static std::string errorOf(const std::string& text, const World& world) {
    try {
      (void)timedCommandFromText(text, world);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  std::string listErrors(const std::string& yaml) {
    Diagnostics diagnostics;
    (void)timedCommandsFrom(parseYaml(yaml, "c.yaml"), one_, diagnostics);
    return textOf(diagnostics);
  }
  static std::string obeying(const std::string& commands) {
    return "components: [{controller: obedient, robot: reacher, rate: 1000 Hz}]\n"
           "stages:\n  - simulate:\n      duration: 50 ms\n      commands:\n" +
           commands;
  }
  World one_, two_;
};

TEST_F(TimedCommands, AreWrittenInOneLine) {
  TimedCommand command = timedCommandFromText("1.5 set_q 0 1 -2e-1", one_);
  EXPECT_EQ(command.at, 1.5);
  EXPECT_EQ(command.what, TimedCommand::What::command);
  EXPECT_EQ(command.name, "set_q");
  EXPECT_EQ(command.value.asReals(), (std::vector<double>{0, 1, -0.2}));
  EXPECT_EQ(command.text(), "set_q 0 1 -2e-1");
  command = timedCommandFromText("500ms arm: set_path {times: [0, 1], configurations: [[0], [1]]}", two_);
  EXPECT_EQ(command.at, 0.5);
  EXPECT_EQ(command.robot, 0);
  EXPECT_EQ(command.value.at("times").asReals(), (std::vector<double>{0, 1}));
  const int id = two_.robotId(1);
  EXPECT_EQ(timedCommandFromText("0 " + std::to_string(id) + ": stop", two_).robot, 1) << "by id";
  EXPECT_EQ(timedCommandFromText("0 stop", one_).value.size(), 0u);
  EXPECT_TRUE(timedCommandFromText("0 stop", one_).value.isList());

  command = timedCommandFromText("2 enableGravityCompensation=false", one_);
  EXPECT_EQ(command.what, TimedCommand::What::setting);
  EXPECT_FALSE(command.value.asBool());
  EXPECT_EQ(timedCommandFromText("2 gains=[1, 2]", one_).value.asReals(), (std::vector<double>{1, 2}));
  command = timedCommandFromText("3 arm: wrist.variance=0.5", two_);
  EXPECT_EQ(command.sensor, "wrist");
  EXPECT_EQ(command.name, "variance");
  EXPECT_EQ(timedCommandFromText("3 wrist.enabled=false", one_).what, TimedCommand::What::enabled);
  command = timedCommandFromText("3 wrist.rate=50Hz", one_);
  EXPECT_EQ(command.what, TimedCommand::What::rate);
  EXPECT_EQ(command.value.asReal(), 50);
}

TEST_F(TimedCommands, WrongLinesSayWhatIsMissing) {
  for (const auto& [text, expected] :
       std::vector<std::pair<std::string, std::string>>{{"", "there is nothing in it"},
                                                        {"soon stop", "starts with a time"},
                                                        {"-1 stop", "starts with a time"},
                                                        {"2kg stop", "starts with a time"},
                                                        {"1", "a command is missing after the time"},
                                                        {"1 arm:", "a command is missing after the robot"},
                                                        {"1 amr: stop", "did you mean 'arm'?"},
                                                        {"1 =3", "NAME=VALUE"},
                                                        {"1 .enabled=true", "SENSOR.NAME=VALUE"},
                                                        {"1 wrist.enabled=maybe", "true or false"},
                                                        {"1 wrist.rate=0", "a rate is from"},
                                                        {"1 push {torque: ", "--command"}})
    EXPECT_NE(errorOf(text, one_).find(expected), std::string::npos) << text << "\n" << errorOf(text, one_);
  EXPECT_NE(errorOf("1 stop", two_).find("\"1 ROBOT: stop ...\""), std::string::npos) << errorOf("1 stop", two_);
}

TEST_F(TimedCommands, ListsAreCheckedEntryByEntry) {
  Diagnostics diagnostics;
  const std::vector<TimedCommand> commands = timedCommandsFrom(
      parseYaml("- {at: 3 s, sensor: wrist, enabled: false}\n- {at: 1 s, command: push, arguments: [2]}\n"
                "- {at: 1 s, setting: gain, value: 3}\n- {at: 20 ms, sensor: wrist, rate: 50 Hz}\n",
                "c.yaml"),
      one_, diagnostics);
  EXPECT_FALSE(diagnostics.hasErrors()) << textOf(diagnostics);
  ASSERT_EQ(commands.size(), 4u);
  EXPECT_EQ(commands[0].text(), "wrist.rate = 50");
  EXPECT_EQ(commands[1].text(), "push 2") << "of one time, as written";
  EXPECT_EQ(commands[2].text(), "gain = 3");
  EXPECT_EQ(commands[3].text(), "wrist.enabled = false");
  for (const auto& [yaml, expected] : std::vector<std::pair<std::string, std::string>>{
           {"a: 1", "'commands' must be a list"},
           {"- {command: push}", "c.yaml:1"},
           {"- {at: 1 s}", "needs one of the keys command, setting, enabled, rate"},
           {"- {at: 1 s, command: push, setting: gain, value: 1}", "not two of them"},
           {"- {at: 1 s, setting: gain}", "needs a value"},
           {"- {at: 1 s, enabled: false}", "needs the name of a sensor"},
           {"- {at: 1 s, sensor: wrist, command: push}", "go to controllers"},
           {"- {at: 1 s, command: push, value: 1}", "'value' belongs to a setting"},
           {"- {at: -1 s, command: push}", "at"},
           {"- {at: 1 s, comand: push}", "did you mean 'command'?"},
           {"- {at: 1 s, robot: amr, command: push}", "did you mean 'arm'?"}})
    EXPECT_NE(listErrors(yaml).find(expected), std::string::npos) << yaml << "\n" << listErrors(yaml);
}

TEST_F(TimedCommands, AreCarriedOutBeforeTheStepOfTheirTime) {
  const Pipeline pipeline =
      good(write(obeying("        - {at: 20 ms, command: push, arguments: [3]}\n"
                         "        - {at: 30 ms, setting: gain, value: 2}\n"
                         "        - {at: 40 ms, robot: reacher, command: stop}\n"
                         "        - {at: 45 ms, command: push_by, arguments: {torque: 1}}\n"
                         "      record: [robots]\n")));
  const RunOutcome outcome = run(pipeline, "run");
  ASSERT_TRUE(outcome.failure.empty()) << outcome.failure;
  const Value& done = *outcome.result.findPath("results.simulate.commands");
  ASSERT_EQ(done.size(), 4u);
  EXPECT_NEAR(done[0].at("time").asReal(), 0.02, 1e-12);
  EXPECT_EQ(done[1].at("setting").asString(), "gain");
  EXPECT_EQ(done[3].at("robot").asString(), "reacher");

  // The log has a row a step: the torque of the step from 20 ms to 21 ms is in the row of 21 ms.
  const std::string log = readFile(path("run/" + outcome.result.findPath("results.simulate.logs")->asStrings().at(0)));
  std::istringstream lines(log);
  std::string line;
  std::getline(lines, line);
  std::vector<std::string> header;
  const auto split = [](const std::string& text) {
    std::vector<std::string> cells;
    std::istringstream in(text);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    return cells;
  };
  header = split(line);
  const std::size_t column = std::find_if(header.begin(), header.end(),
                                          [](const std::string& name) { return name.find("_t[") != name.npos; }) -
                             header.begin();
  ASSERT_LT(column, header.size()) << line;
  int row = 0;
  for (; std::getline(lines, line); ++row) {
    const double expected = row <= 20 ? 0 : row <= 30 ? 3 : row <= 40 ? 6 : row <= 45 ? 0 : 2;
    ASSERT_NEAR(std::stod(split(line).at(column)), expected, 1e-9) << "row " << row;
  }
  EXPECT_EQ(row, 51);
}

TEST_F(TimedCommands, TimesCountFromWhereTheRunStarts) {
  const auto hash = [&](const std::string& lines, const char* name) {
    const RunOutcome outcome = run(good(write(lines, std::string(name) + ".yaml")), name);
    EXPECT_TRUE(outcome.failure.empty()) << outcome.failure;
    const Value* value = outcome.result.findPath("results.b.state_hash");
    return value == nullptr ? outcome.failure : value->asString();
  };
  const std::string components = "components: [{controller: obedient, robot: reacher}]\nstages:\n";
  const std::string full = hash(components +
                                    "  - simulate: {save: b, duration: 40 ms, commands: [{at: 5 ms, sensor: q, rate: "
                                    "50 Hz}, {at: 30 ms, command: "
                                    "push, arguments: [2]}]}\n",
                                "whole");
  const std::string parts = hash(components +
                                     "  - simulate: {save: a, duration: 20 ms, save_state: a.state, commands: [{at: 5 "
                                     "ms, sensor: q, rate: 50 Hz}]}\n"
                                     "  - simulate: {save: b, state: a, duration: 20 ms, commands: [{at: 10 "
                                     "ms, command: push, arguments: [2]}]}\n",
                                 "parts");
  EXPECT_EQ(parts, full) << "and the same commands make the same bits";
  const RunOutcome settled = run(
      good(write("components: [{controller: obedient, robot: reacher}]\nstages:\n  - simulate: {save: b, settle: 20 "
                 "ms, duration: 10 ms, commands: [{at: 0, command: push, arguments: [2]}]}\n")),
      "settled");
  EXPECT_NEAR(settled.result.findPath("results.b.commands")->items()[0].at("time").asReal(), 0.02, 1e-9)
      << "after settling";
}

TEST_F(TimedCommands, WhatIsWrongIsSaidBeforeTheRunWhereItCanBe) {
  expectProblem(obeying("        - {at: 20 ms, command: psuh, arguments: [3]}\n"), "p.yaml:8");
  expectProblem(obeying("        - {at: 20 ms, command: psuh, arguments: [3]}\n"),
                "did you mean 'push'? available: push, push_by, stop");
  expectProblem(obeying("        - {at: 60 ms, command: push, arguments: [3]}\n"), "would never be carried out");
  expectProblem(obeying("        - {at: 20 ms, robot: gripper, command: stop}\n"), "there is no robot 'gripper'");
  // The controller that robots get where none is named.
  expectProblem("stages: [{simulate: {duration: 1 s, commands: [{at: 0, command: set_p}]}}]\n",
                "has no command 'set_p'");
  const auto runs = [&](const std::string& commands) {
    const RunOutcome outcome = run(good(write(obeying(commands))), "failing");
    return outcome.failure;
  };
  const std::string setting = runs("        - {at: 20 ms, setting: gian, value: 3}\n");
  EXPECT_NE(setting.find("has no setting 'gian'"), std::string::npos) << setting;
  EXPECT_NE(setting.find("p.yaml:8"), std::string::npos) << setting;
  expectProblem(obeying("        - {at: 20 ms, sensor: qq, enabled: false}\n"), "has no sensor 'qq'");
}

TEST_F(TimedCommands, WrongArgumentsEndTheRunWithTheirLine) {
  for (const auto& [entry, expected] : std::vector<std::pair<std::string, std::string>>{
           {"{at: 20 ms, command: push_by, arguments: {torqe: 3}}", "torque"},
           {"{at: 20 ms, command: push, arguments: [hard]}", "hard"},
           {"{at: 20 ms, setting: gain, value: big}", "big"},
           {"{at: 20 ms, setting: lastUpdate, value: 1}", "does not change its setting 'lastUpdate' while it runs"}}) {
    const RunOutcome outcome = run(good(write(obeying("        - " + entry + "\n      record: [robots]\n"))), "wrong");
    EXPECT_NE(outcome.failure.find(expected), std::string::npos) << outcome.failure;
    EXPECT_NE(outcome.failure.find("p.yaml:8"), std::string::npos) << outcome.failure;
    const Value* steps = outcome.result.findPath("results.simulate.steps");
    ASSERT_NE(steps, nullptr);
    EXPECT_EQ(steps->asInteger(), 20) << "what came before is kept";
  }
}

TEST_F(TimedCommands, SettingsInsideControllersHaveDotsToo) {
  EXPECT_EQ(timedCommandFromText("1 go b", one_).value.asString(), "b") << "one word is no list";
  EXPECT_EQ(timedCommandFromText("1 push 2", one_).value.size(), 1u);
  EXPECT_TRUE(timedCommandFromText("1 push 2", one_).value.isList());
  const Pipeline pipeline =
      good(write(obeying("        - {at: 1 ms, setting: arm.gain, value: 3}\n"
                         "        - {at: 2 ms, setting: arm.hidden, value: 4}\n"
                         "        - {at: 3 ms, setting: q.qvariance, value: [0.1]}\n"
                         "        - {at: 4 ms, setting: dq.enabled, value: false}\n")));
  const RunOutcome outcome = run(pipeline, "dots");
  ASSERT_TRUE(outcome.failure.empty()) << outcome.failure;
  const Value& done = *outcome.result.findPath("results.simulate.commands");
  ASSERT_EQ(done.size(), 4u);
  EXPECT_EQ(done[1].at("setting").asString(), "arm.hidden");
  EXPECT_EQ(done[2].at("sensor").asString(), "q");
  EXPECT_FALSE(done[3].at("enabled").asBool());

  SimulationOptions options;
  ComponentOptions controller;
  controller.type = "obedient";
  options.components = {controller};
  Simulation simulation(one_, *registry_, nullptr, log_, options);
  const auto problem = [&](const std::string& text) {
    Diagnostics diagnostics;
    checkCommands(simulation, {timedCommandFromText(text, one_)}, diagnostics);
    return textOf(diagnostics);
  };
  EXPECT_EQ(problem("1 arm.gain=2"), "");
  EXPECT_EQ(problem("1 dq.enabled=false"), "");
  EXPECT_EQ(carryOut(simulation, timedCommandFromText("1 arm.gain=2", one_)).name, "arm.gain");
  EXPECT_EQ(simulation.controller(0)->settings().at("gain").asReal(), 2);
  EXPECT_EQ(carryOut(simulation, timedCommandFromText("1 dq.rate=50Hz", one_)).sensor, "dq");
  EXPECT_NE(problem("1 arm.gian=2").find("did you mean 'arm.gain'?"), std::string::npos) << problem("1 arm.gian=2");
  EXPECT_NE(problem("1 leg.gain=2").find("has no sensor 'leg', and no setting of its controller"), std::string::npos)
      << problem("1 leg.gain=2");
  const std::string both = problem("1 q.enabled=false");
  EXPECT_NE(both.find("both the controller of robot"), std::string::npos) << both;
  EXPECT_NE(both.find("its sensor 'q'"), std::string::npos) << both;
}

TEST_F(TimedCommands, SensorsAreSwitchedOffAndSlowedDown) {
  const Pipeline pipeline =
      good(write("stages:\n  - simulate:\n      duration: 0.3 s\n      record: [sensors]\n      commands:\n"
                 "        - {at: 100 ms, sensor: q, enabled: false}\n"
                 "        - {at: 200 ms, sensor: q, enabled: true}\n"
                 "        - {at: 200 ms, sensor: q, rate: 10 Hz}\n"));
  const RunOutcome outcome = run(pipeline, "sensors");
  ASSERT_TRUE(outcome.failure.empty()) << outcome.failure;
  EXPECT_EQ(outcome.result.findPath("results.simulate.commands")->size(), 3u);
}

TEST_F(TimedCommands, ListWhatCanBeCommanded) {
  SimulationOptions options;
  ComponentOptions controller;
  controller.type = "obedient";
  controller.robot = 1;
  options.components = {controller};
  Simulation simulation(two_, *registry_, nullptr, log_, options);
  const Value list = listCommands(simulation);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].at("name").asString(), "arm");
  EXPECT_EQ(list[0].at("commands")[0].at("name").asString(), "set_q");
  EXPECT_EQ(list[0].at("sensors")[0].at("channels").size(), 2u);
  EXPECT_EQ(list[1].at("controller").asString(), "test.Obedient");
  EXPECT_EQ(list[1].at("settings").at("gain").asReal(), 1);
  ASSERT_EQ(list[1].at("sensors").size(), 2u);
  EXPECT_EQ(list[1].at("sensors")[0].at("channels").size(), 1u);
}

TEST_F(TimedCommands, StatesOfOtherMotorsGivePosesOnly) {
  SimulationOptions options;
  Simulation plain(one_, *registry_, nullptr, log_, options);
  plain.advance(0.01);
  const std::string state = stateText(plain, StateFormat::raw);
  MotorOptions motor;
  motor.driver = 1;
  motor.settings.set("stall_torque", 30);
  motor.settings.set("no_load_speed", 10);
  options.motors = {motor};
  Simulation motored(one_, *registry_, nullptr, log_, options);
  std::string reason;
  EXPECT_TRUE(fitsInPosesOnly(motored, state, reason));
  EXPECT_NE(reason.find("here it is motor 'dc' of driver rod1 of arm"), std::string::npos) << reason;
  motored.advance(0.01);
  const std::string own = stateText(motored, StateFormat::raw);
  EXPECT_TRUE(fitsInPosesOnly(plain, own, reason));
  EXPECT_FALSE(fitsInPosesOnly(motored, own, reason)) << reason;
  const std::uint64_t hash = motored.stateHash();
  motored.advance(0.01);
  loadState(motored, own, inFile("own.state"));
  EXPECT_EQ(motored.stateHash(), hash);
}

TEST_F(TimedCommands, MotorsAndTheirLimitsAreSettingsOfTheSimulation) {
  const std::string stages = "stages: [{simulate: {duration: 10 ms}}]\n";
  const RunOutcome outcome = run(
      good(write("simulation:\n  actuator_limits: [torque, velocity]\n  motors:\n"
                 "    - {robot: reacher, driver: elbow, model: dc, stall_torque: 60 N*m, no_load_speed: 200 deg/s}\n"
                 "    - {driver: [0, 1], model: dc, stall_torque: 1, no_load_speed: 300, gear: 100}\n" +
                 stages)),
      "motors");
  ASSERT_TRUE(outcome.failure.empty()) << outcome.failure;
  const Value& effective = *outcome.result.findPath("results.simulate.effective");
  EXPECT_EQ(effective.at("actuatorLimits").asString(), "torque, velocity");
  EXPECT_EQ(effective.at("motors").size(), 3u);
  const auto simulation = [&](const std::string& lines) { return "simulation:\n" + lines + stages; };
  expectProblem(simulation("  actuator_limits: speed\n"), "p.yaml:4:20");
  expectProblem(simulation("  actuator_limits: [torque, powr]\n"), "did you mean 'power'?");
  expectProblem(simulation("  motors: {model: dc}\n"), "'simulation.motors' must be a list");
  expectProblem(simulation("  motors:\n    - {stall_torque: 3}\n"), "a motor needs a model");
  expectProblem(simulation("  motors:\n    - {model: ac}\n"), "there is no model of motors 'ac'");
  expectProblem(simulation("  motors:\n    - {model: dc, stall_torque: 3}\n"), "no_load_speed");
  expectProblem(simulation("  motors:\n    - {model: dc, stall_torque: 3, no_load_speed: 2, gaer: 3}\n"), "p.yaml:5");
  expectProblem(simulation("  motors:\n    - {model: dc, stall_torque: 3, no_load_speed: -2}\n"), "p.yaml:5");
  expectProblem(simulation("  motors:\n    - {driver: elbw, model: dc, stall_torque: 3, no_load_speed: 2}\n"),
                "did you mean 'elbow'?");
  expectProblem(simulation("  motors:\n    - {robot: x, model: dc, stall_torque: 3, no_load_speed: 2}\n"),
                "there is no robot 'x'");
  expectProblem(simulation("  motors:\n    - {model: dc, stall_torque: 3, no_load_speed: 2}\n"
                           "    - {driver: elbow, model: dc, stall_torque: 3, no_load_speed: 2}\n"),
                "has two motors");
}

}  // namespace
}  // namespace mortise::test
