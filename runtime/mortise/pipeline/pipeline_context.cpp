#include "mortise/pipeline/pipeline_context.h"

namespace mortise {

namespace {

class NoProgress final : public Progress {
 public:
  void begin(std::string_view, double) override {}
  void advanceTo(double) override {}
  void end() override {}
};

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

void PipelineContext::saveTrajectory(std::string_view name, Trajectory trajectory) {
  trajectories_.insert_or_assign(std::string(name), std::move(trajectory));
}

const Trajectory* PipelineContext::findTrajectory(std::string_view name) const {
  const auto found = trajectories_.find(name);
  return found == trajectories_.end() ? nullptr : &found->second;
}

void PipelineContext::saveResult(std::string_view name, Value result) {
  lastResult_ = name;
  results_.set(name, std::move(result));
}

ComponentPtr<Stage> PipelineContext::create(const PipelineStage& stage) {
  hosts_.push_back(std::make_unique<ComponentHost>(stage.label, pipeline_.seed, *log_, &loader_, channels_,
                                                   pipeline_.file.base, runDirectory_));
  return registry_.create<Stage>(*stage.info, stage.settings, *hosts_.back());
}

bool isStrict(const StageContext& context) {
  const auto* own = dynamic_cast<const PipelineContext*>(&context);
  return own != nullptr && own->strict();
}

}  // namespace mortise
