#include "mortise/geometry/tessellate.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/overloaded.h"
#include "mortise/geometry/convex/convex_element.h"
#include "mortise/geometry/convex/polygon.h"
#include "mortise/geometry/convex/shape_elements.h"
#include "mortise/geometry/grids/implicit_mesh.h"

namespace mortise {

namespace {

constexpr double kMaxTessellated = 1e7;

void append(TriangleMesh& mesh, const TriangleMesh& part) {
  const int shift = static_cast<int>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), part.vertices.begin(), part.vertices.end());
  for (const auto& t : part.triangles) mesh.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
}

void limit(double triangles, double resolution) {
  if (triangles > kMaxTessellated)
    throw Error("a mesh with a resolution of " + std::to_string(resolution) + " m would have " +
                    std::to_string(static_cast<long long>(triangles)) + " triangles",
                {}, "give a coarser resolution");
}

int segmentsAround(double radius, double resolution) {
  const double around = std::ceil(2 * std::numbers::pi * radius / resolution);
  limit(around * 4, resolution);
  return std::max(8, static_cast<int>(around));
}

/// A unit sphere of an icosahedron with each edge divided in `n`.
TriangleMesh unitSphere(int n) {
  const double g = std::numbers::phi;
  const std::vector<Vector3d> corners = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                         {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  const int faces[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                            {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                            {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  TriangleMesh mesh;
  // A point on the grid of a face is known by the corners that it is between and their fractions.
  std::map<std::array<std::pair<int, int>, 3>, int> known;
  for (const auto& f : faces) {
    const auto vertex = [&](int i, int j) {
      std::array<std::pair<int, int>, 3> key = {std::pair{f[0], n - i - j}, {f[1], i}, {f[2], j}};
      for (auto& [corner, fraction] : key)
        if (fraction == 0) corner = -1;
      std::sort(key.begin(), key.end());
      const auto [at, fresh] = known.emplace(key, static_cast<int>(mesh.vertices.size()));
      if (fresh) {
        Vector3d p = Vector3d::Zero();
        for (const auto& [corner, fraction] : key)
          if (fraction > 0) p += fraction * corners[static_cast<std::size_t>(corner)];
        mesh.vertices.push_back(p.normalized());
      }
      return at->second;
    };
    for (int i = 0; i < n; ++i)
      for (int j = 0; i + j < n; ++j) {
        mesh.triangles.push_back({vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)});
        if (i + j + 1 < n) mesh.triangles.push_back({vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
      }
  }
  return mesh;
}

TriangleMesh ellipsoid(const RigidTransform& X, const Vector3d& radii, double resolution) {
  // An edge of the icosahedron spans 1.107 radians.
  const double divisions = std::ceil(1.1072 * radii.maxCoeff() / resolution);
  limit(20 * divisions * divisions, resolution);
  TriangleMesh mesh = unitSphere(std::max(1, static_cast<int>(divisions)));
  for (Vector3d& v : mesh.vertices) v = X * v.cwiseProduct(radii);
  return mesh;
}

/// A body of revolution about z: rings of `around` points at the given radii and heights from the bottom up; a radius
/// of zero is one point.
TriangleMesh revolved(const RigidTransform& X, const std::vector<std::pair<double, double>>& profile, int around) {
  TriangleMesh mesh;
  std::vector<int> first;
  for (const auto& [radius, z] : profile) {
    first.push_back(static_cast<int>(mesh.vertices.size()));
    const int count = radius > 0 ? around : 1;
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * std::numbers::pi * i / around;
      mesh.vertices.push_back(X * Vector3d(radius * std::cos(angle), radius * std::sin(angle), z));
    }
  }
  for (std::size_t r = 0; r + 1 < profile.size(); ++r) {
    const bool lower = profile[r].first > 0, upper = profile[r + 1].first > 0;
    for (int i = 0; i < around; ++i) {
      const int j = (i + 1) % around;
      const int a = first[r] + (lower ? i : 0), b = first[r] + (lower ? j : 0);
      const int c = first[r + 1] + (upper ? j : 0), d = first[r + 1] + (upper ? i : 0);
      if (lower) mesh.triangles.push_back({a, b, c});
      if (upper) mesh.triangles.push_back({a, c, d});
    }
  }
  return mesh;
}

TriangleMesh boxMesh(const RigidTransform& X, const Vector3d& size) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(X * Vector3d(i & 1 ? size[0] : 0, i & 2 ? size[1] : 0, i & 4 ? size[2] : 0));
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

[[noreturn]] void noSurface(const Geometry& geometry, const std::string& what) {
  SourcePosition where;
  where.file = geometry.file();
  throw Error(what + " has no surface to make a mesh of", where,
              "convert it to a point cloud, or give it as another shape");
}

TriangleMesh capsule(const CapsuleShape& s, double resolution) {
  const Vector3d along = s.b - s.a;
  const double length = along.norm();
  if (!(length > 0)) return ellipsoid(RigidTransform::translation(s.a), Vector3d::Constant(s.radius), resolution);
  const int around = segmentsAround(s.radius, resolution), rings = std::max(2, around / 4);
  limit(2.0 * around * rings, resolution);
  std::vector<std::pair<double, double>> profile = {{0, -s.radius}};
  for (int i = 1; i <= rings; ++i) {
    const double angle = 0.5 * std::numbers::pi * i / rings;
    profile.emplace_back(s.radius * std::sin(angle), -s.radius * std::cos(angle));
  }
  profile.back() = {s.radius, 0};
  for (int i = rings; i >= 0; --i)
    profile.emplace_back(profile[static_cast<std::size_t>(i)].first,
                         length - profile[static_cast<std::size_t>(i)].second);
  return revolved(frameAlong(along, s.a), profile, around);
}

}  // namespace

TriangleMesh tessellated(const Geometry& geometry, double resolution) {
  if (!(resolution > 0) || !std::isfinite(resolution))
    throw Error("the resolution of a mesh is " + std::to_string(resolution) + " m", {}, "give a positive length");
  return std::visit(
      Overloaded{
          [](std::monostate) { return TriangleMesh(); },
          [&](const PointShape&) -> TriangleMesh { noSurface(geometry, "a point"); },
          [&](const SegmentShape&) -> TriangleMesh { noSurface(geometry, "a segment"); },
          [](const TriangleShape& s) {
            return TriangleMesh{{s.a, s.b, s.c}, {{0, 1, 2}}};
          },
          [](const PolygonShape& s) {
            return TriangleMesh{s.vertices, triangulatePolygon(s.vertices)};
          },
          [&](const SphereShape& s) {
            return ellipsoid(RigidTransform::translation(s.center), Vector3d::Constant(s.radius), resolution);
          },
          [](const AxisAlignedBoxShape& s) { return boxMesh(RigidTransform::translation(s.min), s.max - s.min); },
          [](const BoxShape& s) { return boxMesh(s.X, s.size); },
          [&](const EllipsoidShape& s) { return ellipsoid(s.X, s.radii, resolution); },
          [&](const CylinderShape& s) {
            return revolved(frameAlong(s.axis, s.base), {{0, 0}, {s.radius, 0}, {s.radius, s.height}, {0, s.height}},
                            segmentsAround(s.radius, resolution));
          },
          [&](const CapsuleShape& s) { return capsule(s, resolution); }, [](const TriangleMesh& s) { return s; },
          [&](const ConvexHullShape& s) {
            const ConvexPolyhedron hull = ConvexPolyhedron::of(s.points);
            if (hull.triangles.empty()) noSurface(geometry, "a convex hull of points on one line");
            return TriangleMesh{hull.vertices, hull.triangles};
          },
          [&](const PointCloud& s) -> TriangleMesh {
            if (s.columns < 2 || s.rows < 2) noSurface(geometry, "a point cloud that does not stand in rows");
            return cloudMesh(s, resolution);
          },
          [&](const GeometryGroup& s) {
            TriangleMesh mesh;
            for (const GeometryPtr& part : s.parts)
              if (part && !part->empty()) append(mesh, tessellated(*part, resolution));
            return mesh;
          },
          [](const HeightmapShape& s) { return s.surface(); },
          [](const ImplicitSurfaceShape& s) { return implicitSurfaceMesh(s); },
          [](const OccupancyGridShape& s) { return occupancyMesh(s); }},
      geometry.data());
}

TriangleMesh cloudMesh(const PointCloud& cloud, double longest) {
  const auto columns = static_cast<std::size_t>(std::max(cloud.columns, 0)),
             rows = static_cast<std::size_t>(std::max(cloud.rows, 0));
  if (columns < 2 || rows < 2 || columns * rows != cloud.points.size())
    throw Error("a point cloud of " + std::to_string(cloud.points.size()) + " points does not stand in rows", {},
                "only clouds with width and height, as a depth camera gives, become meshes");
  TriangleMesh mesh;
  mesh.vertices = cloud.points;
  const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
    const Vector3d &pa = cloud.points[a], &pb = cloud.points[b], &pc = cloud.points[c];
    // Also false where a point is missing, which clouds mark by NaN.
    if ((pb - pa).norm() <= longest && (pc - pb).norm() <= longest && (pa - pc).norm() <= longest)
      mesh.triangles.push_back({static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)});
  };
  for (std::size_t row = 0; row + 1 < rows; ++row)
    for (std::size_t column = 0; column + 1 < columns; ++column) {
      const std::size_t a = row * columns + column, b = a + 1, c = a + columns, d = c + 1;
      add(a, b, d);
      add(a, d, c);
    }
  return mesh;
}

}  // namespace mortise
