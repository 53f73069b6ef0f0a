/// Cores with curved faces or many corners: GJK and EPA, and what the points that they end at mean.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/collision/gjk.h"

namespace mortise {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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
    return corePointSeparation(e, point + 1e-3 * normal * (point - coreCentre(e)).norm()).feature;
  // The feature over which a point a little above this one stands, found by weights in the triangle that it is on.
  const ConvexPolyhedron& hull = *e.polyhedron;
  double least = kInfinity, reach = 0;
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
    if (squared >= least) continue;
    least = squared;
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
/// what is almost equal. So the second core is held some way off along the direction found, where it can be measured,
/// and the direction measured there is taken; on a surface with radius of curvature r, held off by s, an error of the
/// direction shrinks to s / (r + s) of it each time, and the distance is wrong by its square.
bool refine(const ConvexElement& a, const ConvexElement& b, const RigidTransform& X_AB, double size,
            ElementSeparation& best) {
  CoreDifference exact(a, b, X_AB, nullptr);
  // What is found has to be better than what is there: flat faces are measured exactly at once.
  double lower = -best.normal.dot(exact.support(best.normal).w);
  Vector3d normal = best.normal;
  for (int i = 0; i < 14; ++i) {
    // Nearer as the direction gets better, so that sharp ends gain as well.
    const double off = std::max(1e-4, std::pow(0.5, i) * 0.1) * size;
    RigidTransform X = X_AB;
    X.p += off * normal;
    CoreDifference held(a, b, X, nullptr);
    const GjkResult result = gjk(held, normal, -1);
    if (result.overlapping) return false;
    const double bound = -result.normal.dot(exact.support(result.normal).w);
    const double turned = (result.normal - normal).norm();
    normal = result.normal;
    if (bound > lower) {
      lower = bound;
      best.normal = normal;
      best.pointA = result.pointA;
      best.pointB = result.pointB - (X.p - X_AB.p);
    }
    if (turned < 1e-12) break;
  }
  best.distance = lower;
  return true;
}

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
    touching = !refine(a, b, X_AB, size, result) && apart.upper < 1e-7 * size;
  }
  if (touching) {
    const EpaResult deep = epa(difference, apart.simplex);
    result.distance = -deep.depth;
    result.normal = deep.normal;
    result.pointA = deep.pointA;
    result.pointB = deep.pointB;
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
