#pragma once

#include "common/geometry_format.h"

namespace mortise::io {

/// Polygon files (.ply), as text and binary of either byte order. With faces (or triangle strips) a triangle mesh:
/// polygons become fans of triangles and equal vertices one. Without any a point cloud, all other numbers of its
/// vertices kept as properties. Other elements and properties are passed over. Written as binary, in double precision.
class PlyFormat final : public GeometryFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;
  GeometryPtr readGeometry(ReadContext& context) override;
  std::vector<VisualPart> readAppearance(ReadContext& context) override;
  void writeGeometry(const Geometry& geometry, const std::string& path) override;
  void reportLosses(const Geometry& geometry, WriteContext& context) const override {
    if (!geometry.as<PointCloud>()) reportLostKind(geometry, context);
  }
};

}  // namespace mortise::io
