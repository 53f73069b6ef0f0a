#pragma once

/// Small equations that closed forms are made of. For this folder.

#include <algorithm>
#include <cmath>

#include "mortise/math/transform.h"

namespace mortise::analytic {

/// `v` turned about a unit `axis`.
inline Vector3d turned(const Vector3d& axis, double c, double s, const Vector3d& v) {
  return c * v + s * axis.cross(v) + ((1 - c) * axis.dot(v)) * axis;
}
inline Vector3d turned(const Vector3d& axis, double angle, const Vector3d& v) {
  return turned(axis, std::cos(angle), std::sin(angle), v);
}
/// A turn whose cosine and sine are wanted more than once.
class Turn {
 public:
  Turn(const Vector3d& axis, double angle) : axis_(axis), c_(std::cos(angle)), s_(std::sin(angle)) {}
  Vector3d forth(const Vector3d& v) const { return turned(axis_, c_, s_, v); }
  Vector3d back(const Vector3d& v) const { return turned(axis_, c_, -s_, v); }

 private:
  Vector3d axis_;
  double c_, s_;
};
/// A point turned about a line.
inline Vector3d turnedAbout(const Vector3d& axis, const Vector3d& origin, double angle, const Vector3d& p) {
  return origin + turned(axis, angle, p - origin);
}
inline Vector3d across(const Vector3d& axis, const Vector3d& v) { return v - axis.dot(v) * axis; }

/// The angle about `axis` that turns `from` to `to`, or `otherwise` where one of them lies along the axis.
inline double angleBetween(const Vector3d& axis, const Vector3d& from, const Vector3d& to, double otherwise) {
  const Vector3d a = across(axis, from), b = across(axis, to);
  if (a.squaredNorm() < 1e-18 || b.squaredNorm() < 1e-18) return otherwise;
  return std::atan2(axis.dot(a.cross(b)), a.dot(b));
}

/// a cos(x) + b sin(x) = c. Returns how many solutions there are: 0 or 2, which may coincide. What is missed by less
/// than a thousandth counts as touched.
inline int solveCosineSine(double a, double b, double c, double* x) {
  const double r = std::hypot(a, b);
  if (!(std::abs(c) <= r * 1.001) || r < 1e-12) return 0;
  const double middle = std::atan2(b, a), half = std::acos(std::clamp(c / r, -1.0, 1.0));
  x[0] = middle + half;
  x[1] = middle - half;
  return 2;
}

/// k0 + k1 c + k2 s + k3 c^2 + k4 s^2 + k5 c s of an angle.
struct TrigonometricQuadric {
  double k[6] = {};

  double at(double c, double s) const {
    return k[0] + k[1] * c + k[2] * s + k[3] * c * c + k[4] * s * s + k[5] * c * s;
  }
  double slope(double c, double s) const {
    return -k[1] * s + k[2] * c + 2 * (k[4] - k[3]) * c * s + k[5] * (c * c - s * s);
  }
  /// The roots, at most 4; a minimum of the absolute value that all but touches 0 counts as one.
  int roots(double* x) const;
};

}  // namespace mortise::analytic
