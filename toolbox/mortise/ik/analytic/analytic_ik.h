#pragma once

/// Closed forms for arms whose geometry allows them: all solutions in a few microseconds.

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "mortise/ik/analytic/screw_chain.h"

namespace mortise {

inline constexpr int kMaxJoints = 6;
/// Angles, as many as the chain has joints; whole turns are the caller's business.
using JointAngles = std::array<double, kMaxJoints>;

/// Solvers of one's own are derived from this and given to `IKProblem`.
class AnalyticIK {
 public:
  virtual ~AnalyticIK() = default;
  virtual std::string_view name() const = 0;
  /// Adds all x for which the link is at X. `reference`: angles that singular positions leave open are as there. May
  /// be as inexact as the arm's geometry deviates from the solver's; callers check and polish.
  virtual void solve(const RigidTransform& X_WL, const JointAngles& reference,
                     std::vector<JointAngles>& solutions) const = 0;
};

/// The first of these that fits, from either end of the chain; null when none does:
///  - six joints of which the last three meet in a point (Pieper, 1968; by linear equations in the angles' cosines and
///    sines, one of them quadratic, as Paden's and Kahan's subproblems, 1986);
///  - six joints of which the second, third and fourth are parallel and the last two meet, as in Universal Robots' arms
///    (Hawkins, 2013);
///  - three parallel joints (planar arms).
/// Points that should coincide may be `slack` apart (m), lines that should be parallel off by as many radians: arms as
/// calibrated are still solved, by way of a nearby arm.
std::unique_ptr<AnalyticIK> findAnalyticIK(const ScrewChain& chain, double slack = 0.002);

}  // namespace mortise
