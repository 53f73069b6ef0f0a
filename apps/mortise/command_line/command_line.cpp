#include "command_line/command_line.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "command_line/interrupt.h"
#include "mortise/base/error.h"
#include "mortise/base/units.h"
#include "mortise/pipeline/stages/stages.h"
#include "mortise/plugin/declaration_check.h"
#include "mortise/settings/output_path.h"
#include "mortise/text/printable.h"
#include "mortise/text/suggest.h"

namespace mortise::app {

namespace po = boost::program_options;

namespace {

struct FormerOption {
  std::string former, name;
  std::function<std::string(const std::string&)> convert;
};

}  // namespace

struct CommandLine::State {
  CommandSpec spec;
  po::options_description options;
  std::vector<std::string> given;
  po::variables_map values;
  std::vector<FormerOption> former;
  std::unique_ptr<CommandLog> log = std::make_unique<CommandLog>();

  OptionSpec& declare(const std::string& name, std::string placeholder, const std::string& help) {
    const auto comma = name.find(',');
    spec.options.push_back({name.substr(0, comma),
                            comma == std::string::npos ? "" : name.substr(comma + 1),
                            std::move(placeholder),
                            help,
                            false,
                            {}});
    return spec.options.back();
  }

  ValueNames& valuesOf(const std::string& name) {
    for (OptionSpec& option : spec.options)
      if (option.name == name) return option.values;
    for (PositionalSpec& positional : spec.positionals)
      if (positional.placeholder == name) return positional.values;
    throw std::logic_error("values of '" + name + "', which is not declared");
  }

  /// Options by the names that they are declared with; notes go to `notes`.
  Arguments byTheirNames(Arguments arguments, std::vector<std::string>& notes) const {
    const auto isCalled = [](const std::string& argument, const std::string& name) {
      return argument == "--" + name || argument.starts_with("--" + name + "=");
    };
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      std::string& argument = arguments[i];
      if (argument == "--") break;
      for (const OptionSpec& option : spec.options)
        for (const std::string& synonym : option.synonyms)
          if (isCalled(argument, synonym)) argument = "--" + option.name + argument.substr(2 + synonym.size());
      for (const FormerOption& option : former) {
        if (!isCalled(argument, option.former)) continue;
        const bool joined = argument.size() > 2 + option.former.size();
        const std::string value = joined ? argument.substr(3 + option.former.size()) : "";
        if (joined)
          argument = "--" + option.name + "=" + (option.convert ? option.convert(value) : value);
        else
          argument = "--" + option.name;
        if (!joined && option.convert && i + 1 < arguments.size()) arguments[i + 1] = option.convert(arguments[i + 1]);
        notes.push_back("--" + option.former + " is called --" + option.name + " now" +
                        (option.convert ? ", with another meaning of its value; see --help" : ""));
        break;
      }
    }
    return arguments;
  }

  [[noreturn]] void wrong(const std::string& message) const {
    throw UsageError(message + "\n" + spec.usage() + "\n  hint: `" + spec.name + " --help` explains every option");
  }
};

CommandLine::CommandLine(std::string name, std::string summary) : state_(std::make_unique<State>()) {
  state_->spec.name = std::move(name);
  state_->spec.summary = std::move(summary);
  flag("help,h", "print this help");
  flag("json", "print the result as JSON on stdout");
  flag("quiet,q", "print errors only");
  flag("verbose,v", "print what is being done");
}

CommandLine::~CommandLine() = default;

CommandLine& CommandLine::flag(const std::string& name, const std::string& help) {
  state_->options.add_options()(name.c_str(), help.c_str());
  state_->declare(name, {}, help);
  return *this;
}

CommandLine& CommandLine::option(const std::string& name, const std::string& placeholder, const std::string& help) {
  state_->options.add_options()(name.c_str(), po::value<std::string>()->value_name(placeholder), help.c_str());
  state_->declare(name, placeholder, help);
  return *this;
}

CommandLine& CommandLine::repeatedOption(const std::string& name, const std::string& placeholder,
                                         const std::string& help) {
  state_->options.add_options()(
      name.c_str(), po::value<std::vector<std::string>>()->composing()->value_name(placeholder), help.c_str());
  state_->declare(name, placeholder, help).repeated = true;
  return *this;
}

CommandLine& CommandLine::synonym(const std::string& name) {
  state_->spec.options.back().synonyms.push_back(name);
  return *this;
}

CommandLine& CommandLine::formerly(const std::string& former, const std::string& name,
                                   std::function<std::string(const std::string&)> convert) {
  state_->former.push_back({former, name, std::move(convert)});
  return *this;
}

CommandLine& CommandLine::positional(const std::string& placeholder, const std::string& help, int min, int max) {
  state_->spec.positionals.push_back({placeholder, help, min, max, {}});
  return *this;
}

CommandLine& CommandLine::settings() {
  return repeatedOption("set", "KEY=VALUE", "override a setting, such as simulation.backend=bullet; may be repeated");
}

CommandLine& CommandLine::withPlugins() {
  repeatedOption("plugin", "FILE", "use this plugin library before all others; may be repeated");
  return repeatedOption("plugin-path", "DIR", "look for plugins in this folder as well; may be repeated");
}

CommandLine& CommandLine::subcommands(std::vector<Subcommand> commands) {
  state_->spec.subcommands = std::move(commands);
  return *this;
}

CommandLine& CommandLine::values(const std::string& name, std::vector<std::string> words) {
  state_->valuesOf(name).words = std::move(words);
  return *this;
}

CommandLine& CommandLine::componentValues(const std::string& name, Kind kind) {
  state_->valuesOf(name).kind = kind;
  return *this;
}

CommandLine& CommandLine::componentValues(const std::string& name) {
  state_->valuesOf(name).anyComponent = true;
  return *this;
}

CommandLine& CommandLine::outputsOfFiles() {
  return flag("allow-outside",
              "let files name output files anywhere (recorders, logs of controllers); by default below the folder of "
              "the run only");
}

CommandLine& CommandLine::epilog(std::string text) {
  state_->spec.epilog = std::move(text);
  return *this;
}

bool CommandLine::parse(const Arguments& words) {
  State& s = *state_;
  std::vector<std::string> notes;
  const Arguments arguments = s.byTheirNames(words, notes);
  if (answerInspection(s.spec)) return false;
  po::options_description all;
  all.add(s.options);
  all.add_options()(" positional", po::value<std::vector<std::string>>());
  po::positional_options_description positions;
  positions.add(" positional", -1);
  try {
    // Exact names only: an abbreviation that works today would be ambiguous after the next release.
    const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(arguments).options(all).positional(positions).style(style).run(), s.values);
    po::notify(s.values);
  } catch (const po::unknown_option& e) {
    const std::string given = e.get_option_name();
    const std::string bare = given.substr(std::min(given.find_first_not_of('-'), given.size()));
    std::vector<std::string> names;
    for (const auto& option : s.spec.options) names.push_back(option.name);
    const std::string nearest = nearestName(bare, names);
    s.wrong("unknown option '" + given + "'" + (nearest.empty() ? "" : "; did you mean '--" + nearest + "'?"));
  } catch (const po::error& e) {
    s.wrong(e.what());
  }
  if (s.values.count("help") != 0) {
    print(s.spec.help());
    return false;
  }
  if (s.values.count(" positional") != 0) s.given = s.values[" positional"].as<std::vector<std::string>>();
  std::size_t min = 0, max = 0;
  for (const auto& positional : s.spec.positionals) {
    if (s.given.size() < min + static_cast<std::size_t>(positional.min))
      s.wrong("missing argument " + positional.placeholder + " (" + positional.help + ")");
    min += static_cast<std::size_t>(positional.min);
    max = positional.max < 0 || max == std::string::npos ? std::string::npos
                                                         : max + static_cast<std::size_t>(positional.max);
  }
  if (s.given.size() > max) s.wrong("unexpected argument '" + s.given[max] + "'");
  if (quiet() && verbose()) s.wrong("--quiet and --verbose exclude each other");
  if (has("allow-outside")) allowOutputOutside(true);
  silencePrint(quiet() && !json());
  s.log->setThreshold(quiet() ? LogLevel::error : verbose() ? LogLevel::debug : LogLevel::info);
  for (const std::string& note : notes) s.log->write(LogLevel::info, s.spec.name, note);
  return true;
}

bool CommandLine::has(const std::string& name) const { return state_->values.count(name) != 0; }

std::string CommandLine::text(const std::string& name, const std::string& fallback) const {
  return has(name) ? state_->values[name].as<std::string>() : fallback;
}

std::vector<std::string> CommandLine::texts(const std::string& name) const {
  return has(name) ? state_->values[name].as<std::vector<std::string>>() : std::vector<std::string>();
}

double CommandLine::quantity(const std::string& name, const std::string& unit, double fallback) const {
  if (!has(name)) return fallback;
  std::string problem;
  const auto number = parseQuantity(text(name), unit, problem);
  if (!number) state_->wrong("--" + name + ": " + problem);
  return *number;
}

std::int64_t CommandLine::integer(const std::string& name, std::int64_t fallback) const {
  if (!has(name)) return fallback;
  const std::string given = text(name);
  std::int64_t number = 0;
  const auto result = std::from_chars(given.data(), given.data() + given.size(), number);
  if (result.ec != std::errc() || result.ptr != given.data() + given.size())
    state_->wrong("--" + name + " needs an integer, not '" + given + "'");
  return number;
}

std::uint64_t CommandLine::seed() const {
  const std::int64_t number = integer("seed", 0);
  if (number < 0) state_->wrong("--seed needs an integer of at least 0, not '" + text("seed") + "'");
  return static_cast<std::uint64_t>(number);
}

const std::vector<std::string>& CommandLine::positionals() const { return state_->given; }

LogSink& CommandLine::log() const { return *state_->log; }

Value CommandLine::warnings() const { return state_->log->warnings(); }

std::unique_ptr<Registry> CommandLine::collectPlugins(const std::vector<std::string>& pipelinePlugins) const {
  auto registry = std::make_unique<Registry>(log());
  for (const auto& file : texts("plugin")) registry->addFile(file, "--plugin");
  for (const auto& plugin : pipelinePlugins) {
    std::error_code ec;
    if (std::filesystem::is_directory(plugin, ec))
      registry->addFolder(plugin, "pipeline");
    else
      registry->addFile(plugin, "pipeline");
  }
  for (const auto& folder : texts("plugin-path")) registry->addFolder(folder, "--plugin-path");
  registry->addStandardFolders();
  addPipelineStages(*registry);
  return registry;
}

std::unique_ptr<Registry> CommandLine::makeRegistry(const std::vector<std::string>& pipelinePlugins) const {
  auto registry = collectPlugins(pipelinePlugins);
  registry->discover();
  registry->problems().throwIfErrors("a plugin that was asked for cannot be used");
  for (const auto& problem : registry->problems().all())
    log().write(problem.severity == Severity::note ? LogLevel::debug : LogLevel::warning, "plugins",
                problem.where.known() || !problem.hint.empty()
                    ? Error(problem.message, problem.where, problem.hint).what()
                    : problem.message);
  // Files that are named are examined here; `plugins doctor` examines the others.
  for (const ComponentInfo& info : registry->components())
    if (info.origin == "--plugin" || info.origin == "pipeline")
      for (const std::string& fault : declarationFaults(info)) log().write(LogLevel::warning, "plugins", fault);
  return registry;
}

namespace {

bool printed = false, silent = false;
std::string lastError;

}  // namespace

void silencePrint(bool silence) { silent = silence; }

void print(const std::string& text) {
  if (!silent) printAlways(text);
}

void printAlways(const std::string& text) {
  errno = 0;
  std::cout << printable(text) << std::flush;
  printed = true;
  if (std::cout) return;
  const int problem = errno;
  if (!endsInOrder(problem)) throw Error("cannot write to the standard output: " + std::string(std::strerror(problem)));
  std::cout.clear();
}

bool hasPrinted() { return printed; }

const std::string& lastErrorLogged() { return lastError; }

Value CommandLog::warnings() const {
  const std::lock_guard lock(mutex_);
  return Value(warnings_);
}

void CommandLog::write(LogLevel level, std::string_view source, std::string_view message) {
  constexpr std::size_t kMaxWarnings = 1000;
  if (level == LogLevel::warning) {
    const std::lock_guard lock(mutex_);
    std::string text(message);
    // The run does not repeat warnings of the check.
    if (std::find(warnings_.begin(), warnings_.end(), text) != warnings_.end()) return;
    if (warnings_.size() < kMaxWarnings) warnings_.push_back(std::move(text));
  }
  if (level == LogLevel::error) lastError = message;
  stderr_.write(level, source, message);
}

}  // namespace mortise::app
