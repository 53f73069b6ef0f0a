#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mortise/component/stage.h"
#include "mortise/planning/request/path_settings.h"
#include "mortise/planning/settings/plan_schema.h"
#include "mortise/plugin/plugin.h"

namespace mortise {

/// Settings that these stages have in common; what is not given of the space is that of the plan.
struct PathSettings : PlanSpaceSettings {
  PlacedText path;
  std::optional<std::string> save;
  void bind(SettingBinder& b);
};

/// A setting that does nothing beside the others that are given.
struct UnusedSetting {
  const char* key;
  const char* why;
};

/// The common part of the stages on an existing path: the path, from a result or a file, and the space that it was
/// planned in.
class PathStage : public Stage {
 public:
  void check(StageContext& context, Diagnostics& diagnostics) override;

 protected:
  explicit PathStage(const ComponentContext& context);
  /// Throws `Error` for its own settings.
  virtual void checkOwn() const {}
  /// Returns settings of which the user is warned when they are given.
  virtual std::vector<UnusedSetting> unusedSettings() const { return {}; }

  Value given_;  ///< Complete.
  PathSettings path_;
  std::string resultName_;
};

/// Shortens a path.
class ShortcutStage final : public PathStage {
 public:
  explicit ShortcutStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void run(StageContext& context) override;

 private:
  void checkOwn() const override;
  std::vector<UnusedSetting> unusedSettings() const override;

  ShortcutSettings settings_;
};

/// Makes a path smooth and clear of everything by sequential convex optimization.
class OptimizeStage final : public PathStage {
 public:
  explicit OptimizeStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void run(StageContext& context) override;

 private:
  std::vector<UnusedSetting> unusedSettings() const override;

  OptimizeSettings settings_;
};

/// Times a path.
class RetimeStage final : public PathStage {
 public:
  explicit RetimeStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void run(StageContext& context) override;

 private:
  void checkOwn() const override;
  std::vector<UnusedSetting> unusedSettings() const override;
  /// The fastest motion of one robot under bounds of forces.
  void runWithForces(StageContext& context);

  RetimeSettings settings_;
  ForceTimingSettings forces_;
};

/// Checks a path for collisions and limits, by another method than planners.
class CheckStage final : public PathStage {
 public:
  explicit CheckStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void run(StageContext& context) override;

 private:
  std::vector<UnusedSetting> unusedSettings() const override;

  CheckSettings settings_;
};

}  // namespace mortise
