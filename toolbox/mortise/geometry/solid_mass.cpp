#include "mortise/geometry/solid_mass.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "mortise/base/error.h"
#include "mortise/geometry/convex/convex_hull.h"
#include "mortise/geometry/convex/mesh_recognition.h"
#include "mortise/geometry/surface_defects.h"
#include "mortise/math/constants.h"

namespace mortise {

namespace {

/// Volume, first moment and second moment (integral of x x^T) about one point. They add up over parts.
struct Sums {
  double volume = 0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();

  void add(const Sums& other) {
    volume += other.volume;
    first += other.first;
    second += other.second;
  }
  /// The tetrahedron of the origin and a triangle, negative seen from behind: volume V = a . (b x c) / 6, moments
  /// V/4 s and V/20 (sum v v^T + s s^T) with s = a + b + c.
  void addTetrahedron(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    const double v = a.dot(b.cross(c)) / 6;
    const Vector3d s = a + b + c;
    volume += v;
    first += v / 4 * s;
    second += v / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
};

SolidMoments momentsOf(const Sums& sums, const Vector3d& origin) {
  SolidMoments moments;
  moments.volume = sums.volume;
  const Vector3d offset = sums.first / sums.volume;
  moments.center = origin + offset;
  moments.covariance = sums.second / sums.volume - offset * offset.transpose();
  return moments;
}

/// A body given in its principal axes.
SolidMoments principal(double volume, const Vector3d& center, const Matrix3d& axes, const Vector3d& variances) {
  return {volume, center, axes * variances.asDiagonal() * axes.transpose()};
}

Matrix3d axesAlong(const Vector3d& z) {
  return Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), z).toRotationMatrix();
}

AxisAlignedBounds boundsOf(const TriangleMesh& mesh) {
  AxisAlignedBounds bounds;
  for (const auto& t : mesh.triangles)
    for (const int v : t) bounds.include(mesh.vertices[v]);
  return bounds;
}

/// Sums over a closed mesh about the middle of it, so that far from the origin no digits are lost.
SolidMoments moments(const TriangleMesh& mesh, const char* what) {
  const AxisAlignedBounds bounds = boundsOf(mesh);
  const Vector3d origin = bounds.empty() ? Vector3d(Vector3d::Zero()) : Vector3d(0.5 * (bounds.min + bounds.max));
  Sums sums;
  for (const auto& t : mesh.triangles)
    sums.addTetrahedron(mesh.vertices[t[0]] - origin, mesh.vertices[t[1]] - origin, mesh.vertices[t[2]] - origin);
  const double size = bounds.empty() ? 0 : (bounds.max - bounds.min).norm();
  if (sums.volume < -1e-12 * size * size * size)
    throw Error(std::string(what) + " is inside out, so it encloses no volume", {},
                "turn its triangles: counter-clockwise seen from outside");
  if (!(sums.volume > 1e-12 * size * size * size))
    throw Error(std::string(what) + " is flat or empty, so it encloses no volume", {},
                "give the mass properties instead, or use a surface fraction of 1");
  return momentsOf(sums, origin);
}

class Visitor {
 public:
  explicit Visitor(const SolidOptions& options) : options_(options) {}

  SolidMoments operator()(const std::monostate&) const { return none("an empty shape"); }
  SolidMoments operator()(const PointShape&) const { return none("a point"); }
  SolidMoments operator()(const SegmentShape&) const { return none("a segment"); }
  SolidMoments operator()(const TriangleShape&) const { return none("a triangle"); }
  SolidMoments operator()(const PolygonShape&) const { return none("a polygon"); }
  SolidMoments operator()(const PointCloud&) const { return none("a point cloud"); }

  SolidMoments operator()(const ImplicitSurfaceShape&) const {
    throw Error("there are no exact mass properties of an implicit surface", {}, "make a mesh of it first");
  }
  SolidMoments operator()(const OccupancyGridShape& shape) const {
    const VolumeGrid& grid = shape.grid;
    const Vector3d size = grid.cellSize();
    const double volume = size.prod();
    const Matrix3d ofCell = (size.cwiseAbs2() / 12).asDiagonal();
    const Vector3d origin = 0.5 * (grid.min + grid.max);
    Sums sums;
    for (int i = 0; i < grid.cells[0]; ++i)
      for (int j = 0; j < grid.cells[1]; ++j)
        for (int k = 0; k < grid.cells[2]; ++k) {
          if (!shape.occupied(i, j, k)) continue;
          const Vector3d p = grid.center(i, j, k) - origin;
          sums.add({volume, volume * p, volume * (ofCell + p * p.transpose())});
        }
    if (!(sums.volume > 0)) none("an occupancy grid without occupied cells");
    return placed(momentsOf(sums, origin), grid.X);
  }

  SolidMoments operator()(const SphereShape& s) const {
    return checked(principal(4 * kPi / 3 * std::pow(s.radius, 3), s.center, Matrix3d::Identity(),
                             Vector3d::Constant(s.radius * s.radius / 5)));
  }
  SolidMoments operator()(const AxisAlignedBoxShape& b) const {
    const Vector3d size = b.max - b.min;
    return checked(principal(size.prod(), 0.5 * (b.min + b.max), Matrix3d::Identity(), size.cwiseAbs2() / 12));
  }
  SolidMoments operator()(const BoxShape& b) const {
    return checked(principal(b.size.prod(), b.X * Vector3d(0.5 * b.size), b.X.R, b.size.cwiseAbs2() / 12));
  }
  SolidMoments operator()(const EllipsoidShape& e) const {
    return checked(principal(4 * kPi / 3 * e.radii.prod(), e.X.p, e.X.R, e.radii.cwiseAbs2() / 5));
  }
  SolidMoments operator()(const CylinderShape& c) const {
    const double r2 = c.radius * c.radius;
    return checked(principal(kPi * r2 * c.height, c.base + 0.5 * c.height * c.axis, axesAlong(c.axis),
                             Vector3d(r2 / 4, r2 / 4, c.height * c.height / 12)));
  }
  SolidMoments operator()(const CapsuleShape& c) const {
    const double length = (c.b - c.a).norm(), r = c.radius, r2 = r * r;
    const double middle = kPi * r2 * length, caps = 4 * kPi / 3 * r2 * r, volume = middle + caps;
    // Each half ball: integral of (z + L/2)^2 with that of z^2 = V r^2/5, of z = pi r^4/4.
    const double across = middle * r2 / 4 + caps * r2 / 5;
    const double along =
        middle * length * length / 12 + caps * (r2 / 5 + length * length / 4) + kPi * r2 * r2 * length / 2;
    const Matrix3d axes = length > 0 ? axesAlong((c.b - c.a) / length) : Matrix3d(Matrix3d::Identity());
    return checked(principal(volume, 0.5 * (c.a + c.b), axes, Vector3d(across, across, along) / volume));
  }
  SolidMoments operator()(const TriangleMesh& mesh) const {
    if (mesh.triangles.empty()) return none("a mesh without triangles");
    const SurfaceDefects defects = surfaceDefects(mesh);
    const std::size_t open = defects.boundaryEdges + defects.opposedEdges;
    if (open > 0)
      throw Error("the mesh is open: " + std::to_string(open) + (open == 1 ? " edge has" : " edges have") +
                      " no triangle on the other side, so it encloses no volume",
                  {}, "close it, give the mass properties instead, or use its convex hull or a surface fraction of 1");
    return moments(mesh, "the mesh");
  }
  SolidMoments operator()(const ConvexHullShape& hull) const {
    const auto mesh = convexHull(hull.points);
    if (!mesh) return none("a convex hull of points in a plane");
    return moments(*mesh, "the convex hull");
  }
  SolidMoments operator()(const HeightmapShape& map) const {
    if (!options_.heightmapBottom)
      throw Error("a heightmap has no bottom, so it encloses no volume", {}, "say where its ground ends");
    const double bottom = *options_.heightmapBottom;
    HeightmapShape flat = map;
    flat.X = RigidTransform();
    const TriangleMesh top = flat.surface();
    Sums sums;
    const Vector3d origin(0, 0, bottom);
    for (const Vector3d& v : top.vertices)
      if (v.z() < bottom)
        throw Error("the heightmap goes down to " + std::to_string(v.z()) + ", below its bottom at " +
                    std::to_string(bottom));
    for (const auto& t : top.triangles) {
      // A prism down to the bottom; its walls cancel with those of its neighbors, but not at the border.
      Vector3d above[3], below[3];
      for (int k = 0; k < 3; ++k) {
        above[k] = top.vertices[t[k]] - origin;
        below[k] = {above[k].x(), above[k].y(), 0};
      }
      sums.addTetrahedron(above[0], above[1], above[2]);
      sums.addTetrahedron(below[2], below[1], below[0]);
      for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3;
        sums.addTetrahedron(below[k], below[l], above[l]);
        sums.addTetrahedron(below[k], above[l], above[k]);
      }
    }
    if (!(sums.volume > 0)) return none("a flat heightmap");
    return placed(momentsOf(sums, origin), map.X);
  }
  SolidMoments operator()(const GeometryGroup& group) const {
    if (group.parts.empty()) return none("an empty group");
    std::vector<SolidMoments> parts;
    for (const GeometryPtr& part : group.parts) parts.push_back(solidMoments(*part, options_));
    const Vector3d origin = parts[0].center;
    Sums sums;
    for (const SolidMoments& part : parts) {
      const Vector3d offset = part.center - origin;
      sums.add({part.volume, part.volume * offset, part.volume * (part.covariance + offset * offset.transpose())});
    }
    return momentsOf(sums, origin);
  }

 private:
  static SolidMoments placed(const SolidMoments& m, const RigidTransform& X) {
    return {m.volume, X * m.center, X.R * m.covariance * X.R.transpose()};
  }
  [[noreturn]] static SolidMoments none(const std::string& what) {
    throw Error(what + " encloses no volume, so it has no solid mass properties", {},
                "give the mass properties instead, or another shape");
  }
  static SolidMoments checked(SolidMoments m) {
    if (!(m.volume > 0)) none("a shape with an extent of zero");
    return m;
  }

  const SolidOptions& options_;
};

}  // namespace

BodyInertia SolidMoments::inertiaOf(double mass) const {
  return {mass, center, mass * (covariance.trace() * Matrix3d::Identity() - covariance)};
}

SolidMoments solidMoments(const Geometry& geometry, const SolidOptions& options) {
  return std::visit(Visitor(options), geometry.data());
}

BodyInertia solidInertia(const Geometry& geometry, double mass, const SolidOptions& options) {
  if (!(mass >= 0) || !std::isfinite(mass)) throw Error("the mass of a body must be finite and at least 0");
  return solidMoments(geometry, options).inertiaOf(mass);
}

BodyInertia solidInertiaOfDensity(const Geometry& geometry, double density, const SolidOptions& options) {
  if (!(density >= 0) || !std::isfinite(density)) throw Error("a density must be finite and at least 0");
  const SolidMoments moments = solidMoments(geometry, options);
  return moments.inertiaOf(density * moments.volume);
}

}  // namespace mortise
