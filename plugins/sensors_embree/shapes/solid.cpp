#include "shapes/solid.h"

#include <algorithm>
#include <cmath>

#include "mortise/math/constants.h"

namespace mortise::sensors_embree {

namespace {

/// The straight line in the solid's frame. It begins at its point nearest to the center, so that nothing is lost where
/// the ray comes from far away; `shift` is added to what is found.
struct Line {
  Vector3d p, d;
  double shift;
};

/// Roots of |p + t d| = 1 after both were divided by semi-axes; false when there are none.
bool unitBall(const Vector3d& p, const Vector3d& d, double& in, double& out) {
  const double length = d.norm();
  if (!(length > 0)) return false;
  const Vector3d unit = d / length;
  const double along = -p.dot(unit);
  const double rest = 1 - (p + along * unit).squaredNorm();
  if (!(rest >= 0)) return false;
  const double reach = std::sqrt(rest);
  in = (along - reach) / length;
  out = (along + reach) / length;
  return true;
}

bool ellipsoid(const Line& line, const Vector3d& half, RayInterval& result) {
  if (!(half.minCoeff() > 0)) return false;
  const Vector3d p = line.p.cwiseQuotient(half), d = line.d.cwiseQuotient(half);
  if (!unitBall(p, d, result.in, result.out)) return false;
  result.normalIn = (p + result.in * d).cwiseQuotient(half).normalized();
  result.normalOut = (p + result.out * d).cwiseQuotient(half).normalized();
  return true;
}

/// The endless tube around the third axis.
bool tube(const Line& line, double radius, double& in, double& out) {
  const double a = line.d[0] * line.d[0] + line.d[1] * line.d[1];
  if (!(a > 0)) {
    in = -kInfinity;
    out = kInfinity;
    return line.p[0] * line.p[0] + line.p[1] * line.p[1] <= radius * radius;
  }
  const double along = -(line.p[0] * line.d[0] + line.p[1] * line.d[1]) / a;
  const double cross = line.p[0] * line.d[1] - line.p[1] * line.d[0];
  const double rest = radius * radius - cross * cross / a;
  if (!(rest >= 0)) return false;
  const double reach = std::sqrt(rest / a);
  in = along - reach;
  out = along + reach;
  return true;
}

bool cylinder(const Line& line, const Vector3d& half, RayInterval& result) {
  double sideIn, sideOut;
  if (!(half[0] > 0) || !tube(line, half[0], sideIn, sideOut)) return false;
  double capIn = -kInfinity, capOut = kInfinity;
  if (line.d[2] != 0) {
    capIn = (-half[2] - line.p[2]) / line.d[2];
    capOut = (half[2] - line.p[2]) / line.d[2];
    if (capIn > capOut) std::swap(capIn, capOut);
  } else if (std::abs(line.p[2]) > half[2]) {
    return false;
  }
  result.in = std::max(sideIn, capIn);
  result.out = std::min(sideOut, capOut);
  if (!(result.in <= result.out)) return false;
  const double up = line.d[2] > 0 ? 1 : -1;
  const auto side = [&](double t) {
    return Vector3d(line.p[0] + t * line.d[0], line.p[1] + t * line.d[1], 0).normalized();
  };
  result.normalIn = sideIn > capIn ? side(result.in) : Vector3d(0, 0, -up);
  result.normalOut = sideOut < capOut ? side(result.out) : Vector3d(0, 0, up);
  return true;
}

bool capsule(const Line& line, const Vector3d& half, RayInterval& result) {
  const double radius = half[0];
  if (!(radius > 0)) return false;
  result.in = kInfinity;
  result.out = -kInfinity;
  double in, out;
  // Its ends, and where the straight part's tube is met between them: a convex union, so one stretch of the line.
  for (const double end : {-half[2], half[2]})
    if (unitBall((line.p - Vector3d(0, 0, end)) / radius, line.d / radius, in, out)) {
      result.in = std::min(result.in, in);
      result.out = std::max(result.out, out);
    }
  if (tube(line, radius, in, out)) {
    if (std::abs(line.p[2] + in * line.d[2]) <= half[2]) result.in = std::min(result.in, in);
    if (std::abs(line.p[2] + out * line.d[2]) <= half[2]) result.out = std::max(result.out, out);
  }
  if (!(result.in <= result.out)) return false;
  const auto normal = [&](double t) {
    const Vector3d at = line.p + t * line.d;
    return (at - Vector3d(0, 0, std::clamp(at[2], -half[2], half[2]))).normalized();
  };
  result.normalIn = normal(result.in);
  result.normalOut = normal(result.out);
  return true;
}

}  // namespace

AxisAlignedBounds Solid::bounds() const {
  Vector3d reach;
  for (int i = 0; i < 3; ++i) {
    const Vector3d row = X.R.row(i);
    switch (kind) {
      case Kind::ellipsoid:
        reach[i] = row.cwiseProduct(half).norm();
        break;
      case Kind::cylinder:
        reach[i] = half[0] * std::hypot(row[0], row[1]) + half[2] * std::abs(row[2]);
        break;
      case Kind::capsule:
        reach[i] = half[0] + half[2] * std::abs(row[2]);
        break;
    }
  }
  return {X.p - reach, X.p + reach};
}

bool intersect(const Solid& solid, const Vector3d& origin, const Vector3d& direction, RayInterval& interval) {
  Line line{solid.X.R.transpose() * (origin - solid.X.p), solid.X.R.transpose() * direction, 0};
  const double squared = line.d.squaredNorm();
  if (!(squared > 0)) return false;
  line.shift = -line.p.dot(line.d) / squared;
  line.p += line.shift * line.d;
  bool hit = false;
  switch (solid.kind) {
    case Solid::Kind::ellipsoid:
      hit = ellipsoid(line, solid.half, interval);
      break;
    case Solid::Kind::cylinder:
      hit = cylinder(line, solid.half, interval);
      break;
    case Solid::Kind::capsule:
      hit = capsule(line, solid.half, interval);
      break;
  }
  if (!hit) return false;
  interval.in += line.shift;
  interval.out += line.shift;
  interval.normalIn = solid.X.R * interval.normalIn;
  interval.normalOut = solid.X.R * interval.normalOut;
  return true;
}

Vector3d surfaceNormal(const Solid& solid, const Vector3d& point) {
  const Vector3d p = solid.X.R.transpose() * (point - solid.X.p);
  Vector3d normal;
  switch (solid.kind) {
    case Solid::Kind::ellipsoid:
      normal = p.cwiseQuotient(solid.half.cwiseProduct(solid.half));
      break;
    case Solid::Kind::cylinder: {
      const double ring = std::hypot(p[0], p[1]);
      // Of side and cap, the one that is nearer.
      if (std::abs(ring - solid.half[0]) < std::abs(std::abs(p[2]) - solid.half[2]))
        normal = Vector3d(p[0], p[1], 0);
      else
        normal = Vector3d(0, 0, p[2]);
      break;
    }
    case Solid::Kind::capsule:
      normal = p - Vector3d(0, 0, std::clamp(p[2], -solid.half[2], solid.half[2]));
      break;
  }
  return solid.X.R * normal.normalized();
}

}  // namespace mortise::sensors_embree
