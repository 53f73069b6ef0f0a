#pragma once

/// Settings of the steps after planning: shortcuts, timing, checks.

#include <optional>
#include <string>

#include "mortise/base/value.h"
#include "mortise/component/planner.h"
#include "mortise/planning/paths/path_check.h"
#include "mortise/planning/paths/path_shortcut.h"
#include "mortise/planning/paths/retime.h"
#include "mortise/settings/settings.h"

namespace mortise {

/// When an optimization of a path ends; by default when there is little improvement.
struct PathStopSettings {
  std::optional<double> timeLimit;  ///< s
  std::optional<std::int64_t> iterations;
  std::optional<std::int64_t> seed;  ///< Absent: that of the run.
  void bind(SettingBinder& b);
  StopConditions conditions() const;
  /// Throws `Error` when `idle` is 0 and nothing else ends it.
  void requireEnd(std::int64_t idle) const;
};

/// What the structs below bind besides their own.
void bindMotionLimits(SettingBinder& b, MotionLimitOptions& limits);

struct ShortcutSettings {
  ShortcutOptions options = {.partial = true, .idle = 50, .improvement = 1e-4};
  PathStopSettings stop;
  void bind(SettingBinder& b);
  void check() const { stop.requireEnd(options.idle); }
};

struct RetimeSettings {
  std::optional<std::string> method;  ///< Absent: parabolic, or blend in spaces whose edges are not straight.
  RetimeOptions options;
  MotionLimitOptions limits;
  PathStopSettings stop;
  double sampleTolerance = 1e-4;  ///< For motions that are straight between configurations (`sampled`); rad or m.
  void bind(SettingBinder& b);
  void check() const { stop.requireEnd(options.idle); }
};

struct CheckSettings {
  PathCheckOptions options = {.maxFaults = 10};
  bool bounds = true;  ///< Whether velocities and accelerations are checked, for motions that have velocities.
  MotionLimitOptions limits;
  void bind(SettingBinder& b);
};

}  // namespace mortise
