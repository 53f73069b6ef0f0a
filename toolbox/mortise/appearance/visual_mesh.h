#pragma once

/// Surfaces as people see them: triangles with colors, textures and normals, apart from the shapes that collide.

#include <array>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "mortise/geometry/geometry.h"

namespace mortise {

/// Red, green, blue and opacity from 0 to 1, as screens show them.
using Rgba = std::array<float, 4>;

/// An image as its file holds it.
struct Texture {
  std::string mime;  ///< "image/png" or "image/jpeg".
  std::string bytes;
};
using TexturePtr = std::shared_ptr<const Texture>;

struct VisualMaterial {
  Rgba color = {1, 1, 1, 1};
  TexturePtr texture;  ///< Multiplies the color; null: none.
  bool operator==(const VisualMaterial&) const = default;
};

/// The numbers of a mesh; without triangles its vertices are points. Lists beside the vertices are empty or have one
/// entry a vertex.
struct VisualMeshData {
  std::vector<Vector3d> vertices;
  std::vector<Eigen::Vector3f> normals;
  std::vector<Eigen::Vector2f> textureCoordinates;  ///< From the upper left corner of the image, as in glTF.
  std::vector<Rgba> colors;
  std::vector<std::array<int, 3>> triangles;
};
using VisualMeshDataPtr = std::shared_ptr<const VisualMeshData>;

struct VisualMesh {
  VisualMeshDataPtr data;                  ///< Never null.
  std::optional<VisualMaterial> material;  ///< Absent: the body's.
};

/// The appearance that a file gives to a body; parts are drawn one by one.
using VisualShape = std::vector<VisualMesh>;
using VisualShapePtr = std::shared_ptr<const VisualShape>;

/// The shape mapped; triangles are turned over where the map mirrors. Normals are dropped.
VisualShape transformed(const VisualShape& shape, const AffineMap& map);

AxisAlignedBounds boundsOf(const VisualShape& shape);

/// The angle of two faces above which their edge is seen, rad.
inline constexpr double kCreaseAngle = std::numbers::pi / 6;

/// The mesh with normals that are smooth but for edges where faces meet at more than `crease` (rad); vertices there are
/// doubled. Faces count by their area; those without area get the normal of a neighbor, or point up. Points have none.
VisualMeshData withNormals(const VisualMeshData& mesh, double crease);

/// The surface and the points of a shape, without normals; empty for shapes that cannot be drawn.
VisualShape visualShapeOf(const Geometry& geometry);

}  // namespace mortise
