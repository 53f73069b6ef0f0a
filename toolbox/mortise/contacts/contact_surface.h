#pragma once

/// The corners, edges and faces of a collision shape, prepared for contacts: what is convex, what is flat, and which
/// triangles make one flat face. Immutable; any number of threads may share one.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "mortise/collision/shape.h"
#include "mortise/contacts/normals/normal_cone.h"

namespace mortise {

/// A corner, edge or face of a `ContactSurface`: two bits of kind and thirty of index. Faces are flat regions of
/// triangles, so that a body that slides over a flat mesh stays on one.
struct SurfaceFeature {
  enum Kind : std::uint32_t { vertex = 0, edge = 1, face = 2, element = 3 };

  std::uint32_t code = 0;
  SurfaceFeature() = default;
  SurfaceFeature(Kind kind, int index) : code(kind << 30 | static_cast<std::uint32_t>(index)) {}
  Kind kind() const { return static_cast<Kind>(code >> 30); }
  int index() const { return static_cast<int>(code & 0x3fffffffu); }
  auto operator<=>(const SurfaceFeature&) const = default;
};

/// Sine of the angle by which sharp corners and edges may turn away from what they lie on, and that of rounding.
constexpr double kLean = 0.2, kStrict = 1e-6;
/// Likewise for corners that stand for others on smooth parts.
constexpr double kSmoothLean = 0.1;
/// Likewise for corners of fine meshes over bent surfaces, at most.
constexpr double kFineLean = 0.05;

class GridSurface;

class ContactSurface {
 public:
  /// `shape` must not be null.
  explicit ContactSurface(CollisionShapePtr shape);
  /// Prepares a part of something larger: what is small or flat is so by the radius of the whole.
  ContactSurface(CollisionShapePtr shape, double radius);
  ~ContactSurface();

  /// Cone in which the surface leaves a corner or edge: unit vectors along the edges from a corner, into the faces from
  /// an edge. The nearest point of a surface to an outside point is on this corner or edge only if none of these leads
  /// nearer.
  struct Cone {
    int first = 0, count = 0;
    int tile = -1;  ///< Tile of a large heightmap (`grid_surface.h`).
  };
  struct Vertex {
    Vector3d p = Vector3d::Zero();
    double radius = 0;
    Cone cone;
    NormalCone normals;  ///< Directions, to either side, in which something may lie on it. Of triangles alone.
    VertexKind kind = VertexKind::corner;
    /// It stands for those around it: it may lean. All corners; along ridges and over smooth parts one in each twelfth
    /// of the shape's radius.
    bool anchor = true;
    bool fine = false;  ///< All its edges are.
    double length = 0;  ///< Length of the longest of these, of a fine corner.
    double lean() const { return !anchor ? kStrict : kind == VertexKind::smooth ? kSmoothLean : kLean; }
  };
  struct Edge {
    Vector3d p = Vector3d::Zero(), q = Vector3d::Zero();
    double radius = 0;
    Cone cone;
    NormalCone normals;  ///< Normals as of vertices.
    bool sharp = true;   ///< It turns by more than 0.3 rad, or is open.
    /// It hardly stands out between its faces: corners near it say the same to 3e-4 of the shape's radius.
    bool fine = false;
    double lean() const { return sharp ? kLean : kStrict; }
  };
  /// Features of a triangle. Corners and edges within a flat region are -1: nothing happens there that does not happen
  /// on the region's outline.
  struct Triangle {
    int region = -1;                     ///< -1: without area.
    Vector3d normal = Vector3d::Zero();  ///< Unit, of the region, to either side.
    std::array<int, 3> vertices = {-1, -1, -1}, edges = {-1, -1, -1};
    double turn = 0, bend = 0;  ///< Over its fine edges: the most they turn, rad, and turn for each meter, rad/m.
  };

  /// Contents of one place of the leaves, of shapes that are triangles only.
  struct Place {
    Vector3d center = Vector3d::Zero();
    double radius = 0;
    NormalCone normals;           ///< Normals of the face and of the corners and edges that belong here.
    double cosine = 0, sine = 1;  ///< Cosine and sine of half that cone; 0 and 1 for a wide one.
    bool sharp = false;           ///< One of these edges is.
    bool coarse = false;          ///< One of these corners or edges is not fine.

    void include(const Vertex& vertex);
    void include(const Edge& edge);
    void finish();  ///< After everything is included.
  };
  /// Returns the features of the triangle alone, without the corners and edges that belong to it.
  static Place boundOf(const ConvexElement& element, const Triangle& triangle);

  const CollisionShape& shape() const { return *shape_; }
  const CollisionShapePtr& shapePtr() const { return shape_; }

  /// Indices of the corners that belong to one place of the shape's leaves. Each belongs to one place alone.
  int firstVertex(int place) const { return grid_ ? gridFirstVertex(place) : firstVertex_[place]; }
  int lastVertex(int place) const { return grid_ ? gridLastVertex(place) : firstVertex_[place + 1]; }
  int firstEdge(int place) const { return grid_ ? gridFirstEdge(place) : firstEdge_[place]; }
  int lastEdge(int place) const { return grid_ ? gridLastEdge(place) : firstEdge_[place + 1]; }
  const Vertex& vertex(int index) const { return grid_ ? gridVertex(index) : vertices_[index]; }
  const Edge& edge(int index) const { return grid_ ? gridEdge(index) : edges_[index]; }
  std::span<const Vector3d> cone(const Cone& cone) const {
    if (grid_) return gridCone(cone);
    return {directions_.data() + cone.first, static_cast<std::size_t>(cone.count)};
  }
  /// Returns the features of a place that holds a triangle.
  const Triangle& triangle(int place) const { return grid_ ? gridTriangle(place) : triangles_[place]; }
  /// Features of boxes, hulls, cylinders and ellipsoids, as `ElementFeature` numbers them, count on from here.
  int firstFeature(int place) const { return firstFeature_[place]; }
  /// For a triangle of a hull: the first triangle in the same plane.
  int hullFace(int place, int triangle) const { return hullFaces_[firstHullFace_[place] + triangle]; }
  /// The rest only for shapes that are triangles only.
  const Place& place(int place) const { return grid_ ? gridPlace(place) : places_[place]; }
  /// For each node of the hierarchy: all normals of what is in its boxes; for a large heightmap every direction.
  NormalNodes nodeNormals() const { return {nodeNormals_.data(), grid_ ? 0 : 1}; }
  /// Unit, in the shape's frame: which way is up for each heightmap in it, below which all is solid.
  const std::vector<Vector3d>& upward() const { return upward_; }

 private:
  int gridFirstVertex(int place) const;
  int gridLastVertex(int place) const;
  int gridFirstEdge(int place) const;
  int gridLastEdge(int place) const;
  const Vertex& gridVertex(int index) const;
  const Edge& gridEdge(int index) const;
  std::span<const Vector3d> gridCone(const Cone& cone) const;
  const Triangle& gridTriangle(int place) const;
  const Place& gridPlace(int place) const;
  void findHeightmaps(const Geometry& geometry);
  void openNodeNormals();
  void addTriangles(double fullRadius);
  void boundNormals();
  void addPrimitive(int place, const ConvexElement& element);
  void addVertex(const Vector3d& p, double radius, std::span<const Vector3d> cone);
  void addEdge(const Vector3d& p, const Vector3d& q, double radius, std::span<const Vector3d> cone);

  CollisionShapePtr shape_;
  std::unique_ptr<const GridSurface> grid_;  ///< Grid of a large heightmap: in place of all but the nodes' normals.
  std::vector<Vertex> vertices_;
  std::vector<Edge> edges_;
  std::vector<Vector3d> directions_, upward_;
  std::vector<Triangle> triangles_;  ///< By place; empty when the shape has none.
  std::vector<Place> places_;
  std::vector<NormalNode> nodeNormals_;
  std::vector<int> firstVertex_, firstEdge_, firstFeature_, firstHullFace_, hullFaces_;
};

/// A shape whose surface is prepared when something first comes near it: most terrains of a large world never meet
/// anything. Any number of threads may share one; copies share what is prepared.
class ContactShape {
 public:
  ContactShape() = default;                      ///< None.
  ContactShape(std::nullptr_t) {}                // NOLINT: none
  ContactShape(const CollisionShapePtr& shape);  // NOLINT: implicit on purpose
  /// Keeps `shape` itself only where it has many elements or a solid inside; otherwise it is made anew from its
  /// geometry, with the surface.
  static ContactShape madeWhenNear(const CollisionShapePtr& shape);

  explicit operator bool() const { return source_ != nullptr; }
  // The rest is for shapes that are there.
  bool empty() const { return source_->empty; }
  /// Returns the bounds of the `CollisionShape`.
  const AxisAlignedBounds& bounds() const { return source_->bounds; }
  /// It holds a heightmap, below which all is solid.
  bool bottomless() const { return source_->bottomless; }
  const ContactSurface& surface() const;
  bool prepared() const { return source_->ready.load(std::memory_order_acquire) != nullptr; }
  /// The shape that this was made of, where it is kept.
  const CollisionShape* kept() const { return source_ ? source_->shape.get() : nullptr; }

 private:
  struct Source {
    CollisionShapePtr shape;
    GeometryPtr geometry;
    bool empty = true, bottomless = false;
    AxisAlignedBounds bounds;
    mutable std::once_flag once;
    mutable std::unique_ptr<const ContactSurface> surface;
    mutable std::atomic<const ContactSurface*> ready = nullptr;  ///< The same, without the price of asking the flag.
  };
  std::shared_ptr<const Source> source_;
};

}  // namespace mortise
