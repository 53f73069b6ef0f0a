#include "mortise/simulation/components/estimate_check.h"

namespace mortise {

std::string estimateFault(std::string_view estimator, const Robot& robot, RobotState& state) {
  const Eigen::Index n = robot.numLinks();
  if (state.q.size() != n || state.dq.size() != n) {
    const std::string fault = std::string(estimator) + ": the estimate has " + std::to_string(state.q.size()) +
                              " positions and " + std::to_string(state.dq.size()) + " velocities, but robot '" +
                              robot.name() + "' has " + std::to_string(n) + " links";
    state.q.setZero(n);
    state.dq.setZero(n);
    return fault;
  }
  if (!state.q.allFinite() || !state.dq.allFinite())
    return std::string(estimator) + ": the estimate is not a finite number";
  return {};
}

}  // namespace mortise
