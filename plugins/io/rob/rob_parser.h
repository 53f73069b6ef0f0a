#pragma once

#include "mortise/component/file_format.h"
#include "rob/rob_file.h"

namespace mortise::io {

/// Reads the statements of a .rob file. Everything wrong goes to the diagnostics.
RobFile parseRob(const TextFile& file, ReadContext& context);

}  // namespace mortise::io
