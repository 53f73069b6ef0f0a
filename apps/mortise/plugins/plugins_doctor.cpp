#include <algorithm>
#include <cstring>
#include <filesystem>

#include "command_line/command_line.h"
#include "command_line/subprocess.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/inspect/elf_symbols.h"
#include "mortise/json/json_writer.h"
#include "mortise/plugin/manifest.h"
#include "mortise/text/normalize.h"
#include "plugins/plugins_commands.h"

namespace mortise::app {

namespace {

/// The time that a library may take to open and describe itself before it counts as hanging.
constexpr double kProbeSeconds = 30;

struct Finding {
  enum class Level { note, warning, broken } level;
  std::string message;
  std::string hint;
};

struct Report {
  std::string library;  ///< Empty for what is not about one library.
  std::string origin;
  std::string package, version;
  std::int64_t components = 0;
  std::vector<Finding> findings;

  void add(Finding::Level level, std::string message, std::string hint = {}) {
    findings.push_back({level, std::move(message), std::move(hint)});
  }
  Finding::Level worst() const {
    auto worst = Finding::Level::note;
    for (const auto& finding : findings) worst = std::max(worst, finding.level);
    return worst;
  }
};

const char* levelName(Finding::Level level) {
  switch (level) {
    case Finding::Level::note:
      return "note";
    case Finding::Level::warning:
      return "warning";
    case Finding::Level::broken:
      return "broken";
  }
  return "";
}

/// Returns what the probe wrote on stderr, without the prefix that `main` gives to errors.
std::string probeMessage(const ProcessResult& result) {
  std::string text(trimmed(result.messages));
  const std::string prefix = "mortise: error: ";
  if (text.starts_with(prefix)) text.erase(0, prefix.size());
  return text;
}

void probe(const Registry::LibraryInfo& library, Report& report) {
  std::vector<std::string> arguments = {"plugins", "probe", library.path};
  if (!library.sideCar.empty() && library.staleness.empty()) arguments.push_back(library.sideCar);
  const ProcessResult result = runSelf(arguments, kProbeSeconds);
  if (result.timedOut) {
    report.add(Finding::Level::broken,
               "opening it did not end within " + formatReal(kProbeSeconds) + " s (tried in a process of its own)",
               "look for a loop or a lock in static constructors and in the block after MORTISE_PLUGIN");
    return;
  }
  if (result.signal != 0) {
    const std::string said = probeMessage(result);
    report.add(Finding::Level::broken,
               "it crashes when it is opened: signal " + std::to_string(result.signal) + " (" +
                   strsignal(result.signal) + ")" + (said.empty() ? "" : "; it said: " + said),
               "check the static constructors of the library and of what it is linked with");
    return;
  }
  if (result.exitCode != 0) {
    const std::string said = probeMessage(result);
    report.add(Finding::Level::broken,
               said.empty() ? "opening it ends the process with exit code " + std::to_string(result.exitCode) : said);
    return;
  }
  const auto at = result.output.find(kProbeAnswer);
  if (at == std::string::npos) {
    report.add(Finding::Level::broken, "opening it ends the process",
               "look for a call of exit in static constructors and in the block after MORTISE_PLUGIN");
    return;
  }
  if (const std::string said(trimmed(std::string_view(result.output).substr(0, at))); !said.empty())
    report.add(Finding::Level::warning, "it writes to stdout when it is opened, where results go: " + said,
               "write to the host's log instead");
  const Value answer =
      parseYaml(std::string_view(result.output).substr(at + std::strlen(kProbeAnswer)), "answer of the probe");
  report.package = answer.string("package", {});
  report.version = answer.at("version").text();
  report.components = answer.integer("components", 0);
  for (const auto& finding : answer.at("findings").items()) report.add(Finding::Level::broken, finding.asString());
}

void examineSymbols(const std::string& library, Report& report) {
  try {
    std::vector<std::string> others;
    for (const auto& symbol : readElfSymbols(library).exported)
      if (symbol != MORTISE_PLUGIN_SYMBOL) others.push_back(symbol);
    if (others.empty()) return;
    std::string shown = others.front();
    for (std::size_t i = 1; i < others.size() && i < 5; ++i) shown += ", " + others[i];
    if (others.size() > 5) shown += ", ...";
    report.add(Finding::Level::warning,
               "it exports " + std::to_string(others.size()) + " symbols beside " MORTISE_PLUGIN_SYMBOL ": " + shown,
               "build it with mortise_add_plugin, which hides them");
  } catch (const Error&) {
    // Not an ELF file: opening it says so in the loader's words.
  }
}

std::vector<Report> examine(const Registry& registry) {
  std::vector<Report> reports;
  std::vector<std::string> about;  // Files that have a report of their own.
  for (const auto& library : registry.libraries()) {
    about.insert(about.end(), {library.path, library.shownAs, library.sideCar});
    Report report;
    report.library = library.path;
    report.origin = library.origin;
    const std::string fix = "run: mortise plugins describe '" + library.path + "' --write";
    probe(library, report);
    examineSymbols(library.path, report);
    if (library.sideCar.empty())
      report.add(Finding::Level::warning, "it has no side-car manifest, so it is not listed", fix);
    if (!library.staleness.empty())
      report.add(Finding::Level::broken, "its side-car manifest is stale: " + library.staleness, fix);
    for (const auto& link : library.links) report.add(Finding::Level::note, "found through the link " + link);
    for (const auto& shadowed : registry.shadowed()) {
      const std::string what = std::string(kindName(shadowed.hidden.kind)) + " '" + shadowed.hidden.name + "'";
      if (shadowed.hidden.library != library.path) continue;
      if (shadowed.duplicate)
        report.add(Finding::Level::broken, what + " is also offered by '" + shadowed.by + "' in the same folder",
                   "remove one of the two");
      else
        report.add(Finding::Level::note, what + " is hidden by '" + shadowed.by + "', which comes earlier");
    }
    reports.push_back(std::move(report));
  }
  Report general;
  for (const auto& problem : registry.problems().all()) {
    const std::string& file = problem.where.file;
    if (problem.severity == Severity::note ||
        (!file.empty() && std::find(about.begin(), about.end(), file) != about.end()))
      continue;
    general.add(problem.severity == Severity::error ? Finding::Level::broken : Finding::Level::warning,
                (file.empty() ? "" : problem.where.describe() + ": ") + problem.message, problem.hint);
  }
  if (!general.findings.empty()) reports.push_back(std::move(general));
  return reports;
}

std::string asText(const std::vector<Report>& reports) {
  std::string text;
  for (const auto& report : reports) {
    if (report.library.empty()) {
      text += "places\n";
    } else {
      text += report.library + " (" + report.origin + ")\n";
      if (!report.package.empty())
        text += "  opens: " + report.package + " " + report.version + ", " + std::to_string(report.components) +
                " components\n";
    }
    for (const auto& finding : report.findings) {
      text += "  " + std::string(levelName(finding.level)) + ": " + finding.message + "\n";
      if (!finding.hint.empty()) text += "    hint: " + finding.hint + "\n";
    }
  }
  return text;
}

Value asValue(const std::vector<Report>& reports) {
  Value list = Value::list();
  for (const auto& report : reports) {
    Value value = Value::map();
    value.set("library", report.library);
    value.set("origin", report.origin);
    value.set("package", report.package);
    value.set("version", report.version);
    value.set("components", report.components);
    const auto worst = report.worst();
    value.set("status", worst == Finding::Level::note ? "ok" : levelName(worst));
    Value findings = Value::list();
    for (const auto& finding : report.findings) {
      Value item = Value::map();
      item.set("level", levelName(finding.level));
      item.set("message", finding.message);
      item.set("hint", finding.hint);
      findings.push_back(std::move(item));
    }
    value.set("findings", std::move(findings));
    list.push_back(std::move(value));
  }
  return list;
}

}  // namespace

int pluginsDoctor(const Arguments& arguments) {
  CommandLine line("mortise plugins doctor", "examine plugins, each in a process of its own");
  line.positional("LIBRARY", "libraries to examine; without any, all that are found", 0, -1);
  line.withPlugins();
  line.epilog("Exit code 1 when something is broken.");
  if (!line.parse(arguments)) return 0;

  std::unique_ptr<Registry> registry;
  if (line.positionals().empty()) {
    registry = line.collectPlugins();
  } else {
    registry = std::make_unique<Registry>(line.log());
    for (const auto& library : line.positionals()) registry->addFile(library, "command line");
  }
  registry->discover(false);  // This process opens none of them, so none can take it down.
  const auto reports = examine(*registry);
  int broken = 0, warned = 0, libraries = 0;
  for (const auto& report : reports) {
    broken += report.worst() == Finding::Level::broken;
    warned += report.worst() == Finding::Level::warning;
    libraries += !report.library.empty();
  }
  if (line.json())
    print(toJson(asValue(reports)) + "\n");
  else
    print(asText(reports) + (reports.empty() ? "" : "\n") + std::to_string(libraries) + " libraries, " +
          std::to_string(broken) + " broken, " + std::to_string(warned) + " with warnings\n");
  return broken > 0 ? 1 : 0;
}

}  // namespace mortise::app
