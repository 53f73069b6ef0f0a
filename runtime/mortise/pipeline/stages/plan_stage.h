#pragma once

#include <optional>
#include <string>

#include "mortise/component/stage.h"
#include "mortise/plugin/plugin.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"

namespace mortise {

/// Besides those of the plan.
struct PlanStageSettings {
  std::optional<std::string> save;
  PlacedText roadmap;
  void bind(SettingBinder& b);
};

/// Plans a path and saves it as a motion of one configuration a second.
class PlanStage final : public Stage {
 public:
  explicit PlanStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void check(StageContext& context, Diagnostics& diagnostics) override;
  void run(StageContext& context) override;

 private:
  Value given_;  ///< Complete; read when the world and earlier results are known.
  PlanStageSettings settings_;
  std::string resultName_;
};

}  // namespace mortise
