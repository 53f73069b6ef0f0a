/// Cores with curved faces or many corners: GJK and EPA, and what the points that they end at mean.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/collision/element/gjk.h"
#include "mortise/math/constants.h"

namespace mortise {

namespace {

Vector3d firstDirection(const SeparationHint* hint) {
  // The hint points from the first to the second; the difference a - b is nearest on that side of the first.
  return hint ? hint->direction : Vector3d::Zero();
}

}  // namespace

ElementFeature featureAt(const ConvexElement& e, const Vector3d& point, const Vector3d& normal) {
  switch (e.kind) {
    case CoreKind::cylinder: {
      const Vector3d local = e.X.R.transpose() * (point - e.X.p), n = e.X.R.transpose() * normal;
      const double slack = 1e-7 * (e.half[0] + e.half[2]);
      const int end = local[2] > 0 ? 1 : 0;
      const bool atCap = std::abs(local[2]) >= e.half[2] - slack;
      const bool atSide = std::hypot(local[0], local[1]) >= e.half[0] - slack;
      if (atCap && std::abs(n[2]) > 1 - 1e-14) return {FeatureKind::face, end};
      if (atCap && atSide && std::abs(n[2]) > 1e-7) return {FeatureKind::edge, end};
      return atCap && !atSide ? ElementFeature{FeatureKind::face, end} : ElementFeature{FeatureKind::face, 2};
    }
    case CoreKind::ellipsoid:
      return {FeatureKind::face, 0};
    case CoreKind::hull:
    case CoreKind::point:
    case CoreKind::segment:
    case CoreKind::triangle:
    case CoreKind::box:
      break;
  }
  if (e.kind != CoreKind::hull)
    return corePointSeparation(e, point + 1e-3 * normal * (point - coreCenter(e)).norm()).feature;
  // The feature over which a point a little above this one stands, found by weights in the triangle that it is on.
  const ConvexPolyhedron& hull = *e.polyhedron;
  double minimum = kInfinity, reach = 0;
  ElementFeature best;
  for (std::size_t f = 0; f < hull.triangles.size(); ++f) {
    if (hull.normals[f].dot(normal) <= 0) continue;
    const auto& t = hull.triangles[f];
    const Vector3d &a = hull.vertices[static_cast<std::size_t>(t[0])],
                   &b = hull.vertices[static_cast<std::size_t>(t[1])],
                   &c = hull.vertices[static_cast<std::size_t>(t[2])];
    ElementFeature part;
    const double squared = (nearestOnTriangle(a, b, c, point, part) - point).squaredNorm();
    reach = std::max({reach, (b - a).squaredNorm(), (c - a).squaredNorm()});
    if (squared >= minimum) continue;
    minimum = squared;
    // Points that lie on an edge or a corner up to rounding count as such.
    const double slack = 1e-8 * std::sqrt(reach);
    const Vector3d* corners[3] = {&a, &b, &c};
    best = {FeatureKind::face, static_cast<int>(f)};
    if (hull.normals[f].dot(normal) > 1 - 1e-14) continue;
    for (int i = 0; i < 3; ++i) {
      const Vector3d &from = *corners[i], &to = *corners[(i + 1) % 3];
      const double along = nearestOnSegment(from, to, point);
      if ((from + along * (to - from) - point).norm() <= slack) best = {FeatureKind::edge, 3 * static_cast<int>(f) + i};
    }
    for (int i = 0; i < 3; ++i)
      if ((*corners[i] - point).norm() <= slack) best = {FeatureKind::vertex, t[static_cast<std::size_t>(i)]};
  }
  return best;
}

namespace {

/// Near touch the nearest points of curved cores say little about the direction between them: it is the difference of
/// what is almost equal. And an expansion may run out of faces. So the second core is held some way off along the
/// direction found, where it can be measured, and the direction measured there is taken. Where the difference of the
/// cores has the radius of curvature r and reaches h beyond the origin (less than 0 while they are apart), held off by
/// s, an error of the direction shrinks to (h + s) / (r + s) of it each time, and the distance is wrong by its square;
/// at edges and corners the direction is right at once.
class Refinement {
 public:
  Refinement(const ConvexElement& a, const ConvexElement& b, const RigidTransform& X_AB, double size)
      : a_(a), b_(b), X_AB_(X_AB), size_(size), exact_(a, b, X_AB, nullptr) {}

  /// Betters `best`, of which normal and points are used. False when the cores overlap even where they are held off, or
  /// are points.
  bool run(ElementSeparation& best) {
    constexpr int kMaxSteps = 30;
    constexpr double kNearest = 1e-6, kPointlike = 1e-100;
    // Lengths whose squares are zero cannot be measured.
    if (!(size_ > kPointlike)) return false;
    // What is found has to be better than what is there: flat faces are measured exactly at once.
    best.distance = gapAlong(best.normal);
    Vector3d normal = best.normal;
    double distance = best.distance, mismatch = mismatchOf(best);
    int idle = 0;
    for (int i = 0; i < kMaxSteps && idle < 2; ++i) {
      // Nearer as the direction gets better, so that sharp ends gain as well.
      const double off = std::max(kNearest, std::pow(0.25, i) * 0.1) * size_;
      RigidTransform X = X_AB_;
      const Vector3d shift = (off - std::min(distance, 0.0)) * normal;
      X.p += shift;
      CoreDifference held(a_, b_, X, nullptr);
      const GjkResult result = gjk(held, normal, -1);
      if (result.overlapping || !(result.upper > 0)) return i > 0;
      ElementSeparation next = best;
      next.normal = result.normal;
      next.distance = gapAlong(next.normal);
      next.pointA = result.pointA;
      next.pointB = result.pointB - shift;
      const bool better = next.distance > best.distance + 1e-15 * size_;
      if (next.distance > best.distance) {
        best.distance = next.distance;
        best.normal = next.normal;
        mismatch = mismatchOf(best);
      }
      // The points are on the cores: the better they fit the distance, the nearer are those that do so exactly.
      std::swap(next.pointA, best.pointA);
      std::swap(next.pointB, best.pointB);
      if (const double fit = mismatchOf(best); fit < mismatch) {
        mismatch = fit;
      } else {
        std::swap(next.pointA, best.pointA);
        std::swap(next.pointB, best.pointB);
      }
      idle = better || (mismatch > 1e-12 * size_ && off > kNearest * size_) ? 0 : idle + 1;
      remember(normal, result.normal);
      normal = result.normal;
      distance = next.distance;
      const Vector3d ahead = extrapolated();
      if (const double there = gapAlong(ahead); there > distance) {
        normal = ahead;
        distance = there;
      }
      if (distance > best.distance) {
        best.distance = distance;
        best.normal = normal;
        mismatch = mismatchOf(best);
      } else {
        // Only rounding is left to tell them apart, and points that are held off along another direction do not fit.
        normal = best.normal;
        distance = best.distance;
      }
    }
    return true;
  }

 private:
  double gapAlong(const Vector3d& normal) { return -normal.dot(exact_.support(normal).w); }
  static double mismatchOf(const ElementSeparation& s) { return (s.pointB - s.pointA - s.distance * s.normal).norm(); }

  void remember(const Vector3d& from, const Vector3d& to) {
    for (int k = 2; k > 0; --k) {
      from_[k] = from_[k - 1];
      to_[k] = to_[k - 1];
    }
    from_[0] = from;
    to_[0] = to;
    known_ = std::min(known_ + 1, 3);
  }
  /// Returns the point to which the steps lead if they go on as the last three do (Anderson, 1965).
  Vector3d extrapolated() const {
    if (known_ < 2) return to_[0];
    const Vector3d last = to_[0] - from_[0];
    Vector3d turns[2], results[2];
    for (int k = 0; k + 1 < known_; ++k) {
      turns[k] = last - (to_[k + 1] - from_[k + 1]);
      results[k] = to_[0] - to_[k + 1];
    }
    Vector3d ahead = to_[0];
    const double uu = turns[0].squaredNorm();
    if (!(uu > 0)) return ahead;
    if (known_ == 2) {
      ahead -= turns[0].dot(last) / uu * results[0];
    } else {
      const double vv = turns[1].squaredNorm(), uv = turns[0].dot(turns[1]);
      const double determinant = uu * vv - uv * uv, u = turns[0].dot(last), v = turns[1].dot(last);
      if (determinant > 1e-8 * uu * vv)
        ahead -= (u * vv - v * uv) / determinant * results[0] + (v * uu - u * uv) / determinant * results[1];
      else
        ahead -= u / uu * results[0];
    }
    const double length = ahead.norm();
    return length > 0 ? Vector3d(ahead / length) : to_[0];
  }

  const ConvexElement& a_;
  const ConvexElement& b_;
  const RigidTransform& X_AB_;
  double size_;
  CoreDifference exact_;
  Vector3d from_[3], to_[3];
  int known_ = 0;
};

}  // namespace

ElementSeparation iterativeSeparation(const ConvexElement& a, const ConvexElement& b, const RigidTransform& X_AB,
                                      SeparationHint* hint) {
  CoreDifference difference(a, b, X_AB, hint);
  const GjkResult apart = gjk(difference, firstDirection(hint), -1);
  const double size = difference.size();
  ElementSeparation result;
  result.distance = apart.upper;
  result.normal = apart.normal;
  result.pointA = apart.pointA;
  result.pointB = apart.pointB;
  const Vector3d across = result.pointB - result.pointA;
  const double length = across.norm();
  // Touching is for the expansion too, which does not ask for a direction to start from.
  bool touching = apart.overlapping || apart.upper <= 1e-12 * size;
  if (!touching && length > 1e-3 * size) {
    result.distance = length;
    result.normal = across / length;
  } else if (!touching && (apart.upper < 1e-7 * size || apart.upper - apart.lower > 1e-13 * size)) {
    const ElementSeparation rough = result;
    if (!Refinement(a, b, X_AB, size).run(result)) {
      result = rough;
      touching = apart.upper < 1e-7 * size;
    }
  }
  if (touching) {
    const EpaResult deep = epa(difference, apart.simplex);
    result.distance = -deep.depth;
    result.normal = deep.normal;
    result.pointA = deep.pointA;
    result.pointB = deep.pointB;
    // Of curved surfaces a polytope has only so many faces, and its points lie beside the surface where it is round;
    // where they hardly overlap, it ends before it knows the direction.
    const double mismatch = (deep.pointA - deep.pointB - deep.depth * deep.normal).norm();
    if (deep.depth < 1e-7 * size || deep.depth - deep.lower > 1e-12 * size || mismatch > 1e-12 * size)
      Refinement(a, b, X_AB, size).run(result);
  }
  const Vector3d middle = 0.5 * (result.pointA + result.pointB);
  result.pointA = middle - 0.5 * result.distance * result.normal;
  result.pointB = middle + 0.5 * result.distance * result.normal;
  result.featureA = featureAt(a, result.pointA, result.normal);
  result.featureB = featureAt(b, X_AB.R.transpose() * (result.pointB - X_AB.p), -(X_AB.R.transpose() * result.normal));
  difference.leave(hint, result.normal);
  return result;
}

bool iterativeOverlap(const ConvexElement& a, const ConvexElement& b, const RigidTransform& X_AB, double reach,
                      SeparationHint* hint) {
  CoreDifference difference(a, b, X_AB, hint);
  const GjkResult result = gjk(difference, firstDirection(hint), reach);
  difference.leave(hint, result.normal);
  // Where the bounds leave it open, the slower answer decides.
  const double size = difference.size();
  const bool open = result.lower <= reach && result.upper > reach &&
                    (result.upper - result.lower > 1e-13 * size || result.upper <= reach + 1e-12 * size);
  if (open) return iterativeSeparation(a, b, X_AB, nullptr).distance <= reach;
  return result.upper <= reach;
}

}  // namespace mortise
