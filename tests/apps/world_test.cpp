#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/apps/run_program.h"

namespace mortise::test {
namespace {

class WorldCommand : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("mortise_world_") + info->name() + "_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    write("arm.rob", "TParent 1 0 0 0 1 0 0 0 1 0 0 1  1 0 0 0 1 0 0 0 1 1 0 0\nmass 1 3\nqMin -inf 0\n");
    write("ball.geom", "Sphere 0 0 0 0.5");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& content) {
    std::ofstream(folder_ / name) << content;
    return (folder_ / name).string();
  }
  static Ran run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), MORTISE_BINARY_DIR "/bin/mortise");
    return runProgram(arguments, {"NO_COLOR=1"});
  }

  std::filesystem::path folder_;
};

TEST_F(WorldCommand, PrintsWhatAWorldHolds) {
  const std::string file =
      write("w.xml",
            "<world><robot name='r' file='arm.rob' config='2 0 0.5'/><terrain file='ball.geom' scale='3'/>"
            "<rigidObject name='o' position='1 2 3'><geometry file='ball.geom'/><physics mass='2' "
            "automass='1'/></rigidObject>"
            "</world>");
  const Ran ran = run({"world", "info", file, "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value info = parseYaml(ran.out, "output");
  EXPECT_EQ(info.at("num_ids").asInteger(), 5);
  EXPECT_EQ(info.at("num_robots").asInteger(), 1);
  EXPECT_EQ(info.at("background").size(), 4u);
  const Value& robot = info.at("robots")[0];
  EXPECT_EQ(robot.at("id").asInteger(), 2);
  EXPECT_EQ(robot.at("link_ids_first").asInteger(), 3);
  EXPECT_EQ(robot.at("q").asReals(), (std::vector<double>{0, 0.5}));
  EXPECT_EQ(robot.at("link_T")[1].asReals()[9], 1);
  EXPECT_EQ(robot.at("com").asReals(), (std::vector<double>{0.75, 0, 1}));
  const Value& object = info.at("rigid_objects")[0];
  EXPECT_EQ(object.at("T").asReals()[11], 3);
  EXPECT_EQ(object.at("mass").asReal(), 2);
  EXPECT_TRUE(object.at("kStiffness").isNull());
  EXPECT_EQ(object.at("geometry").at("type").asString(), "Primitive");
  const Value& terrain = info.at("terrains")[0];
  EXPECT_EQ(terrain.at("name").asString(), "Terrain0");
  EXPECT_EQ(terrain.at("num_kFriction").asInteger(), 1);
  EXPECT_EQ(terrain.at("geometry").at("bmax").asReals(), (std::vector<double>{1.5, 1.5, 1.5}));

  const Ran summary = run({"world", "info", file});
  EXPECT_EQ(summary.exitCode, 0);
  EXPECT_NE(summary.out.find("1 robots, 1 rigid objects, 1 terrains, ids 0 to 4"), std::string::npos) << summary.out;
}

TEST_F(WorldCommand, WarningsAreErrorsInStrictMode) {
  const std::string file = write("w.xml", "<world><terrain file='ball.geom' scal='3'/></world>");
  const Ran ran = run({"world", "info", file, "--json"});
  EXPECT_EQ(ran.exitCode, 0);
  EXPECT_NE(ran.err.find("w.xml:1:34: warning: <terrain> has no attribute 'scal'"), std::string::npos) << ran.err;
  const Ran strict = run({"world", "info", file, "--strict"});
  EXPECT_EQ(strict.exitCode, 1);
  EXPECT_TRUE(strict.out.empty());
  EXPECT_NE(strict.err.find("did you mean 'scale'?"), std::string::npos) << strict.err;
}

TEST_F(WorldCommand, EveryProblemIsPrinted) {
  const std::string file = write("w.xml", "<world>\n<terrain file='bal.geom'/>\n<robot file='none.rob'/></world>");
  const Ran ran = run({"world", "info", file, "--json"});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_TRUE(ran.out.empty());
  EXPECT_NE(ran.err.find("w.xml:2:10: error: cannot find 'bal.geom'; tried "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("w.xml:3:8: error: cannot find 'none.rob'"), std::string::npos) << ran.err;
}

TEST_F(WorldCommand, WrongUsage) {
  EXPECT_EQ(run({"world"}).exitCode, 2);
  EXPECT_EQ(run({"world", "inf", "x"}).exitCode, 2);
  EXPECT_EQ(run({"world", "info"}).exitCode, 2);
}

}  // namespace
}  // namespace mortise::test
