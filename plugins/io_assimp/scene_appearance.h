#pragma once

#include <assimp/scene.h>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "mortise/appearance/visual_library.h"
#include "mortise/base/bytes.h"

namespace mortise::io_assimp {

/// The meshes of a scene with colors, texture coordinates and images; those of other files by the references that the
/// scene has. `linear`: the file's colors are linear, as glTF's are.
std::vector<VisualPart> appearancesOf(const aiScene& scene, const std::string& path, const AffineMap& toOurs,
                                      bool linear);

/// Through the pipe of the child process. Reading throws `Error` for bytes that do not hold together.
void putAppearances(const std::vector<VisualPart>& parts, ByteWriter& out);
std::vector<VisualPart> getAppearances(ByteReader& in, std::size_t size);

}  // namespace mortise::io_assimp
