#pragma once

#include <vector>

#include "mortise/math/transform.h"

namespace mortise::sensors_embree {

/// Returns how far apart the points of a cloud are, m: the median, over some of them, of the distance to the nearest
/// other place. 0 for clouds of one place.
double pointSpacing(const std::vector<Vector3d>& points);

}  // namespace mortise::sensors_embree
