/// First meeting of a ray with a swept element: closed form for all but hulls swept by a radius and swept boxes,
/// triangles, cylinders and ellipsoids, which are reached by conservative steps.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/geometry/convex/element_cores.h"
#include "mortise/math/constants.h"

namespace mortise {

namespace {

/// The ray with a direction of unit length, and what one meter along it is in the caller's parameter.
struct UnitRay {
  Vector3d origin, direction;
  double reach;
};

/// Roots of the ray with a ball; the first that is not behind.
bool hitBall(const UnitRay& ray, const Vector3d& center, double radius, double& t) {
  const Vector3d to = center - ray.origin;
  const double along = to.dot(ray.direction);
  const Vector3d across = to - along * ray.direction;
  const double rest = radius * radius - across.squaredNorm();
  if (rest < 0) return false;
  t = along - std::sqrt(rest);
  return t >= 0 && t <= ray.reach;
}

/// The side of a capsule without its ends.
bool hitTube(const UnitRay& ray, const Vector3d& a, const Vector3d& b, double radius, double& t) {
  const Vector3d axis = b - a;
  const double length = axis.norm();
  if (!(length > 0)) return false;
  const Vector3d unit = axis / length;
  const Vector3d n = ray.direction.cross(unit);
  const double sine = n.norm();
  if (!(sine > 1e-12)) return false;
  const Vector3d from = ray.origin - a;
  const double apart = from.dot(n) / sine;
  const double rest = radius * radius - apart * apart;
  if (rest < 0) return false;
  const double foot = from.cross(unit).dot(n) / -(sine * sine);
  t = foot - std::sqrt(rest) / sine;
  if (!(t >= 0 && t <= ray.reach)) return false;
  const double along = (from + t * ray.direction).dot(unit);
  return along >= 0 && along <= length;
}

/// Moeller and Trumbore (1997), both sides.
bool hitTriangle(const UnitRay& ray, const Vector3d& a, const Vector3d& b, const Vector3d& c, double& t) {
  const Vector3d pa = a - ray.origin, pb = b - ray.origin, pc = c - ray.origin;
  const double u = ray.direction.dot(pc.cross(pb)), v = ray.direction.dot(pa.cross(pc)),
               w = ray.direction.dot(pb.cross(pa));
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return false;
  const double sum = u + v + w;
  if (sum == 0) return false;
  const Vector3d n = (b - a).cross(c - a);
  const double slope = n.dot(ray.direction);
  if (slope == 0) return false;
  t = n.dot(pa) / slope;
  return t >= 0 && t <= ray.reach;
}

/// The range of t within slabs `low <= p + t d <= high`.
bool clip(double p, double d, double low, double high, double& first, double& last, bool& entered) {
  entered = false;
  if (d == 0) return p >= low && p <= high;
  double t0 = (low - p) / d, t1 = (high - p) / d;
  if (t0 > t1) std::swap(t0, t1);
  if (t0 > first) {
    first = t0;
    entered = true;
  }
  last = std::min(last, t1);
  return first <= last;
}

bool hitBox(const UnitRay& ray, const ConvexElement& e, double& t) {
  const Vector3d p = e.X.R.transpose() * (ray.origin - e.X.p), d = e.X.R.transpose() * ray.direction;
  double first = -kInfinity, last = kInfinity;
  bool entered;
  for (int i = 0; i < 3; ++i)
    if (!clip(p[i], d[i], -e.half[i], e.half[i], first, last, entered)) return false;
  t = first;
  return t >= 0 && t <= ray.reach;
}

bool hitCylinder(const UnitRay& ray, const ConvexElement& e, double& t) {
  const Vector3d p = e.X.R.transpose() * (ray.origin - e.X.p), d = e.X.R.transpose() * ray.direction;
  double first = -kInfinity, last = kInfinity;
  bool entered;
  if (!clip(p[2], d[2], -e.half[2], e.half[2], first, last, entered)) return false;
  const double a = d[0] * d[0] + d[1] * d[1];
  if (a > 0) {
    const double along = -(p[0] * d[0] + p[1] * d[1]) / a;
    const double apart = (p[0] * d[1] - p[1] * d[0]) * (p[0] * d[1] - p[1] * d[0]) / a;
    const double rest = e.half[0] * e.half[0] - apart;
    if (rest < 0) return false;
    const double reach = std::sqrt(rest / a);
    first = std::max(first, along - reach);
    last = std::min(last, along + reach);
    if (first > last) return false;
  } else if (p[0] * p[0] + p[1] * p[1] > e.half[0] * e.half[0]) {
    return false;
  }
  t = first;
  return t >= 0 && t <= ray.reach;
}

bool hitEllipsoid(const UnitRay& ray, const ConvexElement& e, double& t) {
  if (!(e.half.minCoeff() > 0)) return false;
  const Vector3d p = (e.X.R.transpose() * (ray.origin - e.X.p)).cwiseQuotient(e.half),
                 d = (e.X.R.transpose() * ray.direction).cwiseQuotient(e.half);
  const double length = d.norm();
  if (!hitBall({p, d / length, ray.reach * length}, Vector3d::Zero(), 1, t)) return false;
  t /= length;
  return true;
}

bool hitHull(const UnitRay& ray, const ConvexPolyhedron& hull, double& t) {
  double first = -kInfinity, last = kInfinity;
  for (std::size_t f = 0; f < hull.normals.size(); ++f) {
    const double toPlane = hull.offsets[f] - hull.normals[f].dot(ray.origin);
    const double slope = hull.normals[f].dot(ray.direction);
    if (slope == 0) {
      if (toPlane < 0) return false;
      continue;
    }
    const double at = toPlane / slope;
    if (slope < 0)
      first = std::max(first, at);
    else
      last = std::min(last, at);
    if (first > last) return false;
  }
  t = first;
  return t >= 0 && t <= ray.reach;
}

/// Steps by the distance that is surely free (conservative advancement; for a ray, sphere tracing: Hart, 1996), with
/// the bound along the normal, which never passes the surface of a convex body and ends after few steps.
bool advance(const UnitRay& ray, const ConvexElement& e, double start, double& t) {
  t = start;
  double size = e.radius;
  const AxisAlignedBounds bounds = elementBounds(e);
  size += (bounds.max - bounds.min).norm();
  const double enough = 1e-12 * size;
  for (int step = 0; step < 1000; ++step) {
    const PointSeparation s = corePointSeparation(e, ray.origin + t * ray.direction);
    const double gap = s.distance - e.radius;
    if (gap <= enough) return t <= ray.reach;
    const double towards = -s.normal.dot(ray.direction);
    // The body lies behind the plane through its nearest point: before that plane there is nothing to hit.
    if (!(towards > 0)) return false;
    t += gap / towards;
    if (!(t <= ray.reach)) return false;
  }
  return false;
}

bool hitFlatHull(const UnitRay& ray, const ConvexPolyhedron& hull, double& t) {
  double best = kInfinity;
  for (const auto& triangle : hull.triangles) {
    double at = 0;
    if (hitTriangle(ray, hull.vertices[static_cast<std::size_t>(triangle[0])],
                    hull.vertices[static_cast<std::size_t>(triangle[1])],
                    hull.vertices[static_cast<std::size_t>(triangle[2])], at))
      best = std::min(best, at);
  }
  t = best;
  return best < kInfinity;
}

bool hitCore(const ConvexElement& e, const UnitRay& ray, double& t) {
  switch (e.kind) {
    case CoreKind::point:
    case CoreKind::segment:
      return false;  // Nothing that a ray could meet.
    case CoreKind::triangle:
      return hitTriangle(ray, e.a, e.b, e.c, t);
    case CoreKind::box:
      return hitBox(ray, e, t);
    case CoreKind::cylinder:
      return hitCylinder(ray, e, t);
    case CoreKind::ellipsoid:
      return hitEllipsoid(ray, e, t);
    case CoreKind::hull:
      return e.polyhedron->solid ? hitHull(ray, *e.polyhedron, t) : hitFlatHull(ray, *e.polyhedron, t);
  }
  return false;
}

bool hitSwept(const ConvexElement& e, const UnitRay& ray, double& t) {
  if (e.kind == CoreKind::point) return hitBall(ray, e.a, e.radius, t);
  if (e.kind == CoreKind::segment) {
    double best = kInfinity, at = 0;
    if (hitTube(ray, e.a, e.b, e.radius, at)) best = at;
    if (hitBall(ray, e.a, e.radius, at)) best = std::min(best, at);
    if (hitBall(ray, e.b, e.radius, at)) best = std::min(best, at);
    t = best;
    return best < kInfinity;
  }
  return advance(ray, e, 0, t);
}

}  // namespace

bool rayCast(const ConvexElement& element, const Vector3d& origin, const Vector3d& direction, double tMax,
             ElementRayHit& hit) {
  const double length = direction.norm();
  if (!(length > 0) || !(tMax >= 0)) return false;
  const UnitRay ray{origin, direction / length, tMax * length};
  const PointSeparation start = corePointSeparation(element, origin);
  const bool flat = element.kind == CoreKind::triangle || element.kind <= CoreKind::segment ||
                    (element.kind == CoreKind::hull && !element.polyhedron->solid);
  if (start.distance < element.radius || (start.distance == 0 && element.radius == 0 && !flat)) {
    hit = {0, -ray.direction, start.feature};
    return true;
  }
  double t = 0;
  if (!(element.radius > 0 ? hitSwept(element, ray, t) : hitCore(element, ray, t))) return false;
  const PointSeparation at = corePointSeparation(element, origin + t * ray.direction);
  hit.t = std::min(t / length, tMax);
  hit.feature = at.feature;
  hit.normal = at.normal.dot(ray.direction) > 0 ? Vector3d(-at.normal) : at.normal;
  return true;
}

}  // namespace mortise
