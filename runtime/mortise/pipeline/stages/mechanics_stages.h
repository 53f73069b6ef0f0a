#pragma once

/// Stages about forces at contacts: what `mortise robot torques` and `mortise robot grasp` compute.

#include <optional>
#include <string>
#include <vector>

#include "mortise/component/stage.h"
#include "mortise/mechanics/link_contact.h"
#include "mortise/mechanics/mechanics_settings.h"
#include "mortise/pipeline/stages/balance_stage.h"
#include "mortise/plugin/plugin.h"
#include "mortise/settings/settings.h"

namespace mortise {

/// The robot, where it is, and what it touches.
struct PosedRobotSettings {
  Value robot, config;
  ContactSourceSettings source;
  std::optional<std::string> save;
  void bind(SettingBinder& b);
};

struct TorquesStageSettings : ContactTorqueSettings {
  PosedRobotSettings posed;
  Value dq, ddq;
  bool withinLimits = true;
  void bind(SettingBinder& b);
};

/// Computes joint torques of a robot on its contacts.
class TorquesStage final : public Stage {
 public:
  explicit TorquesStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void check(StageContext& context, Diagnostics& diagnostics) override;
  void run(StageContext& context) override;

 private:
  Settings<TorquesStageSettings> settings_;
  std::string resultName_;
};

struct GraspStageSettings : GraspSettings {
  PosedRobotSettings posed;
  Value object;
  double minQuality = 0;
  void bind(SettingBinder& b);
};

/// Computes how well contacts hold an object.
class GraspStage final : public Stage {
 public:
  explicit GraspStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void check(StageContext& context, Diagnostics& diagnostics) override;
  void run(StageContext& context) override;

 private:
  /// The object of the world that is held, in the frame of the contacts.
  std::optional<GraspedObject> object(const World& world) const;

  Settings<GraspStageSettings> settings_;
  std::string resultName_;
};

}  // namespace mortise
