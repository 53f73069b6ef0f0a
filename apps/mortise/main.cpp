#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "command_line.h"
#include "commands.h"
#include "mortise/base/error.h"
#include "mortise/base/suggest.h"
#include "mortise/plugin/name_list.h"

namespace mortise::app {

namespace {

struct Command {
  const char* name;
  int (*function)(const Arguments&);
  const char* summary;
};

const std::vector<Command>& commands() {
  static const std::vector<Command> list = {
      {"run", runCommand, "run a pipeline written in YAML"},
      {"sim", simCommand, "simulate a world"},
      {"drive", driveCommand, "run a controller against a robot in another process"},
      {"plan", planCommand, "plan a motion of robots or an object, and run benchmarks of planners"},
      {"world", worldCommand, "look into a world file"},
      {"robot", robotCommand, "look into a robot file, evaluate and check it"},
      {"path", pathCommand, "look into a motion file and evaluate it"},
      {"geometry", geometryCommand, "look into a shape's file, scale, turn and convert it"},
      {"convert", convertCommand, "convert a file to another format"},
      {"plugins", pluginsCommand, "list, explain and examine plugins"},
      {"config", configCommand, "check a pipeline, explain where a setting comes from"},
  };
  return list;
}

/// Klamp't's programs, under their own names, also when this program is called through a link of that name.
const std::vector<Command>& klamptCommands() {
  static const std::vector<Command> list = {
      {"PlanDemo", planDemoCommand, "plan between consecutive configurations, as Klamp't's PlanDemo"},
      {"ContactPlan", contactPlanCommand, "the same standing on contacts, as Klamp't's ContactPlan"},
      {"DynamicPlanDemo", dynamicPlanDemoCommand, "the same with times, as Klamp't's DynamicPlanDemo"},
  };
  return list;
}

std::string usage() {
  std::string text = "usage: mortise COMMAND [options] [arguments]\n\nCommands:\n";
  for (const auto& command : commands()) {
    std::string name = command.name;
    name.resize(10, ' ');
    text += "  " + name + command.summary + "\n";
  }
  text += "\nKlamp't's programs, with their own options; also through links of these names:\n";
  for (const auto& command : klamptCommands()) {
    std::string name = command.name;
    name.resize(17, ' ');
    text += "  " + name + command.summary + "\n";
  }
  return text +
         "\n`mortise COMMAND --help` explains a command. Results go to stdout, messages to stderr.\n"
         "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";
}

int dispatch(const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw UsageError("which command?\n" + usage());
  const std::string& name = arguments.front();
  if (name == "help" && arguments.size() > 1) {  // mortise help robot eval
    std::vector<std::string> asked(arguments.begin() + 1, arguments.end());
    asked.push_back("--help");
    return dispatch(asked);
  }
  if (name == "--help" || name == "-h" || name == "help") {
    print(usage());
    return 0;
  }
  if (name == "--version") {
    print("mortise " MORTISE_VERSION "\n");
    return 0;
  }
  std::vector<std::string> names;
  for (const auto& command : commands()) {
    if (name == command.name) return command.function({arguments.begin() + 1, arguments.end()});
    names.push_back(command.name);
  }
  for (const auto& command : klamptCommands()) {
    if (name == command.name) return command.function({arguments.begin() + 1, arguments.end()});
    names.push_back(command.name);
  }
  const std::string nearest = didYouMean(name, names);
  throw UsageError("unknown command '" + name + "'" + (nearest.empty() ? "" : "; " + nearest) +
                   "\n  commands: " + nameList(names));
}

}  // namespace
}  // namespace mortise::app

int main(int argc, char** argv) {
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);  // A file that may not grow is an error of that file, not the end of the program.
#endif
  try {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    const std::string program = std::filesystem::path(argc > 0 ? argv[0] : "").filename().string();
    for (const auto& command : mortise::app::klamptCommands())
      if (program == command.name) arguments.insert(arguments.begin(), program);
    return mortise::app::dispatch(arguments);
  } catch (const mortise::app::UsageError& error) {
    std::cerr << "mortise: error: " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {  // mortise::Error among them: what() is the whole text.
    std::cerr << "mortise: error: " << error.what() << "\n";
    return 1;
  }
}
