#pragma once

#include "mortise/component/file_format.h"

namespace mortise::io {

/// Stereolithography meshes, ASCII and binary. Corners at exactly the same place become one vertex.
class StlFormat final : public FileFormat {
 public:
  GeometryPtr readGeometry(ReadContext& context) override;
};

}  // namespace mortise::io
