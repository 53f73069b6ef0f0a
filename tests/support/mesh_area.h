#pragma once

#include "mortise/geometry/geometry.h"

namespace mortise {

/// The sum of the areas of a mesh's triangles.
inline double area(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles)
    sum += 0.5 * (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]).norm();
  return sum;
}

}  // namespace mortise
