#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "mortise/component/stage.h"
#include "mortise/pipeline/file/pipeline.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

class CommandSchedule;

/// `pace`: simulated seconds in a second that the pipeline asks for; 0: it does not say.
using SimulationWatch =
    std::function<std::function<StepStatus(Simulation&, CommandSchedule&, double, const std::function<bool()>&)>(
        Simulation& simulation, const std::string& name, double pace)>;

/// The id of the extension of a `StageContext` that is a `SimulationWatch`.
inline constexpr std::string_view kSimulationWatch = "mortise.simulation_watch";

/// The id of the extension that is there where the pipeline refuses substitutions.
inline constexpr std::string_view kStrictRun = "mortise.strict_run";

/// The context that stages of a pipeline find when they are checked and when they run.
class PipelineContext final : public StageContext {
 public:
  /// Everything outlives the context. `progress` may be null, `stopRequested` and `runDirectory` empty.
  PipelineContext(const Pipeline& pipeline, Registry& registry, FormatLoader& loader, LogSink& log, Progress* progress,
                  std::function<bool()> stopRequested, std::string runDirectory);
  ~PipelineContext() override;

  const World& world() const override { return pipeline_.world; }
  Registry& registry() override { return registry_; }
  ResourceLoader& loader() override { return loader_; }
  const Value& pipeline() const override { return pipeline_.resolved; }
  std::uint64_t seed() const override { return pipeline_.seed; }
  const std::string& runDirectory() const override { return runDirectory_; }
  Progress& progress() override { return *progress_; }
  LogSink& log() override { return *log_; }
  /// For the stages to come; outlives the context.
  void setLog(LogSink& log) { log_ = &log; }
  bool stopRequested() const override { return stopRequested_ && stopRequested_(); }

  void saveMotion(std::string_view name, SavedMotion motion) override;
  const SavedMotion* findMotion(std::string_view name) const override;
  void saveSpace(std::string_view name, Value settings) override;
  const Value* findSpace(std::string_view name) const override;
  void saveState(std::string_view name, SavedState state) override;
  const SavedState* findState(std::string_view name) const override;
  void saveResult(std::string_view name, Value result) override;
  const Value* findResult(std::string_view name) const override { return results_.find(name); }
  const Value& results() const override { return results_; }
  const std::vector<StageOutput>& outputs() const override { return outputs_; }

  /// While stages are checked: what a stage will leave.
  void promise(StageOutput output);

  /// The observer of simulations while they run; may be empty.
  void setWatch(SimulationWatch watch) { watch_ = std::move(watch); }
  const void* extension(std::string_view id) const override;

  /// A stage, ready to be checked or run. Whatever its constructor throws comes out as `Error`.
  ComponentPtr<Stage> create(const PipelineStage& stage);
  /// Name of the result that was saved last; empty when none was since `forgetLast`.
  const std::string& lastResult() const { return lastResult_; }
  void forgetLast() { lastResult_.clear(); }

 private:
  const Pipeline& pipeline_;
  Registry& registry_;
  FormatLoader& loader_;
  LogSink* log_;
  std::unique_ptr<Progress> ownProgress_;
  Progress* progress_;
  std::function<bool()> stopRequested_;
  std::string runDirectory_;
  ChannelTable channels_;
  std::vector<std::unique_ptr<ComponentHost>> hosts_;
  /// Notes that the result of this name is of this kind.
  StageOutput& note(std::string_view name, ResultKind kind);

  std::map<std::string, SavedMotion, std::less<>> motions_;
  std::map<std::string, Value, std::less<>> spaces_;
  std::map<std::string, SavedState, std::less<>> states_;
  std::vector<StageOutput> outputs_;
  Value results_ = Value::map();
  std::string lastResult_;
  std::string stage_;  ///< The component that was created last.
  SimulationWatch watch_;
};

/// Says whether the pipeline of the stage refuses substitutions.
bool isStrict(const StageContext& context);

}  // namespace mortise
