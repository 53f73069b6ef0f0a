#include "mortise/base/files.h"
#include "support.h"

namespace mortise {
namespace {

class PipelineLockstep : public test::PipelineTest {
 protected:
  std::string writePipeline(const std::string& simulation, const std::string& components = "[]") {
    writeFile(path("world.xml"), "<world><robot file=\"" MORTISE_SOURCE_DIR
                                 "/data/robots/reacher.rob\"/><simulation><robot index=\"0\"><controller "
                                 "type=\"SerialController\" servAddr=\"tcp://127.0.0.1:0\" connectTimeout=\"0.1\"/>"
                                 "</robot></simulation></world>");
    writeFile(path("p.yaml"), "mortise: 1\nworld: world.xml\nsimulation: {" + simulation +
                                  "}\ncomponents: " + components + "\nstages: [{simulate: {duration: 0.1}}]\n");
    return path("p.yaml");
  }
};

TEST_F(PipelineLockstep, ReachesTheControllersOfTheWorldAndOfThePipeline) {
  EXPECT_EQ(run(good(writePipeline("realtime: 100")), "free").failure, "");
  EXPECT_NE(run(good(writePipeline("lockstep: true")), "world").failure.find("no client came"), std::string::npos);
  const std::string own = "[{controller: SerialController, servAddr: ':0', connectTimeout: 0.1}]";
  EXPECT_EQ(run(good(writePipeline("lockstep: false", own)), "own-free").failure, "");
  EXPECT_NE(run(good(writePipeline("lockstep: true", own)), "own").failure.find("no client came"), std::string::npos);
  EXPECT_TRUE(log_.mentions("listens on tcp://127.0.0.1:"));
}

TEST_F(PipelineLockstep, WrongSettings) {
  expectProblem("simulation: {lockstep: maybe}\nstages: []\n", "lockstep");
  expectProblem("simulation: {realtime: -1}\nstages: []\n", "realtime");
}

}  // namespace
}  // namespace mortise
