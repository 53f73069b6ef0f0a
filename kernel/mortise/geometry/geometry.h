#pragma once

/// Shapes of links, objects and terrains: plain data. Queries over them live in the toolbox.

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mortise/math/transform.h"

namespace mortise {

struct PointShape {
  Vector3d point = Vector3d::Zero();
};
struct SegmentShape {
  Vector3d a = Vector3d::Zero(), b = Vector3d::Zero();
};
struct TriangleShape {
  Vector3d a = Vector3d::Zero(), b = Vector3d::Zero(), c = Vector3d::Zero();
};
struct PolygonShape {
  std::vector<Vector3d> vertices;
};
struct SphereShape {
  Vector3d center = Vector3d::Zero();
  double radius = 1;
};
/// Axis-aligned in the geometry's frame.
struct AxisAlignedBoxShape {
  Vector3d min = Vector3d::Zero(), max = Vector3d::Ones();
};
/// Corner `X.p`, edges along the columns of `X.R` with lengths `size` (Klamp't's Box: origin, axes, dims).
struct BoxShape {
  RigidTransform X;
  Vector3d size = Vector3d::Ones();
};
/// Center `X.p`, semi-axes `radii` along the columns of `X.R`.
struct EllipsoidShape {
  RigidTransform X;
  Vector3d radii = Vector3d::Ones();
};
/// Cylinder from `base` (center of one cap) along the unit `axis` over `height`.
struct CylinderShape {
  Vector3d base = Vector3d::Zero();
  Vector3d axis = Vector3d::UnitZ();
  double radius = 1;
  double height = 1;
};
struct CapsuleShape {
  Vector3d a = Vector3d::Zero(), b = Vector3d::UnitZ();
  double radius = 1;
};

/// Not necessarily closed. Counter-clockwise triangles seen from outside.
struct TriangleMesh {
  std::vector<Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
};
/// The convex hull of these points.
struct ConvexHullShape {
  std::vector<Vector3d> points;
};
struct PointCloud {
  /// One number for each point. `normal_x`, `normal_y` and `normal_z` together are unit normals and turn with the
  /// cloud; everything else (`rgb`, `intensity`, `radius`, ...) is carried along unchanged.
  struct Property {
    std::string name;
    std::vector<double> values;
  };

  std::vector<Vector3d> points;
  std::vector<Property> properties = {};
  /// Points stand row by row as in an image of this many columns and rows; 0 when they have no order.
  int columns = 0, rows = 0;

  /// nullptr when there is no such property.
  const Property* property(std::string_view name) const;
};
/// Elevation over a regular grid: point (i, j) of the grid, i along x and j along y, stands at
/// `X * (size[0] * (i / (columns - 1) - 1/2), size[1] * (j / (rows - 1) - 1/2), heights[j * columns + i])`. What lies
/// below the surface (towards negative z of the grid's frame) is solid.
struct HeightmapShape {
  RigidTransform X;  ///< Frame of the grid: the origin is in the middle of it, z is up.
  int columns = 0, rows = 0;
  std::array<double, 2> size = {1, 1};  ///< Extents from the first to the last point along x and y, in meters.
  std::vector<double> heights;

  Vector3d point(int column, int row) const;
  /// Two triangles a cell, counter-clockwise seen from above; vertex `j * columns + i` is point (i, j).
  TriangleMesh surface() const;
};

/// Numbers over a box that is divided evenly into cells along its frame's axes. Cell (i, j, k) has its number at
/// `values[(i * cells[1] + j) * cells[2] + k]`, and it belongs to the cell's center.
struct VolumeGrid {
  RigidTransform X;  ///< Frame of the grid; `min` and `max` are in it.
  Vector3d min = Vector3d::Zero(), max = Vector3d::Ones();
  std::array<int, 3> cells = {0, 0, 0};
  std::vector<double> values;

  std::size_t index(int i, int j, int k) const {
    return (static_cast<std::size_t>(i) * static_cast<std::size_t>(cells[1]) + static_cast<std::size_t>(j)) *
               static_cast<std::size_t>(cells[2]) +
           static_cast<std::size_t>(k);
  }
  double value(int i, int j, int k) const { return values[index(i, j, k)]; }
  Vector3d cellSize() const { return (max - min).cwiseQuotient(Vector3d(cells[0], cells[1], cells[2])); }
  /// In the grid's frame.
  Vector3d center(int i, int j, int k) const {
    return min + cellSize().cwiseProduct(Vector3d(i + 0.5, j + 0.5, k + 0.5));
  }
  /// The number at a point given in the grid's frame: trilinear between the centers, and beyond the outermost of them
  /// as on the nearest point between them.
  double interpolate(const Vector3d& point) const;
};
/// Solid where the interpolated number, a signed distance in meters, is zero or less, within the grid's box alone.
struct ImplicitSurfaceShape {
  VolumeGrid grid;
  /// Numbers of this size or more say only that the surface is at least as far away, in meters.
  double truncation = std::numeric_limits<double>::infinity();
};
/// Solid in each cell whose number is above `threshold`.
struct OccupancyGridShape {
  VolumeGrid grid;
  double threshold = 0.5;
  bool occupied(int i, int j, int k) const { return grid.value(i, j, k) > threshold; }
};

class Geometry;
using GeometryPtr = std::shared_ptr<const Geometry>;

struct GeometryGroup {
  std::vector<GeometryPtr> parts;
};

struct AxisAlignedBounds {
  Vector3d min = Vector3d::Constant(std::numeric_limits<double>::infinity());
  Vector3d max = Vector3d::Constant(-std::numeric_limits<double>::infinity());
  bool empty() const { return (min.array() > max.array()).any(); }
  void include(const Vector3d& point) {
    min = min.cwiseMin(point);
    max = max.cwiseMax(point);
  }
};

/// Linear map plus translation, `p -> A p + t`; may scale, unlike `RigidTransform`.
struct AffineMap {
  Matrix3d A = Matrix3d::Identity();
  Vector3d t = Vector3d::Zero();
  AffineMap() = default;
  AffineMap(const Matrix3d& linear, const Vector3d& translation) : A(linear), t(translation) {}
  AffineMap(const RigidTransform& X) : A(X.R), t(X.p) {}  // NOLINT: implicit on purpose
  static AffineMap scaling(const Vector3d& factors);
  AffineMap operator*(const AffineMap& right) const;
  Vector3d operator*(const Vector3d& p) const;
  bool isIdentity() const;
};

/// An immutable shape with a margin (a layer of that thickness counts as solid) and the file it came from.
class Geometry {
 public:
  using Data = std::variant<std::monostate, PointShape, SegmentShape, TriangleShape, PolygonShape, SphereShape,
                            AxisAlignedBoxShape, BoxShape, EllipsoidShape, CylinderShape, CapsuleShape, TriangleMesh,
                            ConvexHullShape, PointCloud, GeometryGroup, HeightmapShape, ImplicitSurfaceShape,
                            OccupancyGridShape>;

  Geometry();
  explicit Geometry(Data data, double margin = 0, std::string file = {});

  /// Geometries that differ in margin or file alone share it, so its address stands for the shape.
  const Data& data() const { return *data_; }
  double margin() const { return margin_; }
  const std::string& file() const { return file_; }
  bool empty() const;
  template <typename T>
  const T* as() const {
    return std::get_if<T>(data_.get());
  }

  /// Klamp't's type names: "GeometricPrimitive", "TriangleMesh", "PointCloud", "ConvexHull", "Heightmap",
  /// "ImplicitSurface", "OccupancyGrid", "Group", "" when empty.
  std::string_view typeName() const;
  int numVertices() const;
  int numTriangles() const;
  /// Without the margin. Empty bounds for an empty shape.
  AxisAlignedBounds bounds() const;

  GeometryPtr withMargin(double margin) const;
  GeometryPtr withFile(std::string file) const;

 private:
  std::shared_ptr<const Data> data_;  ///< Never null.
  double margin_ = 0;
  std::string file_;
};

}  // namespace mortise
