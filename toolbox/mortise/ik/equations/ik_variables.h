#pragma once

#include <vector>

#include "mortise/configuration/link_setting.h"
#include "mortise/model/robot.h"

namespace mortise {

/// One number that inverse kinematics chooses, and the links that follow from it: q[link] = offset + scale * x.
struct IKVariable {
  std::vector<DrivenCoordinate> moves;
  double low = -kInfinity, high = kInfinity;
  bool angle = false;  ///< A whole turn leads to the same poses.
  bool turns = false;  ///< An angle whose limits leave nothing out: it may go all around.
};

/// All variables of a robot: one a link, in order, but links that an affine driver moves together are one, at the place
/// of the first. Links that cannot move (welds, and where both limits are the same) have none. `limits` false: none has
/// limits.
std::vector<IKVariable> ikVariables(const Robot& robot, bool limits = true);

/// Makes one variable for each link, without limits: x is the whole configuration.
std::vector<IKVariable> linkVariables(const Robot& robot);

/// x of a configuration: for links that move together the mean, as `driverValue` has it.
double variableValue(const IKVariable& variable, const VectorXd& q);
void setVariable(const IKVariable& variable, double value, VectorXd& q);

}  // namespace mortise
