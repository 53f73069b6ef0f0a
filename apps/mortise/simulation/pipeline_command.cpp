#include "simulation/pipeline_command.h"

#include <algorithm>
#include <tuple>

#include "mortise/inspect/world_check.h"
#include "mortise/pipeline/pipeline_run.h"
#include "mortise/plugin/library.h"
#include "mortise/settings/permissions.h"

namespace mortise::app {

namespace {

/// In the order of the file, and only the first at each place: what follows there is mostly its consequence.
Diagnostics inFileOrder(const Diagnostics& diagnostics) {
  std::vector<Diagnostic> list = diagnostics.all();
  const auto place = [](const Diagnostic& d) { return std::tie(d.where.file, d.where.line, d.where.column); };
  std::stable_sort(list.begin(), list.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
  Diagnostics result;
  result.setStrict(diagnostics.strict());
  const Diagnostic* last = nullptr;
  for (const Diagnostic& diagnostic : list) {
    const bool samePlace = last != nullptr && diagnostic.where.line > 0 && place(*last) == place(diagnostic);
    if (samePlace && diagnostic.severity == Severity::error) continue;
    result.add(diagnostic);
    if (diagnostic.severity == Severity::error) last = &diagnostic;
  }
  return result;
}

}  // namespace

CheckedPipeline::CheckedPipeline(const CommandLine& line, const std::string& file, Trust trust) : file_(file) {
  checkOnly(trust == Trust::descriptions);
  std::vector<std::string> settings = line.texts("set");
  if (line.has("seed")) settings.push_back("seed=" + std::to_string(line.seed()));
  diagnostics_.setStrict(line.has("strict"));
  PipelineFile pipelineFile = loadPipelineFile(file, settings, diagnostics_);
  registry_ = line.collectPlugins(pipelineFile.plugins(diagnostics_));
  registry_->discover(trust == Trust::libraries);
  if (!permissionsOf(Origin::pipeline).runs) keepPluginsClosed(line.log());
  for (const Diagnostic& problem : registry_->problems().all()) {
    if (problem.severity == Severity::error)
      diagnostics_.add(problem);
    else
      line.log().write(problem.severity == Severity::note ? LogLevel::debug : LogLevel::warning, "plugins",
                       Error(problem.message, problem.where, problem.hint).what());
  }
  loader_ = std::make_unique<FormatLoader>(*registry_, line.log());
  pipeline_ = checkPipeline(std::move(pipelineFile), *registry_, *loader_, line.log(), diagnostics_);
  checkStages(pipeline_, *registry_, *loader_, line.log(), diagnostics_);
  diagnostics_ = inFileOrder(diagnostics_);
}

CheckedPipeline& CheckedPipeline::withWorld() {
  if (pipeline_.worldLoaded) checkWorldContents(pipeline_.world, *registry_, diagnostics_);
  diagnostics_ = inFileOrder(diagnostics_);
  return *this;
}

void CheckedPipeline::keepPluginsClosed(LogSink& log) const {
  for (const Registry::LibraryInfo& library : registry_->libraries()) {
    if (library.origin != "pipeline") continue;
    Library::keepClosed(library.path);
    if (!library.described)
      log.write(LogLevel::warning, "config",
                "what '" + library.path +
                    "' offers cannot be checked: it has no description that can be used, and a check opens no library "
                    "that a pipeline names (--plugin " +
                    library.path + " opens it)");
  }
}

void CheckedPipeline::throwIfErrors() const {
  const int count = diagnostics_.errorCount();
  diagnostics_.throwIfErrors("'" + file_ + "' cannot be run: " + std::to_string(count) +
                             (count == 1 ? " problem" : " problems"));
}

}  // namespace mortise::app
