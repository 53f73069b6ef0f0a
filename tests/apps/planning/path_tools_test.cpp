#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

constexpr const char* kReacher = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";
constexpr const char* kSweep = MORTISE_SOURCE_DIR "/data/motions/reacher_sweep.path";
constexpr const char* kHumanoid = MORTISE_SOURCE_DIR "/data/robots/humanoid.urdf";
constexpr const char* kSquat = MORTISE_SOURCE_DIR "/data/motions/humanoid_squat.xml";
constexpr const char* kBeam = MORTISE_SOURCE_DIR "/data/worlds/humanoid_beam.xml";

class PathTools : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    write("corner.configs", "2 0 0\n2 1 0\n2 1 1\n");
    write(
        "two.rob",
        "links \"a\" \"b\"\nparents -1 0\nTParent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 1 0 0\naxis 0 0 1 0 0 1\n"
        "qMin -9 -9\nqMax 9 9\nvelMax 2 2\naccMax 4 4\ntorqueMax 500 500\nmass 1 1\n");
    // The second link's point at (0.5, 0, 0) stays on the x axis.
    write("kept.xml",
          "<multipath><section><ikgoal>1 -1&#10;L 1 0 0 0 0 0 1 0 0&#10;N</ikgoal><milestone config='2 0.4 -0.8'/>"
          "<milestone config='2 0.6 -1.2'/></section></multipath>");
  }
  /// With --json and exit code 0.
  Value json(std::vector<std::string> words) const {
    words.push_back("--json");
    const Ran ran = runMortise(words);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return parseYaml(ran.out.empty() ? "{}" : ran.out, "out");
  }
  /// Its message.
  static std::string fails(const std::vector<std::string>& words, int exitCode) {
    const Ran ran = runMortise(words);
    EXPECT_EQ(ran.exitCode, exitCode) << ran.out << ran.err;
    return ran.err;
  }
};

TEST_F(PathTools, RetimeLimitsJerk) {
  const Value fast = json({"path", "retime", kSweep, "--robot", kReacher});
  const Value soft = json({"path", "retime", kSweep, "--robot", kReacher, "--jerk", "100", "-o", path("soft.json")});
  EXPECT_GT(soft.at("duration").asReal(), fast.at("duration").asReal());
  EXPECT_LE(soft.at("peak").at("jerk").asReal(), 1 + 1e-6);
  EXPECT_GT(soft.at("peak").at("jerk").asReal(), 0.5);
  EXPECT_LE(soft.at("peak").at("acceleration").asReal(), 1 + 1e-6);
  EXPECT_EQ(json({"path", "check", path("soft.json"), "--robot", kReacher}).at("valid").asBool(), true);
  EXPECT_NE(fails({"path", "retime", kSweep, "--robot", kReacher, "--jerk", "-1"}, 2).find("--jerk"),
            std::string::npos);
}

TEST_F(PathTools, RetimeRefusesWhatMakesNoSense) {
  fails({"path", "retime", kSweep}, 2);
  fails({"path", "retime", kSweep, "--robot", kReacher, "--world", kBeam}, 2);
  fails({"path", "retime", kSweep, "--robot", kReacher, "--torque-robustness", "1"}, 2);
  EXPECT_NE(fails({"path", "retime", kSweep, "--robot", path("two.rob")}, 1).find("links"), std::string::npos);
  EXPECT_NE(fails({"path", "retime", path("kept.xml"), "--robot", path("two.rob"), "--curve", "stop"}, 1)
                .find("--curve smooth"),
            std::string::npos);
  EXPECT_NE(fails({"path", "retime", kSweep, "--robot", kReacher, "-o", path("a.step")}, 1).find(".xml"),
            std::string::npos);
}

TEST_F(PathTools, ContactsComeFromAWorld) {
  const Value report = json({"path", "retime", kSquat, "--robot", kHumanoid, "--torque", "--contacts", "--world", kBeam,
                             "--grid", "40", "-o", path("squat.xml")});
  const Value& section = report.at("sections")[0];
  EXPECT_EQ(section.at("held").asStrings(), (std::vector<std::string>{"left_foot", "right_foot"}));
  EXPECT_EQ(section.at("contacts").asInteger(), 8);
  EXPECT_TRUE(section.at("found").asBool());
  EXPECT_LE(report.at("peak").at("torque").asReal(), 1 + 1e-6);
  // What is written holds the feet: the check finds nothing wrong, forces included.
  EXPECT_TRUE(
      json({"path", "check", path("squat.xml"), "--robot", kHumanoid, "--contacts", "--torque"}).at("valid").asBool());
  // Ice makes it slower, and too much of it impossible.
  const Value optimized = json({"path", "contact-optimize", kSquat, "--robot", kHumanoid, "--world", kBeam, "--grid",
                                "40", "--friction", "0.2", "--torque-robustness", "0.5"});
  EXPECT_GT(optimized.at("duration").asReal(), report.at("duration").asReal() * (1 - 1e-6));
  EXPECT_LE(optimized.at("peak").at("torque").asReal(), 1 + 1e-6);
  EXPECT_NE(fails({"path", "contact-optimize", kSquat, "--robot", kHumanoid}, 1).find("--world"), std::string::npos);
}

TEST_F(PathTools, SmoothGoesThroughTheMilestones) {
  const Value report = json({"path", "smooth", path("corner.configs"), "-o", path("smooth.xml")});
  EXPECT_EQ(report.at("sections").asInteger(), 1);
  EXPECT_TRUE(report.at("timed").asBool());
  EXPECT_EQ(report.at("milestones_before").asInteger(), 3);
  EXPECT_TRUE(json({"path", "check", path("smooth.xml")}).at("valid").asBool());
  const Value ends =
      json({"path", "eval", path("smooth.xml"), "--at", "0", "--at", formatReal(report.at("duration").asReal())});
  EXPECT_EQ(ends.at("samples")[0].at("q").asReals(), (std::vector<double>{0, 0}));
  EXPECT_EQ(ends.at("samples")[1].at("q").asReals(), (std::vector<double>{1, 1}));
  fails({"path", "smooth", path("corner.configs"), "--curve", "zigzag"}, 2);
  fails({"path", "smooth", path("none.configs")}, 1);
  EXPECT_NE(fails({"path", "smooth", path("kept.xml")}, 1).find("--robot"), std::string::npos);
}

TEST_F(PathTools, DiscretizeKeepsGoals) {
  const Value report = json({"path", "discretize", path("kept.xml"), "--robot", path("two.rob"), "--resolution",
                             "0.002", "-o", path("fine.xml")});
  EXPECT_GT(report.at("milestones").asInteger(), 2);
  const Value check = json({"path", "check", path("fine.xml"), "--robot", path("two.rob"), "--tolerance", "0.002"});
  EXPECT_TRUE(check.at("valid").asBool());
  EXPECT_LE(check.at("residual").asReal(), 0.002);
  fails({"path", "discretize", path("kept.xml"), "--robot", path("two.rob"), "--resolution", "0"}, 2);
  fails({"path", "discretize"}, 2);
}

TEST_F(PathTools, EvaluateMovesLinksToTheirGoals) {
  const Value report =
      json({"path", "evaluate", path("kept.xml"), "--robot", path("two.rob"), "--at", "0.5", "--every", "0.25"});
  ASSERT_EQ(report.at("samples").size(), 6u);
  const std::vector<double> q = report.at("samples")[0].at("q").asReals();
  EXPECT_NEAR(std::sin(q[0]) + std::sin(q[0] + q[1]), 0, 1e-7);
  EXPECT_GT(report.at("samples")[0].at("residual").asReal(), -1);
  fails({"path", "evaluate", path("kept.xml"), "--at", "0.5"}, 2);
  fails({"path", "evaluate", path("kept.xml"), "--robot", path("two.rob")}, 2);
  fails({"path", "evaluate", path("kept.xml"), "--robot", path("two.rob"), "--at", "soon"}, 2);
}

TEST_F(PathTools, SplitAndJoinUndoEachOther) {
  const Value parts = json({"path", "split", kSweep, "--at", "0.5", "--at", "2", "-o", path("part.path")});
  ASSERT_EQ(parts.at("parts").size(), 3u);
  double full = 0;
  std::vector<std::string> words = {"path", "join"};
  for (const Value& part : parts.at("parts").items()) {
    full += part.at("duration").asReal();
    words.push_back(part.at("file").text());
  }
  EXPECT_NEAR(full, 3.5, 1e-12);
  words.insert(words.end(), {"--time-scale", "2", "-o", path("whole.xml")});
  EXPECT_NEAR(json(words).at("duration").asReal(), 7, 1e-12);
  EXPECT_TRUE(json({"path", "check", path("whole.xml"), "--robot", kReacher}).at("valid").asBool());
  EXPECT_NE(fails({"path", "split", kSweep, "--at", "9", "-o", path("part.path")}, 1).find("3.5"), std::string::npos);
  fails({"path", "split", kSweep, "--at", "1"}, 2);
  fails({"path", "join", kSweep}, 2);
  fails({"path", "join", kSweep, path("corner.configs"), "-o", path("a.xml")}, 1);
  fails({"path", "join", kSweep, "--time-scale", "0", "-o", path("a.xml")}, 1);
}

TEST_F(PathTools, CheckSaysWhatIsWrong) {
  write("jump.xml",
        "<multipath><section><milestone time='0' config='2 0 0'/><milestone time='1' config='2 1 0'/></section>"
        "<section><milestone time='1' config='2 1.5 0'/><milestone time='1.1' config='2 2 12'/></section></multipath>");
  const Ran ran = runMortise({"path", "check", path("jump.xml"), "--robot", path("two.rob"), "--json"});
  EXPECT_EQ(ran.exitCode, 1);
  const Value report = parseYaml(ran.out, "out");
  EXPECT_FALSE(report.at("valid").asBool());
  EXPECT_NEAR(report.at("gap").asReal(), 0.5, 1e-12);
  std::vector<std::string> kinds;
  for (const Value& fault : report.at("faults").items()) kinds.push_back(fault.at("kind").text());
  for (const char* kind : {"gap", "velocity", "position"})
    EXPECT_NE(std::find(kinds.begin(), kinds.end(), kind), kinds.end()) << kind << ran.out;
  EXPECT_EQ(runMortise({"path", "check", path("corner.configs")}).exitCode, 0);
  fails({"path", "check", path("corner.configs"), "--world", path("none.xml")}, 1);
  fails({"path", "check", path("corner.configs"), "--step", "much"}, 2);
}

TEST_F(PathTools, ConvertMakesEveryKindOfEveryOther) {
  const std::vector<std::string> files = {"a.configs", "a.path", "a.traj", "a.milestones", "a.xml", "a.json"};
  for (const std::string& from : files) {
    ASSERT_EQ(runMortise({"path", "convert", path("corner.configs"), path(from)}).exitCode, 0) << from;
    for (const std::string& to : files) {
      const Ran ran = runMortise({"path", "convert", path(from), path("to_" + to), "--resolution", "0"});
      EXPECT_EQ(ran.exitCode, 0) << from << " to " << to << ran.err;
      const Ran back = runMortise({"path", "convert", path("to_" + to), path("back.configs"), "--resolution", "0"});
      EXPECT_EQ(back.exitCode, 0) << back.err;
      EXPECT_EQ(text("back.configs").substr(0, 12), "2\t0 0\n2\t1 0\n") << from << " to " << to;
    }
  }
  const Value done = json({"path", "convert", path("a.xml"), path("a.path"), "--duration", "4"});
  EXPECT_EQ(done.at("from").text(), "multipath");
  EXPECT_EQ(done.at("to").text(), "trajectory");
  EXPECT_EQ(text("a.path"), "0\t2\t0 0\n2\t2\t1 0\n4\t2\t1 1\n");
  EXPECT_EQ(
      json({"path", "convert", path("a.path"), path("b.json"), "--as", "hermite_trajectory", "--velocities", "rest"})
          .at("to")
          .text(),
      "hermite_trajectory");
  EXPECT_EQ(
      runMortise({"path", "convert", path("a.path"), path("c.path"), "--every", "500ms", "--start", "1"}).exitCode, 0);
  EXPECT_EQ(text("c.path").substr(0, 24), "1\t2\t0 0\n1.5\t2\t0.25 0\n2\t2");
  EXPECT_NE(fails({"path", "convert", path("a.path"), path("a.step")}, 1).find(".xml"), std::string::npos);
  fails({"path", "convert", path("a.path"), path("a.configs"), "--as", "multipath"}, 1);
  fails({"path", "convert", path("a.path")}, 2);
  fails({"path", "convert", path("two.rob"), path("a.path")}, 1);
  fails({"path", "convert", path("a.path"), path("b.path"), "--duration", "-1"}, 2);
}

TEST_F(PathTools, OptimizeKeepsClearOfAWorld) {
  // From beside the blocks to the other side, over a detour.
  const std::string world = MORTISE_SOURCE_DIR "/data/worlds/heron_shelf.xml";
  const std::string start = MORTISE_SOURCE_DIR "/data/motions/heron_shelf_start.config";
  std::ostringstream configuration;
  configuration << std::ifstream(start).rdbuf();
  std::istringstream numbers(configuration.str());
  int count = 0;
  numbers >> count;
  std::vector<double> q(static_cast<std::size_t>(count));
  for (double& number : q) numbers >> number;
  std::string list;
  for (const double turn : {0.0, 0.4, -0.3, 0.2}) {
    list += std::to_string(count) + "\t";
    for (std::size_t i = 0; i < q.size(); ++i) list += std::to_string(q[i] + (i == 7 ? turn : 0)) + " ";
    list += "\n";
  }
  write("turns.configs", list);
  const Value report = json(
      {"path", "optimize", path("turns.configs"), "--world", world, "--clearance", "1 mm", "-o", path("way.path")});
  EXPECT_TRUE(report.at("feasible").asBool());
  EXPECT_LT(report.at("cost").asReal(), report.at("cost_before").asReal());
  EXPECT_LT(report.at("length").asReal(), report.at("length_before").asReal());
  EXPECT_EQ(report.at("milestones").asInteger(), 20);
  EXPECT_TRUE(json({"path", "check", path("way.path"), "--world", world}).at("valid").asBool());
  fails({"path", "optimize", kSweep}, 2);
  fails({"path", "optimize", kSweep, "--world", path("none.xml")}, 1);
  fails({"path", "optimize", path("turns.configs"), "--world", world, "--waypoints", "1"}, 2);
  // An end in collision stays there.
  write("through.configs", configuration.str() + std::to_string(count) + " 0 0 1.5 1.5 0 0 0 0 0\n");
  EXPECT_NE(fails({"path", "optimize", path("through.configs"), "--world", world, "-o", path("no.path")}, 1)
                .find("could not be made free"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("no.path")));
}

TEST_F(PathTools, ShortcutsAreThoseOfPlans) {
  const std::string world = MORTISE_SOURCE_DIR "/data/worlds/heron_shelf.xml";
  const std::vector<std::string> plan = {"plan",      world,
                                         "--goal",    MORTISE_SOURCE_DIR "/data/motions/heron_shelf_goal.config",
                                         "--planner", "rrt",
                                         "--seed",    "3",
                                         "-o",        path("raw.configs")};
  (void)json(plan);
  std::vector<std::string> words = plan;
  words.insert(words.end(), {"--shortcut", "{iterations: 150, seed: 5}"});
  words[words.size() - 3] = path("planned.configs");
  const Value planned = json(words);
  words = {"path", "shortcut", path("raw.configs"), "--world", world, "--iterations", "150", "--seed", "5"};
  words.insert(words.end(), {"-o", path("short.configs")});
  const Value report = json(words);
  EXPECT_EQ(report.at("path_hash").asString(), planned.at("shortcut").at("path_hash").asString());
  EXPECT_LT(report.at("length").asReal(), report.at("length_before").asReal());
  EXPECT_EQ(report.at("file").asString(), path("short.configs"));
  EXPECT_TRUE(json({"path", "check", path("short.configs"), "--world", world}).at("valid").asBool());
  // Without any kind of change it stays as it is.
  const Value kept = json({"path", "shortcut", path("raw.configs"), "--world", world, "--no-vertices", "--no-shortcuts",
                           "--no-partial", "--no-perturbations", "--iterations", "20"});
  EXPECT_EQ(kept.at("length").asReal(), kept.at("length_before").asReal());
  fails({"path", "shortcut", path("raw.configs")}, 2);
  EXPECT_NE(fails({"path", "shortcut", path("raw.configs"), "--world", world, "--idle", "0"}, 2).find("'iterations'"),
            std::string::npos);
  EXPECT_NE(fails({"path", "shortcut", path("raw.configs"), "--world", world, "--margin", "1"}, 1).find("not free"),
            std::string::npos);
  EXPECT_NE(fails({"path", "shortcut", path("raw.configs"), "--world", world, "--links", "elbo"}, 2)
                .find("--links: 'links': robot"),
            std::string::npos);
}

TEST_F(PathTools, ListsAreGivenEntryByEntryOrAtOnce) {
  const auto timesOf = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"path", "eval", kSweep});
    std::vector<double> times;
    const Value report = json(words);
    for (const Value& sample : report.at("samples").items()) times.push_back(sample.at("t").asReal());
    return times;
  };
  const std::vector<double> expected = {0.5, 0.2, 1};
  EXPECT_EQ(timesOf({"--at", "0.5", "--at", "200 ms", "--at=1 s"}), expected);
  EXPECT_EQ(timesOf({"--at", "0.5,200ms, 1"}), expected);
  EXPECT_EQ(timesOf({"--at", "[0.5, 200 ms]", "--at", "1"}), expected);
  fails({"path", "eval", kSweep, "--at", ""}, 2);
  fails({"path", "eval", kSweep, "--at", "1,,2"}, 2);
}

TEST_F(PathTools, TrajOptTakesKlamptsSettings) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  EXPECT_EQ(runMortise({"TrajOpt"}).exitCode, 0);
  const std::string settings = text("trajopt_default.settings");
  for (const char* key : {"numdivs", "xtol", "ignoreForces", "torqueRobustness", "frictionRobustness",
                          "forceRobustness", "outputPath", "outputDt"})
    EXPECT_NE(settings.find(key), std::string::npos) << key;
  write("own.settings", "{\"ignoreForces\": 1, \"outputDt\": 0.25, \"outputPath\": \"own.path\"}");
  write("walk.xml", "<multipath><section><milestone config='2 0 0'/><milestone config='2 1 1'/></section></multipath>");
  const Value report = json({"TrajOpt", "two.rob", "walk.xml", "own.settings"});
  EXPECT_NEAR(report.at("duration").asReal(), 1, 1e-6);
  EXPECT_EQ(text("own.path").substr(0, 8), "0\t2\t0 0\n");
  EXPECT_NE(text("own.path").find("\n0.25\t2\t"), std::string::npos);
  write("bad.settings", "{\"xtoll\": 1}");
  EXPECT_NE(fails({"TrajOpt", "two.rob", "walk.xml", "bad.settings"}, 1).find("xtol"), std::string::npos);
  fails({"TrajOpt", "two.rob"}, 2);
  std::filesystem::current_path(before);
}

/// What motions assume is said, stands in the report, and is refused by --strict.
TEST_F(PathTools, AssumptionsAreSaidAndRefused) {
  const auto expectAssumption = [&](std::vector<std::string> words, const char* kind, const std::string& said) {
    words.push_back("--json");
    const Ran ran = runMortise(words);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    EXPECT_NE(ran.err.find(said), std::string::npos) << ran.err;
    const Value report = parseYaml(ran.out, "out");
    const Value* record = report.at("substitutions").find(kind);
    ASSERT_TRUE(record != nullptr && record->size() == 1) << ran.out;
    EXPECT_NE((*record)[0].asString().find(said), std::string::npos) << (*record)[0].asString();
    words.push_back("--strict");
    EXPECT_NE(fails(words, 1).find("strict: "), std::string::npos);
  };
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  write("held.xml",
        "<multipath><hold name=\"h\">begin hold\nlink = 1\ncontacts = 1 0 0  0 0 1  0\nposition = 1 0 0  1 0 0\nend\n"
        "</hold><section><milestone config='2 0 0'/><milestone config='2 1 1'/></section></multipath>");
  write("own.settings", "{\"ignoreForces\": 1, \"outputPath\": \"own.path\"}");
  expectAssumption({"TrajOpt", "two.rob", "held.xml", "own.settings"}, "friction", "contacts without friction get 0.5");
  write("free.rob",
        "links \"a\" \"b\"\nparents -1 0\nTParent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 1 0 0\naxis 0 0 1 0 0 1\n"
        "qMin -9 -9\nqMax 9 9\nvelMax 2 2\ntorqueMax 500 500\nmass 1 1\n");
  write("walk.path", "0\t2\t0 0\n1\t2\t1 1\n");
  expectAssumption({"path", "retime", "walk.path", "--robot", "free.rob"}, "accelerations",
                   "nothing limits the acceleration of a, b: they reach their velocity limit in 0.25 s");
  std::filesystem::current_path(before);
}

TEST_F(PathTools, QuietPrintsErrorsOnly) {
  const Ran quiet = runMortise({"path", "retime", kSweep, "--robot", kReacher, "-q"});
  EXPECT_EQ(quiet.exitCode, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
  EXPECT_TRUE(json({"path", "retime", kSweep, "--robot", kReacher, "-q"}).contains("duration"));
  EXPECT_EQ(runMortise({"robot", "fk", kReacher, "-q"}).out, "");
  EXPECT_NE(fails({"path", "retime", kSweep, "-q"}, 2).find("--robot"), std::string::npos);
}

TEST_F(PathTools, OptimizeKnowsARobotUnderItsNameInTheWorld) {
  write("other.xml", std::string("<world><robot name='Other' file='") + kReacher + "'/></world>");
  const Value report = json({"path", "optimize", kSweep, "--world", path("other.xml")});
  EXPECT_EQ(report.at("feasible").asBool(), true);
}

}  // namespace
}  // namespace mortise::test
