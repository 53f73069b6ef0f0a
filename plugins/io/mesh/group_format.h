#pragma once

#include "common/geometry_format.h"

namespace mortise::io {

/// Klamp't's groups (.group): how many parts, then for each its type (Primitive, ConvexHull, TriangleMesh, PointCloud,
/// Heightmap, Group) and its content as in a file of its own. A first line `Group`, or the type and content of a single
/// shape, is read as well.
class GroupFormat final : public GeometryFormat {
 public:
  GeometryPtr readGeometry(ReadContext& context) override;
  void writeGeometry(const Geometry& geometry, const std::string& path) override;
  void reportLosses(const Geometry& geometry, WriteContext& context) const override;
};

}  // namespace mortise::io
