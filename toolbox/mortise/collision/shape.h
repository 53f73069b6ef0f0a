#pragma once

/// A geometry prepared for collision queries: convex elements (`convex_element.h`) under a bounding volume hierarchy.
/// Immutable; any number of threads may share one.

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "mortise/collision/bvh/bvh.h"
#include "mortise/geometry/convex/convex_element.h"
#include "mortise/geometry/geometry.h"

namespace mortise {

/// Element of a shape: of which part of a group (parts count depth first; 0 when there is no group), and which
/// triangle of a mesh, point of a cloud, triangle of a heightmap's or polygon's surface; 0 for a primitive.
struct ElementId {
  int part = 0, index = 0;
  auto operator<=>(const ElementId&) const = default;
};

struct CollisionShapeOptions {
  int leafSize = 2;  ///< Elements in a leaf of the hierarchy, at most.
};

class RayHierarchy;
class VolumeField;

class CollisionShape {
 public:
  /// Throws `Error` that names the geometry's file and the element when a number is not finite or beyond 1e60 in
  /// magnitude, when a triangle names a vertex that is not there, and when a size is negative. Elements are those of
  /// `shapeElements`; an implicit surface is the triangles of `implicitSurfaceMesh`.
  explicit CollisionShape(GeometryPtr geometry, const CollisionShapeOptions& options = {});
  ~CollisionShape();
  CollisionShape(const CollisionShape&) = delete;
  CollisionShape& operator=(const CollisionShape&) = delete;

  const GeometryPtr& geometry() const { return geometry_; }
  int numElements() const { return static_cast<int>(bvh_.order().size()); }
  bool empty() const { return bvh_.order().empty(); }
  /// The shape's frame, margin included, tight. Empty bounds when there is nothing.
  const AxisAlignedBounds& bounds() const { return bounds_; }
  /// No point of the shape, margin included, is farther from here.
  const Vector3d& center() const { return bvh_.origin(); }
  double radius() const { return bvh_.radius(); }

  // How the queries see it. A place is a position in the leaves of the hierarchy.
  const Bvh& bvh() const { return bvh_; }
  ElementId id(int place) const { return grid_ ? ElementId{0, bvh_.order()[place]} : ids_[place]; }
  ConvexElement element(int place) const;
  /// Every element is a triangle, swept by one and the same radius.
  bool trianglesOnly() const { return kind_ == CoreKind::triangle && packed_; }
  /// Nine numbers; only of shapes that are triangles only.
  const double* triangle(int place) const { return coordinates_.data() + 9 * static_cast<std::size_t>(place); }
  /// Returns the radius that sweeps every element of a packed shape (triangles or points only).
  double sweep() const { return sweep_; }
  /// The heightmap that this is, where it is nothing else and has so many cells that it is prepared as a grid; null
  /// elsewhere. Elements are numbered cell by cell.
  const HeightmapShape* largeGrid() const { return grid_ ? geometry_->as<HeightmapShape>() : nullptr; }
  /// Built when it is first asked for.
  const RayHierarchy& rays() const;
  /// Some part is solid although its elements are its surface: a heightmap or an implicit surface.
  bool solid() const { return !heightmaps_.empty() || !fields_.empty(); }
  /// Says whether a point of the shape's frame is inside such a part.
  bool insideSolid(const Vector3d& point) const;
  /// A place in each connected piece.
  const std::vector<int>& pieces() const { return pieces_; }
  /// Parts that are meshes, and so may enclose points.
  struct MeshPart {
    int part = 0;
    bool closed = false;  ///< Each edge is used once in each direction; corners at the same place are one.
  };
  const std::vector<MeshPart>& meshParts() const { return meshParts_; }

 private:
  struct Gathering;
  void takeGrid(const HeightmapShape& map);
  void findPieces();
  void gather(const GeometryPtr& geometry, double margin, int& part, Gathering& out);

  GeometryPtr geometry_;
  bool packed_ = false;
  bool grid_ = false;                ///< See `largeGrid`.
  CoreKind kind_ = CoreKind::point;  ///< Kind of a packed shape's elements.
  double sweep_ = 0;
  std::vector<double> coordinates_;      ///< Packed shapes: nine or three numbers for each place.
  std::vector<ConvexElement> elements_;  ///< Others: one for each place.
  std::vector<ElementId> ids_;           ///< Empty for a large grid.
  std::vector<std::deque<ConvexPolyhedron>> polyhedra_;
  Bvh bvh_;
  AxisAlignedBounds bounds_;
  std::vector<GeometryPtr> heightmaps_;
  std::vector<std::unique_ptr<const VolumeField>> fields_;  ///< Fields of implicit surfaces.
  std::vector<int> pieces_;
  std::vector<MeshPart> meshParts_;
  struct LazyRays;
  std::unique_ptr<LazyRays> lazyRays_;
};

using CollisionShapePtr = std::shared_ptr<const CollisionShape>;

/// See the constructor for what it throws. A null geometry is an empty shape.
CollisionShapePtr makeCollisionShape(const GeometryPtr& geometry, const CollisionShapeOptions& options = {});

}  // namespace mortise
