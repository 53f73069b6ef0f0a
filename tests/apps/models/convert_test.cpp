#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

class ConvertCommand : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    std::filesystem::create_directories(folder_ / "parts");
    write("parts/tile.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  }
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

class ConvertMultiPath : public ConvertCommand {
 protected:
  /// Two sections of three and two milestones.
  std::string multiPath(bool timed) const {
    const auto milestone = [&](const char* time, const char* q) {
      return "<milestone config='2 " + std::string(q) + "'" +
             (timed ? " time='" + std::string(time) + "'" : std::string()) + "/>";
    };
    return write("walk.xml", "<multipath><section>" + milestone("0", "0 0") + milestone("1", "1 0") +
                                 milestone("3", "1 1") + "</section><section>" + milestone("3", "1 1") +
                                 milestone("5", "0 0") + "</section></multipath>");
  }
  Ran convert(const std::string& in, const std::string& out, std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"convert", in, path(out)};
    words.insert(words.end(), more.begin(), more.end());
    return runMortise(words);
  }
};

TEST_F(ConvertMultiPath, WithoutTimesGetsThoseOfKlampt) {
  const Ran ran = convert(multiPath(false), "walk.path");
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  // One second in all, half of it for each section, milestones evenly spaced in each.
  EXPECT_EQ(text("walk.path"), "0\t2\t0 0\n0.25\t2\t1 0\n0.5\t2\t1 1\n1\t2\t0 0\n");
  EXPECT_NE(ran.err.find("as in Klamp't it takes 1 s"), std::string::npos) << ran.err;
}

TEST_F(ConvertMultiPath, BecomesPathsConfigurationsAndFolders) {
  const std::string timed = multiPath(true);
  EXPECT_EQ(convert(timed, "walk.path").exitCode, 0);
  EXPECT_EQ(text("walk.path"), "0\t2\t0 0\n1\t2\t1 0\n3\t2\t1 1\n5\t2\t0 0\n");
  for (const bool times : {false, true}) {
    const Ran ran = convert(multiPath(times), "walk.configs");
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    EXPECT_EQ(text("walk.configs"), "2\t0 0\n2\t1 0\n2\t1 1\n2\t0 0\n");
    EXPECT_EQ(ran.err.find("times are lost") != std::string::npos, times) << ran.err;
  }
  ASSERT_EQ(convert(timed, "folder/").exitCode, 0);
  EXPECT_NE(text("folder/walk.xml").find("<multipath"), std::string::npos);
  ASSERT_EQ(convert(timed, "folder/", {"--as", "trajectory"}).exitCode, 0);
  EXPECT_EQ(text("folder/walk.path"), text("walk.path"));
  // And a folder that is there needs no slash.
  ASSERT_EQ(convert(timed, "folder", {"--as", "configurations"}).exitCode, 0);
  EXPECT_EQ(text("folder/walk.configs"), text("walk.configs"));
}

TEST_F(ConvertMultiPath, IsOneConfigurationOnlyWhereItStands) {
  const Ran many = convert(multiPath(false), "walk.config");
  EXPECT_EQ(many.exitCode, 1);
  EXPECT_NE(many.err.find("walk.xml: this cannot be converted: there are 4 configurations, not one"), std::string::npos)
      << many.err;
  EXPECT_NE(many.err.find("a file that ends in .configs takes all of them"), std::string::npos) << many.err;
  const std::string stands = write(
      "stand.xml", "<multipath><section><milestone config='1 3'/><milestone config='1 3'/></section></multipath>");
  EXPECT_EQ(convert(stands, "stand.config").exitCode, 0);
  EXPECT_EQ(text("stand.config"), "1\t3\n");
}

TEST_F(ConvertMultiPath, MilestonesNeedVelocities) {
  const Ran none = convert(multiPath(false), "walk.milestones");
  EXPECT_EQ(none.exitCode, 1);
  EXPECT_NE(none.err.find("a file that ends in .path or .configs needs none"), std::string::npos) << none.err;
  const std::string moving =
      write("move.xml",
            "<multipath><section><milestone config='1 3' velocity='1 0'/><milestone config='1 4' "
            "velocity='1 2'/></section></multipath>");
  EXPECT_EQ(convert(moving, "move.milestones").exitCode, 0);
  EXPECT_EQ(text("move.milestones"), "1\t3\t1\t0\n1\t4\t1\t2\n");
}

TEST_F(ConvertMultiPath, JsonSaysWhatWasDone) {
  const Ran ran = convert(multiPath(true), "walk.configs", {"--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value done = parseYaml(ran.out, "stdout");
  EXPECT_EQ(done.at("output").asString(), path("walk.configs"));
  EXPECT_EQ(done.at("from").asString(), "multipath");
  EXPECT_EQ(done.at("to").asString(), "configurations");
  ASSERT_EQ(done.at("warnings").size(), 2u) << ran.out;
  EXPECT_EQ(done.at("warnings")[0].at("severity").asString(), "warning");
  EXPECT_EQ(done.at("warnings")[0].at("where").asString(), path("walk.xml"));
}

TEST_F(ConvertCommand, ModelsDoNotBecomeFolders) {
  const std::string world = MORTISE_SOURCE_DIR "/data/worlds/blocks.xml";
  const Ran ran = runMortise({"convert", world, path("out/")});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("holds a world, which does not become a folder"), std::string::npos) << ran.err;
  const std::string saved = path("out/blocks.xml");
  EXPECT_NE(ran.err.find("`mortise world save " + world + " " + saved + " --copy`"), std::string::npos) << ran.err;
  EXPECT_EQ(runMortise({"world", "save", world, saved, "--copy"}).exitCode, 0);
  EXPECT_TRUE(std::filesystem::exists(saved));
  const Ran robot = runMortise({"convert", MORTISE_SOURCE_DIR "/data/robots/cart.urdf", path("out/")});
  EXPECT_EQ(robot.exitCode, 1);
  EXPECT_NE(robot.err.find("holds a robot, which does not become a folder"), std::string::npos) << robot.err;
  EXPECT_NE(robot.err.find("name a file, such as " + path("out/cart.urdf")), std::string::npos) << robot.err;
}

TEST_F(ConvertCommand, SaysWhatDoesNotFit) {
  const Ran ran = runMortise({"convert", path("parts/tile.off"), path("a.path")});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("the first kind can be read as: geometry"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("written from: trajectory"), std::string::npos) << ran.err;
  EXPECT_EQ(runMortise({"convert", path("parts/tile.off"), path("a.stl"), "--as", "soup"}).exitCode, 2);
  const Ran slip = runMortise({"convert", path("parts/tile.off"), path("a.stl"), "--as", "geometri"});
  EXPECT_EQ(slip.exitCode, 2);
  EXPECT_NE(slip.err.find("did you mean 'geometry'?"), std::string::npos) << slip.err;
  EXPECT_EQ(runMortise({"convert", path("parts/tile.off"), path("a.stl"), "--as", "robot"}).exitCode, 1);
  EXPECT_EQ(runMortise({"convert", path("parts/tile.off")}).exitCode, 2);
}

}  // namespace
}  // namespace mortise::test
