#pragma once

#include <optional>

#include "mortise/settings/setting_binder.h"

namespace mortise::ode {

struct OdeSettings {
  enum class Solver { automatic, exact, quick, direct };
  enum class Friction { coulomb, klampt };

  Solver solver = Solver::automatic;
  int exactLimit = 600;
  Friction friction = Friction::coulomb;
  int iterations = 50;
  std::optional<double> errorReduction;         ///< Absent: the scene's.
  std::optional<double> constraintForceMixing;  ///< Absent: the scene's.

  bool klamptFriction() const { return friction == Friction::klampt; }
  void bind(SettingBinder& b);
};

}  // namespace mortise::ode
