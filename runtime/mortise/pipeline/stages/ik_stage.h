#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "mortise/component/stage.h"
#include "mortise/goals/ik_settings.h"
#include "mortise/ik/ik_solver.h"
#include "mortise/plugin/plugin.h"
#include "mortise/settings/settings.h"

namespace mortise {

struct IKStageSettings : IKSolveSettings, IKFreedomSettings {
  Value robot, goals, start;
  std::optional<std::string> save;

  void bind(SettingBinder& b);
};

/// Finds a configuration of a robot in which links meet their goals.
class IKStage final : public Stage {
 public:
  explicit IKStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void check(StageContext& context, Diagnostics& diagnostics) override;
  void run(StageContext& context) override;

 private:
  int robotIndex(const StageContext& context) const;
  IKProblem problem(StageContext& context, Diagnostics& diagnostics) const;
  VectorXd start(StageContext& context, Diagnostics& diagnostics) const;

  Settings<IKStageSettings> settings_;
  std::string resultName_;
};

}  // namespace mortise
