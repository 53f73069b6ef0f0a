#pragma once

#include <assimp/scene.h>
#include <functional>
#include <string>

#include "mortise/geometry/geometry.h"

namespace mortise::io_assimp {

/// Calls `take` for each mesh that the nodes of a scene show, with its map to our axes. Throws `Error` for scenes that
/// are damaged, or made to show their meshes again and again.
void forEachMesh(const aiScene& scene, const std::string& path, const AffineMap& toOurs,
                 const std::function<void(const aiMesh&, const AffineMap&)>& take);

}  // namespace mortise::io_assimp
