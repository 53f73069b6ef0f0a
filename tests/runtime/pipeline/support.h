#pragma once

#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <unistd.h>

#include "mortise/base/files.h"
#include "mortise/pipeline/pipeline_run.h"
#include "mortise/pipeline/stages/stages.h"
#include "tests/support/plugins.h"

namespace mortise::test {

/// A folder of its own for each test, with pipelines in it, and the project's demo world.
class PipelineTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              ("mortise-pipeline-" + std::to_string(::getpid()) + "-" + test->name());
    std::filesystem::create_directories(folder_);
    registry_ = std::make_unique<Registry>(log_);
    registry_->addFolder(MORTISE_BINARY_DIR "/lib/mortise/plugins", "build");
    addPipelineStages(*registry_);
    registry_->discover();
    loader_ = std::make_unique<FormatLoader>(*registry_, log_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string world() { return MORTISE_SOURCE_DIR "/data/worlds/blocks.xml"; }

  /// Writes a pipeline of the demo world with these further lines.
  std::string write(const std::string& lines, const std::string& name = "p.yaml") {
    writeFile(path(name), "mortise: 1\nworld: " + world() + "\n" + lines);
    return path(name);
  }

  Pipeline check(const std::string& file, Diagnostics& diagnostics, const std::vector<std::string>& settings = {}) {
    PipelineFile loaded = loadPipelineFile(file, settings, diagnostics);
    loaded.plugins(diagnostics);
    Pipeline pipeline = checkPipeline(std::move(loaded), *registry_, *loader_, log_, diagnostics);
    checkStages(pipeline, *registry_, *loader_, log_, diagnostics);
    return pipeline;
  }
  Pipeline good(const std::string& file, const std::vector<std::string>& settings = {}) {
    Diagnostics diagnostics;
    Pipeline pipeline = check(file, diagnostics, settings);
    EXPECT_FALSE(diagnostics.hasErrors()) << textOf(diagnostics);
    return pipeline;
  }
  static std::string textOf(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics.all()) text += diagnostic.format() + "\n";
    return text;
  }
  /// Everything that is wrong with a pipeline of these lines.
  std::string problems(const std::string& lines, const std::vector<std::string>& settings = {}) {
    Diagnostics diagnostics;
    check(write(lines), diagnostics, settings);
    return textOf(diagnostics);
  }
  void expectProblem(const std::string& lines, const std::string& expected,
                     const std::vector<std::string>& settings = {}) {
    const std::string text = problems(lines, settings);
    EXPECT_NE(text.find(expected), std::string::npos) << "expected: " << expected << "\nfound:\n" << text;
  }

  RunOutcome run(const Pipeline& pipeline, const std::string& directory, RunOptions options = {}) {
    options.directory = path(directory);
    return runPipeline(pipeline, *registry_, *loader_, log_, options);
  }

  std::filesystem::path folder_;
  MemoryLog log_;
  std::unique_ptr<Registry> registry_;
  std::unique_ptr<FormatLoader> loader_;
};

}  // namespace mortise::test
