#include "mortise/pipeline/context/pipeline_context.h"

#include <algorithm>

namespace mortise {

namespace {

class NoProgress final : public Progress {
 public:
  void begin(std::string_view, double) override {}
  void advanceTo(double) override {}
  void end() override {}
};

template <typename T>
const T* valueOf(const std::map<std::string, T, std::less<>>& map, std::string_view name) {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace

PipelineContext::PipelineContext(const Pipeline& pipeline, Registry& registry, FormatLoader& loader, LogSink& log,
                                 Progress* progress, std::function<bool()> stopRequested, std::string runDirectory)
    : pipeline_(pipeline),
      registry_(registry),
      loader_(loader),
      log_(&log),
      ownProgress_(progress == nullptr ? std::make_unique<NoProgress>() : nullptr),
      progress_(progress == nullptr ? ownProgress_.get() : progress),
      stopRequested_(std::move(stopRequested)),
      runDirectory_(std::move(runDirectory)) {}

PipelineContext::~PipelineContext() = default;

void PipelineContext::saveMotion(std::string_view name, SavedMotion motion) {
  motions_.insert_or_assign(std::string(name), std::move(motion));
  note(name, ResultKind::motion);
}

const SavedMotion* PipelineContext::findMotion(std::string_view name) const { return valueOf(motions_, name); }

void PipelineContext::saveSpace(std::string_view name, Value settings) {
  spaces_.insert_or_assign(std::string(name), std::move(settings));
  note(name, ResultKind::space);
}

const Value* PipelineContext::findSpace(std::string_view name) const { return valueOf(spaces_, name); }

void PipelineContext::saveState(std::string_view name, SavedState state) {
  note(name, ResultKind::state).stateName = state.name;
  states_.insert_or_assign(std::string(name), std::move(state));
}

const SavedState* PipelineContext::findState(std::string_view name) const { return valueOf(states_, name); }

void PipelineContext::saveResult(std::string_view name, Value result) {
  lastResult_ = name;
  results_.set(name, std::move(result));
  note(name, ResultKind::report);
}

void PipelineContext::promise(StageOutput output) { outputs_.push_back(std::move(output)); }

StageOutput& PipelineContext::note(std::string_view name, ResultKind kind) {
  for (StageOutput& output : outputs_) {
    if (output.name != name) continue;
    if (std::find(output.kinds.begin(), output.kinds.end(), kind) == output.kinds.end()) output.kinds.push_back(kind);
    return output;
  }
  StageOutput output;
  output.name = name;
  output.stage = stage_;
  output.kinds = {kind};
  outputs_.push_back(std::move(output));
  return outputs_.back();
}

const void* PipelineContext::extension(std::string_view id) const {
  if (id == kSimulationWatch) return watch_ ? &watch_ : nullptr;
  if (id == kStrictRun) return pipeline_.strict ? this : nullptr;
  return nullptr;
}

bool isStrict(const StageContext& context) { return context.extension(kStrictRun) != nullptr; }

ComponentPtr<Stage> PipelineContext::create(const PipelineStage& stage) {
  stage_ = stage.info->name;
  hosts_.push_back(std::make_unique<ComponentHost>(stage.label, pipeline_.seed, *log_, &loader_, channels_,
                                                   pipeline_.file.base, runDirectory_));
  return registry_.create<Stage>(*stage.info, stage.settings, *hosts_.back());
}

}  // namespace mortise
