#pragma once

#include <optional>
#include <string>

#include "mortise/component/stage.h"
#include "mortise/plugin/plugin.h"
#include "mortise/settings/settings.h"

namespace mortise {

struct BalanceStageSettings {
  std::string path;
  Value robot;
  std::optional<std::string> stance, contacts;
  double touch = 0.005;
  std::optional<double> friction;
  int coneEdges = 0;
  double margin = 0;
  std::optional<double> forceLimit;
  double robustness = 0;
  bool torques = false;
  Vector3d gravity = Vector3d(0, 0, -9.8);
  std::optional<std::string> save;

  void bind(SettingBinder& b);
};

/// Checks that a robot balances on its contacts at every milestone of a path.
class BalanceStage final : public Stage {
 public:
  explicit BalanceStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void check(StageContext& context, Diagnostics& diagnostics) override;
  void run(StageContext& context) override;

 private:
  int robotIndex(const World& world) const;

  Settings<BalanceStageSettings> settings_;
  std::string resultName_;
};

}  // namespace mortise
