#pragma once

#include "common/geometry_format.h"
#include "text/text_file.h"

namespace mortise::io {

/// Reads a point cloud from where the cursor stands and leaves it behind the last point. Throws `Error` with the
/// position of what is wrong.
PointCloud readPcd(const TextFile& file, Cursor& cursor, Diagnostics& diagnostics);

/// Point Cloud Library files (.pcd), version 0.7: text, binary and compressed binary. Fields other than x, y and z
/// become properties, a field of several numbers one property each (`name_0`, `name_1`, ...); padding (`_`) is passed
/// over; `rgb` and `rgba` become integers 0xrrggbb, however they are packed. Points without finite coordinates
/// (what a depth camera did not see) are left out, with a warning, and so is the order in rows then. The viewpoint is
/// not applied, as in Klamp't: points stay in the frame of the file. Written as text.
class PcdFormat final : public GeometryFormat {
 public:
  GeometryPtr readGeometry(ReadContext& context) override;
  void writeGeometry(const Geometry& geometry, const std::string& path) override;
};

}  // namespace mortise::io
