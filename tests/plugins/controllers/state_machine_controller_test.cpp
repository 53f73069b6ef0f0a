#include <algorithm>

#include "composite_test.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/hostile_bytes.h"

namespace mortise {
namespace {

using test::errorText;

constexpr const char* kMachine = R"(states:
  - {name: wait, controller: test.Probe, value: 1}
  - {name: press, controller: test.Probe, value: 2}
  - {name: leave, controller: test.Probe, value: 3, servo: true}
transitions:
  - {from: wait, to: press, when: foot.force_z > 5}
  - {from: press, to: leave, after: 50 ms}
  - {from: [leave, press], to: wait, command: again}
  - {to: leave, when: "foot.force_z > 100"}
)";

using StateMachineTest = test::CompositeTest;

TEST_F(StateMachineTest, GoesByConditionTimeAndCommand) {
  auto machine = started("StateMachineController", kMachine);
  EXPECT_EQ(active(*machine), "wait");
  update(*machine, 0);
  update(*machine, 0.01);
  EXPECT_EQ(commands[0].torque, 1.01);
  contactValues[1] = 6;
  update(*machine, 0.02);
  EXPECT_EQ(active(*machine), "press");
  EXPECT_EQ(commands[0].torque, 2) << "time counts from entering";
  EXPECT_EQ(commands[0].velocity, 0) << "and so do ticks";
  EXPECT_EQ(commands[0].kP, 401) << "gains are those of the start again";
  update(*machine, 0.03);
  EXPECT_NEAR(commands[0].torque, 2.01, 1e-12);
  EXPECT_EQ(commands[0].velocity, 10);
  for (int k = 4; k <= 6; ++k) update(*machine, 0.01 * k);
  EXPECT_EQ(active(*machine), "press");
  update(*machine, 0.07);
  EXPECT_EQ(active(*machine), "leave") << "50 ms after it was entered";
  EXPECT_EQ(host.published.at("active"), std::vector<double>{2});
  contactValues[1] = 0;
  EXPECT_TRUE(machine->command("again", Value()));
  update(*machine, 0.08);
  EXPECT_EQ(active(*machine), "wait");
  EXPECT_EQ(commands[0].torque, 1);
}

TEST_F(StateMachineTest, TheFirstTransitionThatHoldsIsTakenAndOnlyOne) {
  auto machine = started("StateMachineController", kMachine);
  contactValues[1] = 200;
  update(*machine, 0);
  EXPECT_EQ(active(*machine), "press") << "listed first, though the last one holds as well";
  update(*machine, 0.01);
  EXPECT_EQ(active(*machine), "leave");
  update(*machine, 0.02);
  update(*machine, 0.03);
  EXPECT_EQ(active(*machine), "leave");
  EXPECT_NEAR(commands[0].torque, 3.02, 1e-12) << "from anywhere else: not entered again and again";
}

TEST_F(StateMachineTest, AllTriggersOfATransitionMustHold) {
  auto machine = started("StateMachineController",
                         "states: [{name: a, controller: test.Probe}, {name: b, controller: test.Probe}]\n"
                         "transitions: [{from: a, to: b, after: 20 ms, when: foot.contact > 0, command: push}]\n");
  contactValues[0] = 1;
  update(*machine, 0);
  machine->command("push", Value());
  update(*machine, 0.01);
  EXPECT_EQ(active(*machine), "a") << "too early; the command is spent";
  update(*machine, 0.02);
  update(*machine, 0.03);
  EXPECT_EQ(active(*machine), "a");
  machine->command("push", Value());
  update(*machine, 0.04);
  EXPECT_EQ(active(*machine), "b");
}

TEST_F(StateMachineTest, AStateMayRestartItself) {
  auto machine = started("StateMachineController",
                         "states: [{name: a, controller: test.Probe}]\n"
                         "transitions: [{from: a, to: a, after: 30 ms}]\n");
  for (int k = 0; k < 10; ++k) {
    update(*machine, 0.01 * k);
    EXPECT_NEAR(commands[0].torque, 0.01 * (k % 3), 1e-12) << k;
  }
}

TEST_F(StateMachineTest, GoEntersAStateFromAnywhere) {
  auto machine = started("StateMachineController", std::string(kMachine) + "initial: leave\n");
  EXPECT_EQ(active(*machine), "leave");
  EXPECT_TRUE(machine->command("go", parseYaml("{state: press}", "")));
  update(*machine, 0);
  EXPECT_EQ(active(*machine), "press");
  EXPECT_TRUE(machine->command("go", parseYaml("[wait]", ""))) << "as the command line has it";
  update(*machine, 0.01);
  EXPECT_EQ(active(*machine), "wait");
  EXPECT_TRUE(has(errorText([&] { machine->command("go", "prss"); }), "did you mean 'press'?"));
  EXPECT_TRUE(has(errorText([&] { machine->command("go", parseYaml("{stat: press}", "")); }), "go: {state: NAME}"));
}

TEST_F(StateMachineTest, NothingJumpsWhenAStateIsEntered) {
  auto machine = started("StateMachineController",
                         "states:\n"
                         "  - name: track\n"
                         "    controller: JointTrackingController\n"
                         "    on_enter: [{command: set_q, arguments: [0.5, -0.5, 1]}]\n"
                         "  - {name: hold, controller: JointTrackingController}\n"
                         "  - {name: push, controller: test.Probe, value: 3}\n"
                         "  - {name: rest, controller: JointTrackingController}\n"
                         "transitions:\n"
                         "  - {from: track, to: hold, after: 20 ms}\n"
                         "  - {from: hold, to: push, after: 20 ms}\n"
                         "  - {from: push, to: rest, after: 20 ms}\n");
  estimate.q << 0.4, -0.4, 0.9;
  update(*machine, 0);
  EXPECT_EQ(commands[0].position, 0.5) << "the commands of the first state have been given as well";
  update(*machine, 0.01);
  update(*machine, 0.02);
  EXPECT_EQ(active(*machine), "hold");
  EXPECT_EQ(commands[0].position, 0.5) << "what the servo is asked for goes on";
  EXPECT_EQ(commands[2].position, 1);
  update(*machine, 0.04);
  EXPECT_EQ(active(*machine), "push");
  estimate.q << 0.7, 0.8, -0.9;
  update(*machine, 0.06);
  EXPECT_EQ(active(*machine), "rest");
  EXPECT_EQ(commands[0].position, 0.7) << "after torques: where the robot is";
  EXPECT_EQ(commands[2].position, -0.9);
}

TEST_F(StateMachineTest, CommandsGoToTheControllerOfTheActiveState) {
  auto machine = started("StateMachineController", kMachine);
  update(*machine, 0);
  EXPECT_TRUE(machine->command("wait.set", 10.0));
  update(*machine, 0.01);
  EXPECT_EQ(commands[0].torque, 10.01);
  EXPECT_TRUE(machine->command("set", 20.0));
  update(*machine, 0.02);
  EXPECT_EQ(commands[0].torque, 20.02);
  EXPECT_TRUE(has(errorText([&] { machine->command("press.set", 1.0); }), "state 'press' is not the active one"));
  EXPECT_TRUE(has(errorText([&] { machine->command("pres.set", 1.0); }), "did you mean 'press'?"));
  EXPECT_TRUE(has(errorText([&] { machine->command("wait.ste", 1.0); }), "did you mean 'set'?"));
  EXPECT_TRUE(has(errorText([&] { machine->command("again", Value()); }), "state 'wait' has no transition on 'again'"));
  EXPECT_FALSE(machine->command("fly", Value()));
  EXPECT_TRUE(machine->changeSetting("press.value", 4.0));
  contactValues[1] = 6;
  update(*machine, 0.03);
  EXPECT_EQ(commands[0].torque, 4);
  std::vector<std::string> names;
  for (const auto& [name, help] : machine->commands()) names.push_back(name);
  for (const char* name : {"go", "again", "wait.set", "leave.fail"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
}

TEST_F(StateMachineTest, WhatFailsIsNamed) {
  auto machine = started("StateMachineController", kMachine);
  machine->command("fail", Value());
  const std::string error = errorText([&] { update(*machine, 0); });
  EXPECT_TRUE(has(error, "'wait' (test.Probe): the probe was told to fail")) << error;
}

TEST_F(StateMachineTest, MistakesAreFoundWhereTheyAreWritten) {
  const auto refused = [&](const std::string& settings) {
    return errorText([&] { started("StateMachineController", settings); });
  };
  const std::string states =
      "states: [{name: a, controller: test.Probe}, {name: b, controller: test.Probe}]\ntransitions:\n";
  std::string error = refused(states + "  - {from: a, to: c, after: 1}\n  - {from: d, to: b, after: 1}\n");
  EXPECT_TRUE(has(error, "test.yaml:3") && has(error, "no state 'c'")) << error;
  EXPECT_TRUE(has(error, "test.yaml:4") && has(error, "no state 'd'")) << error << "all at once";
  EXPECT_TRUE(has(refused(states + "  - {from: a, to: b}\n"), "does not say when it happens"));
  EXPECT_TRUE(has(refused(states + "  - {from: a, after: 1}\n"), "'to'"));
  EXPECT_TRUE(has(refused(states + "  - {from: a, to: b, aftre: 1}\n"), "did you mean 'after'?"));
  EXPECT_TRUE(has(refused(states + "  - {from: a, to: b, after: 1 m}\n"), "not a time"));
  EXPECT_TRUE(has(refused(states + "  - {from: a, to: b, after: -1}\n"), "after"));
  EXPECT_TRUE(has(refused(states + "  - {from: a, to: b, command: go}\n"), "'go' is there already"));
  EXPECT_TRUE(has(refused(states + "  - {from: a, to: b, when: [1]}\n"), "no condition"));
  EXPECT_TRUE(has(refused(states + "  - 3\n"), "a transition is a map"));
  EXPECT_TRUE(has(refused("states: [{name: a, controller: test.Probe}]\ntransitions: 3\n"), "not a list"));
  EXPECT_TRUE(has(refused("states: [{name: a, controller: test.Probe}]\ninitial: z\n"), "no state 'z'"));
  EXPECT_TRUE(has(refused("{}"), "expected a list of states"));
  EXPECT_TRUE(has(refused("states: [{name: a, controller: test.Probe, rate: 5}]\n"), "'rate' is for the whole"));
  EXPECT_TRUE(has(refused("states: [{name: a, controller: test.Probe, settings: {rate: 5}}]\n"), "unknown key 'rate'"));
  error = refused("states: [{name: a, controller: test.Probe, on_enter: [{command: ste, arguments: 3}]}]\n");
  EXPECT_TRUE(has(error, "knows no command 'ste'") && has(error, "did you mean 'set'?") && has(error, "test.yaml:1"))
      << error;
  EXPECT_TRUE(has(refused("states: [{name: a, controller: test.Probe, on_enter: [3]}]\n"), "no command"));
}

TEST_F(StateMachineTest, ReadsItsStatesFromAFile) {
  host.folder = testing::TempDir();
  std::ofstream(host.folder + "/machine.yaml") << kMachine << "initial: press\n";
  auto machine = started("StateMachineController", "file: machine.yaml");
  update(*machine, 0);
  EXPECT_EQ(active(*machine), "press");
}

TEST_F(StateMachineTest, ContinuesBitForBitWhateverIsActive) {
  const auto play = [&](Controller& machine, int k) {
    contactValues[1] = k % 23 == 0 ? 6 : 0;
    if (k % 17 == 16) machine.command("go", k % 2 == 0 ? "press" : "leave");
    estimate.q << 0.1 * k, -0.2 * k, 0.3;
    update(machine, 0.01 * k);
  };
  for (const int split : {1, 5, 12, 17, 24, 33}) {
    auto machine = started("StateMachineController", kMachine);
    std::fill(commands.begin(), commands.end(), ActuatorCommand{ActuatorCommand::Mode::off, 400, 0, 40});
    for (int k = 0; k < split; ++k) play(*machine, k);
    machine->command("go", "leave");  // Waits for the next update.
    ByteWriter out;
    machine->save(out);
    const std::vector<ActuatorCommand> then = commands;
    std::vector<std::vector<ActuatorCommand>> expected;
    for (int k = split; k < 60; ++k) {
      play(*machine, k);
      expected.push_back(commands);
    }
    ByteWriter end;
    machine->save(end);
    auto other = started("StateMachineController", kMachine);
    ByteReader in(out.bytes());
    other->restore(in);
    EXPECT_TRUE(in.atEnd());
    commands = then;
    for (int k = split; k < 60; ++k) {
      play(*other, k);
      ASSERT_TRUE(test::sameCommands(commands, expected[k - split])) << split << " " << k;
    }
    ByteWriter otherEnd;
    other->save(otherEnd);
    EXPECT_EQ(otherEnd.bytes(), end.bytes());
  }
}

TEST_F(StateMachineTest, SurvivesHostileBytes) {
  auto machine = started("StateMachineController", kMachine);
  contactValues[1] = 6;
  for (int k = 0; k < 4; ++k) update(*machine, 0.01 * k);
  ByteWriter out;
  machine->save(out);
  test::restoreDamaged(*machine, out.bytes(), 9, 5000, [&] {
    updateOrFail(*machine, 0.5);
    updateOrFail(*machine, 0.51);
  });
}

TEST_F(StateMachineTest, NeitherUpdateNorEnteringAllocates) {
  auto machine = started("StateMachineController",
                         "states:\n"
                         "  - {name: a, controller: test.Probe}\n"
                         "  - {name: b, controller: test.Probe, servo: true}\n"
                         "transitions:\n"
                         "  - {from: a, to: b, when: \"abs(foot.force_z) > 5 or (time > 0.02 and not q[rod1] > 3)\"}\n"
                         "  - {from: b, to: a, after: 30 ms}\n");
  update(*machine, 0);
  const std::size_t before = test::allocationCount;
  for (int k = 1; k < 50; ++k) update(*machine, 0.01 * k);
  EXPECT_EQ(test::allocationCount - before, 0u);
}

TEST_F(StateMachineTest, AnArmGoesBetweenStatesBySensors) {
  World world = test::smallWorld();
  const char* backend = "mortise";
  SimulationOptions options;
  options.backend = backend;
  ComponentOptions machine;
  machine.type = "StateMachineController";
  machine.settings = parseYaml(
      "states:\n"
      "  - name: lift\n"
      "    controller: JointTrackingController\n"
      "    on_enter: [{command: set_q, arguments: [-0.4, 0]}]\n"
      "  - name: fold\n"
      "    controller: FeedforwardJointTrackingController\n"
      "    on_enter: [{command: set_q, arguments: [-0.4, 0.8]}]\n"
      "  - {name: rest, controller: FeedforwardJointTrackingController}\n"
      "transitions:\n"
      "  - {from: lift, to: fold, when: \"q[rod0] < -0.3\"}\n"
      "  - {from: fold, to: rest, when: \"q[rod1] > 0.7 and abs(dq[rod1]) < 0.05\"}\n",
      "test.yaml");
  options.components = {machine};
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.advance(0.5);
  const std::vector<std::byte> snapshot = simulation.save();
  simulation.advance(2.5);
  EXPECT_EQ(active(*simulation.controller(0)), "rest") << backend;
  EXPECT_NEAR(simulation.configuration(0)[0], -0.4, 0.01) << backend;
  EXPECT_NEAR(simulation.configuration(0)[1], 0.8, 0.01) << backend;
  const std::uint64_t hash = simulation.stateHash();
  Simulation again(world, *registry, nullptr, log, options);
  again.restore(snapshot);
  again.advance(2.5);
  EXPECT_EQ(again.stateHash(), hash) << backend;
  simulation.reset();
  EXPECT_EQ(active(*simulation.controller(0)), "lift");
  simulation.advance(3);
  EXPECT_EQ(simulation.stateHash(), hash) << backend;
}

}  // namespace
}  // namespace mortise
