#pragma once

/// Images on surfaces.

#include <functional>
#include <string>
#include <string_view>

#include "mortise/appearance/visual_mesh.h"

namespace mortise {

/// The image in these bytes, which are PNG or JPEG. Throws `Error` that says what is wrong: another format, cut off, or
/// larger than 8192 by 8192 pixels or 64 MB.
TexturePtr textureFrom(std::string bytes);

/// Klamp't's textures, made as it makes them: "checker", "noise", "gradient" (gray), "colorgradient" and
/// "colorgradient_hashmarks" (from red to blue). Null for any other name. The noise is the same every time.
TexturePtr klamptTexture(std::string_view name);

/// Klamp't's projections of a texture on a shape: by x and y, or by z alone.
enum class TextureProjection { xy, z };
/// Texture coordinates from where vertices are: meters, or from 0 to 1 over the bounds of the shape with `fit`.
VisualShape projected(const VisualShape& shape, TextureProjection projection, bool fit);

}  // namespace mortise
