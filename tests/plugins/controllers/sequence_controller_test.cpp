
#include "composite_test.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/hostile_bytes.h"

namespace mortise {
namespace {

using test::errorText;

constexpr const char* kSteps = R"(steps:
  - {controller: test.Probe, value: 1, duration: 30 ms}
  - {name: middle, controller: test.Probe, value: 2, duration: 20 ms}
  - {controller: test.Probe, value: 3, servo: true, duration: 10 ms}
)";

using SequenceTest = test::CompositeTest;

TEST_F(SequenceTest, RunsItsStepsAndLetsTheLastOneRunOn) {
  auto sequence = started("TimedSequenceController", kSteps);
  const std::vector<double> expected = {1, 1.01, 1.02, 2, 2.01, 3, 3.01, 3.02, 3.03};
  for (std::size_t k = 0; k < expected.size(); ++k) {
    update(*sequence, 0.01 * static_cast<double>(k));
    EXPECT_NEAR(commands[0].torque, expected[k], 1e-12) << k;
  }
  EXPECT_EQ(active(*sequence), "step3");
}

TEST_F(SequenceTest, LoopsWithoutAddingUpDelays) {
  // 25 ms and 15 ms at 100 Hz: no step ends at an update, yet 40 ms a round are kept.
  auto sequence = started("TimedSequenceController",
                          "loop: true\n"
                          "steps:\n"
                          "  - {controller: test.Probe, value: 1, duration: 25 ms}\n"
                          "  - {controller: test.Probe, value: 2, duration: 15 ms}\n");
  for (int k = 0; k < 1000; ++k) {
    update(*sequence, 0.01 * k);
    EXPECT_EQ(active(*sequence), k % 4 < 3 ? "step1" : "step2") << k;
  }
}

TEST_F(SequenceTest, StepsShorterThanAPeriodStillRunOnce) {
  auto sequence = started("TimedSequenceController",
                          "loop: true\n"
                          "steps:\n"
                          "  - {name: a, controller: test.Probe, duration: 1 ms}\n"
                          "  - {name: b, controller: test.Probe, duration: 2 ms}\n");
  for (int k = 0; k < 20; ++k) {
    update(*sequence, 0.01 * k);
    EXPECT_EQ(active(*sequence), k % 2 == 0 ? "a" : "b");
  }
}

TEST_F(SequenceTest, CommandsMoveIt) {
  auto sequence = started("TimedSequenceController", kSteps);
  update(*sequence, 0);
  sequence->command("next", Value());
  update(*sequence, 0.01);
  EXPECT_EQ(active(*sequence), "middle");
  update(*sequence, 0.02);
  EXPECT_EQ(active(*sequence), "middle");
  update(*sequence, 0.03);
  EXPECT_EQ(active(*sequence), "step3") << "20 ms after it was begun by command";
  EXPECT_TRUE(has(errorText([&] { sequence->command("next", Value()); }), "is the last one"));
  sequence->command("restart", Value());
  update(*sequence, 0.04);
  EXPECT_EQ(active(*sequence), "step1");
  sequence->command("go", parseYaml("[middle]", ""));
  sequence->command("go", parseYaml("{step: step3}", ""));
  update(*sequence, 0.05);
  EXPECT_EQ(active(*sequence), "step3");
  EXPECT_TRUE(sequence->command("step3.set", 5.0));
  EXPECT_TRUE(has(errorText([&] { sequence->command("go", "midle"); }), "did you mean 'middle'?"));
  EXPECT_TRUE(has(errorText([&] { sequence->command("restart", 2); }), "restart takes no arguments"));
  EXPECT_FALSE(sequence->command("fly", Value()));
}

TEST_F(SequenceTest, RefusesStepsThatMakeNoSense) {
  const auto refused = [&](const std::string& settings) {
    return errorText([&] { started("TimedSequenceController", settings); });
  };
  EXPECT_TRUE(has(refused("steps: [{controller: test.Probe}, {controller: test.Probe, duration: 1}]"),
                  "step 'step1' has no duration"));
  EXPECT_TRUE(has(refused("{loop: true, steps: [{controller: test.Probe}]}"), "in a loop every step has one"));
  EXPECT_TRUE(has(refused("steps: [{controller: test.Probe, duration: 0}]"), "takes no time"));
  EXPECT_TRUE(has(refused("steps: [{controller: test.Probe, duration: 3 kg}]"), "not a time"));
  EXPECT_TRUE(has(refused("{}"), "expected a list of steps"));
}

TEST_F(SequenceTest, ContinuesBitForBitAndSurvivesHostileBytes) {
  const std::string settings = std::string(kSteps) + "loop: true\n";
  auto sequence = started("TimedSequenceController", settings);
  for (int k = 0; k < 13; ++k) update(*sequence, 0.01 * k);
  ByteWriter out;
  sequence->save(out);
  const std::vector<ActuatorCommand> then = commands;
  for (int k = 13; k < 40; ++k) update(*sequence, 0.01 * k);
  const std::vector<ActuatorCommand> end = commands;
  auto other = started("TimedSequenceController", settings);
  ByteReader in(out.bytes());
  other->restore(in);
  EXPECT_TRUE(in.atEnd());
  commands = then;
  for (int k = 13; k < 40; ++k) update(*other, 0.01 * k);
  EXPECT_TRUE(test::sameCommands(commands, end));

  test::restoreDamaged(*other, out.bytes(), 4, 3000, [&] {
    updateOrFail(*other, 0.5);
    updateOrFail(*other, 0.51);
  });
}

TEST_F(SequenceTest, NeitherUpdateNorSteppingOnAllocates) {
  auto sequence = started("TimedSequenceController", std::string(kSteps) + "loop: true\n");
  update(*sequence, 0);
  const std::size_t before = test::allocationCount;
  for (int k = 1; k < 50; ++k) update(*sequence, 0.01 * k);
  EXPECT_EQ(test::allocationCount - before, 0u);
}

TEST_F(SequenceTest, MayHoldPartsAndStateMachines) {
  auto sequence = started("TimedSequenceController",
                          "steps:\n"
                          "  - name: both\n"
                          "    controller: MultiPartController\n"
                          "    duration: 20 ms\n"
                          "    parts:\n"
                          "      - {name: left, drivers: [0], controller: test.Probe, value: 1}\n"
                          "      - {name: right, drivers: [1, 2], controller: test.Probe, value: 2}\n"
                          "  - name: react\n"
                          "    controller: StateMachineController\n"
                          "    states: [{name: a, controller: test.Probe, value: 3}]\n");
  EXPECT_TRUE(sequence->command("both.right.set", 5.0));
  update(*sequence, 0);
  EXPECT_EQ(commands[0].torque, 1);
  EXPECT_EQ(commands[1].torque, 5);
  update(*sequence, 0.02);
  EXPECT_EQ(commands[1].torque, 3);
  sequence->command("react.a.fail", Value());
  const std::string error = errorText([&] { update(*sequence, 0.03); });
  EXPECT_TRUE(has(error, "'react' (StateMachineController): 'a' (test.Probe): the probe was told to fail")) << error;
}

TEST_F(SequenceTest, AnArmFollowsIt) {
  World world = test::smallWorld();
  const char* backend = "mortise";
  SimulationOptions options;
  options.backend = backend;
  ComponentOptions sequence;
  sequence.type = "TimedSequenceController";
  sequence.settings = parseYaml(
      "steps:\n"
      "  - name: there\n"
      "    controller: FeedforwardJointTrackingController\n"
      "    duration: 1 s\n"
      "    on_enter: [{command: set_q, arguments: [0.6, -0.4]}]\n"
      "  - name: path\n"
      "    controller: PathFollowingController\n"
      "    on_enter:\n"
      "      - {command: set_path, arguments: {times: [0, 1], configurations: [[0.6, -0.4], [0, 0.5]]}}\n",
      "test.yaml");
  options.components = {sequence};
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.advance(1);
  EXPECT_NEAR(simulation.configuration(0)[0], 0.6, 0.01) << backend;
  simulation.advance(0.5);
  EXPECT_NEAR(simulation.configuration(0)[0], 0.3, 0.03) << backend << ": from there, and with its own time";
  simulation.advance(1.5);
  EXPECT_NEAR(simulation.configuration(0)[0], 0, 0.01) << backend;
  EXPECT_NEAR(simulation.configuration(0)[1], 0.5, 0.01) << backend;
}

}  // namespace
}  // namespace mortise
