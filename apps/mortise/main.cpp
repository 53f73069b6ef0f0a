#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "command_line/command_group.h"
#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/completion.h"
#include "command_line/failure.h"
#include "command_line/manual.h"
#include "klampt/programs.h"
#include "mortise/base/error.h"
#include "mortise/loading/script_host.h"

namespace mortise::app {

namespace {

constexpr const char* kEpilog =
    "Capital letters: Klamp't's programs, with its options; they also run through links of these names.\n"
    "`mortise --version` prints the version, `mortise help --man` the manual page.\n\n"
    "Results go to stdout, messages to stderr. With --json a command that fails prints an object {error, exit_code}.\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 128 and a signal's number: interrupted.\n";

int helpCommand(const Arguments& arguments);

const CommandGroup& program() {
  static const CommandGroup group(
      "mortise", "model, plan, control and simulate robots",
      {{"run", runCommand, "", "run a pipeline written in YAML"},
       {"sim", simCommand, "", "simulate a world"},
       {"compare", compareCommand, "", "compare physics backends on a world, or with what mechanics says"},
       {"compare truth", nullptr, "", "the error of each backend against closed forms, and what a step costs"},
       {"drive", driveCommand, "", "run a controller against a robot, simulated or real"},
       {"ros", rosCommand, "", "simulate a world as a robot of ROS: trajectories come in, states go out"},
       {"plan", planCommand, "", "plan a motion of robots or of a rigid object"},
       {"plan benchmark", nullptr, "", "run planners on problems with many seeds, and compare them"},
       {"world", worldCommand, "", "look into a world file, check it, save it elsewhere, find what collides in it"},
       {"robot", robotCommand, "", "look into a robot file, evaluate and check it"},
       {"path", pathCommand, "", "look into a motion file and evaluate it"},
       {"log", logCommand, "", "look into an MCAP log of a run, export, cut and join logs"},
       {"pose", poseCommand, "", "pose robots in the browser, and edit resources"},
       {"view", viewCommand, "", "look at worlds, robots and logs in the browser"},
       {"render", renderCommand, "", "pictures and movies of a world or a log, without any display"},
       {"geometry", geometryCommand, "", "look into a shape's file, scale, turn and convert it, query it"},
       {"resource", resourceCommand, "", "list resources, put them together and take them apart"},
       {"convert", convertCommand, "", "convert a file to another format"},
       {"plugins", pluginsCommand, "", "list, explain and examine plugins"},
       {"config", configCommand, "", "check a pipeline, explain where a setting comes from"},
       {"completion", completionCommand, "", "print a completion script for bash, zsh or fish"},
       {"help", helpCommand, "", "explain a command, such as `mortise help robot eval`; print the manual page"}},
      kEpilog, klamptPrograms());
  return group;
}

int programCommand(const Arguments& arguments) { return program().run(arguments); }

int helpCommand(const Arguments& arguments) {
  CommandLine line("mortise help", "explain a command");
  line.positional("COMMAND", "the command, such as robot eval", 0, -1)
      .flag("man", "print the manual page mortise(1), for `man -l`");
  if (!line.parse(arguments)) return 0;
  if (line.has("man")) {
    print(manualPage(programCommand));
    return 0;
  }
  Arguments asked = line.positionals();
  asked.push_back("--help");
  return programCommand(asked);
}

int dispatch(const Arguments& arguments) {
  if (!arguments.empty() && arguments.front() == "--version") {
    print("mortise " MORTISE_VERSION "\n");
    return 0;
  }
  if (!arguments.empty() && arguments.front() == "complete")  // What shells call: docs and help do not name it.
    return printCompletion(programCommand, {arguments.begin() + 1, arguments.end()});
  return programCommand(arguments);
}

}  // namespace
}  // namespace mortise::app

int main(int argc, char** argv) {
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);  // A file that may not grow is an error of that file, not the end of the program.
#endif
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string program = std::filesystem::path(argc > 0 ? argv[0] : "").filename().string();
  if (mortise::app::isKlamptProgram(program)) arguments.insert(arguments.begin(), program);
  mortise::enableScripts();
  try {
    const int exitCode = mortise::app::dispatch(arguments);
    if (exitCode != 0) mortise::app::reportSilentFailure(arguments, exitCode, mortise::app::lastErrorLogged());
    return exitCode;
  } catch (const std::exception& error) {  // mortise::Error among them: what() is the whole text.
    return mortise::app::reportFailure(arguments, error);
  }
}
