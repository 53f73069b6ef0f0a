#include "mesh_recognition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "mortise/math/rotation.h"

namespace mortise::ode {

namespace {

// Relative to the extent of the mesh: text files keep about seven digits.
constexpr double kTolerance = 1e-5;

double extentOf(const TriangleMesh& mesh) {
  AxisAlignedBounds bounds;
  for (const auto& triangle : mesh.triangles)
    for (int v : triangle) bounds.include(mesh.vertices[v]);
  return bounds.empty() ? 0 : (bounds.max - bounds.min).norm();
}

Vector3d areaVector(const TriangleMesh& mesh, const std::array<int, 3>& t) {
  return 0.5 * (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
}

}  // namespace

std::vector<TriangleMesh> connectedParts(const TriangleMesh& mesh) {
  const int n = static_cast<int>(mesh.vertices.size());
  std::vector<int> parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::map<std::tuple<double, double, double>, int> byPosition;
  for (int i = 0; i < n; ++i) {
    const Vector3d& v = mesh.vertices[i];
    const auto [it, inserted] = byPosition.try_emplace({v.x(), v.y(), v.z()}, i);
    if (!inserted) parent[root(i)] = root(it->second);
  }
  for (const auto& t : mesh.triangles) {
    parent[root(t[1])] = root(t[0]);
    parent[root(t[2])] = root(t[0]);
  }
  std::map<int, std::size_t> partOfRoot;
  std::vector<TriangleMesh> parts;
  std::vector<int> renumbered(n, -1);
  for (const auto& t : mesh.triangles) {
    const auto [it, inserted] = partOfRoot.try_emplace(root(t[0]), parts.size());
    if (inserted) parts.emplace_back();
    TriangleMesh& part = parts[it->second];
    std::array<int, 3> triangle{};
    for (int i = 0; i < 3; ++i) {
      int& index = renumbered[t[i]];
      if (index < 0) {
        index = static_cast<int>(part.vertices.size());
        part.vertices.push_back(mesh.vertices[t[i]]);
      }
      triangle[i] = index;
    }
    part.triangles.push_back(triangle);
  }
  return parts;
}

std::optional<RecognizedBox> recognizeBox(const TriangleMesh& mesh) {
  if (mesh.triangles.size() < 12) return std::nullopt;
  const double tolerance = kTolerance * extentOf(mesh);
  if (!(tolerance > 0)) return std::nullopt;

  // Axes: normals of the largest triangle and of the largest one at right angles to it.
  std::vector<Vector3d> areas;
  for (const auto& t : mesh.triangles) areas.push_back(areaVector(mesh, t));
  const auto largest = std::max_element(areas.begin(), areas.end(), [](const Vector3d& a, const Vector3d& b) {
    return a.squaredNorm() < b.squaredNorm();
  });
  if (!(largest->norm() > 0)) return std::nullopt;
  Matrix3d axes;
  axes.col(0) = largest->normalized();
  const Vector3d* second = nullptr;
  for (const Vector3d& area : areas)
    if (std::abs(area.dot(axes.col(0))) <= 1e-4 * area.norm() &&
        (second == nullptr || area.squaredNorm() > second->squaredNorm()))
      second = &area;
  if (second == nullptr || !(second->norm() > 0)) return std::nullopt;
  axes.col(1) = (*second - axes.col(0) * axes.col(0).dot(*second)).normalized();
  axes.col(2) = axes.col(0).cross(axes.col(1));

  AxisAlignedBounds bounds;
  for (const auto& t : mesh.triangles)
    for (int v : t) bounds.include(axes.transpose() * mesh.vertices[v]);
  const Vector3d size = bounds.max - bounds.min;
  if (size.minCoeff() <= 10 * tolerance) return std::nullopt;

  // Each triangle must lie in one of the six faces; a face is covered when the signed areas add up to it, all with the
  // same sign. Meshes of either winding count: what matters is the solid.
  double covered[6] = {};
  double inward = 0, outward = 0;
  for (std::size_t i = 0; i < areas.size(); ++i) {
    const double area = areas[i].norm();
    if (area <= tolerance * tolerance) continue;
    int face = -1;
    for (int axis = 0; axis < 3 && face < 0; ++axis)
      for (int side = 0; side < 2; ++side) {
        const double plane = side ? bounds.max[axis] : bounds.min[axis];
        const bool inPlane = std::all_of(mesh.triangles[i].begin(), mesh.triangles[i].end(), [&](int v) {
          return std::abs(axes.col(axis).dot(mesh.vertices[v]) - plane) <= tolerance;
        });
        if (inPlane) {
          face = 2 * axis + side;
          (axes.col(axis).dot(areas[i]) * (side ? 1 : -1) > 0 ? outward : inward) += area;
        }
      }
    if (face < 0) return std::nullopt;
    covered[face] += area;
  }
  for (int axis = 0; axis < 3; ++axis) {
    const double area = size[(axis + 1) % 3] * size[(axis + 2) % 3];
    for (int side = 0; side < 2; ++side)
      if (std::abs(covered[2 * axis + side] - area) > 1e-4 * area) return std::nullopt;
  }
  if (std::min(inward, outward) > 0) return std::nullopt;

  RecognizedBox box;
  box.X_MB = RigidTransform(axes, axes * (0.5 * (bounds.min + bounds.max)));
  box.size = size;
  return box;
}

std::optional<FlatPatch> recognizeFlatPatch(const TriangleMesh& mesh) {
  const double tolerance = kTolerance * extentOf(mesh);
  if (!(tolerance > 0)) return std::nullopt;
  Vector3d total = Vector3d::Zero();
  double area = 0;
  for (const auto& t : mesh.triangles) {
    const Vector3d vector = areaVector(mesh, t);
    total += vector;
    area += vector.norm();
  }
  // Triangles of opposite winding would cancel.
  if (!(area > 0) || std::abs(total.norm() - area) > 1e-6 * area) return std::nullopt;
  FlatPatch patch;
  patch.normal = total.normalized();
  const Vector3d u = patch.normal.unitOrthogonal();
  const Vector3d v = patch.normal.cross(u);
  const Vector3d origin = mesh.vertices[mesh.triangles.front()[0]];

  struct Point {
    double x, y;
    Vector3d p;
  };
  std::vector<Point> points;
  for (const auto& t : mesh.triangles)
    for (int i : t) {
      const Vector3d d = mesh.vertices[i] - origin;
      if (std::abs(d.dot(patch.normal)) > tolerance) return std::nullopt;
      points.push_back({d.dot(u), d.dot(v), mesh.vertices[i]});
    }
  // Andrew's monotone chain.
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return std::tie(a.x, a.y) < std::tie(b.x, b.y); });
  const auto turn = [](const Point& a, const Point& b, const Point& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  };
  const double flat = tolerance * tolerance;
  std::vector<Point> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t start = hull.size();
    for (const Point& point : points) {
      while (hull.size() >= start + 2 && turn(hull[hull.size() - 2], hull.back(), point) <= flat) hull.pop_back();
      hull.push_back(point);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  if (hull.size() < 3) return std::nullopt;
  double hullArea = 0;
  for (std::size_t i = 1; i + 1 < hull.size(); ++i) hullArea += 0.5 * turn(hull[0], hull[i], hull[i + 1]);
  if (std::abs(hullArea - area) > 1e-4 * hullArea) return std::nullopt;
  for (const Point& point : hull) patch.outline.push_back(point.p);
  return patch;
}

}  // namespace mortise::ode
