#include <string>
#include <vector>

#include "command_line.h"
#include "commands.h"
#include "mortise/base/suggest.h"
#include "mortise/plugin/name_list.h"
#include "plugins_commands.h"

namespace mortise::app {

namespace {

struct Subcommand {
  const char* name;
  int (*function)(const Arguments&);
  const char* summary;  ///< Empty for what only the program itself calls.
};

constexpr Subcommand kSubcommands[] = {
    {"list", pluginsList, "list every component that can be named in a file"},
    {"info", pluginsInfo, "explain a component and its parameters"},
    {"doctor", pluginsDoctor, "examine every plugin library"},
    {"describe", pluginsDescribe, "print or write the side-car manifest of a library"},
    {"docs", pluginsDocs, "write reference pages for all components"},
    {"probe", pluginsProbe, ""},
};

std::string pluginsUsage() {
  std::string text = "usage: mortise plugins SUBCOMMAND [options] [arguments]\n\nSubcommands:\n";
  for (const auto& subcommand : kSubcommands) {
    if (*subcommand.summary == 0) continue;
    std::string name = subcommand.name;
    name.resize(10, ' ');
    text += "  " + name + subcommand.summary + "\n";
  }
  return text + "\n`mortise plugins SUBCOMMAND --help` explains one.\n";
}

}  // namespace

int pluginsCommand(const Arguments& arguments) {
  if (arguments.empty()) throw UsageError("which subcommand?\n" + pluginsUsage());
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h") {
    print(pluginsUsage());
    return 0;
  }
  std::vector<std::string> names;
  for (const auto& subcommand : kSubcommands) {
    if (name == subcommand.name) return subcommand.function({arguments.begin() + 1, arguments.end()});
    if (*subcommand.summary != 0) names.push_back(subcommand.name);
  }
  const std::string nearest = didYouMean(name, names);
  throw UsageError("unknown subcommand 'plugins " + name + "'" + (nearest.empty() ? "" : "; " + nearest) +
                   "\n  subcommands: " + nameList(names));
}

}  // namespace mortise::app
