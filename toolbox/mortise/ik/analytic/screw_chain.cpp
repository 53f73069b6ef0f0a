#include "mortise/ik/analytic/screw_chain.h"

#include <algorithm>
#include <cmath>

#include "mortise/math/rotation.h"
#include "mortise/model/robot_state.h"

namespace mortise {

RigidTransform ScrewChain::at(const double* x) const {
  RigidTransform X;
  for (std::size_t i = 0; i < axis.size(); ++i) {
    const Matrix3d R = rotationAboutAxis(axis[i], x[i]);
    X = X * RigidTransform(R, origin[i] - R * origin[i]);
  }
  return X * X0;
}

ScrewChain screwChain(const Robot& robot, const std::vector<IKVariable>& variables, int link, const VectorXd& q) {
  ScrewChain chain;
  VectorXd zero = q;
  for (const IKVariable& variable : variables) {
    if (!variable.angle || !robot.isAncestor(variable.moves[0].link, link)) return {};
    setVariable(variable, 0, zero);
  }
  RobotState state(robot);
  state.q = zero;
  updateFrames(robot, state);
  for (const IKVariable& variable : variables) {
    const std::size_t i = static_cast<std::size_t>(variable.moves[0].link);
    chain.axis.push_back(
        (variable.moves[0].scale * (state.X_WL[i].R * robot.link(static_cast<int>(i)).axis)).normalized());
    chain.origin.push_back(state.X_WL[i].p);
  }
  chain.X0 = state.X_WL[static_cast<std::size_t>(link)];
  chain.X0.R = orthonormalized(chain.X0.R);
  return chain;
}

ScrewChain reversed(const ScrewChain& chain) {
  ScrewChain result;
  result.X0 = chain.X0.inverse();
  for (int i = chain.size() - 1; i >= 0; --i) {
    result.axis.push_back(-(result.X0.R * chain.axis[static_cast<std::size_t>(i)]));
    result.origin.push_back(result.X0 * chain.origin[static_cast<std::size_t>(i)]);
  }
  return result;
}

}  // namespace mortise
