// mortise sim: commands by time, what can be commanded, limits of motors.

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "tests/apps/simulation/run_sim.h"

namespace mortise::test {
namespace {

const std::string kBlocks = MORTISE_SOURCE_DIR "/data/worlds/blocks.xml";
const std::string kCommandedArm = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";

void fails(std::vector<std::string> arguments, const std::string& expected) {
  const Ran ran = sim(std::move(arguments));
  EXPECT_EQ(ran.exitCode, 1) << ran.err;
  EXPECT_NE(ran.err.find(expected), std::string::npos) << "expected: " << expected << "\nfound: " << ran.err;
}

TEST(SimCommands, MoveARobotAtTheirTime) {
  const std::string move = "100ms set_q 0.3 0.2 -0.2 0 0.1 0";
  const Value before = json({kCommandedArm, "--duration", "100ms", "--command", move});
  EXPECT_EQ(before.at("commands").size(), 0u) << "the run ends where the command would be due";
  const Value after = json({kCommandedArm, "--duration", "1.5", "--command", move});
  ASSERT_EQ(after.at("commands").size(), 1u);
  EXPECT_NEAR(after.at("commands")[0].at("time").asReal(), 0.1, 1e-9);
  EXPECT_EQ(after.at("commands")[0].at("command").asString(), "set_q");
  EXPECT_NEAR(after.findPath("robots.0.q")->asReals()[0], 0.3, 0.05);
  EXPECT_EQ(after.at("state_hash").asString(),
            json({kCommandedArm, "--duration", "1.5", "--command", move}).at("state_hash").asString());
  // Given in any order, and with the robot's name.
  const Value two = json({kCommandedArm, "--duration", "20ms", "--command", "10ms reacher: q.enabled=false",
                          "--command", "5ms enableGravityCompensation=false"});
  ASSERT_EQ(two.at("commands").size(), 2u);
  EXPECT_EQ(two.at("commands")[0].at("setting").asString(), "enableGravityCompensation");
  EXPECT_FALSE(two.at("commands")[1].at("enabled").asBool());
  const Ran said = sim({kCommandedArm, "--duration", "20ms", "--command", "10ms q.rate=50Hz"});
  EXPECT_NE(said.out.find("commands     1 carried out\n               t = 0.01 s: q.rate = 50"), std::string::npos)
      << said.out;
}

TEST(SimCommands, ActOnBodiesFromOutside) {
  const std::string push = "{at: 10ms, body: 'reacher[shoulder_yaw]', torque: [0, 0, 50], for: 10ms}";
  const Value pushed = json({kCommandedArm, "--duration", "30ms", "--command", push});
  ASSERT_EQ(pushed.at("commands").size(), 1u);
  EXPECT_EQ(pushed.at("commands")[0].integer("steps", 0), 10);
  EXPECT_NE(pushed.at("state_hash").asString(),
            json({kCommandedArm, "--duration", "30ms"}).at("state_hash").asString());
  EXPECT_EQ(pushed.at("state_hash").asString(),
            json({kCommandedArm, "--duration", "30ms", "--command", push}).at("state_hash").asString());
  const Ran said = sim({kCommandedArm, "--duration", "30ms", "--command", push});
  EXPECT_NE(said.out.find("reacher[shoulder_yaw]: torque [0 0 50] for 0.01, in 10 steps"), std::string::npos)
      << said.out;
  fails({kCommandedArm, "--command", "{at: 1, body: nobody, impulse: [1, 0, 0]}"}, "there is no body 'nobody'");
  fails({kCommandedArm, "--command", "{at: 1, body: 1, impulse: [.nan, 0, 0]}"}, "nan");
  fails({kCommandedArm, "--backend", "kinematic", "--command", "{at: 1, body: 1, impulse: [1, 0, 0]}"},
        "has no dynamics");
}

TEST(SimCommands, ConfigurationsAreWrittenInAnyWay) {
  const auto hash = [&](const std::string& arguments) {
    return json({kCommandedArm, "--duration", "50ms", "--command", "10ms set_q " + arguments})
        .at("state_hash")
        .asString();
  };
  const std::string expected = hash("0.3 0.2 -0.2 0 0.1 0");
  for (const char* arguments : {"[0.3, 0.2 rad, -200 mrad, 0, 0.1, 0]", "0.3 200 mrad -0.2 0 0.1 0",
                                "{shoulder_yaw: 0.3, 1: 0.2, 2: -0.2, 3: 0, 4: 0.1, 5: 0}",
                                "{q: {shoulder_yaw: 0.3, 1: 0.2, 2: -200mrad, 3: 0, 4: 0.1, 5: 0}}"})
    EXPECT_EQ(hash(arguments), expected) << arguments;
  const std::string file = "/tmp/mortise_set_q_" + std::to_string(::getpid()) + ".config";
  std::ofstream(file) << "6  0.3 0.2 -0.2 0 0.1 0\n";
  EXPECT_EQ(hash(file), expected);
  std::filesystem::remove(file);
  EXPECT_NE(hash("{shoulder_yaw: 0.3}"), expected);
  const Ran wrong = sim({kCommandedArm, "--duration", "20ms", "--command", "10ms set_q {elbwo: 1}"});
  EXPECT_EQ(wrong.exitCode, 1);
  EXPECT_NE(wrong.err.find("did you mean 'elbow'?"), std::string::npos) << wrong.err;
}

TEST(SimCommands, WhatIsWrongIsSaidBeforeTheRun) {
  fails({kCommandedArm, "--duration", "1e9", "--command", "1 set_p 0"}, "did you mean 'set_q'?");
  fails({kCommandedArm, "--duration", "1e9", "--command", "1 arm: set_q 0"}, "there is no robot 'arm'");
  fails({kCommandedArm, "--duration", "1e9", "--command", "1 wrist.enabled=false"}, "has no sensor 'wrist'");
  fails({kCommandedArm, "--duration", "1e9", "--command", "1 enableGravityCompensatoin=true"},
        "did you mean 'enable_gravity_compensation'?");
  fails({kCommandedArm, "--duration", "1e9", "--command", "one set_q 0"}, "it starts with a time");
  fails({kCommandedArm, kCommandedArm, "--duration", "1e9", "--command", "1 set_q 0"}, "which robot? the world has 2");
  fails({MORTISE_SOURCE_DIR "/data/objects/cup.obj", "--command", "1 set_q 0"}, "the world has no robots");
}

TEST(SimCommands, ArgumentsAndValuesAreTriedBeforeTheRun) {
  const auto refused = [](const std::string& command, const std::string& expected) {
    const Ran ran = sim({kCommandedArm, "--duration", "1", "--command", command, "--json"});
    EXPECT_EQ(ran.exitCode, 1);
    EXPECT_NE(ran.err.find(expected), std::string::npos) << ran.err;
    EXPECT_FALSE(parseYaml(ran.out, "stdout").contains("steps")) << "nothing was simulated";
  };
  refused("0.5 set_q 1 2", "at 0.5 s, 'set_q 1 2': set_q takes a position for each link: 6 numbers, not 2");
  refused("0.5 set_q {elbwo: 1}", "did you mean 'elbow'?");
  refused("0.5 enableGravityCompensation=17", "expected true or false");
  // Numbers are called what they are.
  refused("0 set_qv {q: [0, 0, 0, 0, 0, 0], v: [1, 2]}", "the list of velocities has 2 numbers");
}

TEST(SimCommands, RobotsOfOneFileGetNamesOfTheirOwn) {
  const Value two = json({kCommandedArm, kCommandedArm, "--duration", "2ms", "--command", "1ms reacher_2: brake"});
  EXPECT_EQ(two.at("robots")[0].at("name").asString(), "reacher");
  EXPECT_EQ(two.at("robots")[1].at("name").asString(), "reacher_2");
  EXPECT_EQ(two.at("commands")[0].at("robot").asString(), "reacher_2");
}

TEST(SimCommands, NothingTracksBeforeTheSecondCommand) {
  const Value brief = json({kBlocks, "--duration", "2ms"}), longer = json({kBlocks, "--duration", "12ms"});
  EXPECT_FALSE(brief.at("robots")[0].contains("tracking_error"));
  EXPECT_TRUE(longer.at("robots")[0].contains("tracking_error"));
}

TEST(SimCommands, SettingsInsideControllersAndSingleWords) {
  const std::string folder = testing::TempDir() + "mortise_sim_commands_" + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  const std::string parts = folder + "/parts.yaml", log = folder + "/second.log";
  writeFile(parts, "parts:\n  - {name: arm, drivers: [0, 1, 2, 3, 4, 5], controller: PolynomialPathController}\n");
  const auto world = [&](const char* name, const std::string& controller) {
    writeFile(folder + "/" + name, "<world>\n  <robot file='" + kCommandedArm +
                                       "'/>\n  <simulation><robot index='0'><controller type=" + controller +
                                       "/></robot></simulation>\n</world>\n");
    return folder + "/" + name;
  };
  const std::string held = world("parts.xml", "'MultiPartController' file='" + parts + "'");
  const Value summary = json({held, "--duration", "20ms", "--command", "10ms arm.velocityScale=0.5"});
  ASSERT_EQ(summary.at("commands").size(), 1u);
  EXPECT_EQ(summary.at("commands")[0].at("setting").asString(), "arm.velocityScale");
  fails({held, "--duration", "1e9", "--command", "1 arm.velocityScael=0.5"}, "did you mean 'arm.velocity_scale'?");

  const std::string logged = world("log.xml", "'LoggingController' file='" + folder + "/first.log'");
  EXPECT_EQ(json({logged, "--allow-outside", "--duration", "20ms", "--command", "10ms log " + log})
                .at("commands")[0]
                .at("arguments")
                .asString(),
            log);
  EXPECT_TRUE(std::filesystem::exists(log));
  EXPECT_EQ(
      json({logged, "--allow-outside", "--duration", "20ms", "--command", "10ms replay " + log}).at("commands").size(),
      1u);
  std::filesystem::remove_all(folder);
}

TEST(SimCommands, WrongArgumentsEndTheRun) {
  // A time in the past is one only when the command comes.
  const Ran ran = sim({kCommandedArm, "--duration", "1", "--command", "0.5 set_tq 0.1 0 0 0 0 0 0", "--json"});
  EXPECT_EQ(ran.exitCode, 1);
  const Value summary = parseYaml(ran.out, "stdout");
  EXPECT_EQ(summary.at("steps").asInteger(), 500);
  EXPECT_NE(summary.at("fault").asString().find("at 0.5 s, 'set_tq 0.1 0"), std::string::npos);
  const Ran late = sim({kCommandedArm, "--duration", "10ms", "--command", "0.5 set_q 0 0 0 0 0 0"});
  EXPECT_EQ(late.exitCode, 0);
  EXPECT_NE(late.err.find("ended before all commands were carried out: the first that is left is 'set_q 0 0 0 0 0 0'"),
            std::string::npos)
      << late.err;
}

TEST(SimCommands, AreListedWithSettingsAndSensors) {
  const Ran ran = sim({kBlocks, "--list-commands"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  for (const char* text :
       {"robot 10  reacher", "controller mortise.", "    set_q ", "enable_gravity_compensation", "= true",
        "  sensor q: mortise.JointPosition", "6 channels: q[shoulder_yaw], q[shoulder_pitch]"})
    EXPECT_NE(ran.out.find(text), std::string::npos) << text << "\n" << ran.out;
  EXPECT_EQ(ran.out.find("state hash"), std::string::npos) << "nothing is simulated";
  EXPECT_EQ(ran.out.find("(none)"), std::string::npos) << "all links are measured where none is named: " << ran.out;
  const Value list = json({kBlocks, "--list-commands"});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].at("sensors")[1].at("name").asString(), "dq");
  EXPECT_TRUE(list[0].at("settings").at("enable_gravity_compensation").asBool());
  EXPECT_EQ(sim({MORTISE_SOURCE_DIR "/data/objects/cup.obj", "--list-commands"}).out, "there are no robots\n");
}

TEST(SimActuatorLimits, SlowAMotionDown) {
  // A controller that asks for more than the limits allow.
  const std::string world = testing::TempDir() + "mortise_limits_" + std::to_string(::getpid()) + ".xml";
  writeFile(world, "<world>\n  <robot file='" + kCommandedArm +
                       "'/>\n  <simulation><robot index='0'><controller type='JointTrackingController'/></robot>"
                       "</simulation>\n</world>\n");
  const std::vector<std::string> move = {world, "--duration", "150ms", "--command", "0 set_q 3 0 0 0 0 0"};
  const auto turned = [&](const char* limits) {
    std::vector<std::string> arguments = move;
    if (limits != nullptr) arguments.insert(arguments.end(), {"--actuator-limits", limits});
    return json(arguments).findPath("robots.0.q")->asReals()[0];
  };
  EXPECT_EQ(turned(nullptr), turned("torque"));
  EXPECT_GT(turned("none"), turned("torque"));
  EXPECT_LT(turned("torque,velocity"), 0.15 * 3.1416 * 1.01);
  EXPECT_GT(turned("torque"), 0.15 * 3.1416 * 1.2) << "which limits something here";
  fails({kCommandedArm, "--actuator-limits", "speed"}, "available: torque, velocity, power, all, none");
  std::filesystem::remove(world);
}

}  // namespace
}  // namespace mortise::test
