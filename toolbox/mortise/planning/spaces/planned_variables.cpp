#include "mortise/planning/spaces/planned_variables.h"

#include "mortise/base/error.h"

namespace mortise {

PlannedVariables plannedVariables(const MotionSpace& space, const Mover& mover, const std::string& name) {
  const int n = space.dimension();
  constexpr double kPart = 0.25;
  PlannedVariables planned;
  VectorXd full;
  space.lift(VectorXd::Zero(n), full);
  planned.base = full.segment(mover.first, mover.size);
  VectorXd expected = planned.base;
  std::vector<char> moved(static_cast<std::size_t>(mover.size), 0);
  bool fixedRates = true;
  for (int c = 0; c < n; ++c) {
    space.lift(VectorXd::Unit(n, c), full);
    IKVariable variable;
    for (int i = 0; i < mover.size; ++i) {
      const double rate = full[mover.first + i] - planned.base[i];
      if (rate == 0) continue;
      variable.moves.push_back({i, rate, planned.base[i]});
      expected[i] += kPart * rate;
      fixedRates = fixedRates && moved[static_cast<std::size_t>(i)] == 0;
      moved[static_cast<std::size_t>(i)] = 1;
    }
    planned.variables.push_back(std::move(variable));
  }
  space.lift(VectorXd::Constant(n, kPart), full);
  if (!fixedRates || !((full.segment(mover.first, mover.size) - expected).cwiseAbs().maxCoeff() <= 1e-9))
    throw Error("the coordinates of the space do not move robot '" + name + "' at fixed rates", {},
                "give the goal by configurations, or by a condition");
  return planned;
}

}  // namespace mortise
