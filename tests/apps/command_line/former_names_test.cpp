#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "mortise/pipeline/stages/stages.h"
#include "tests/support/plugins.h"
#include "tests/support/run_program.h"

namespace mortise {
namespace {

/// names_0_1.txt has a line for every option ("option path retime --grid=", with "=" where it takes a value) and every
/// setting ("setting stage mortise.Retime grid") of version 0.1 before operations declared theirs once. They all go on
/// working.
std::vector<std::vector<std::string>> namesOf(const std::string& what) {
  std::ifstream stream(MORTISE_SOURCE_DIR "/tests/apps/command_line/names_0_1.txt");
  std::vector<std::vector<std::string>> all;
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::vector<std::string> name;
    for (std::string word; words >> word;) name.push_back(word);
    if (!name.empty() && name[0] == what) all.push_back({name.begin() + 1, name.end()});
  }
  EXPECT_GT(all.size(), 500u);
  return all;
}

TEST(FormerNames, OptionsWork) {
  // All options of a command at once, and, where that fails, each by itself.
  std::map<std::vector<std::string>, std::vector<std::string>> optionsOf;
  for (std::vector<std::string> name : namesOf("option")) {
    std::string option = name.back();
    name.pop_back();
    if (option.back() == '=') option += "1";
    optionsOf[name].push_back(option);
  }
  for (const auto& [command, options] : optionsOf) {
    for (const std::string& option : options) {
      std::vector<std::string> words = command;
      words.push_back(option);
      words.push_back("--help");
      const test::Ran ran = test::runMortise(words);
      EXPECT_EQ(ran.exitCode, 0) << command.front() << " ... " << option << ": " << ran.err;
    }
  }
}

TEST(FormerNames, SettingsWork) {
  test::MemoryLog log;
  const auto registry = test::makeRegistry(log);
  addPipelineStages(*registry);
  registry->discover();  // Only now are the stages in its table.
  ASSERT_NE(registry->find(Kind::stage, "mortise.Retime"), nullptr);
  for (const std::vector<std::string>& name : namesOf("setting")) {
    ASSERT_EQ(name.size(), 3u);
    const std::optional<Kind> kind = kindFromName(name[0]);
    ASSERT_TRUE(kind) << name[0];
    const ComponentInfo* info = registry->find(*kind, name[1]);
    if (info == nullptr) continue;  // Its plugin is not part of this build.
    EXPECT_NE(info->schema.find(name[2]), nullptr)
        << name[0] << " " << name[1] << " has no setting '" << name[2] << "'";
  }
}

TEST(FormerNames, GetANote) {
  const std::string motion = MORTISE_SOURCE_DIR "/data/motions/reacher_sweep.path",
                    robot = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";
  const auto retime = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"path", "retime", motion, "--robot", robot, "--torque"});
    return test::runMortise(more);
  };
  const test::Ran former = retime({"--torque-robustness", "0.25", "--tolerance=1e-3"}),
                  today = retime({"--torque-scale", "0.75", "--goal-tolerance", "1e-3"});
  EXPECT_EQ(former.exitCode, 0) << former.err;
  EXPECT_EQ(former.out, today.out);
  EXPECT_NE(former.err.find("--torque-robustness is called --torque-scale now, with another meaning of its value"),
            std::string::npos)
      << former.err;
  EXPECT_NE(former.err.find("--tolerance is called --goal-tolerance now"), std::string::npos) << former.err;
  EXPECT_EQ(today.err, "");
}

}  // namespace
}  // namespace mortise
