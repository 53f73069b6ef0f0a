#pragma once

#include <optional>

#include "mortise/settings/setting_binder.h"

namespace mortise::dart {

/// DART's settings under DART's names. What is absent is as DART has it, or as the profile says.
struct DartSettings {
  enum class Profile { recommended, normalized };
  enum class Lcp { dantzig, pgs, none };
  enum class Drives { spring, servo };
  enum class FrictionDirection { fixed, sliding };
  enum class Detector { fcl, dart };
  enum class FclShapes { mesh, primitive };

  Profile profile = Profile::recommended;
  Lcp lcpSolver = Lcp::dantzig;
  Lcp secondaryLcpSolver = Lcp::pgs;
  int maxIteration = 30;
  double deltaXThreshold = 1e-6;
  double relativeDeltaXTolerance = 1e-3;
  double epsilonForDivision = 1e-9;
  std::optional<double> errorAllowance;             ///< Allowance of contacts, m.
  std::optional<double> errorReductionParameter;    ///< Parameter of contacts.
  std::optional<double> maxErrorReductionVelocity;  ///< Velocity of contacts, m/s.
  std::optional<double> constraintForceMixing;      ///< Mixing of contacts; relative in DART.
  std::optional<double> jointErrorReductionParameter;
  std::optional<double> jointConstraintForceMixing;
  Drives drives = Drives::spring;
  FrictionDirection frictionDirection = FrictionDirection::fixed;
  Detector collisionDetector = Detector::fcl;
  FclShapes fclPrimitiveShape = FclShapes::mesh;
  int maxNumContacts = 1000;

  void bind(SettingBinder& b);
};

}  // namespace mortise::dart
