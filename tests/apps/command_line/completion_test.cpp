#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <pty.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/engines.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

using Lines = std::vector<std::string>;

/// The words that `mortise complete` offers for a command line, without their descriptions.
Lines offered(std::vector<std::string> words) {
  words.insert(words.begin(), {"complete", "--"});
  const Ran ran = runMortise(words);
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  Lines lines;
  std::istringstream out(ran.out);
  for (std::string line; std::getline(out, line);) lines.push_back(line.substr(0, line.find('\t')));
  return lines;
}

TEST(Completion, CommandsAndWhatIsBelowThem) {
  EXPECT_EQ(offered({"ge"}), Lines{"geometry"});
  EXPECT_EQ(offered({"world", ""}), (Lines{"info", "check", "save", "collisions"}));
  EXPECT_EQ(offered({"plan", "b"}), (Lines{"benchmark", ":files"}));
  EXPECT_EQ(offered({"help", "robot", "ev"}), Lines{"eval"});
  EXPECT_EQ(offered({"completion", ""}), (Lines{"bash", "zsh", "fish"}));
  EXPECT_EQ(offered({"nonsense", ""}), Lines{});
}

TEST(Completion, OptionsAreThoseOfTheCommand) {
  EXPECT_EQ(offered({"sim", "--back"}), Lines{"--backend"});
  EXPECT_EQ(offered({"plan", "benchmark", "--rep"}), Lines{"--report-only"});
  EXPECT_EQ(offered({"sim", "--seed", "1", "--see"}), Lines{});
  EXPECT_EQ(offered({"sim", "--config", "a.config", "--confi"}), Lines{"--config"});  // May be repeated.
  EXPECT_EQ(offered({"sim", "--", "--back"}), Lines{":files"});
}

TEST(Completion, ValuesOfOptions) {
  MORTISE_NEEDS_ENGINES("bullet");
  EXPECT_EQ(offered({"sim", "w.xml", "--backend", "bul"}), Lines{"bullet"});
  EXPECT_EQ(offered({"sim", "--backend=bul"}), Lines{"--backend=bullet"});
  EXPECT_EQ(offered({"plan", "--planner", "ompl:birr"}), Lines{"ompl:birrt"});
  EXPECT_EQ(offered({"plan", "--planner", "mortise.An"}), Lines{"mortise.Any"});
  EXPECT_EQ(offered({"geometry", "convert", "--as", "hei"}), Lines{"heightmap"});
  EXPECT_EQ(offered({"sim", "--log", ""}), Lines{":files"});
  EXPECT_EQ(offered({"run", "-o", ""}), Lines{":folders"});
  EXPECT_EQ(offered({"sim", "--duration", ""}), Lines{});
}

TEST(Completion, Arguments) {
  EXPECT_EQ(offered({"world", "info", ""}), Lines{":files"});
  EXPECT_EQ(offered({"world", "info", "w.xml", ""}), Lines{});
  EXPECT_EQ(offered({"geometry", "convert", "a.off", ""}), Lines{":files"});
  EXPECT_EQ(offered({"plugins", "info", "ForceTorq"}), Lines{"ForceTorqueSensor"});
}

TEST(Completion, WhatIsOfferedIsAccepted) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  for (const char* name : {"ode", "bullet", "kinematic"}) {
    const Lines backends = offered({"sim", "--backend", name});
    ASSERT_EQ(backends, Lines{name});
    EXPECT_EQ(runMortise({"plugins", "info", name}).exitCode, 0) << name;
  }
}

TEST(Completion, UnknownShell) {
  const Ran ran = runMortise({"completion", "csh"});
  EXPECT_EQ(ran.exitCode, 2);
  EXPECT_NE(ran.err.find("available: bash, zsh, fish"), std::string::npos) << ran.err;
}

bool isInstalled(const std::string& program) {
  return runProgram({"/bin/sh", "-c", "command -v " + program}).exitCode == 0;
}

class Shell : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    std::filesystem::create_directories(folder_ / "data" / "some worlds");
    write("data/some worlds/blocks.xml", "");
    write("data/reacher.rob", "");
  }

  /// Whether the system can open pseudoterminals, as containers without /dev/pts cannot.
  static bool hasTerminals() {
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0) return false;
    close(terminal);
    return true;
  }

  /// What an interactive shell says to keys that are typed into its terminal, until it ends.
  std::string typed(const std::vector<std::string>& shell, const std::string& keys) const {
    int terminal = -1;
    const pid_t process = forkpty(&terminal, nullptr, nullptr, nullptr);
    if (process == 0) {
      setenv("PATH", (MORTISE_BINARY_DIR "/bin:" + std::string(getenv("PATH"))).c_str(), 1);
      setenv("HOME", folder_.c_str(), 1);
      setenv("TERM", "dumb", 1);
      setenv("XDG_DATA_HOME", "/nonexistent", 1);
      std::vector<char*> words;
      for (const std::string& word : shell) words.push_back(const_cast<char*>(word.c_str()));
      words.push_back(nullptr);
      if (chdir(folder_.c_str()) == 0) execvp(words[0], words.data());
      _exit(127);
    }
    EXPECT_EQ(::write(terminal, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
    std::string said;
    char buffer[4096];
    for (ssize_t n; (n = read(terminal, buffer, sizeof(buffer))) > 0;) said.append(buffer, static_cast<std::size_t>(n));
    close(terminal);
    waitpid(process, nullptr, 0);
    return said;
  }
};

/// Stands for the program, except that it says what it was called with; completion still asks the program.
constexpr const char* kSpy =
    "mortise() { if [ \"$1\" = complete ]; then command mortise \"$@\"; else printf 'ran<%s>\\n' \"$*\"; fi; }\n";

TEST_F(Shell, BashCompletes) {
  MORTISE_NEEDS_ENGINES("bullet");
  if (!isInstalled("bash")) GTEST_SKIP() << "bash is not installed";
  if (!hasTerminals()) GTEST_SKIP() << "there are no pseudoterminals here";
  const std::string said =
      typed({"bash", "--norc", "--noprofile", "-i"}, "eval \"$(mortise completion bash)\"\n" + std::string(kSpy) +
                                                         "mortise ge\tinf\tdata/re\t\n"
                                                         "mortise sim --back\tbul\t\n"
                                                         "mortise sim --backend=kin\t\n"
                                                         "mortise plan --planner ompl:birr\t\n"
                                                         "mortise sim --log=data/so\tblo\t\n"
                                                         "mortise world sa\t data/some\\ w\tbl\t\nexit\n");
  for (const char* ran : {"ran<geometry info data/reacher.rob>", "ran<sim --backend bullet>",
                          "ran<sim --backend=kinematic>", "ran<plan --planner ompl:birrt>",
                          "ran<sim --log=data/some worlds/blocks.xml>", "ran<world save data/some worlds/blocks.xml>"})
    EXPECT_NE(said.find(ran), std::string::npos) << ran << "\n" << said;
}

TEST_F(Shell, ZshCompletes) {
  MORTISE_NEEDS_ENGINES("bullet");
  if (!isInstalled("zsh")) GTEST_SKIP() << "zsh is not installed";
  if (!hasTerminals()) GTEST_SKIP() << "there are no pseudoterminals here";
  const std::string said =
      typed({"zsh", "-f", "-i"}, "autoload -Uz compinit && compinit -u -D\neval \"$(mortise completion zsh)\"\n" +
                                     std::string(kSpy) +
                                     "mortise ge\tinf\tdata/re\t\n"
                                     "mortise sim --back\tbul\t\n"
                                     "mortise sim --backend=kin\t\n"
                                     "mortise plan --planner ompl:birr\t\n"
                                     "mortise sim --log=data/re\t\nexit\n");
  for (const char* ran :
       {"ran<geometry info data/reacher.rob", "ran<sim --backend bullet", "ran<sim --backend=kinematic",
        "ran<plan --planner ompl:birrt", "ran<sim --log=data/reacher.rob"})
    EXPECT_NE(said.find(ran), std::string::npos) << ran << "\n" << said;
}

TEST_F(Shell, FishCompletes) {
  MORTISE_NEEDS_ENGINES("bullet");
  if (!isInstalled("fish")) GTEST_SKIP() << "fish is not installed";
  if (!hasTerminals()) GTEST_SKIP() << "there are no pseudoterminals here";
  const auto completes = [&](const std::string& line) {
    const Ran ran = runProgram(
        {"/usr/bin/env", "fish", "--no-config", "-c",
         "cd " + folder_.string() + "; mortise completion fish | source; complete -C '" + line + "'"},
        {"PATH=" MORTISE_BINARY_DIR "/bin:/usr/bin:/bin", "HOME=" + folder_.string(), "XDG_DATA_HOME=/nonexistent"});
    EXPECT_EQ(ran.err, "");
    return ran.out.substr(0, ran.out.find_first_of("\t\n"));
  };
  EXPECT_EQ(completes("mortise geom"), "geometry");
  EXPECT_EQ(completes("mortise sim --backend bul"), "bullet");
  EXPECT_EQ(completes("mortise sim --backend=bul"), "--backend=bullet");
  EXPECT_EQ(completes("mortise robot info data/re"), "data/reacher.rob");
  EXPECT_EQ(completes("mortise sim --log=data/re"), "--log=data/reacher.rob");
}

class Manual : public FolderTest {};

TEST_F(Manual, ExplainsEveryCommandAndIsSoundTroff) {
  const Ran ran = runMortise({"help", "--man"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  for (const char* heading :
       {".SS \\fBmortise run\\fR", ".SS \\fBmortise plan\\fR", ".SS \\fBmortise plan benchmark\\fR",
        ".SS \\fBmortise world collisions\\fR", ".SS \\fBmortise completion\\fR", ".SH EXIT STATUS"})
    EXPECT_NE(ran.out.find(heading), std::string::npos) << heading;
  EXPECT_EQ(ran.out.find("probe"), std::string::npos);
  const std::string page = write("mortise.1", ran.out);
  if (isInstalled("groff")) {
    const Ran groff = runProgram({"/usr/bin/env", "groff", "-man", "-Tutf8", "-ww", "-z", page});
    EXPECT_EQ(groff.exitCode, 0);
    EXPECT_EQ(groff.err, "");
  }
  if (isInstalled("mandoc")) {
    const Ran mandoc = runProgram({"/usr/bin/env", "mandoc", "-T", "lint", "-W", "warning", page});
    std::istringstream lines(mandoc.out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_NE(line.find("missing date"), std::string::npos) << line;  // The page has none on purpose.
  }
}

TEST_F(Manual, BuildWritesWhatIsInstalled) {
  const auto same = [](const std::string& file, const std::vector<std::string>& command) {
    std::ostringstream text;
    text << std::ifstream(std::string(MORTISE_BINARY_DIR "/share/") + file).rdbuf();
    EXPECT_EQ(text.str(), runMortise(command).out) << file;
  };
  same("man/man1/mortise.1", {"help", "--man"});
  same("bash-completion/completions/mortise", {"completion", "bash"});
  same("zsh/site-functions/_mortise", {"completion", "zsh"});
  same("fish/vendor_completions.d/mortise.fish", {"completion", "fish"});
}

}  // namespace
}  // namespace mortise::test
