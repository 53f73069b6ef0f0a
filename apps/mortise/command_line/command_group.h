#pragma once

#include <string>
#include <vector>

#include "command_line/command_spec.h"

namespace mortise::app {

/// A command that has nothing but commands below it: `mortise world`, and `mortise` itself.
///
///   int worldCommand(const Arguments& arguments) {
///     static const CommandGroup group("mortise world", "look into a world file",
///                                     {{"info", infoCommand, "FILE", "print what a world holds"}});
///     return group.run(arguments);
///   }
class CommandGroup {
 public:
  /// `name` as typed. `epilog` ends the help; `more` are commands that come after the others.
  CommandGroup(std::string name, std::string summary, std::vector<Subcommand> commands, std::string epilog = {},
               const std::vector<Subcommand>& more = {});

  /// Runs the command that the first argument names, or prints the help. Throws `UsageError` for a command that is
  /// missing or unknown.
  int run(const Arguments& arguments) const;

 private:
  CommandSpec spec_;
};

/// The command among `commands` that the first argument names, or null.
const Subcommand* commandNamed(const std::vector<Subcommand>& commands, const Arguments& arguments);

}  // namespace mortise::app
