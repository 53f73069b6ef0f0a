#include "mortise/loading/resource_path.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "mortise/base/error.h"
#include "mortise/base/files.h"

namespace mortise {
namespace {

namespace fs = std::filesystem;

class Resources : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("mortise-" + std::to_string(::getpid()) + "-" + test->name());
    fs::create_directories(folder_ / "robots");
    fs::create_directories(folder_ / "worlds");
    std::ofstream(folder_ / "robots/arm.rob") << "arm";
    std::ofstream(folder_ / "worlds/room.xml") << "room";
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(Resources, ShapesOnTopicsOfRosAreRefusedWithWhatToDoInstead) {
  for (const char* topic : {"ros://cloud", "ros:PointCloud2//cloud"}) {
    try {
      ResourcePath().find(topic, path("worlds/room.xml"));
      FAIL() << topic;
    } catch (const Error& error) {
      EXPECT_NE(error.hint().find("without ROS"), std::string::npos) << error.hint();
    }
  }
}

TEST_F(Resources, FindsRelativeToTheReferringFileThenTheFolders) {
  ResourcePath paths;
  EXPECT_EQ(paths.find("../robots/arm.rob", path("worlds/room.xml")), path("robots/arm.rob"));
  EXPECT_EQ(paths.find(path("robots/arm.rob")), path("robots/arm.rob"));
  EXPECT_EQ(paths.tryFind("arm.rob", path("worlds/room.xml")), "");
  paths.add(path("robots"));
  EXPECT_EQ(paths.find("arm.rob", path("worlds/room.xml")), path("robots/arm.rob"));
}

TEST_F(Resources, MissingFilesListEveryPathAndTheNearestName) {
  ResourcePath paths;
  paths.add(path("worlds"));
  try {
    paths.find("../robots/arn.rob", path("worlds/room.xml"));
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("cannot find '../robots/arn.rob'; tried " + path("robots/arn.rob") + ", ../robots/arn.rob"),
              std::string::npos)
        << text;
    EXPECT_EQ(error.hint(), "did you mean '" + path("robots/arm.rob") + "'?");
  }
  EXPECT_THROW(paths.find(""), Error);
  EXPECT_THROW(paths.find(std::string_view("a\0b", 3)), Error);
}

TEST_F(Resources, ReadFileTellsTheReason) {
  EXPECT_EQ(readFile(path("robots/arm.rob")), "arm");
  EXPECT_THROW(readFile(""), Error);
  try {
    readFile(path("robots/arm.robb"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "cannot read: No such file or directory");
    EXPECT_EQ(error.hint(), "did you mean '" + path("robots/arm.rob") + "'?");
  }
  try {
    readFile(path("robots"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "cannot read: it is a folder");
  }
  std::string large(300000, 'x');
  large[123456] = '\0';
  writeFile(path("large"), large);
  EXPECT_EQ(readFile(path("large")), large);
  EXPECT_FALSE(readFile("/proc/self/status").empty());
}

TEST_F(Resources, WriteFileReplacesWholeFilesAndLeavesNothingBehind) {
  writeFile(path("robots/arm.rob"), "new");
  EXPECT_EQ(readFile(path("robots/arm.rob")), "new");
  EXPECT_THROW(writeFile(path("nowhere/file"), "x"), Error);
  EXPECT_THROW(writeFile(path("robots"), "x"), Error);
  fs::create_symlink("arm.rob", folder_ / "robots/link.rob");
  writeFile(path("robots/link.rob"), "through the link");
  EXPECT_TRUE(fs::is_symlink(folder_ / "robots/link.rob"));
  EXPECT_EQ(readFile(path("robots/arm.rob")), "through the link");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_ / "robots")) ++files;
  EXPECT_EQ(files, 2u);
}

TEST(WriteFile, ReportsAFullDisk) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  try {
    writeFile("/dev/full", "x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "cannot write: No space left on device");
  }
}

}  // namespace
}  // namespace mortise
