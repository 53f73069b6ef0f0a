#include <filesystem>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "tests/apps/simulation/run_sim.h"
#include "tests/support/engines.h"

namespace mortise::test {
namespace {

namespace fs = std::filesystem;

const std::string kSimBlocks = MORTISE_SOURCE_DIR "/data/worlds/blocks.xml";

class SimCommand : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("mortise-sim-" + std::to_string(::getpid()) + "-" +
                                           testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static std::string hash(const Value& summary) { return summary.at("state_hash").asString(); }
  /// The run ends with this exit code and says this.
  void fails(std::vector<std::string> arguments, int exitCode, const std::string& expected) {
    const Ran ran = sim(std::move(arguments));
    EXPECT_EQ(ran.exitCode, exitCode) << ran.err;
    EXPECT_NE(ran.err.find(expected), std::string::npos) << "expected: " << expected << "\nfound: " << ran.err;
  }
  static int lines(const std::string& file) {
    const std::string text = readFile(file);
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  }

  fs::path folder_;
};

TEST_F(SimCommand, PrintsTheKeysThatScriptsStandOn) {
  MORTISE_NEEDS_ENGINES("ode");
  const Value summary = json({kSimBlocks, "--duration", "20ms"});
  for (const char* key :
       {"backend", "time", "steps", "wall_s", "load_s", "realtime_factor", "status", "worst_status", "status_counts",
        "objects", "robots", "max_contacts", "state_hash", "energy", "contacts", "contact_source"})
    EXPECT_TRUE(summary.contains(key)) << key;
  EXPECT_EQ(summary.at("steps").asInteger(), 20);
  EXPECT_EQ(summary.at("contact_source").asString(), "boundary_layer");
  EXPECT_EQ(json({kSimBlocks, "--duration", "20ms", "--contacts", "engine", "--backend", "ode"})
                .at("contact_source")
                .asString(),
            "engine");
}

TEST_F(SimCommand, SaysForPeopleHowItWent) {
  const Ran ran = sim({kSimBlocks, "--duration", "20ms", "--settle", "3"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  for (const char* text : {"mortise.NativePhysics", "times real time", "status ", "contacts ", "energy ", "settled ",
                           "object ", "robot ", "state hash "})
    EXPECT_NE(ran.out.find(text), std::string::npos) << text << "\n" << ran.out;
  EXPECT_EQ(sim({kSimBlocks, "--duration", "1ms", "--quiet"}).out, "");
}

TEST_F(SimCommand, RunsOnEveryBackend) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  for (const char* backend : {"mortise", "ode", "bullet", "kinematic"})
    EXPECT_EQ(json({kSimBlocks, "--duration", "5ms", "--backend", backend}).at("worst_status").asString(), "normal");
}

TEST_F(SimCommand, StatesAndWorldsContinueWhereTheyEnded) {
  const std::string full = hash(json({kSimBlocks, "--duration", "200ms"}));
  const Value half =
      json({kSimBlocks, "--duration", "100ms", "--save-state", path("a.state"), "--save-world", path("a.xml")});
  EXPECT_EQ(half.at("saved").size(), 2u);
  EXPECT_EQ(hash(json({kSimBlocks, "--state", path("a.state"), "--duration", "100ms"})), full);
  EXPECT_EQ(hash(json({kSimBlocks, "--state", path("a.state"), "--end", "200ms"})), full);
  EXPECT_EQ(hash(json({path("a.xml"), "--duration", "100ms"})), full);
  EXPECT_NE(hash(json({path("a.xml"), "--duration", "100ms", "--no-state"})), full) << "starts at time 0";
  // Also of a world that is put together.
  const std::string cup = MORTISE_SOURCE_DIR "/data/objects/cup.obj";
  json({kSimBlocks, cup, "--duration", "50ms", "--save-world", path("b.xml")});
  EXPECT_EQ(hash(json({path("b.xml"), "--duration", "50ms"})), hash(json({kSimBlocks, cup, "--duration", "100ms"})));
}

TEST_F(SimCommand, UnderstandsSimTestAndSimUtil) {
  const Value robot = parseYaml(runMortise({"world", "info", kSimBlocks, "--json"}).out, "info");
  std::string config = "6\t";
  for (const double q : {0.1, -0.5, 1.1, 0.1, 0.2, 0.0}) config += std::to_string(q) + " ";
  writeFile(path("start.config"), config + "\n");
  writeFile(path("to.milestones"), config + "\t6\t0 0 0 0 0 0\n" + "6\t0.2 -0.5 1.1 0.1 0.2 0\t6\t0 0 0 0 0 0\n");
  const std::vector<std::string> ours = {
      kSimBlocks, "--config", path("start.config"), "--milestones", path("to.milestones"), "--duration", "100ms",
      "--step",   "0.002"};
  const std::vector<std::string> theirs = {
      kSimBlocks, "-config", path("start.config"), "-m", path("to.milestones"), "-duration", "0.1", "-step",
      "0.002",    "-prefix", path("trial")};
  EXPECT_EQ(hash(json(ours)), hash(json(theirs)));
  const std::string state = readFile(path("trial.state"));
  EXPECT_EQ(state.substr(0, 8), "bW9ydGlz") << "SimUtil writes base64 unless -format says otherwise";
  std::vector<std::string> longer = ours, resumed = ours;
  longer[6] = "200ms";
  resumed.insert(resumed.end(), {"-init", path("trial.state"), "-end", "0.2"});
  EXPECT_EQ(hash(json(resumed)), hash(json(longer)));
  const Ran raw = sim({kSimBlocks, "-duration", "0.01", "-prefix", path("raw"), "-format", "raw"});
  EXPECT_EQ(raw.exitCode, 0) << raw.err;
  EXPECT_EQ(readFile(path("raw.state")).substr(0, 13), "mortise state");
}

TEST_F(SimCommand, StartsAreWrittenInAnyWay) {
  const std::string robot = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";
  writeFile(path("poses.configs"), "6  0 0 0 0 0 0\n6  0.5 0.25 0 0 0 0\n");
  writeFile(path("pose.config"), "6  0.5 0.25 0 0 0 0\n");
  const auto start = [&](const std::string& config) {
    return json({robot, "--duration", "0", "--config", config}).findPath("robots.0.q")->asReals();
  };
  const std::vector<double> expected = {0.5, 0.25, 0, 0, 0, 0};
  for (const std::string& config :
       {std::string("0.5,0.25,0,0,0,0"), std::string("[0.5 rad, 250 mrad, 0, 0, 0, 0]"), path("pose.config"),
        path("poses.configs") + "[1]", "{file: " + path("poses.configs") + ", index: 1}",
        std::string("{reacher: [0.5, 0.25, 0, 0, 0, 0]}"),
        std::string("{shoulder_yaw: 0.5, shoulder_pitch: 0.25, elbow: 0, 3: 0}")}) {
    const std::vector<double> q = start(config);
    ASSERT_EQ(q.size(), 6u) << config;
    for (std::size_t i = 0; i < (config[0] == '{' ? 4u : 6u); ++i) EXPECT_NEAR(q[i], expected[i], 1e-12) << config;
  }
  const std::vector<double> home = json({robot, "--duration", "0"}).findPath("robots.0.q")->asReals();
  const std::vector<double> turned = start("{shoulder_yaw: 90 deg}");
  EXPECT_NEAR(turned[0], 1.5707963267948966, 1e-12);
  EXPECT_NEAR(turned[1], home[1], 1e-12) << "what is not named stays";

  fails({robot, "--config", "0,0"}, 1, "give 6, one a link of robot 'reacher' (shoulder_yaw, ");
  fails({robot, "--config", "{elbwo: 1}"}, 1, "did you mean 'elbow'?");
  fails({robot, "--config", path("poses.configs")}, 1, "holds 2 configurations");
  fails({robot, "--config", "[0, 1"}, 2, "--config");
  fails({robot, "--config", "0,0,0,0,0,0", "--config", "0,0,0,0,0,0"}, 1, "the world has 1 robot");
}

TEST_F(SimCommand, WritesLogsInEitherForm) {
  json({kSimBlocks, "--duration", "100ms", "--log", path("s.csv"), "--contact-log", path("c.jsonl"), "--wrench-log",
        path("w.csv"), "--log-rate", "100"});
  EXPECT_EQ(lines(path("s.csv")), 12) << "header, start, ten rows";
  EXPECT_EQ(lines(path("c.jsonl")), 11);
  EXPECT_EQ(readFile(path("w.csv")).substr(0, 16), "time,body1,body2");
  EXPECT_GT(lines(path("w.csv")), 20);
}

TEST_F(SimCommand, MilestonesAreMovedThroughAsFastAsTheLimitsAllow) {
  // A turn by 1 rad at 180 deg/s and 600 deg/s^2 takes 0.62 s; the file's configurations are a second apart.
  writeFile(path("to.milestones"), "6\t-1.0 -0.6 1.2 0 0.4 0\t6\t0 0 0 0 0 0\n6\t0 -0.6 1.2 0 0.4 0\t6\t0 0 0 0 0 0\n");
  const Value moved = json({kSimBlocks, "--milestones", path("to.milestones"), "--duration", "0.8"});
  EXPECT_NEAR(moved.at("robots")[0].at("q").asReals()[0], 0, 0.02);
  writeFile(path("short.milestones"), "2\t0 0\t2\t0 0\n");
  fails({kSimBlocks, "--milestones", path("short.milestones"), "--duration", "0.1"}, 1, "6");
}

TEST_F(SimCommand, AMotionCanBeLoggedAndFollowed) {
  const std::string sweep = MORTISE_SOURCE_DIR "/data/motions/reacher_sweep.path";
  const Value moved =
      json({kSimBlocks, "--duration", "500ms", "--path", sweep, "--log", path("m.path"), "--log-rate", "50"});
  EXPECT_EQ(lines(path("m.path")), 26);
  const Value shown = json({kSimBlocks, "--duration", "600ms", "--path", path("m.path"), "--backend", "kinematic"});
  const std::vector<double> a = moved.findPath("robots.0.q")->asReals(), b = shown.findPath("robots.0.q")->asReals();
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]) << i;
  fails({kSimBlocks, "--duration", "1ms", "--contact-log", path("c.path")}, 2, "a path holds motions");
  fails({MORTISE_SOURCE_DIR "/data/objects/cup.obj", "--duration", "1ms", "--log", path("c.path")}, 1, "0 robots");
}

TEST_F(SimCommand, SettlesAndKeepsTheRestingWorld) {
  const Value summary = json({kSimBlocks, "--settle", "5", "--save-world", path("rest.xml")});
  EXPECT_TRUE(summary.findPath("settled.rests")->asBool());
  EXPECT_EQ(summary.findPath("settled.time")->asReal(), summary.at("time").asReal()) << "settling alone is a whole run";
  EXPECT_LT(json({path("rest.xml"), "--settle", "1"}).findPath("settled.time")->asReal(), 0.2);
  EXPECT_FALSE(json({kSimBlocks, "--settle", "5ms"}).findPath("settled.rests")->asBool());
}

TEST_F(SimCommand, InterruptionLosesNothing) {
  const std::string program = MORTISE_BINARY_DIR "/bin/mortise";
  const Ran ran = runProgram({"/usr/bin/timeout", "--preserve-status", "-s", "INT", "2", program, "sim", kSimBlocks,
                              "--duration", "1e6", "--log", path("s.csv"), "--save-state", path("end.state"), "--json"},
                             {"XDG_DATA_HOME=/nonexistent"});
  EXPECT_EQ(ran.exitCode, 130) << ran.err;
  EXPECT_NE(ran.err.find("interrupted at t = "), std::string::npos) << ran.err;
  const Value summary = parseYaml(ran.out, "stdout");
  EXPECT_TRUE(summary.at("interrupted").asBool());
  const auto steps = summary.at("steps").asInteger();
  EXPECT_GT(steps, 0);
  EXPECT_EQ(lines(path("s.csv")), steps + 2);
  EXPECT_EQ(hash(json({kSimBlocks, "--state", path("end.state"), "--duration", "0"})), hash(summary));
}

TEST_F(SimCommand, AFullDiskIsAnErrorAndNotTheEndOfTheRest) {
  if (fs::exists("/dev/full")) {
    const Ran ran = sim({kSimBlocks, "--duration", "300ms", "--log", "/dev/full", "--save-state", path("a.state"),
                         "--contact-log", path("c.csv")});
    EXPECT_EQ(ran.exitCode, 1);
    EXPECT_EQ(ran.signal, 0);
    EXPECT_NE(ran.err.find("cannot write '/dev/full': No space left on device"), std::string::npos) << ran.err;
    EXPECT_TRUE(fs::exists(path("a.state")));
    EXPECT_GT(lines(path("c.csv")), 1);
  }
  fails({kSimBlocks, "--duration", "1ms", "--save-state", path("no/such/x.state")}, 1, "no/such/x.state");
  fails({kSimBlocks, "--duration", "1ms", "--save-state", "/dev/null"}, 1, "is not a file");
  fails({kSimBlocks, "--duration", "1ms", "--log", path("no/such/x.csv")}, 1, "no/such/x.csv");
  fails({kSimBlocks, "--duration", "1ms", "--log", path("x.xls")}, 2, "x.xls': logs are written as .csv");
  fails({kSimBlocks, "--duration", "1ms", "--contact-log", path("x.xlsx")}, 2, "not as .xlsx");
  EXPECT_FALSE(fs::exists(path("x.xls")));
  fails({kSimBlocks, "--duration", "1ms", "--set", "tolerance"}, 1, "hint: write --set tolerance=VALUE");
  fails({kSimBlocks, "--duration", "1ms", "--set", "simulation.backend=bullet"}, 2, "write --backend bullet");
}

TEST_F(SimCommand, WhatCouldNotBeWrittenIsSaidBeforeTheRun) {
  const std::string csv = path("s.csv");
  for (const auto& [arguments, expected] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--log", csv, "--contact-log", csv}, "--contact-log and --log name the same file"},
           {{"--log", csv, "--save-state", path("./s.csv")}, "--log and --save-state name the same file"},
           {{"--save-state", path("a.xml"), "--save-world", path("a.xml")}, "name the same file"},
           {{"--log", kSimBlocks}, "--log and the world name the same file"}}) {
    std::vector<std::string> all = {kSimBlocks, "--duration", "1ms"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    fails(all, 2, expected);
    EXPECT_FALSE(fs::exists(csv));
  }
  fails({kSimBlocks, "--duration", "1e9", "--save-state", path("none/x")}, 1, "there is no folder");
  fails({kSimBlocks, "--duration", "1e9", "--save-world", path("x.foo")}, 1, "no installed format writes worlds");
  fails({kSimBlocks, "--duration", "1e300"}, 1, "a simulation cannot go on for");
}

TEST_F(SimCommand, TimesAndRatesThatCannotBeKeptAreSaid) {
  const auto says = [&](std::vector<std::string> arguments, const std::string& expected) {
    arguments.insert(arguments.begin(), kSimBlocks);
    const Ran ran = sim(arguments);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    EXPECT_NE(ran.err.find(expected), std::string::npos) << "expected: " << expected << "\nfound: " << ran.err;
  };
  says({"--duration", "1e-13s"}, " s are too little beside a step of 0.001 s");
  EXPECT_NEAR(json({kSimBlocks, "--duration", "0.4ms"}).at("time").asReal(), 0.0004, 1e-15);
  says({"--duration", "3ms", "--log", path("s.csv"), "--log-rate", "700"}, "1000 rows a second in place of 700");
  EXPECT_EQ(sim({kSimBlocks, "--duration", "3ms", "--log", path("s.csv"), "--log-rate", "500"}).err.find("in place of"),
            std::string::npos);
  EXPECT_NEAR(json({kSimBlocks, "--settle", "1", "--end", "20ms"}).at("time").asReal(), 0.02, 1e-12);
}

TEST_F(SimCommand, SaysWhatIsWrongWithStates) {
  writeFile(path("x.state"), "AAECAwQF");
  fails({kSimBlocks, "--duration", "1ms", "--state", path("x.state")}, 1, "x.state: this is not a state");
  fails({kSimBlocks, "--duration", "1ms", "--state", path("gone.state")}, 1, "gone.state");
  json({kSimBlocks, "--duration", "1ms", "--save-state", path("a.state")});
  fails({MORTISE_SOURCE_DIR "/data/objects/cup.obj", "--duration", "1ms", "--state", path("a.state")}, 1,
        "was saved in another world");
  // A state that another program left in the world is passed over with its place.
  json({kSimBlocks, "--duration", "1ms", "--save-world", path("a.xml")});
  std::string text = readFile(path("a.xml"));
  const std::size_t at = text.find("<state data=\"") + 13;
  text.replace(at, text.find('"', at) - at, "a2xhbXB0");
  writeFile(path("a.xml"), text);
  const Ran ran = sim({path("a.xml"), "--duration", "1ms"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(ran.err.find("<state> is left out"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("a.xml:"), std::string::npos) << ran.err;
}

TEST_F(SimCommand, AnotherBackendTakesPosesFromAState) {
  MORTISE_NEEDS_ENGINES("bullet");
  const Value end = json({kSimBlocks, "--duration", "300ms", "--save-state", path("a.state")});
  const Ran ran = sim({kSimBlocks, "--duration", "0", "--backend", "bullet", "--state", path("a.state"), "--json"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(ran.err.find("saved with backend mortise.NativePhysics; here it is mortise.BulletPhysics. Only poses and "
                         "velocities are taken"),
            std::string::npos)
      << ran.err;
  const Value start = parseYaml(ran.out, "stdout");
  EXPECT_EQ(start.at("time").asReal(), 0);
  for (std::size_t i = 0; i < end.at("objects").size(); ++i) {
    const std::vector<double> a = end.at("objects")[i].at("T").asReals(), b = start.at("objects")[i].at("T").asReals();
    for (std::size_t k = 0; k < 12; ++k) EXPECT_NEAR(a[k], b[k], 1e-12);
  }
  // So a settled world can be the start of a motion.
  json({kSimBlocks, "--settle", "3", "--save-state", path("rest.state")});
  json({kSimBlocks, "--state", path("rest.state"), "--path", MORTISE_SOURCE_DIR "/data/motions/reacher_sweep.path",
        "--duration", "50ms"});
}

TEST_F(SimCommand, WhatIsAskedForHoldsOverAState) {
  json({kSimBlocks, "--duration", "100ms", "--seed", "7", "--save-state", path("a.state"), "--save-world",
        path("a.xml")});
  const std::vector<std::string> on = {kSimBlocks, "--state", path("a.state"), "--duration", "10ms"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> all = on;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  EXPECT_EQ(json(on).at("steps").asInteger(), 10);
  EXPECT_EQ(json(with({"--step", "2ms"})).at("steps").asInteger(), 5);
  EXPECT_EQ(json({path("a.xml"), "--duration", "10ms", "--step", "2ms"}).at("steps").asInteger(), 5);
  fails(with({"--seed", "3"}), 1, "a.state: the state holds the random streams of seed 7, and seed 3 is asked for");
  json(with({"--seed", "7"}));

  writeFile(path("q.config"), "6\t0.1 -0.5 1.1 0.1 0.2 0\n");
  const Ran ran = sim(with({"--config", path("q.config")}));
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(ran.err.find("a.state: configurations that are given have no effect"), std::string::npos) << ran.err;
  const Ran other = sim({path("a.xml"), "--duration", "1ms", "--config", path("q.config"), "--json"});
  EXPECT_NE(other.err.find("<state> is left out, because another start is given"), std::string::npos) << other.err;
  EXPECT_NEAR(parseYaml(other.out, "stdout").at("robots")[0].at("q").asReals()[1], -0.5, 0.01);

  // A state follows its path; another path is followed from the state's poses.
  writeFile(path("up.path"), "0\t6\t0 0 0 0 0 0\n1\t6\t0.5 0 0 0 0 0\n");
  writeFile(path("down.path"), "0\t6\t0 0 0 0 0 0\n1\t6\t-0.5 0 0 0 0 0\n");
  json({kSimBlocks, "--duration", "100ms", "--path", path("up.path"), "--save-state", path("up.state")});
  const Ran up = sim({kSimBlocks, "--duration", "1ms", "--path", path("up.path"), "--state", path("up.state")});
  EXPECT_EQ(up.err.find("Only poses"), std::string::npos) << up.err;
  const Ran down = sim({kSimBlocks, "--duration", "1ms", "--path", path("down.path"), "--state", path("up.state")});
  EXPECT_NE(down.err.find(
                "the state was saved with other settings of controller mortise.FeedforwardPolynomialPathController"),
            std::string::npos)
      << down.err;
  EXPECT_NE(down.err.find("Only poses"), std::string::npos) << down.err;
}

TEST_F(SimCommand, WorldsRunWithoutThePluginOfTheirController) {
  const auto world = [](const std::string& controller) {
    return "<world>\n  <robot file='" MORTISE_SOURCE_DIR
           "/data/robots/reacher.rob'/>\n  <simulation>\n    <robot index='0'>\n      <controller " +
           controller + "/>\n    </robot>\n  </simulation>\n</world>\n";
  };
  writeFile(path("w.xml"), world("type='AcmeController' writeRate='50'"));
  const Ran ran = sim({path("w.xml"), "--duration", "2ms"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(ran.err.find("w.xml:5:"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("no plugin has a controller 'AcmeController'; the robot holds"), std::string::npos) << ran.err;
  fails({path("w.xml"), "--duration", "2ms", "--strict"}, 1, "AcmeController");
  writeFile(path("v.xml"), world("type='JointTrackingController' enableGravityCompansation='1'"));
  fails({path("v.xml"), "--duration", "2ms"}, 1, "enableGravityCompensation");
}

TEST_F(SimCommand, WrongUsageIsSaid) {
  for (const auto& [arguments, expected] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--contacts", "maybe"}, "is not one of the choices"},
           {{"--duration", "-1"}, "--duration takes a time"},
           {{"--settle", "inf"}, "--settle"},
           {{"--log-rate", "0", "--log", path("x.csv")}, "--log-rate"},
           {{"--state", "a", "--no-state"}, "exclude each other"},
           {{"--path", "a", "--milestones", "b"}, "exclude each other"},
           {{"--state-format", "hex"}, "--state-format is"},
           {{"-stat", "x"}, "unknown option"}}) {
    std::vector<std::string> all = {kSimBlocks};
    all.insert(all.end(), arguments.begin(), arguments.end());
    fails(all, 2, expected);
  }
  fails({kSimBlocks, "--path", "a.path", "--path", "b.path"}, 1, "2 files are given with --path");
}

}  // namespace
}  // namespace mortise::test
