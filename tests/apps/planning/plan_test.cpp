#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

#include "mortise/base/value_text.h"
#include "tests/support/engines.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kWorld = MORTISE_SOURCE_DIR "/data/worlds/heron_shelf.xml";
const std::string kStart = MORTISE_SOURCE_DIR "/data/motions/heron_shelf_start.config";
const std::string kGoal = MORTISE_SOURCE_DIR "/data/motions/heron_shelf_goal.config";

class PlanCommand : public FolderTest {
 protected:
  /// A plan in the shelf's world.
  Ran plan(std::vector<std::string> options, bool withGoal = true) const {
    std::vector<std::string> words = {"plan", kWorld};
    if (withGoal) words.insert(words.end(), {"--goal", kGoal});
    words.insert(words.end(), options.begin(), options.end());
    return runMortise(words);
  }
  Value json(std::vector<std::string> options) const {
    options.push_back("--json");
    const Ran ran = plan(options);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return parseYaml(ran.out.empty() ? "{}" : ran.out, "out");
  }
  Value info(const std::string& name) const {
    const Ran ran = runMortise({"path", "info", path(name), "--json"});
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return parseYaml(ran.out, "out");
  }
};

TEST_F(PlanCommand, NamesPlannersWhosePathsHaveTheWrongSize) {
  for (const char* size : {"0", "2", "1000"}) {
    const Ran ran = plan({"--plugin", MORTISE_BINARY_DIR "/tests/plugins/wrong_sizes.so", "--planner",
                          "fixture.WrongPlanner", "--set", std::string("size=") + size});
    EXPECT_EQ(ran.signal, 0) << "a crash";
    EXPECT_EQ(ran.exitCode, 1);
    for (const std::string& part : {std::string("fixture.WrongPlanner of fixture_wrong_sizes"),
                                    "configuration 1 has " + std::string(size) + " numbers, and "})
      EXPECT_NE(ran.err.find(part), std::string::npos) << part << "\n" << ran.err;
  }
}

TEST_F(PlanCommand, SaysWhatItFound) {
  const Ran ran = plan({"--start", kStart, "--seed", "3"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  for (const char* word : {"mortise.Any: solved after ", "checked ", "milestones, length "})
    EXPECT_NE(ran.out.find(word), std::string::npos) << ran.out;
}

TEST_F(PlanCommand, TheSameSeedGivesTheSamePathInAnotherProcess) {
  const Value a = json({"--seed", "3", "--shortcut", "--retime"}), b = json({"--seed", "3", "--shortcut", "--retime"});
  EXPECT_TRUE(a.at("solved").asBool());
  EXPECT_EQ(a.at("path"), b.at("path"));
  EXPECT_EQ(a.at("path_hash"), b.at("path_hash"));
  EXPECT_EQ(a.at("motion"), b.at("motion"));
  EXPECT_EQ(a.at("retime").at("path_hash"), b.at("retime").at("path_hash"));
  EXPECT_LT(a.at("shortcut").at("length").asReal(), a.at("shortcut").at("length_before").asReal());
  EXPECT_LE(a.at("retime").at("velocity_usage").asReal(), 1 + 1e-9);
  EXPECT_NE(json({"--seed", "4"}).at("path_hash"), json({"--seed", "3"}).at("path_hash"));
}

TEST_F(PlanCommand, ARunThatTimeEndedIsRepeatedByItsIterations) {
  MORTISE_NEEDS_PLUGIN("planners_ompl");
  // A goal next to the start: there is a path at once, however busy the machine. No path is known to be the best.
  const auto plan = [&](const std::string& limit, const std::string& value) {
    const Ran ran =
        this->plan({"--goal",
                    "{region: {shoulder: [0.2, 0.3], upper_arm: [0.78, 0.85], elbow: [0.3, 0.4], forearm: [1.45, 1.5], "
                    "forearm_roll: [-2.6, -2.5], wrist: [0.9, 0.95], hand: [1.15, 1.2]}}",
                    "--optimize", limit, value, "--planner", "ompl.RRTstar", "--json"},
                   false);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return parseYaml(ran.out.empty() ? "{}" : ran.out, "out");
  };
  const Value timed = plan("--time-limit", "200ms");
  EXPECT_EQ(timed.at("stopped_by").asString(), "timeLimit");
  const Value counted = plan("--iterations", timed.at("iterations").text());
  EXPECT_EQ(counted.at("stopped_by").asString(), "maxIters");
  EXPECT_EQ(counted.at("path"), timed.at("path"));
}

TEST_F(PlanCommand, WritesMotionsThatReadBack) {
  std::vector<std::string> options = {"--retime", "--check"};
  for (const char* name : {"a.path", "a.milestones", "a.configs", "a.xml", "a.json"})
    options.insert(options.end(), {"-o", path(name)});
  const Value result = json(options);
  EXPECT_EQ(result.at("files").size(), 5u);
  EXPECT_TRUE(result.at("check").at("valid").asBool());
  const double duration = result.at("retime").at("duration").asReal();
  EXPECT_EQ(info("a.xml").at("duration").asReal(), duration);
  EXPECT_EQ(info("a.xml").at("settings").at("robot").text(), "heron");
  EXPECT_EQ(info("a.path").at("type").asString(), "trajectory");
  EXPECT_NEAR(info("a.path").at("end_time").asReal(), duration, 1e-12);
  EXPECT_EQ(info("a.json").at("type").asString(), "hermite_trajectory");

  // Milestones alone, without times.
  const Value bare = json({"-o", path("b.path"), "-o", path("b.configs"), "-o", path("b.xml"), "-o", path("b.json")});
  const std::int64_t milestones = bare.at("milestones").asInteger();
  for (const char* name : {"b.path", "b.configs", "b.xml", "b.json"})
    EXPECT_EQ(info(name).at("n").asInteger(), milestones) << name;
  const Ran again = runMortise({"path", "eval", path("b.path"), "--at", "0", "--json"});
  ASSERT_EQ(again.exitCode, 0) << again.err;
  EXPECT_EQ(parseYaml(again.out, "out").at("samples")[0].at("q").asReals(), bare.at("path")[0].asReals());

  const Ran wrong = plan({"-o", path("a.off")});
  EXPECT_EQ(wrong.exitCode, 1);
  EXPECT_NE(wrong.err.find(".path, .milestones, .configs, .xml or .json"), std::string::npos) << wrong.err;
}

TEST_F(PlanCommand, WritesRoadmaps) {
  const Value result = json({"--planner", "prm", "--roadmap", path("map.tgf")});
  EXPECT_EQ(result.at("roadmap").asString(), path("map.tgf"));
  const std::string tgf = text("map.tgf");
  EXPECT_NE(tgf.find("\n#\n"), std::string::npos);
  (void)json({"--planner", "prm", "--roadmap", path("map.json")});
  const Value map = parseYaml(text("map.json"), "map.json");
  EXPECT_EQ(map.at("coordinates").size(), 7u);
  EXPECT_GT(map.at("configurations").size(), 2u);
  EXPECT_EQ(map.at("configurations")[0].size(), 7u);
  EXPECT_GT(map.at("edges").size(), 1u);
  EXPECT_EQ(static_cast<std::size_t>(std::count(tgf.begin(), tgf.end(), '\n')),
            map.at("configurations").size() + map.at("edges").size() + 1);
}

TEST_F(PlanCommand, TakesGoalsOfLinksRegionsAndSettingsFromAFile) {
  Ran ran = plan({"--goal-ik", "{link: hand, position: [0.35, 0, 0.9]}", "--json"}, false);
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  ran = plan({"--goal", "{region: {shoulder: [-0.1, 0.1]}}", "--json"}, false);
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value region = parseYaml(ran.out, "out");
  EXPECT_LE(std::abs(region.at("path").items().back()[1].asReal()), 0.1);

  const std::string settings = write("plan.yaml",
                                     "planner: {type: rrt, perturbationRadius: 0.4}\n"
                                     "goal: {configuration: " +
                                         kGoal + "}\nseed: 9\n");
  ran = runMortise({"plan", kWorld, "--settings", settings, "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value fromFile = parseYaml(ran.out, "out");
  EXPECT_EQ(fromFile.at("seed").asInteger(), 9);
  EXPECT_EQ(fromFile.at("planner").asString(), "mortise.RRT");
  ran = plan({"--planner", "rrt", "--set", "perturbationRadius=0.4", "--seed", "9", "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_EQ(parseYaml(ran.out, "out").at("path"), fromFile.at("path"));
}

TEST_F(PlanCommand, SaysWhyNot) {
  const auto fails = [&](const Ran& ran, const std::vector<std::string>& words) {
    EXPECT_EQ(ran.exitCode, 1) << ran.err;
    for (const std::string& word : words) EXPECT_NE(ran.err.find(word), std::string::npos) << word << "\n" << ran.err;
  };
  fails(plan({"--goal", "[0, 0, 9, 0, 0, 0, 0, 0, 0]"}, false), {"goal_infeasible", "'upper_arm'", "limits"});
  fails(plan({"--start", "[0, 0, 9, 0, 0, 0, 0, 0, 0]"}), {"start_infeasible", "limits"});
  fails(plan({"--goal", "1,2"}, false),
        {"--goal", "2 numbers", "9, one a link of robot 'heron'", "7, what is planned for"});
  fails(plan({"--goal", "nowhere.config"}, false), {"nowhere.config"});
  fails(plan({"--links", "shoulder,elbo"}), {"--links", "'elbo'", "elbow"});
  fails(plan({"--robot", "herron"}), {"herron", "heron"});
  fails(plan({"--planner", "rtt"}), {"rtt", "rrt"});
  fails(plan({"--planner", "rrt", "--set", "perturbationRadiu=1"}), {"perturbation_radius"});
  fails(plan({"--planner", "rrt", "--set", "perturbationRadius=-1"}), {"perturbation_radius"});
  fails(plan({"--object", "shelf"}), {"--object"});
  fails(plan({"--robot", "heron", "--object", "vase"}), {"keep one"});
  fails(plan({"--planar"}), {"'planar'"});
  fails(plan({"--margin", "2s"}), {"margin"});
  fails(plan({"--keep-tolerance", "0.1"}), {"goes with 'keep'"});
  fails(plan({"--stance", "none.stance"}), {"none.stance"});
  fails(plan({"--retime", "{method: parabollic}"}), {"parabolic"});
  fails(plan({"--time-limit", "0"}), {"no path", "stopped"});
  fails(runMortise({"plan", "/nowhere.xml", "--goal", kGoal}), {"/nowhere.xml"});
}

TEST_F(PlanCommand, RefusesWrongUsage) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"plan"},
                                             {"plan", kWorld},
                                             {"plan", kWorld, "--gaol", kGoal},
                                             {"plan", kWorld, "--goal", kGoal, "--seed", "x"},
                                             {"plan", kWorld, "--goal", "{a: ["},
                                             {"plan", kWorld, "--goal", kGoal, "--ignore", "heron"}}) {
    const Ran ran = runMortise(words);
    EXPECT_EQ(ran.exitCode, 2) << words.size() << ran.err;
  }
}

TEST_F(PlanCommand, ListsPlanners) {
  const Ran ran = runMortise({"plan", "--list-planners", "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value list = parseYaml(ran.out, "out");
  bool any = false;
  for (const Value& planner : list.items())
    for (const std::string& alias : planner.at("aliases").asStrings()) any = any || alias == "any";
  EXPECT_TRUE(any);
}

TEST_F(PlanCommand, StepsTakeNumbersAndMaps) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--shortcut", "2"}, {"--shortcut=2"}, {"--shortcut", "0.01"}}) {
    const Ran ran = plan(words);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    EXPECT_NE(ran.out.find("shortcut     length"), std::string::npos) << ran.out;
  }
  // The robot itself is slower: limits in place of its own hold for the check, too.
  const Value fast = json({"--retime", "{velocity: 50, acceleration: 300}", "--check"});
  EXPECT_TRUE(fast.at("check").at("valid").asBool());
  EXPECT_LT(fast.at("retime").at("duration").asReal(), json({"--retime"}).at("retime").at("duration").asReal());
}

TEST_F(PlanCommand, GoalsNameJointsAsStartsDo) {
  const auto last = [&](const std::string& goal) {
    const Ran ran = plan({"--goal", goal, "--json"}, false);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return parseYaml(ran.out.empty() ? "{}" : ran.out, "out").at("path").items().back();
  };
  EXPECT_EQ(last("{hand: 1.2}"), last("{configuration: {hand: 1.2}}"));
  EXPECT_EQ(last("{hand: 1.2, tolerance: 0.001}"), last("{hand: 1.2}"));
  const Ran wrong = plan({"--goal", "{hnad: 1.2}"}, false);
  EXPECT_EQ(wrong.exitCode, 1);
  EXPECT_NE(wrong.err.find("unknown key 'hnad'"), std::string::npos) << wrong.err;
  EXPECT_NE(wrong.err.find("did you mean 'hand'"), std::string::npos) << wrong.err;
}

/// Two links; the joint that moves the second is called as neither is.
const char* const kTwoJoints = R"(<robot name="two"><link name="world"/><link name="shoulder"/><link name="upper_arm"/>
  <joint name="shoulder_pan_joint" type="revolute"><parent link="world"/><child link="shoulder"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="shoulder_lift_joint" type="revolute"><parent link="shoulder"/><child link="upper_arm"/>
    <axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint></robot>)";

TEST_F(PlanCommand, JointsOfUrdfFilesAreNames) {
  const std::string file = path("two.urdf");
  std::ofstream(file) << kTwoJoints;
  const auto end = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"plan", file, "--json"});
    const Ran ran = runMortise(words);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return parseYaml(ran.out.empty() ? "{path: [[]]}" : ran.out, "out").at("path").items().back().asReals();
  };
  EXPECT_EQ(end({"--goal", "{shoulder_lift_joint: 1}"}), (std::vector<double>{0, 1}));
  EXPECT_EQ(end({"--goal", "{shoulder_lift_joint: 1}", "--links", "shoulder_lift_joint"}), (std::vector<double>{0, 1}));
  const double quarter = 1.5707963267948966;
  for (const char* goal : {"90deg,0", "[90 deg, 0]", "90 deg 0", "{shoulder_pan_joint: 90deg}", "[90deg, 0 rad]"})
    EXPECT_EQ(end({"--goal", goal}), (std::vector<double>{quarter, 0})) << goal;
  const Ran wrong = runMortise({"plan", file, "--goal", "1,2,3"});
  EXPECT_EQ(wrong.exitCode, 1);
  EXPECT_NE(wrong.err.find("give 2, one a link of robot 'two' (shoulder, upper_arm)"), std::string::npos) << wrong.err;
  const Ran near = runMortise({"plan", file, "--goal", "{shoulder_lift_jiont: 1}"});
  EXPECT_NE(near.err.find("did you mean 'shoulder_lift_joint'"), std::string::npos) << near.err;
}

TEST_F(PlanCommand, FilesOfConfigurationsHaveIndices) {
  const std::string file = path("two.urdf");
  std::ofstream(file) << kTwoJoints;
  std::ofstream(path("poses.configs")) << "2  0.5 0.25\n2  1 -1\n";
  const Ran ran = runMortise({"plan", file, "--goal", path("poses.configs") + "[1]", "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_EQ(parseYaml(ran.out, "out").at("path").items().back().asReals(), (std::vector<double>{1, -1}));
  const Ran none = runMortise({"plan", file, "--goal", path("poses.configs") + "[2]"});
  EXPECT_EQ(none.exitCode, 1);
  EXPECT_NE(none.err.find("indices run from 0 to 1"), std::string::npos) << none.err;
}

TEST_F(PlanCommand, ANameOfSeveralLinksIsNoUnknownOne) {
  const std::string file = path("two.urdf");
  std::string two = kTwoJoints;  // A joint called like the link that it does not move.
  two.replace(two.find("shoulder_lift_joint"), std::string("shoulder_lift_joint").size(), "shoulder");
  std::ofstream(file) << two;
  const Ran ran = runMortise({"plan", file, "--goal", "{shoulder: 1}"});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("'shoulder' means several things in robot"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("unknown key"), std::string::npos) << ran.err;
}

TEST_F(PlanCommand, ValuesThatAreTakenForFilesAreExplained) {
  Ran ran = plan({"--retime", "parabollic"});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("--retime=parabolic"), std::string::npos) << ran.err;
  ran = plan({"--retime", "foo"});
  EXPECT_NE(ran.err.find("--retime=foo"), std::string::npos) << ran.err;
  ran = plan({"--shortcut", "foo"});
  EXPECT_NE(ran.err.find("--shortcut=2"), std::string::npos) << ran.err;
}

/// Starts `mortise ARGUMENTS`, sends it `signal` after a while and waits for its end.
int interrupted(const std::vector<std::string>& arguments, int signal, int milliseconds, const std::string& output) {
  const pid_t child = fork();
  if (child == 0) {
    const int out = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(out, 1);
    ::dup2(out, 2);
    std::vector<char*> words;
    static std::string program = MORTISE_BINARY_DIR "/bin/mortise";
    words.push_back(program.data());
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    ::execv(program.c_str(), words.data());
    ::_exit(127);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  ::kill(child, signal);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_F(PlanCommand, CtrlCKeepsWhatThereIs) {
  const int code = interrupted(
      {"plan", kWorld, "--goal", kGoal, "--optimize", "--time-limit", "100000", "-o", path("kept.path"), "--json"},
      SIGINT, 2500, path("out.json"));
  EXPECT_EQ(code, 0) << text("out.json");
  const Value result = parseYaml(text("out.json"), "out");
  EXPECT_EQ(result.at("stopped_by").asString(), "stopRequested");
  EXPECT_LT(result.at("seconds").asReal(), 1000);
  EXPECT_EQ(info("kept.path").at("n").asInteger(), result.at("milestones").asInteger());
  // Without a path: the goal's hand is far out of reach, and says so after it was asked to end.
  EXPECT_EQ(
      interrupted({"plan", kWorld, "--goal-ik", "{link: hand, position: [50, 0, 0]}", "--time-limit", "100000", "-q"},
                  SIGINT, 2500, path("none.txt")),
      130)
      << text("none.txt");
}

class PlanDemo : public PlanCommand {
 protected:
  /// The start, the goal, and the start again.
  std::string configurations() const {
    const auto line = [](const std::string& file) {
      std::ostringstream out;
      out << std::ifstream(file).rdbuf();
      return out.str();
    };
    return write("there_and_back.configs", line(kStart) + "\n" + line(kGoal) + "\n" + line(kStart) + "\n");
  }
};

TEST_F(PlanDemo, PlansBetweenConsecutiveConfigurationsAsKlamptDoes) {
  const std::string configs = configurations();
  const std::string settings =
      write("rrt.settings", "{ type:\"rrt\", perturbationRadius:0.5, bidirectional:1, shortcut:1 }\n");
  const std::vector<std::string> words = {
      "PlanDemo", "-o", path("demo.xml"), "-p",    settings, "-n", "200000", "-r", "0",
      "-t",       "30", kWorld,           configs, "--seed", "2"};
  Ran ran = runMortise(words);
  ASSERT_EQ(ran.exitCode, 0) << ran.out << ran.err;
  EXPECT_EQ(info("demo.xml").at("sections").asInteger(), 2);
  EXPECT_EQ(info("demo.xml").at("settings").at("robot").text(), "heron");
  EXPECT_NE(info("demo.xml").at("settings").at("command").text().find("PlanDemo -o"), std::string::npos);
  const std::string first = text("demo.xml");
  ran = runMortise(words);
  EXPECT_EQ(text("demo.xml"), first);
  // Through a link of its name, and in the linear format.
  const std::string link = path("PlanDemo");
  std::filesystem::create_symlink(MORTISE_BINARY_DIR "/bin/mortise", link);
  ran = runProgram({link, "-n", "200000", "-o", path("demo.path"), kWorld, configs}, {"XDG_DATA_HOME=/nonexistent"});
  ASSERT_EQ(ran.exitCode, 0) << ran.out << ran.err;
  EXPECT_EQ(info("demo.path").at("type").asString(), "trajectory");
}

TEST_F(PlanDemo, AWorldThatCannotBeReadSaysWhy) {
  const std::string world = write("w.xml", "<world>\n<robot name='r' file='nowhere.rob'/></world>");
  for (const char* program : {"PlanDemo", "DynamicPlanDemo"}) {
    const Ran ran = runMortise({program, "-o", path("demo.xml"), world, configurations()});
    EXPECT_EQ(ran.exitCode, 1);
    EXPECT_NE(ran.err.find("w.xml:2:17: error: cannot find 'nowhere.rob'"), std::string::npos) << ran.err;
    EXPECT_EQ(ran.err.find("there is no robot 0"), std::string::npos) << ran.err;
  }
  const Ran ran = runMortise({"ContactPlan", world, configurations(), write("s.stance", "begin stance\nend\n")});
  EXPECT_NE(ran.err.find("w.xml:2:17: error: cannot find 'nowhere.rob'"), std::string::npos) << ran.err;
}

TEST_F(PlanDemo, MarksWhatCouldNotBePlanned) {
  const Ran ran = runMortise({"PlanDemo", "-n", "0", "-o", path("demo.xml"), kWorld, configurations()});
  EXPECT_EQ(ran.exitCode, 1) << ran.err;
  EXPECT_NE(text("demo.xml").find("infeasible"), std::string::npos) << text("demo.xml");
  EXPECT_EQ(info("demo.xml").at("sections").asInteger(), 2);
}

TEST_F(PlanDemo, FormatsThatCannotSayInfeasibleEndBeforeIt) {
  // From the goal it goes nowhere: the third configuration is out of its limits.
  std::ostringstream start, goal;
  start << std::ifstream(kStart).rdbuf();
  goal << std::ifstream(kGoal).rdbuf();
  const std::string configs =
      write("out.configs", start.str() + "\n" + goal.str() + "\n9\t0 0 9 0 0 0 0 0 0\n" + start.str() + "\n");
  Ran ran = runMortise({"PlanDemo", "-n", "20000", "-o", path("demo.path"), kWorld, configs});
  EXPECT_EQ(ran.exitCode, 1) << ran.err;
  EXPECT_NE(ran.err.find("plan 2 of 3 failed"), std::string::npos) << ran.err;
  const Ran end = runMortise({"path", "info", path("demo.path")});
  EXPECT_EQ(end.exitCode, 0) << end.err;
  EXPECT_EQ(text("demo.path").find("\t0 0 9 "), std::string::npos) << text("demo.path");
  ran = runMortise({"PlanDemo", "-n", "0", "-o", path("none.path"), kWorld, configurations()});
  EXPECT_EQ(ran.exitCode, 1) << ran.err;
  EXPECT_NE(ran.err.find("nothing is written"), std::string::npos) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(path("none.path")));
}

TEST_F(PlanDemo, ATimestepOfNothingIsRefusedBeforePlanning) {
  const Ran ran = runMortise({"DynamicPlanDemo", "-h", "0", "-o", path("dynamic.path"), kWorld, configurations()});
  EXPECT_EQ(ran.exitCode, 2) << ran.err;
  EXPECT_NE(ran.err.find("above 0"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.out.find("from configuration"), std::string::npos) << ran.out;
}

TEST_F(PlanDemo, DynamicPlanDemoGivesTimes) {
  const Ran ran =
      runMortise({"DynamicPlanDemo", "-n", "200000", "-s", "50", "-o", path("dynamic.xml"), kWorld, configurations()});
  ASSERT_EQ(ran.exitCode, 0) << ran.out << ran.err;
  EXPECT_EQ(info("dynamic.xml").at("sections").asInteger(), 2);
  EXPECT_TRUE(info("dynamic.xml").at("continuous").asBool());
  EXPECT_GT(info("dynamic.xml").at("duration").asReal(), 0.5);
  const Ran linear = runMortise(
      {"DynamicPlanDemo", "-n", "200000", "-h", "0.02", "-o", path("dynamic.path"), kWorld, configurations()});
  ASSERT_EQ(linear.exitCode, 0) << linear.err;
  EXPECT_GT(info("dynamic.path").at("n").asInteger(), 25);
}

TEST_F(PlanDemo, LeavesOutWhatThePlannerDoesNotUse) {
  // The keys of Klamp't's own settings files, for one planner and for another.
  const std::string settings = write(
      "all.settings",
      "{ type:\"rrt\", perturbationRadius:0.5, bidirectional:1, knn:10, useGrid:0, gridResolution:0.1, shortcut:0, "
      "restart:0, restartTermCond:\"{foundSolution:1;maxIters:1000}\" }\n");
  const Ran ran = runMortise(
      {"PlanDemo", "-o", path("demo.xml"), "-p", settings, "-n", "200000", kWorld, configurations(), "--seed", "2"});
  EXPECT_EQ(ran.exitCode, 0) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("all.settings:1:64 (knn): planner 'mortise.RRT' does not use 'knn', which is left out (and 2 "
                         "more like it"),
            std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find("'restartTermCond' has no effect, because 'restart' is off"), std::string::npos) << ran.err;
  EXPECT_EQ(info("demo.xml").at("sections").asInteger(), 2);
}

TEST_F(PlanDemo, SaysWhatIsWrong) {
  Ran ran = runMortise({"PlanDemo"});
  EXPECT_EQ(ran.exitCode, 0);
  EXPECT_NE(ran.out.find("usage: mortise PlanDemo"), std::string::npos);
  EXPECT_EQ(runMortise({"PlanDemo", "-x", kWorld, configurations()}).exitCode, 2);
  ran = runMortise({"PlanDemo", "-r", "3", kWorld, configurations()});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("no robot 3"), std::string::npos) << ran.err;
  ran = runMortise({"PlanDemo", kWorld, write("one.configs", "9\t0 0 0 0 0 0 0 0 0\n")});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("two or more"), std::string::npos) << ran.err;
  ran = runMortise({"PlanDemo", kWorld, write("short.configs", "2\t0 0\n2\t0 0\n")});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("has 2 numbers"), std::string::npos) << ran.err;
  ran = runMortise(
      {"PlanDemo", "-p", write("bad.settings", "{ type:\"rrt\", perturbationRadiu:0.5 }"), kWorld, configurations()});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("perturbation_radius"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace mortise::test
