#pragma once

/// Settings of the backend, under ODE's own names. Defaults are those of ODE's manual.

#include <limits>
#include <optional>

#include "mortise/settings/setting_binder.h"

namespace mortise::ode {

/// Rows of connected bodies up to which `solver: auto` is exact, if no setting says otherwise.
constexpr int kExactRows = 600;
/// The same where there are contacts alone, counting no more than the bodies have degrees of freedom: others follow.
constexpr int kExactContactRows = 60;

struct OdeSettings {
  enum class Profile { recommended, normalized };
  enum class Solver { automatic, exact, quick };
  enum class Friction { coulomb, klampt };

  Profile profile = Profile::recommended;
  Solver solver = Solver::automatic;
  std::optional<int> exactLimit;  ///< Absent: by whether the scene has joints.
  int quickStepNumIterations = 20;
  double quickStepW = 1.3;
  std::optional<double> erp, cfm;  ///< Absent: as the profile says.
  std::optional<double> stopErp, stopCfm;
  std::optional<double> contactMaxCorrectingVel;  ///< Absent: by profile and surfaces.
  std::optional<double> contactSurfaceLayer;      ///< Absent: by the source of contacts.
  double bounceVel = 0.1;
  Friction friction = Friction::coulomb;
  double linearDamping = 0, angularDamping = 0;
  double linearDampingThreshold = 0.01, angularDampingThreshold = 0.01;
  double maxAngularSpeed = std::numeric_limits<double>::infinity();
  bool autoDisable = false;
  double autoDisableLinearThreshold = 0.01, autoDisableAngularThreshold = 0.01;
  int autoDisableSteps = 10;
  double autoDisableTime = 0;
  int autoDisableAverageSamplesCount = 1;

  bool klamptFriction() const { return friction == Friction::klampt; }
  void bind(SettingBinder& b);
  void check() const;
};

}  // namespace mortise::ode
