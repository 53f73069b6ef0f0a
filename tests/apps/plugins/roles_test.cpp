// Roles at the command line: what a plugin of somebody else's is used for, without being named.

#include <gtest/gtest.h>

#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "tests/kernel/plugin/plugin_files.h"
#include "tests/support/engines.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kReacher = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";
const std::string kSweep = MORTISE_SOURCE_DIR "/data/motions/reacher_sweep.path";

/// The robot's controller and its first sensor.
std::string componentsOf(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"sim", kReacher, "--list-commands", "--json"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const Ran ran = runMortise(all);
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  const Value robots = parseYaml(ran.out, "list");
  return robots[0].string("controller", "") + ", " + robots[0].at("sensors")[0].string("type", "");
}

TEST(RolesAtTheCommandLine, ChooseComponentsOfAnotherPlugin) {
  const std::string standard = "mortise.FeedforwardPolynomialPathController, mortise.JointPositionSensor";
  const std::string other = "fixture.Follower, fixture.Encoder";
  const std::string plugin = fixture("kernel_only");
  EXPECT_EQ(componentsOf({}), standard);
  EXPECT_EQ(componentsOf({"--plugin", plugin}), other);
  EXPECT_EQ(componentsOf({"--path", kSweep}), standard);
  EXPECT_EQ(componentsOf({"--path", kSweep, "--plugin", plugin}), other);
}

TEST(RolesAtTheCommandLine, LogsAreWrittenByTheRecorderOfTheirExtension) {
  TemporaryFolder folder;
  const std::string log = folder / "run.ticks";
  const std::vector<std::string> run = {"sim", kReacher, "--duration", "3ms", "--log", log};
  const Ran without = runMortise(run);
  EXPECT_EQ(without.exitCode, 2);
  EXPECT_SAYS(without.err, "logs are written as .csv");
  std::vector<std::string> with = run;
  with.insert(with.end(), {"--plugin", fixture("kernel_only")});
  const Ran ran = runMortise(with);
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_EQ(readFile(log).substr(0, 14), "tick 0\ntick 1\n");
}

TEST(RolesAtTheCommandLine, AreShownOfEachComponent) {
  const Ran info = runMortise({"plugins", "info", "fixture.Follower", "--plugin", fixture("kernel_only")});
  EXPECT_EQ(info.exitCode, 0) << info.err;
  EXPECT_SAYS(info.out, "Roles: ");
  EXPECT_SAYS(info.out, "default_controller");
  const Ran described = runMortise({"plugins", "describe", fixture("kernel_only")});
  EXPECT_EQ(described.exitCode, 0) << described.err;
  EXPECT_SAYS(described.out, "roles: [default_controller, motion_follower, fixture.spare]");
  const Ran doctor = runMortise({"plugins", "doctor", fixture("misplaced_roles")});
  EXPECT_EQ(doctor.exitCode, 1);
  EXPECT_SAYS(doctor.out, "has the role 'default_controler', which no program asks for");
  EXPECT_SAYS(doctor.out, "has the role 'joint_positions', which is for components of kind sensor");
}

TEST(RolesAtTheCommandLine, AreNamedWhereAProgramIsGivenAPluginWithWrongOnes) {
  const Ran ran = runMortise({"sim", kReacher, "--duration", "2ms", "--plugin", fixture("misplaced_roles")});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_SAYS(ran.err, "has the role 'default_controler', which no program asks for");
}

TEST(RolesAtTheCommandLine, OfTwoInOneFileDoNotMatterToARobotThatNamesItsController) {
  MORTISE_NEEDS_PLUGIN("python_host");
  TemporaryFolder folder;
  const std::string plugin = folder / "two.py", pipeline = folder / "p.yaml";
  std::string text = "import mortise\n";
  for (const char* name : {"First", "Second"})
    text += "@mortise.controller('fixture." + std::string(name) + "', roles=['default_controller'])\nclass " + name +
            "(mortise.Controller):\n    def update(self, input, commands):\n        pass\n";
  writeFile(plugin, text);
  const Ran described = runMortise({"plugins", "describe", plugin, "--write"});
  ASSERT_EQ(described.exitCode, 0) << described.err;
  const std::string head = "mortise: 1\nworld: " + kReacher + "\nplugins: [two.py]\n";
  const std::string stages = "stages: [{simulate: {duration: 2 ms}}]\n";
  writeFile(pipeline, head + "components: [{controller: fixture.Second, robot: reacher}]\n" + stages);
  const Ran named = runMortise({"config", "check", pipeline});
  EXPECT_EQ(named.exitCode, 0) << named.out << named.err;
  const Ran ran = runMortise({"run", pipeline, "--output", folder / "out"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  writeFile(pipeline, head + stages);
  const Ran unnamed = runMortise({"config", "check", pipeline});
  EXPECT_EQ(unnamed.exitCode, 1) << unnamed.out;
  EXPECT_SAYS(unnamed.out + unnamed.err, "several components of one folder have the role 'default_controller'");
  const Ran doctor = runMortise({"plugins", "doctor", "--plugin-path", folder / ""});
  EXPECT_SAYS(doctor.out, "several components of one folder have the role 'default_controller'");
}

}  // namespace
}  // namespace mortise::test
