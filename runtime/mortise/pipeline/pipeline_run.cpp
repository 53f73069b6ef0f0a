#include "mortise/pipeline/pipeline_run.h"

#include <filesystem>

#include "mortise/base/resources.h"
#include "mortise/base/value_text.h"
#include "mortise/pipeline/lock_file.h"
#include "mortise/pipeline/pipeline_context.h"
#include "mortise/pipeline/run_directory.h"
#include "mortise/pipeline/simulation_setup.h"
#include "mortise/plugin/guard.h"
#include "mortise/simulation/component_slots.h"

namespace mortise {

std::string_view runStatusName(RunStatus status) {
  switch (status) {
    case RunStatus::done:
      return "done";
    case RunStatus::failed:
      return "failed";
    case RunStatus::interrupted:
      return "interrupted";
  }
  return "failed";
}

void checkStages(const Pipeline& pipeline, Registry& registry, FormatLoader& loader, LogSink& log,
                 Diagnostics& diagnostics) {
  PipelineContext context(pipeline, registry, loader, log, nullptr, {}, {});
  for (const PipelineStage& stage : pipeline.stages) {
    // A stage with settings that are wrong is asked all the same, for whatever else is wrong with it; but when it
    // cannot be made of them, that was reported already.
    Diagnostics settings;
    stage.info->schema.complete(stage.settings, stage.label, settings);
    std::string problem;
    try {
      const ComponentPtr<Stage> component = context.create(stage);
      const ComponentStatus status =
          guarded(stage.label, "check", problem, [&] { component->check(context, diagnostics); });
      // Later stages may refer to what this one will leave.
      if (const Value* save = stage.settings.find("save"); save != nullptr && save->isString())
        context.saveResult(save->asString(), Value());
      if (status == ComponentStatus::ok) continue;
    } catch (const Error& error) {
      problem = error.what();
    }
    if (!settings.hasErrors()) diagnostics.error(problem, stage.position);
  }
  if (diagnostics.hasErrors() || !pipeline.worldLoaded) return;
  // Making the components finds what their settings alone cannot tell: files that are missing or cannot be read.
  NullLog silence;
  ChannelTable channels;
  const SimulationOptions options = makeSimulationOptions(context, {}, diagnostics);
  (void)createComponents(pipeline.world, registry, &loader, silence, options, channels, diagnostics);
}

namespace {

void writeResult(const std::string& directory, const Value& result) {
  writeFile((std::filesystem::path(directory) / "result.json").string(), toJson(result));
}

}  // namespace

RunOutcome runPipeline(const Pipeline& pipeline, Registry& registry, FormatLoader& loader, LogSink& log,
                       const RunOptions& options) {
  RunOutcome outcome;
  outcome.wasLocked = pipeline.file.root.contains("locked");
  outcome.notReproduced = changesSinceLock(pipeline, registry);
  outcome.directory = makeRunDirectory(options.directory, pipeline);
  const std::string lockPath = (std::filesystem::path(outcome.directory) / "run.lock.yaml").string();
  writeFile(lockPath, lockFileText(pipeline, registry, loader, Value::map(), outcome.directory));

  PipelineContext context(pipeline, registry, loader, log, options.progress, options.stopRequested, outcome.directory);
  outcome.result.set("name", pipeline.name);
  outcome.result.set("pipeline", pipeline.file.path);
  outcome.result.set("seed", pipeline.resolved.at("seed"));
  outcome.result.set("status", "running");
  outcome.result.set("directory", outcome.directory);
  Value stages = Value::list();
  for (std::size_t i = 0; i < pipeline.stages.size(); ++i) {
    const PipelineStage& stage = pipeline.stages[i];
    if (context.stopRequested()) {
      outcome.status = RunStatus::interrupted;
      break;
    }
    if (options.onStage) options.onStage(stage, i, {}, nullptr);
    context.forgetLast();
    std::string status = "done";
    try {
      const ComponentPtr<Stage> component = context.create(stage);
      std::string problem;
      try {
        component->run(context);
      } catch (const Error&) {
        throw;
      } catch (const std::exception& error) {
        problem = error.what();
      } catch (...) {
        problem = "it threw something that is not a std::exception";
      }
      if (!problem.empty()) throw Error(problem);
    } catch (const Error& error) {
      outcome.status = RunStatus::failed;
      outcome.failure = "stage '" + stage.label + "': " + error.what();
      status = "failed";
    }
    if (outcome.status == RunStatus::done && context.stopRequested()) {
      outcome.status = RunStatus::interrupted;
      status = "interrupted";
    }
    Value entry = Value::map();
    entry.set("stage", stage.label);
    entry.set("status", status);
    if (!context.lastResult().empty()) entry.set("result", context.lastResult());
    stages.push_back(std::move(entry));
    outcome.result.set("stages", stages);
    outcome.result.set("results", context.results());
    writeResult(outcome.directory, outcome.result);
    if (options.onStage)
      options.onStage(stage, i, context.lastResult(),
                      context.lastResult().empty() ? nullptr : context.findResult(context.lastResult()));
    if (outcome.status != RunStatus::done) break;
  }
  outcome.result.set("status", runStatusName(outcome.status));
  if (!outcome.failure.empty()) outcome.result.set("failure", outcome.failure);
  if (!outcome.result.contains("stages")) outcome.result.set("stages", stages);
  outcome.result.set("results", context.results());
  writeResult(outcome.directory, outcome.result);
  writeFile(lockPath, lockFileText(pipeline, registry, loader, context.results(), outcome.directory));
  if (outcome.status == RunStatus::done) {
    for (std::string& difference : differentStateHashes(pipeline, context.results()))
      outcome.notReproduced.push_back(std::move(difference));
  }
  return outcome;
}

}  // namespace mortise
