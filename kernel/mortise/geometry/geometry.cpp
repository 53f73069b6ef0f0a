#include "mortise/geometry/geometry.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/overloaded.h"

namespace mortise {

namespace {

void includeBall(AxisAlignedBounds& bounds, const Vector3d& center, double radius) {
  bounds.include(center - Vector3d::Constant(radius));
  bounds.include(center + Vector3d::Constant(radius));
}

void includeGrid(AxisAlignedBounds& bounds, const VolumeGrid& grid) {
  for (int corner = 0; corner < 8; ++corner)
    bounds.include(grid.X * Vector3d(corner & 1 ? grid.max[0] : grid.min[0], corner & 2 ? grid.max[1] : grid.min[1],
                                     corner & 4 ? grid.max[2] : grid.min[2]));
}

}  // namespace

bool Geometry::empty() const {
  return std::visit(
      Overloaded{[](std::monostate) { return true; }, [](const PolygonShape& s) { return s.vertices.empty(); },
                 [](const TriangleMesh& s) { return s.triangles.empty(); },
                 [](const ConvexHullShape& s) { return s.points.empty(); },
                 [](const PointCloud& s) { return s.points.empty(); },
                 [](const HeightmapShape& s) { return s.heights.empty(); },
                 [](const ImplicitSurfaceShape& s) { return s.grid.values.empty(); },
                 [](const OccupancyGridShape& s) { return s.grid.values.empty(); },
                 [](const GeometryGroup& s) {
                   for (const auto& part : s.parts)
                     if (!part->empty()) return false;
                   return true;
                 },
                 [](const auto&) { return false; }},
      *data_);
}

AffineMap AffineMap::scaling(const Vector3d& factors) { return {Matrix3d(factors.asDiagonal()), Vector3d::Zero()}; }

AffineMap AffineMap::operator*(const AffineMap& right) const { return {A * right.A, A * right.t + t}; }

Vector3d AffineMap::operator*(const Vector3d& p) const { return A * p + t; }

bool AffineMap::isIdentity() const { return A == Matrix3d::Identity() && t == Vector3d::Zero(); }

Geometry::Geometry() : Geometry(Data()) {}

Geometry::Geometry(Data data, double margin, std::string file)
    : data_(std::make_shared<const Data>(std::move(data))), margin_(margin), file_(std::move(file)) {}

std::string_view Geometry::typeName() const {
  return std::visit(Overloaded{[](std::monostate) { return std::string_view(); },
                               [](const TriangleMesh&) { return std::string_view("TriangleMesh"); },
                               [](const ConvexHullShape&) { return std::string_view("ConvexHull"); },
                               [](const PointCloud&) { return std::string_view("PointCloud"); },
                               [](const HeightmapShape&) { return std::string_view("Heightmap"); },
                               [](const ImplicitSurfaceShape&) { return std::string_view("ImplicitSurface"); },
                               [](const OccupancyGridShape&) { return std::string_view("OccupancyGrid"); },
                               [](const GeometryGroup&) { return std::string_view("Group"); },
                               [](const auto&) { return std::string_view("GeometricPrimitive"); }},
                    *data_);
}

int Geometry::numVertices() const {
  return std::visit(Overloaded{[](const TriangleMesh& s) { return static_cast<int>(s.vertices.size()); },
                               [](const ConvexHullShape& s) { return static_cast<int>(s.points.size()); },
                               [](const PointCloud& s) { return static_cast<int>(s.points.size()); },
                               [](const HeightmapShape& s) { return static_cast<int>(s.heights.size()); },
                               [](const GeometryGroup& s) {
                                 int n = 0;
                                 for (const auto& part : s.parts) n += part->numVertices();
                                 return n;
                               },
                               [](const auto&) { return 0; }},
                    *data_);
}

int Geometry::numTriangles() const {
  return std::visit(Overloaded{[](const TriangleMesh& s) { return static_cast<int>(s.triangles.size()); },
                               [](const GeometryGroup& s) {
                                 int n = 0;
                                 for (const auto& part : s.parts) n += part->numTriangles();
                                 return n;
                               },
                               [](const auto&) { return 0; }},
                    *data_);
}

AxisAlignedBounds Geometry::bounds() const {
  AxisAlignedBounds b;
  const auto all = [&b](const std::vector<Vector3d>& points) {
    for (const Vector3d& p : points) b.include(p);
  };
  std::visit(Overloaded{[](std::monostate) {}, [&](const PointShape& s) { b.include(s.point); },
                        [&](const SegmentShape& s) {
                          b.include(s.a);
                          b.include(s.b);
                        },
                        [&](const TriangleShape& s) {
                          b.include(s.a);
                          b.include(s.b);
                          b.include(s.c);
                        },
                        [&](const PolygonShape& s) { all(s.vertices); },
                        [&](const SphereShape& s) { includeBall(b, s.center, s.radius); },
                        [&](const AxisAlignedBoxShape& s) {
                          b.include(s.min);
                          b.include(s.max);
                        },
                        [&](const BoxShape& s) {
                          for (int corner = 0; corner < 8; ++corner)
                            b.include(s.X * Vector3d(corner & 1 ? s.size[0] : 0, corner & 2 ? s.size[1] : 0,
                                                     corner & 4 ? s.size[2] : 0));
                        },
                        [&](const EllipsoidShape& s) {
                          const Vector3d half = (s.X.R * Matrix3d(s.radii.asDiagonal())).rowwise().norm();
                          b.include(s.X.p - half);
                          b.include(s.X.p + half);
                        },
                        [&](const CylinderShape& s) {
                          // A circle of radius r with unit normal n reaches r * sqrt(1 - n_i^2) along axis i.
                          const Vector3d half =
                              s.radius * (Vector3d::Ones() - s.axis.cwiseAbs2()).cwiseMax(0).cwiseSqrt();
                          for (const Vector3d& c : {s.base, Vector3d(s.base + s.height * s.axis)}) {
                            b.include(c - half);
                            b.include(c + half);
                          }
                        },
                        [&](const CapsuleShape& s) {
                          includeBall(b, s.a, s.radius);
                          includeBall(b, s.b, s.radius);
                        },
                        [&](const TriangleMesh& s) { all(s.vertices); },
                        [&](const ConvexHullShape& s) { all(s.points); }, [&](const PointCloud& s) { all(s.points); },
                        [&](const HeightmapShape& s) {
                          for (int row = 0; row < s.rows; ++row)
                            for (int column = 0; column < s.columns; ++column) b.include(s.point(column, row));
                        },
                        [&](const ImplicitSurfaceShape& s) { includeGrid(b, s.grid); },
                        [&](const OccupancyGridShape& s) { includeGrid(b, s.grid); },
                        [&](const GeometryGroup& s) {
                          for (const auto& part : s.parts) {
                            const AxisAlignedBounds inner = part->bounds();
                            if (inner.empty()) continue;
                            b.include(inner.min);
                            b.include(inner.max);
                          }
                        }},
             *data_);
  return b;
}

GeometryPtr Geometry::withMargin(double margin) const {
  auto copy = std::make_shared<Geometry>(*this);
  copy->margin_ = margin;
  return copy;
}

GeometryPtr Geometry::withFile(std::string file) const {
  auto copy = std::make_shared<Geometry>(*this);
  copy->file_ = std::move(file);
  return copy;
}

}  // namespace mortise
