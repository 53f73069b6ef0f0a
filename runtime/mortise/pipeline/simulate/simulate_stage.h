#pragma once

#include <string>

#include "mortise/component/stage.h"
#include "mortise/pipeline/simulate/simulation_run.h"
#include "mortise/plugin/plugin.h"

namespace mortise {

struct SimulateSettings : SimulationPlan {
  PlacedText backend;
  Value settings;  ///< Settings of the backend.
  std::optional<std::string> save;
  void bind(SettingBinder& b);
};

/// Simulates the world from its start.
class SimulateStage final : public Stage {
 public:
  explicit SimulateStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void check(StageContext& context, Diagnostics& diagnostics) override;
  void run(StageContext& context) override;

 private:
  SimulateSettings settings_;
  BackendChoice choice_;
  std::string resultName_;
};

}  // namespace mortise
