// Forces, torques, impulses and velocities that a scenario gives to bodies and links from outside.

#include "mortise/pipeline/simulate/body_action.h"

#include <Eigen/Geometry>

#include "mortise/base/value_text.h"
#include "mortise/pipeline/simulate/command_schedule.h"
#include "support.h"
#include "tests/runtime/simulation/commands_on_backend.h"
#include "tests/support/biped.h"
#include "tests/support/worlds.h"

namespace mortise::test {
namespace {

class BodyActionsOn : public CommandsOnBackend {
 protected:
  /// A box of 1 kg that nothing touches, a rod of 1 kg and 0.5 m on a hinge without a motor, and no gravity.
  static World space() {
    World world;
    world.objects.push_back(boxObject("box", Vector3d(3, 0, 0)));
    RobotDescription arm = armDescription(1);
    arm.drivers[0].servoP = arm.drivers[0].servoD = 0;
    arm.drivers[0].torqueMin = arm.drivers[0].torqueMax = 0;
    world.robots.push_back(placedRobot(arm));
    world.simulation.gravity.setZero();
    return world;
  }
};

TEST_P(BodyActionsOn, AnImpulseIsAChangeOfMomentum) {
  const World world = space();
  Simulation simulation(world, *registry, nullptr, log, undamped());
  CommandSchedule schedule(
      commandsOf("- {at: 10 ms, body: box, impulse: [1, 0, 0.5]}\n"
                 "- {at: 20 ms, body: box, impulse: [0, 0.2, 0], point: [0.1, 0, 0]}\n"
                 "- {at: 30.5 ms, body: box, angular_impulse: [0, 0, -0.005]}\n",
                 world));
  advance(simulation, schedule, 0.01);
  EXPECT_EQ(simulation.objectState(0).v_WB.norm(), 0) << "not before its time";
  advance(simulation, schedule, 0.001);
  EXPECT_NEAR((simulation.objectState(0).v_WB - Vector3d(1, 0, 0.5)).norm(), 0, 1e-9);
  EXPECT_NEAR(simulation.objectState(0).w_WB.norm(), 0, 1e-9) << "at the center of mass";
  advance(simulation, schedule, 0.01);
  const double inertia = world.objects[0].inertia.inertia(2, 2);
  EXPECT_NEAR((simulation.objectState(0).v_WB - Vector3d(1, 0.2, 0.5)).norm(), 0, 1e-9);
  EXPECT_NEAR(simulation.objectState(0).w_WB.z(), 0.1 * 0.2 / inertia, 1e-6);
  advance(simulation, schedule, 0.02);
  EXPECT_NEAR(simulation.objectState(0).w_WB.z(), (0.1 * 0.2 - 0.005) / inertia, 1e-6);
  const Value done = schedule.done(simulation);
  ASSERT_EQ(done.size(), 3u);
  for (const Value& entry : done.items()) EXPECT_EQ(entry.integer("steps", 0), 1);
  EXPECT_NEAR(done[2].real("from", 0), 0.03, 1e-9) << "in the step that its time lies in";
}

TEST_P(BodyActionsOn, AForceActsForItsTimeWhateverTheStepsAre) {
  const World world = space();
  for (const double step : {0.001, 0.0007}) {
    SimulationOptions options = undamped();
    options.timeStep = step;
    Simulation simulation(world, *registry, nullptr, log, options);
    CommandSchedule schedule(commandsOf("- {at: 10.3 ms, body: box, force: [4, 0, 0], for: 20.45 ms}\n", world));
    schedule.setEnd(0.0405);
    advance(simulation, schedule, 0.0405);
    EXPECT_NEAR(simulation.objectState(0).v_WB.x(), 4 * 0.02045, 1e-9) << step;
  }
}

TEST_P(BodyActionsOn, AForceShorterThanAStepGivesItsMomentum) {
  const World world = space();
  // In the middle of a step, across the end of one, at one, and almost there.
  for (const char* at : {"3.4 ms", "3.9999 ms", "4 ms", "3.9999999999 ms", "4.0000000001 ms"})
    for (const double duration : {1e-12, 1e-9, 3e-6, 4e-4}) {
      Simulation simulation(world, *registry, nullptr, log, undamped());
      const std::string force = std::to_string(0.5 / duration);
      CommandSchedule schedule(commandsOf("- {at: " + std::string(at) + ", body: box, force: [" + force +
                                              ", 0, 0], for: " + formatReal(duration) + "}\n",
                                          world));
      advance(simulation, schedule, 0.01);
      EXPECT_NEAR(simulation.objectState(0).v_WB.x(), 0.5, 1e-8) << at << " for " << duration;
      EXPECT_EQ(schedule.done(simulation)[0].integer("steps", 0), 1) << at << " for " << duration;
    }
}

TEST_P(BodyActionsOn, OfTwoVelocitiesTheLaterCommandHoldsAndTheRecordSaysSo) {
  const World world = space();
  Simulation simulation(world, *registry, nullptr, log, undamped());
  CommandSchedule schedule(
      commandsOf("- {at: 0, body: box, velocity: [1, 0, 0], for: 20 ms}\n"
                 "- {at: 5 ms, body: box, velocity: [0, 2, 0], for: 1 s, while: time < 0.0085}\n"
                 "- {at: 6 ms, body: box, angular_velocity: [0, 0, 1], for: 10 ms}\n",
                 world));
  advance(simulation, schedule, 0.007);
  EXPECT_NEAR((simulation.objectState(0).v_WB - Vector3d(0, 2, 0)).norm(), 0, 1e-9);
  advance(simulation, schedule, 0.008);
  EXPECT_NEAR((simulation.objectState(0).v_WB - Vector3d(1, 0, 0)).norm(), 0, 1e-9) << "it goes on afterward";
  const Value done = schedule.done(simulation);
  ASSERT_EQ(done.size(), 3u);
  EXPECT_EQ(done[0].integer("steps", 0), 15);
  EXPECT_EQ(done[0].integer("replaced_steps", 0), 4);
  EXPECT_NE(done[0].string("replaced_by", "").find("velocity [0, 2, 0]"), std::string::npos);
  EXPECT_FALSE(done[1].contains("replaced_steps"));
  EXPECT_FALSE(done[2].contains("replaced_steps")) << "another velocity of the same body";
  MemoryLog said;
  schedule.warnOfReplaced(world, said);
  schedule.warnOfReplaced(world, said);
  ASSERT_EQ(said.lines.size(), 1u) << "once";
  EXPECT_TRUE(said.mentions("'box: velocity [1, 0, 0] for 0.02 s' did not hold from t = 0.005 s on"))
      << said.lines[0].second;
}

TEST_P(BodyActionsOn, ALinkTurnsByWhatActsOnIt) {
  const World world = space();
  const double inertia = world.robots[0].robot->link(0).inertia.inertia(1, 1) + 0.25 * 0.25;  // About the hinge.
  Simulation simulation(world, *registry, nullptr, log, undamped());
  // The rod points along x and turns about y: a push down at its middle turns it forward.
  CommandSchedule schedule(
      commandsOf("- {at: 0, body: 'arm[rod0]', impulse: [0, 0, -0.1]}\n"
                 "- {at: 5 ms, body: 'arm[rod0]', torque: [0, 0.8, 0], for: 10 ms}\n"
                 "- {at: 20 ms, body: 'arm[rod0]', joint_velocity: -2}\n",
                 world));
  advance(simulation, schedule, 0.001);
  EXPECT_NEAR(simulation.velocity(0)[0], 0.1 * 0.25 / inertia, 1e-6);
  advance(simulation, schedule, 0.016);
  EXPECT_NEAR(simulation.velocity(0)[0], (0.1 * 0.25 + 0.8 * 0.01) / inertia, 1e-6);
  advance(simulation, schedule, 0.01);
  EXPECT_NEAR(simulation.velocity(0)[0], -2, 1e-4) << "a motor without torque holds nothing";
}

TEST_P(BodyActionsOn, TimesCountFromTheStartOfTheCommands) {
  const World world = space();
  Simulation simulation(world, *registry, nullptr, log, undamped());
  simulation.advance(0.08);
  CommandSchedule schedule(commandsOf("- {body: box, force: [2, 0, 0], while: time < 0.07}\n", world), 0.08);
  advance(simulation, schedule, 0.1);
  EXPECT_NEAR(simulation.objectState(0).v_WB.x(), 2 * 0.07, 1e-9);
}

TEST_P(BodyActionsOn, AVelocityIsSetOrHeld) {
  World world = space();
  world.simulation.gravity = Vector3d(0, 0, -9.8);
  Simulation simulation(world, *registry, nullptr, log, undamped());
  CommandSchedule schedule(
      commandsOf("- {at: 10 ms, body: box, velocity: [0.5, 0, 0], for: 20 ms}\n"
                 "- {at: 40 ms, body: box, angular_velocity: [0, 0, 3]}\n",
                 world));
  advance(simulation, schedule, 0.01);
  const double x = simulation.objectState(0).X_WB.p.x(), z = simulation.objectState(0).X_WB.p.z();
  advance(simulation, schedule, 0.02);
  EXPECT_NEAR(simulation.objectState(0).X_WB.p.x() - x, 0.5 * 0.02, 1e-9);
  EXPECT_NEAR(simulation.objectState(0).X_WB.p.z(), z - 20 * 9.8 * 1e-6, 1e-9) << "it falls within a step alone";
  advance(simulation, schedule, 0.02);
  EXPECT_NEAR(simulation.objectState(0).v_WB.x(), 0.5, 1e-9);
  EXPECT_NEAR(simulation.objectState(0).v_WB.z(), -9.8 * 0.021, 1e-6) << "and then freely";
  EXPECT_NEAR(simulation.objectState(0).w_WB.z(), 3, 1e-6);
}

TEST_P(BodyActionsOn, AFloatingBaseTakesAVelocity) {
  World world;
  world.robots.push_back(placedRobot(bipedDescription()));
  world.simulation.gravity.setZero();
  Simulation simulation(world, *registry, nullptr, log, undamped());
  CommandSchedule schedule(commandsOf("- {at: 0, body: biped, velocity: [0.2, 0, -0.1]}\n", world));
  advance(simulation, schedule, 0.001);
  const VectorXd dq = simulation.velocity(0);
  EXPECT_NEAR(dq[0], 0.2, 0.02) << "the legs hang on it";
  EXPECT_NEAR(dq[2], -0.1, 0.01);
}

TEST_P(BodyActionsOn, ConditionsReadSensorsAndTime) {
  const World world = space();
  Simulation simulation(world, *registry, nullptr, log, undamped());
  CommandSchedule schedule(
      commandsOf("- {body: 'arm[rod0]', torque: [0, 0.8, 0], while: 'dq[rod0] < 1'}\n"
                 "- {at: 5 ms, body: box, force: [2, 0, 0], while: time < 0.0125}\n"
                 "- {body: box, force: [0, 5, 0], while: 'q[rod0] > 3'}\n",
                 world));
  advance(simulation, schedule, 0.5);
  EXPECT_GE(simulation.velocity(0)[0], 1 - 1e-6);
  EXPECT_LT(simulation.velocity(0)[0], 1.2) << "sensors are read 100 times a second";
  EXPECT_NEAR(simulation.objectState(0).v_WB.x(), 2 * 0.008, 1e-9) << "a condition is asked at the start of each step";
  EXPECT_EQ(simulation.objectState(0).v_WB.y(), 0);
  ASSERT_EQ(schedule.bodies().idle(world).size(), 1u);
  EXPECT_NE(schedule.bodies().idle(world)[0].find("q[rod0] > 3"), std::string::npos);
}

TEST_P(BodyActionsOn, RepeatsBitByBitAlsoFromASavedState) {
  World world = smallWorld();
  const auto commands = [&] {
    return commandsOf(
        "- {at: 20 ms, body: low, force: [30, 0, 5], for: 60 ms, point: [0, 0.1, 0], axes: body}\n"
        "- {at: 50 ms, body: 'arm[rod1]', impulse: [0.1, 0, 0.2]}\n"
        "- {body: high, torque: [0, 0, 0.1], while: 'q[rod0] < 0.299'}\n"
        "- {at: 70 ms, body: high, velocity: [0, 0.3, 0]}\n",
        world);
  };
  const auto whole = [&] {
    Simulation simulation(world, *registry, nullptr, log, options());
    CommandSchedule schedule(commands());
    advance(simulation, schedule, 0.1);
    return simulation.stateHash();
  };
  const std::uint64_t hash = whole();
  EXPECT_EQ(whole(), hash);

  Simulation plain(world, *registry, nullptr, log, options());
  plain.advance(0.1);
  EXPECT_NE(plain.stateHash(), hash);

  Simulation simulation(world, *registry, nullptr, log, options());
  CommandSchedule schedule(commands());
  advance(simulation, schedule, 0.045);
  const std::vector<std::byte> middle = simulation.save();
  advance(simulation, schedule, 0.055);
  EXPECT_EQ(simulation.stateHash(), hash);
  simulation.restore(middle);
  advance(simulation, schedule, 0.055);
  EXPECT_EQ(simulation.stateHash(), hash) << "back in the middle of a push";
  EXPECT_EQ(schedule.done(simulation).size(), 4u) << "each stands in the record once";
}

INSTANTIATE_TEST_SUITE_P(, BodyActionsOn, testing::Values("mortise", "ode", "bullet", "mujoco", "dart"),
                         [](const testing::TestParamInfo<const char*>& backend) { return backend.param; });

class BodyActionEntries : public PipelineTest {
 protected:
  std::string errors(const std::string& yaml) {
    Diagnostics diagnostics;
    (void)timedCommandsFrom(parseYaml(yaml, "c.yaml"), world_, diagnostics);
    return textOf(diagnostics);
  }
  World world_ = smallWorld();
};

TEST_F(BodyActionEntries, SayWhatIsWrongWithThem) {
  for (const auto& [yaml, expected] : std::vector<std::pair<std::string, std::string>>{
           {"\n- {at: 1 s, body: lwo, impulse: [1, 0, 0]}", "c.yaml:2"},
           {"- {at: 1 s, body: lwo, impulse: [1, 0, 0]}", "did you mean 'low'?"},
           {"- {at: 1 s, body: ground, impulse: [1, 0, 0]}", "is a terrain, which never moves"},
           {"- {at: 1 s, body: arm, impulse: [1, 0, 0]}", "name one of its links: arm[rod0]"},
           {"- {at: 1 s, body: low, impulse: [.nan, 0, 0]}", "nan"},
           {"- {at: 1 s, body: low, impulse: [.inf, 0, 0]}", "must be finite"},
           {"- {at: 1 s, body: low, impulse: [1, 0]}", "found 2"},
           {"- {at: 1 s, body: low, force: [1, 0, 0], for: -1 s}", "for"},
           {"- {at: 1 s, body: low, force: [1, 0, 0], for: 0}", "above 0 s"},
           {"- {at: 1 s, body: low, force: [1 m, 0, 0], for: 1}", "N"},
           {"- {at: 1 s, body: low, force: [1, 0, 0]}", "needs 'for' or 'while'"},
           {"- {at: 1 s, body: low, impulse: [1, 0, 0], for: 1 s}", "acts in one step"},
           {"- {at: 1 s, body: low, impulse: [1, 0, 0], velocity: [1, 0, 0]}", "one of the three"},
           {"- {at: 1 s, body: low}", "one of the three"},
           {"- {at: 1 s, force: [1, 0, 0], for: 1 s}", "on which 'body'"},
           {"- {body: low, impulse: [1, 0, 0]}", "'at' is missing"},
           {"- {at: 1 s, body: low, impulse: [1, 0, 0], command: stop}", "does not do both"},
           {"- {at: 1 s, body: low, torque: [1, 0, 0], for: 1 s, point: [0, 0, 0]}", "'point' says where"},
           {"- {at: 1 s, body: 'arm[rod1]', velocity: [1, 0, 0]}", "give it a 'joint_velocity'"},
           {"- {at: 1 s, body: low, joint_velocity: 1}", "is for links"},
           {"- {body: low, force: [1, 0, 0], while: 'q[rod0] >'}", "column 10"},
           {"- {at: 1 s, robot: arm, body: low, impulse: [1, 0, 0]}", "there is no 'while'"}})
    EXPECT_NE(errors(yaml).find(expected), std::string::npos) << yaml << "\n" << errors(yaml);
}

TEST_F(BodyActionEntries, TwoVelocitiesAtOneTimeAreRefused) {
  const auto refusal = [&](const std::string& yaml) {
    Diagnostics reading, diagnostics;
    const std::vector<TimedCommand> commands = timedCommandsFrom(parseYaml(yaml, "c.yaml"), world_, reading);
    EXPECT_EQ(textOf(reading), "");
    checkVelocities(commands, world_, diagnostics);
    return textOf(diagnostics);
  };
  const std::string first = "- {at: 1 s, body: low, velocity: [1, 0, 0], for: 0.2}\n";
  const std::string said = refusal(first + "- {at: 1.1 s, body: low, velocity: [2, 0, 0], for: 1 s}");
  EXPECT_NE(said.find("c.yaml:2"), std::string::npos) << said;
  EXPECT_NE(said.find("of c.yaml:1 gives 'low' another velocity at the same time"), std::string::npos) << said;
  for (const char* second :
       {"- {at: 1.1 s, body: low, velocity: [2, 0, 0]}", "- {at: 1 s, body: low, velocity: [2, 0, 0]}",
        "- {at: 0.5 s, body: low, velocity: [2, 0, 0], for: 0.6}"})
    EXPECT_NE(refusal(first + second).find("another velocity"), std::string::npos) << second;
  for (const char* second :
       {"- {at: 1.2 s, body: low, velocity: [2, 0, 0], for: 1 s}",
        "- {at: 0.8 s, body: low, velocity: [2, 0, 0], for: 0.2}",
        "- {at: 1.1 s, body: low, angular_velocity: [2, 0, 0]}", "- {at: 1.1 s, body: high, velocity: [2, 0, 0]}",
        "- {at: 1.1 s, body: low, impulse: [2, 0, 0]}",
        "- {at: 1.1 s, body: low, velocity: [2, 0, 0], while: time > 9}"})
    EXPECT_EQ(refusal(first + second), "") << second;
  EXPECT_NE(refusal("- {at: 1 s, body: 'arm[rod0]', joint_velocity: 1, for: 1 s}\n"
                    "- {at: 1.5 s, body: 'arm[rod0]', joint_velocity: 2}")
                .find("another joint_velocity"),
            std::string::npos);
  EXPECT_EQ(refusal("- {at: 1 s, body: 'arm[rod0]', joint_velocity: 1, for: 1 s}\n"
                    "- {at: 1.5 s, body: 'arm[rod1]', joint_velocity: 2}"),
            "");
  expectProblem(
      "stages: [{simulate: {duration: 1 s, commands: [{at: 0, body: block_top, velocity: [1, 0, 0], for: 1 s}, "
      "{at: 0.5, body: block_top, velocity: [0, 0, 0]}]}}]\n",
      "another velocity at the same time");
}

TEST_F(BodyActionEntries, AreRefusedWhereNothingHasDynamics) {
  Diagnostics diagnostics;
  SimulationOptions options;
  options.backend = "kinematic";
  Simulation simulation(world_, *registry_, nullptr, log_, options);
  checkCommands(simulation, {timedCommandFromText("{at: 1, body: low, impulse: [1, 0, 0]}", world_)}, diagnostics);
  EXPECT_NE(textOf(diagnostics).find("has no dynamics"), std::string::npos) << textOf(diagnostics);
}

TEST_F(BodyActionEntries, AreCheckedWithTheSensorsOfTheirRobot) {
  expectProblem(
      "stages: [{simulate: {duration: 1 s, commands: [{body: block_top, force: [1, 0, 0], while: 'wirst > 5'}]}}]\n",
      "has no sensor 'wirst'");
  expectProblem("stages: [{simulate: {duration: 1 s, commands: [{at: 2 s, body: block_top, impulse: [1, 0, 0]}]}}]\n",
                "would never be carried out");
}

TEST_F(BodyActionEntries, StandInTheRecordOfARun) {
  const RunOutcome outcome = run(good(write("stages:\n  - simulate:\n      duration: 20 ms\n      commands:\n"
                                            "        - {at: 5 ms, body: block_top, force: [1 kN, 0, 0], for: 4 ms}\n")),
                                 "run");
  ASSERT_TRUE(outcome.failure.empty()) << outcome.failure;
  const Value& done = *outcome.result.findPath("results.simulate.commands");
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].at("body").asString(), "block_top");
  EXPECT_EQ(done[0].at("force").asReals(), (std::vector<double>{1000, 0, 0}));
  EXPECT_EQ(done[0].integer("steps", 0), 4);
  EXPECT_NEAR(done[0].real("to", 0), 0.009, 1e-9);
}

TEST_F(BodyActionEntries, StandInWorldFiles) {
  const std::string demo = MORTISE_SOURCE_DIR "/data/";
  const auto worldWith = [&](const std::string& command) {
    writeFile(path("w.xml"), "<world>\n<robot name='reacher' file='" + demo +
                                 "robots/reacher.rob' translation='0 0 1'/>\n<rigidObject name='block' file='" + demo +
                                 "objects/block.obj' position='3 0 9'/>\n<simulation>\n" + command +
                                 "\n</simulation>\n</world>\n");
    writeFile(path("p.yaml"), "mortise: 1\nworld: w.xml\nstages: [{simulate: {duration: 20 ms}}]\n");
    return path("p.yaml");
  };
  const RunOutcome outcome = run(good(worldWith("<command at='5 ms' body='block' impulse='0.5 0 0'/>\n"
                                                "<command at='10 ms' command='set_q' arguments='0 0 0.1 0 0 0'/>")),
                                 "run");
  ASSERT_TRUE(outcome.failure.empty()) << outcome.failure;
  const Value& done = *outcome.result.findPath("results.simulate.commands");
  ASSERT_EQ(done.size(), 2u);
  EXPECT_EQ(done[0].at("impulse").asReals(), (std::vector<double>{0.5, 0, 0}));
  EXPECT_EQ(done[1].at("arguments").size(), 6u);
  for (const auto& [command, expected] : std::vector<std::pair<std::string, std::string>>{
           {"<command at='5 ms' body='blok' impulse='0.5 0 0'/>", "did you mean 'block'?"},
           {"<command at='5 ms' body='block' impulse='0.5 0'/>", "w.xml:5"},
           {"<command at='5 ms' comand='set_q'/>", "did you mean 'command'?"}}) {
    Diagnostics diagnostics;
    check(worldWith(command), diagnostics);
    EXPECT_NE(textOf(diagnostics).find(expected), std::string::npos) << command << "\n" << textOf(diagnostics);
  }
}

}  // namespace
}  // namespace mortise::test
