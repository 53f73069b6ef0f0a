#include "mortise/settings/output_path.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/settings/permissions.h"

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
  EXPECT_EQ(outputPath(run(), "/tmp/x.csv", onCommandLine("--set", "components.log.file")), "/tmp/x.csv");
  EXPECT_EQ(outputPath(run(), "here/x.csv", onCommandLine("--set")), "here/x.csv") << "relative to the current folder";
  EXPECT_EQ(outputPath(run(), "x.csv", onCommandLine("--set")), run() + "/x.csv");
  allowOutputOutside(true);
  EXPECT_EQ(outputPath(run(), "/tmp/x.csv"), "/tmp/x.csv");
  EXPECT_EQ(outputPath(run(), "../x.csv"), run() + "/../x.csv");
}

TEST_F(OutputPath, WhoWroteANameCountsAndNotHowAFileIsCalled) {
  for (const char* file : {"--w.xml", "--set", "command line"})
    for (const Origin origin : {Origin::unknown, Origin::pipeline, Origin::world, Origin::robot, Origin::lock}) {
      const SourcePosition where{file, 0, 0, {}, origin};
      EXPECT_THROW(outputPath(run(), "/tmp/x.csv", where), Error) << file;
      EXPECT_THROW(checkOutputName("../x.csv", where), Error) << file;
      EXPECT_EQ(outputPath(run(), "here/x.csv", where), run() + "/here/x.csv") << file;
    }
}

TEST_F(OutputPath, TheRecordOfARunNeverLeadsOut) {
  const SourcePosition recorded{"result.json", 0, 0, {}, Origin::log};
  allowOutputOutside(true);
  EXPECT_THROW(outputPath(run(), "/tmp/x.csv", recorded), Error);
  EXPECT_EQ(outputPath(run(), "../x.csv", {"p.yaml", 1, 1, {}, Origin::pipeline}), run() + "/../x.csv");
}

TEST(Permissions, ChecksRunNothingThatAFileNames) {
  for (const Origin origin : {Origin::unknown, Origin::pipeline, Origin::world, Origin::robot, Origin::lock}) {
    EXPECT_TRUE(permissionsOf(origin).runs);
    EXPECT_FALSE(permissionsOf(origin).readsStreams);
  }
  EXPECT_FALSE(permissionsOf(Origin::log).runs);
  checkOnly(true);
  for (const Origin origin : {Origin::unknown, Origin::pipeline, Origin::world, Origin::robot, Origin::lock})
    EXPECT_FALSE(permissionsOf(origin).runs);
  EXPECT_TRUE(permissionsOf(Origin::commandLine).runs);
  checkOnly(false);
}

TEST(Permissions, AnOriginIsSetOnceForAllOfAValue) {
  Value value = parseYaml("{a: [1, {b: x}]}", "p.yaml");
  value.find("a")->items()[0].setPosition(onCommandLine("--set", "a.0"));
  setOrigin(value, Origin::pipeline);
  EXPECT_EQ(value.position().origin, Origin::pipeline);
  EXPECT_EQ(value.entries()[0].keyPosition.origin, Origin::pipeline);
  EXPECT_EQ(value.at("a")[1].at("b").position().origin, Origin::pipeline);
  EXPECT_EQ(value.at("a")[0].position().origin, Origin::commandLine) << "what is known stays";
}

}  // namespace
}  // namespace mortise
