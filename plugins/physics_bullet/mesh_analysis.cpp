#include "mesh_analysis.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace mortise::bullet {

namespace {

double diagonal(const std::vector<Vector3d>& points) {
  AxisAlignedBounds bounds;
  for (const Vector3d& p : points) bounds.include(p);
  return bounds.empty() ? 0 : (bounds.max - bounds.min).norm();
}

/// Corners of the convex hull in counter-clockwise order (Andrew's monotone chain, 1979).
std::vector<Eigen::Vector2d> hull2(std::vector<Eigen::Vector2d> points) {
  const auto less = [](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  };
  const auto turn = [](const Eigen::Vector2d& o, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return (a.x() - o.x()) * (b.y() - o.y()) - (a.y() - o.y()) * (b.x() - o.x());
  };
  std::sort(points.begin(), points.end(), less);
  std::vector<Eigen::Vector2d> hull;
  for (int side = 0; side < 2; ++side) {
    const std::size_t start = hull.size();
    for (const Eigen::Vector2d& p : points) {
      while (hull.size() >= start + 2 && turn(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
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

std::optional<OrientedBox> boxFromCorners(const std::vector<Vector3d>& points) {
  if (points.size() != 8) return std::nullopt;
  const double tolerance = 1e-6 * diagonal(points);
  const Vector3d& o = points[0];
  for (int a = 1; a < 8; ++a)
    for (int b = a + 1; b < 8; ++b)
      for (int c = b + 1; c < 8; ++c) {
        const Vector3d edges[] = {points[a] - o, points[b] - o, points[c] - o};
        bool box = true;
        for (int i = 0; i < 3 && box; ++i) {
          const Vector3d &u = edges[i], &v = edges[(i + 1) % 3];
          box = u.norm() > 10 * tolerance && std::abs(u.dot(v)) <= 1e-6 * u.norm() * v.norm();
        }
        for (int corner = 0; corner < 8 && box; ++corner) {
          Vector3d expected = o;
          for (int i = 0; i < 3; ++i)
            if (corner & (1 << i)) expected += edges[i];
          box = std::any_of(points.begin(), points.end(),
                            [&](const Vector3d& p) { return (p - expected).norm() <= tolerance; });
        }
        if (!box) continue;
        OrientedBox out;
        out.X.p = o + 0.5 * (edges[0] + edges[1] + edges[2]);
        bool used[3] = {false, false, false};
        for (int axis = 0; axis < 3; ++axis) {
          int best = -1;
          for (int i = 0; i < 3; ++i)
            if (!used[i] &&
                (best < 0 || std::abs(edges[i].normalized()[axis]) > std::abs(edges[best].normalized()[axis])))
              best = i;
          used[best] = true;
          const Vector3d direction = edges[best].normalized();
          out.X.R.col(axis) = direction[axis] < 0 ? Vector3d(-direction) : direction;
          out.halfExtents[axis] = 0.5 * edges[best].norm();
        }
        if (out.X.R.determinant() < 0) out.X.R.col(2) *= -1;
        if ((out.X.R - Matrix3d::Identity()).cwiseAbs().maxCoeff() < 1e-9) out.X.R.setIdentity();
        return out;
      }
  return std::nullopt;
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
  const double tolerance = 1e-6 * diagonal(welded.vertices);
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

std::optional<FlatPatch> flatPatch(const TriangleMesh& welded) {
  if (welded.triangles.empty()) return std::nullopt;
  Vector3d sum = Vector3d::Zero(), longest = Vector3d::Zero();
  double area = 0;
  for (const auto& t : welded.triangles) {
    const Vector3d& a = welded.vertices[t[0]];
    const Vector3d n = 0.5 * (welded.vertices[t[1]] - a).cross(welded.vertices[t[2]] - a);
    sum += n;
    area += n.norm();
    if (n.norm() > longest.norm()) longest = n;
  }
  if (!(area > 0)) return std::nullopt;
  FlatPatch patch;
  patch.twoSided = sum.norm() < 0.5 * area;
  patch.normal = (patch.twoSided ? longest : sum).normalized();
  const double tolerance = 1e-6 * diagonal(welded.vertices);
  const Vector3d& origin = welded.vertices[0];
  for (const Vector3d& p : welded.vertices)
    if (std::abs(patch.normal.dot(p - origin)) > tolerance) return std::nullopt;

  const Vector3d u = patch.normal.unitOrthogonal();
  const Vector3d v = patch.normal.cross(u);
  std::vector<Eigen::Vector2d> flat;
  for (const Vector3d& p : welded.vertices) flat.emplace_back(u.dot(p - origin), v.dot(p - origin));
  const std::vector<Eigen::Vector2d> hull = hull2(flat);
  double hullArea = 0;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Eigen::Vector2d &a = hull[i], &b = hull[(i + 1) % hull.size()];
    hullArea += 0.5 * (a.x() * b.y() - a.y() * b.x());
    patch.outline.push_back(origin + a.x() * u + a.y() * v);
  }
  patch.convex = !patch.twoSided && std::abs(hullArea - area) <= 1e-6 * area;
  return patch;
}

}  // namespace mortise::bullet
