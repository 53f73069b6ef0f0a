#pragma once

#include <string>

#include "mortise/component/stage.h"
#include "mortise/plugin/plugin.h"

namespace mortise {

/// What stages on a path that there is have in common: the path, by the name under which it was saved or from a file,
/// and what it was planned for.
class PathStage : public Stage {
 public:
  void check(StageContext& context, Diagnostics& diagnostics) override;

 protected:
  explicit PathStage(const ComponentContext& context);
  static void declarePath(ComponentBuilder& stage);
  /// Throws `Error` for its own settings.
  virtual void checkSettings() const = 0;

  Value settings_;
  std::string resultName_;
};

/// Makes a path shorter.
class ShortcutStage final : public PathStage {
 public:
  explicit ShortcutStage(const ComponentContext& context) : PathStage(context) {}
  static void declare(PluginBuilder& plugin);
  void run(StageContext& context) override;

 private:
  void checkSettings() const override;
};

/// Gives a path times.
class RetimeStage final : public PathStage {
 public:
  explicit RetimeStage(const ComponentContext& context) : PathStage(context) {}
  static void declare(PluginBuilder& plugin);
  void run(StageContext& context) override;

 private:
  void checkSettings() const override;
};

/// Looks whether a path is free, by other means than planners.
class CheckStage final : public PathStage {
 public:
  explicit CheckStage(const ComponentContext& context) : PathStage(context) {}
  static void declare(PluginBuilder& plugin);
  void run(StageContext& context) override;

 private:
  void checkSettings() const override;
};

}  // namespace mortise
