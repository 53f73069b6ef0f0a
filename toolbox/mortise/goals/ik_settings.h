#pragma once

/// Settings of inverse kinematics, under the same names in pipelines (`ik`), on the command line (`mortise robot ik`)
/// and in Python.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mortise/ik/ik_solver.h"
#include "mortise/settings/settings.h"

namespace mortise {

/// Goals that commands take one by one, beside the list of goals that every door has.
struct IKTargetSettings {
  Value link, pose;
  std::optional<double> clearance;  ///< m
  void bind(SettingBinder& b);
};

/// Links that may move, and how far.
struct IKFreedomSettings {
  std::vector<std::string> active;  ///< Links by name or index; empty: all that the goals depend on.
  bool limits = true;
  void bind(SettingBinder& b);
};

struct IKSolveSettings {
  enum class Method { automatic, numeric, analytic, local };

  Method method = Method::automatic;
  double tolerance = IKOptions().tolerance;  ///< m and rad
  int maxIterations = IKOptions().maxIterations;
  std::optional<int> restarts;
  std::optional<std::int64_t> seed;
  bool nearest = false;
  int threads = 1;
  void bind(SettingBinder& b);
  /// `seed`: used where the settings have none. The start is left to the caller.
  IKOptions options(std::uint64_t seed = 0) const;
};

}  // namespace mortise
