#pragma once

/// Stages that make other motions out of a motion: what `mortise path smooth`, `discretize`, `evaluate`, `convert` and
/// `split` do.

#include <optional>
#include <string>
#include <vector>

#include "mortise/component/stage.h"
#include "mortise/planning/paths/motion_conversion.h"
#include "mortise/plugin/plugin.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"
#include "mortise/timing/multipath/multipath_curves.h"

namespace mortise {

/// What these stages have in common.
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
  Value reportOf(const char* stage, const Value& told) const;
  /// Writes the path with all that belongs to it, and leaves it for later stages.
  void keep(StageContext& context, Value report, const RobotPtr& robot, const MultiPath& path) const;

  MotionSettings motion_;
  std::string resultName_;
};

struct SmoothSettings {
  std::string curve = "smooth";
  double deviation = PathCurveOptions().deviation, tolerance = PathCurveOptions().tolerance;
  void bind(SettingBinder& b);
};

class SmoothStage final : public MotionStage {
 public:
  explicit SmoothStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void run(StageContext& context) override;

 private:
  SmoothSettings settings_;
};

struct DiscretizeSettings {
  std::string curve = "automatic";
  double resolution = 0.01;
  void bind(SettingBinder& b);
};

class DiscretizeStage final : public MotionStage {
 public:
  explicit DiscretizeStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void run(StageContext& context) override;

 private:
  DiscretizeSettings settings_;
};

struct EvaluateSettings {
  std::vector<double> at;
  std::optional<double> every;
  std::string interpolation = "given";
  void bind(SettingBinder& b);
};

class EvaluateStage final : public MotionStage {
 public:
  explicit EvaluateStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void run(StageContext& context) override;

 private:
  EvaluateSettings settings_;
};

struct ConvertSettings {
  PlacedText to;
  std::optional<std::string> as;
  std::string velocities = "smooth";
  double resolution = MotionConversionOptions().resolution;
  std::optional<double> every, duration, start;
  void bind(SettingBinder& b);
};

class ConvertStage final : public MotionStage {
 public:
  explicit ConvertStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void check(StageContext& context, Diagnostics& diagnostics) override;
  void run(StageContext& context) override;

 private:
  ConvertSettings settings_;
};

struct SplitSettings {
  std::vector<double> at;
  PlacedText to;
  void bind(SettingBinder& b);
};

class SplitStage final : public MotionStage {
 public:
  explicit SplitStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void check(StageContext& context, Diagnostics& diagnostics) override;
  void run(StageContext& context) override;

 private:
  SplitSettings settings_;
  SourcePosition where_;  ///< Of `at`.
};

}  // namespace mortise
