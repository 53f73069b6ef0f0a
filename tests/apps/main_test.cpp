#include <gtest/gtest.h>

#include "tests/apps/run_program.h"
#include "tests/kernel/plugin/plugin_files.h"

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
