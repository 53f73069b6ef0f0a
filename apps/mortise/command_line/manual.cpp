#include "command_line/manual.h"

#include <set>
#include <sstream>

namespace mortise::app {

namespace {

/// Text as troff prints it: hyphens stay hyphens that can be copied, nothing is taken for a request.
std::string escaped(const std::string& text) {
  std::string result;
  bool lineStart = true;
  for (const char c : text) {
    if (lineStart && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '\'')
      result += "\\(aq";
    else if (c == '`')
      result += "\\(ga";
    else if (c == '^')
      result += "\\(ha";
    else if (c == '~')
      result += "\\(ti";
    else
      result += c;
    lineStart = c == '\n';
  }
  return result;
}

std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + escaped(text) + "\\fR"; }

/// Options that every command has are explained once.
const std::set<std::string>& commonOptions() {
  static const std::set<std::string> names = {"help", "json", "quiet", "verbose"};
  return names;
}

void writeOption(const OptionSpec& option, std::ostream& out) {
  out << ".TP\n";
  if (!option.shortName.empty()) out << bold("-" + option.shortName) << ", ";
  out << bold("--" + option.name);
  if (!option.placeholder.empty()) out << " " << italic(option.placeholder);
  out << "\n" << escaped(option.help) << "\n";
}

/// Indented lines, such as examples, keep their form; others are paragraphs.
void writeText(const std::string& text, std::ostream& out) {
  std::istringstream lines(text);
  bool verbatim = false, paragraph = false;
  const auto end = [&] {
    if (verbatim) out << ".EE\n.RE\n";
    verbatim = paragraph = false;
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      end();
      continue;
    }
    const bool indented = line.starts_with("  ");
    if (indented != verbatim) end();
    if (indented && !verbatim) out << ".PP\n.RS 4\n.EX\n";
    if (!indented && !paragraph) out << ".PP\n";
    verbatim = indented;
    paragraph = !indented;
    out << escaped(indented ? line.substr(2) : line) << "\n";
  }
  end();
}

std::string usageWords(const CommandSpec& command) {
  std::string text = bold(command.name) + " [options]";
  for (const PositionalSpec& positional : command.positionals) {
    std::string shown = italic(positional.placeholder);
    if (positional.max < 0 || positional.max > 1) shown += "...";
    text += positional.min == 0 ? " [" + shown + "]" : " " + shown;
  }
  return text;
}

/// The commands themselves, in the order of --help. `path` is what was typed to come here: a command that is there
/// under two names is explained under its own.
void writeCommands(int (*function)(const Arguments&), const std::string& path, std::ostream& out) {
  const CommandSpec command = inspect(function);
  if (command.name != path) return;
  if (!command.positionals.empty() || !command.options.empty()) {
    out << ".SS " << usageWords(command) << "\n";
    out << escaped(command.summary) << ".\n";
    for (const PositionalSpec& positional : command.positionals)
      out << ".TP\n" << italic(positional.placeholder) << "\n" << escaped(positional.help) << "\n";
    for (const OptionSpec& option : command.options)
      if (commonOptions().count(option.name) == 0) writeOption(option, out);
    if (!command.epilog.empty()) writeText(command.epilog, out);
  }
  for (const Subcommand& below : command.subcommands)
    if (below.function != nullptr && !below.summary.empty())
      writeCommands(below.function, path + " " + below.name, out);
}

/// Options that all commands have, from the first one that has them.
void writeCommonOptions(const CommandSpec& program, std::ostream& out) {
  for (const Subcommand& command : program.subcommands) {
    if (command.function == nullptr) continue;
    const CommandSpec spec = inspect(command.function);
    if (spec.options.empty()) continue;
    for (const OptionSpec& option : spec.options)
      if (commonOptions().count(option.name) > 0) writeOption(option, out);
    return;
  }
}

constexpr const char* kEnd = R"(.SH EXIT STATUS
.TP
.B 0
The command is done.
.TP
.B 1
It failed; the reason is on the standard error.
.TP
.B 2
Wrong usage.
.TP
.B 130
It was interrupted by Ctrl\-C; what was done until then is kept.
.SH ENVIRONMENT
.TP
.B MORTISE_PLUGIN_PATH
Folders with plugins, separated by colons, searched before the user\(aqs and the installation\(aqs.
.TP
.B MORTISE_CHECKS
1: arguments of functions are checked as in tests, also where that takes time, such as for numbers that are not finite.
.TP
.BR ROS_PACKAGE_PATH ", " AMENT_PREFIX_PATH
Where folders of packages are looked for that files refer to as package://NAME.
.TP
.B NO_COLOR
Set: messages have no colors.
.SH FILES
.TP
.I ~/.local/share/mortise/plugins
Plugins of the user (below XDG_DATA_HOME where that is set).
.SH SEE ALSO
The pages of the documentation, docs/ in the sources.
)";

}  // namespace

std::string manualPage(int (*program)(const Arguments&)) {
  const CommandSpec spec = inspect(program);
  std::ostringstream out;
  out << ".TH MORTISE 1 \"\" \"Mortise " MORTISE_VERSION "\" \"User Commands\"\n"
      << ".SH NAME\nmortise \\- " << escaped(spec.summary) << "\n"
      << ".SH SYNOPSIS\n.B mortise\n.I COMMAND\n[options] [arguments]\n"
      << ".SH DESCRIPTION\n";
  for (const Subcommand& command : spec.subcommands) {
    if (command.summary.empty()) continue;
    out << ".TP\n" << bold(command.name) << "\n" << escaped(command.summary) << "\n";
  }
  writeText(spec.epilog, out);
  out << ".SH OPTIONS\nEvery command has these:\n";
  writeCommonOptions(spec, out);
  out << ".SH COMMANDS\n";
  for (const Subcommand& command : spec.subcommands)
    if (command.function != nullptr && !command.summary.empty())
      writeCommands(command.function, spec.name + " " + command.name, out);
  return out.str() + kEnd;
}

}  // namespace mortise::app
