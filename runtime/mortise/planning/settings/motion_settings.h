#pragma once

/// Settings of what looks into a motion and makes other motions of it, under the same names in pipelines and on the
/// command line.

#include <optional>
#include <string>
#include <vector>

#include "mortise/planning/paths/motion_conversion.h"
#include "mortise/settings/settings.h"
#include "mortise/timing/multipath/multipath_check.h"
#include "mortise/timing/multipath/multipath_curves.h"
#include "mortise/timing/multipath/path_interpolation.h"

namespace mortise {

/// Settings of `smoothMultiPath`: the stage `smooth` and `mortise path smooth`.
struct SmoothSettings {
  PathCurveOptions curve = {.kind = CurveKind::smooth};
  void bind(SettingBinder& b);
};

/// Settings of `discretizeMultiPath`: the stage `discretize` and `mortise path discretize`.
struct DiscretizeSettings {
  PathCurveOptions curve;
  double resolution = 0.01;  ///< rad or m
  void bind(SettingBinder& b);
};

/// Settings of samples of a motion: the stage `evaluate`, `mortise path eval` and `mortise path evaluate`.
struct EvaluateSettings {
  std::vector<double> at;       ///< s
  std::optional<double> every;  ///< s
  PathInterpolation interpolation = PathInterpolation::given;
  void bind(SettingBinder& b);
  /// Says whether any times are asked for.
  bool asked() const { return !at.empty() || every; }
  /// Returns those of `at` and then those of `every`, of a motion from `start` to `end`. Throws `Error` for too many.
  std::vector<double> times(double start, double end) const;
};

/// Settings of `convertMotion`: the stage `convert` and `mortise path convert`.
struct ConvertSettings {
  std::optional<std::string> as;
  MotionConversionOptions options;
  void bind(SettingBinder& b);
};

/// Settings of `joinPaths`: `mortise path join`.
struct JoinSettings {
  std::optional<double> timeScale;  ///< Factor as of `scaleTimes`.
  void bind(SettingBinder& b);
};

/// Settings of `splitAt`: the stage `split` and `mortise path split`.
struct SplitSettings {
  std::vector<double> at;  ///< s; empty: between sections.
  void bind(SettingBinder& b);
};

/// Settings of `checkMultiPath`: `mortise path check`.
struct MultiPathCheckSettings {
  MultiPathCheckOptions options;
  void bind(SettingBinder& b);
};

}  // namespace mortise
