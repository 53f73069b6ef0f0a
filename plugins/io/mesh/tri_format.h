#pragma once

#include "common/geometry_format.h"
#include "text/text_file.h"

namespace mortise::io {

/// Appends one mesh: number of vertices, vertices, number of triangles, triangles as three indices from 0. Throws
/// `Error` with the position of what is wrong.
void readTriangles(const TextFile& file, Cursor& cursor, TriangleMesh& mesh);

/// Klamp't's triangle meshes (.tri). Several meshes in one file become one, as there. Vertices are kept as they are:
/// equal ones are not joined.
class TriFormat final : public GeometryFormat {
 public:
  GeometryPtr readGeometry(ReadContext& context) override;
  void writeGeometry(const Geometry& geometry, const std::string& path) override;
  void reportLosses(const Geometry& geometry, WriteContext& context) const override {
    reportLostKind(geometry, context);
  }
};

}  // namespace mortise::io
