// `mortise compare`: backends against each other, and against closed forms.

#include <sstream>

#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "tests/support/engines.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

class CompareCommand : public FolderTest {
 protected:
  static Ran compare(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "compare");
    return runMortise(std::move(arguments));
  }
  static void expectFailure(std::vector<std::string> arguments, int exitCode, const std::string& expected) {
    const Ran ran = compare(std::move(arguments));
    EXPECT_EQ(ran.exitCode, exitCode) << ran.err;
    EXPECT_NE(ran.err.find(expected), std::string::npos) << "expected: " << expected << "\nfound: " << ran.err;
  }
};

const std::string kComparedBlocks = MORTISE_SOURCE_DIR "/data/worlds/blocks.xml";

TEST_F(CompareCommand, WorldsGetATableAndAReading) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  const Ran ran = compare({kComparedBlocks, "--backends", "ode,bullet", "--duration", "30ms", "--step", "2ms", "--csv",
                           path("distances.csv")});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  for (const char* text : {"compare: 0.03 s on 2 backends", "apart over time", "ode h/2", "bullet +e", "3 block_bottom",
                           "10 reacher", "agree"})
    EXPECT_NE(ran.out.find(text), std::string::npos) << text << "\n" << ran.out;
  EXPECT_NE(text("distances.csv").find("block_top,half the step"), std::string::npos);
  // No run directory is made.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(CompareCommand, WorldsAreComparedOnAllBackendsWithDynamics) {
  MORTISE_NEEDS_ENGINES("ode");
  const Ran ran = compare({kComparedBlocks, "--duration", "5ms", "--json", "--bound", "2mm", "--disturbance", "0"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  const Value value = parseYaml(ran.out, "stdout");
  std::vector<std::string> backends;
  for (const Value& run : value.at("backends").items()) backends.push_back(run.at("backend").asString());
  EXPECT_TRUE(std::find(backends.begin(), backends.end(), "ode") != backends.end());
  EXPECT_TRUE(std::find(backends.begin(), backends.end(), "kinematic") == backends.end());
  EXPECT_EQ(value.at("bound").asReal(), 0.002);
  EXPECT_EQ(value.at("disturbed").size(), 0u);
  EXPECT_EQ(value.at("readings").size(), 8u);
}

TEST_F(CompareCommand, BackendsMayComeTwiceAndRobotsHaveControllers) {
  MORTISE_NEEDS_ENGINES("ode", "mujoco");
  const Ran ran = compare({kComparedBlocks, "--backends", "ode,ode,mujoco:solref=[0.02,1],iterations=50", "--duration",
                           "20ms", "--json", "--disturbance", "0"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value still = parseYaml(ran.out, "stdout");
  ASSERT_EQ(still.at("backends").size(), 3u);
  EXPECT_EQ(still.findPath("backends.1.backend")->asString(), "ode_2");
  // Equal runs, to the bit.
  EXPECT_EQ(still.findPath("backends.0.state_hash")->asString(), still.findPath("backends.1.state_hash")->asString());
  EXPECT_EQ(still.findPath("backends.2.backend")->asString(), "mujoco:solref=[0.02,1],iterations=50");
  const Ran driven = compare({kComparedBlocks, "--backends", "ode", "--duration", "20ms", "--json", "--disturbance",
                              "0", "--controller",
                              "{type: PathFollowingController, path: " + std::string(MORTISE_SOURCE_DIR) +
                                  "/data/motions/reacher_sweep.path}"});
  ASSERT_EQ(driven.exitCode, 0) << driven.err;
  EXPECT_NE(parseYaml(driven.out, "stdout").findPath("backends.0.state_hash")->asString(),
            still.findPath("backends.0.state_hash")->asString());
}

TEST_F(CompareCommand, HasTheSettingsOfTheStage) {
  MORTISE_NEEDS_ENGINES("mortise");
  const std::string motion = MORTISE_SOURCE_DIR "/data/motions/reacher_sweep.path";
  const auto comparison = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {kComparedBlocks, "--backends", "mortise", "--duration", "20ms", "--json"};
    words.insert(words.end(), {"--no-halve-step", "--disturbance", "0", "--metrics", "time", "--metrics", "energy"});
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = compare(words);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return parseYaml(ran.out, "stdout");
  };
  const Value still = comparison({}), driven = comparison({"--follow", motion});
  EXPECT_EQ(driven.at("metrics").asStrings(), (std::vector<std::string>{"time", "energy"}));
  EXPECT_EQ(driven.at("step_halved").size(), 0u);
  EXPECT_NE(driven.findPath("backends.0.state_hash")->asString(), still.findPath("backends.0.state_hash")->asString());
  write("p.yaml", "mortise: 1\nworld: " + kComparedBlocks +
                      "\nstages:\n  - compare: {backends: [mortise], duration: 20 ms, follow: " + motion +
                      ", halve_step: false, disturbance: 0, metrics: [time, energy]}\n");
  const Ran ran = runMortise({"run", path("p.yaml"), "-o", path("run"), "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_EQ(parseYaml(ran.out, "stdout").findPath("results.compare.backends.0.state_hash")->asString(),
            driven.findPath("backends.0.state_hash")->asString());
  // What belongs to the folder of a run is no option.
  expectFailure({kComparedBlocks, "--record", "robots"}, 2, "--record");
  expectFailure({kComparedBlocks, "--follow", "none.path", "--duration", "1ms"}, 1, "none.path");
}

TEST_F(CompareCommand, WorldsThatCannotBeComparedAreErrors) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  expectFailure({}, 2, "missing WORLD");
  expectFailure({"none.xml"}, 1, "none.xml");
  expectFailure({kComparedBlocks, "--backends", "ode,bulet"}, 1, "did you mean 'bullet'");
  expectFailure({kComparedBlocks, "--controller", "a", "--controller", "b"}, 2, "only 1 robot");
  expectFailure({kComparedBlocks, "--controller", "PathFollowingControler"}, 1, "PathFollowingController");
  expectFailure({kComparedBlocks, "--duration", "5 kg"}, 2, "duration");
  expectFailure({kComparedBlocks, "--contacts", "none"}, 2, "boundary_layer");
  expectFailure({kComparedBlocks, "--metrics", "nothing"}, 2, "--metrics: 'metrics': 'nothing' is not one");
  expectFailure({kComparedBlocks, "--step", "0"}, 2, "--step: 'step': must be between");
  expectFailure({kComparedBlocks, "--csv", path("none/a.csv")}, 1, "there is no folder");
}

TEST_F(CompareCommand, TruthMakesATable) {
  MORTISE_NEEDS_ENGINES("ode");
  const Ran ran = compare({"truth", "--backend", "ode", "--backend", "ode:solver=exact", "--case", "free_fall",
                           "--case", "roll", "--csv", path("truth.csv")});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  for (const char* text : {"ode 1 ms", "ode exact 1 ms", "0.1 ms", "free_fall", "roll", "4.9e-03"})
    EXPECT_NE(ran.out.find(text), std::string::npos) << text << "\n" << ran.out;
  const std::string csv = text("truth.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 * 2 * 2 + 2) << csv;  // ODE declares a limit.
  EXPECT_NE(csv.find("free_fall,place of its center of mass after 1 s,m,ode:solver=exact,1e-04,"), std::string::npos)
      << csv;
}

TEST_F(CompareCommand, TruthPrintsJson) {
  MORTISE_NEEDS_ENGINES("ode");
  const Ran ran =
      compare({"truth", "--backend", "ode", "--backend", "kinematic", "--case", "drive", "--step", "2ms", "--json"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  const Value value = parseYaml(ran.out, "stdout");
  EXPECT_EQ(value.at("step").asReal(), 0.002);
  EXPECT_EQ(value.findPath("engines.0.backend")->asString(), "mortise.OdePhysics");
  EXPECT_GT(value.findPath("cases.0.results.0.error")->asReal(),
            value.findPath("cases.0.results.0.fine_error")->asReal());
  EXPECT_EQ(value.findPath("cases.0.results.1.note")->asString(), "it has no dynamics");
}

TEST_F(CompareCommand, TruthListsItsCases) {
  const Ran ran = compare({"truth", "--list-cases"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(ran.out.find("gyroscope"), std::string::npos) << ran.out;
  EXPECT_EQ(parseYaml(compare({"truth", "--list-cases", "--json", "--case", "slip"}).out, "stdout").size(), 1u);
}

TEST_F(CompareCommand, TruthRefusesWhatItCannotRun) {
  MORTISE_NEEDS_ENGINES("ode");
  expectFailure({"truth", "--case", "slipp"}, 1, "did you mean 'slip'");
  expectFailure({"truth", "--case", "slip", "--case", "slip"}, 2, "given twice");
  expectFailure({"truth", "--backend", "ode", "--backend", "ode"}, 2, "given twice");
  expectFailure({"truth", "--backend", "od"}, 1, "there is no physics named 'od'");
  expectFailure({"truth", "--backend", "ode:solver=fast"}, 1, "solver");
  expectFailure({"truth", "--step", "0"}, 2, "--step");
  expectFailure({"truth", "--csv", path("none/truth.csv")}, 1, "there is no folder");
}

}  // namespace
}  // namespace mortise::test
