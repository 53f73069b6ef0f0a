#include "mortise/contacts/contact_welding.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "mortise/base/interruption.h"

namespace mortise {
namespace {

/// Faces count as one where no corner is off the common plane by more than this, in parts of the shape's radius: single
/// precision of files is within.
constexpr double kFlatness = 1e-6;

/// Edges that turn by more than this (rad) are where a body ends as seen from afar.
constexpr double kSharp = 0.3;
/// Fine edges turn by no more than this, and an arc over one is no higher than that, in parts of the shape's radius.
constexpr double kFineTurn = 0.08, kFineHeight = 3e-4;
/// A chain of sharp edges that bends by more than this has a corner.
constexpr double kBend = 0.35;
/// Corners of fine meshes that stand for others are this far apart, in parts of the shape's radius.
constexpr double kAnchorSpacing = 1.0 / 12;

void weldVertices(const CollisionShape& shape, Welding& mesh) {
  const int n = static_cast<int>(mesh.places.size());
  std::vector<int> order(3 * static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  InterruptionPoints points;
  const auto before = [&](int x, int y) {
    points.pass();
    const int partX = shape.id(mesh.places[x / 3]).part, partY = shape.id(mesh.places[y / 3]).part;
    if (partX != partY) return partX < partY;
    const Vector3d p = mesh.corner(x / 3, x % 3), q = mesh.corner(y / 3, y % 3);
    return std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
  };
  std::sort(order.begin(), order.end(), [&](int x, int y) { return before(x, y) || (!before(y, x) && x < y); });
  std::vector<int> leader(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    leader[order[i]] = i > 0 && !before(order[i - 1], order[i]) ? leader[order[i - 1]] : order[i];
  // The leader of equal corners is the first of them.
  mesh.vertices.resize(n);
  std::vector<int> number(order.size(), -1);
  for (int c = 0; c < 3 * n; ++c) {
    if (leader[c] == c) number[c] = mesh.numVertices++;
    mesh.vertices[c / 3][c % 3] = number[leader[c]];
  }
}

void findEdges(Welding& mesh) {
  const int n = static_cast<int>(mesh.places.size());
  std::vector<int> order(3 * static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  InterruptionPoints points;
  const auto key = [&](int side) {
    points.pass();
    const int a = mesh.vertices[side / 3][side % 3], b = mesh.vertices[side / 3][(side % 3 + 1) % 3];
    return std::array{std::min(a, b), std::max(a, b), side};
  };
  std::sort(order.begin(), order.end(), [&](int x, int y) { return key(x) < key(y); });
  // Groups of equal sides, numbered by their first side.
  std::vector<std::pair<int, int>> groups;  // First side, where in `order`.
  for (int i = 0; i < 3 * n; ++i) {
    const auto x = key(order[i]);
    if (i == 0 || key(order[i - 1])[0] != x[0] || key(order[i - 1])[1] != x[1]) groups.emplace_back(order[i], i);
  }
  std::vector<int> ends(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) ends[g] = g + 1 < groups.size() ? groups[g + 1].second : 3 * n;
  std::vector<int> rank(groups.size());
  std::iota(rank.begin(), rank.end(), 0);
  std::sort(rank.begin(), rank.end(), [&](int x, int y) { return groups[x].first < groups[y].first; });
  mesh.edges.resize(n);
  mesh.numEdges = static_cast<int>(groups.size());
  mesh.firstUse.assign(1, 0);
  for (int e = 0; e < mesh.numEdges; ++e) {
    for (int i = groups[rank[e]].second; i < ends[rank[e]]; ++i) {
      mesh.edges[order[i] / 3][order[i] % 3] = e;
      mesh.uses.push_back(order[i]);
    }
    mesh.firstUse.push_back(static_cast<int>(mesh.uses.size()));
  }
}

/// Grows flat regions, the largest triangles first; each region has the plane of its first triangle, so that gently
/// curved surfaces do not drift into one.
void findRegions(double radius, Welding& mesh) {
  const int n = static_cast<int>(mesh.places.size());
  const double off = kFlatness * radius;
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return mesh.areas[x] > mesh.areas[y]; });
  mesh.region.assign(n, -1);
  std::vector<int> stack;
  InterruptionPoints points;
  for (const int seed : order) {
    points.pass();
    if (mesh.region[seed] >= 0 || !(mesh.areas[seed] > 0)) continue;
    const Vector3d normal = mesh.normals[seed];
    const double offset = normal.dot(mesh.corner(seed, 0));
    const int region = static_cast<int>(mesh.regionNormals.size());
    mesh.regionNormals.push_back(normal);
    mesh.region[seed] = region;
    stack.assign(1, seed);
    while (!stack.empty()) {
      const int triangle = stack.back();
      stack.pop_back();
      for (int i = 0; i < 3; ++i) {
        const auto uses = mesh.usesOf(mesh.edges[triangle][i]);
        if (uses.size() != 2) continue;
        const int side = uses[0] / 3 == triangle ? uses[1] : uses[0], other = side / 3;
        if (mesh.region[other] >= 0 || !(mesh.areas[other] > 0)) continue;
        if (std::abs(mesh.normals[other].dot(normal)) < 0.999) continue;
        // Folded back upon itself it would be two faces.
        if (mesh.inward(triangle, i).dot(mesh.inward(other, side % 3)) > 0) continue;
        bool flat = true;
        for (int k = 0; k < 3; ++k) flat &= std::abs(normal.dot(mesh.corner(other, k)) - offset) <= off;
        if (!flat) continue;
        mesh.region[other] = region;
        stack.push_back(other);
      }
    }
  }
}

void classifyEdges(double radius, Welding& mesh) {
  mesh.sharp.assign(mesh.numEdges, 1);
  mesh.turned.assign(mesh.numEdges, 1);
  mesh.turns.assign(mesh.numEdges, 0);
  mesh.lengths.assign(mesh.numEdges, 0);
  mesh.fine.assign(mesh.numEdges, 0);
  mesh.around.resize(mesh.numVertices);
  InterruptionPoints points;
  for (int e = 0; e < mesh.numEdges; ++e) {
    points.pass();
    const auto uses = mesh.usesOf(e);
    const int triangle = uses[0] / 3, side = uses[0] % 3;
    if (uses.size() == 2) {
      const double along = mesh.inward(triangle, side).dot(mesh.inward(uses[1] / 3, uses[1] % 3));
      if (mesh.region[triangle] >= 0 && mesh.region[triangle] == mesh.region[uses[1] / 3]) mesh.sharp[e] = along > 0;
      mesh.turns[e] = std::acos(std::clamp(-along, -1.0, 1.0));
      mesh.turned[e] = mesh.sharp[e] && -along < std::cos(kSharp);
    }
    const int from = mesh.vertices[triangle][side], to = mesh.vertices[triangle][(side + 1) % 3];
    if (from == to) continue;
    const Vector3d full = mesh.corner(triangle, (side + 1) % 3) - mesh.corner(triangle, side);
    const Vector3d edge = full.normalized();
    mesh.lengths[e] = full.norm();
    mesh.fine[e] = uses.size() == 2 && mesh.sharp[e] && mesh.turns[e] < kFineTurn &&
                   mesh.turns[e] * mesh.lengths[e] / 8 < kFineHeight * radius && mesh.region[triangle] >= 0 &&
                   mesh.region[uses[1] / 3] >= 0;
    mesh.around[from].push_back(edge);
    mesh.around[to].push_back(-edge);
  }
}

/// A graph over the vertices: neighbors along edges that `counts` says.
template <typename Counts>
void neighborsAlong(const Welding& mesh, const Counts& counts, std::vector<std::vector<int>>& neighbors) {
  neighbors.assign(mesh.numVertices, {});
  for (int e = 0; e < mesh.numEdges; ++e) {
    if (!counts(e)) continue;
    const int use = mesh.usesOf(e)[0];
    const int from = mesh.vertices[use / 3][use % 3], to = mesh.vertices[use / 3][(use % 3 + 1) % 3];
    if (from == to) continue;
    neighbors[from].push_back(to);
    neighbors[to].push_back(from);
  }
}

void classifyVertices(double radius, Welding& mesh) {
  const int n = mesh.numVertices;
  std::vector<Vector3d> places(n, Vector3d::Zero()), normals(n, Vector3d::Zero());
  std::vector<char> spread(n, 0);
  for (int pass = 0; pass < 2; ++pass)
    for (int t = 0; t < static_cast<int>(mesh.places.size()); ++t)
      for (int i = 0; i < 3; ++i) {
        const int v = mesh.vertices[t][i];
        const double side = mesh.normals[t].dot(normals[v]);
        if (pass == 0) {
          places[v] = mesh.corner(t, i);
          normals[v] += side < 0 ? Vector3d(-mesh.normals[t]) : mesh.normals[t];
        } else if (std::abs(side) < 0.88 * normals[v].norm()) {
          spread[v] = 1;
        }
      }
  std::vector<std::vector<int>> alongTurned, alongAll;
  neighborsAlong(
      mesh, [&](int e) { return mesh.turned[e] != 0; }, alongTurned);
  neighborsAlong(
      mesh, [](int) { return true; }, alongAll);
  mesh.kinds.assign(n, VertexKind::corner);
  for (int v = 0; v < n; ++v) {
    if (alongTurned[v].empty() && !spread[v]) mesh.kinds[v] = VertexKind::smooth;
    if (alongTurned[v].size() != 2) continue;
    const Vector3d a = (places[alongTurned[v][0]] - places[v]).normalized();
    const Vector3d b = (places[alongTurned[v][1]] - places[v]).normalized();
    if (-a.dot(b) > std::cos(kBend)) mesh.kinds[v] = VertexKind::ridge;
  }
  // All corners; along ridges and over smooth parts some, evenly.
  mesh.anchors.assign(n, 0);
  std::vector<char> covered(n, 0);
  std::vector<int> stack, visited(n, -1);
  const double spacing = kAnchorSpacing * radius;
  InterruptionPoints points;
  for (const VertexKind kind : {VertexKind::corner, VertexKind::ridge, VertexKind::smooth})
    for (int v = 0; v < n; ++v) {
      points.pass();
      if (mesh.kinds[v] != kind || covered[v]) continue;
      mesh.anchors[v] = 1;
      if (kind == VertexKind::smooth && alongAll[v].empty()) continue;
      const VertexKind reached = kind == VertexKind::smooth ? VertexKind::smooth : VertexKind::ridge;
      const auto& neighbors = kind == VertexKind::smooth ? alongAll : alongTurned;
      stack.assign(1, v);
      visited[v] = v;
      while (!stack.empty()) {
        const int from = stack.back();
        stack.pop_back();
        for (const int to : neighbors[from]) {
          if (visited[to] == v || mesh.kinds[to] != reached || (places[to] - places[v]).norm() > spacing) continue;
          visited[to] = v;
          covered[to] = 1;
          stack.push_back(to);
        }
      }
    }
}

}  // namespace

Welding weld(const CollisionShape& shape, double radius) {
  Welding mesh;
  for (int place = 0; place < shape.numElements(); ++place) {
    const ConvexElement element = shape.element(place);
    if (element.kind != CoreKind::triangle) continue;
    mesh.places.push_back(place);
    mesh.corners.push_back(element);
    const Vector3d normal = (element.b - element.a).cross(element.c - element.a);
    const double area = normal.norm();
    mesh.areas.push_back(area);
    mesh.normals.push_back(area > 0 ? Vector3d(normal / area) : Vector3d::Zero());
  }
  weldVertices(shape, mesh);
  findEdges(mesh);
  findRegions(radius, mesh);
  classifyEdges(radius, mesh);
  classifyVertices(radius, mesh);
  return mesh;
}

}  // namespace mortise
