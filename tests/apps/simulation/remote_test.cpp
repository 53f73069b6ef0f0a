#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "tests/support/run_program.h"

namespace mortise {
namespace {

const std::string kBlocks = MORTISE_SOURCE_DIR "/data/worlds/blocks.xml";

std::string stateHash(const std::vector<std::string>& arguments) {
  const test::Ran ran = test::runMortise(arguments);
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  return parseYaml(ran.out, "output").at("state_hash").asString();
}

void expectFailure(const std::vector<std::string>& arguments, int code, const std::string& message) {
  const test::Ran ran = test::runMortise(arguments);
  EXPECT_EQ(ran.exitCode, code) << message;
  EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
}

TEST(Realtime, ChangesNothingButThePace) {
  const std::string hash = stateHash({"sim", kBlocks, "--duration", "0.1", "--json"});
  EXPECT_EQ(stateHash({"sim", kBlocks, "--duration", "0.1", "--json", "--realtime"}), hash);
  EXPECT_EQ(stateHash({"sim", "--realtime", kBlocks, "--duration", "0.1", "--json"}), hash);
  EXPECT_EQ(stateHash({"sim", kBlocks, "--realtime", "0.5", "--duration", "0.1", "--json"}), hash);
  // Ten times slower than the clock: 0.1 s take at least a second.
  const test::Ran slow = test::runMortise({"sim", kBlocks, "--duration", "0.1", "--json", "--realtime=0.1"});
  EXPECT_GE(parseYaml(slow.out, "output").at("wall_s").asReal(), 0.9);
  for (const char* wrong : {"0", "-1", "inf", "nan"})
    expectFailure({"sim", kBlocks, "--realtime", wrong}, 2, "--realtime takes a factor above 0");
}

TEST(Lockstep, IsForWorldsWithOutsideControllers) {
  expectFailure({"sim", kBlocks, "--lockstep"}, 1, "no robot of this world has a controller that waits");
}

TEST(Lockstep, IsSetForControllersOfWorldsAndRobots) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("mortise_remote_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string robot = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";
  const std::string controller =
      "<controller type=\"SerialController\" servAddr=\"tcp://127.0.0.1:0\" connectTimeout=\"0.1\"/>";
  const std::string world = (folder / "world.xml").string(), own = (folder / "own.rob").string();
  writeFile(world, "<world><robot file=\"" + robot + "\"/><simulation><robot index=\"0\">" + controller +
                       "</robot></simulation></world>");
  // Without the flag nobody is waited for, with it somebody is.
  EXPECT_EQ(test::runMortise({"sim", world, "--duration", "0.1"}).exitCode, 0);
  expectFailure({"sim", world, "--duration", "0.1", "--lockstep"}, 1, "no client came within 0.1 s");
  std::string text = readFile(robot);
  std::size_t at = 0;
  while ((at = text.find("\"reacher/", at)) != std::string::npos)
    text.replace(at, 1, "\"" MORTISE_SOURCE_DIR "/data/robots/"), ++at;
  writeFile(own, text + "\nproperty controller " + controller + "\n");
  EXPECT_EQ(test::runMortise({"sim", own, "--duration", "0.1"}).exitCode, 0);
  expectFailure({"sim", own, "--duration", "0.1", "--lockstep"}, 1, "no client came within 0.1 s");
  std::filesystem::remove_all(folder);
}

TEST(Names, ThatAreNoUtf8LeaveJsonWhole) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("mortise_names_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string world = (folder / "latin1.xml").string(), log = (folder / "log.jsonl").string();
  writeFile(world,
            "<world><robot name=\"r\xe9\" file=\"" MORTISE_SOURCE_DIR
            "/data/robots/reacher.rob\"><sensors><JointPositionSensor name=\"q\xff\"/></sensors></robot></world>");
  const test::Ran ran = test::runMortise({"sim", world, "--duration", "0.01", "--json", "--log", log});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  // The reader refuses what is not UTF-8.
  EXPECT_EQ(parseYaml(ran.out, "output").at("robots")[0].at("name").asString(), "r\xef\xbf\xbd");
  const std::string recorded = readFile(log);
  EXPECT_NE(recorded.find("r\xef\xbf\xbd"), std::string::npos);
  EXPECT_NO_THROW(parseYaml(recorded.substr(0, recorded.find('\n')), "log")) << recorded.substr(0, 200);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace mortise
