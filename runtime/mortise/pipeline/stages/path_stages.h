#pragma once

#include <string>

#include "mortise/component/stage.h"
#include "mortise/plugin/plugin.h"

namespace mortise {

/// The common part of the stages on an existing path: the path, from a result or a file, and the space that it was
/// planned in.
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

/// Shortens a path.
class ShortcutStage final : public PathStage {
 public:
  explicit ShortcutStage(const ComponentContext& context) : PathStage(context) {}
  static void declare(PluginBuilder& plugin);
  void run(StageContext& context) override;

 private:
  void checkSettings() const override;
};

/// Times a path.
class RetimeStage final : public PathStage {
 public:
  explicit RetimeStage(const ComponentContext& context) : PathStage(context) {}
  static void declare(PluginBuilder& plugin);
  void run(StageContext& context) override;

 private:
  void checkSettings() const override;
};

/// Checks a path for collisions and limits, by another method than planners.
class CheckStage final : public PathStage {
 public:
  explicit CheckStage(const ComponentContext& context) : PathStage(context) {}
  static void declare(PluginBuilder& plugin);
  void run(StageContext& context) override;

 private:
  void checkSettings() const override;
};

}  // namespace mortise
