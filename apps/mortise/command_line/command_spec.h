#pragma once

/// The declarations of a command about itself: the one source of its --help, of the manual page and of completion in
/// shells.

#include <optional>
#include <string>
#include <vector>

#include "command_line/commands.h"
#include "mortise/component/kind.h"

namespace mortise::app {

/// Values that an option or a positional argument can have, as far as a shell can complete them.
struct ValueNames {
  std::vector<std::string> words;  ///< These words, ...
  std::optional<Kind> kind;        ///< ... or names of components of this kind, ...
  bool anyComponent = false;       ///< ... or of all components.
  bool empty() const { return words.empty() && !kind && !anyComponent; }
};

struct OptionSpec {
  std::string name;         ///< Long name, without dashes.
  std::string shortName;    ///< One letter, or empty.
  std::string placeholder;  ///< Empty for flags; in brackets where the value may be left out.
  std::string help;
  bool repeated = false;
  ValueNames values;
  std::vector<std::string> synonyms = {};  ///< Other long names.

  /// "-o, --output DIR"; without a short name, blanks in its place.
  std::string shown() const;
};

struct PositionalSpec {
  std::string placeholder;
  std::string help;
  int min = 1;
  int max = 1;  ///< Negative: any number.
  ValueNames values;
};

/// A command below another one, as "info" is below "mortise world".
struct Subcommand {
  std::string name;
  int (*function)(const Arguments&) = nullptr;
  std::string arguments;  ///< Arguments as the list of commands shows them: "IN OUT".
  std::string summary;    ///< One line; empty for what only programs call, which no list shows.
};

struct CommandSpec {
  std::string name;  ///< The name as typed: "mortise world info".
  std::string summary;
  std::vector<OptionSpec> options;
  std::vector<PositionalSpec> positionals;
  std::vector<Subcommand> subcommands;
  std::string epilog;

  /// "usage: mortise world info [options] FILE".
  std::string usage() const;
  /// The whole text of --help.
  std::string help() const;
};

/// A line for each of them, names and summaries in columns.
std::string commandList(const std::vector<Subcommand>& commands);

/// Returns what `command` declares. It is called, but does nothing beyond that: `CommandLine::parse` and
/// `CommandGroup::run` hand over the declaration and return.
CommandSpec inspect(int (*command)(const Arguments&));

/// For `CommandLine::parse` and `CommandGroup::run`: true while `inspect` is asking, which then has its answer.
bool answerInspection(const CommandSpec& spec);

}  // namespace mortise::app
