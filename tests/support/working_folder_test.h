#pragma once

#include "mortise/base/value_text.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {

/// A test that works in its folder, which is also the home folder of the commands that it runs.
class WorkingFolderTest : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    FolderTest::TearDown();
  }
  Ran run(std::vector<std::string> words) const { return runMortise(std::move(words), {"HOME=" + folder_.string()}); }
  /// What a command prints with --json; it must succeed.
  Value json(std::vector<std::string> words) const {
    words.push_back("--json");
    const Ran ran = run(std::move(words));
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return parseYaml(ran.out.empty() ? "{}" : ran.out, "out");
  }

 private:
  std::filesystem::path before_;
};

}  // namespace mortise::test
