// Every setting of every controller, estimator and recorder changes the run or its log, or a remark says why not.

#include "mortise/hash/hash.h"
#include "mortise/json/json_writer.h"
#include "mortise/text/suggest.h"
#include "tests/runtime/pipeline/support.h"
#include "tests/runtime/settings/component_remarks.h"
#include "tests/support/engines.h"

namespace mortise::test {
namespace {

class ComponentSettings : public PipelineTest {
 protected:
  void SetUp() override {
    PipelineTest::SetUp();
    ::setenv("SOURCE_DATE_EPOCH", "1600000000", 1);  // Logs hold the date.
    for (const auto& [name, content] : componentFiles()) writeFile(path(name), content);
  }

  /// The state at the end of a short run, and every file that it left.
  std::string outcomeOfComponent(Kind kind, const std::string& type, const ComponentScene& scene,
                                 const Value& settings) {
    Value entry = parseYaml(scene.settings, "scene");
    if (kind == Kind::estimator) {
      Value estimator = Value::map();
      estimator.set("name", type);
      for (const auto& each : settings.entries())
        if (!each.value.isNull()) estimator.set(each.key, each.value);
      entry.set("estimator", estimator);
    } else {
      entry.set(std::string(kindName(kind)), type);
      for (const auto& each : settings.entries())
        if (!each.value.isNull()) entry.set(each.key, each.value);
    }
    writeFile(path("run.yaml"), "mortise: 1\nseed: 5\nworld: " + scene.world + "\ncomponents:\n" + scene.others +
                                    "  - " + toJson(entry, 0) + "\nstages:\n  - simulate: " + scene.simulate + "\n");
    Diagnostics diagnostics;
    const Pipeline pipeline = check(path("run.yaml"), diagnostics);
    if (diagnostics.hasErrors()) return "refused: " + textOf(diagnostics);
    std::filesystem::remove_all(path("out"));
    log_.lines.clear();
    const RunOutcome outcome = run(pipeline, "out");
    std::string text = textOf(diagnostics);
    for (const auto& [level, line] : log_.lines)
      if (level >= LogLevel::warning) text += line + "\n";
    if (outcome.status != RunStatus::done) return text + "failed: " + outcome.failure;
    text += toJson(outcome.result.at("results").at("simulate").at("state_hash"), 0);
    std::vector<std::filesystem::path> files;
    for (const auto& each : std::filesystem::recursive_directory_iterator(path("out")))
      if (each.is_regular_file() && each.path().filename() != "result.json" &&
          each.path().filename() != "run.lock.yaml")
        files.push_back(each.path());
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files) {
      const std::string content = readFile(file.string());
      text += " " + std::filesystem::relative(file, path("out")).string() + " " +
              formatHash(fnv1a(content.data(), content.size()));
    }
    return text;
  }

  void sweepKind(Kind kind) {
    SweepCount all;
    for (const ComponentInfo& info : registry_->components()) {
      if (info.kind != kind || !info.name.starts_with("mortise.")) continue;
      if (componentsTriedElsewhere().contains(info.name)) continue;
      const auto scenes = componentScenes().find(info.name);
      if (scenes == componentScenes().end()) {
        ADD_FAILURE() << info.name << " has no scene: add one to component_remarks.h";
        continue;
      }
      for (const ComponentScene& scene : scenes->second) {
        const std::string once = outcomeOfComponent(kind, info.name, scene, Value::map());
        EXPECT_FALSE(once.starts_with("refused") || once.find("failed") != std::string::npos) << info.name << once;
        EXPECT_EQ(once, outcomeOfComponent(kind, info.name, scene, Value::map())) << info.name;
      }
      const SweepCount count = sweepSettings(
          info.name, info.schema, Value::map(), componentRemarks(), static_cast<int>(scenes->second.size()),
          [&](const Value& settings, int scene) {
            return outcomeOfComponent(kind, info.name, scenes->second[static_cast<std::size_t>(scene)], settings);
          });
      all.swept += count.swept;
      all.remarked += count.remarked;
    }
    reportCount("settings", all);
  }
};

TEST_F(ComponentSettings, OfControllersDoWhatTheySay) {
  MORTISE_NEEDS_PLUGIN("io");
  MORTISE_NEEDS_PLUGIN("controllers");
  MORTISE_NEEDS_PLUGIN("estimators");
  sweepKind(Kind::controller);
}

TEST_F(ComponentSettings, OfEstimatorsDoWhatTheySay) {
  MORTISE_NEEDS_PLUGIN("io");
  MORTISE_NEEDS_PLUGIN("controllers");
  MORTISE_NEEDS_PLUGIN("estimators");
  MORTISE_NEEDS_PLUGIN("sensors");
  sweepKind(Kind::estimator);
}

TEST_F(ComponentSettings, OfRecordersDoWhatTheySay) {
  MORTISE_NEEDS_PLUGIN("io");
  MORTISE_NEEDS_PLUGIN("recorders");
  MORTISE_NEEDS_PLUGIN("sensors_embree");
  sweepKind(Kind::recorder);
}

/// Folders of tests have every setting of the components that the sweep cannot run.
TEST(ComponentRemarks, SettingsTriedElsewhereAre) {
  for (const auto& [name, folders] : componentsTriedElsewhere()) {
    std::string tests;
    for (const std::string& folder : folders)
      for (const auto& entry : std::filesystem::directory_iterator(MORTISE_SOURCE_DIR "/tests/" + folder))
        tests += readFile(entry.path().string());
    for (const Kind kind : {Kind::controller, Kind::estimator, Kind::recorder, Kind::hardware})
      for (const Schema* schema : schemasOf(kind, name))
        for (const Parameter& parameter : schema->parameters()) {
          bool tried = tests.find(parameter.name + ": ") != std::string::npos;
          for (const std::string& alias : parameter.options.aliases)
            tried = tried || tests.find(alias + ": ") != std::string::npos;
          EXPECT_TRUE(tried) << "no test of " << nameList(folders) << " gives " << name << "." << parameter.name;
        }
  }
}

TEST(ComponentRemarks, AreOfSettings) {
  expectRemarksOfSettings(componentRemarks(), [](const std::string& name) {
    std::vector<const Schema*> all;
    for (const Kind kind : {Kind::controller, Kind::estimator, Kind::recorder, Kind::hardware})
      for (const Schema* schema : schemasOf(kind, name)) all.push_back(schema);
    return all;
  });
}

}  // namespace
}  // namespace mortise::test
