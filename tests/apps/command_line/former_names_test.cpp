#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/goals/goal_setting.h"
#include "mortise/mechanics/contact_file.h"
#include "mortise/pipeline/file/pipeline_settings.h"
#include "mortise/pipeline/simulate/timed_command.h"
#include "mortise/pipeline/stages/stages.h"
#include "mortise/planning/settings/plan_schema.h"
#include "tests/support/plugins.h"
#include "tests/support/run_program.h"
#include "tests/support/working_folder_test.h"

namespace mortise {
namespace {

/// names_0_1.txt has a line for every option ("option path retime --grid=", with "=" where it takes a value), every
/// setting ("setting stage mortise.Retime grid") and every key of other maps ("key simulation step") of version 0.1,
/// before operations declared theirs once and since. They all go on working.
std::vector<std::vector<std::string>> namesOf(const std::string& what) {
  std::ifstream stream(MORTISE_SOURCE_DIR "/tests/apps/command_line/names_0_1.txt");
  std::vector<std::vector<std::string>> all;
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::vector<std::string> name;
    for (std::string word; words >> word;) name.push_back(word);
    if (!name.empty() && name[0] == what) all.push_back({name.begin() + 1, name.end()});
  }
  EXPECT_GT(all.size(), 100u);
  return all;
}

test::Ran explained(std::vector<std::string> command, const std::vector<std::string>& options) {
  command.insert(command.end(), options.begin(), options.end());
  command.push_back("--help");
  return test::runMortise(command);
}

TEST(FormerNames, OptionsWork) {
  std::map<std::vector<std::string>, std::vector<std::string>> optionsOf;
  for (std::vector<std::string> name : namesOf("option")) {
    std::string option = name.back();
    name.pop_back();
    if (option.back() == '=') option += "1";
    optionsOf[name].push_back(option);
  }
  EXPECT_GT(optionsOf.size(), 60u);
  for (const auto& [command, options] : optionsOf) {
    // All options of a command at once, and, where that fails (names of one option exclude each other), each by itself.
    if (explained(command, options).exitCode == 0) continue;
    for (const std::string& option : options) {
      const test::Ran ran = explained(command, {option});
      EXPECT_EQ(ran.exitCode, 0) << command.front() << " ... " << option << ": " << ran.err;
    }
  }
}

TEST(FormerNames, OptionsThatNeverWereFail) {
  EXPECT_EQ(explained({"path", "smooth"}, {"--goal-tolerance=1", "--tolerence=1"}).exitCode, 2);
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

/// The schemas of maps that public structs bind.
std::map<std::string, Schema> schemasOfMaps() {
  const auto entry = [](Kind kind) { return schemaOf(ComponentEntry(kind, "type")); };
  return {{"pipeline", pipelineSchema()},
          {"simulation", simulationSchema()},
          {"controller", entry(Kind::controller)},
          {"sensor", entry(Kind::sensor)},
          {"recorder", entry(Kind::recorder)},
          {"estimator", schemaOf(EstimatorEntry())},
          {"motor", schemaOf(MotorEntry())},
          {"plan", planSchema()},
          {"stop", schemaOf(StopSettings())},
          {"planner", schemaOf(PlannerEntry())},
          {"objective", schemaOf(ObjectiveEntry())},
          {"contact", contactSchema()}};
}

/// What is said of a map with this key.
std::string saidOf(const std::string& map, const std::string& key) {
  Value value = Value::map(), list = Value::list();
  value.set(key, Value::list());
  if (map == "command") {
    list.push_back(value);
    Diagnostics diagnostics;
    (void)timedCommandsFrom(list, World(), diagnostics);
    std::string said;
    for (const Diagnostic& problem : diagnostics.all()) said += problem.format() + "\n";
    return said;
  }
  if (map == "goal") {
    RobotDescription robot;
    robot.links.emplace_back();
    try {
      (void)linkGoalFromSetting(value, *Robot::compile(robot));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  // Programs of Klamp't, which read their settings first.
  return test::runMortise(map == "TrajOpt" ? std::vector<std::string>{map, "none.rob", "none.xml", "own.settings"}
                                           : std::vector<std::string>{map, key + "=0"})
      .err;
}

class FormerKeys : public test::WorkingFolderTest {};

TEST_F(FormerKeys, Work) {
  const std::map<std::string, Schema> schemas = schemasOfMaps();
  for (const std::vector<std::string>& name : namesOf("key")) {
    ASSERT_EQ(name.size(), 2u);
    if (const auto schema = schemas.find(name[0]); schema != schemas.end()) {
      EXPECT_NE(schema->second.find(name[1]), nullptr) << name[0] << " has no key '" << name[1] << "'";
      continue;
    }
    write("own.settings", "{" + name[1] + ": 0}");
    EXPECT_EQ(saidOf(name[0], name[1]).find("unknown key"), std::string::npos) << name[0] << ": " << name[1];
  }
}

TEST_F(FormerKeys, ThatNeverWereFail) {
  write("own.settings", "{tempo: 0}");
  for (const char* map : {"command", "goal", "MotorCalibrate", "TrajOpt"})
    EXPECT_NE(saidOf(map, "tempo").find("unknown key 'tempo'"), std::string::npos) << map << saidOf(map, "tempo");
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

TEST(FormerNames, OfPathsGetANote) {
  const std::string motion = MORTISE_SOURCE_DIR "/data/motions/reacher_sweep.path";
  for (const char* command : {"smooth", "check"}) {
    const test::Ran former = test::runMortise({"path", command, motion, "--tolerance", "1e-3"}),
                    today = test::runMortise({"path", command, motion, "--goal-tolerance=1e-3"});
    EXPECT_EQ(former.exitCode, 0) << former.err;
    EXPECT_EQ(former.out, today.out);
    const std::string note = "--tolerance is called --goal-tolerance now";
    const std::size_t said = former.err.find(note);
    ASSERT_NE(said, std::string::npos) << former.err;
    EXPECT_EQ(former.err.find(note, said + 1), std::string::npos) << former.err;
    EXPECT_EQ(today.err, "");
  }
}

}  // namespace
}  // namespace mortise
