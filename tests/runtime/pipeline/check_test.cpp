#include "mortise/base/files.h"
#include "mortise/loading/robot_reference.h"
#include "support.h"
#include "tests/support/engines.h"

namespace mortise::test {
namespace {

using PipelineCheck = PipelineTest;

TEST_F(PipelineCheck, CompletesEverySetting) {
  const Pipeline p = good(write("components:\n"
                                "  - {sensor: JointPositionSensor, rate: 10 ms}\n"
                                "stages:\n  - simulate: {duration: 10 ms}\n  - report\n"),
                          {"components.0.rate=50"});
  EXPECT_EQ(p.name, "p");
  EXPECT_EQ(p.seed, 0u);
  EXPECT_EQ(p.resolved.findPath("simulation.backend")->asString(), "mortise");
  EXPECT_EQ(p.resolved.findPath("simulation.step")->asReal(), 0.001);
  EXPECT_TRUE(p.resolved.findPath("simulation.settings.iterations")->isInteger());
  EXPECT_EQ(p.resolved.findPath("components.0.rate")->asReal(), 50);
  ASSERT_EQ(p.stages.size(), 2u);
  EXPECT_EQ(p.stages[0].settings.at("duration").asReal(), 0.01);
  EXPECT_EQ(p.stages[1].label, "report");
}

TEST_F(PipelineCheck, FindsEveryMistakeInOneGo) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  const std::string text = problems(
      "sed: 42\n"                                                                      // 3
      "simulation:\n"                                                                  // 4
      "  backend: bulet\n"                                                             // 5
      "  step: 1 kg\n"                                                                 // 6
      "  control_rate: fast\n"                                                         // 7
      "components:\n"                                                                  // 8
      "  - {controller: JointTrackingControler, robot: reacher}\n"                     // 9
      "  - {sensor: JointPositionSensor, robot: reecher, rate: -5, indicies: 3}\n"     // 10
      "  - {controler: X}\n"                                                           // 11
      "stages:\n"                                                                      // 12
      "  - simulat: {duration: 5 s}\n"                                                 // 13
      "  - simulate: {duration: 1, follow: nowhere.path, record: [robots, objets]}\n"  // 14
      "  - compare: {backends: [ode, bullett], duration: 1 s, metrics: [enrgy]}\n"     // 15
      "  - report: {to: report.pdf}\n");                                               // 16
  const std::string at = path("p.yaml");
  for (const std::string expected : {
           ":3:1 (sed): error: unknown key 'sed' of the pipeline\n  hint: did you mean 'seed'?",
           ":5:12 (simulation.backend): error: there is no physics named 'bulet'",
           "did you mean 'bullet'?",
           ":6:9 (simulation.step): error: 'step' of 'simulation': expected a number (s): unit 'kg' is not a time",
           ":7:17 (simulation.control_rate): error: 'control_rate' of 'simulation': expected a number (Hz), found the "
           "string 'fast'",
           ":9:18 (components.0.controller): error: there is no controller named 'JointTrackingControler'",
           ":10:42 (components.1.robot): error: sensor 'JointPositionSensor': there is no robot 'reecher'\n  hint: did "
           "you "
           "mean 'reacher'?",
           ":10:57 (components.1.rate): error: 'rate' of sensor 'JointPositionSensor': must be between",
           ":10:61 (components.1.indicies): error: unknown key 'indicies' of sensor 'JointPositionSensor'\n  hint: did "
           "you "
           "mean 'indices'?",
           ":11:6 (components.2.controler): error: unknown key 'controler' of an entry of 'components'",
           ":13:5 (stages.0.simulat): error: there is no stage named 'simulat'",
           ":14:37 (stages.1.simulate.follow): error: 'follow': cannot find 'nowhere.path'; tried",
           "error: 'record': there is nothing called 'objets' to record\n  hint: did you mean 'objects'?",
           ":15:31 (stages.2.compare.backends.1): error: there is no physics named 'bullett'",
           "error: 'metrics' of stage 'compare': 'enrgy' is not one of the choices\n  hint: did you mean 'energy'?",
           "error: 'to' of stage 'report': cannot write 'report.pdf'",
       })
    EXPECT_NE(text.find(expected), std::string::npos) << "expected: " << expected << "\nfound:\n" << text;
  EXPECT_NE(text.find(at + ":5:12"), std::string::npos);
}

TEST_F(PipelineCheck, StagesWithWrongSettingsAreCheckedFurther) {
  const std::string text =
      problems("stages:\n  - simulate: {duration: fast, follow: gone.path}\n  - compare: {duration: 1}\n");
  for (const char* expected : {"expected a number (s), found the string 'fast'", "'follow': cannot find 'gone.path'",
                               "'backends' of stage 'compare' is missing"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\n" << text;
  EXPECT_EQ(text.find("is empty"), std::string::npos) << text;
  expectProblem("stages:\n  - compare: {backends: [], duration: 1}\n", "'backends' of stage 'compare' is empty");
}

TEST_F(PipelineCheck, WorldAndPluginsMustExist) {
  writeFile(path("p.yaml"), "mortise: 1\nworld: nowhere.xml\nplugins: [missing.so]\nstages: []\n");
  Diagnostics diagnostics;
  check(path("p.yaml"), diagnostics);
  const std::string text = textOf(diagnostics);
  EXPECT_NE(text.find(":2:8 (world): error: 'world': cannot find 'nowhere.xml'; tried"), std::string::npos) << text;
  EXPECT_NE(text.find(":3:11 (plugins.0): error: plugin: cannot find 'missing.so'"), std::string::npos) << text;
}

TEST_F(PipelineCheck, RefusesWhatIsNoPipeline) {
  writeFile(path("p.yaml"), "[1, 2]\n");
  Diagnostics diagnostics;
  EXPECT_THROW(loadPipelineFile(path("p.yaml"), {}, diagnostics), Error);
  EXPECT_THROW(loadPipelineFile(path("none.yaml"), {}, diagnostics), Error);
  writeFile(path("p.yaml"), "mortise: 2\n");
  check(path("p.yaml"), diagnostics);
  const std::string text = textOf(diagnostics);
  EXPECT_NE(text.find("for version 2 of the pipeline format"), std::string::npos) << text;
  EXPECT_NE(text.find("'world' of the pipeline is missing"), std::string::npos) << text;
  EXPECT_NE(text.find("'stages' of the pipeline is missing"), std::string::npos) << text;
}

TEST_F(PipelineCheck, FlowVariablesWithoutQuotesGetAHint) {
  write("variables: {d: 1}\nstages:\n  - simulate: {duration: ${d}}\n");
  Diagnostics diagnostics;
  try {
    loadPipelineFile(path("p.yaml"), {}, diagnostics);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("quote variables"), std::string::npos);
  }
}

TEST_F(PipelineCheck, SettingsOverrideAndAreChecked) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  const std::string lines = "simulation: {backend: ode}\nstages:\n  - simulate: {duration: 1 s}\n";
  const Pipeline p = good(write(lines), {"simulation.backend=bullet", "stages.simulate.duration=20 ms", "seed=7"});
  EXPECT_EQ(p.resolved.findPath("simulation.backend")->asString(), "bullet");
  EXPECT_EQ(p.stages[0].settings.at("duration").asReal(), 0.02);
  EXPECT_EQ(p.seed, 7u);
  expectProblem(lines, "--set (simulation.backend): error: there is no physics named 'bulet'",
                {"simulation.backend=bulet"});
  expectProblem(lines, "--set (simulation.bakcend): error: unknown key 'bakcend' of 'simulation'",
                {"simulation.bakcend=ode"});
  expectProblem(lines, "expected key=value", {"nothing"});
  expectProblem(lines, "no entry 'compare' in 'stages'", {"stages.compare.duration=1"});
  expectProblem(lines, "'simulation.backend' is the string 'ode', not a map", {"simulation.backend.x=1"});
}

TEST_F(PipelineCheck, OptionalComponentsAreLeftOutWithOneNotice) {
  good(write(
      "components:\n  - {sensor: acme.Missing, optional: true, gain: 3}\nstages:\n  - simulate: {duration: 1 ms}\n"));
  int notices = 0;
  for (const auto& [level, line] : log_.lines)
    notices += line.find("'acme.Missing' is not installed") != std::string::npos;
  EXPECT_EQ(notices, 1);
  expectProblem("components:\n  - {sensor: acme.Missing}\nstages: []\n", "there is no sensor named 'acme.Missing'");
}

TEST_F(PipelineCheck, ContactsAreTheBoundaryLayersOrTheEngines) {
  for (const char* contacts : {"boundary_layer", "engine"})
    good(write("simulation: {contacts: " + std::string(contacts) +
               "}\nstages:\n  - simulate: {duration: 1 ms, contacts: " + contacts + "}\n"));
  expectProblem("simulation: {contacts: boundary_leyer}\nstages: []\n", "'boundary_leyer'");
  expectProblem("stages:\n  - simulate: {duration: 1 ms, contacts: enginge}\n", "'enginge'");
}

TEST_F(PipelineCheck, ComponentsThatCannotBeMadeAreFoundBeforeRunning) {
  expectProblem("components:\n  - {controller: PathFollowingController, path: gone.path}\nstages: []\n",
                "p.yaml:4:18 (components.0.controller): error");
}

TEST_F(PipelineCheck, OneControllerARobotAndNamesOnce) {
  expectProblem(
      "components:\n  - {controller: JointTrackingController}\n  - {controller: PathFollowingController}\nstages: []\n",
      "robot 'reacher' has two controllers");
  expectProblem(
      "components:\n  - {sensor: JointPositionSensor, name: a}\n  - {sensor: JointVelocitySensor, name: a}\nstages: "
      "[]\n",
      "two components named 'a'");
  expectProblem("stages:\n  - simulate: {duration: 1, save: a}\n  - simulate: {duration: 1, save: a}\n",
                "two results are called 'a'");
}

TEST_F(PipelineCheck, RobotsByNameOrId) {
  const Pipeline p = good(write("stages: [report]\n"));
  World world = p.world;
  EXPECT_EQ(findRobot(world, Value("reacher")), 0);
  EXPECT_EQ(findRobot(world, Value()), 0);
  EXPECT_EQ(findRobot(world, Value(world.robotId(0))), 0);
  EXPECT_THROW(findRobot(world, Value(12345)), Error);
  EXPECT_THROW(findRobot(world, Value::list()), Error);
  world.robots.push_back(world.robots.front());
  try {
    findRobot(world, Value("reacher"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find(std::to_string(world.robotId(0)) + " (reacher), " + std::to_string(world.robotId(1))),
              std::string::npos)
        << error.hint();
  }
  EXPECT_THROW(findRobot(world, Value()), Error);
  EXPECT_EQ(findRobot(world, Value(world.robotId(1))), 1);
}

TEST_F(PipelineCheck, BackendSettingsAreCheckedForEveryBackend) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  expectProblem("simulation: {settings: {iteratons: 3}}\nstages: []\n",
                "(simulation.settings.iteratons): error: unknown key 'iteratons' of backend 'mortise'");
  expectProblem(
      "stages:\n  - compare: {backends: [ode, bullet], duration: 1, settings: {bullet: {iteratons: 3}, odd: {}}}\n",
      "unknown key 'iteratons' of backend 'bullet'");
  // Settings of the pipeline are for its own backend; another one starts from its defaults.
  good(write(
      "simulation: {backend: ode, settings: {exact_limit: 5}}\nstages:\n"
      "  - compare: {backends: [ode, bullet], duration: 1 ms}\n  - simulate: {backend: bullet, duration: 1 ms}\n"));
}

TEST_F(PipelineCheck, VariablesThatAreNotDeclaredAreRefused) {
  const std::string lines = "variables: {duration: 1 s}\nstages:\n  - simulate: {duration: \"${duration}\"}\n";
  good(write(lines), {"variables.duration=2 s"});
  expectProblem(lines,
                "--set (variables.duratoin): error: the pipeline declares no variable 'duratoin'\n  hint: did you mean "
                "'duration'?",
                {"variables.duratoin=2 s"});
  expectProblem("stages: [report]\n", "it has no 'variables'", {"variables.x=1"});
}

TEST_F(PipelineCheck, EveryMisspeltNameToRecordIsSaid) {
  const std::string text = problems(
      "components:\n  - {recorder: csv, record: [robots, objecs]}\n"
      "stages:\n  - simulate: {duration: 1 ms, record: [robot, objectss, reecher]}\n");
  for (
      const char* expected :
      {"(components.0.record.1): error: 'record': there is nothing called 'objecs' to record\n  hint: did you mean "
       "'objects'?",
       "(stages.0.simulate.record.0): error: 'record': there is nothing called 'robot' to record\n  hint: did you mean "
       "'robots'?",
       "'objectss' to record\n  hint: did you mean 'objects'?", "'reecher' to record\n  hint: did you mean 'reacher'?"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\n" << text;
}

TEST_F(PipelineCheck, SensorsAreStarted) {
  expectProblem("components:\n  - {sensor: JointPositionSensor, indices: [99]}\nstages: [report]\n", ":4:");
  expectProblem("components:\n  - {sensor: FilteredSensor, of: nothing}\nstages: [report]\n", "'nothing'");
}

TEST_F(PipelineCheck, AnEmptyListOfStagesIsAnError) {
  expectProblem("stages: []\n", "p.yaml:3:9 (stages): error: 'stages' is empty");
}

TEST_F(PipelineCheck, ArgumentsOfCommandsFitTheRobot) {
  const auto command = [](const std::string& entry) {
    return "stages:\n  - simulate: {duration: 1 s, commands: [{at: 0, " + entry + "}]}\n";
  };
  expectProblem(command("command: set_q, arguments: [1, 2, 3]"), "a position for each link: 6 numbers, not 3");
  expectProblem(command("command: append_tq, arguments: {t: 1, q: [1, 2]}"), "the configuration has 2 numbers");
  good(write(command("command: set_q, arguments: [0, 0, 0, 0, 0, 0]")));
  // With the line, where a file is meant that is not there.
  expectProblem(
      command("command: set_path, arguments: nofile.path"),
      "p.yaml:4:80 (stages.0.simulate.commands.0.arguments): error: at 0 s, 'set_path nofile.path': cannot find");
  expectProblem(command("command: set_path, arguments: " MORTISE_SOURCE_DIR "/data/motions/heron_shelf_start.config"),
                "p.yaml:4:80 (stages.0.simulate.commands.0.arguments): error: ");
}

TEST_F(PipelineCheck, SettingsAndSensorsOfCommands) {
  const std::string sensor =
      "components:\n  - {sensor: ForceTorqueSensor, name: wrist, robot: reacher, link: wrist_pitch}\n";
  const auto command = [&](const std::string& entry) {
    return sensor + "stages:\n  - simulate: {duration: 1 s, commands: [{at: 0, " + entry + "}]}\n";
  };
  expectProblem(command("sensor: wirst, enabled: false"), "did you mean 'wrist'?");
  expectProblem(command("sensor: wirst, enabled: false"), "p.yaml:6:");
  expectProblem(command("sensor: wirst, rate: 5 Hz"), "has no sensor 'wirst'");
  expectProblem(command("sensor: wrist, setting: fVarianc, value: 1"), "did you mean 'f_variance'?");
  expectProblem(command("setting: wrist.fVarianc, value: 1"), "the sensor 'wrist' has no setting 'fVarianc'");
  expectProblem(command("sensor: wrist, setting: link, value: 3"), "does not change its setting 'link' while it runs");
  expectProblem(command("setting: velocityScael, value: 1"), "did you mean 'velocity_scale'?");
  expectProblem(command("setting: velocityScale, value: fast"),
                "'velocity_scale': expected a number, found the string 'fast'");
  good(write(command("sensor: wrist, enabled: false")));
  good(write(command("setting: wrist.enabled, value: false")));
  good(write(command("setting: velocityScale, value: 0.5")));
}

TEST_F(PipelineCheck, CommandsInsideStateMachinesAndSequences) {
  const auto machine = [](const std::string& entry, const std::string& command = "stop") {
    return "components:\n  - controller: StateMachineController\n    robot: reacher\n    states:\n"
           "      - {name: go, controller: PathFollowingController}\n"
           "      - {name: hold, controller: JointTrackingController, on_enter: [" +
           entry + "]}\n    transitions: [{from: go, to: hold, after: 1 s}]\n" +
           "stages:\n  - simulate: {duration: 1 s, commands: [" + command + "]}\n";
  };
  const std::string good6 = "{command: set_q, arguments: [0, 0, 0, 0, 0, 0]}";
  expectProblem(
      machine("{command: set_q, arguments: [1, 2]}", ""),
      "p.yaml:8:98 (components.0.states.1.on_enter.0.arguments): error: on_enter of state 'hold': set_q takes a "
      "position for each link: 6 numbers, not 2");
  expectProblem(machine("{command: set_p}", ""), "JointTrackingController has no command 'set_p'");
  expectProblem(machine(good6, "{at: 0, command: hold.set_q, arguments: [1]}"), "6 numbers, not 1");
  expectProblem(machine(good6, "{at: 0, setting: hold.gravitz, value: 1}"), "has no setting 'hold.gravitz'");
  good(write(machine(good6, "")));
  expectProblem(
      "components:\n  - controller: TimedSequenceController\n    steps:\n"
      "      - {controller: PathFollowingController, on_enter: [{command: set_path, arguments: {times: [1], "
      "configurations: []}}]}\nstages: [{simulate: {duration: 1 s}}]\n",
      "on_enter of step 'step1': set_path takes as many configurations as times");
}

TEST_F(PipelineCheck, ReferencesToResultsGetTheNearest) {
  const std::string motion = "stages:\n  - plan: {goal: [0, 0, 0, 0, 0, 0], save: motion}\n";
  for (const std::string stage : {"simulate: {duration: 1 s, follow: moton}", "shortcut: {path: moton}"}) {
    const std::string text = problems(motion + "  - " + stage + "\n");
    EXPECT_NE(text.find("no earlier stage saves a motion 'moton', and there is no such file"), std::string::npos)
        << text;
    EXPECT_NE(text.find("did you mean 'motion'?"), std::string::npos) << text;
  }
  const std::string state = "stages:\n  - simulate: {duration: 1 ms, save: first, save_state: end.state}\n";
  expectProblem(state + "  - simulate: {duration: 1 ms, state: frist}\n", "did you mean 'first'?");
  good(write(state + "  - simulate: {duration: 1 ms, state: first}\n"));
  expectProblem("stages:\n  - simulate: {duration: 1 ms}\n  - simulate: {duration: 1 ms, state: simulate}\n",
                "'simulate' is the result of an earlier stage that saves no state\n  hint: add 'save_state: "
                "simulate.state' to the stage in line 4");
  expectProblem("stages:\n  - simulate: {duration: 1 ms, save: first}\n  - simulate: {duration: 1 ms, state: frist}\n",
                "did you mean 'first'? It is the result of an earlier stage that saves no state: add 'save_state: ");
  // A folder is no state.
  std::filesystem::create_directories(path("frist2"));
  EXPECT_EQ(problems("stages:\n  - simulate: {duration: 1 ms}\n  - simulate: {duration: 1 ms, state: frist}\n")
                .find("frist2"),
            std::string::npos);
}

TEST_F(PipelineCheck, StatesAreFoundByWhatTheyAreSavedAs) {
  const Pipeline p = good(
      write("stages:\n  - simulate: {duration: 2 ms, save_state: st}\n  - simulate: {duration: 2 ms, state: st}\n"));
  const RunOutcome outcome = run(p, "out");
  EXPECT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  EXPECT_NEAR(outcome.result.findPath("results.simulate-2.time")->asReal(), 0.004, 1e-9);
}

TEST_F(PipelineCheck, StartsAndGoalsGetTheNearestResult) {
  for (const std::string place : {"goal: moton", "start: moton, goal: [0, 0, 0, 0, 0, 0]"}) {
    const std::string text =
        problems("stages:\n  - plan: {goal: [0, 0, 0, 0, 0, 0], save: motion}\n  - plan: {" + place + "}\n");
    EXPECT_NE(text.find("p.yaml:5:"), std::string::npos) << text;
    EXPECT_NE(text.find("did you mean 'motion'?"), std::string::npos) << text;
  }
  expectProblem(
      "stages:\n  - plan: {goal: [0, 0, 0, 0, 0, 0], save: motion}\n  - simulate: {duration: 1 s, config: moton}\n",
      "did you mean 'motion'?");
}

TEST_F(PipelineCheck, AContinuedStageSaysWhatStartsAnew) {
  const Pipeline p = good(write("stages:\n  - simulate: {duration: 10 ms, follow: " MORTISE_SOURCE_DIR
                                "/data/motions/reacher_sweep.path, save: a, save_state: a.state}\n"
                                "  - simulate: {duration: 2 ms, state: a}\n"));
  EXPECT_EQ(run(p, "out").status, RunStatus::done);
  std::string said;
  for (const auto& [level, line] : log_.lines) said += line + "\n";
  EXPECT_NE(
      said.find("time, controllers and sensors start anew: the state was saved with other settings of controller "),
      std::string::npos)
      << said;
  EXPECT_EQ(said.find("called"), std::string::npos) << said;
}

TEST_F(PipelineCheck, FilesOfRecordersStayInTheRunDirectory) {
  for (const char* file : {"/tmp/x.csv", "../x.csv"})
    expectProblem("components:\n  - {recorder: csv, file: " + std::string(file) + "}\nstages: [report]\n",
                  "(components.0.file): error: 'file' of recorder 'csv': '" + std::string(file) + "' would be written");
  expectProblem("components:\n  - {controller: LoggingController, file: /tmp/x.log}\nstages: [report]\n",
                "'file' of controller 'LoggingController': '/tmp/x.log' would be written outside");
  good(write("components:\n  - {recorder: csv}\nstages: [report]\n"), {"components.0.file=/tmp/x.csv"});
  expectProblem(
      "components:\n  - {recorder: csv, name: a, file: x.csv}\n  - {recorder: csv, name: b, file: ./x.csv}\n"
      "stages: [report]\n",
      "recorder 'a' writes 'x.csv' already");
}

TEST_F(PipelineCheck, MilestonesAndStepOfAStage) {
  writeFile(path("m.milestones"), "6 0 0 0 0 0 0\t6 0 0 0 0 0 0\n6 0.2 0 0 0 0 0\t6 0 0 0 0 0 0\n");
  const RunOutcome outcome =
      run(good(write("stages:\n  - simulate: {duration: 40 ms, step: 2 ms, milestones: m.milestones}\n")), "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  EXPECT_EQ(outcome.result.findPath("results.simulate.steps")->asInteger(), 20);
  EXPECT_NE(outcome.result.findPath("results.simulate.robots.0.q.0")->asReal(), 0);
  expectProblem("stages:\n  - simulate: {duration: 1 s, milestones: gone.milestones}\n", "'milestones': cannot find");
  expectProblem("stages:\n  - simulate: {duration: 1 s, milestones: m.milestones, follow: x.path}\n",
                "exclude each other");
}

/// Controllers that are tried before the run know the world that they will be in.
TEST_F(PipelineCheck, TriedControllersKnowTheirWorld) {
  MORTISE_NEEDS_PLUGIN("controllers");
  writeFile(path("crossing.path"), "0\t6\t0.66 0.8 0.5 0 0 0\n1\t6\t0.66 0.9 0.5 0 0 0\n");
  const auto with = [](const std::string& body) {
    return "components:\n  - {controller: RealTimePlanningController, obstacles: [{body: " + body +
           ", motion: crossing.path}]}\nstages:\n  - simulate: {duration: 0.01}\n";
  };
  EXPECT_EQ(problems(with("ball")), "");
  expectProblem(with("bell"), "no terrain or rigid object is called 'bell'");
}

}  // namespace
}  // namespace mortise::test
