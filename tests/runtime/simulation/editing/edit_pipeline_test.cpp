// Edits in pipelines: what is wrong is found before the first step, recorders keep the bodies that they began with, and
// runs repeat bit by bit.

#include <algorithm>
#include <filesystem>

#include "mortise/base/files.h"
#include "tests/runtime/pipeline/support.h"

namespace mortise::test {
namespace {

class EditPipelines : public PipelineTest {
 protected:
  static std::string stage(const std::string& commands, const std::string& more = "") {
    return "stages:\n  - simulate:\n      duration: 0.4 s\n      save: edited\n" + more + "      commands:\n" +
           commands;
  }
  static std::string edits() {
    return "        - {at: 0.1 s, edit: {body: block_top, mass: 300 g, friction: 0.2}}\n"
           "        - {at: 0.2 s, edit: {add: crate, box: [0.1, 0.1, 0.1], mass: 1 kg, position: [0.3, 0.3, 0.5]}}\n"
           "        - {at: 0.3 s, edit: {remove: ball}}\n";
  }
};

TEST_F(EditPipelines, RepeatAndRecordWhatTheyBeganWith) {
  const std::string file =
      write(stage(edits(), "      record: [robots, objects, contacts]\n      save_state: end.state\n"));
  const RunOutcome first = run(good(file), "first"), second = run(good(file), "second");
  ASSERT_TRUE(first.failure.empty()) << first.failure;
  const Value& result = *first.result.findPath("results.edited");
  EXPECT_EQ(result.at("state_hash").asString(), second.result.findPath("results.edited.state_hash")->asString());
  const Value& done = result.at("commands");
  ASSERT_EQ(done.size(), 3u);
  EXPECT_EQ(done[0].at("edit").at("mass").asReal(), 0.3);
  EXPECT_EQ(done[2].at("edit").at("remove").asString(), "ball");
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path("first"))) {
    if (entry.path().extension() != ".csv") continue;
    ++files;
    const std::string text = readFile(entry.path().string());
    std::size_t rows = 0, columns = 0;
    for (std::size_t at = 0; at < text.size(); ++rows) {
      const std::size_t end = text.find('\n', at);
      const auto commas = static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                                              text.begin() + static_cast<std::ptrdiff_t>(end), ','));
      if (rows == 0) columns = commas;
      EXPECT_EQ(commas, columns) << entry.path() << ", row " << rows;
      at = end + 1;
    }
    EXPECT_GE(rows, 400u) << entry.path();
    EXPECT_EQ(text.find("crate"), std::string::npos) << "a log has the bodies that were there when it was opened";
  }
  EXPECT_EQ(files, 2u);

  // A run that goes on from the state has the edited world.
  const RunOutcome further = run(good(write("stages:\n  - simulate: {duration: 0.1 s, save: further, state: " +
                                                result.at("state_file").asString() + "}\n",
                                            "further.yaml")),
                                 "further");
  ASSERT_TRUE(further.failure.empty()) << further.failure;
  const Value& objects = further.result.findPath("results.further")->at("objects");
  const auto named = [&](const std::string& name) {
    return std::any_of(objects.items().begin(), objects.items().end(),
                       [&](const Value& object) { return object.string("name", "") == name; });
  };
  EXPECT_TRUE(named("crate"));
  EXPECT_FALSE(named("ball"));
}

TEST_F(EditPipelines, WhatIsWrongIsFoundBeforeTheRun) {
  expectProblem(stage("        - {at: 0.1 s, edit: {body: block_tpo, mass: 1}}\n"), "did you mean 'block_top'?");
  expectProblem(stage("        - {at: 0.1 s, edit: {body: block_top, mas: 1}}\n"), "did you mean 'mass'?");
  expectProblem(stage("        - {edit: {body: block_top, mass: 1}}\n"), "'at' is missing");
  expectProblem(stage("        - {at: 0.1 s, robot: reacher, edit: {body: block_top, mass: 1}}\n"),
                "no keys besides 'at'");
  expectProblem(stage("        - {at: 0.1 s, edit: {remove: reacher}}\n"), "only rigid objects can");
  expectProblem(stage("        - {at: 0.1 s, edit: {remove: ball}}\n"
                      "        - {at: 0.2 s, edit: {body: ball, mass: 1}}\n"),
                "there is no body 'ball'");
  good(
      write(stage("        - {at: 0.1 s, edit: {add: new, sphere: 5 cm, mass: 100 g}}\n"
                  "        - {at: 0.2 s, edit: {body: new, position: [0, 0, 2]}}\n")));
}

}  // namespace
}  // namespace mortise::test
