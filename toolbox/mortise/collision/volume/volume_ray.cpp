#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/collision/volume/volume_field.h"

namespace mortise {

namespace {

/// The first root of a cubic through four values at 0, 1/3, 2/3 and 1, where it begins above zero: the derivative's
/// roots part it into rising and falling stretches, each of which is bisected. Negative: none.
double firstRoot(const double (&f)[4]) {
  // Coefficients of c0 + c1 s + c2 s^2 + c3 s^3.
  const double c0 = f[0];
  const double c1 = 0.5 * (-11 * f[0] + 18 * f[1] - 9 * f[2] + 2 * f[3]);
  const double c2 = 4.5 * (2 * f[0] - 5 * f[1] + 4 * f[2] - f[3]);
  const double c3 = 4.5 * (-f[0] + 3 * f[1] - 3 * f[2] + f[3]);
  const auto at = [&](double s) { return ((c3 * s + c2) * s + c1) * s + c0; };
  double stops[4] = {0, 1, 1, 1};
  int count = 1;
  const double discriminant = c2 * c2 - 3 * c3 * c1;
  if (discriminant > 0) {
    const double q = -(c2 + std::copysign(std::sqrt(discriminant), c2));
    double roots[2] = {c3 != 0 ? q / (3 * c3) : -1, q != 0 ? c1 / q : -1};
    if (roots[0] > roots[1]) std::swap(roots[0], roots[1]);
    for (const double r : roots)
      if (r > 0 && r < 1) stops[count++] = r;
  }
  stops[count++] = 1;
  for (int i = 0; i + 1 < count; ++i) {
    if (at(stops[i]) <= 0) return stops[i];
    if (at(stops[i + 1]) > 0) continue;
    double low = stops[i], high = stops[i + 1];
    for (;;) {
      const double middle = 0.5 * (low + high);
      if (!(middle > low && middle < high)) return high;
      (at(middle) > 0 ? low : high) = middle;
    }
  }
  return -1;
}

}  // namespace

bool VolumeField::rayCast(const Vector3d& origin, const Vector3d& direction, double tMax, ElementRayHit& hit) const {
  const double length = direction.norm();
  if (empty() || !(length > 0) || !(tMax >= 0)) return false;
  hit.feature = {FeatureKind::face, 0};
  if (contains(origin)) {
    hit.t = 0;
    hit.normal = -direction / length;
    return true;
  }
  if (margin_ > 0) {
    // Steps of what is surely free (sphere tracing; Hart, 1996), less what distances may be wrong by.
    const double slack = options_.tolerance * cell_;
    double t = 0, end = tMax;
    for (int a = 0; a < 3; ++a) {
      if (direction[a] == 0) continue;
      const double t0 = (bounds_.min[a] - origin[a]) / direction[a], t1 = (bounds_.max[a] - origin[a]) / direction[a];
      t = std::max(t, std::min(t0, t1));
      end = std::min(end, std::max(t0, t1));
    }
    for (int step = 0; step < 10000 && t <= end; ++step) {
      const ElementSeparation s = separation(ConvexElement::point(origin + t * direction), {});
      if (s.distance <= 2 * slack) {
        hit.t = t;
        hit.normal = s.normal.dot(direction) > 0 ? Vector3d(-s.normal) : s.normal;
        return true;
      }
      t += (s.distance - slack) / length;
    }
    return false;
  }

  const Vector3d p = grid_.X.inverse() * origin, d = grid_.X.R.transpose() * direction;
  double best = std::numeric_limits<double>::infinity();
  Vector3d bestNormal = -d / length;
  /// Finds where the ray is within a box; nothing when it misses.
  const auto clip = [&](const Vector3d& low, const Vector3d& high, double& first, double& last, int& axis) {
    first = 0;
    last = std::min(tMax, best);
    axis = -1;
    for (int a = 0; a < 3; ++a) {
      if (d[a] == 0) {
        if (p[a] < low[a] || p[a] > high[a]) return false;
        continue;
      }
      double t0 = (low[a] - p[a]) / d[a], t1 = (high[a] - p[a]) / d[a];
      if (t0 > t1) std::swap(t0, t1);
      if (t0 > first) {
        first = t0;
        axis = a;
      }
      last = std::min(last, t1);
    }
    return first <= last;
  };

  std::array<Part, 8 * 40> stack;
  int depth = 0, axis = -1;
  double first = 0, last = 0;
  stack[static_cast<std::size_t>(depth++)] = top();
  while (depth > 0) {
    const Part part = stack[static_cast<std::size_t>(--depth)];
    if (!clip(part.low, part.high, first, last, axis)) continue;
    double low, high;
    range(part, low, high);
    if (low > 0) continue;
    if (part.level > 0) {
      std::array<Part, 8> parts;
      const int count = split(part, parts);
      int kept = 0;
      for (int i = 0; i < count; ++i) {
        Part& q = parts[static_cast<std::size_t>(i)];
        if (!clip(q.low, q.high, q.lowerBound, last, axis)) continue;
        int at = kept++;
        const Part moving = q;
        for (; at > 0 && parts[static_cast<std::size_t>(at - 1)].lowerBound < moving.lowerBound; --at)
          parts[static_cast<std::size_t>(at)] = parts[static_cast<std::size_t>(at - 1)];
        parts[static_cast<std::size_t>(at)] = moving;
      }
      for (int i = 0; i < kept; ++i) stack[static_cast<std::size_t>(depth++)] = parts[static_cast<std::size_t>(i)];
      continue;
    }
    double f[4];
    for (int i = 0; i < 4; ++i) f[i] = grid_.interpolate(p + (first + (last - first) * i / 3.0) * d);
    double t = -1;
    bool wall = false;
    if (f[0] <= 0) {
      t = first;
      wall = first > 0;
    } else if (const double s = firstRoot(f); s >= 0) {
      t = first + (last - first) * s;
    }
    if (t < 0 || t >= best) continue;
    best = t;
    const Vector3d at = p + t * d;
    const Vector3d g = localGradient(at);
    bestNormal = g.norm() > 0 ? Vector3d(g.normalized()) : Vector3d(-d / length);
    // The solid meets the wall of the grid's box here, unless a neighbor piece's surface ends exactly at this border.
    const Vector3d fromLow = (at - grid_.min).cwiseAbs(), fromHigh = (grid_.max - at).cwiseAbs();
    if (wall && axis >= 0 && std::min(fromLow[axis], fromHigh[axis]) <= 1e-9 * cell_)
      bestNormal = d[axis] > 0 ? Vector3d(-Vector3d::Unit(axis)) : Vector3d(Vector3d::Unit(axis));
  }
  if (!(best <= tMax)) return false;
  hit.t = best;
  hit.normal = grid_.X.R * bestNormal;
  if (hit.normal.dot(direction) > 0) hit.normal = -hit.normal;
  return true;
}

}  // namespace mortise
