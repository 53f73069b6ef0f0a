#pragma once

#include <map>
#include <string>

#include "mortise/appearance/visual_mesh.h"
#include "mortise/component/file_format.h"

namespace mortise::io {

/// A material of a .mtl file.
struct WavefrontMaterial {
  Rgba color = {1, 1, 1, 1};
  std::string texture;  ///< Path of the image as found; empty: none.
};

/// Adds the materials of a library that is referred to at `where`; of two of one name the first counts. A library that
/// is missing, textures that are, and what is not drawn (maps of bumps and the like) are warned of.
void readWavefrontMaterials(const std::string& reference, const SourcePosition& where, ReadContext& context,
                            std::map<std::string, WavefrontMaterial>& materials);

}  // namespace mortise::io
