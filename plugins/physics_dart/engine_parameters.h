#pragma once

namespace mortise::dart {

/// Parameters that DART keeps once for the whole process, as static members of its constraint classes.
struct EngineParameters {
  double errorAllowance = 0;              ///< Allowance of contacts, m.
  double errorReduction = 0;              ///< Reduction of contacts.
  double maxErrorReductionVelocity = 0;   ///< Velocity of contacts, m/s.
  double constraintForceMixing = 0;       ///< Mixing of contacts, relative.
  double jointErrorReduction = 0;         ///< Reduction of joints that close loops.
  double jointConstraintForceMixing = 0;  ///< Mixing of those joints, stops, servo motors and dry friction.

  bool operator==(const EngineParameters&) const = default;
  /// Returns the parameters that DART came with.
  static const EngineParameters& defaults();
};

/// Puts the parameters in force for as long as it lives. Scenes with the same parameters step side by side; one with
/// others waits until they have finished their steps.
class ParametersInForce {
 public:
  explicit ParametersInForce(const EngineParameters& parameters);
  ~ParametersInForce();
  ParametersInForce(const ParametersInForce&) = delete;
  ParametersInForce& operator=(const ParametersInForce&) = delete;
};

}  // namespace mortise::dart
