#include "mortise/geometry/convex/mesh_recognition.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "mortise/geometry/convex/convex_hull.h"

namespace mortise {

namespace {

// Relative to the extent of the mesh: text files keep about seven digits.
constexpr double kTolerance = 1e-5;
// The difference of areas that should be equal, as a fraction.
constexpr double kAreaTolerance = 1e-4;
// Bends inward by less than this, relative to the extent of the mesh, are none.
constexpr double kConvexTolerance = 1e-6;
// A corner of an outline that stands out by less, relative to the extent of the mesh, is rounding.
constexpr double kCornerTolerance = 1e-9;

/// Returns the extent of the corners of triangles: a mesh may have vertices that no triangle uses.
double extentOf(const TriangleMesh& mesh) {
  AxisAlignedBounds bounds;
  for (const auto& triangle : mesh.triangles)
    for (int v : triangle) bounds.include(mesh.vertices[v]);
  return bounds.empty() ? 0 : (bounds.max - bounds.min).norm();
}

/// Along the normal, as long as the triangle's area.
Vector3d areaVector(const TriangleMesh& mesh, const std::array<int, 3>& t) {
  return 0.5 * (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
}

using Edge = std::pair<int, int>;

/// Directed edge to triangle; empty when an edge occurs twice in one direction.
std::map<Edge, int> directedEdges(const TriangleMesh& mesh) {
  std::map<Edge, int> edges;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    for (int k = 0; k < 3; ++k)
      if (!edges.emplace(Edge(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3]), t).second) return {};
  return edges;
}

/// The three axes of a box, given two, so that each is as near to the frame's as possible; right-handed. Boxes that
/// only differ in the order of their triangles come out the same, and upright ones are not turned at all.
Matrix3d axesNearFrame(const Vector3d& first, const Vector3d& second) {
  const Vector3d given[] = {first, second, first.cross(second)};
  bool used[3] = {false, false, false};
  Matrix3d axes;
  for (int axis = 0; axis < 3; ++axis) {
    int best = -1;
    for (int i = 0; i < 3; ++i)
      if (!used[i] && (best < 0 || std::abs(given[i][axis]) > std::abs(given[best][axis]))) best = i;
    used[best] = true;
    axes.col(axis) = given[best][axis] < 0 ? Vector3d(-given[best]) : given[best];
  }
  if (axes.determinant() < 0) axes.col(2) *= -1;
  if ((axes - Matrix3d::Identity()).cwiseAbs().maxCoeff() < 1e-9) axes.setIdentity();
  return axes;
}

}  // namespace

TriangleMesh weldedMesh(const TriangleMesh& mesh) {
  std::vector<int> order(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int i) {
    return std::array<double, 3>{mesh.vertices[i].x(), mesh.vertices[i].y(), mesh.vertices[i].z()};
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  std::vector<int> first(mesh.vertices.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    first[order[k]] = k > 0 && mesh.vertices[order[k]] == mesh.vertices[order[k - 1]] ? first[order[k - 1]] : order[k];
  TriangleMesh out;
  std::vector<int> index(mesh.vertices.size(), -1);
  for (const auto& triangle : mesh.triangles) {
    std::array<int, 3> corners{};
    for (int k = 0; k < 3; ++k) corners[k] = first[triangle[k]];
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    for (int& corner : corners) {
      if (index[corner] < 0) {
        index[corner] = static_cast<int>(out.vertices.size());
        out.vertices.push_back(mesh.vertices[corner]);
      }
      corner = index[corner];
    }
    out.triangles.push_back(corners);
  }
  return out;
}

std::vector<TriangleMesh> connectedParts(const TriangleMesh& welded) {
  std::vector<int> group(welded.vertices.size());
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](int v) {
    while (group[v] != v) v = group[v] = group[group[v]];
    return v;
  };
  for (const auto& t : welded.triangles)
    for (int k = 1; k < 3; ++k) group[root(t[k])] = root(t[0]);
  std::vector<TriangleMesh> parts;
  std::vector<int> partOf(welded.vertices.size(), -1), index(welded.vertices.size(), -1);
  for (const auto& t : welded.triangles) {
    int& part = partOf[root(t[0])];
    if (part < 0) {
      part = static_cast<int>(parts.size());
      parts.emplace_back();
    }
    TriangleMesh& out = parts[part];
    std::array<int, 3> corners{};
    for (int k = 0; k < 3; ++k) {
      int& at = index[t[k]];
      if (at < 0) {
        at = static_cast<int>(out.vertices.size());
        out.vertices.push_back(welded.vertices[t[k]]);
      }
      corners[k] = at;
    }
    out.triangles.push_back(corners);
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
  const Vector3d first = largest->normalized();
  const Vector3d* second = nullptr;
  for (const Vector3d& area : areas)
    if (std::abs(area.dot(first)) <= 1e-4 * area.norm() &&
        (second == nullptr || area.squaredNorm() > second->squaredNorm()))
      second = &area;
  if (second == nullptr || !(second->norm() > 0)) return std::nullopt;
  const Matrix3d axes = axesNearFrame(first, (*second - first * first.dot(*second)).normalized());

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
      if (std::abs(covered[2 * axis + side] - area) > kAreaTolerance * area) return std::nullopt;
  }
  if (std::min(inward, outward) > 0) return std::nullopt;

  RecognizedBox box;
  box.X_MB = RigidTransform(axes, axes * (0.5 * (bounds.min + bounds.max)));
  box.size = size;
  return box;
}

bool isClosed(const TriangleMesh& welded) {
  const std::map<Edge, int> edges = directedEdges(welded);
  return !edges.empty() && std::all_of(edges.begin(), edges.end(), [&](const auto& entry) {
    return edges.count(Edge(entry.first.second, entry.first.first)) == 1;
  });
}

bool isConvex(const TriangleMesh& welded) {
  const std::map<Edge, int> edges = directedEdges(welded);
  if (edges.empty()) return false;
  const double tolerance = kConvexTolerance * extentOf(welded);
  std::vector<int> group(welded.triangles.size());
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](int t) {
    while (group[t] != t) t = group[t] = group[group[t]];
    return t;
  };
  for (const auto& [edge, t] : edges) {
    const auto twin = edges.find(Edge(edge.second, edge.first));
    if (twin == edges.end()) return false;
    group[root(t)] = root(twin->second);
    const auto& corners = welded.triangles[t];
    const Vector3d& a = welded.vertices[corners[0]];
    const Vector3d normal = (welded.vertices[corners[1]] - a).cross(welded.vertices[corners[2]] - a).normalized();
    for (const int corner : welded.triangles[twin->second])
      if (normal.dot(welded.vertices[corner] - a) > tolerance) return false;
  }
  for (int t = 0; t < static_cast<int>(group.size()); ++t)
    if (root(t) != root(0)) return false;
  return static_cast<int>(welded.vertices.size()) - static_cast<int>(edges.size() / 2) +
             static_cast<int>(welded.triangles.size()) ==
         2;
}

std::optional<FlatPatch> recognizeFlatPatch(const TriangleMesh& mesh) {
  const double extent = extentOf(mesh), tolerance = kTolerance * extent;
  if (!(tolerance > 0)) return std::nullopt;
  Vector3d sum = Vector3d::Zero(), largest = Vector3d::Zero();
  double area = 0;
  for (const auto& t : mesh.triangles) {
    const Vector3d vector = areaVector(mesh, t);
    sum += vector;
    area += vector.norm();
    if (vector.squaredNorm() > largest.squaredNorm()) largest = vector;
  }
  if (!(area > 0)) return std::nullopt;
  FlatPatch patch;
  patch.twoSided = sum.norm() < 0.5 * area;
  patch.normal = (patch.twoSided ? largest : sum).normalized();

  const Vector3d u = patch.normal.unitOrthogonal();
  const Vector3d v = patch.normal.cross(u);
  const Vector3d origin = mesh.vertices[mesh.triangles.front()[0]];
  std::vector<bool> seen(mesh.vertices.size(), false);
  std::vector<int> corners;
  std::vector<Eigen::Vector2d> flat;
  for (const auto& t : mesh.triangles)
    for (const int i : t) {
      if (seen[i]) continue;
      seen[i] = true;
      const Vector3d d = mesh.vertices[i] - origin;
      if (std::abs(d.dot(patch.normal)) > tolerance) return std::nullopt;
      corners.push_back(i);
      flat.emplace_back(d.dot(u), d.dot(v));
    }
  const std::vector<int> hull = planarHull(flat, kCornerTolerance * extent);
  if (hull.size() < 3) return std::nullopt;
  double hullArea = 0;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Eigen::Vector2d &a = flat[hull[i]], &b = flat[hull[(i + 1) % hull.size()]];
    hullArea += 0.5 * (a.x() * b.y() - a.y() * b.x());
    patch.outline.push_back(mesh.vertices[corners[hull[i]]]);
  }
  patch.convex = !patch.twoSided && std::abs(hullArea - area) <= kAreaTolerance * hullArea;
  return patch;
}

}  // namespace mortise
