#include "mortise/ik/ik_report.h"

#include <vector>

#include "mortise/base/value_text.h"

namespace mortise {

Value ikSolutionValue(const IKSolution& solution, std::optional<double> seconds) {
  Value result = Value::map();
  result.set("solved", solution.solved);
  result.set("q", Value(std::vector<double>(solution.q.begin(), solution.q.end())));
  result.set("residual", solution.residual);
  if (seconds) result.set("time_s", *seconds);
  result.set("restarts", std::int64_t{solution.restarts});
  if (!solution.levels.empty()) result.set("levels", solution.levels);
  return result;
}

std::string ikVerdict(const IKSolution& solution) {
  if (solution.solved) return "solved";
  return "not solved; the nearest that was found is off by " + formatReal(solution.residual, 6);
}

}  // namespace mortise
