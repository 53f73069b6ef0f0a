#pragma once

#include "mortise/component/file_format.h"

namespace mortise::io {

/// Klamp't's rigid objects (.obj, not to be confused with Wavefront meshes): a mesh, its mass and its surface.
class RigidObjectFormat final : public FileFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;
  RigidObject readRigidObject(ReadContext& context) override;
};

/// Klamp't's terrains (.env): a mesh and its friction.
class TerrainFormat final : public FileFormat {
 public:
  Terrain readTerrain(ReadContext& context) override;
};

/// What Klamp't makes of a bare geometry: 1 kg spread over its surface, and a terrain's stiff, damped ground.
RigidObject rigidObjectFromGeometry(GeometryPtr geometry);
Terrain terrainFromGeometry(GeometryPtr geometry);

}  // namespace mortise::io
