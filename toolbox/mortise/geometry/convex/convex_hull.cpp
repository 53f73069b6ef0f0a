#include "mortise/geometry/convex/convex_hull.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include "mortise/base/interruption.h"

namespace mortise {

namespace {

struct Face {
  std::array<int, 3> vertices;
  std::array<int, 3> neighbors = {-1, -1, -1};  ///< Across the edge from vertex i to vertex i + 1.
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
    faces_[f0].neighbors = {f1, f2, f3};
    faces_[f1].neighbors = {f3, f2, f0};
    faces_[f2].neighbors = {f1, f3, f0};
    faces_[f3].neighbors = {f2, f1, f0};
    for (int i = 0; i < n; ++i)
      for (int f = 0; f < 4; ++f)
        if (distance(faces_[f], i) > epsilon_) {
          faces_[f].outside.push_back(i);
          break;
        }
    return true;
  }

  void addPoint(int seed) {
    interruptionPoint();
    int apex = faces_[seed].outside.front();
    for (int point : faces_[seed].outside)
      if (distance(faces_[seed], point) > distance(faces_[seed], apex)) apex = point;

    // The faces that the point sees are a connected patch; its rim, in order, is what the new faces stand on.
    visible_.assign(1, seed);
    faces_[seed].visible = true;
    for (std::size_t i = 0; i < visible_.size(); ++i)
      for (int neighbor : faces_[visible_[i]].neighbors)
        if (!faces_[neighbor].visible && distance(faces_[neighbor], apex) > epsilon_) {
          faces_[neighbor].visible = true;
          visible_.push_back(neighbor);
        }
    struct RimEdge {
      int from, to, beyond;
    };
    std::vector<RimEdge> rim;
    for (int f : visible_)
      for (int e = 0; e < 3; ++e)
        if (!faces_[faces_[f].neighbors[e]].visible)
          rim.push_back({faces_[f].vertices[e], faces_[f].vertices[(e + 1) % 3], faces_[f].neighbors[e]});
    bool closed = rim.size() >= 3;
    for (std::size_t i = 0; closed && i + 1 < rim.size(); ++i) {
      const auto next = std::find_if(rim.begin() + static_cast<std::ptrdiff_t>(i) + 1, rim.end(),
                                     [&](const RimEdge& edge) { return edge.from == rim[i].to; });
      closed = next != rim.end();
      if (closed) std::swap(rim[i + 1], *next);
    }
    closed = closed && rim.back().to == rim.front().from;
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
      faces_[face].neighbors = {rim[i].beyond, first + (i + 1) % count, first + (i + count - 1) % count};
      for (int e = 0; e < 3; ++e)
        if (faces_[rim[i].beyond].vertices[e] == rim[i].to &&
            faces_[rim[i].beyond].vertices[(e + 1) % 3] == rim[i].from)
          faces_[rim[i].beyond].neighbors[e] = face;
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

/// Half space `normal . x <= offset`.
struct Plane {
  Vector3d normal;  ///< Outward, unit length.
  double offset;
};

/// Returns the planes of a hull's faces; coplanar triangles give equal planes.
std::vector<Plane> facePlanes(const TriangleMesh& hull) {
  std::vector<Plane> planes;
  for (const auto& t : hull.triangles) {
    const Vector3d& a = hull.vertices[t[0]];
    const Vector3d normal = (hull.vertices[t[1]] - a).cross(hull.vertices[t[2]] - a);
    if (!(normal.norm() > 0)) continue;
    const Vector3d unit = normal.normalized();
    planes.push_back({unit, unit.dot(a)});
  }
  return planes;
}

Vector3d meanOf(const std::vector<Vector3d>& points) {
  Vector3d mean = Vector3d::Zero();
  for (const Vector3d& p : points) mean += p / static_cast<double>(points.size());
  return mean;
}

/// Axes along which the points spread least, more and most, as columns.
Matrix3d principalAxes(const std::vector<Vector3d>& points, const Vector3d& mean) {
  Matrix3d covariance = Matrix3d::Zero();
  for (const Vector3d& p : points) covariance += (p - mean) * (p - mean).transpose();
  return Eigen::SelfAdjointEigenSolver<Matrix3d>(covariance).eigenvectors();
}

double distanceToSegment(const Eigen::Vector2d& point, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  const Eigen::Vector2d along = b - a;
  const double squared = along.squaredNorm();
  const double t = squared > 0 ? std::clamp((point - a).dot(along) / squared, 0.0, 1.0) : 0;
  return (a + t * along - point).norm();
}

/// Returns the corners of the hull of points in one plane or on one line.
std::vector<Vector3d> flatHullCorners(const std::vector<Vector3d>& points) {
  const Vector3d mean = meanOf(points);
  const Matrix3d axes = principalAxes(points, mean);
  std::vector<Eigen::Vector2d> flat;
  double reach = 0;
  for (const Vector3d& p : points) {
    flat.emplace_back(axes.col(2).dot(p - mean), axes.col(1).dot(p - mean));
    reach = std::max(reach, flat.back().norm());
  }
  // Rounding alone must not make a line a polygon.
  std::vector<Vector3d> corners;
  for (const int i : planarHull(flat, 1e-9 * reach)) corners.push_back(points[i]);
  return corners;
}

}  // namespace

std::optional<TriangleMesh> convexHull(const std::vector<Vector3d>& points) { return Quickhull(points).run(); }

std::vector<int> planarHull(const std::vector<Eigen::Vector2d>& points, double tolerance) {
  const auto turn = [&](int o, int a, int b) {
    return (points[a].x() - points[o].x()) * (points[b].y() - points[o].y()) -
           (points[a].y() - points[o].y()) * (points[b].x() - points[o].x());
  };
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return std::make_tuple(points[a].x(), points[a].y()) < std::make_tuple(points[b].x(), points[b].y());
  });
  order.erase(std::unique(order.begin(), order.end(), [&](int a, int b) { return points[a] == points[b]; }),
              order.end());
  if (order.size() < 2) return order;
  std::vector<int> hull;
  for (int side = 0; side < 2; ++side) {
    const std::size_t start = hull.size();
    for (const int i : order) {
      while (hull.size() >= start + 2 && turn(hull[hull.size() - 2], hull.back(), i) <= 0) hull.pop_back();
      hull.push_back(i);
    }
    hull.pop_back();  // The other side begins with it.
    std::reverse(order.begin(), order.end());
  }
  if (!(tolerance > 0)) return hull;

  // Only now, not in the chain: where points of one edge differ by rounding, it meets them in any order.
  const auto between = [&](int a, int b, int c) {
    return distanceToSegment(points[b], points[a], points[c]) <= tolerance;
  };
  std::vector<int> kept;
  for (const int i : hull) {
    while (kept.size() >= 2 && between(kept[kept.size() - 2], kept.back(), i)) kept.pop_back();
    kept.push_back(i);
  }
  while (kept.size() >= 3) {
    if (between(kept[kept.size() - 2], kept.back(), kept[0]))
      kept.pop_back();
    else if (between(kept.back(), kept[0], kept[1]))
      kept.erase(kept.begin());
    else
      break;
  }
  return kept;
}

std::vector<Vector3d> hullCorners(const std::vector<Vector3d>& points, int limit) {
  const auto hull = convexHull(points);
  const std::vector<Vector3d> corners = hull ? hull->vertices : flatHullCorners(points);
  if (static_cast<int>(corners.size()) <= limit) return corners;
  std::vector<bool> keep(corners.size(), false);
  const auto keepFarthest = [&](const Vector3d& direction) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < corners.size(); ++i)
      if (direction.dot(corners[i]) > direction.dot(corners[best])) best = i;
    keep[best] = true;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) keepFarthest(sign * Vector3d::Unit(axis));
  const double golden = 3.883222077450933;  // 2 pi / golden ratio: evenly spread over the sphere (Fibonacci lattice).
  for (int i = 0; i < limit; ++i) {
    const double z = 1 - (2 * i + 1.0) / limit, r = std::sqrt(1 - z * z);
    keepFarthest({r * std::cos(golden * i), r * std::sin(golden * i), z});
  }
  std::vector<Vector3d> kept;
  for (std::size_t i = 0; i < corners.size(); ++i)
    if (keep[i]) kept.push_back(corners[i]);
  return kept;
}

/// The corners of an intersection of half spaces are the faces of the hull of the dual points normal / offset.
std::vector<Vector3d> grownHull(const std::vector<Vector3d>& corners, double distance) {
  const Vector3d center = meanOf(corners);
  std::vector<Vector3d> centered;
  double reach = 0;
  for (const Vector3d& p : corners) {
    centered.push_back(p - center);
    reach = std::max(reach, centered.back().norm());
  }
  const auto hull = convexHull(centered);
  if (!hull) return corners;
  const std::vector<Plane> planes = facePlanes(*hull);
  std::vector<Vector3d> points;
  for (const Plane& plane : planes)
    if (plane.offset + distance > 0) points.push_back(plane.normal / (plane.offset + distance));
  const auto dual = convexHull(points);
  if (!dual) return corners;
  std::vector<Vector3d> grown;
  for (const Plane& plane : facePlanes(*dual)) {
    if (!(plane.offset > 0)) continue;
    const Vector3d corner = plane.normal / plane.offset;
    // Faces that are almost parallel meet in no certain point; the corners around it say where they end.
    const bool outside = std::any_of(planes.begin(), planes.end(), [&](const Plane& face) {
      return face.normal.dot(corner) > face.offset + 1.01 * distance + 1e-9 * reach;
    });
    if (outside) continue;
    const auto nearest = std::min_element(centered.begin(), centered.end(), [&](const Vector3d& a, const Vector3d& b) {
      return (a - corner).squaredNorm() < (b - corner).squaredNorm();
    });
    const Vector3d move = corner - *nearest;
    const double length = move.norm();
    const Vector3d moved =
        center + *nearest + (length > 3 * distance ? Vector3d(move * (3 * distance / length)) : move);
    // Where more than three faces meet, the dual face is several triangles, and each is this corner.
    const bool known = std::any_of(grown.begin(), grown.end(),
                                   [&](const Vector3d& p) { return (p - moved).norm() <= 1e-9 * (reach + distance); });
    if (!known) grown.push_back(moved);
  }
  return grown.size() >= 4 ? grown : corners;
}

double thickness(const std::vector<Vector3d>& points) {
  const Vector3d mean = meanOf(points);
  const Vector3d minimum = principalAxes(points, mean).col(0);
  double low = 0, high = 0;
  for (const Vector3d& p : points) {
    const double d = minimum.dot(p - mean);
    low = std::min(low, d);
    high = std::max(high, d);
  }
  return high - low;
}

}  // namespace mortise
