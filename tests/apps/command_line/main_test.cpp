#include <gtest/gtest.h>
#include <map>

#include "tests/kernel/plugin/plugin_files.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

TEST(Main, ExplainsItself) {
  const Ran help = runMortise({"--help"});
  EXPECT_EQ(help.exitCode, 0);
  EXPECT_EQ(help.err, "");
  for (const char* command : {"run", "sim", "world", "plugins", "config"}) EXPECT_SAYS(help.out, command);
  const Ran version = runMortise({"--version"});
  EXPECT_EQ(version.exitCode, 0);
  EXPECT_TRUE(version.out.starts_with("mortise ")) << version.out;
}

TEST(Main, EveryCommandHasHelp) {
  const std::vector<std::vector<std::string>> commands = {{"run"},
                                                          {"sim"},
                                                          {"world"},
                                                          {"plugins"},
                                                          {"plugins", "list"},
                                                          {"plugins", "info"},
                                                          {"plugins", "doctor"},
                                                          {"plugins", "describe"},
                                                          {"plugins", "docs"},
                                                          {"config"}};
  for (auto command : commands) {
    const std::string name = command.back();
    command.push_back("--help");
    const Ran ran = runMortise(command);
    EXPECT_EQ(ran.exitCode, 0) << name << ": " << ran.err;
    EXPECT_SAYS(ran.out, "usage: mortise");
    EXPECT_EQ(ran.err, "");
  }
}

TEST(Main, CommandsOfCommandsAreListedInOneForm) {
  const std::map<std::string, std::vector<std::string>> groups = {
      {"world", {"info FILE", "save IN OUT", "collisions FILE"}},
      {"robot", {"info FILE", "eval FILE", "check FILE", "convert IN OUT", "self-collisions FILE"}},
      {"path", {"info FILE", "eval FILE", "convert IN OUT"}},
      {"geometry", {"info FILE", "convert IN OUT", "distance A B", "collide A B", "raycast FILE"}},
      {"plugins", {"list", "info NAME", "doctor", "describe LIBRARY", "docs"}},
      {"config", {"check FILE", "explain FILE KEY"}},
      {"plan", {"benchmark FILE"}}};
  for (const auto& [group, commands] : groups) {
    const Ran ran = runMortise({group, "--help"});
    EXPECT_EQ(ran.exitCode, 0) << group;
    EXPECT_TRUE(ran.out.starts_with("mortise " + group + ": ")) << ran.out;
    EXPECT_SAYS(ran.out, "\nCommands:\n");
    for (const std::string& command : commands) EXPECT_SAYS(ran.out, "\n  " + command + " ");
    EXPECT_SAYS(ran.out, "`mortise " + group + " COMMAND --help` explains a command.");
  }
  EXPECT_SAYS(runMortise({"--help"}).out, "\n  plan benchmark ");
}

TEST(Main, AMissingCommandIsAskedFor) {
  for (const char* group : {"world", "robot", "path", "geometry", "plugins", "config"}) {
    const Ran ran = runMortise({group});
    EXPECT_EQ(ran.exitCode, 2) << group;
    EXPECT_SAYS(ran.err, "'mortise " + std::string(group) + "' needs a command");
    EXPECT_SAYS(ran.err, "usage: mortise " + std::string(group) + " COMMAND");
  }
}

TEST(Main, WrongUsageExitsWithTwo) {
  EXPECT_EQ(runMortise({}).exitCode, 2);
  const Ran unknown = runMortise({"plugin"});
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_EQ(unknown.out, "");
  EXPECT_SAYS(unknown.err, "unknown command 'plugin'; did you mean 'plugins'?");
  const Ran sub = runMortise({"plugins", "lst"});
  EXPECT_EQ(sub.exitCode, 2);
  EXPECT_SAYS(sub.err, "did you mean 'list'?");
  const Ran option = runMortise({"plugins", "list", "--jsn"});
  EXPECT_EQ(option.exitCode, 2);
  EXPECT_SAYS(option.err, "unknown option '--jsn'; did you mean '--json'?");
  EXPECT_SAYS(option.err, "usage: mortise plugins list");
  EXPECT_EQ(runMortise({"plugins", "info"}).exitCode, 2);
  EXPECT_SAYS(runMortise({"plugins", "info"}).err, "missing argument NAME");
  EXPECT_SAYS(runMortise({"plugins", "info", "a", "b"}).err, "unexpected argument 'b'");
  EXPECT_SAYS(runMortise({"plugins", "list", "--quiet", "--verbose"}).err, "exclude each other");
  EXPECT_SAYS(runMortise({"plugins", "list", "--kind"}).err, "--kind");
}

TEST(Main, FailureExitsWithOne) {
  const Ran ran = runMortise({"plugins", "describe", "/nowhere/acme.so"});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(ran.err.starts_with("mortise: error: plugin library '/nowhere/acme.so' does not exist")) << ran.err;
}

TEST(Main, NoticesThatOutputIsLost) {
  const Ran ran = runProgram({"/bin/sh", "-c", MORTISE_BINARY_DIR "/bin/mortise plugins list --json > /dev/full"});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_SAYS(ran.err, "No space left on device");
}

}  // namespace
}  // namespace mortise::test
