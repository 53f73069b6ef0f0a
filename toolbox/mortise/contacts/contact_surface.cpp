#include "mortise/contacts/contact_surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace mortise {
namespace {

/// Faces count as one where no corner is off the common plane by more than this, in parts of the shape's radius: single
/// precision of files is within.
constexpr double kFlatness = 1e-6;

/// The topology of all triangles of a shape: corners at the same place are one, whatever the file says.
struct Welding {
  std::vector<int> places;             ///< That hold triangles, ascending.
  std::vector<ConvexElement> corners;  ///< Of these.
  std::vector<std::array<int, 3>> vertices, edges;
  std::vector<Vector3d> normals;
  std::vector<double> areas;
  std::vector<int> firstUse, uses;  ///< Of edges: 3 * triangle + side.
  int numVertices = 0, numEdges = 0;
  std::vector<int> region;
  std::vector<Vector3d> regionNormals;

  Vector3d corner(int triangle, int i) const {
    const ConvexElement& t = corners[triangle];
    return i == 0 ? t.a : i == 1 ? t.b : t.c;
  }
  /// Unit, within the triangle's plane, from side i inward; zero for triangles without area.
  Vector3d inward(int triangle, int i) const {
    const Vector3d along = corner(triangle, (i + 1) % 3) - corner(triangle, i);
    const Vector3d across = normals[triangle].cross(along);
    const double length = across.norm();
    return length > 0 ? Vector3d(across / length) : Vector3d::Zero();
  }
  std::span<const int> usesOf(int edge) const {
    return {uses.data() + firstUse[edge], static_cast<std::size_t>(firstUse[edge + 1] - firstUse[edge])};
  }
};

void weldVertices(const CollisionShape& shape, Welding& mesh) {
  const int n = static_cast<int>(mesh.places.size());
  std::vector<int> order(3 * static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](int x, int y) {
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
  const auto key = [&](int side) {
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
  for (const int seed : order) {
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

}  // namespace

ContactSurface::ContactSurface(CollisionShapePtr shape) : shape_(std::move(shape)) {
  const int n = shape_->numElements();
  if (shape_->geometry()) findHeightmaps(*shape_->geometry());
  bool triangles = false;
  for (int place = 0; place < n && !triangles; ++place) triangles = shape_->element(place).kind == CoreKind::triangle;
  if (triangles) addTriangles();
  // Triangles have made their corners and edges, place by place; others come here.
  if (triangles && shape_->trianglesOnly()) return;
  std::vector<Vertex> meshVertices = std::move(vertices_);
  std::vector<Edge> meshEdges = std::move(edges_);
  std::vector<int> firstVertex = std::move(firstVertex_), firstEdge = std::move(firstEdge_);
  std::vector<int> newVertex(meshVertices.size()), newEdge(meshEdges.size());
  vertices_.clear();
  edges_.clear();
  firstVertex_.assign(1, 0);
  firstEdge_.assign(1, 0);
  firstFeature_.assign(1, 0);
  firstHullFace_.assign(1, 0);
  for (int place = 0; place < n; ++place) {
    const ConvexElement element = shape_->element(place);
    int features = 0;
    if (element.kind == CoreKind::triangle) {
      for (int v = firstVertex[place]; v < firstVertex[place + 1]; ++v) {
        newVertex[v] = static_cast<int>(vertices_.size());
        vertices_.push_back(meshVertices[v]);
      }
      for (int e = firstEdge[place]; e < firstEdge[place + 1]; ++e) {
        newEdge[e] = static_cast<int>(edges_.size());
        edges_.push_back(meshEdges[e]);
      }
    } else {
      addPrimitive(place, element);
      features = element.kind == CoreKind::hull ? 3 * static_cast<int>(element.polyhedron->triangles.size()) + 1 : 16;
      if (element.kind == CoreKind::hull)
        features = std::max(features, static_cast<int>(element.polyhedron->vertices.size()));
    }
    firstVertex_.push_back(static_cast<int>(vertices_.size()));
    firstEdge_.push_back(static_cast<int>(edges_.size()));
    firstFeature_.push_back(firstFeature_.back() + features);
    firstHullFace_.push_back(static_cast<int>(hullFaces_.size()));
  }
  for (Triangle& triangle : triangles_) {
    for (int i = 0; i < 3; ++i) {
      if (triangle.vertices[i] >= 0) triangle.vertices[i] = newVertex[triangle.vertices[i]];
      if (triangle.edges[i] >= 0) triangle.edges[i] = newEdge[triangle.edges[i]];
    }
  }
}

void ContactSurface::findHeightmaps(const Geometry& geometry) {
  if (const HeightmapShape* map = geometry.as<HeightmapShape>()) upward_.push_back(map->X.R.col(2));
  if (const GeometryGroup* group = geometry.as<GeometryGroup>())
    for (const GeometryPtr& part : group->parts)
      if (part) findHeightmaps(*part);
}

void ContactSurface::addVertex(const Vector3d& p, double radius, std::span<const Vector3d> cone) {
  vertices_.push_back({p, radius, {static_cast<int>(directions_.size()), static_cast<int>(cone.size())}});
  directions_.insert(directions_.end(), cone.begin(), cone.end());
}

void ContactSurface::addEdge(const Vector3d& p, const Vector3d& q, double radius, std::span<const Vector3d> cone) {
  edges_.push_back({p, q, radius, {static_cast<int>(directions_.size()), static_cast<int>(cone.size())}});
  directions_.insert(directions_.end(), cone.begin(), cone.end());
}

void ContactSurface::addTriangles() {
  Welding mesh;
  for (int place = 0; place < shape_->numElements(); ++place) {
    const ConvexElement element = shape_->element(place);
    if (element.kind != CoreKind::triangle) continue;
    mesh.places.push_back(place);
    mesh.corners.push_back(element);
    const Vector3d normal = (element.b - element.a).cross(element.c - element.a);
    const double area = normal.norm();
    mesh.areas.push_back(area);
    mesh.normals.push_back(area > 0 ? Vector3d(normal / area) : Vector3d::Zero());
  }
  weldVertices(*shape_, mesh);
  findEdges(mesh);
  findRegions(shape_->radius(), mesh);

  const int n = static_cast<int>(mesh.places.size());
  std::vector<char> sharp(mesh.numEdges, 1), corner(mesh.numVertices, 0);
  std::vector<std::vector<Vector3d>> around(mesh.numVertices);
  for (int e = 0; e < mesh.numEdges; ++e) {
    const auto uses = mesh.usesOf(e);
    const int triangle = uses[0] / 3, side = uses[0] % 3;
    if (uses.size() == 2 && mesh.region[triangle] >= 0 && mesh.region[triangle] == mesh.region[uses[1] / 3])
      sharp[e] = mesh.inward(triangle, side).dot(mesh.inward(uses[1] / 3, uses[1] % 3)) > 0;
    const int from = mesh.vertices[triangle][side], to = mesh.vertices[triangle][(side + 1) % 3];
    if (from == to) continue;
    if (sharp[e]) corner[from] = corner[to] = 1;
    const Vector3d along = (mesh.corner(triangle, (side + 1) % 3) - mesh.corner(triangle, side)).normalized();
    around[from].push_back(along);
    around[to].push_back(-along);
  }

  std::vector<int> vertexIndex(mesh.numVertices, -1), edgeIndex(mesh.numEdges, -1);
  triangles_.resize(shape_->numElements());
  firstVertex_.assign(1, 0);
  firstEdge_.assign(1, 0);
  int next = 0;
  std::vector<Vector3d> cone;
  for (int place = 0; place < shape_->numElements(); ++place) {
    if (next < n && mesh.places[next] == place) {
      const int t = next++;
      const double radius = mesh.corners[t].radius;
      for (int i = 0; i < 3; ++i) {
        const int v = mesh.vertices[t][i], e = mesh.edges[t][i];
        if (vertexIndex[v] < 0 && corner[v]) {
          vertexIndex[v] = static_cast<int>(vertices_.size());
          addVertex(mesh.corner(t, i), radius, around[v]);
        }
        if (edgeIndex[e] < 0 && sharp[e] && v != mesh.vertices[t][(i + 1) % 3]) {
          edgeIndex[e] = static_cast<int>(edges_.size());
          cone.clear();
          for (const int use : mesh.usesOf(e)) {
            const Vector3d inward = mesh.inward(use / 3, use % 3);
            if (inward != Vector3d::Zero()) cone.push_back(inward);
          }
          addEdge(mesh.corner(t, i), mesh.corner(t, (i + 1) % 3), radius, cone);
        }
      }
    }
    firstVertex_.push_back(static_cast<int>(vertices_.size()));
    firstEdge_.push_back(static_cast<int>(edges_.size()));
  }
  for (int t = 0; t < n; ++t) {
    Triangle& triangle = triangles_[mesh.places[t]];
    triangle.region = mesh.region[t];
    if (triangle.region >= 0) triangle.normal = mesh.regionNormals[triangle.region];
    for (int i = 0; i < 3; ++i) {
      triangle.vertices[i] = vertexIndex[mesh.vertices[t][i]];
      triangle.edges[i] = edgeIndex[mesh.edges[t][i]];
    }
  }
}

void ContactSurface::addPrimitive(int place, const ConvexElement& element) {
  std::vector<Vector3d> cone;
  switch (element.kind) {
    case CoreKind::point:
      addVertex(element.a, element.radius, {});
      return;
    case CoreKind::segment: {
      const Vector3d along = element.b - element.a;
      if (along.norm() > 0) cone.push_back(along.normalized());
      addVertex(element.a, element.radius, cone);
      for (Vector3d& u : cone) u = -u;
      addVertex(element.b, element.radius, cone);
      addEdge(element.a, element.b, element.radius, {});
      return;
    }
    case CoreKind::box: {
      const auto corner = [&](int v) {
        return element.X * Vector3d(v & 1 ? element.half.x() : -element.half.x(),
                                    v & 2 ? element.half.y() : -element.half.y(),
                                    v & 4 ? element.half.z() : -element.half.z());
      };
      for (int v = 0; v < 8; ++v) {
        cone.clear();
        for (int k = 0; k < 3; ++k) cone.push_back((v >> k & 1 ? -1.0 : 1.0) * element.X.R.col(k));
        addVertex(corner(v), element.radius, cone);
      }
      for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3, w = (axis + 2) % 3;
        for (int end = 0; end < 4; ++end) {
          const int from = (end & 1) << u | (end >> 1) << w;
          cone = {(end & 1 ? -1.0 : 1.0) * element.X.R.col(u), (end >> 1 ? -1.0 : 1.0) * element.X.R.col(w)};
          addEdge(corner(from), corner(from | 1 << axis), element.radius, cone);
        }
      }
      return;
    }
    case CoreKind::hull: {
      const ConvexPolyhedron& hull = *element.polyhedron;
      const int n = static_cast<int>(hull.triangles.size());
      for (int t = 0; t < n; ++t) {
        int face = t;
        for (int s = 0; s < t && face == t; ++s) {
          // Hulls are convex: parallel and outward is coplanar.
          if (hull.normals[s].dot(hull.normals[t]) > 1 - 1e-12) face = s;
        }
        hullFaces_.push_back(face);
      }
      for (int v = 0; v < static_cast<int>(hull.vertices.size()); ++v) {
        cone.clear();
        for (int k = hull.firstNeighbour[v]; k < hull.firstNeighbour[v + 1]; ++k)
          cone.push_back((hull.vertices[hull.neighbours[k]] - hull.vertices[v]).normalized());
        addVertex(hull.vertices[v], element.radius, cone);
      }
      for (int t = 0; t < n; ++t) {
        for (int i = 0; i < 3; ++i) {
          const int from = hull.triangles[t][i], to = hull.triangles[t][(i + 1) % 3];
          if (from > to) continue;
          for (int s = 0; s < n; ++s) {
            int side = -1;
            for (int k = 0; k < 3; ++k)
              if (hull.triangles[s][k] == to && hull.triangles[s][(k + 1) % 3] == from) side = k;
            if (side < 0 || hull.normals[s].dot(hull.normals[t]) > 1 - 1e-12) continue;
            const Vector3d along = hull.vertices[to] - hull.vertices[from];
            cone = {hull.normals[t].cross(along).normalized(), -hull.normals[s].cross(along).normalized()};
            addEdge(hull.vertices[from], hull.vertices[to], element.radius, cone);
          }
        }
      }
      return;
    }
    default:
      return;  // Smooth: contacts come from its surface.
  }
}

}  // namespace mortise
