#pragma once

#include "common/geometry_format.h"
#include "common/geometry_text.h"
#include "text/text_file.h"

namespace mortise::io {

/// Reads a volume grid as Klamp't writes it: lower and upper corner of the box, the number of cells along x, y and z,
/// and a number for each cell, the last index fastest. Throws `Error` with the position of what is wrong.
VolumeGrid readVolume(const TextFile& file, Cursor& cursor);
/// Writes it. Throws `Error` that names `path` where the grid is turned, which the format cannot hold.
void writeVolume(const VolumeGrid& grid, const std::string& path, GeometryText& text);

/// Klamp't's implicit surfaces (.vol, .sdf): signed distances, negative within.
class ImplicitSurfaceFormat final : public GeometryFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;
  GeometryPtr readGeometry(ReadContext& context) override;
  void writeGeometry(const Geometry& geometry, const std::string& path) override;
  void reportLosses(const Geometry& geometry, WriteContext& context) const override;
};

/// Klamp't's occupancy grids (.occ): cells with numbers above one half are occupied.
class OccupancyGridFormat final : public GeometryFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;
  GeometryPtr readGeometry(ReadContext& context) override;
  void writeGeometry(const Geometry& geometry, const std::string& path) override;
  void reportLosses(const Geometry& geometry, WriteContext& context) const override;
};

}  // namespace mortise::io
