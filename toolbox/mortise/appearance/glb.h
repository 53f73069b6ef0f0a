#pragma once

/// Shapes as binary glTF 2.0 (https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html).

#include <span>
#include <string>
#include <vector>

#include "mortise/appearance/display_color.h"
#include "mortise/geometry/geometry.h"

namespace mortise {

/// One shape in a scene.
struct GlbNode {
  std::string name;
  int id = -1;  ///< World id; kept as `extras.id`.
  GeometryPtr geometry;
  Color color = {0.5f, 0.5f, 0.5f};
  RigidTransform X_WN;
};

/// A file with these nodes. Each distinct shape is stored once. Surfaces become triangles in single precision, their
/// normals are left to the viewer, as glTF allows; point clouds become points with their colors, if they have any.
/// Shapes without surface are left out. Round shapes are divided so that they differ from what they are by about 1 % of
/// their size.
std::string glbOf(std::span<const GlbNode> nodes);

}  // namespace mortise
