#pragma once

/// Choice of the contacts that a solver gets.

#include <cstdint>
#include <span>
#include <vector>

#include "mortise/math/transform.h"

namespace mortise {

struct ReducibleContact {
  Vector3d point = Vector3d::Zero(), normal = Vector3d::UnitZ();
  double gap = 0;
  bool kept = false;  ///< It was chosen in the step before.
};

struct ReductionWorkspace {
  std::vector<double> distance;
};

/// At most `max` of the contacts, ascending: the deepest, then again and again the one farthest from all chosen so far,
/// where a radian between normals counts as half the size of the patch. So the corners of a patch stay and its middle
/// goes; points are never averaged. What was chosen before stays, all of it, while there are `max` of it, none is
/// deeper by more than `hysteresis` meters, and no contact is farther from it than 1.2 times the farthest from a new
/// choice. Otherwise it counts as deeper by `hysteresis` and farther by a fifth. Ties go to the first.
void reduceContacts(std::span<const ReducibleContact> contacts, std::size_t max, double hysteresis,
                    std::vector<int>& chosen, ReductionWorkspace& workspace);

}  // namespace mortise
