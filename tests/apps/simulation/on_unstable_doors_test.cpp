// The words of on_unstable, given by the command line, the world, the pipeline and its
// stage: the same through each of them.

#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/balls_world.h"
#include "tests/support/engines.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

class OnUnstableDoors : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    MORTISE_NEEDS_ENGINES("bullet");
  }
  struct Answer {
    int exitCode = -1;
    std::string hash, fault, following;
    double time = 0;
    std::int64_t unstable = 0;
    bool operator==(const Answer&) const = default;
  };
  static Answer answerOf(int exitCode, const Value& result) {
    Answer answer;
    answer.exitCode = exitCode;
    answer.hash = result.string("state_hash", "");
    answer.fault = result.string("fault", "");
    answer.time = result.real("time", 0);
    answer.unstable = result.at("status_counts").integer("unstable", -1);
    for (const Value& body : result.at("unstable").items()) answer.following += body.string("body", "") + " ";
    return answer;
  }
  Answer simulate(const std::string& world, const std::vector<std::string>& words) {
    std::vector<std::string> line = {"sim", world, "--backend", "bullet", "--duration", "0.3", "--json"};
    line.insert(line.end(), words.begin(), words.end());
    const Ran ran = runMortise(line);
    return answerOf(ran.exitCode, parseYaml(ran.out, "out"));
  }
  /// The answer of a stage whose result is `hit`; another stage comes after it.
  Answer runPipeline(const std::string& world, const std::string& ofAll, const std::string& ofStage) {
    const std::string file = write("p.yaml", "mortise: 1\nworld: " + world + "\nsimulation: {backend: bullet" + ofAll +
                                                 "}\nstages:\n  - simulate: {duration: 0.3, save: hit" + ofStage +
                                                 "}\n  - simulate: {duration: 10 ms, save: after}\n");
    const Ran ran = runMortise({"run", file, "--output", path("run"), "--force", "--quiet"});
    result_ = loadYaml(path("run/result.json"));
    return answerOf(ran.exitCode, result_.at("results").at("hit"));
  }
  Value result_;
};

TEST_F(OnUnstableDoors, AreOne) {
  const std::string plain = write("plain.xml", ballsWorld());
  const Answer silent = simulate(plain, {});
  std::vector<Answer> answers;
  for (const char* word : {"report", "stop", "scale"}) {
    SCOPED_TRACE(word);
    const std::string own = write("own.xml", ballsWorld(std::string("on_unstable='") + word + "'"));
    const std::string setting = std::string(", on_unstable: ") + word;
    const Answer answer = simulate(plain, {"--on-unstable", word});
    EXPECT_EQ(simulate(own, {}), answer);
    EXPECT_EQ(runPipeline(plain, setting, ""), answer);
    EXPECT_EQ(runPipeline(plain, ", on_unstable: report", setting), answer) << "a stage's own word goes before";
    EXPECT_EQ(runPipeline(own, "", ""), answer);
    answers.push_back(answer);
  }
  EXPECT_EQ(answers[0], silent) << "report is the default";
  EXPECT_EQ(answers[0].exitCode, 0);
  EXPECT_EQ(answers[0].unstable, 1);
  EXPECT_EQ(answers[0].following, "a ");
  EXPECT_EQ(answers[1].following, "a ");
  EXPECT_EQ(answers[2].exitCode, 0);
  EXPECT_EQ(answers[2].following, "b ") << "Klamp't's rule is another";
  EXPECT_NE(answers[0].hash, answers[2].hash);
}

TEST_F(OnUnstableDoors, StopEndsTheRunAndIsInItsRecord) {
  const std::string world = write("plain.xml", ballsWorld());
  const Answer answer = runPipeline(world, ", on_unstable: stop", "");
  EXPECT_EQ(answer.exitCode, 1);
  EXPECT_LT(answer.time, 0.25) << "with the step that was unstable";
  EXPECT_TRUE(answer.fault.starts_with("'a' gained 0.")) << answer.fault;
  EXPECT_EQ(result_.string("status", ""), "failed");
  EXPECT_NE(result_.string("failure", "").find(answer.fault), std::string::npos) << result_.string("failure", "");
  const Value& hit = result_.at("results").at("hit");
  EXPECT_EQ(hit.string("worst_status", ""), "error");
  EXPECT_EQ(hit.at("unstable")[0].at("largest").real("time", 0), answer.time);
  EXPECT_EQ(hit.at("effective").string("onUnstable", ""), "stop");
  EXPECT_FALSE(result_.at("results").contains("after")) << "later stages are not run";
}

TEST_F(OnUnstableDoors, UnknownWordsAreErrorsWithTheirPlace) {
  const Ran line = runMortise({"sim", write("plain.xml", ballsWorld()), "--on-unstable", "halt"});
  EXPECT_NE(line.exitCode, 0);
  EXPECT_NE(line.err.find("report"), std::string::npos) << line.err;
  const Ran world = runMortise({"sim", write("wrong.xml", ballsWorld("on_unstable='halt'"))});
  EXPECT_NE(world.exitCode, 0);
  EXPECT_NE(world.err.find("wrong.xml:1:"), std::string::npos) << world.err;
  const std::string file = write("wrong.yaml", "mortise: 1\nworld: " + path("plain.xml") +
                                                   "\nsimulation: {on_unstable: halt}\nstages:\n  - simulate: "
                                                   "{duration: 1 ms}\n");
  const Ran pipeline = runMortise({"run", file, "--output", path("run")});
  EXPECT_EQ(pipeline.exitCode, 1);
  EXPECT_NE(pipeline.err.find("wrong.yaml:3:"), std::string::npos) << pipeline.err;
}

}  // namespace
}  // namespace mortise::test
