#include "mortise/settings/output_path.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "mortise/base/position.h"

namespace mortise {
namespace {

namespace fs = std::filesystem;

class OutputPath : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("mortise-output-path-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "run/sub");
    fs::create_directories(folder_ / "elsewhere");
  }
  void TearDown() override {
    allowOutputOutside(false);
    fs::remove_all(folder_);
  }
  std::string run() const { return (folder_ / "run").string(); }
  std::string refusal(const std::string& name) const {
    try {
      (void)outputPath(run(), name, {"p.yaml", 3, 4, {}});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  fs::path folder_;
};

TEST_F(OutputPath, StaysBelowTheFolder) {
  EXPECT_EQ(outputPath(run(), "log.csv"), run() + "/log.csv");
  EXPECT_EQ(outputPath(run(), "new/log.csv"), run() + "/new/log.csv");
  EXPECT_EQ(outputPath("", "log.csv"), "log.csv");
  for (const char* name : {"/tmp/x.csv", "../x.csv", "sub/../../x.csv"}) {
    EXPECT_NE(refusal(name).find("p.yaml:3:4: '" + std::string(name) + "' would be written outside"), std::string::npos)
        << refusal(name);
    EXPECT_NE(refusal(name).find("--allow-outside"), std::string::npos);
  }
  EXPECT_NE(refusal("").find("is empty"), std::string::npos);
}

TEST_F(OutputPath, LinksThatLeadOutAreRefused) {
  fs::create_symlink(folder_ / "elsewhere/gone.csv", folder_ / "run/dangling.csv");
  fs::create_symlink("../elsewhere", folder_ / "run/folder");
  fs::create_symlink("sub", folder_ / "run/inside");
  fs::create_symlink("loop", folder_ / "run/loop");
  EXPECT_NE(refusal("dangling.csv").find("through a symbolic link, to '"), std::string::npos);
  EXPECT_NE(refusal("folder/x.csv").find("through a symbolic link"), std::string::npos);
  EXPECT_EQ(outputPath(run(), "inside/x.csv"), run() + "/inside/x.csv");
  (void)refusal("loop");  // It ends.
}

TEST_F(OutputPath, TheUserMayNameAnyPlace) {
  EXPECT_EQ(outputPath(run(), "/tmp/x.csv", {"--set", 0, 0, "components.log.file"}), "/tmp/x.csv");
  EXPECT_EQ(outputPath(run(), "here/x.csv", inFile("--set")), "here/x.csv") << "relative to the current folder";
  EXPECT_EQ(outputPath(run(), "x.csv", inFile("--set")), run() + "/x.csv");
  allowOutputOutside(true);
  EXPECT_EQ(outputPath(run(), "/tmp/x.csv"), "/tmp/x.csv");
  EXPECT_EQ(outputPath(run(), "../x.csv"), run() + "/../x.csv");
}

}  // namespace
}  // namespace mortise
