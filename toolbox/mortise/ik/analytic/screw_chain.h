#pragma once

#include <vector>

#include "mortise/ik/equations/ik_variables.h"
#include "mortise/math/transform.h"

namespace mortise {

/// A chain of revolute joints as products of exponentials (Brockett, 1984): X = E_1 ... E_n X0, where E_i turns about a
/// line of the world that joint i has at x = 0.
struct ScrewChain {
  std::vector<Vector3d> axis;    ///< Axis of unit length.
  std::vector<Vector3d> origin;  ///< A point of each.
  RigidTransform X0;             ///< Pose of the link at x = 0.

  int size() const { return static_cast<int>(axis.size()); }
  RigidTransform at(const double* x) const;
};

/// The chain from the world to `link` where joints without variable stand as in q; empty where it is none: joints that
/// slide, one variable for several joints, or joints that do not lie above the link.
ScrewChain screwChain(const Robot& robot, const std::vector<IKVariable>& variables, int link, const VectorXd& q);

/// The same chain seen from the link: X^-1, with the joints in reverse order.
ScrewChain reversed(const ScrewChain& chain);

}  // namespace mortise
