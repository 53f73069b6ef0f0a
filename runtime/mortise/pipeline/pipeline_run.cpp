#include "mortise/pipeline/pipeline_run.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <stop_token>
#include <thread>

#include "mortise/base/files.h"
#include "mortise/base/interruption.h"
#include "mortise/base/position.h"
#include "mortise/pipeline/context/pipeline_context.h"
#include "mortise/pipeline/file/lock_file.h"
#include "mortise/pipeline/record/run_directory.h"
#include "mortise/pipeline/record/run_record.h"
#include "mortise/pipeline/simulate/component_check.h"
#include "mortise/plugin/guard.h"
#include "mortise/plugin/library.h"
#include "mortise/settings/output_path.h"
#include "mortise/simulation/scene/substitution.h"

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

namespace {

/// Later stages may refer to what this one will leave.
void promiseResult(PipelineContext& context, const PipelineStage& stage) {
  const auto text = [&](const char* key) {
    const Value* value = stage.settings.find(key);
    return value != nullptr && value->isString() ? value->asString() : std::string();
  };
  StageOutput output;
  output.name = text("save");
  if (output.name.empty()) output.name = stage.label;
  output.stage = stage.info->name;
  output.stateName = text("save_state");
  output.line = std::max(stage.position.line, 0);
  if (const Value* kinds = stage.info->attributes.find("saves"))
    for (const std::string& name : kinds->asStrings())
      if (const std::optional<ResultKind> kind = resultKindFromName(name)) output.kinds.push_back(*kind);
  if (stage.info->schema.find("save_state") != nullptr && output.stateName.empty())
    std::erase(output.kinds, ResultKind::state);
  context.promise(std::move(output));
}

void checkStage(PipelineContext& context, const PipelineStage& stage, Diagnostics& diagnostics) {
  if (Library::isKeptClosed(stage.info->library)) {
    context.log().write(LogLevel::warning, "config",
                        "stage '" + stage.label + "' is checked by its description only: '" + stage.info->library +
                            "' is named by the pipeline, and a check opens no such library");
    return;
  }
  // A stage with settings that are wrong is asked all the same, for whatever else is wrong with it; but when it cannot
  // be made of them, that was reported already.
  Diagnostics settings;
  stage.info->schema.complete(stage.settings, stage.label, settings);
  std::string problem;
  try {
    const ComponentPtr<Stage> component = context.create(stage);
    if (guarded(stage.label, "check", problem, [&] { component->check(context, diagnostics); }) == ComponentStatus::ok)
      return;
  } catch (const Error& error) {
    problem = error.what();
  }
  if (!settings.hasErrors()) diagnostics.error(problem, stage.position);
}

}  // namespace

void checkStages(const Pipeline& pipeline, Registry& registry, FormatLoader& loader, LogSink& log,
                 Diagnostics& diagnostics) {
  const bool wrong = diagnostics.hasErrors();
  PipelineContext context(pipeline, registry, loader, log, nullptr, {}, {});
  for (const PipelineStage& stage : pipeline.stages) {
    checkStage(context, stage, diagnostics);
    promiseResult(context, stage);
  }
  if (const Value& stages = pipeline.resolved.at("stages"); stages.isList() && stages.size() == 0 && !wrong)
    diagnostics.error("'stages' is empty: there is nothing to do", stages.position(),
                      "add a stage: - simulate: {duration: 2 s}");
  checkRecorders(context, diagnostics);
  if (wrong || !pipeline.worldLoaded) return;
  try {
    checkPipelineComponents(context, registry, loader, log, diagnostics);
  } catch (const Error& error) {
    diagnostics.error(error);
  }
}

namespace {

/// One run: its record, its results, and how far it is.
class PipelineRunner {
 public:
  PipelineRunner(const Pipeline& pipeline, Registry& registry, FormatLoader& loader, LogSink& log,
                 const RunOptions& options, RunOutcome& outcome)
      : pipeline_(pipeline),
        registry_(registry),
        loader_(loader),
        options_(options),
        outcome_(outcome),
        log_(log),
        record_(outcome.directory, pipeline, options.force, log),
        context_(
            pipeline, registry, loader, log, options.progress,
            [this] {
              stageLives();
              record_.notice();
              return options_.stopRequested && options_.stopRequested();
            },
            outcome.directory) {
    context_.setWatch(options.watch);
    stageLives();
    if (options.leave) watcher_ = std::jthread([this](const std::stop_token& ended) { watch(ended); });
  }

  void run() {
    writeLock(Value::map());
    Value& result = outcome_.result;
    result.set("name", pipeline_.name);
    result.set("pipeline", pipeline_.file.path);
    result.set("seed", pipeline_.resolved.at("seed"));
    result.set("status", "running");
    result.set("directory", outcome_.directory);
    result.set("stages", Value::list());
    record_.write(result);
    for (std::size_t i = 0; i < pipeline_.stages.size() && outcome_.status == RunStatus::done; ++i) runStage(i);
    finish();
  }

 private:
  void runStage(std::size_t i) {
    const PipelineStage& stage = pipeline_.stages[i];
    if (context_.stopRequested()) {
      outcome_.status = RunStatus::interrupted;
      return;
    }
    report(stage, i, {}, nullptr);
    if (outcome_.status != RunStatus::done) return;
    context_.forgetLast();
    record_.stageBegins();
    stageLives();
    std::string status = "done";
    bool interrupted = false;
    said_.push_back(std::make_unique<SubstitutionRecord>(log_, pipeline_.strict));
    context_.setLog(*said_.back());
    try {
      interrupted = !runComponent(stage);
    } catch (const Error& error) {
      outcome_.status = RunStatus::failed;
      outcome_.failure = "stage '" + stage.label + "': " + error.what();
      Diagnostics found;
      found.error(error);
      for (Diagnostic problem : found.all()) {
        problem.message = "stage '" + stage.label + "': " + problem.message;
        outcome_.errors.push_back(std::move(problem));
      }
      status = "failed";
    }
    if (outcome_.status == RunStatus::done && (interrupted || context_.stopRequested())) {
      outcome_.status = RunStatus::interrupted;
      status = "interrupted";
    }
    const std::string& name = context_.lastResult();
    Value entry = Value::map();
    entry.set("stage", stage.label);
    entry.set("status", status);
    if (!name.empty()) entry.set("result", name);
    if (Value substitutions = said_.back()->value(); !substitutions.isNull())
      entry.set("substitutions", std::move(substitutions));
    outcome_.result.find("stages")->push_back(std::move(entry));
    outcome_.result.set("results", context_.results());
    if (outcome_.status == RunStatus::done) attempt([&] { record_.write(outcome_.result); });
    report(stage, i, name, name.empty() ? nullptr : context_.findResult(name));
  }

  /// Runs a stage; false where it was interrupted. Throws `Error` for whatever it throws.
  bool runComponent(const PipelineStage& stage) {
    const ComponentPtr<Stage> component = context_.create(stage);
    std::string problem;
    try {
      component->run(context_);
      said_.back()->throwIfRefused();
    } catch (const Error&) {
      throw;
    } catch (const Interrupted&) {
      return false;
    } catch (const std::bad_alloc&) {
      throw Error("there is not enough memory for this", inFile(pipeline_.file.path),
                  "free some, or take a smaller model or fewer contacts");
    } catch (const std::exception& error) {
      problem = error.what();
    } catch (...) {
      problem = "it threw something that is not a std::exception";
    }
    if (!problem.empty()) throw Error(problem);
    return true;
  }

  void report(const PipelineStage& stage, std::size_t i, const std::string& name, const Value* result) {
    if (options_.onStage) attempt([&] { options_.onStage(stage, i, name, result); });
  }

  static std::int64_t now() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::milliseconds(1);
  }
  void stageLives() { lastSign_.store(now(), std::memory_order_relaxed); }

  /// Ends the process where a stage does not heed that it was asked to.
  void watch(const std::stop_token& ended) {
    constexpr std::int64_t kPatience = 3000, kPause = 50;
    std::mutex mutex;
    std::condition_variable_any pause;
    while (!ended.stop_requested()) {
      std::unique_lock lock(mutex);
      pause.wait_for(lock, ended, std::chrono::milliseconds(kPause), [] { return false; });
      if (ended.stop_requested()) return;
      const bool insisted = options_.stopInsisted && options_.stopInsisted();
      const bool asked = options_.stopRequested && options_.stopRequested();
      if (insisted || (asked && now() - lastSign_.load(std::memory_order_relaxed) > kPatience))
        record_.interrupt([this] { options_.leave(outcome_.directory); });
    }
  }

  void finish() {
    if (watcher_.joinable()) {
      watcher_.request_stop();
      watcher_.join();
    }
    outcome_.result.set("results", context_.results());
    record_.releaseReserve();
    attempt([&] { writeLock(context_.results()); });
    if (outcome_.status == RunStatus::done)
      for (std::string& difference : differentStateHashes(pipeline_, context_.results()))
        outcome_.notReproduced.push_back(std::move(difference));
    describe();
    attempt([&] { record_.write(outcome_.result); });
    describe();
    outcome_.result = record_.completed(outcome_.result);
  }

  /// Describes how the run ended, as it is known now.
  void describe() {
    outcome_.result.set("status", runStatusName(outcome_.status));
    if (options_.warnings)
      if (Value warnings = options_.warnings(); warnings.size() > 0)
        outcome_.result.set("warnings", std::move(warnings));
    if (!outcome_.failure.empty()) outcome_.result.set("failure", outcome_.failure);
    if (!outcome_.wasLocked) return;
    Value repeated = Value::map();
    repeated.set("same", outcome_.notReproduced.empty() && outcome_.status == RunStatus::done);
    repeated.set("differences", outcome_.notReproduced);
    outcome_.result.set("repeated", std::move(repeated));
  }

  /// Writes something, and fails the run where it cannot be written; the first failure is the one that is told, as it
  /// says which file filled the disk.
  template <typename Function>
  void attempt(const Function& function) {
    try {
      function();
    } catch (const Error& error) {
      outcome_.status = RunStatus::failed;
      Diagnostics found;
      found.error(error);
      outcome_.errors.insert(outcome_.errors.end(), found.all().begin(), found.all().end());
      if (outcome_.failure.empty())
        outcome_.failure = error.what();
      else
        outcome_.failure += std::string("\n") + error.what();
    }
  }

  void writeLock(const Value& results) {
    Value made = Value::map();
    made.set("date", record_.started());
    made.set("host", RunRecord::hostName());
    if (!options_.command.empty()) made.set("command", options_.command);
    writeFile(outputPath(outcome_.directory, "run.lock.yaml"),
              lockFileText(pipeline_, registry_, loader_, results, outcome_.directory, made));
  }

  const Pipeline& pipeline_;
  Registry& registry_;
  FormatLoader& loader_;
  const RunOptions& options_;
  RunOutcome& outcome_;
  LogSink& log_;
  std::vector<std::unique_ptr<SubstitutionRecord>> said_;  ///< The logs of the stages.
  RunRecord record_;
  PipelineContext context_;
  std::atomic<std::int64_t> lastSign_ = 0;  ///< Time of the last sign of life of the stage; ms.
  std::jthread watcher_;                    ///< Ends before everything else.
};

}  // namespace

RunOutcome runPipeline(const Pipeline& pipeline, Registry& registry, FormatLoader& loader, LogSink& log,
                       const RunOptions& options) {
  RunOutcome outcome;
  outcome.wasLocked = pipeline.file.root.contains("locked");
  outcome.notReproduced = changesSinceLock(pipeline, registry);
  outcome.directory = makeRunDirectory(options.directory, pipeline);
  PipelineRunner(pipeline, registry, loader, log, options, outcome).run();
  return outcome;
}

}  // namespace mortise
