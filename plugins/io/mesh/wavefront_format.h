#pragma once

#include "common/geometry_format.h"
#include "mesh/wavefront_appearance.h"

namespace mortise::io {

/// Says whether the first lines look like a Wavefront file rather than Klamp't's rigid object, which shares the
/// extension.
bool resemblesWavefront(std::string_view head);

/// Wavefront OBJ meshes: vertices and faces, and what they look like (`wavefront_appearance.h`). Normals and groups are
/// passed over.
class WavefrontFormat final : public GeometryFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;
  GeometryPtr readGeometry(ReadContext& context) override;
  std::vector<VisualPart> readAppearance(ReadContext& context) override { return readWavefrontAppearance(context); }
  void writeGeometry(const Geometry& geometry, const std::string& path) override;
  void reportLosses(const Geometry& geometry, WriteContext& context) const override {
    reportLostKind(geometry, context);
  }
};

}  // namespace mortise::io
