// What signals do to commands that run for a while.

#include <chrono>
#include <csignal>
#include <sstream>
#include <thread>

#include "mortise/base/value_text.h"
#include "tests/support/engines.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

#define MORTISE_DATA MORTISE_SOURCE_DIR "/data"

/// The value of a line of /proc/PID/status, such as "State".
std::string statusOf(pid_t process, const std::string& name) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":")) return line.substr(name.size() + 1);
  return {};
}

bool hasEnded(pid_t process) { return statusOf(process, "State").find('Z') != std::string::npos; }

bool catches(pid_t process, int signal) {
  const std::string mask = statusOf(process, "SigCgt");
  return !mask.empty() && (std::stoull(mask, nullptr, 16) >> (signal - 1) & 1) != 0;
}

class Interrupt : public FolderTest {
 protected:
  enum class Whom { process, group };

  /// Starts `mortise ARGUMENTS` in a group of its own, sends the signal once the program catches it and `ready` is
  /// true, and waits for its end. The exit code; negative: the signal that ended it.
  int interrupted(std::vector<std::string> arguments, int signal, const std::function<bool()>& ready = {},
                  Whom whom = Whom::process) {
    arguments.insert(arguments.begin(), MORTISE_BINARY_DIR "/bin/mortise");
    std::vector<char*> words;
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    const std::string out = path("stdout"), err = path("stderr");
    const pid_t child = fork();
    if (child == 0) {
      ::setpgid(0, 0);
      ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
      ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
      ::execv(words[0], words.data());
      ::_exit(127);
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end && !hasEnded(child) &&
           !(catches(child, signal) && (!ready || ready())))
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    ::kill(whom == Whom::group ? -child : child, signal);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::recursive_directory_iterator(folder_), {}));
  }
};

class InterruptBy : public Interrupt, public testing::WithParamInterface<int> {};

TEST_P(InterruptBy, SimulationsEndAfterTheirStep) {
  const int code = interrupted(
      {"sim", MORTISE_DATA "/worlds/blocks.xml", "--duration", "1000000", "--json", "--save-state", path("end.state")},
      GetParam());
  EXPECT_EQ(code, 128 + GetParam()) << text("stderr");
  const Value summary = parseYaml(text("stdout"), "stdout");
  EXPECT_LT(summary.at("time").asReal(), 100000);
  EXPECT_EQ(runMortise({"sim", MORTISE_DATA "/worlds/blocks.xml", "--state", path("end.state"), "--duration", "0.01"})
                .exitCode,
            0);
}

TEST_P(InterruptBy, PlansEndWithoutAPath) {
  EXPECT_EQ(interrupted({"plan", MORTISE_DATA "/worlds/heron_shelf.xml", "--goal-ik",
                         "{link: hand, position: [50, 0, 0]}", "--time-limit", "100000", "-o", path("none.path")},
                        GetParam()),
            128 + GetParam())
      << text("stderr");
  EXPECT_FALSE(std::filesystem::exists(path("none.path")));
}

TEST_P(InterruptBy, ProblemSetsEnd) {
  EXPECT_EQ(interrupted(
                {"plan", "--problem", MORTISE_DATA "/planning/heron", "--optimize", "--time-limit", "100000", "--json"},
                GetParam()),
            128 + GetParam())
      << text("stderr");
  EXPECT_LT(parseYaml(text("stdout"), "stdout").at("solved").asInteger(), 3);
}

TEST_P(InterruptBy, ComparisonsKeepWhatThereIs) {
  EXPECT_EQ(interrupted({"compare", MORTISE_DATA "/worlds/blocks.xml", "--duration", "100000", "--json"}, GetParam()),
            128 + GetParam())
      << text("stderr");
  const Value result = parseYaml(text("stdout"), "stdout");
  EXPECT_TRUE(result.at("interrupted").asBool());
  EXPECT_LE(result.at("backends").size(), 1u) << "none where the signal comes while the first world is prepared";
}

TEST_P(InterruptBy, TablesOfTruthKeepWhatThereIs) {
  MORTISE_NEEDS_ENGINES("ode");
  EXPECT_EQ(
      interrupted({"compare", "truth", "--step", "1us", "--backend", "ode", "--case", "stack", "--json"}, GetParam()),
      128 + GetParam())
      << text("stderr");
  EXPECT_TRUE(parseYaml(text("stdout"), "stdout").at("interrupted").asBool());
}

TEST_P(InterruptBy, DrivesEnd) {
  EXPECT_EQ(interrupted({"drive", MORTISE_DATA "/robots/reacher.rob", "--controller", "PathFollowingController",
                         "--connect", "tcp://127.0.0.1:9", "--wait", "1000"},
                        GetParam()),
            128 + GetParam())
      << text("stderr");
}

TEST_F(Interrupt, QuittingADriveIsTheEmergencyStop) {
  MORTISE_NEEDS_PLUGIN("hardware_simulated");
  const int code =
      interrupted({"drive", MORTISE_DATA "/robots/reacher.rob", "--hardware", "simulated", "--hardware-set",
                   "realtime=true", "--controller", "JointTrackingController", "--json", "--log", path("drive.csv")},
                  SIGQUIT, [&] { return !text("drive.csv").empty(); });
  EXPECT_EQ(code, 128 + SIGQUIT) << text("stderr");
  const Value result = parseYaml(text("stdout"), "stdout");
  EXPECT_TRUE(result.at("emergency_stop").asBool());
  EXPECT_EQ(result.at("ended").asString(), "the user asked for the emergency stop");
  EXPECT_GT(result.at("updates").asInteger(), 0);
}

INSTANTIATE_TEST_SUITE_P(Signals, InterruptBy, testing::Values(SIGINT, SIGTERM, SIGHUP),
                         [](const auto& each) { return "Signal" + std::to_string(each.param); });

TEST_F(Interrupt, BenchmarksKeepWhatIsDoneAndCallNoPlannerCrashed) {
  const std::string file =
      write("two.yaml",
            "planners: [rrt]\nseeds: 1\nproblems:\n"
            "  - {name: quick, world: " MORTISE_DATA "/worlds/heron_shelf.xml, start: " MORTISE_DATA
            "/motions/heron_shelf_start.config, goal: " MORTISE_DATA
            "/motions/heron_shelf_goal.config}\n"
            "  - {name: endless, world: " MORTISE_DATA "/worlds/heron_shelf.xml, start: " MORTISE_DATA
            "/motions/heron_shelf_start.config, goal: {ik: {link: hand, position: [50, 0, 0]}}, "
            "time_limit: 100000}\n");
  // To the whole group, as a terminal and `timeout` send it: the processes that plan get it too.
  const int code = interrupted(
      {"plan", "benchmark", file, "-o", path("out")}, SIGTERM,
      [&] { return text("out/results.jsonl").find('\n') != std::string::npos; }, Whom::group);
  EXPECT_EQ(code, 128 + SIGTERM) << text("stderr");
  const std::string results = text("out/results.jsonl");
  EXPECT_NE(results.find("quick"), std::string::npos) << results;
  EXPECT_EQ(results.find("crashed"), std::string::npos) << results;
  EXPECT_TRUE(std::filesystem::exists(path("out/report.html")));
}

TEST_F(Interrupt, ConversionsWriteWholeFiles) {
  // A terrain of a hundred thousand triangles takes a while to write.
  const std::string part = path("part.off");
  const int n = 224;
  {
    std::ofstream out(part);
    out << "OFF\n" << n * n << " " << 2 * (n - 1) * (n - 1) << " 0\n";
    for (int i = 0; i < n * n; ++i) out << 0.01 * (i % n) << " " << 0.01 * (i / n) << " " << 0.001 * (i % 7) << "\n";
    for (int y = 0; y + 1 < n; ++y)
      for (int x = 0; x + 1 < n; ++x) {
        const int at = y * n + x;
        out << "3 " << at << " " << at + 1 << " " << at + n << "\n3 " << at + 1 << " " << at + n + 1 << " " << at + n
            << "\n";
      }
  }
  const std::vector<std::vector<std::string>> commands = {{"convert", part, path("a.off")},
                                                          {"geometry", "convert", part, path("b.off"), "--scale", "2"}};
  for (const auto& command : commands) {
    const std::size_t before = files();
    EXPECT_EQ(interrupted(command, SIGTERM), 128 + SIGTERM) << text("stderr");
    EXPECT_EQ(files(), before + 1 + (before == 1 ? 2 : 0)) << "the file, and nothing that is left over";
  }
  EXPECT_EQ(runMortise({"geometry", "info", path("a.off")}).exitCode, 0);
  EXPECT_EQ(runMortise({"geometry", "info", path("b.off")}).exitCode, 0);
}

}  // namespace
}  // namespace mortise::test
