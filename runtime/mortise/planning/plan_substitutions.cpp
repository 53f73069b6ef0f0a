#include "mortise/planning/plan_substitutions.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/value_text.h"
#include "mortise/simulation/scene/substitution.h"
#include "mortise/text/suggest.h"

namespace mortise {

void reportAssumedAccelerations(const Value& report, double rampUp, LogSink& log) {
  const Value* names = report.find("assumed_accelerations");
  if (names == nullptr) names = report.find("assumed");
  if (names == nullptr || names->size() == 0) return;
  substitute(log, {SubstitutionKind::accelerations, "",
                   "nothing limits the acceleration of " + nameList(names->asStrings()) +
                       ": they reach their velocity limit in " + formatReal(rampUp) + " s"});
}

void reportKeptClearance(const Value& report, LogSink& log) {
  const Value* kept = report.find("clearance_kept");
  if (kept == nullptr) return;
  substitute(log, {SubstitutionKind::clearance, "",
                   "'clearance' is less than the margin of the space: the margin of " + formatReal(kept->asReal()) +
                       " m is kept"});
}

void reportStartBeyondLimits(const IKSolver& solver, const VectorXd& start, LogSink& log) {
  const Robot& robot = *solver.problem().robot;
  if (start.size() != robot.numLinks()) return;  // The solver refuses it.
  std::string first;
  int more = 0;
  for (const IKVariable& variable : solver.variables()) {
    if (variable.turns) continue;
    const double value = variableValue(variable, start);
    const double nearest = std::min(std::max(value, variable.low), variable.high);
    if (std::abs(value - nearest) <= 1e-9 * std::max(1.0, std::abs(value))) continue;
    if (first.empty())
      first = "joint '" + robot.link(variable.moves.front().link).name + "' is beyond its limits at the start, " +
              formatReal(value) + ": the search begins at " + formatReal(nearest);
    else
      ++more;
  }
  if (first.empty()) return;
  if (more > 0) first += " (and " + std::to_string(more) + " more joints)";
  substitute(log, {SubstitutionKind::ikStart, "", first});
}

}  // namespace mortise
