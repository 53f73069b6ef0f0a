#pragma once

/// Settings of the steps after planning: shortcuts, timing, checks.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/component/planner.h"
#include "mortise/planning/optimization/path_optimization.h"
#include "mortise/planning/paths/path_check.h"
#include "mortise/planning/paths/path_shortcut.h"
#include "mortise/planning/paths/retime.h"
#include "mortise/settings/settings.h"
#include "mortise/timing/multipath/multipath_timing.h"

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

/// The words for what lies between milestones, in the order in which help lists them.
std::vector<std::pair<std::string, CurveKind>> curveWords();

/// Binds what the structs below have in common.
void bindMotionLimits(SettingBinder& b, MotionLimitOptions& limits);
void bindDeviation(SettingBinder& b, double& deviation);

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

/// Settings of times under bounds of forces (`timeMultiPath`), in place of the methods above.
struct ForceTimingSettings {
  bool torque = false, contacts = false;
  double touch = 0.005;
  std::optional<double> friction;
  std::optional<CurveKind> curve;
  double goalTolerance = 1e-4;
  double torqueScale = 1, frictionScale = 1, minForce = 0;
  double jerk = 0;  ///< rad/s^3 or m/s^3; 0: no limit.
  int gridPoints = 200;
  void bind(SettingBinder& b);
  bool asked() const { return torque || contacts || curve || jerk > 0; }
};

/// Settings of `timeMultiPath` alone: `mortise path retime`, `mortise path contact-optimize` and Python's `retime`. The
/// stage `retime` has the same settings beside those of other methods.
struct TimingSettings {
  ForceTimingSettings forces;
  double deviation = PathCurveOptions().deviation;
  MotionLimitOptions limits;
  std::optional<Vector3d> gravity;  ///< m/s^2
  void bind(SettingBinder& b);
};

/// `gravity_W`: used where `settings` have none.
MultiPathTimingOptions multiPathTiming(const TimingSettings& settings, const Vector3d& gravity_W);

/// Settings of trajectory optimization (`optimizePath`).
struct OptimizeSettings {
  PathOptimizationOptions options;
  void bind(SettingBinder& b);
};

struct CheckSettings {
  PathCheckOptions options = {.maxFaults = 10};
  bool bounds = true;  ///< True if velocities and accelerations are checked, for motions that have velocities.
  MotionLimitOptions limits;
  void bind(SettingBinder& b);
};

}  // namespace mortise
