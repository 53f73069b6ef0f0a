#pragma once

#include "mortise/component/file_format.h"

namespace mortise::io {

/// A format that holds shapes and nothing else.
class GeometryFormat : public FileFormat {
 public:
  Resource read(FileContent, ReadContext& context) final { return readGeometry(context); }
  void write(const Resource& value, WriteContext& context) final {
    writeGeometry(*std::get<GeometryPtr>(value), context.path);
  }

  virtual GeometryPtr readGeometry(ReadContext& context) = 0;
  virtual void writeGeometry(const Geometry& geometry, const std::string& path) = 0;
};

}  // namespace mortise::io
