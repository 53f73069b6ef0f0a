#include "command_line/command_spec.h"

#include <algorithm>
#include <sstream>

namespace mortise::app {

namespace {

constexpr std::size_t kHelpWidth = 100;

/// The specification for whose answer `inspect` waits; null while commands run.
thread_local CommandSpec* askedFor = nullptr;

/// Breaks `text` at spaces into lines of at most `width` characters, the later ones indented.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::istringstream words(text);
  std::string word, line, result;
  while (words >> word) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      result += line + "\n" + std::string(indent, ' ');
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return result + line;
}

}  // namespace

std::string OptionSpec::shown() const {
  return (shortName.empty() ? "    " : "-" + shortName + ", ") + "--" + name +
         (placeholder.empty() ? "" : " " + placeholder);
}

std::string CommandSpec::usage() const {
  // A command that has nothing but commands below it.
  if (!subcommands.empty() && positionals.empty()) return "usage: " + name + " COMMAND [options] [arguments]";
  std::string text = "usage: " + name + " [options]";
  for (const PositionalSpec& positional : positionals) {
    std::string shown = positional.placeholder;
    if (positional.max < 0 || positional.max > 1) shown += "...";
    text += positional.min == 0 ? " [" + shown + "]" : " " + shown;
  }
  for (const Subcommand& command : subcommands)
    text += "\n       " + name + " " + command.name + " [options] " + command.arguments;
  return text;
}

std::string CommandSpec::help() const {
  std::ostringstream text;
  text << name << ": " << summary << "\n\n" << usage() << "\n";
  if (!positionals.empty()) {
    text << "\nArguments:\n";
    for (const PositionalSpec& positional : positionals)
      text << "  " << positional.placeholder << ": " << positional.help << "\n";
  }
  if (!subcommands.empty()) text << "\nCommands:\n" << commandList(subcommands);
  std::size_t column = 0;
  for (const OptionSpec& option : options) column = std::max(column, option.shown().size());
  column += 4;
  if (!options.empty()) text << "\nOptions:\n";
  for (const OptionSpec& option : options) {
    std::string shown = "  " + option.shown();
    shown.resize(column, ' ');
    text << shown << wrapped(option.help, column, kHelpWidth - column) << "\n";
  }
  if (!subcommands.empty()) text << "\n`" << name << " COMMAND --help` explains a command.\n";
  if (!epilog.empty()) text << "\n" << epilog << (epilog.back() == '\n' ? "" : "\n");
  return text.str();
}

std::string commandList(const std::vector<Subcommand>& commands) {
  const auto shown = [](const Subcommand& command) {
    return "  " + command.name + (command.arguments.empty() ? "" : " " + command.arguments);
  };
  std::size_t column = 0;
  for (const Subcommand& command : commands)
    if (!command.summary.empty()) column = std::max(column, shown(command).size() + 2);
  std::string text;
  for (const Subcommand& command : commands) {
    if (command.summary.empty()) continue;
    std::string line = shown(command);
    line.resize(column, ' ');
    text += line + wrapped(command.summary, column, kHelpWidth - column) + "\n";
  }
  return text;
}

CommandSpec inspect(int (*command)(const Arguments&)) {
  CommandSpec answer;
  CommandSpec* const before = askedFor;
  askedFor = &answer;
  try {
    command({});
  } catch (...) {
    askedFor = before;
    throw;
  }
  askedFor = before;
  return answer;
}

bool answerInspection(const CommandSpec& spec) {
  if (askedFor == nullptr) return false;
  *askedFor = spec;
  return true;
}

}  // namespace mortise::app
