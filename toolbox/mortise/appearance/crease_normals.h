#pragma once

#include <array>
#include <vector>

#include "mortise/geometry/geometry.h"

namespace mortise {

/// Normals at the corners of each triangle, smooth but for edges where faces meet at more than `crease` (rad). Faces
/// count by their area; those without area have no normal (zero) of their own.
std::vector<std::array<Eigen::Vector3f, 3>> creasedNormals(const TriangleMesh& mesh, double crease);

}  // namespace mortise
