#pragma once

/// Shapes as binary glTF 2.0 (https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html).

#include <span>
#include <string>
#include <vector>

#include "mortise/appearance/visual_mesh.h"

namespace mortise {

/// One shape in a scene.
struct GlbNode {
  std::string name;
  int id = -1;  ///< World id; kept as `extras.id`.
  RigidTransform X_WN;
  VisualShape shape;  ///< Each mesh with its material.
  float roughness = 0.7f;
  // Kept as `extras.mortise`.
  bool visual = true, collision = true, defaultColor = false;
  double edges = 0, silhouette = 0, pointSize = 0;  ///< Pixels; 0: none, or as the viewer has it.
  Rgba edgeColor = {0, 0, 0, 1}, silhouetteColor = {0, 0, 0, 1};
};

/// A file with these nodes. Numbers of a mesh are stored once for all nodes that share them, and so are materials and
/// images. Surfaces become triangles in single precision with their normals, or with such as `kCreaseAngle` gives;
/// points become points. Colors of vertices and texture coordinates come along, images as their files have them. Nodes
/// without meshes are left out.
std::string glbOf(std::span<const GlbNode> nodes);

}  // namespace mortise
