#include "mortise/goals/ik_report.h"

#include <vector>

#include "mortise/base/value_text.h"
#include "mortise/ik/equations/term_text.h"

namespace mortise {

std::string_view ikMethodName(IKMethod method) {
  switch (method) {
    case IKMethod::analytic:
      return "analytic";
    case IKMethod::numeric:
      return "numeric";
    case IKMethod::automatic:
      break;
  }
  return "auto";
}

Value ikSolutionValue(const IKSolution& solution, std::optional<double> seconds) {
  Value result = Value::map();
  result.set("solved", solution.solved);
  result.set("q", Value(std::vector<double>(solution.q.begin(), solution.q.end())));
  result.set("residual", solution.residual);
  if (seconds) result.set("time_s", *seconds);
  result.set("restarts", std::int64_t{solution.restarts});
  result.set("method", ikMethodName(solution.method));
  if (!solution.levels.empty()) result.set("levels", solution.levels);
  return result;
}

std::string ikVerdict(const IKSolution& solution, const IKProblem& problem) {
  if (solution.solved) return "solved";
  std::string text = "not solved; the nearest that was found ";
  std::string missed, reach;
  for (const IKTerm& term : problem.terms) {
    constexpr double kMet = 1e-6;
    if (term.priority > 0 || termResidual(problem.robot, term, solution.q) <= kMet) continue;
    const std::string error = termErrorText(problem.robot, term, solution.q);
    if (!error.empty())
      missed +=
          (missed.empty() ? "misses the goal of " : ", that of ") + termText(*problem.robot, term) + " by " + error;
    if (problem.limits && reach.empty()) reach = reachText(*problem.robot, term);
  }
  text += missed.empty() ? "is off by " + formatReal(solution.residual, 4) + " (m or rad)" : missed;
  return reach.empty() ? text : text + ": " + reach;
}

}  // namespace mortise
