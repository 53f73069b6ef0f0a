#pragma once

/// Stages that make other motions out of a motion: what `mortise path smooth`, `discretize`, `evaluate`, `convert` and
/// `split` do.

#include <optional>
#include <string>

#include "mortise/component/stage.h"
#include "mortise/planning/settings/motion_settings.h"
#include "mortise/plugin/plugin.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"

namespace mortise {

/// Settings that these stages have in common.
struct MotionSettings {
  PlacedText path;
  Value robot;
  std::optional<std::string> save;
  void bind(SettingBinder& b);
};

class MotionStage : public Stage {
 public:
  void check(StageContext& context, Diagnostics& diagnostics) override;

 protected:
  explicit MotionStage(const ComponentContext& context);
  const WorldRobot& robotOf(const StageContext& context) const;
  /// The path and the robot, whose links it has.
  MultiPath motionOf(StageContext& context, RobotPtr& robot) const;
  /// {stage, path, ...}.
  Value reportOf(const char* stage, const Value& reported) const;
  /// Writes the path with all that belongs to it, and leaves it for later stages.
  void keep(StageContext& context, Value report, const RobotPtr& robot, const MultiPath& path) const;

  MotionSettings motion_;
  std::string resultName_;
};

class SmoothStage final : public MotionStage {
 public:
  explicit SmoothStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void run(StageContext& context) override;

 private:
  SmoothSettings settings_;
};

class DiscretizeStage final : public MotionStage {
 public:
  explicit DiscretizeStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void run(StageContext& context) override;

 private:
  DiscretizeSettings settings_;
};

class EvaluateStage final : public MotionStage {
 public:
  explicit EvaluateStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void run(StageContext& context) override;

 private:
  EvaluateSettings settings_;
};

/// Files that the stages `convert` and `split` write.
struct MotionFileSettings {
  /// `summary`: what of it help says.
  explicit MotionFileSettings(const char* summary = "") : summary(summary) {}
  const char* summary;
  PlacedText to;
  void bind(SettingBinder& b);
};

class ConvertStage final : public MotionStage {
 public:
  explicit ConvertStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void check(StageContext& context, Diagnostics& diagnostics) override;
  void run(StageContext& context) override;

 private:
  MotionFileSettings file_;
  ConvertSettings settings_;
};

class SplitStage final : public MotionStage {
 public:
  explicit SplitStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void check(StageContext& context, Diagnostics& diagnostics) override;
  void run(StageContext& context) override;

 private:
  MotionFileSettings file_;
  SplitSettings settings_;
  SourcePosition where_;  ///< Position of `at`.
};

}  // namespace mortise
