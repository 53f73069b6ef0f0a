#pragma once

/// Point, segment, triangle and box cores as the polytopes that they are, for `element_polytope.cpp` and
/// `polytope_overlap.cpp` alone.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/geometry/convex/element_cores.h"
#include "mortise/math/constants.h"

namespace mortise::polytopes {

struct Polytope {
  explicit Polytope(const ConvexElement& e) : kind(e.kind) {
    switch (e.kind) {
      case CoreKind::point:
        count = 1;
        v[0] = e.a;
        break;
      case CoreKind::segment:
        count = 2;
        v[0] = e.a;
        v[1] = e.b;
        edges[numEdges++] = e.b - e.a;
        break;
      case CoreKind::triangle: {
        count = 3;
        v[0] = e.a;
        v[1] = e.b;
        v[2] = e.c;
        for (int i = 0; i < 3; ++i) edges[numEdges++] = v[(i + 1) % 3] - v[i];
        const Vector3d normal = edges[0].cross(edges[1]);
        if (const double length = normal.norm(); length > 0) faces[numFaces++] = normal / length;
        break;
      }
      default:
        count = 8;
        center = e.X.p;
        half = e.half;
        R = e.X.R;
        for (int i = 0; i < 8; ++i)
          v[i] = e.X * Vector3d(i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]);
        for (int i = 0; i < 3; ++i) faces[numFaces++] = edges[numEdges++] = R.col(i);
        break;
    }
  }

  /// Range of `n . x`.
  void range(const Vector3d& n, double& low, double& high) const {
    if (count == 8) {
      const double middle = n.dot(center);
      const double reach = half[0] * std::abs(n.dot(R.col(0))) + half[1] * std::abs(n.dot(R.col(1))) +
                           half[2] * std::abs(n.dot(R.col(2)));
      low = middle - reach;
      high = middle + reach;
      return;
    }
    low = high = n.dot(v[0]);
    for (int i = 1; i < count; ++i) {
      const double at = n.dot(v[i]);
      low = std::min(low, at);
      high = std::max(high, at);
    }
  }

  double size() const {
    double maximum = 0;
    for (int i = 0; i < count; ++i) maximum = std::max(maximum, (v[i] - v[0]).cwiseAbs().maxCoeff());
    return maximum;
  }

  CoreKind kind;
  int count = 0, numEdges = 0, numFaces = 0;
  Vector3d v[8];
  Vector3d edges[3];  ///< Directions, not unit for segments and triangles.
  Vector3d faces[3];  ///< Unit normals.
  Vector3d center, half;
  Matrix3d R;
};

/// A direction in which two polytopes lie apart, or least within each other.
struct Axis {
  double gap = -kInfinity;  ///< Along `normal`; the most that any axis gave.
  Vector3d normal = Vector3d::UnitZ();
};

struct Nearest {
  double squared = kInfinity;
  Vector3d pointA = Vector3d::Zero(), pointB = Vector3d::Zero();
  ElementFeature featureA, featureB;

  bool offer(const Vector3d& a, const Vector3d& b, ElementFeature fa, ElementFeature fb) {
    const double distance = (b - a).squaredNorm();
    if (!(distance < squared)) return false;
    squared = distance;
    pointA = a;
    pointB = b;
    featureA = fa;
    featureB = fb;
    return true;
  }
};

struct SegmentPair {
  double s = 0, t = 0;  ///< Parameters of the nearest points.
  Vector3d a, b;
};

inline Vector3d alongSegment(const Vector3d& from, const Vector3d& to, double t) {
  return t >= 1 ? to : Vector3d(from + t * (to - from));
}

/// Nearest points of two segments. Inner points are tried where the segments are not parallel; an end of one against
/// the other covers the rest, so that what comes out is never far off, however thin the angle.
SegmentPair nearestOfSegments(const Vector3d& p0, const Vector3d& p1, const Vector3d& q0, const Vector3d& q1);

/// Two that overlap least by `axis.gap` along `axis.normal`: depth, points and features.
ElementSeparation overlapping(const Polytope& a, const Polytope& b, const Axis& axis, double size);

}  // namespace mortise::polytopes
