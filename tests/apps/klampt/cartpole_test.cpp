#include <filesystem>
#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/working_folder_test.h"

namespace mortise::test {
namespace {

namespace fs = std::filesystem;

class KlamptCartpole : public WorkingFolderTest {
 protected:
};

TEST_F(KlamptCartpole, TheTableSwingsAPoleUpInSimulation) {
  const std::string pole = MORTISE_SOURCE_DIR "/data/robots/pole.rob";
  const Value found = json({"Cartpole", "-swingup", "-optimize", pole});
  EXPECT_TRUE(found.at("converged").asBool());
  EXPECT_LT(found.at("tried").at("stays_after").asReal(), 12);
  const std::string world =
      write("hanging.xml", "<world><robot file=\"" + pole +
                               "\" config=\"1 4.7\"/><simulation><robot index=\"0\"><controller "
                               "type=\"TabulatedController\" file=\"swingup.policy\"/></robot></simulation></world>");
  const Value run = json({"sim", world, "--duration", "15"});
  EXPECT_LT(std::abs(std::remainder(run.at("robots")[0].at("q")[0].asReal() - 1.5707963, 6.2831853)), 0.3);
}

TEST_F(KlamptCartpole, SaysWhatIsWrong) {
  const auto fails = [](std::vector<std::string> words, int exitCode, const std::string& expected) {
    const Ran ran = runMortise(std::move(words));
    EXPECT_EQ(ran.exitCode, exitCode) << ran.out;
    EXPECT_NE(ran.err.find(expected), std::string::npos) << ran.err;
  };
  fails({"Cartpole", MORTISE_SOURCE_DIR "/data/robots/pole.rob"}, 1, "1 links");
  fails({"Cartpole", "-swingup", "-cartpole", MORTISE_SOURCE_DIR "/data/robots/pole.rob"}, 2, "exclude");
  fails({"sim", MORTISE_SOURCE_DIR "/data/robots/pole.rob", "--replay", "{remove_delays: 1}"}, 2, "--replay takes");
}

TEST_F(KlamptCartpole, PosMeasureFollowsTheLinks) {
  const std::string robot = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";
  const std::string sweep = MORTISE_SOURCE_DIR "/data/motions/reacher_sweep.path";
  const Value trace = json({"PosMeasure", robot, sweep, "tool", "-o", "unused.csv"});
  ASSERT_EQ(trace.at("samples").size(), 5u);
  const Value eval = json({"robot", "eval", robot, "--config", "0.8,-0.6,1.2,0,0.4,0"});
  const std::vector<double> T = trace.at("samples")[2].at("links")[0].at("T").asReals();
  const std::vector<double> wanted = eval.at("samples")[0].at("link_T")[5].asReals();
  ASSERT_EQ(T.size(), wanted.size());
  for (std::size_t i = 0; i < T.size(); ++i) EXPECT_NEAR(T[i], wanted[i], 1e-9);
  const Ran ran = runMortise({"robot", "trace", robot, sweep, "--link", "tool", "--every", "1", "-o", "tool.csv"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_EQ(text("tool.csv").substr(0, 14), "time,tool.x,to");
  const Value mesh = json({"robot", "mesh", robot, "-o", "reacher.off"});
  EXPECT_GT(mesh.at("triangles").asInteger(), 50);
  EXPECT_TRUE(fs::exists("reacher.off"));
}

}  // namespace
}  // namespace mortise::test
