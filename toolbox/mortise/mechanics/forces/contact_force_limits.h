#pragma once

/// Bounds of forces at contacts besides friction.

#include <limits>
#include <span>
#include <vector>

#include "mortise/contact/hold.h"

namespace mortise {

/// low <= sum_i a_i . f_i <= high over the forces f_i (N, world axes) of all contacts. A limit of a normal force has a
/// normal for one contact and zeros for the others; a limit of a joint's torque has a row of a Jacobian.
struct ForceBound {
  std::vector<Vector3d> a_W;  ///< One a contact.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

struct ContactForceLimits {
  std::vector<ForceBound> bounds;
  /// Newton that the force of every contact keeps from the sides of its friction cone (KrisLibrary's robustness
  /// factor, there for a body of 1 kg), so that small disturbances neither slide nor lift it. At least 0.
  double robustness = 0;

  bool any() const { return !bounds.empty() || robustness > 0; }
};

/// No contact presses with more than `maximum` newton along its normal. Throws `Error` for a maximum that is not above
/// 0.
std::vector<ForceBound> normalForceBounds(std::span<const ContactPoint> contacts, double maximum);

/// Throws `Error` for bounds of another number of contacts, bounds that are not numbers, and a robustness below 0.
void requireForceLimits(const ContactForceLimits& limits, std::size_t contacts);

}  // namespace mortise
