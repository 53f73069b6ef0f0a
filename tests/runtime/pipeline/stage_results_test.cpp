#include <map>

#include "mortise/plugin/plugin.h"
#include "support.h"

namespace mortise::test {
namespace {

using StageResults = PipelineTest;

/// A pipeline with one stage of each kind that comes before what a test adds.
std::string everyStage() {
  return "stages:\n"
         "  - plan: {robot: reacher, goal: [0, -0.5, 0, 0, 0, 0], iterations: 1, save: planned}\n"
         "  - shortcut: {path: planned, iterations: 1, save: shortened}\n"
         "  - optimize: {path: planned, save: optimized}\n"
         "  - retime: {path: planned, iterations: 1, save: retimed}\n"
         "  - check: {path: planned, save: checked}\n"
         "  - balance: {path: planned, contacts: [], save: balanced}\n"
         "  - ik: {goals: [{link: 5, position: [0.3, 0, 0.3]}], save: solved}\n"
         "  - smooth: {path: planned, save: smoothed}\n"
         "  - discretize: {path: planned, save: discretized}\n"
         "  - evaluate: {path: planned, every: 1 s, save: evaluated}\n"
         "  - convert: {path: planned, to: out.json, save: converted}\n"
         "  - split: {path: planned, to: part.path, save: parted}\n"
         "  - compare: {backends: [mortise], duration: 0.01, save: compared}\n"
         "  - simulate: {duration: 0.01, save: simulated}\n"
         "  - simulate: {duration: 0.01, save: kept, save_state: end.state}\n";
}

/// What is said of a later stage that takes `name` as a motion or as a state.
std::string saidOf(const std::string& problems, const std::string& name) {
  std::string found;
  std::istringstream lines(problems);
  for (std::string line; std::getline(lines, line);)
    if (line.find("'" + name + "'") != std::string::npos && line.find("error") != std::string::npos)
      found += line + "\n";
  return found;
}

TEST_F(StageResults, EveryWrongReferenceToAStateIsFoundByTheCheck) {
  for (const char* name : {"planned", "shortened", "optimized", "retimed", "checked", "balanced", "solved", "smoothed",
                           "discretized", "evaluated", "converted", "parted", "compared", "simulated"}) {
    const std::string text =
        saidOf(problems(everyStage() + "  - simulate: {duration: 0.01, state: " + name + "}\n"), name);
    EXPECT_NE(text.find("is the result of an earlier stage that saves no state"), std::string::npos)
        << name << ": " << text;
  }
  for (const char* name : {"kept", "end.state"})
    EXPECT_EQ(saidOf(problems(everyStage() + "  - simulate: {duration: 0.01, state: " + name + "}\n"), name), "");
}

TEST_F(StageResults, EveryWrongReferenceToAMotionIsFoundByTheCheck) {
  const std::map<std::string, bool> isMotion = {
      {"planned", true},   {"shortened", true}, {"optimized", true}, {"retimed", true},     {"checked", false},
      {"balanced", false}, {"solved", true},    {"smoothed", true},  {"discretized", true}, {"evaluated", true},
      {"converted", true}, {"parted", false},   {"compared", false}, {"simulated", false},  {"kept", false}};
  for (const auto& [name, motion] : isMotion)
    for (const std::string stage : {"  - simulate: {duration: 0.01, robot: reacher, follow: ",
                                    "  - shortcut: {iterations: 1, path: ", "  - smooth: {path: "}) {
      const std::string text = saidOf(problems(everyStage() + stage + name + "}\n"), name);
      if (motion)
        EXPECT_EQ(text, "") << stage << name;
      else
        EXPECT_NE(text.find("not a motion"), std::string::npos) << stage << name << ": " << text;
    }
}

TEST_F(StageResults, EveryBuiltInStageDeclaresWhatItSaves) {
  for (const std::string& name : registry_->namesOf(Kind::stage)) {
    const ComponentInfo* info = registry_->find(Kind::stage, name);
    ASSERT_NE(info, nullptr) << name;
    if (info->package != "mortise_runtime") continue;
    const Value* kinds = info->attributes.find("saves");
    ASSERT_NE(kinds, nullptr) << info->name;
    for (const std::string& kind : kinds->asStrings())
      EXPECT_TRUE(resultKindFromName(kind)) << info->name << ": " << kind;
  }
}

/// A stage of somebody else's that leaves a motion and says nothing of it.
class QuietStage final : public Stage {
 public:
  explicit QuietStage(const ComponentContext& context)
      : links_(static_cast<int>(context.settings.integer("links", 1))) {}
  void run(StageContext& context) override {
    context.saveTrajectory("quiet", {{0, 1}, {VectorXd::Zero(links_), VectorXd::Zero(links_)}});
  }

 private:
  int links_;
};

MORTISE_PLUGIN_AS(mortise_test_quiet, __attribute__((visibility("hidden"))), "test_quiet", "1.0.0") {
  plugin.stage<QuietStage>("test.Quiet").alias("quiet").parameter("links", 1, "Links of the robot.");
}

TEST_F(StageResults, WhatAStageDoesNotDeclareMayBeAnything) {
  registry_->addBuiltIn(mortise_test_quiet);
  registry_->discover();
  Diagnostics diagnostics;
  const int links = static_cast<int>(loader_->world(world(), {}, diagnostics).robots[0].q.size());
  const std::string list =
      "stages:\n  - quiet: {links: " + std::to_string(links) + "}\n  - smooth: {path: quiet, save: after}\n";
  const RunOutcome outcome = run(good(write(list)), "out");
  EXPECT_EQ(outcome.status, RunStatus::done) << outcome.failure;
}

}  // namespace
}  // namespace mortise::test
