#include "command_line/resource_options.h"

#include "mortise/text/diagnostic_kinds.h"
#include "mortise/text/suggest.h"

namespace mortise::app {

void addResourceOptions(CommandLine& line) {
  line.repeatedOption("package", "NAME=DIR",
                      "folder of a package that files refer to as package://NAME; may be repeated");
}

ResourcePath resourcePath(const CommandLine& line) {
  ResourcePath paths;
  for (const std::string& text : line.texts("package")) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      throw UsageError("--package needs NAME=DIR, not '" + text + "'");
    paths.addPackage(text.substr(0, equals), text.substr(equals + 1));
  }
  return paths;
}

std::optional<FileContent> contentOption(const CommandLine& line, const std::vector<std::string>& kinds) {
  const std::string name = line.text("as");
  if (name.empty()) return std::nullopt;
  const std::optional<FileContent> kind = contentFromName(name);
  if (kind && std::find(kinds.begin(), kinds.end(), name) != kinds.end()) return kind;
  const std::string near = didYouMean(name, kinds);
  throw UsageError("--as takes one of " + nameList(kinds, 40) + ", not '" + name + "'" +
                   (near.empty() ? "" : "; " + near));
}

void printWarnings(const CommandLine& line, const Diagnostics& diagnostics) {
  if (line.has("strict") && diagnostics.warningCount() > 0) {  // Collected without regard to it.
    Diagnostics refused;
    refused.setStrict(true);
    refused.append(diagnostics);
    refused.throwIfErrors();
  }
  for (const DiagnosticKind& kind : diagnosticKinds(diagnostics.all())) {
    const Diagnostic& problem = kind.first;
    // The log says "warning" of its own.
    if (problem.severity == Severity::warning)
      line.log().write(LogLevel::warning, "mortise", Error(problem.message, problem.where, problem.hint).what());
    else if (problem.severity == Severity::note)
      line.log().write(LogLevel::info, "mortise", problem.format());
    for (const Diagnostic& more : kind.more)
      line.log().write(LogLevel::debug, "mortise", Error(more.message, more.where, more.hint).what());
  }
}

Value diagnosticsValue(const Diagnostics& diagnostics) {
  Value list = Value::list();
  for (const Diagnostic& problem : diagnostics.all()) {
    Value entry = Value::map();
    entry.set("severity", problem.severity == Severity::error     ? "error"
                          : problem.severity == Severity::warning ? "warning"
                                                                  : "note");
    entry.set("message", problem.message);
    entry.set("where", problem.where.describe());
    entry.set("hint", problem.hint);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace mortise::app
