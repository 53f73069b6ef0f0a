#pragma once

#include "mortise/component/file_format.h"

namespace mortise::io {

/// Margins around a shape and its parts, which no format of shapes holds.
void reportLostMargins(const Geometry& geometry, WriteContext& context);
/// That triangles alone are left of a shape that is something else than a mesh.
void reportLostKind(const Geometry& geometry, WriteContext& context);

}  // namespace mortise::io
