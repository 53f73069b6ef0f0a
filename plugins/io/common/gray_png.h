#pragma once

#include <string>

#include "common/gray_image.h"

namespace mortise::io {

/// Decodes a PNG image with libpng. `bytes` begin with the signature of PNG. Throws `Error`, naming `path`, for what is
/// damaged, too large, interlaced, has a palette or has colors.
GrayImage readPng(const std::string& path, const std::string& bytes);

}  // namespace mortise::io
