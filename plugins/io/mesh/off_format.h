#pragma once

#include "common/geometry_format.h"
#include "mesh/off_appearance.h"

namespace mortise::io {

/// The file of a mesh.
std::string offText(const TriangleMesh& mesh);

/// Object File Format triangle meshes (.off), with or without colors and normals behind each vertex. Faces with more
/// than three corners become fans of triangles.
class OffFormat final : public GeometryFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;
  GeometryPtr readGeometry(ReadContext& context) override;
  std::vector<VisualPart> readAppearance(ReadContext& context) override { return readOffAppearance(context); }
  void writeGeometry(const Geometry& geometry, const std::string& path) override;
  void reportLosses(const Geometry& geometry, WriteContext& context) const override {
    reportLostKind(geometry, context);
  }
};

}  // namespace mortise::io
