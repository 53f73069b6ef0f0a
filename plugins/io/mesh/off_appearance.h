#pragma once

#include <vector>

#include "mortise/appearance/visual_library.h"
#include "mortise/component/file_format.h"

namespace mortise::io {

/// The faces of an OFF file with the colors of their vertices (COFF) or their own, which stand behind their corners.
/// Nothing where the file has none. Throws `Error` as the reader of shapes does, who reads the file all the same.
std::vector<VisualPart> readOffAppearance(ReadContext& context);

}  // namespace mortise::io
