#include "mortise/modeling/packages.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "mortise/base/error.h"
#include "mortise/loading/resource_path.h"

namespace mortise {
namespace {

namespace fs = std::filesystem;

class Packages : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("mortise-packages-" + std::to_string(::getpid()) + "-" + test->name());
    fs::create_directories(folder_);
    ::unsetenv("ROS_PACKAGE_PATH");
    ::unsetenv("AMENT_PREFIX_PATH");
  }
  void TearDown() override {
    ::unsetenv("ROS_PACKAGE_PATH");
    ::unsetenv("AMENT_PREFIX_PATH");
    fs::remove_all(folder_);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& content = "x") const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << content;
    return path(name);
  }
  std::string find(const std::string& reference, const std::string& from) const {
    return paths_.tryFind(reference, path(from));
  }

  fs::path folder_;
  ResourcePath paths_;
};

TEST_F(Packages, ParentFolderWhoseManifestHasTheName) {
  const std::string mesh = write("checkout/meshes/arm.off");
  write("checkout/package.xml", "<package><!-- <name>old</name> -->\n <name> arm_description </name></package>");
  EXPECT_EQ(find("package://arm_description/meshes/arm.off", "checkout/urdf/arm.urdf"), mesh);
  const std::string from = path("checkout/urdf/arm.urdf");
  EXPECT_EQ(folderInsteadOfPackage("package://arm_description/meshes/arm.off", from, mesh), "");
  EXPECT_EQ(folderInsteadOfPackage("package://old/meshes/arm.off", from, mesh), path("checkout")) << "in a comment";
  EXPECT_EQ(find("package://checkout/meshes/arm.off", "checkout/urdf/arm.urdf"), mesh) << "folder of that name";
}

TEST_F(Packages, WithoutTheNameAndItsFirstFolders) {
  const std::string beside = write("a/robots/meshes/arm.off"), above = write("b/meshes/arm.off");
  const std::string part = write("c/robots/arm.off"), far = write("d/arm.off");
  EXPECT_EQ(find("package://gone/meshes/arm.off", "a/robots/arm.urdf"), beside);
  EXPECT_EQ(find("package://gone/meshes/arm.off", "b/robots/arm.urdf"), above);
  EXPECT_EQ(find("package://gone/meshes/arm.off", "c/robots/arm.urdf"), part);
  EXPECT_EQ(find("package://gone/meshes/arm.off", "d/robots/arm.urdf"), "") << "a bare name is looked for nearby only";
  EXPECT_EQ(folderInsteadOfPackage("package://gone/meshes/arm.off", path("b/robots/arm.urdf"), above), path("b"));
  EXPECT_EQ(folderInsteadOfPackage("package://gone/meshes/arm.off", path("c/robots/arm.urdf"), part), path("c/robots"));
  paths_.addPackage("gone", path("nowhere"));
  EXPECT_EQ(find("package://gone/meshes/arm.off", "a/robots/arm.urdf"), "") << "--package says where it is";
}

TEST_F(Packages, ParentFolderOfThatNameAndFoldersBeside) {
  const std::string mesh = write("arm/meshes/arm.off"), other = write("gripper/finger.off");
  EXPECT_EQ(find("package://arm/meshes/arm.off", "arm/urdf/deep/arm.urdf"), mesh);
  EXPECT_EQ(find("package://gripper/finger.off", "arm/urdf/deep/arm.urdf"), other);
}

TEST_F(Packages, RosPackagePathIsSearchedInDepth) {
  const std::string direct = write("ws1/arm/a.off");
  const std::string deep = write("ws2/src/vendor/folder_of_another_name/b.off");
  write("ws2/src/vendor/folder_of_another_name/package.xml", "<package><name>hand</name></package>");
  write("ws2/src/ignored/hidden/package.xml", "<package><name>hidden</name></package>");
  write("ws2/src/ignored/CATKIN_IGNORE");
  write("ws2/src/ignored/hidden/c.off");
  ::setenv("ROS_PACKAGE_PATH", (":" + path("nowhere") + ":" + path("ws1") + ":" + path("ws2")).c_str(), 1);
  EXPECT_EQ(find("package://arm/a.off", "x/r.urdf"), direct);
  EXPECT_EQ(find("package://hand/b.off", "x/r.urdf"), deep);
  EXPECT_EQ(find("package://hidden/c.off", "x/r.urdf"), "");
}

TEST_F(Packages, AmentPrefixPath) {
  const std::string mesh = write("install/share/arm/meshes/a.off");
  ::setenv("AMENT_PREFIX_PATH", (path("other") + ":" + path("install")).c_str(), 1);
  EXPECT_EQ(find("package://arm/meshes/a.off", "x/r.urdf"), mesh);
}

TEST_F(Packages, GivenFoldersAreTheOnlyPlace) {
  write("arm/a.off");
  const std::string mesh = write("elsewhere/a.off");
  paths_.addPackage("arm", path("elsewhere"));
  EXPECT_EQ(find("package://arm/a.off", "arm/r.urdf"), mesh);
  fs::remove(mesh);
  EXPECT_EQ(find("package://arm/a.off", "arm/r.urdf"), "") << "what was asked for is not replaced in silence";
}

TEST_F(Packages, ErrorsListEveryPlace) {
  ::setenv("ROS_PACKAGE_PATH", path("ws").c_str(), 1);
  ::setenv("AMENT_PREFIX_PATH", path("install").c_str(), 1);
  try {
    paths_.find("package://arm/a.off", path("robots/r.urdf"));
    FAIL() << "found a file that does not exist";
  } catch (const Error& error) {
    for (const char* place : {"robots/arm/a.off", "ws/arm/a.off", "install/share/arm/a.off"})
      EXPECT_NE(error.message().find(path(place)), std::string::npos) << place << "\n" << error.message();
    EXPECT_NE(error.hint().find("--package"), std::string::npos) << error.hint();
  }
}

TEST_F(Packages, FileReferencesAndOddOnes) {
  const std::string mesh = write("a.off");
  EXPECT_EQ(find("file://" + mesh, "r.urdf"), mesh);
  for (const char* odd : {"package://", "package:///a.off", "package://arm", "package://arm//etc/passwd"})
    EXPECT_EQ(find(odd, "r.urdf"), "") << odd;
}

}  // namespace
}  // namespace mortise
