#include "mortise/collision/element/gjk.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace mortise {

namespace {

constexpr int kMaxSteps = 200;
constexpr double kRelative = 1e-13;

double extent(const ConvexElement& e) {
  switch (e.kind) {
    case CoreKind::point:
      return 0;
    case CoreKind::segment:
      return (e.b - e.a).norm();
    case CoreKind::triangle:
      return std::max((e.b - e.a).norm(), (e.c - e.a).norm());
    case CoreKind::hull: {
      double maximum = 0;
      for (const Vector3d& v : e.polyhedron->vertices)
        maximum = std::max(maximum, (v - e.polyhedron->center).cwiseAbs().maxCoeff());
      return 2 * maximum;
    }
    default:
      return 2 * e.half.maxCoeff();
  }
}

}  // namespace

CoreDifference::CoreDifference(const ConvexElement& a, const ConvexElement& b, const RigidTransform& X_AB,
                               SeparationHint* hint)
    : a_(a), b_(b), X_AB_(X_AB), size_(std::max(extent(a) + extent(b), 1e-200)) {
  if (hint) {
    vertexA_ = hint->vertexA;
    vertexB_ = hint->vertexB;
  }
}

CoreDifference::Point CoreDifference::support(const Vector3d& direction) {
  Point point;
  point.pointA = coreSupport(a_, direction, &vertexA_);
  point.pointB = X_AB_ * coreSupport(b_, -(X_AB_.R.transpose() * direction), &vertexB_);
  point.w = point.pointA - point.pointB;
  return point;
}

Vector3d CoreDifference::center() const { return coreCenter(a_) - X_AB_ * coreCenter(b_); }

void CoreDifference::leave(SeparationHint* hint, const Vector3d& direction) const {
  if (!hint) return;
  hint->direction = direction;
  hint->vertexA = vertexA_;
  hint->vertexB = vertexB_;
}

Vector3d Simplex::pointA() const {
  Vector3d p = Vector3d::Zero();
  for (int i = 0; i < count; ++i) p += weights[i] * points[i].pointA;
  return p;
}

Vector3d Simplex::pointB() const {
  Vector3d p = Vector3d::Zero();
  for (int i = 0; i < count; ++i) p += weights[i] * points[i].pointB;
  return p;
}

namespace {

/// A candidate for the nearest point: which points of the simplex it needs and with what weights.
struct Candidate {
  double squared = std::numeric_limits<double>::infinity();
  Vector3d point = Vector3d::Zero();
  int count = 0;
  int index[3] = {};
  double weight[3] = {};
};

void tryPoint(const Simplex& s, int i, Candidate& best) {
  const Vector3d& w = s.points[i].w;
  if (const double squared = w.squaredNorm(); squared < best.squared) best = {squared, w, 1, {i, 0, 0}, {1, 0, 0}};
}

void trySegment(const Simplex& s, int i, int j, Candidate& best) {
  const Vector3d &a = s.points[i].w, &b = s.points[j].w;
  const double t = nearestOnSegment(a, b, Vector3d::Zero());
  if (t <= 0) return tryPoint(s, i, best);
  if (t >= 1) return tryPoint(s, j, best);
  const Vector3d p = (1 - t) * a + t * b;
  if (const double squared = p.squaredNorm(); squared < best.squared) best = {squared, p, 2, {i, j, 0}, {1 - t, t, 0}};
}

void tryTriangle(const Simplex& s, int i, int j, int k, Candidate& best) {
  // From the corner where the two shortest sides meet: their differences keep the most digits.
  const double ij = (s.points[j].w - s.points[i].w).squaredNorm(), jk = (s.points[k].w - s.points[j].w).squaredNorm(),
               ki = (s.points[i].w - s.points[k].w).squaredNorm();
  if (ij >= jk && ij >= ki)
    std::swap(i, k);
  else if (ki >= jk)
    std::swap(i, j);
  const Vector3d& corner = s.points[i].w;
  const Vector3d u = s.points[j].w - corner, v = s.points[k].w - corner;
  const double longest = std::max({ij, jk, ki}), uu = u.squaredNorm();
  const Vector3d n = u.cross(v);
  const double nn = n.squaredNorm(), noise = 1e-15 * corner.cwiseAbs().maxCoeff();
  if (!(nn > 1e-24 * longest * longest && nn > noise * noise * longest)) {
    // Of a needle the plane is noise: its edges are all of it.
    trySegment(s, i, j, best);
    trySegment(s, j, k, best);
    trySegment(s, k, i, best);
    return;
  }
  // Weights by steps along one side and across it, so that neither is the difference of large numbers.
  const double uv = u.dot(v) / uu;
  const Vector3d across = v - uv * u;
  const double atK = -corner.dot(across) / across.squaredNorm(), atJ = -corner.dot(u) / uu - atK * uv;
  const double atI = 1 - atJ - atK;
  if (atI > 0 && atJ > 0 && atK > 0) {
    Vector3d p = corner + atJ * u + atK * v;
    // Where the triangle is larger than its distance, the plane tells more digits of the direction than the point.
    if (const double height = n.dot(corner); nn * nn > height * height * longest) p = height / nn * n;
    if (const double squared = p.squaredNorm(); squared < best.squared)
      best = {squared, p, 3, {i, j, k}, {atI, atJ, atK}};
    return;
  }
  if (atK <= 0) trySegment(s, i, j, best);
  if (atI <= 0) trySegment(s, j, k, best);
  if (atJ <= 0) trySegment(s, k, i, best);
}

}  // namespace

Vector3d Simplex::nearest(bool& inside) {
  inside = false;
  Candidate best;
  if (count == 1) tryPoint(*this, 0, best);
  if (count == 2) trySegment(*this, 0, 1, best);
  if (count == 3) tryTriangle(*this, 0, 1, 2, best);
  if (count == 4) {
    constexpr int faces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    // Points of a curved surface end up close together, and their differences keep only the digits of what was taken
    // apart; what cannot be told from zero is no volume.
    double coordinates = 0, longest = 0;
    for (int i = 0; i < 4; ++i) {
      coordinates = std::max(coordinates, points[i].w.cwiseAbs().maxCoeff());
      for (int j = 0; j < i; ++j) longest = std::max(longest, (points[i].w - points[j].w).squaredNorm());
    }
    const double noise = 1e-14 * coordinates * longest;
    bool within = true;
    for (const auto& f : faces) {
      const Vector3d &a = points[f[0]].w, &b = points[f[1]].w, &c = points[f[2]].w, &d = points[f[3]].w;
      const Vector3d n = (b - a).cross(c - a);
      const double apex = n.dot(d - a), origin = -n.dot(a);
      if (std::abs(apex) > noise && (apex > 0 ? origin : -origin) > noise) continue;
      within = false;
      tryTriangle(*this, f[0], f[1], f[2], best);
    }
    if (within) {
      inside = true;
      return Vector3d::Zero();
    }
  }
  Simplex kept;
  for (int i = 0; i < best.count; ++i) {
    kept.weights[i] = best.weight[i];
    kept.add(points[best.index[i]]);
  }
  *this = kept;
  return best.point;
}

GjkResult gjk(CoreDifference& difference, const Vector3d& start, double enough) {
  GjkResult result;
  Vector3d direction = start.squaredNorm() > 0 ? start : Vector3d(-difference.center());
  if (!(direction.squaredNorm() > 0)) direction = Vector3d::UnitX();
  // `v` is the nearest point of the simplex so far; the difference's support is asked for against it.
  Simplex simplex;
  simplex.add(difference.support(direction));
  bool inside = false;
  Vector3d v = simplex.nearest(inside);
  result.lower = -std::numeric_limits<double>::infinity();
  result.simplex = simplex;
  double minimum = v.norm();
  Vector3d bestNormal = minimum > 0 ? Vector3d(-v / minimum) : Vector3d::UnitZ();
  const double tiny = 1e-15 * difference.size();
  for (int step = 0; step < kMaxSteps; ++step) {
    if (minimum <= tiny) {
      result.overlapping = true;
      break;
    }
    const CoreDifference::Point w = difference.support(-v);
    const double length = v.norm();
    const double bound = v.dot(w.w) / length;
    if (bound > result.lower) {
      result.lower = bound;
      bestNormal = -v / length;
    }
    if (enough >= 0 && (result.lower > enough || minimum <= enough)) break;
    if (minimum - result.lower <= kRelative * minimum) break;
    bool known = false;
    for (int i = 0; i < simplex.count; ++i) known = known || (simplex.points[i].w - w.w).squaredNorm() == 0;
    if (known) break;
    if (simplex.count == 4) break;
    simplex.add(w);
    const Vector3d next = simplex.nearest(inside);
    // Rounding may put the origin within a flat tetrahedron; what is known to be apart is not.
    if (inside && result.lower > 1e-13 * difference.size()) break;
    if (inside) {
      result.simplex = simplex;
      result.overlapping = true;
      break;
    }
    const double shorter = next.norm();
    if (!(shorter < minimum)) break;  // Rounding has the say from here.
    v = next;
    minimum = shorter;
    result.simplex = simplex;
  }
  result.upper = result.overlapping ? 0 : minimum;
  result.lower = result.overlapping ? 0 : std::max(result.lower, 0.0);
  result.pointA = result.simplex.pointA();
  result.pointB = result.simplex.pointB();
  result.normal = bestNormal;
  return result;
}

}  // namespace mortise
