#pragma once

#include "mortise/component/file_format.h"

namespace mortise::io {

/// Klamp't's rigid objects (.obj, not to be confused with Wavefront meshes): a mesh, its mass and its surface.
class RigidObjectFormat final : public FileFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;
  Resource read(FileContent content, ReadContext& context) override;
  /// Velocities, masses and surfaces in full; the shape stays in its file where scaling and moving it there gives it,
  /// otherwise it is written beside the object. Numbers read back to the same bits.
  void write(const Resource& value, WriteContext& context) override;
};

/// Klamp't's terrains (.env): a mesh and its friction.
class TerrainFormat final : public FileFormat {
 public:
  Resource read(FileContent content, ReadContext& context) override;
  /// The shape stays in its file when that holds it as it is; otherwise it is written beside the terrain.
  void write(const Resource& value, WriteContext& context) override;
};

/// Returns what Klamp't makes of a bare geometry: 1 kg spread over its surface, and a terrain's stiff, damped ground.
RigidObject rigidObjectFromGeometry(GeometryPtr geometry);
Terrain terrainFromGeometry(GeometryPtr geometry);

}  // namespace mortise::io
