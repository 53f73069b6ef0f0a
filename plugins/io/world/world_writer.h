#pragma once

#include "mortise/component/file_format.h"
#include "mortise/model/world_description.h"

namespace mortise::io {

/// Writes a world as Klamp't's XML. Every number reads back to the same bits. File references stay as written where
/// that finds the same file from the new place; otherwise they become relative to the new file. Robots and shapes that
/// no file holds are written beside it, as STEM_NAME with an extension. Comments and what means nothing to us are
/// written where they stood. What the format cannot hold goes to the diagnostics as a warning.
void writeWorldFile(const WorldDescription& world, WriteContext& context);

}  // namespace mortise::io
