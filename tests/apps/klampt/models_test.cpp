#include <filesystem>
#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/working_folder_test.h"

namespace mortise::test {
namespace {

namespace fs = std::filesystem;

const std::string kOwnData = MORTISE_SOURCE_DIR "/data/";

class KlamptModels : public WorkingFolderTest {
 protected:
  static void expectSameNumbers(const Value& a, const Value& b) {
    const std::vector<double> x = a.asReals(), y = b.asReals();
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-9);
  }
  void fails(std::vector<std::string> words, int exitCode, const std::string& expected) const {
    const Ran ran = run(std::move(words));
    EXPECT_EQ(ran.exitCode, exitCode) << ran.out;
    EXPECT_NE(ran.err.find(expected), std::string::npos) << ran.err;
  }
};

TEST_F(KlamptModels, URDFtoRobWritesTheRobotAndItsMeshes) {
  const Value done = json({"URDFtoRob", kOwnData + "robots/heron.urdf", "arm/heron.rob"});
  EXPECT_EQ(done.at("output").asString(), "arm/heron.rob");
  EXPECT_EQ(done.at("shapes").size(), 8u);
  for (const std::string& shape : done.at("shapes").asStrings()) EXPECT_TRUE(fs::exists(shape)) << shape;
  const std::string q = "0.1,-0.2,0.3,0.4,-0.5,0.6,0.7";
  const Value ours = json({"robot", "eval", kOwnData + "robots/heron.urdf", "--config", q});
  const Value theirs = json({"robot", "eval", "arm/heron.rob", "--config", q});
  const Value &a = ours.at("samples")[0], &b = theirs.at("samples")[0];
  expectSameNumbers(a.at("com"), b.at("com"));
  expectSameNumbers(a.at("G"), b.at("G"));
  EXPECT_EQ(runMortise({"robot", "check", "arm/heron.rob"}).exitCode, 0);
}

TEST_F(KlamptModels, URDFtoRobKeepsToItsSettings) {
  fails({"URDFtoRob", kOwnData + "robots/reacher.rob"}, 1, "no .urdf file");
  write("urdftorob.settings", "{ outputGeometryExtension:\"stl\"; outputGeometryPrefix:\"shapes/a_\"; useVisGeom:1 }");
  const Value done = json({"URDFtoRob", kOwnData + "robots/heron.urdf", "heron.rob"});
  EXPECT_TRUE(done.at("shapes")[0].asString().starts_with("shapes/a_")) << done.at("shapes")[0].text();
  EXPECT_TRUE(done.at("shapes")[0].asString().ends_with(".stl"));
  write("urdftorob.settings", "{ \"outputGeometryExtension\": \"\" }");
  EXPECT_EQ(json({"URDFtoRob", kOwnData + "robots/heron.urdf", "plain.rob"}).at("shapes").size(), 0u);
  write("urdftorob.settings", "{ \"outputGeometryExtention\": \"off\" }");
  fails({"URDFtoRob", kOwnData + "robots/heron.urdf", "wrong.rob"}, 1, "outputGeometryExtention");
  EXPECT_EQ(runMortise({"URDFtoRob", "--write-settings"}).exitCode, 0);
  EXPECT_NE(text("urdftorob.settings").find("packageRootPath"), std::string::npos);
  EXPECT_EQ(json({"URDFtoRob", kOwnData + "robots/heron.urdf", "again.rob"}).at("shapes").size(), 8u);
}

TEST_F(KlamptModels, ShapesNeverReplaceWhatTheyWereReadFrom) {
  fs::copy(kOwnData + "robots/heron.urdf", "heron.urdf");
  fs::copy(kOwnData + "robots/heron", "heron", fs::copy_options::recursive);
  const std::string before = text("heron/base.off");
  const Ran ran = runMortise({"robot", "save", "heron.urdf", "heron.rob", "--shapes", "off"});
  EXPECT_EQ(ran.exitCode, 1) << ran.out;
  EXPECT_NE(ran.err.find("would replace"), std::string::npos) << ran.err;
  EXPECT_EQ(text("heron/base.off"), before);
  EXPECT_EQ(json({"robot", "save", "heron.urdf", "heron.rob", "--shapes", "off", "--shape-prefix", "copy/"})
                .at("shapes")
                .size(),
            8u);
  fails({"robot", "save", "heron.urdf", "heron.rob", "--shapes", "config"}, 1, "no format writes shapes");
  fails({"robot", "save", "heron.urdf", "heron.txt"}, 1, "no format writes robots");
  fails({"robot", "save", "heron.urdf", "heron.rob", "--shape-prefix", "a"}, 2, "--shapes");
}

TEST_F(KlamptModels, MergeMakesOneRobotOfAWorld) {
  const Value world = json({"world", "info", kOwnData + "worlds/blocks.xml"});
  const Value merged = json({"Merge", kOwnData + "worlds/blocks.xml"});
  EXPECT_EQ(merged.at("output").asString(), "merged.rob");
  const Value info = json({"robot", "info", "merged.rob"});
  EXPECT_EQ(info.at("links").size(), 6u + 6u * 7u);
  EXPECT_EQ(info.at("links")[0].at("name").text().substr(0, 8), "reacher[");
  EXPECT_TRUE(fs::exists("merged")) << "shapes are in a folder";
  const Value prefixed =
      json({"robot", "merge", kOwnData + "robots/reacher.rob", kOwnData + "robots/reacher.rob", "-o", "two.rob"});
  EXPECT_EQ(prefixed.at("links").asInteger(), 12);
  const Value two = json({"robot", "info", "two.rob"});
  EXPECT_EQ(two.at("links")[0].at("name").text().substr(0, 8), "reacher:");
  EXPECT_EQ(two.at("links")[6].at("name").text().substr(0, 10), "reacher_2:");
  EXPECT_EQ(runMortise({"robot", "check", "two.rob"}).exitCode, 0);
  fails({"robot", "merge", kOwnData + "terrains/floor.geom", "-o", "none.rob"}, 1, "no robot and no rigid object");
}

}  // namespace
}  // namespace mortise::test
