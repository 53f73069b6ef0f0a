#include "command_line/command_group.h"

#include <utility>

#include "command_line/command_line.h"
#include "mortise/text/suggest.h"

namespace mortise::app {

CommandGroup::CommandGroup(std::string name, std::string summary, std::vector<Subcommand> commands, std::string epilog,
                           const std::vector<Subcommand>& more) {
  spec_.name = std::move(name);
  spec_.summary = std::move(summary);
  spec_.subcommands = std::move(commands);
  spec_.subcommands.insert(spec_.subcommands.end(), more.begin(), more.end());
  spec_.epilog = std::move(epilog);
}

int CommandGroup::run(const Arguments& arguments) const {
  if (answerInspection(spec_)) return 0;
  if (arguments.empty()) throw UsageError("'" + spec_.name + "' needs a command\n" + spec_.help());
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h") {
    print(spec_.help());
    return 0;
  }
  if (const Subcommand* command = commandNamed(spec_.subcommands, arguments))
    return command->function({arguments.begin() + 1, arguments.end()});
  std::vector<std::string> names;
  for (const Subcommand& command : spec_.subcommands)
    if (!command.summary.empty() && command.name.find(' ') == std::string::npos) names.push_back(command.name);
  const std::string nearest = didYouMean(name, names);
  const std::size_t space = spec_.name.find(' ');
  const std::string above = space == std::string::npos ? "" : spec_.name.substr(space + 1) + " ";
  throw UsageError("unknown command '" + above + name + "'" + (nearest.empty() ? "" : "; " + nearest) +
                   "\n  commands: " + nameList(names) + "\n  hint: `" + spec_.name + " --help` explains them");
}

const Subcommand* commandNamed(const std::vector<Subcommand>& commands, const Arguments& arguments) {
  if (arguments.empty()) return nullptr;
  for (const Subcommand& command : commands)
    if (command.function != nullptr && command.name == arguments.front()) return &command;
  return nullptr;
}

}  // namespace mortise::app
