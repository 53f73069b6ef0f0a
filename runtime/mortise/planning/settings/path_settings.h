#pragma once

/// Settings of the steps after planning: shortcuts, timing, checks.

#include <string>

#include "mortise/base/schema.h"
#include "mortise/base/value.h"
#include "mortise/component/planner.h"
#include "mortise/planning/paths/path_check.h"
#include "mortise/planning/paths/path_shortcut.h"
#include "mortise/planning/paths/retime.h"

namespace mortise {

/// The schemas of the maps that `ShortcutSettings`, `RetimeSettings` and `CheckSettings` are made from.
const Schema& shortcutSchema();
const Schema& retimeSchema();
const Schema& checkSchema();

struct ShortcutSettings {
  ShortcutOptions options;
  StopConditions stop;
  static ShortcutSettings from(const Value& settings);
};

struct RetimeSettings {
  std::string method;  ///< Empty: parabolic, or blend in spaces whose edges are not straight.
  RetimeOptions options;
  MotionLimitOptions limits;
  StopConditions stop;
  double sampleTolerance = 1e-4;  ///< For motions that are straight between configurations (`sampled`); rad or m.
  static RetimeSettings from(const Value& settings);
};

struct CheckSettings {
  PathCheckOptions options;
  bool bounds = true;  ///< Whether velocities and accelerations are checked, for motions that have velocities.
  MotionLimitOptions limits;
  static CheckSettings from(const Value& settings);
};

}  // namespace mortise
