#pragma once

#include "mortise/component/file_format.h"

namespace mortise::io {

/// Klamp't's geometric primitives (.geom): a type name and its numbers, with or without a first line `Primitive`.
class GeomFormat final : public FileFormat {
 public:
  GeometryPtr readGeometry(ReadContext& context) override;
};

}  // namespace mortise::io
