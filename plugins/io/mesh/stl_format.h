#pragma once

#include "common/geometry_format.h"

namespace mortise::io {

/// Stereolithography meshes, ASCII and binary. Corners at exactly the same place become one vertex.
/// Written as binary, in single precision, which is what the format has.
class StlFormat final : public GeometryFormat {
 public:
  GeometryPtr readGeometry(ReadContext& context) override;
  void writeGeometry(const Geometry& geometry, const std::string& path) override;
  void reportLosses(const Geometry& geometry, WriteContext& context) const override {
    reportLostKind(geometry, context);
    reportRounding(geometry, context);
  }

 private:
  /// A property of every STL file, so that it is told and no reason to refuse one.
  static void reportRounding(const Geometry& geometry, WriteContext& context);
};

}  // namespace mortise::io
