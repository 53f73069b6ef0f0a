#pragma once

#include <optional>
#include <string>

#include "mortise/component/stage.h"
#include "mortise/mechanics/contact_source.h"
#include "mortise/mechanics/mechanics_settings.h"
#include "mortise/plugin/plugin.h"
#include "mortise/settings/settings.h"

namespace mortise {

struct BalanceStageSettings : BalanceSettings {
  std::string path;
  Value robot;
  ContactSourceSettings source;
  double margin = 0;  ///< m
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
