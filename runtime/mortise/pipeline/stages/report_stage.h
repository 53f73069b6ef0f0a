#pragma once

#include <string>
#include <vector>

#include "mortise/component/stage.h"
#include "mortise/plugin/plugin.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"

namespace mortise {

struct ReportSettings {
  PlacedTexts to = {{{"report.txt"}}};
  void bind(SettingBinder& b);
};

/// Writes all results so far into files of the run directory: text or JSON, by their extension.
class ReportStage final : public Stage {
 public:
  explicit ReportStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void check(StageContext& context, Diagnostics& diagnostics) override;
  void run(StageContext& context) override;

 private:
  ReportSettings settings_;
  std::string resultName_;
  SourcePosition position_;
};

}  // namespace mortise
