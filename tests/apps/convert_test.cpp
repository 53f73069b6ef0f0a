#include <gtest/gtest.h>

#include "tests/apps/run_program.h"

namespace mortise::test {
namespace {

class ConvertCommand : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("mortise_convert_") + info->name() + "_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_ / "parts");
    write("parts/tile.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name) << content;
    return path(name);
  }
  std::string text(const std::string& name) const {
    std::ostringstream out;
    out << std::ifstream(folder_ / name).rdbuf();
    return out.str();
  }

  std::filesystem::path folder_;
};

TEST_F(ConvertCommand, UrdfToRobAndItsPackages) {
  const std::string urdf = write("r.urdf",
                                 "<robot name='r'><link name='l'><collision><geometry><mesh "
                                 "filename='package://parts_of_r/tile.off'/></geometry></collision></link></robot>");
  const Ran lost = runMortise({"convert", urdf, path("r.rob")});
  EXPECT_EQ(lost.exitCode, 1);
  EXPECT_NE(lost.err.find("cannot find 'package://parts_of_r/tile.off'; tried"), std::string::npos) << lost.err;
  EXPECT_FALSE(std::filesystem::exists(path("r.rob")));
  const Ran ran = runMortise({"convert", urdf, path("r.rob"), "--package", "parts_of_r=" + path("parts"), "--strict"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(text("r.rob").find("parts/tile.off"), std::string::npos) << text("r.rob");
  EXPECT_EQ(runMortise({"convert", urdf, path("r.rob"), "--package", "parts"}).exitCode, 2);
}

TEST_F(ConvertCommand, Meshes) {
  for (const char* name : {"a.stl", "b.obj", "c.off"}) {
    const Ran ran = runMortise({"convert", path("parts/tile.off"), path(name)});
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    const Ran back = runMortise({"convert", path(name), path("back.off")});
    EXPECT_EQ(back.exitCode, 0) << back.err;
    EXPECT_EQ(text("back.off").substr(0, 9), "OFF\n3 1 0") << name;
  }
}

TEST_F(ConvertCommand, ListsOfConfigurationsToPaths) {
  const std::string list = write("q.configs", "2\t1 2\n2\t3 0.1\n");
  const Ran ran = runMortise({"convert", list, path("q.path")});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_EQ(text("q.path"), "0\t2\t1 2\n1\t2\t3 0.1\n");
}

TEST_F(ConvertCommand, SaysWhatDoesNotFit) {
  const Ran ran = runMortise({"convert", path("parts/tile.off"), path("a.path")});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("the first kind can be read as: geometry"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("written from: trajectory"), std::string::npos) << ran.err;
  EXPECT_EQ(runMortise({"convert", path("parts/tile.off"), path("a.stl"), "--as", "soup"}).exitCode, 2);
  EXPECT_EQ(runMortise({"convert", path("parts/tile.off"), path("a.stl"), "--as", "robot"}).exitCode, 1);
  EXPECT_EQ(runMortise({"convert", path("parts/tile.off")}).exitCode, 2);
}

}  // namespace
}  // namespace mortise::test
