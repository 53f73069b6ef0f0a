#pragma once

#include "common/geometry_format.h"
#include "text/text_file.h"

namespace mortise::io {

/// Reads a heightmap from its JSON text, which stands at `offset` of `file` and may be its whole; the image with the
/// heights is found through the loader. Perspective depth maps become the mesh of what a pinhole sees. Throws `Error`
/// with the position of what is wrong.
Geometry::Data readHeightmap(const TextFile& file, std::string_view json, ReadContext& context);

/// Klamp't's heightmaps (.json with `type: Heightmap`): size in x and y, range of heights, and an image whose black is
/// the lower and white the upper end of the range, its first row at the greatest y. Images are PNG or PGM, of 8 or 16
/// bits. The colors are passed over. With angles of view (`xfov`, `yfov`) in the place of the size it is a depth map.
class HeightmapFormat final : public GeometryFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;
  GeometryPtr readGeometry(ReadContext& context) override;
  /// NAME.json and beside it NAME.png, in which heights are rounded to 65536 steps of their range.
  void writeGeometry(const Geometry& geometry, const std::string& path) override;
  void reportLosses(const Geometry& geometry, WriteContext& context) const override;
};

}  // namespace mortise::io
