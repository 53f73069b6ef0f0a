#pragma once

#include <array>
#include <optional>

#include "mortise/settings/setting_binder.h"

namespace mortise::mujoco {

/// Under the names of MJCF's attributes. Defaults are MuJoCo's own, but for the cone, which is what its manual
/// recommends.
struct MujocoSettings {
  enum class Profile { recommended, normalized };
  enum class Solver { newton, cg, pgs };
  enum class Cone { elliptic, pyramidal };
  enum class Integrator { euler, implicit, implicitFast, rk4 };
  enum class Jacobian { automatic, dense, sparse };
  enum class FixedMeshes { refuse, hull };

  Profile profile = Profile::recommended;
  Solver solver = Solver::newton;
  Cone cone = Cone::elliptic;
  Integrator integrator = Integrator::euler;
  Jacobian jacobian = Jacobian::automatic;
  int iterations = 100;
  double tolerance = 1e-8;
  double impratio = 1;
  int noslipIterations = 0;
  double noslipTolerance = 1e-6;
  std::optional<std::array<double, 2>> solref, solrefLimit, solrefFriction, solrefEquality;
  std::optional<std::array<double, 5>> solimp, solimpLimit, solimpFriction, solimpEquality;
  bool multiccd = false;
  FixedMeshes fixedMeshes = FixedMeshes::refuse;

  bool normalized() const { return profile == Profile::normalized; }
  void bind(SettingBinder& b);
  void check() const;
};

/// The hardness of a constraint, in MuJoCo's terms.
struct SolverParameters {
  std::array<double, 2> solref;
  std::array<double, 5> solimp;
};

/// Parameters in force for each kind of constraint that no material decides, for steps of `dt` seconds.
struct ConstraintParameters {
  SolverParameters contact, limit, friction, equality;
  ConstraintParameters(const MujocoSettings& settings, double dt);
};

}  // namespace mortise::mujoco
