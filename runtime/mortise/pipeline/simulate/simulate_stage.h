#pragma once

#include <string>

#include "mortise/component/stage.h"
#include "mortise/pipeline/simulate/simulation_run.h"

namespace mortise {

/// Simulates the world from its start.
class SimulateStage final : public Stage {
 public:
  explicit SimulateStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void check(StageContext& context, Diagnostics& diagnostics) override;
  void run(StageContext& context) override;

 private:
  SimulationPlan plan_;
  BackendChoice choice_;
  std::string resultName_;
};

}  // namespace mortise
