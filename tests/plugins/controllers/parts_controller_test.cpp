
#include "composite_test.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/hostile_bytes.h"

namespace mortise {
namespace {

using test::errorText;

constexpr const char* kTwoParts = R"(parts:
  - {name: arm, drivers: [rod0], controller: test.Probe, value: 5}
  - {name: hand, links: [2], controller: test.Probe, value: 7 N*m}
)";

using PartsControllerTest = test::CompositeTest;

TEST_F(PartsControllerTest, EachPartDrivesItsDriversAndTheRestHolds) {
  auto full = started("MultiPartController", kTwoParts);
  update(*full, 0);
  EXPECT_EQ(commands[0].mode, ActuatorCommand::Mode::torque);
  EXPECT_EQ(commands[0].torque, 5);
  EXPECT_EQ(commands[2].torque, 7);
  EXPECT_EQ(commands[1].mode, ActuatorCommand::Mode::pid);
  EXPECT_EQ(commands[1].position, 0.2);
  EXPECT_EQ(commands[1].kP, 400);
  EXPECT_EQ(commands[0].kP, 401) << "each finds what it left, once updated";
  update(*full, 0.01);
  EXPECT_EQ(commands[0].kP, 402) << "and no other part's";
  EXPECT_EQ(commands[0].torque, 5.01);
  EXPECT_EQ(commands[1].kP, 400);
}

TEST_F(PartsControllerTest, OthersAreSwitchedOffOrRefused) {
  auto off = started("PartsController", std::string(kTwoParts) + "others: off\n");
  update(*off, 0);
  EXPECT_EQ(commands[1].mode, ActuatorCommand::Mode::off);
  const std::string error =
      errorText([&] { started("MultiPartController", std::string(kTwoParts) + "others: refuse\n"); });
  EXPECT_TRUE(has(error, "no part has driver 'rod1'")) << error;
  EXPECT_TRUE(
      has(errorText([&] { create("MultiPartController", std::string(kTwoParts) + "others: hodl\n"); }), "hold"));
}

TEST_F(PartsControllerTest, LinksOfOneDriverNameItOnce) {
  RobotDescription description = test::armDescription(3);
  Driver fingers;
  fingers.name = "fingers";
  fingers.type = DriverType::affine;
  fingers.links = {1, 2};
  fingers.scale = {1, -1};
  fingers.offset = {0, 0};
  description.drivers = {description.drivers[0], fingers};
  robot = Robot::compile(description);
  commands.resize(2);
  auto full = started("MultiPartController", "parts: [{links: [1, 2], controller: test.Probe, value: 3}]");
  update(*full, 0);
  EXPECT_EQ(commands[1].torque, 3);
  EXPECT_EQ(commands[0].mode, ActuatorCommand::Mode::pid);
}

TEST_F(PartsControllerTest, RefusesPartsThatOverlapOrSayTooLittle) {
  const auto refused = [&](const std::string& parts) {
    return errorText([&] { started("MultiPartController", "parts:\n" + parts); });
  };
  std::string error = refused(
      "  - {name: a, drivers: [rod0, rod1], controller: test.Probe}\n"
      "  - {name: b, drivers: [rod1], controller: test.Probe}\n");
  EXPECT_TRUE(has(error, "driver 'rod1' belongs to two parts, 'a' and 'b'")) << error;
  EXPECT_TRUE(has(error, "test.yaml:3")) << error;
  EXPECT_TRUE(has(refused("  - {drivers: [rod0, rod0], controller: test.Probe}\n"), "twice"));
  EXPECT_TRUE(has(refused("  - {drivers: [rod7], controller: test.Probe}\n"), "has no driver 'rod7'"));
  EXPECT_TRUE(has(refused("  - {controller: test.Probe}\n"), "neither drivers nor links"));
  EXPECT_TRUE(has(refused("  - {drivers: [0], links: [0], controller: test.Probe}\n"), "both drivers and links"));
  EXPECT_TRUE(has(refused("  - {drivers: [], controller: test.Probe}\n"), "has no driver"));
  EXPECT_TRUE(has(refused("  - {drivers: [0]}\n"), "controller"));
  EXPECT_TRUE(has(refused("  - {drivers: [0], name: a.b, controller: test.Probe}\n"), "cannot be the name"));
  EXPECT_TRUE(has(refused("  - {drivers: [0], name: a, controller: test.Probe}\n"
                          "  - {drivers: [1], name: a, controller: test.Probe}\n"),
                  "two parts are called 'a'"));
  EXPECT_TRUE(has(errorText([&] { started("MultiPartController", "{}"); }), "expected a list of parts"));
  EXPECT_TRUE(has(errorText([&] { started("MultiPartController", "parts: [3]"); }), "not a map"));
}

TEST_F(PartsControllerTest, MistakesInChildrenAreFoundWhereTheyAreWritten) {
  std::string error = errorText([&] {
    create("MultiPartController",
           "parts:\n"
           "  - {name: arm, drivers: [0], controller: test.Prope}\n"
           "  - {name: hand, drivers: [1], controller: test.Probe, valeu: 3}\n"
           "  - {name: foot, drivers: [2], controller: test.Probe, value: 3 s}\n");
  });
  EXPECT_TRUE(has(error, "test.yaml:2")) << error;
  EXPECT_TRUE(has(error, "did you mean 'test.Probe'?")) << error;
  EXPECT_TRUE(has(error, "test.yaml:3")) << error;
  EXPECT_TRUE(has(error, "did you mean 'value'?")) << error;
  EXPECT_TRUE(has(error, "test.yaml:4")) << error;
}

TEST_F(PartsControllerTest, PartsRunAtTheirRates) {
  auto full = started("MultiPartController",
                      "parts:\n"
                      "  - {drivers: [0], controller: test.Probe, rate: 25 Hz}\n"
                      "  - {drivers: [1], controller: test.Probe}\n"
                      "  - {drivers: [2], controller: test.Probe, rate: 30 Hz}\n");
  for (int k = 0; k < 100; ++k) update(*full, 0.01 * k);
  EXPECT_EQ(commands[0].kP, 400 + 25);
  EXPECT_EQ(commands[0].kI, 0.04) << "its own period";
  EXPECT_EQ(commands[0].torque, 0.96) << "the time of its last update";
  EXPECT_EQ(commands[1].kP, 400 + 100);
  EXPECT_EQ(commands[2].kP, 400 + 30);
  const std::string error = errorText(
      [&] { started("MultiPartController", "parts: [{drivers: [0], controller: test.Probe, rate: 200 Hz}]"); });
  EXPECT_TRUE(has(error, "faster than the whole, which runs at 100 Hz")) << error;
}

TEST_F(PartsControllerTest, CommandsAndSettingsGoToThePartThatIsNamed) {
  auto full = started("MultiPartController", kTwoParts);
  EXPECT_TRUE(full->command("hand.set", 9.0));
  update(*full, 0);
  EXPECT_EQ(commands[0].torque, 5);
  EXPECT_EQ(commands[2].torque, 9);
  EXPECT_TRUE(full->changeSetting("arm.value", 4.0));
  EXPECT_FALSE(full->changeSetting("arm.color", 4.0));
  EXPECT_EQ(full->settings().at("arm.value").asReal(), 4);
  EXPECT_EQ(full->settings().at("hand.value").asReal(), 9);
  EXPECT_TRUE(has(errorText([&] { full->command("hnad.set", 1.0); }), "did you mean 'hand'?"));
  EXPECT_TRUE(has(errorText([&] { full->command("hand.sett", 1.0); }), "did you mean 'set'?"));
  EXPECT_TRUE(has(errorText([&] { full->command("set", 1.0); }), "available: arm.set, hand.set"));
  EXPECT_FALSE(full->command("fly", Value()));
  bool listed = false;
  for (const auto& [name, help] : full->commands()) listed = listed || name == "hand.set";
  EXPECT_TRUE(listed);
}

TEST_F(PartsControllerTest, WhatFailsIsNamed) {
  auto full = started("MultiPartController", kTwoParts);
  full->command("hand.fail", Value());
  std::string error = errorText([&] { update(*full, 0); });
  EXPECT_TRUE(has(error, "'hand' (test.Probe): the probe was told to fail")) << error;
  full = started("MultiPartController", kTwoParts);
  full->command("arm.diverge", Value());
  error = errorText([&] { update(*full, 0); });
  EXPECT_TRUE(has(error, "'arm' (test.Probe)") && has(error, "not finite")) << error;
}

TEST_F(PartsControllerTest, ReadsItsPartsFromAFile) {
  host.folder = testing::TempDir();
  std::ofstream(host.folder + "/parts.yaml") << kTwoParts << "others: off\n";
  auto full = started("MultiPartController", "file: parts.yaml");
  update(*full, 0);
  EXPECT_EQ(commands[2].torque, 7);
  EXPECT_EQ(commands[1].mode, ActuatorCommand::Mode::off);
  std::ofstream(host.folder + "/typo.yaml") << "partz: []\n";
  const std::string error = errorText([&] { create("MultiPartController", "file: typo.yaml"); });
  EXPECT_TRUE(has(error, "typo.yaml:1") && has(error, "did you mean 'parts'?")) << error;
  EXPECT_TRUE(has(errorText([&] { create("MultiPartController", "{file: parts.yaml, parts: []}"); }), "keep one"));
  EXPECT_TRUE(has(errorText([&] { create("MultiPartController", "file: nowhere.yaml"); }), "nowhere.yaml"));
}

TEST_F(PartsControllerTest, ContinuesBitForBitAndSurvivesHostileBytes) {
  const std::string settings = std::string(kTwoParts) + "  - {drivers: [1], controller: test.Probe, rate: 30 Hz}\n";
  auto full = started("MultiPartController", settings);
  for (int k = 0; k < 17; ++k) update(*full, 0.01 * k);
  full->command("hand.set", 9.0);
  ByteWriter out;
  full->save(out);
  const std::vector<ActuatorCommand> then = commands;
  for (int k = 17; k < 40; ++k) update(*full, 0.01 * k);
  const std::vector<ActuatorCommand> end = commands;
  auto other = started("MultiPartController", settings);
  ByteReader in(out.bytes());
  other->restore(in);
  EXPECT_TRUE(in.atEnd());
  commands = then;
  for (int k = 17; k < 40; ++k) update(*other, 0.01 * k);
  EXPECT_TRUE(test::sameCommands(commands, end));

  test::restoreDamaged(*other, out.bytes(), 3, 3000, [&] { updateOrFail(*other, 0.5); });
}

TEST_F(PartsControllerTest, UpdateDoesNotAllocate) {
  auto full = started("MultiPartController", kTwoParts);
  update(*full, 0);
  const std::size_t before = test::allocationCount;
  for (int k = 1; k < 50; ++k) update(*full, 0.01 * k);
  EXPECT_EQ(test::allocationCount - before, 0u);
}

TEST_F(PartsControllerTest, HalvesOfAnArmFollowDifferentControllersInSimulation) {
  World world = test::smallWorld();
  const char* backend = "mortise";
  SimulationOptions options;
  options.backend = backend;
  ComponentOptions parts;
  parts.type = "MultiPartController";
  parts.settings = parseYaml(
      "parts:\n"
      "  - {name: upper, links: [rod0], controller: PathFollowingController}\n"
      "  - {name: lower, links: [rod1], controller: FeedforwardJointTrackingController, rate: 50 Hz}\n",
      "test.yaml");
  options.components = {parts};
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.controller(0)->command(
      "upper.set_path", parseYaml("{times: [0, 2, 3], configurations: [[0.3, 9], [1.1, 9], [1.1, 9]]}", "test"));
  simulation.controller(0)->command("lower.set_q", parseYaml("[9, -0.5]", "test"));
  simulation.advance(2);
  const std::vector<std::byte> snapshot = simulation.save();
  simulation.advance(2);
  EXPECT_NEAR(simulation.configuration(0)[0], 1.1, 0.01) << backend;
  EXPECT_NEAR(simulation.configuration(0)[1], -0.5, 0.01) << backend;
  const std::uint64_t hash = simulation.stateHash();
  Simulation again(world, *registry, nullptr, log, options);
  again.restore(snapshot);
  again.advance(2);
  EXPECT_EQ(again.stateHash(), hash) << backend;
}

}  // namespace
}  // namespace mortise
