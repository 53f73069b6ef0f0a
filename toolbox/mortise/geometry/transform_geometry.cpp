#include "mortise/geometry/transform_geometry.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "mortise/base/error.h"

namespace mortise {

namespace {

constexpr double kShearTolerance = 1e-6;
constexpr std::array<std::string_view, 3> kNormals = {"normal_x", "normal_y", "normal_z"};

/// The factor by which `A` scales every length, or a negative number when it does not scale evenly.
double uniformScale(const Matrix3d& A) {
  const Matrix3d gram = A.transpose() * A;
  const double squared = gram.trace() / 3;
  if ((gram - squared * Matrix3d::Identity()).cwiseAbs().maxCoeff() > kShearTolerance * squared) return -1;
  return std::sqrt(squared);
}

/// The ellipsoid that `A` makes of the one with semi-axes along the columns of `axes` (lengths included).
EllipsoidShape ellipsoidOf(const Matrix3d& axes, const Vector3d& center) {
  const Eigen::JacobiSVD<Matrix3d> svd(axes, Eigen::ComputeFullU);
  EllipsoidShape shape;
  shape.X.R = svd.matrixU();
  if (shape.X.R.determinant() < 0) shape.X.R.col(2) *= -1;
  shape.X.p = center;
  shape.radii = svd.singularValues();
  return shape;
}

/// A box with corner `origin` and these edges. A mirrored (left-handed) frame starts from the opposite end of an edge.
BoxShape boxOf(Matrix3d edges, Vector3d origin) {
  const Vector3d lengths = edges.colwise().norm();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j)
      if (std::abs(edges.col(i).dot(edges.col(j))) > kShearTolerance * lengths[i] * lengths[j])
        throw Error("a box cannot be sheared", {}, "scale it along its own axes, or give it as a mesh");
  if (edges.determinant() < 0) {
    origin += edges.col(2);
    edges.col(2) *= -1;
  }
  BoxShape box;
  box.X.p = origin;
  box.size = lengths;
  for (int i = 0; i < 3; ++i)
    if (lengths[i] > 0) box.X.R.col(i) = edges.col(i) / lengths[i];
  return box;
}

struct Mapper {
  const AffineMap& map;

  Geometry::Data operator()(std::monostate) const { return std::monostate{}; }
  Geometry::Data operator()(const PointShape& s) const { return PointShape{map * s.point}; }
  Geometry::Data operator()(const SegmentShape& s) const { return SegmentShape{map * s.a, map * s.b}; }
  Geometry::Data operator()(const TriangleShape& s) const { return TriangleShape{map * s.a, map * s.b, map * s.c}; }
  Geometry::Data operator()(const PolygonShape& s) const { return PolygonShape{points(s.vertices)}; }
  Geometry::Data operator()(const SphereShape& s) const {
    const double scale = uniformScale(map.A);
    if (scale >= 0) return SphereShape{map * s.center, s.radius * scale};
    return ellipsoidOf(map.A * s.radius, map * s.center);
  }
  Geometry::Data operator()(const AxisAlignedBoxShape& s) const {
    const Matrix3d offDiagonal = map.A - Matrix3d(map.A.diagonal().asDiagonal());
    if (offDiagonal.isZero(0)) {
      const Vector3d a = map * s.min, b = map * s.max;
      return AxisAlignedBoxShape{a.cwiseMin(b), a.cwiseMax(b)};
    }
    return boxOf(map.A * Matrix3d((s.max - s.min).asDiagonal()), map * s.min);
  }
  Geometry::Data operator()(const BoxShape& s) const {
    return boxOf(map.A * s.X.R * Matrix3d(s.size.asDiagonal()), map * s.X.p);
  }
  Geometry::Data operator()(const EllipsoidShape& s) const {
    return ellipsoidOf(map.A * s.X.R * Matrix3d(s.radii.asDiagonal()), map * s.X.p);
  }
  Geometry::Data operator()(const CylinderShape& s) const {
    // The cap must stay a circle perpendicular to the axis.
    const Vector3d u = s.axis.unitOrthogonal(), v = s.axis.cross(u).normalized();
    const Vector3d a = map.A * s.axis, mu = map.A * u, mv = map.A * v;
    const double radial = mu.norm();
    const double slack = kShearTolerance * radial * radial;
    if (std::abs(mu.squaredNorm() - mv.squaredNorm()) > slack || std::abs(mu.dot(mv)) > slack ||
        std::abs(mu.dot(a)) > kShearTolerance * radial * a.norm() ||
        std::abs(mv.dot(a)) > kShearTolerance * radial * a.norm())
      throw Error("a cylinder can be scaled along its axis and evenly across it, not sheared or flattened", {},
                  "give it as a mesh");
    const double along = a.norm();
    return CylinderShape{map * s.base, along > 0 ? Vector3d(a / along) : s.axis, s.radius * radial, s.height * along};
  }
  Geometry::Data operator()(const CapsuleShape& s) const {
    const double scale = uniformScale(map.A);
    if (scale < 0) throw Error("a capsule can only be scaled evenly", {}, "give it as a mesh");
    return CapsuleShape{map * s.a, map * s.b, s.radius * scale};
  }
  Geometry::Data operator()(const TriangleMesh& s) const {
    TriangleMesh mesh{points(s.vertices), s.triangles};
    // A mirror image turns the triangles inside out.
    if (map.A.determinant() < 0)
      for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
  }
  Geometry::Data operator()(const ConvexHullShape& s) const { return ConvexHullShape{points(s.points)}; }
  Geometry::Data operator()(const PointCloud& s) const {
    PointCloud cloud = s;
    for (Vector3d& p : cloud.points) p = map * p;
    turnNormals(cloud);
    return cloud;
  }
  Geometry::Data operator()(const HeightmapShape& s) const {
    HeightmapShape grid = s;
    Matrix3d axes = map.A * s.X.R;
    // A mirror image of the grid is the grid with its rows in the opposite order; heights keep their side.
    if (axes.determinant() < 0) {
      axes.col(1) *= -1;
      for (int row = 0; row < s.rows / 2; ++row)
        std::swap_ranges(grid.heights.begin() + std::ptrdiff_t{row} * s.columns,
                         grid.heights.begin() + std::ptrdiff_t{row + 1} * s.columns,
                         grid.heights.begin() + std::ptrdiff_t{s.rows - 1 - row} * s.columns);
    }
    const Vector3d scale = axes.colwise().norm();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j)
        if (!(scale.minCoeff() > 0) || std::abs(axes.col(i).dot(axes.col(j))) > kShearTolerance * scale[i] * scale[j])
          throw Error("a heightmap cannot be sheared or flattened", {},
                      "scale it along its own axes, or give it as a mesh");
    grid.X.p = map * s.X.p;
    grid.X.R = axes * scale.cwiseInverse().asDiagonal();
    grid.size = {s.size[0] * scale[0], s.size[1] * scale[1]};
    for (double& height : grid.heights) height *= scale[2];
    return grid;
  }
  Geometry::Data operator()(const ImplicitSurfaceShape& s) const {
    const double scale = uniformScale(map.A);
    if (!(scale > 0))
      throw Error("an implicit surface can only be scaled evenly, or its distances would be wrong", {},
                  "convert it to a mesh first");
    ImplicitSurfaceShape surface{moved(s.grid), s.truncation * scale};
    for (double& value : surface.grid.values) value *= scale;
    return surface;
  }
  Geometry::Data operator()(const OccupancyGridShape& s) const {
    return OccupancyGridShape{moved(s.grid), s.threshold};
  }
  Geometry::Data operator()(const GeometryGroup& s) const {
    GeometryGroup group;
    for (const auto& part : s.parts) group.parts.push_back(transformed(*part, map));
    return group;
  }

  /// The grid in its new place, numbers as they are. A mirror image has its layers along z in the opposite order.
  VolumeGrid moved(const VolumeGrid& from) const {
    VolumeGrid grid = from;
    Matrix3d axes = map.A * from.X.R;
    if (axes.determinant() < 0) {
      axes.col(2) *= -1;
      grid.min[2] = -from.max[2];
      grid.max[2] = -from.min[2];
      for (int i = 0; i < grid.cells[0]; ++i)
        for (int j = 0; j < grid.cells[1]; ++j) {
          const auto column = grid.values.begin() + static_cast<std::ptrdiff_t>(grid.index(i, j, 0));
          std::reverse(column, column + grid.cells[2]);
        }
    }
    const Vector3d scale = axes.colwise().norm();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j)
        if (!(scale.minCoeff() > 0) || std::abs(axes.col(i).dot(axes.col(j))) > kShearTolerance * scale[i] * scale[j])
          throw Error("a grid of cells cannot be sheared or flattened", {}, "convert it to a mesh first");
    grid.X.p = map * from.X.p;
    grid.X.R = axes * scale.cwiseInverse().asDiagonal();
    grid.min = grid.min.cwiseProduct(scale);
    grid.max = grid.max.cwiseProduct(scale);
    return grid;
  }

  /// Normals turn by the inverse transpose, so that they stay perpendicular to what they belong to.
  void turnNormals(PointCloud& cloud) const {
    std::array<std::vector<double>*, 3> components = {};
    for (auto& property : cloud.properties)
      for (int i = 0; i < 3; ++i)
        if (property.name == kNormals[static_cast<std::size_t>(i)])
          components[static_cast<std::size_t>(i)] = &property.values;
    if (!components[0] || !components[1] || !components[2]) return;
    if (map.A.determinant() == 0) return;
    const Matrix3d turn = map.A.inverse().transpose();
    for (std::size_t k = 0; k < cloud.points.size(); ++k) {
      const Vector3d normal = turn * Vector3d((*components[0])[k], (*components[1])[k], (*components[2])[k]);
      const double length = normal.norm();
      if (!(length > 0)) continue;
      for (int i = 0; i < 3; ++i) (*components[static_cast<std::size_t>(i)])[k] = normal[i] / length;
    }
  }

  std::vector<Vector3d> points(const std::vector<Vector3d>& from) const {
    std::vector<Vector3d> to;
    to.reserve(from.size());
    for (const Vector3d& p : from) to.push_back(map * p);
    return to;
  }
};

}  // namespace

GeometryPtr transformed(const Geometry& geometry, const AffineMap& map) {
  return std::make_shared<Geometry>(std::visit(Mapper{map}, geometry.data()), geometry.margin(), geometry.file());
}

GeometryPtr unionOf(const GeometryPtr& a, const GeometryPtr& b) {
  if (!a || a->empty()) return b;
  if (!b || b->empty()) return a;
  const double margin = std::max(a->margin(), b->margin());
  if (const auto* meshA = a->as<TriangleMesh>(), *meshB = b->as<TriangleMesh>(); meshA && meshB) {
    TriangleMesh merged = *meshA;
    const int shift = static_cast<int>(meshA->vertices.size());
    merged.vertices.insert(merged.vertices.end(), meshB->vertices.begin(), meshB->vertices.end());
    for (const auto& t : meshB->triangles) merged.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
    return std::make_shared<Geometry>(std::move(merged), margin, a->file());
  }
  GeometryGroup group;
  for (const GeometryPtr& g : {a, b}) {
    if (const auto* inner = g->as<GeometryGroup>())
      group.parts.insert(group.parts.end(), inner->parts.begin(), inner->parts.end());
    else
      group.parts.push_back(g);
  }
  return std::make_shared<Geometry>(std::move(group), margin, a->file());
}

}  // namespace mortise
