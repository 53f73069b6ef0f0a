#pragma once

#include "common/geometry_losses.h"
#include "mortise/component/file_format.h"

namespace mortise::io {

/// A format that holds shapes and nothing else.
class GeometryFormat : public FileFormat {
 public:
  Resource read(FileContent, ReadContext& context) final { return readGeometry(context); }
  void write(const Resource& value, WriteContext& context) final {
    const Geometry& geometry = *std::get<GeometryPtr>(value);
    writeGeometry(geometry, context.path);
    reportLostMargins(geometry, context);
    reportLosses(geometry, context);
  }

  virtual GeometryPtr readGeometry(ReadContext& context) = 0;
  virtual void writeGeometry(const Geometry& geometry, const std::string& path) = 0;
  /// Warns of what is otherwise in the file than in the shape, but for margins.
  virtual void reportLosses(const Geometry&, WriteContext&) const {}
};

}  // namespace mortise::io
