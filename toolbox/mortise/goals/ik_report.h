#pragma once

/// Results of inverse kinematics, for programs and for people.

#include <optional>
#include <string>
#include <string_view>

#include "mortise/base/value.h"
#include "mortise/ik/ik_problem.h"

namespace mortise {

/// Names a method as the setting does: "analytic", "numeric", "auto".
std::string_view ikMethodName(IKMethod method);
/// {solved, q, residual, time_s, restarts, method, levels}; without `seconds` no `time_s`.
Value ikSolutionValue(const IKSolution& solution, std::optional<double> seconds = {});
/// "solved", or what is missed most, by how much, and whether it is out of reach.
std::string ikVerdict(const IKSolution& solution, const IKProblem& problem);

}  // namespace mortise
