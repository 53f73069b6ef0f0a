#include "mortise/collision/element/polytope.h"

namespace mortise::polytopes {

namespace {

/// The part of a polytope that is farthest along a direction: a corner, edge or face of a box, or all of a flat one.
struct Side {
  int count = 0;
  Vector3d v[4];  ///< In order around it.
  int index[4] = {};
  ElementFeature feature;
};

Side sideAlong(const Polytope& p, const Vector3d& n, double slack) {
  Side side;
  const auto add = [&](int vertex) {
    side.index[side.count] = vertex;
    side.v[side.count++] = p.v[vertex];
  };
  if (p.count == 8) {
    int fixed = 0, free[3], numFree = 0;
    for (int i = 0; i < 3; ++i) {
      const double along = n.dot(p.R.col(i));
      // Where it has no thickness both ends are the same.
      if (2 * p.half[i] > slack && 2 * p.half[i] * std::abs(along) <= slack && numFree < 2)
        free[numFree++] = i;
      else if (along > 0)
        fixed |= 1 << i;
    }
    add(fixed);
    if (numFree > 0) add(fixed | (1 << free[0]));
    if (numFree > 1) {
      add(fixed | (1 << free[0]) | (1 << free[1]));
      add(fixed | (1 << free[1]));
      const int axis = 3 - free[0] - free[1];
      side.feature = {FeatureKind::face, 2 * axis + ((fixed >> axis) & 1)};
    } else if (numFree == 1) {
      const int axis = free[0];
      side.feature = {FeatureKind::edge,
                      4 * axis + ((fixed >> ((axis + 1) % 3)) & 1) + 2 * ((fixed >> ((axis + 2) % 3)) & 1)};
    } else {
      side.feature = {FeatureKind::vertex, fixed};
    }
    return side;
  }
  double low, high;
  p.range(n, low, high);
  for (int i = 0; i < p.count; ++i)
    if (n.dot(p.v[i]) >= high - slack) add(i);
  if (side.count == 1) side.feature = {FeatureKind::vertex, side.index[0]};
  if (side.count == 2)
    side.feature = {FeatureKind::edge, p.count == 3 && side.index[0] == 0 && side.index[1] == 2 ? 2 : side.index[0]};
  if (side.count == 3) side.feature = {FeatureKind::face, 0};
  return side;
}

/// A pair of points of two sides that touch, up to rounding.
void touchingPoints(const Side& a, const Side& b, double enough, Vector3d& pointA, Vector3d& pointB) {
  Nearest nearest;
  const auto onto = [](const Side& side, const Vector3d& point) -> Vector3d {
    if (side.count == 1) return side.v[0];
    if (side.count == 2) return alongSegment(side.v[0], side.v[1], nearestOnSegment(side.v[0], side.v[1], point));
    ElementFeature part;
    const Vector3d first = nearestOnTriangle(side.v[0], side.v[1], side.v[2], point, part);
    if (side.count == 3) return first;
    const Vector3d second = nearestOnTriangle(side.v[0], side.v[2], side.v[3], point, part);
    return (second - point).squaredNorm() < (first - point).squaredNorm() ? second : first;
  };
  // The middle of all corners of each that lie on the other is the middle of the patch, more or less.
  Vector3d sum = Vector3d::Zero();
  int count = 0;
  for (int i = 0; i < a.count; ++i) {
    const Vector3d point = onto(b, a.v[i]);
    nearest.offer(a.v[i], point, {}, {});
    if ((point - a.v[i]).squaredNorm() <= enough) sum += a.v[i], ++count;
  }
  for (int i = 0; i < b.count; ++i) {
    const Vector3d point = onto(a, b.v[i]);
    nearest.offer(point, b.v[i], {}, {});
    if ((point - b.v[i]).squaredNorm() <= enough) sum += b.v[i], ++count;
  }
  if (a.count > 1 && b.count > 1)
    for (int i = 0; i < (a.count == 2 ? 1 : a.count); ++i)
      for (int j = 0; j < (b.count == 2 ? 1 : b.count); ++j) {
        const SegmentPair pair = nearestOfSegments(a.v[i], a.v[(i + 1) % a.count], b.v[j], b.v[(j + 1) % b.count]);
        nearest.offer(pair.a, pair.b, {}, {});
        if ((pair.b - pair.a).squaredNorm() <= enough) sum += pair.a, ++count;
      }
  pointA = nearest.pointA;
  pointB = nearest.pointB;
  if (count > 1) {
    pointA = onto(a, sum / count);
    pointB = onto(b, pointA);
  }
}

}  // namespace

ElementSeparation overlapping(const Polytope& a, const Polytope& b, const Axis& axis, double size) {
  ElementSeparation result;
  result.distance = std::min(axis.gap, 0.0);
  result.normal = axis.normal;
  const double slack = 1e-9 * size;
  const Side sideA = sideAlong(a, axis.normal, slack);
  Side sideB = sideAlong(b, -axis.normal, slack);
  result.featureA = sideA.feature;
  result.featureB = sideB.feature;
  const Vector3d shift = -result.distance * axis.normal;
  for (int i = 0; i < sideB.count; ++i) sideB.v[i] += shift;
  Vector3d onA, onB;
  touchingPoints(sideA, sideB, 4 * slack * slack, onA, onB);
  const Vector3d middle = 0.5 * (onA + onB);
  result.pointA = middle;
  result.pointB = middle - shift;
  return result;
}

}  // namespace mortise::polytopes
