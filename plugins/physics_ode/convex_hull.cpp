#include "convex_hull.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

namespace mortise::ode {

namespace {

struct Face {
  std::array<int, 3> vertices;
  std::array<int, 3> neighbours = {-1, -1, -1};  ///< Across the edge from vertex i to vertex i + 1.
  Vector3d normal;
  double offset = 0;
  std::vector<int> outside;  ///< Points that see this face and are not yet on the hull.
  bool alive = true;
  bool visible = false;
};

class Quickhull {
 public:
  explicit Quickhull(const std::vector<Vector3d>& points) : points_(points) {}

  std::optional<TriangleMesh> run() {
    if (points_.size() < 4 || !start()) return std::nullopt;
    for (std::size_t f = 0; f < faces_.size(); ++f)
      while (faces_[f].alive && !faces_[f].outside.empty()) addPoint(static_cast<int>(f));
    return result();
  }

 private:
  double distance(const Face& face, int point) const { return face.normal.dot(points_[point]) - face.offset; }

  int makeFace(int a, int b, int c) {
    Face face;
    face.vertices = {a, b, c};
    face.normal = (points_[b] - points_[a]).cross(points_[c] - points_[a]);
    const double length = face.normal.norm();
    if (length > 0) face.normal /= length;
    face.offset = face.normal.dot(points_[a]);
    faces_.push_back(std::move(face));
    return static_cast<int>(faces_.size()) - 1;
  }

  bool start() {
    AxisAlignedBounds bounds;
    for (const Vector3d& point : points_) bounds.include(point);
    epsilon_ = 1e-9 * (bounds.max - bounds.min).norm();
    const int n = static_cast<int>(points_.size());
    int a = 0;
    for (int i = 1; i < n; ++i)
      if (points_[i].x() < points_[a].x()) a = i;
    const auto farthest = [&](auto&& measure) {
      int best = 0;
      for (int i = 1; i < n; ++i)
        if (measure(i) > measure(best)) best = i;
      return best;
    };
    const int b = farthest([&](int i) { return (points_[i] - points_[a]).squaredNorm(); });
    const Vector3d ab = points_[b] - points_[a];
    const int c = farthest([&](int i) { return ab.cross(points_[i] - points_[a]).squaredNorm(); });
    const Vector3d normal = ab.cross(points_[c] - points_[a]);
    if (normal.norm() <= epsilon_ * ab.norm()) return false;
    const Vector3d unit = normal.normalized();
    int d = farthest([&](int i) { return std::abs(unit.dot(points_[i] - points_[a])); });
    const double height = unit.dot(points_[d] - points_[a]);
    if (std::abs(height) <= 10 * epsilon_) return false;
    std::array<int, 4> t = {a, b, c, d};
    if (height > 0) std::swap(t[1], t[2]);
    // d lies below the face (t0, t1, t2).
    const int f0 = makeFace(t[0], t[1], t[2]);
    const int f1 = makeFace(t[0], t[3], t[1]);
    const int f2 = makeFace(t[1], t[3], t[2]);
    const int f3 = makeFace(t[2], t[3], t[0]);
    faces_[f0].neighbours = {f1, f2, f3};
    faces_[f1].neighbours = {f3, f2, f0};
    faces_[f2].neighbours = {f1, f3, f0};
    faces_[f3].neighbours = {f2, f1, f0};
    for (int i = 0; i < n; ++i)
      for (int f = 0; f < 4; ++f)
        if (distance(faces_[f], i) > epsilon_) {
          faces_[f].outside.push_back(i);
          break;
        }
    return true;
  }

  void addPoint(int seed) {
    int apex = faces_[seed].outside.front();
    for (int point : faces_[seed].outside)
      if (distance(faces_[seed], point) > distance(faces_[seed], apex)) apex = point;

    // The faces that the point sees are a connected patch; its rim, in order, is what the new faces stand on.
    visible_.assign(1, seed);
    faces_[seed].visible = true;
    for (std::size_t i = 0; i < visible_.size(); ++i)
      for (int neighbour : faces_[visible_[i]].neighbours)
        if (!faces_[neighbour].visible && distance(faces_[neighbour], apex) > epsilon_) {
          faces_[neighbour].visible = true;
          visible_.push_back(neighbour);
        }
    struct RimEdge {
      int from, to, beyond;
    };
    std::vector<RimEdge> rim;
    for (int f : visible_)
      for (int e = 0; e < 3; ++e)
        if (!faces_[faces_[f].neighbours[e]].visible)
          rim.push_back({faces_[f].vertices[e], faces_[f].vertices[(e + 1) % 3], faces_[f].neighbours[e]});
    for (std::size_t i = 0; i + 1 < rim.size(); ++i) {
      const auto next = std::find_if(rim.begin() + static_cast<std::ptrdiff_t>(i) + 1, rim.end(),
                                     [&](const RimEdge& edge) { return edge.from == rim[i].to; });
      if (next == rim.end()) break;
      std::swap(rim[i + 1], *next);
    }
    const bool closed = rim.size() >= 3 && rim.back().to == rim.front().from;
    if (!closed) {
      // Rounding made the patch ragged: give this point up rather than the hull.
      for (int f : visible_) faces_[f].visible = false;
      auto& outside = faces_[seed].outside;
      outside.erase(std::find(outside.begin(), outside.end(), apex));
      return;
    }

    const int first = static_cast<int>(faces_.size());
    const int count = static_cast<int>(rim.size());
    for (int i = 0; i < count; ++i) {
      const int face = makeFace(rim[i].from, rim[i].to, apex);
      faces_[face].neighbours = {rim[i].beyond, first + (i + 1) % count, first + (i + count - 1) % count};
      for (int e = 0; e < 3; ++e)
        if (faces_[rim[i].beyond].vertices[e] == rim[i].to &&
            faces_[rim[i].beyond].vertices[(e + 1) % 3] == rim[i].from)
          faces_[rim[i].beyond].neighbours[e] = face;
    }
    for (int f : visible_) {
      for (int point : faces_[f].outside) {
        if (point == apex) continue;
        for (int g = first; g < first + count; ++g)
          if (distance(faces_[g], point) > epsilon_) {
            faces_[g].outside.push_back(point);
            break;
          }
      }
      faces_[f].alive = false;
      faces_[f].outside.clear();
    }
  }

  TriangleMesh result() const {
    TriangleMesh hull;
    std::vector<int> renumbered(points_.size(), -1);
    for (const Face& face : faces_) {
      if (!face.alive) continue;
      std::array<int, 3> triangle{};
      for (int i = 0; i < 3; ++i) {
        int& index = renumbered[face.vertices[i]];
        if (index < 0) {
          index = static_cast<int>(hull.vertices.size());
          hull.vertices.push_back(points_[face.vertices[i]]);
        }
        triangle[i] = index;
      }
      hull.triangles.push_back(triangle);
    }
    return hull;
  }

  const std::vector<Vector3d>& points_;
  std::vector<Face> faces_;
  std::vector<int> visible_;
  double epsilon_ = 0;
};

}  // namespace

std::optional<TriangleMesh> convexHull(const std::vector<Vector3d>& points) { return Quickhull(points).run(); }

}  // namespace mortise::ode
