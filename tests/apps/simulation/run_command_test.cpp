#include <filesystem>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "tests/kernel/plugin/plugin_files.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

namespace fs = std::filesystem;

const std::string kProgram = MORTISE_BINARY_DIR "/bin/mortise";

class RunCommand : public FolderTest {
 protected:
  /// A pipeline of the demo world with these further lines.
  std::string pipeline(const std::string& lines, const std::string& name = "p.yaml") const {
    return write(name, "mortise: 1\nworld: " MORTISE_SOURCE_DIR "/data/worlds/blocks.xml\n" + lines);
  }
  std::string longRun() const {
    return pipeline("stages:\n  - simulate: {duration: 1e6, record: [robots], record_rate: 1 kHz}\n");
  }
  /// Runs a shell script in the test's folder.
  Ran shell(const std::string& script) const {
    return runProgram({"/bin/bash", "-c", "cd '" + folder_.string() + "'\n" + script}, {"XDG_DATA_HOME=/nonexistent"});
  }
  /// Starts the long run in the background, waits for rows of its log, sends it a signal and waits for its end.
  Ran interrupted(const std::string& signal) const {
    return shell("rm -rf out\n" + kProgram + " run " + longRun() +
                 " -o out --json > stdout.json 2> stderr.txt &\npid=$!\n" +
                 "for i in $(seq 600); do [ -s out/simulate_state.csv ] && break; sleep 0.05; done\n" + "kill -" +
                 signal + " $pid\nwait $pid\nstatus=$?\ncat stderr.txt >&2\nexit $status\n");
  }
  static bool fullLines(const std::string& text) {
    const auto commas = [](std::string_view line) { return std::count(line.begin(), line.end(), ','); };
    const std::size_t header = text.find('\n');
    if (text.empty() || text.back() != '\n') return false;
    const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
    return commas(std::string_view(text).substr(0, header)) == commas(std::string_view(text).substr(last));
  }
};

TEST_F(RunCommand, EverySignalThatAsksForAnEndLeavesWholeLogsAndATrueResult) {
  for (const auto& [signal, number] : {std::pair("TERM", 15), std::pair("HUP", 1)}) {
    const Ran ran = interrupted(signal);
    EXPECT_EQ(ran.exitCode, 128 + number) << ran.err;
    EXPECT_SAYS(ran.err, std::string("interrupted by SIG") + signal);
    EXPECT_EQ(loadYaml(path("out/result.json")).at("status").asString(), "interrupted");
    EXPECT_EQ(loadYaml(path("stdout.json")).at("exit_code").asInteger(), 128 + number);
    EXPECT_TRUE(fullLines(readFile(path("out/simulate_state.csv"))));
  }
}

TEST_F(RunCommand, ChecksRunNoPythonThatAWorldOrARobotNames) {
  const std::string robot = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";
  write("evil.py", "open('ran', 'w').close()\n");
  write("world.xml", "<world><robot name=\"arm\" file=\"" + robot +
                         "\"/><simulation><robot index=\"0\">\n<controller type=\"evil.py\"/>"
                         "<sensors><evil.py name=\"s\"/></sensors></robot></simulation></world>\n");
  write("arm.urdf",
        "<robot name=\"arm\"><link name=\"base\"/><link name=\"tip\"/><joint name=\"j\" type=\"continuous\">"
        "<parent link=\"base\"/><child link=\"tip\"/><axis xyz=\"0 0 1\"/></joint>\n"
        "<klampt><controller type=\"evil.py\"/></klampt></robot>\n");
  write("robot.xml", "<world><robot name=\"arm\" file=\"arm.urdf\"/></world>\n");
  for (const char* world : {"world.xml", "robot.xml"}) {
    write("q.yaml", "mortise: 1\nworld: " + std::string(world) + "\nstages:\n  - simulate: {duration: 1 ms}\n");
    for (const char* command : {"check", "explain"}) {
      const Ran ran = shell(kProgram + " config " + command + " q.yaml" +
                            (command == std::string("explain") ? " simulation.step" : ""));
      EXPECT_EQ(ran.exitCode, 0) << ran.out << ran.err;
      EXPECT_FALSE(fs::exists(path("ran"))) << world;
      if (command == std::string("check")) {
        EXPECT_SAYS(ran.out + ran.err, "a check runs no Python that a file names");
      }
    }
  }
}

TEST_F(RunCommand, ASignalBeforeTheRunBeginsEndsItAtOnce) {
  const Ran ran =
      shell("mkfifo p.yaml\n" + kProgram + " run /dev/stdin -o out < p.yaml & pid=$!\nexec 3> p.yaml\n" +
            "for i in $(seq 600); do grep -q 'SigCgt:.*[4567cdef]...$' /proc/$pid/status && break; sleep 0.05; "
            "done\nkill -TERM $pid\nwait $pid\n");
  EXPECT_EQ(ran.exitCode, 143) << ran.err;
  EXPECT_SAYS(ran.err, "interrupted before anything was written");
  EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(RunCommand, NohupIsRespected) {
  const Ran ran =
      shell("trap '' HUP\n" + kProgram + " run " + longRun() +
            " -o out -q &\npid=$!\nfor i in $(seq 600); do [ -s out/simulate_state.csv ] && break; sleep "
            "0.05; done\nkill -HUP $pid\nsleep 0.3\nkill -0 $pid && echo alive\nkill -TERM $pid\nwait $pid\n");
  EXPECT_EQ(ran.out, "alive\n") << ran.err;
  EXPECT_EQ(ran.exitCode, 143);
}

TEST_F(RunCommand, AReaderThatLeavesEndsTheRunInOrder) {
  const std::string file = pipeline(
      "stages:\n  - simulate: {duration: 200 ms, save: a}\n  - simulate: {duration: 200 ms, save: b}\n"
      "  - simulate: {duration: 1e6, record: [robots], save: c}\n");
  const Ran ran = shell("set -o pipefail\n" + kProgram + " run " + file + " -o out | head -c 1 > /dev/null\n");
  EXPECT_EQ(ran.exitCode, 141) << ran.err;
  EXPECT_EQ(loadYaml(path("out/result.json")).at("status").asString(), "interrupted");
}

TEST_F(RunCommand, AFullDiskNamesTheFileThatFilledIt) {
  const std::string file = pipeline("stages:\n  - simulate: {duration: 5 s, record: [robots, objects]}\n");
  const Ran ran = shell("ulimit -f 1024\n" + kProgram + " run " + file + " -o out -q\n");
  EXPECT_EQ(ran.exitCode, 1) << ran.err;
  EXPECT_SAYS(ran.err, "cannot write 'out/simulate_state.csv': ");
  const Value result = loadYaml(path("out/result.json"));
  EXPECT_EQ(result.at("status").asString(), "failed");
  EXPECT_SAYS(result.at("failure").asString(), "simulate_state.csv");
  EXPECT_TRUE(fullLines(readFile(path("out/simulate_state.csv"))));
}

TEST_F(RunCommand, OnAFullDiskTheResultIsTrue) {
  const std::string file = pipeline("stages:\n  - simulate: {duration: 2 s, record: [robots, objects]}\n");
  fs::create_directories(folder_ / "disk");
  const std::string mount = "cd '" + folder_.string() + "' && mount -t tmpfs -o size=";
  const Ran tried = runProgram({"/usr/bin/unshare", "-rm", "/bin/bash", "-c", mount + "16k tmpfs disk"});
  if (tried.exitCode != 0) GTEST_SKIP() << "no file system of one's own here: " << tried.err;
  for (const char* size : {"16k", "64k"}) {
    const Ran ran = runProgram({"/usr/bin/unshare", "-rm", "/bin/bash", "-c",
                                mount + size + " tmpfs disk\n" + kProgram + " run " + file +
                                    " -o disk/out -q\nstatus=$?\ncat disk/out/result.json\nexit $status\n"},
                               {"XDG_DATA_HOME=/nonexistent"});
    EXPECT_EQ(ran.exitCode, 1);
    EXPECT_SAYS(ran.err, "cannot write 'disk/out/simulate_state.csv': ");
    const Value result = parseYaml(ran.out, "result.json");
    EXPECT_EQ(result.at("status").asString(), "failed") << size;
    EXPECT_SAYS(result.at("failure").asString(), "simulate_state.csv");
  }
}

TEST_F(RunCommand, ErrorsAreAList) {
  const std::string file = pipeline("sed: 1\nstages:\n  - simulate: {duration: 1 s, follow: nothing}\n");
  const Value many = parseYaml(runMortise({"run", file, "--json"}).out, "stdout");
  ASSERT_EQ(many.at("errors").size(), 2u);
  EXPECT_EQ(many.at("errors")[0].at("line").asInteger(), 3);
  EXPECT_SAYS(many.at("errors")[0].at("hint").asString(), "did you mean 'seed'?");
  EXPECT_EQ(many.at("errors")[1].at("line").asInteger(), 5);
  // Of one error, too, and of a run that failed on its way.
  EXPECT_EQ(parseYaml(runMortise({"sim", "--json"}).out, "stdout").at("errors").size(), 1u);
  const std::string late = pipeline("stages:\n  - report: {to: sub.txt}\n");
  fs::create_directories(path("late/sub.txt"));  // A folder where the report is to go.
  const Value failed = parseYaml(runMortise({"run", late, "-o", path("late"), "--json"}).out, "stdout");
  EXPECT_EQ(failed.at("status").asString(), "failed");
  ASSERT_EQ(failed.at("errors").size(), 1u);
  EXPECT_SAYS(failed.at("errors")[0].at("message").asString(), "stage 'report': ");
}

TEST_F(RunCommand, SuggestionsAreFilesOfTheKindThatIsMissed) {
  write("arm.txt", "");
  fs::create_directories(folder_ / "arms.xml");
  EXPECT_EQ(runMortise({"sim", path("arm.xml")}).err.find("did you mean"), std::string::npos);
  write("armz.xml", "<world/>");
  EXPECT_SAYS(runMortise({"sim", path("arm.xml")}).err, "did you mean '" + path("armz.xml") + "'?");
  EXPECT_SAYS(runMortise({"sim", path("armz")}).err, "did you mean '" + path("armz.xml") + "'?");
  fs::create_directories(folder_ / "worlds");
  write("worlds/blocks.xml", "<world/>");
  EXPECT_SAYS(runMortise({"sim", path("world/blocks.xml")}).err, "did you mean '" + path("worlds/blocks.xml") + "'?");
}

TEST_F(RunCommand, ARepetitionThatDiffersFailsUnderStrict) {
  fs::copy(MORTISE_SOURCE_DIR "/data", folder_ / "data", fs::copy_options::recursive);
  const std::string file =
      write("data/p.yaml", "mortise: 1\nworld: worlds/blocks.xml\nstages:\n  - simulate: {duration: 20 ms}\n");
  ASSERT_EQ(runMortise({"run", file, "-o", path("out"), "-q"}).exitCode, 0);
  const std::string lock = path("out/run.lock.yaml");
  Ran same = runMortise({"run", lock, "-o", path("same"), "--strict", "--json"});
  EXPECT_EQ(same.exitCode, 0) << same.err;
  EXPECT_TRUE(parseYaml(same.out, "stdout").findPath("repeated.same")->asBool());
  write("data/objects/ball.geom", readFile(path("data/objects/ball.geom")) + "\n");
  const Ran warned = runMortise({"run", lock, "-o", path("b")});
  EXPECT_EQ(warned.exitCode, 0) << warned.err;
  EXPECT_SAYS(warned.err, "warning: not as in the locked run: ");
  const Ran strict = runMortise({"run", lock, "-o", path("c"), "--strict", "-q"});
  EXPECT_EQ(strict.exitCode, 1);
  EXPECT_SAYS(strict.err, "error: not as in the locked run: ");
  EXPECT_SAYS(strict.err, "ball.geom' has changed");
  const Ran json = runMortise({"run", lock, "-o", path("d"), "--strict", "--json"});
  const Value result = parseYaml(json.out, "stdout");
  EXPECT_EQ(result.at("exit_code").asInteger(), 1);
  EXPECT_FALSE(result.findPath("repeated.same")->asBool());
  EXPECT_EQ(result.findPath("repeated.differences")->size(), 1u);
  EXPECT_SAYS(result.findPath("error.message")->asString(), "ball.geom");
}

TEST_F(RunCommand, FilesOfStrangersWriteBelowTheRunOnly) {
  const std::string outside = path("outside.csv");
  const std::string file = pipeline("components:\n  - {recorder: csv, record: [robots], file: " + outside +
                                    "}\nstages:\n  - simulate: {duration: 5 ms}\n");
  const Ran refused = runMortise({"run", file, "-o", path("out")});
  EXPECT_EQ(refused.exitCode, 1);
  EXPECT_SAYS(refused.err, "would be written outside of the folder of the run");
  EXPECT_SAYS(refused.err, "--allow-outside");
  EXPECT_FALSE(fs::exists(outside));
  EXPECT_EQ(runMortise({"run", file, "-o", path("out"), "--allow-outside", "-q"}).exitCode, 0);
  EXPECT_TRUE(fs::exists(outside));
  // What the user names is the user's own wish.
  const std::string own =
      pipeline("components:\n  - {recorder: csv, record: [robots]}\nstages:\n  - simulate: {duration: 5 ms}\n");
  EXPECT_EQ(runMortise({"run", own, "-o", path("out"), "-q", "--set", "components.0.file=" + path("own.csv")}).exitCode,
            0);
  EXPECT_TRUE(fs::exists(path("own.csv")));
}

TEST_F(RunCommand, WorldsOfStrangersLogInTheCurrentFolderOnly) {
  const std::string file =
      write("stranger.xml", "<world><robot file=\"" MORTISE_SOURCE_DIR
                            "/data/robots/reacher.rob\"/><simulation><robot index=\"0\"><controller "
                            "type=\"LoggingController\" file=\"" +
                                path("evil.log") + "\"/></robot></simulation></world>\n");
  const Ran refused = runMortise({"sim", file, "--duration", "5ms"});
  EXPECT_EQ(refused.exitCode, 1) << refused.out;
  EXPECT_SAYS(refused.err, "would be written outside of the folder of the run");
  EXPECT_FALSE(fs::exists(path("evil.log")));
  EXPECT_EQ(runMortise({"sim", file, "--duration", "5ms", "--allow-outside", "-q"}).exitCode, 0);
  EXPECT_TRUE(fs::exists(path("evil.log")));
}

TEST_F(RunCommand, ChecksOpenNoLibraryThatAPipelineNames) {
  const TemporaryFolder plugins;
  const std::string silent = plugins.copyPlugin("talks_on_load", "talks", false);
  const std::string described = plugins.copyPlugin("sound", "sound");
  const std::string file = pipeline("plugins: [" + silent + ", " + described + "]\ncomponents:\n" +
                                    "  - {controller: fixture.Sound, robot: reacher, torque: 2}\nstages:\n" +
                                    "  - simulate: {duration: 5 ms}\n");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"config", "check", file}, {"config", "explain", file, "components.0.torque"}}) {
    const Ran ran = runMortise(command);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    EXPECT_EQ(ran.out.find("hello from a plugin"), std::string::npos);
    EXPECT_SAYS(ran.err, "cannot be checked: it has no description that can be used");
  }
  EXPECT_SAYS(runMortise({"config", "check", file}).err, "is checked by its description only");
  const Ran wrong = runMortise({"config", "check", file, "--set", "components.0.torque=99"});
  EXPECT_EQ(wrong.exitCode, 1);
  EXPECT_SAYS(wrong.err, "torque");
  // The user may trust it.
  EXPECT_SAYS(runMortise({"config", "check", file, "--plugin", silent, "--set",
                          "components.0.controller=fixture.Talker", "--set", "components.0.torque=~"})
                  .out,
              "hello");
}

TEST_F(RunCommand, FailuresAreJsonToo) {
  const auto error = [](const std::vector<std::string>& arguments, int exitCode) {
    const Ran ran = runMortise(arguments);
    EXPECT_EQ(ran.exitCode, exitCode) << ran.err;
    EXPECT_NE(ran.err, "");
    const Value object = parseYaml(ran.out, "stdout");
    EXPECT_EQ(object.at("exit_code").asInteger(), exitCode);
    EXPECT_FALSE(object.findPath("error.message")->asString().empty());
    return object.at("error");
  };
  const std::string file = pipeline("sed: 3\nstages:\n  - simulat: {duration: 1 s}\n");
  const Value many = error({"run", file, "--json"}, 1);
  ASSERT_EQ(many.at("problems").size(), 2u);
  EXPECT_EQ(many.findPath("problems.0.line")->asInteger(), 3);
  EXPECT_EQ(many.findPath("problems.0.file")->asString(), file);
  EXPECT_SAYS(many.findPath("problems.1.hint")->asString(), "simulate");
  EXPECT_SAYS(many.at("message").asString(), "cannot be run: 2 problems");
  EXPECT_SAYS(error({"world", "info", path("none.xml"), "--json"}, 1).at("message").asString(), "none.xml");
  error({"sim", path("none.xml"), "--json"}, 1);
  error({"convert", path("none.off"), path("x.obj"), "--json"}, 1);
  error({"geometry", "convert", path("none.off"), path("x.obj"), "--json"}, 1);
  error({"plan", path("none.xml"), "--goal", "0", "--json"}, 1);
  const Value usage = error({"run", "--json"}, 2);
  EXPECT_SAYS(usage.at("message").asString(), "missing argument FILE");
  EXPECT_SAYS(usage.at("usage").asString(), "usage: mortise run");
  EXPECT_SAYS(usage.at("hint").asString(), "--help");
  EXPECT_SAYS(error({"rn", "--json"}, 2).at("message").asString(), "unknown command 'rn'");
  const std::string failing = pipeline("stages:\n  - simulate: {duration: 1 ms}\n");
  fs::create_directories(path("out/run.lock.yaml"));
  error({"run", failing, "-o", path("out"), "--json"}, 1);
}

TEST_F(RunCommand, DescriptionsOfPluginsAreJsonOnRequest) {
  const Ran ran = runMortise({"plugins", "describe", fixture("sound"), "--json"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("{")) << ran.out;
  EXPECT_SAYS(ran.out, "\"fixture.Sound\"");
}

TEST_F(RunCommand, WarningsOfTheCheckArePrinted) {
  const std::string file = pipeline("variables: {a: 1}\nstages:\n  - simulate: {duration: 1 ms}\n");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"config", "check", file}, {"run", file, "-o", path("out")}}) {
    const Ran ran = runMortise(words);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    EXPECT_SAYS(ran.err, "variable 'a' is used nowhere");
  }
  EXPECT_SAYS(runMortise({"config", "check", file}).out, "no errors, 1 warning");
  EXPECT_EQ(runMortise({"config", "check", file, "--strict"}).exitCode, 1);
}

TEST_F(RunCommand, FilesDoNotCommandTheTerminal) {
  const std::string file = write("e.yaml", "mortise: 1\nworld: \"\\e[31mred\\e]0;title\\a.xml\"\nstages: [report]\n");
  const Ran ran = runMortise({"run", file});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_SAYS(ran.err, "\\x1b[31mred");
  EXPECT_EQ(ran.err.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace mortise::test
