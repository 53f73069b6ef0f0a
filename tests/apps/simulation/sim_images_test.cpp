// mortise sim: images of cameras, and which sensors are in logs.

#include <algorithm>
#include <gtest/gtest.h>

#include "mortise/base/files.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kWatched = MORTISE_SOURCE_DIR "/data/worlds/watched_blocks.xml";

class SimImages : public testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("mortise_sim_images_" + std::to_string(getpid()) + "_" +
                                                       testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  Ran sim(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"sim", kWatched, "--duration", "0.25"});
    return runMortise(std::move(arguments));
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::vector<std::string> files(const std::string& below) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder / below))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  void fails(std::vector<std::string> arguments, int code, const std::string& expected) const {
    const Ran ran = sim(std::move(arguments));
    EXPECT_EQ(ran.exitCode, code) << ran.err;
    EXPECT_NE(ran.err.find(expected), std::string::npos) << "expected: " << expected << "\nfound: " << ran.err;
  }

  std::filesystem::path folder;
};

TEST_F(SimImages, OneAReading) {
  const Ran ran = sim({"--images", path("seen")});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_EQ(files("seen"),
            (std::vector<std::string>{"eye_00000001_color.png", "eye_00000001_depth.png", "eye_00000101_color.png",
                                      "eye_00000101_depth.png", "eye_00000201_color.png", "eye_00000201_depth.png"}));
  const Ran fewer = sim({"--images", path("fewer"), "--image-outputs", "points", "--image-rate", "5"});
  ASSERT_EQ(fewer.exitCode, 0) << fewer.err;
  EXPECT_EQ(files("fewer"), (std::vector<std::string>{"eye_00000200.pcd"}));
}

TEST_F(SimImages, LogsHoldACameraOnlyWhenAsked) {
  const auto columns = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--log", path("log.csv"), "--log-rate", "10"});
    const Ran ran = sim(std::move(arguments));
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    const std::string text = readFile(path("log.csv"));
    const std::string last = text.substr(text.rfind('\n', text.size() - 2) + 1);
    return std::count(last.begin(), last.end(), ',') + 1;
  };
  const auto without = columns({});
  EXPECT_LT(without, 1000);
  EXPECT_EQ(columns({"--log-sensor", "eye"}), without + 2 * 320 * 240);
}

TEST_F(SimImages, MistakesAreTold) {
  fails({"--image-rate", "5"}, 2, "--images");
  fails({"--images", path("x"), "--image-outputs", "colr"}, 1, "did you mean 'color'?");
  fails({"--images", path("x"), "--image-rate", "0"}, 2, "--image-rate");
  fails({"--log-sensor", "eye"}, 2, "--log FILE");
  fails({"--log", path("x.csv"), "--log-sensor", "eie"}, 1, "did you mean 'eye'?");
  fails({"--log", path("x.csv"), "--log-sensor", "nope"}, 1, "--log-sensor 'nope'");
  fails({"--log", path("x.csv"), "--log-sensor", "nope"}, 1, "eye");
  fails({"--log", path("x.path"), "--log-sensor", "eye"}, 2, "a path holds motions");
  writeFile(path("file"), "in the way");
  fails({"--images", path("file")}, 1, path("file"));
  const Ran blind = runMortise({"sim", MORTISE_SOURCE_DIR "/data/worlds/blocks.xml", "--images", path("x")});
  EXPECT_EQ(blind.exitCode, 1);
  EXPECT_NE(blind.err.find("no camera"), std::string::npos) << blind.err;
}

}  // namespace
}  // namespace mortise::test
