#include "command_line/completion.h"

#include <algorithm>
#include <set>

#include "command_line/command_group.h"
#include "command_line/command_line.h"
#include "mortise/plugin/registry.h"

namespace mortise::app {

namespace {

/// The part of a command line that stands before the cursor.
struct Place {
  CommandSpec command;
  std::set<std::string> given;               ///< Options, by long name.
  std::size_t positionals = 0;               ///< The number of those before the cursor.
  const OptionSpec* valueOf = nullptr;       ///< The option whose value stands at the cursor.
  bool onlyPositionals = false;              ///< "--" stands before the cursor.
  std::vector<std::string> pluginArguments;  ///< --plugin and --plugin-path with their values.
};

const OptionSpec* optionNamed(const CommandSpec& command, const std::string& word) {
  for (const OptionSpec& option : command.options) {
    if (word == "--" + option.name || (!option.shortName.empty() && word == "-" + option.shortName)) return &option;
    if (word.starts_with("--" + option.name + "=")) return &option;
  }
  return nullptr;
}

Place placeOf(int (*program)(const Arguments&), const std::vector<std::string>& words) {
  Place place;
  place.command = inspect(program);
  const std::size_t last = words.empty() ? 0 : words.size() - 1;
  std::size_t i = 0;
  for (; i < last; ++i) {  // "help robot" is about what "robot" is about.
    if (i == 0 && words[i] == "help") continue;
    const Subcommand* below = commandNamed(place.command.subcommands, {words[i]});
    if (below == nullptr) break;
    place.command = inspect(below->function);
  }
  for (; i < last; ++i) {
    const std::string& word = words[i];
    if (place.onlyPositionals || word.size() < 2 || word[0] != '-') {
      ++place.positionals;
      continue;
    }
    if (word == "--") {
      place.onlyPositionals = true;
      continue;
    }
    const OptionSpec* option = optionNamed(place.command, word);
    if (option == nullptr) continue;
    place.given.insert(option->name);
    const bool hasValue = word.find('=') != std::string::npos && word.starts_with("--");
    if (option->placeholder.empty() || option->placeholder[0] == '[' || hasValue) continue;
    if (i + 1 == last) {
      place.valueOf = option;
      break;
    }
    ++i;
    if (option->name == "plugin" || option->name == "plugin-path") {
      place.pluginArguments.push_back("--" + option->name);
      place.pluginArguments.push_back(words[i]);
    }
  }
  return place;
}

std::string firstLine(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  std::replace(line.begin(), line.end(), '\t', ' ');
  return line;
}

/// The names of a component as people write them: its aliases, if it has any; the full name where `begun` has a dot.
std::vector<std::string> completionNames(const ComponentInfo& info, const std::string& begun) {
  if (begun.find('.') != std::string::npos) return {info.name};
  return info.aliases.empty() ? std::vector<std::string>{info.name} : info.aliases;
}

void addComponents(const ValueNames& values, const std::vector<std::string>& pluginArguments, const std::string& begun,
                   std::vector<Candidate>& candidates) {
  CommandLine line("mortise complete", "");
  line.withPlugins();
  Arguments arguments = pluginArguments;
  arguments.push_back("--quiet");
  if (!line.parse(arguments)) return;
  silencePrint(false);  // Candidates are the answer; --quiet is about messages on the way.
  const auto registry = line.collectPlugins();
  registry->discover(false);  // Pressing a key opens no library.
  for (const ComponentInfo& info : registry->components()) {
    if (!values.anyComponent && info.kind != *values.kind) continue;
    for (const std::string& name : completionNames(info, begun)) candidates.push_back({name, firstLine(info.summary)});
  }
}

void addValues(const ValueNames& values, const std::string& placeholder, const Place& place, const std::string& begun,
               Completion& completion) {
  for (const std::string& word : values.words) completion.candidates.push_back({word, {}});
  if (values.kind || values.anyComponent) addComponents(values, place.pluginArguments, begun, completion.candidates);
  if (!values.empty()) return;
  static const std::set<std::string> kFiles = {"FILE", "WHERE", "GOAL", "OUT", "IN"};
  if (placeholder == "DIR") completion.files = Completion::Files::folders;
  if (kFiles.count(placeholder) > 0) completion.files = Completion::Files::files;
}

void addOptions(const Place& place, std::vector<Candidate>& candidates) {
  for (const OptionSpec& option : place.command.options)
    if (option.repeated || place.given.count(option.name) == 0)
      candidates.push_back({"--" + option.name, firstLine(option.help)});
}

void addArguments(const Place& place, const std::string& begun, Completion& completion) {
  if (place.positionals == 0 && !place.onlyPositionals)
    for (const Subcommand& command : place.command.subcommands)
      if (!command.summary.empty() && command.name.find(' ') == std::string::npos)
        completion.candidates.push_back({command.name, firstLine(command.summary)});
  const auto& positionals = place.command.positionals;
  std::size_t before = 0;
  for (const PositionalSpec& positional : positionals) {
    const bool here = positional.max < 0 || place.positionals < before + static_cast<std::size_t>(positional.max);
    before += static_cast<std::size_t>(std::max(positional.max, 0));
    if (!here) continue;
    // Arguments are files unless their declaration names what else they are.
    const bool names = positional.placeholder == "NAME" || positional.placeholder == "KEY";
    addValues(positional.values, names ? positional.placeholder : "FILE", place, begun, completion);
    return;
  }
}

}  // namespace

Completion complete(int (*program)(const Arguments&), const std::vector<std::string>& words) {
  const Place place = placeOf(program, words);
  const std::string begun = words.empty() ? std::string() : words.back();
  Completion completion;
  std::string head;  // "--backend=", where the value follows in the same word.
  if (place.valueOf != nullptr) {
    addValues(place.valueOf->values, place.valueOf->placeholder, place, begun, completion);
  } else if (const std::size_t equals = begun.find('=');
             !place.onlyPositionals && begun.starts_with("--") && equals != std::string::npos) {
    head = begun.substr(0, equals + 1);
    const OptionSpec* option = optionNamed(place.command, begun);
    if (option != nullptr && !option->placeholder.empty())
      addValues(option->values, option->placeholder, place, begun.substr(equals + 1), completion);
  } else if (begun.starts_with("-") && !place.onlyPositionals) {
    addOptions(place, completion.candidates);
  } else {
    addArguments(place, begun, completion);
  }
  for (Candidate& candidate : completion.candidates) candidate.word = head + candidate.word;
  std::erase_if(completion.candidates, [&](const Candidate& each) { return !each.word.starts_with(begun); });
  return completion;
}

int printCompletion(int (*program)(const Arguments&), const Arguments& arguments) {
  const bool parted = !arguments.empty() && arguments.front() == "--";
  const Completion completion = complete(program, {arguments.begin() + (parted ? 1 : 0), arguments.end()});
  std::string text;
  for (const Candidate& candidate : completion.candidates)
    text += candidate.word + (candidate.description.empty() ? "" : "\t" + candidate.description) + "\n";
  if (completion.files == Completion::Files::files) text += ":files\n";
  if (completion.files == Completion::Files::folders) text += ":folders\n";
  print(text);
  return 0;
}

int completionCommand(const Arguments& arguments) {
  CommandLine line("mortise completion", "print a script that completes command lines of mortise in a shell");
  line.positional("SHELL", "bash, zsh or fish")
      .values("SHELL", {"bash", "zsh", "fish"})
      .epilog(
          "An installation has these scripts where the shells look for them. Otherwise:\n"
          "  bash   eval \"$(mortise completion bash)\"        in ~/.bashrc\n"
          "  zsh    eval \"$(mortise completion zsh)\"         in ~/.zshrc, after compinit\n"
          "  fish   mortise completion fish | source         in ~/.config/fish/config.fish\n");
  if (!line.parse(arguments)) return 0;
  const std::string script = completionScript(line.positionals().front());
  if (script.empty())
    throw UsageError("there is no completion for '" + line.positionals().front() + "'\n  available: bash, zsh, fish");
  print(script);
  return 0;
}

}  // namespace mortise::app
