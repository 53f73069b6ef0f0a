#pragma once

/// Facts that physics must reproduce, one a case, with an answer that no engine has a say in.

#include <string>
#include <string_view>
#include <vector>

#include "mortise/closed_forms/trial.h"
#include "mortise/component/physics.h"

namespace mortise::truth {

struct TruthCase {
  const char* name;      ///< Name as typed: "slip".
  const char* sentence;  ///< Fact that must hold.
  const char* quantity;  ///< Quantity that the error is of.
  const char* unit;      ///< Unit of the error; "1": relative.
  const char* form;      ///< Closed form.
  const char* source;    ///< Source of the closed form.
  double tolerance;      ///< Error at a step of 1 ms that an engine is to reach whose results are relied on.

  // What the engine must be able to do.
  bool contacts = false;
  bool softness = false;
  bool restitution = false;
  bool worldJoints = false;

  /// Builds its scenes and returns the error, not negative. Throws `Error` for what the engine refuses or breaks, and
  /// `Interrupted`.
  double (*error)(Trial& trial);
};

/// All, in the order of the table.
const std::vector<TruthCase>& truthCases();
/// Throws `Error` with the nearest name.
const TruthCase& truthCase(std::string_view name);
std::vector<std::string> truthCaseNames();

/// Why an engine of these capabilities cannot be asked; empty when it can.
std::string refusal(const TruthCase& each, const PhysicsCapabilities& capabilities);

// By subject; each file's cases in order.
std::vector<TruthCase> freeMotionCases();
std::vector<TruthCase> jointCases();
std::vector<TruthCase> frictionCases();
std::vector<TruthCase> impactCases();
std::vector<TruthCase> contactCases();
std::vector<TruthCase> motorCases();

}  // namespace mortise::truth
