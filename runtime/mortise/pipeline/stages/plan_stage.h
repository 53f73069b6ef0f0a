#pragma once

#include <string>

#include "mortise/component/stage.h"
#include "mortise/plugin/plugin.h"

namespace mortise {

/// Plans a path and saves it as a motion of one configuration a second.
class PlanStage final : public Stage {
 public:
  explicit PlanStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void check(StageContext& context, Diagnostics& diagnostics) override;
  void run(StageContext& context) override;

 private:
  Value settings_;
  std::string resultName_;
};

}  // namespace mortise
