#pragma once

#include "common/geometry_format.h"
#include "text/text_file.h"

namespace mortise::io {

/// Reads a type name and its numbers: `Sphere 0 0 0 1`. Throws `Error` with the position of what is wrong.
Geometry::Data readPrimitive(const TextFile& file, Cursor& cursor);

/// Klamp't's geometric primitives (.geom): a type name and its numbers, with or without a first line `Primitive`.
class GeomFormat final : public GeometryFormat {
 public:
  GeometryPtr readGeometry(ReadContext& context) override;
  void writeGeometry(const Geometry& geometry, const std::string& path) override;
};

}  // namespace mortise::io
