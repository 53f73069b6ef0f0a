#pragma once

#include <vector>

#include "mortise/appearance/visual_library.h"
#include "mortise/component/file_format.h"

namespace mortise::io {

/// The faces of a Wavefront file, a part for each material, with texture coordinates and colors behind vertices.
/// Nothing where the file has none of these. Throws `Error` as the reader of shapes does, who reads the file all the
/// same.
std::vector<VisualPart> readWavefrontAppearance(ReadContext& context);

}  // namespace mortise::io
