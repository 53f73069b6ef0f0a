#pragma once

#include <vector>

#include "common/geometry_losses.h"
#include "mortise/appearance/visual_library.h"
#include "mortise/component/file_format.h"

namespace mortise::io {

/// A format that holds shapes, and perhaps what they look like.
class GeometryFormat : public FileFormat {
 public:
  Resource read(FileContent content, ReadContext& context) final {
    if (content == FileContent::library) return libraryOf(readAppearance(context));
    return readGeometry(context);
  }
  void write(const Resource& value, WriteContext& context) final {
    const Geometry& geometry = *std::get<GeometryPtr>(value);
    writeGeometry(geometry, context.path);
    reportLostMargins(geometry, context);
    reportLosses(geometry, context);
  }

  virtual GeometryPtr readGeometry(ReadContext& context) = 0;
  /// The meshes with their colors and textures; nothing where the file says nothing but a shape. Asked only of formats
  /// that are registered to read libraries.
  virtual std::vector<VisualPart> readAppearance(ReadContext& context);
  virtual void writeGeometry(const Geometry& geometry, const std::string& path) = 0;
  /// Warns of what is otherwise in the file than in the shape, but for margins.
  virtual void reportLosses(const Geometry&, WriteContext&) const {}
};

}  // namespace mortise::io
