/// Cores against a point: closed form, or a root that is bracketed to rounding.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/geometry/convex/element_cores.h"

namespace mortise {

double nearestOnSegment(const Vector3d& a, const Vector3d& b, const Vector3d& point) {
  const Vector3d along = b - a;
  const double squared = along.squaredNorm();
  if (!(squared > 0)) return 0;
  // From the nearer end, so that a far end does not cost digits.
  const double t = along.dot(point - a) / squared;
  if (t <= 0) return 0;
  if (t >= 1) return 1;
  return t <= 0.5 ? t : std::clamp(1 - along.dot(b - point) / squared, 0.0, 1.0);
}

Vector3d nearestOnTriangle(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& point,
                           ElementFeature& feature) {
  const Vector3d pa = a - point, pb = b - point, pc = c - point;
  const Vector3d normal = (b - a).cross(c - a);
  const double u = normal.dot(pb.cross(pc)), v = normal.dot(pc.cross(pa)), w = normal.dot(pa.cross(pb));
  const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
  // Of a needle the normal is noise, and so is on which side of its edges the point is: then all are tried.
  const bool needle = !(normal.squaredNorm() > 1e-12 * longest * longest);
  Vector3d best = a;
  double minimum = std::numeric_limits<double>::infinity();
  if (u >= 0 && v >= 0 && w >= 0) {
    const double sum = u + v + w;
    if (sum > 0) {
      feature = {FeatureKind::face, 0};
      best = (u * a + v * b + w * c) / sum;
      if (!needle) return best;
      minimum = (best - point).squaredNorm();
    }
  }
  // The nearest point is on an edge that has the point on its outer side.
  const Vector3d* corners[3] = {&a, &b, &c};
  const double beyond[3] = {w, u, v};
  for (int i = 0; i < 3; ++i) {
    if (beyond[i] > 0 && !needle) continue;
    const Vector3d &from = *corners[i], &to = *corners[(i + 1) % 3];
    const double t = nearestOnSegment(from, to, point);
    const Vector3d candidate = t == 1 ? to : Vector3d(from + t * (to - from));
    const double squared = (candidate - point).squaredNorm();
    if (squared >= minimum) continue;
    minimum = squared;
    best = candidate;
    feature = t <= 0   ? ElementFeature{FeatureKind::vertex, i}
              : t >= 1 ? ElementFeature{FeatureKind::vertex, (i + 1) % 3}
                       : ElementFeature{FeatureKind::edge, i};
  }
  return best;
}

namespace {

/// From the nearest point and, where the query point lies on it, the normal to take.
PointSeparation outside(const Vector3d& nearest, const Vector3d& point, const Vector3d& fallback,
                        ElementFeature feature) {
  PointSeparation result;
  result.point = nearest;
  result.feature = feature;
  const Vector3d across = point - nearest;
  result.distance = across.norm();
  result.normal = result.distance > 0 ? Vector3d(across / result.distance) : fallback;
  // Denormal distances have no direction worth the name.
  if (std::abs(result.normal.squaredNorm() - 1) > 1e-6) result.normal = fallback;
  return result;
}

/// The feature of a box from which of its sides a point is on: -1, 0 (between) or 1 for each axis.
ElementFeature boxFeature(const int (&side)[3]) {
  int between = 0;
  for (const int s : side) between += s == 0;
  if (between == 0) return {FeatureKind::vertex, (side[0] > 0 ? 1 : 0) + (side[1] > 0 ? 2 : 0) + (side[2] > 0 ? 4 : 0)};
  if (between == 1) {
    const int axis = side[0] == 0 ? 0 : side[1] == 0 ? 1 : 2;
    return {FeatureKind::edge, 4 * axis + (side[(axis + 1) % 3] > 0 ? 1 : 0) + (side[(axis + 2) % 3] > 0 ? 2 : 0)};
  }
  const int axis = side[0] != 0 ? 0 : side[1] != 0 ? 1 : 2;
  return {FeatureKind::face, 2 * axis + (side[axis] > 0 ? 1 : 0)};
}

PointSeparation boxPoint(const Vector3d& half, const Vector3d& point) {
  const Vector3d clamped = point.cwiseMax(-half).cwiseMin(half);
  int side[3];
  bool within = true;
  int axis = 0;
  double depth = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    side[i] = point[i] > half[i] ? 1 : point[i] < -half[i] ? -1 : 0;
    within = within && side[i] == 0;
    if (half[i] - std::abs(point[i]) < depth) {
      depth = half[i] - std::abs(point[i]);
      axis = i;
    }
  }
  const double sign = point[axis] >= 0 ? 1 : -1;
  const Vector3d normal = sign * Vector3d::Unit(axis);
  if (!within) return outside(clamped, point, normal, boxFeature(side));
  PointSeparation result;
  result.distance = -depth;
  result.point = point;
  result.point[axis] = sign * half[axis];
  result.normal = normal;
  result.feature = {FeatureKind::face, 2 * axis + (sign > 0 ? 1 : 0)};
  return result;
}

PointSeparation cylinderPoint(double radius, double half, const Vector3d& point) {
  const double across = std::hypot(point[0], point[1]);
  const Vector3d radial = across > 0 ? Vector3d(point[0] / across, point[1] / across, 0) : Vector3d::UnitX();
  const double end = point[2] >= 0 ? 1 : -1;
  const int cap = end > 0 ? 1 : 0;
  const double toSide = across - radius, toCap = std::abs(point[2]) - half;
  if (toSide > 0 && toCap > 0)
    return outside(radius * radial + end * half * Vector3d::UnitZ(), point, radial, {FeatureKind::edge, cap});
  PointSeparation result;
  if (toSide > toCap) {
    result.distance = toSide;
    result.normal = radial;
    result.point = radius * radial + point[2] * Vector3d::UnitZ();
    result.feature = {FeatureKind::face, 2};
  } else {
    result.distance = toCap;
    result.normal = end * Vector3d::UnitZ();
    result.point = Vector3d(point[0], point[1], end * half);
    result.feature = {FeatureKind::face, cap};
  }
  return result;
}

/// The root of a falling function between `low` and `high`, to the last bit.
template <typename F>
double bisect(double low, double high, const F& f) {
  for (;;) {
    const double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) return middle;
    (f(middle) > 0 ? low : high) = middle;
  }
}

/// Eberly, "Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid" (2013): the nearest point is
/// x_i = e_i^2 y_i / (t + e_i^2) with t the largest root of sum (e_i y_i / (t + e_i^2))^2 = 1, found by bisection on an
/// interval that holds it, which costs no digits however flat the ellipsoid is.
PointSeparation ellipsoidPoint(const Vector3d& axes, const Vector3d& point) {
  // Sorted so that e0 >= e1 >= e2, in the octant where all coordinates are positive.
  int order[3] = {0, 1, 2};
  std::sort(order, order + 3, [&](int i, int j) { return axes[i] > axes[j] || (axes[i] == axes[j] && i < j); });
  double e[3], y[3], x[3];
  for (int i = 0; i < 3; ++i) {
    e[i] = axes[order[i]];
    y[i] = std::abs(point[order[i]]);
  }
  const double e2 = e[2];
  bool interior = false;
  if (!(e2 > 0)) {
    // Flattened to a disc, a segment or a point: the nearest point of what remains is that of the limit.
    interior = false;
    x[2] = 0;
    if (!(e[1] > 0)) {
      x[1] = 0;
      x[0] = std::min(y[0], e[0]);
    } else {
      const double in = (y[0] / e[0]) * (y[0] / e[0]) + (y[1] / e[1]) * (y[1] / e[1]);
      if (in <= 1) {
        x[0] = y[0];
        x[1] = y[1];
      } else {
        // The ellipse of the disc's rim, by the same root in the plane.
        const double q = (e[0] - e[1]) * (e[0] + e[1]) / (e[1] * e[1]);
        const double r0 = q + 1, z0 = y[0] / e[0], z1 = y[1] / e[1];
        const double u = bisect(z1, std::hypot(r0 * z0, z1),
                                [&](double at) { return std::pow(r0 * z0 / (at + q), 2) + std::pow(z1 / at, 2) - 1; });
        x[0] = u + q > 0 ? r0 * y[0] / (u + q) : 0;
        x[1] = u > 0 ? y[1] / u : 0;
      }
    }
  } else {
    // In units of the least axis squared, and from its pole: t = (u - 1) e2^2, u > 0.
    double q[3], r[3], z[3];
    for (int i = 0; i < 3; ++i) {
      q[i] = (e[i] - e2) * (e[i] + e2) / (e2 * e2);
      r[i] = q[i] + 1;
      z[i] = y[i] / e[i];
    }
    interior = z[0] * z[0] + z[1] * z[1] + z[2] * z[2] < 1;
    const auto excess = [&](double u) {
      double sum = -1;
      for (int i = 0; i < 3; ++i) {
        if (!(z[i] > 0)) continue;
        const double term = r[i] * z[i] / (u + q[i]);
        sum += term * term;
      }
      return sum;
    };
    if (z[2] > 0 || excess(0) > 0) {
      const double high = interior ? 1 : std::sqrt(r[0] * z[0] * r[0] * z[0] + r[1] * z[1] * r[1] * z[1] + z[2] * z[2]);
      const double u = bisect(std::min(z[2], high), high, excess);
      for (int i = 0; i < 3; ++i) x[i] = u + q[i] > 0 ? r[i] * y[i] / (u + q[i]) : 0;
    } else {
      // In the plane across the least axis, near the middle: two points above and below are equally near.
      double rest = 1;
      for (int i = 0; i < 2; ++i) {
        x[i] = q[i] > 0 ? r[i] * y[i] / q[i] : 0;
        rest -= (x[i] / e[i]) * (x[i] / e[i]);
      }
      x[2] = e[2] * std::sqrt(std::max(rest, 0.0));
    }
  }
  PointSeparation result;
  result.feature = {FeatureKind::face, 0};
  Vector3d gradient = Vector3d::Zero();
  for (int i = 0; i < 3; ++i) {
    const double sign = point[order[i]] < 0 ? -1 : 1;
    result.point[order[i]] = sign * x[i];
    if (e[i] > 0) gradient[order[i]] = sign * x[i] / e[i] * (e2 > 0 ? e2 / e[i] : 0);
  }
  const double steep = gradient.norm();
  const Vector3d normal =
      steep > 0 ? Vector3d(gradient / steep) : Vector3d((point[order[2]] < 0 ? -1.0 : 1.0) * Vector3d::Unit(order[2]));
  const Vector3d across = point - result.point;
  const double length = across.norm();
  result.distance = interior ? -length : length;
  // Near the surface the gradient is the better direction of the two.
  const bool far = length > 1e-7 * e[0];
  result.normal = far ? Vector3d(across / result.distance) : normal;
  return result;
}

PointSeparation hullPoint(const ConvexPolyhedron& hull, const Vector3d& point) {
  std::size_t deepest = 0;
  double maximum = -std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < hull.normals.size(); ++f)
    if (const double d = hull.normals[f].dot(point) - hull.offsets[f]; d > maximum) {
      maximum = d;
      deepest = f;
    }
  PointSeparation result;
  if (hull.solid && maximum <= 0) {
    result.distance = maximum;
    result.normal = hull.normals[deepest];
    result.point = point - maximum * result.normal;
    result.feature = {FeatureKind::face, static_cast<int>(deepest)};
    return result;
  }
  // The nearest triangle faces the point, and no point of a triangle is nearer than its plane. Triangles of one face do
  // not agree to the last digit on which side the point is.
  const double slack = 1e-9 * (point - hull.center).cwiseAbs().maxCoeff();
  double minimum = std::numeric_limits<double>::infinity();
  Vector3d nearest = hull.vertices[0];
  ElementFeature feature;
  for (std::size_t f = 0; f < hull.triangles.size(); ++f) {
    const double d = hull.normals[f].dot(point) - hull.offsets[f];
    // A flat one has no inside to see its triangles from.
    if ((hull.solid && d < -slack) || (d > 0 && (d - slack) * (d - slack) > minimum && d > slack)) continue;
    const auto& t = hull.triangles[f];
    ElementFeature part;
    const Vector3d candidate =
        nearestOnTriangle(hull.vertices[static_cast<std::size_t>(t[0])], hull.vertices[static_cast<std::size_t>(t[1])],
                          hull.vertices[static_cast<std::size_t>(t[2])], point, part);
    const double squared = (candidate - point).squaredNorm();
    if (squared >= minimum) continue;
    minimum = squared;
    nearest = candidate;
    deepest = f;
    feature = part.kind == FeatureKind::vertex
                  ? ElementFeature{FeatureKind::vertex, t[static_cast<std::size_t>(part.index)]}
              : part.kind == FeatureKind::edge ? ElementFeature{FeatureKind::edge, 3 * static_cast<int>(f) + part.index}
                                               : ElementFeature{FeatureKind::face, static_cast<int>(f)};
  }
  if (!(minimum < std::numeric_limits<double>::infinity()) && !hull.normals.empty())
    nearest = point - maximum * hull.normals[deepest];  // Nearer than rounding can tell.
  PointSeparation apart =
      outside(nearest, point, hull.normals.empty() ? Vector3d::UnitZ() : hull.normals[deepest], feature);
  if (feature.kind == FeatureKind::face && !hull.normals.empty())
    apart.normal =
        hull.normals[deepest].dot(apart.normal) < 0 ? Vector3d(-hull.normals[deepest]) : hull.normals[deepest];
  return apart;
}

PointSeparation placed(PointSeparation local, const RigidTransform& X) {
  local.point = X * local.point;
  local.normal = X.R * local.normal;
  return local;
}

}  // namespace

PointSeparation corePointSeparation(const ConvexElement& e, const Vector3d& point) {
  switch (e.kind) {
    case CoreKind::point:
      return outside(e.a, point, Vector3d::UnitZ(), {FeatureKind::vertex, 0});
    case CoreKind::segment: {
      const double t = nearestOnSegment(e.a, e.b, point);
      const ElementFeature feature = t <= 0   ? ElementFeature{FeatureKind::vertex, 0}
                                     : t >= 1 ? ElementFeature{FeatureKind::vertex, 1}
                                              : ElementFeature{FeatureKind::edge, 0};
      const Vector3d along = e.b - e.a, nearest = t >= 1 ? e.b : Vector3d(e.a + t * along);
      PointSeparation result = outside(nearest, point, anyPerpendicular(along), feature);
      // Near the segment the rounding of the nearest point turns the normal along it.
      if (feature.kind == FeatureKind::edge) {
        const Vector3d across = result.normal - along * (along.dot(result.normal) / along.squaredNorm());
        if (const double length = across.norm(); length > 0.5) result.normal = across / length;
      }
      return result;
    }
    case CoreKind::triangle: {
      ElementFeature feature;
      const Vector3d nearest = nearestOnTriangle(e.a, e.b, e.c, point, feature);
      Vector3d normal = (e.b - e.a).cross(e.c - e.a);
      const double length = normal.norm();
      normal = length > 0 ? Vector3d(normal / length) : anyPerpendicular(e.b - e.a);
      PointSeparation result = outside(nearest, point, normal, feature);
      if (feature.kind == FeatureKind::face && length > 0)
        result.normal = normal.dot(result.normal) < 0 ? Vector3d(-normal) : normal;
      if (feature.kind == FeatureKind::edge) {
        const Vector3d* corners[3] = {&e.a, &e.b, &e.c};
        const Vector3d along = *corners[(feature.index + 1) % 3] - *corners[feature.index];
        const Vector3d across = result.normal - along * (along.dot(result.normal) / along.squaredNorm());
        if (const double size = across.norm(); size > 0.5) result.normal = across / size;
      }
      return result;
    }
    case CoreKind::box:
      return placed(boxPoint(e.half, e.X.R.transpose() * (point - e.X.p)), e.X);
    case CoreKind::cylinder:
      return placed(cylinderPoint(e.half[0], e.half[2], e.X.R.transpose() * (point - e.X.p)), e.X);
    case CoreKind::ellipsoid:
      return placed(ellipsoidPoint(e.half, e.X.R.transpose() * (point - e.X.p)), e.X);
    case CoreKind::hull:
      return hullPoint(*e.polyhedron, point);
  }
  return {};
}

PointSeparation pointSeparation(const ConvexElement& element, const Vector3d& point) {
  PointSeparation result = corePointSeparation(element, point);
  result.distance -= element.radius;
  result.point += element.radius * result.normal;
  return result;
}

bool contains(const ConvexElement& element, const Vector3d& point) {
  return corePointSeparation(element, point).distance <= element.radius;
}

}  // namespace mortise
