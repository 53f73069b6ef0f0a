// Every key of every stage of a pipeline changes what the stage computes or writes, or a remark says why not.

#include "mortise/hash/hash.h"
#include "mortise/json/json_writer.h"
#include "tests/runtime/pipeline/support.h"
#include "tests/runtime/settings/stage_remarks.h"
#include "tests/support/engines.h"

namespace mortise::test {
namespace {

/// Results as text, without how long things took and without what only repeats the settings.
void reportResult(const Value& value, std::string& text) {
  if (value.isMap()) {
    for (const auto& entry : value.entries()) {
      if (std::find(std::begin(kNoOutcomes), std::end(kNoOutcomes), entry.key) != std::end(kNoOutcomes)) continue;
      text += entry.key + ": ";
      reportResult(entry.value, text);
    }
  } else if (value.isList()) {
    for (const Value& each : value.items()) reportResult(each, text);
  } else {
    text += toJson(value, 0);
  }
}

class StageSettings : public PipelineTest {
 protected:
  void SetUp() override {
    PipelineTest::SetUp();
    for (const auto& [name, content] : stageFiles()) writeFile(path(name), content);
  }

  /// The result of the stage, and every file of the run.
  std::string outcomeOfStage(const std::string& stage, const StageScene& scene, const Value& settings) {
    Value all = parseYaml(scene.settings, "scene");
    for (const auto& entry : settings.entries()) all.set(entry.key, entry.value);
    Value given = Value::map();
    for (const auto& entry : all.entries())
      if (!entry.value.isNull()) given.set(entry.key, entry.value);
    writeFile(path("stage.yaml"), "mortise: 1\nseed: 5\nworld: " + scene.world + "\nstages:\n" + scene.before + "  - " +
                                      stage + ": " + toJson(given, 0) + "\n");
    Diagnostics diagnostics;
    const Pipeline pipeline = check(path("stage.yaml"), diagnostics);
    if (diagnostics.hasErrors()) return "refused: " + textOf(diagnostics);
    std::filesystem::remove_all(path("out"));
    log_.lines.clear();
    const RunOutcome outcome = run(pipeline, "out");
    std::string text = textOf(diagnostics);
    for (const auto& [level, line] : log_.lines)
      if (level >= LogLevel::warning) text += line + "\n";
    if (outcome.status != RunStatus::done) text += "failed: " + outcome.failure + "\n";
    reportResult(outcome.result.at("results"), text);
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path("out")))
      if (entry.is_regular_file() && entry.path().filename() != "result.json" &&
          entry.path().filename() != "run.lock.yaml")
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files) {
      const std::string content = readFile(file.string());
      text += file.filename().string() + " " + formatHash(fnv1a(content.data(), content.size())) + "\n";
    }
    return text;
  }
};

TEST_F(StageSettings, DoWhatTheySay) {
  MORTISE_NEEDS_PLUGIN("io");
  MORTISE_NEEDS_PLUGIN("planners");
  MORTISE_NEEDS_PLUGIN("recorders");
  MORTISE_NEEDS_PLUGIN("controllers");
  MORTISE_NEEDS_ENGINES("ode", "mortise");
  SweepCount all;
  for (const ComponentInfo& info : registry_->components()) {
    if (info.kind != Kind::stage) continue;
    const auto scenes = stageScenes().find(info.name);
    ASSERT_NE(scenes, stageScenes().end()) << info.name << " has no scene: add one to stage_remarks.h";
    ASSERT_FALSE(info.aliases.empty()) << info.name;
    const SweepCount count = sweepSettings(
        info.name, info.schema, Value::map(), stageRemarks(), static_cast<int>(scenes->second.size()),
        [&](const Value& settings, int scene) {
          return outcomeOfStage(info.aliases.front(), scenes->second[static_cast<std::size_t>(scene)], settings);
        });
    all.swept += count.swept;
    all.remarked += count.remarked;
  }
  reportCount("stages", all);
}

/// The same settings twice give the same outcome, so that another outcome is due to another setting.
TEST_F(StageSettings, AreRepeatable) {
  MORTISE_NEEDS_PLUGIN("io");
  MORTISE_NEEDS_PLUGIN("planners");
  MORTISE_NEEDS_PLUGIN("recorders");
  MORTISE_NEEDS_PLUGIN("controllers");
  MORTISE_NEEDS_ENGINES("ode", "mortise");
  for (const ComponentInfo& info : registry_->components()) {
    if (info.kind != Kind::stage) continue;
    const auto scenes = stageScenes().find(info.name);
    if (scenes == stageScenes().end()) continue;
    for (const StageScene& scene : scenes->second) {
      const std::string once = outcomeOfStage(info.aliases.front(), scene, Value::map());
      EXPECT_FALSE(once.starts_with("refused")) << info.name << ": " << once;
      EXPECT_EQ(once, outcomeOfStage(info.aliases.front(), scene, Value::map())) << info.name;
    }
  }
}

TEST_F(StageSettings, RemarksAreOfSettings) {
  expectRemarksOfSettings(stageRemarks(), [&](const std::string& name) {
    std::vector<const Schema*> all;
    for (const ComponentInfo& info : registry_->components())
      if (info.kind == Kind::stage && (name == "*" || info.name == name)) all.push_back(&info.schema);
    return all;
  });
}

}  // namespace
}  // namespace mortise::test
