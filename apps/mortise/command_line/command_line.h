#pragma once

/// The frame of all subcommands: GNU long options, help, wrong usage, messages on stderr, and the registry of plugins.
///
///   CommandLine line("mortise sim", "simulate a world");
///   line.positional("WORLD", "world file");
///   line.option("duration", "TIME", "simulated time, such as 2 or 500ms");
///   line.settings();                                   // --set KEY=VALUE
///   line.withPlugins();                                // --plugin, --plugin-path
///   if (!line.parse(arguments)) return 0;              // --help was printed
///   const double duration = line.quantity("duration", "s", 1.0);
///   auto registry = line.makeRegistry();

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "command_line/command_spec.h"
#include "command_line/commands.h"
#include "mortise/base/log.h"
#include "mortise/plugin/registry.h"

namespace mortise::app {

/// Wrong usage: `main` prints it, points to --help and exits with 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class CommandLine {
 public:
  /// `name` as typed ("mortise sim"); `summary` is one line of help. --help, --json, --quiet and --verbose are there.
  CommandLine(std::string name, std::string summary);
  ~CommandLine();

  // Declarations. Names are given without dashes; "name,n" adds the short form -n.
  CommandLine& flag(const std::string& name, const std::string& help);
  CommandLine& option(const std::string& name, const std::string& placeholder, const std::string& help);
  CommandLine& repeatedOption(const std::string& name, const std::string& placeholder, const std::string& help);
  /// Another long name of the option declared last.
  CommandLine& synonym(const std::string& name);
  /// A long name that the option `name` had in earlier releases; it works, with a note. `convert` makes the value of
  /// today's option from that of the former one.
  CommandLine& formerly(const std::string& former, const std::string& name,
                        std::function<std::string(const std::string&)> convert = nullptr);
  /// Positional arguments, in order. `max` < 0: any number (the last positional only).
  CommandLine& positional(const std::string& placeholder, const std::string& help, int min = 1, int max = 1);
  /// Adds --set KEY=VALUE, repeatable.
  CommandLine& settings();
  /// Adds --plugin FILE and --plugin-path DIR, repeatable.
  CommandLine& withPlugins();
  /// Commands below this one, which its caller runs (`commandNamed`); for --help, the manual page and completion.
  CommandLine& subcommands(std::vector<Subcommand> commands);
  /// Says what an option's values can be, for completion in shells; for a positional argument, `name` is its
  /// placeholder.
  CommandLine& values(const std::string& name, std::vector<std::string> words);
  CommandLine& componentValues(const std::string& name, Kind kind);
  CommandLine& componentValues(const std::string& name);
  /// Adds --allow-outside, for commands that run what files of others describe.
  CommandLine& outputsOfFiles();
  /// Text shown after the options in --help, such as examples.
  CommandLine& epilog(std::string text);

  /// False when --help was printed, or `inspect` asked for the declarations, and there is nothing left to do. Throws
  /// `UsageError`.
  bool parse(const Arguments& arguments);

  // Answers, by the long name.
  bool has(const std::string& name) const;
  std::string text(const std::string& name, const std::string& fallback = {}) const;
  std::vector<std::string> texts(const std::string& name) const;
  /// A number with an optional unit of the dimension of `unit` ("500ms", "2"), in that SI unit.
  double quantity(const std::string& name, const std::string& unit, double fallback) const;
  std::int64_t integer(const std::string& name, std::int64_t fallback) const;
  /// Returns the value of --seed, at least 0; 0 without it.
  std::uint64_t seed() const;
  const std::vector<std::string>& positionals() const;

  bool json() const { return has("json"); }
  bool quiet() const { return has("quiet"); }
  bool verbose() const { return has("verbose"); }
  /// Messages on stderr, with the threshold that --quiet and --verbose ask for.
  LogSink& log() const;
  /// Returns the warnings of the log so far: a list of texts.
  Value warnings() const;

  /// A registry with everything added in the order of the search and discovered: --plugin files, the pipeline's files
  /// and folders (already resolved to paths), --plugin-path, MORTISE_PLUGIN_PATH, the user's folder, the
  /// installation's. What is wrong with plugins goes to the log; throws when a plugin that was named as a file cannot
  /// be used.
  std::unique_ptr<Registry> makeRegistry(const std::vector<std::string>& pipelinePlugins = {}) const;
  /// The same before discovery: for commands that show the problems.
  std::unique_ptr<Registry> collectPlugins(const std::vector<std::string>& pipelinePlugins = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Messages on stderr; the last error is remembered for --json.
class CommandLog final : public LogSink {
 public:
  void write(LogLevel level, std::string_view source, std::string_view message) override;
  void setThreshold(LogLevel threshold) { stderr_.setThreshold(threshold); }
  /// Returns the warnings so far, each text once, for the record of a run; the first thousand.
  Value warnings() const;

 private:
  StderrLog stderr_;
  mutable std::mutex mutex_;
  std::vector<std::string> warnings_;
};
const std::string& lastErrorLogged();

/// Writes text to stdout, control characters written out, and makes sure that it arrived: throws `Error` when it did
/// not (a full disk). Once an `InterruptGuard` has noted that the program is to end, what does not arrive is dropped.
void print(const std::string& text);
/// The same, even with --quiet: for what a command cannot do without, such as the address of a page that it serves.
void printAlways(const std::string& text);
/// Lets `print` write nothing: --quiet, unless --json asks for the result.
void silencePrint(bool silence);
/// Says whether anything was printed so far.
bool hasPrinted();

}  // namespace mortise::app
