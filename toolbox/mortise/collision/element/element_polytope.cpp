/// Point, segment, triangle and box cores among themselves, in closed form. Whether and how deep they overlap is
/// decided by separating axes (Gottschalk, Lin and Manocha, 1996): the faces of the difference of two polytopes come
/// from faces of one or from an edge of each, so the least translation is along one of these. Apart, the nearest points
/// are those of the nearest pair of features.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/collision/element/polytope.h"

namespace mortise {

namespace polytopes {

SegmentPair nearestOfSegments(const Vector3d& p0, const Vector3d& p1, const Vector3d& q0, const Vector3d& q1) {
  const Vector3d u = p1 - p0, w = q1 - q0, r = q0 - p0;
  SegmentPair best;
  double minimum = kInfinity;
  const auto offer = [&](double s, double t) {
    const Vector3d a = alongSegment(p0, p1, s), b = alongSegment(q0, q1, t);
    const double squared = (b - a).squaredNorm();
    if (squared < minimum) {
      minimum = squared;
      best = {s, t, a, b};
    }
  };
  const Vector3d n = u.cross(w);
  const double nn = n.squaredNorm();
  if (nn > 0) {
    // Parameters of the lines' nearest points through triple products, which keep their digits at thin angles.
    const double s = r.cross(w).dot(n) / nn, t = r.cross(u).dot(n) / nn;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
      offer(s, t);
      if (nn > 1e-6 * u.squaredNorm() * w.squaredNorm()) return best;
    }
  }
  offer(0, nearestOnSegment(q0, q1, p0));
  offer(1, nearestOnSegment(q0, q1, p1));
  offer(nearestOnSegment(p0, p1, q0), 0);
  offer(nearestOnSegment(p0, p1, q1), 1);
  return best;
}

namespace {

/// The ends of a box's edge by our numbering of its edges.
void boxEdge(int edge, int& from, int& to) {
  const int axis = edge / 4, u = edge & 1, w = (edge >> 1) & 1;
  from = (u << ((axis + 1) % 3)) | (w << ((axis + 2) % 3));
  to = from | (1 << axis);
}

/// Tries the axes until one gives more than `enough`.
Axis bestAxis(const Polytope& a, const Polytope& b, double enough) {
  Axis best;
  const double slack = 1e-13 * (a.size() + b.size());
  const auto attempt = [&](const Vector3d& n, double bias) {
    double lowA, highA, lowB, highB;
    a.range(n, lowA, highA);
    b.range(n, lowB, highB);
    const double forth = lowB - highA, back = lowA - highB;
    const double gap = std::max(forth, back);
    if (gap <= best.gap + bias) return false;
    best.gap = gap;
    best.normal = forth >= back ? n : Vector3d(-n);
    return gap > enough;
  };
  for (int i = 0; i < a.numFaces; ++i)
    if (attempt(a.faces[i], 0)) return best;
  for (int i = 0; i < b.numFaces; ++i)
    if (attempt(b.faces[i], slack)) return best;
  for (int i = 0; i < a.numEdges; ++i)
    for (int j = 0; j < b.numEdges; ++j) {
      const Vector3d n = a.edges[i].cross(b.edges[j]);
      // Of edges that are almost parallel the direction is rough, but any axis gives a true bound.
      const double squared = n.squaredNorm();
      if (!(squared > 1e-28 * a.edges[i].squaredNorm() * b.edges[j].squaredNorm())) continue;
      if (attempt(n / std::sqrt(squared), slack)) return best;
    }
  if (a.count <= 3 && b.count <= 3 && best.gap > -1e-9 * (a.size() + b.size())) {
    // Flat ones in one plane, or nearly: what parts them may lie in it.
    for (const Polytope* p : {&a, &b})
      for (int f = 0; f < p->numFaces; ++f)
        for (const Polytope* q : {&a, &b})
          for (int e = 0; e < q->numEdges; ++e) {
            const Vector3d n = p->faces[f].cross(q->edges[e]);
            const double squared = n.squaredNorm();
            if (squared > 1e-28 * q->edges[e].squaredNorm() && attempt(n / std::sqrt(squared), slack)) return best;
          }
  }
  if (best.gap == -kInfinity) {
    // All in one line, or points: across it, then along it.
    Vector3d along = b.v[0] - a.v[0];
    for (const Polytope* p : {&a, &b})
      for (int i = 0; i < p->numEdges; ++i)
        if (p->edges[i].squaredNorm() > along.squaredNorm()) along = p->edges[i];
    attempt(anyPerpendicular(along), 0);
  }
  return best;
}

/// Nearest point of a segment to a box about the origin: half the squared distance along the segment has a derivative
/// that rises, straight between the places where the segment crosses the planes of the faces.
double nearestToBox(const Vector3d& from, const Vector3d& to, const Vector3d& half) {
  const Vector3d d = to - from;
  double breaks[8];
  int count = 0;
  breaks[count++] = 0;
  for (int i = 0; i < 3; ++i)
    for (const double side : {-half[i], half[i]}) {
      if (d[i] == 0) continue;
      const double t = (side - from[i]) / d[i];
      if (t > 0 && t < 1) breaks[count++] = t;
    }
  breaks[count++] = 1;
  for (int i = 1; i < count; ++i)  // Few: insertion is fastest.
    for (int j = i; j > 0 && breaks[j] < breaks[j - 1]; --j) std::swap(breaks[j], breaks[j - 1]);
  for (int k = 0; k + 1 < count; ++k) {
    const double low = breaks[k], high = breaks[k + 1];
    if (high <= low && k + 2 < count) continue;
    const Vector3d middle = from + 0.5 * (low + high) * d;
    double slope = 0, constant = 0;  // Derivative: slope * t + constant.
    for (int i = 0; i < 3; ++i) {
      const double side = middle[i] > half[i] ? half[i] : -half[i];
      if (std::abs(middle[i]) <= half[i]) continue;
      slope += d[i] * d[i];
      constant += d[i] * (from[i] - side);
    }
    if (slope == 0) return constant == 0 ? 0.5 * (low + high) : low;
    const double root = -constant / slope;
    if (root <= low) return low;
    if (root <= high) return root;
  }
  return 1;
}

ElementFeature segmentFeature(double t, int edge, int from, int to) {
  if (t <= 0) return {FeatureKind::vertex, from};
  if (t >= 1) return {FeatureKind::vertex, to};
  return {FeatureKind::edge, edge};
}

/// Edges of segments and triangles.
int edgeCount(const Polytope& p) { return p.count == 3 ? 3 : p.count == 2 ? 1 : p.count == 8 ? 12 : 0; }
void edgeEnds(const Polytope& p, int edge, int& from, int& to) {
  if (p.count == 8) return boxEdge(edge, from, to);
  from = edge;
  to = p.count == 3 ? (edge + 1) % 3 : 1;
}

/// A box against a polytope that it does not overlap.
void nearestWithBox(const Polytope& a, const Polytope& box, const ConvexElement& boxElement, const Vector3d& normal,
                    Nearest& nearest) {
  // What is farther along the axis that parts them than the nearest pair so far cannot be nearer.
  double gaps[8];
  double low, high;
  box.range(normal, low, high);
  for (int i = 0; i < a.count; ++i) gaps[i] = low - normal.dot(a.v[i]);
  int start = 0;
  for (int i = 1; i < a.count; ++i)
    if (gaps[i] < gaps[start]) start = i;
  const auto beyond = [&](double gap) { return gap > 0 && gap * gap >= nearest.squared; };
  const auto edgeAgainst = [&](int edge) {
    int from, to;
    edgeEnds(a, edge, from, to);
    if (beyond(std::min(gaps[from], gaps[to]))) return;
    const Vector3d p = box.R.transpose() * (a.v[from] - box.center), q = box.R.transpose() * (a.v[to] - box.center);
    const double t = nearestToBox(p, q, box.half);
    const Vector3d onEdge = alongSegment(a.v[from], a.v[to], t);
    const Vector3d local = alongSegment(p, q, t);
    const Vector3d onBox = box.R * local.cwiseMax(-box.half).cwiseMin(box.half) + box.center;
    if ((onBox - onEdge).squaredNorm() >= nearest.squared) return;
    const ElementFeature part = corePointSeparation(boxElement, onEdge).feature;
    nearest.offer(onEdge, onBox, segmentFeature(t, edge, from, to), part);
  };
  if (a.count == 1) {
    const PointSeparation s = corePointSeparation(boxElement, a.v[0]);
    nearest.offer(a.v[0], s.point, {}, s.feature);
    return;
  }
  for (int edge = 0; edge < edgeCount(a); ++edge) {
    int from, to;
    edgeEnds(a, edge, from, to);
    if (from == start || to == start) edgeAgainst(edge);
  }
  for (int edge = 0; edge < edgeCount(a); ++edge) {
    int from, to;
    edgeEnds(a, edge, from, to);
    if (from != start && to != start) edgeAgainst(edge);
  }
  // Corners of the box over faces of a; what is over an edge or a corner of a has been seen.
  double lowA, highA;
  a.range(normal, lowA, highA);
  for (int i = 0; i < 8; ++i) {
    if (a.count == 2 || beyond(normal.dot(box.v[i]) - highA)) continue;
    ElementFeature part;
    if (a.count == 3) {
      const Vector3d point = nearestOnTriangle(a.v[0], a.v[1], a.v[2], box.v[i], part);
      nearest.offer(point, box.v[i], part, {FeatureKind::vertex, i});
    } else {
      const Vector3d local = a.R.transpose() * (box.v[i] - a.center);
      const Vector3d point = a.R * local.cwiseMax(-a.half).cwiseMin(a.half) + a.center;
      if ((point - box.v[i]).squaredNorm() >= nearest.squared) continue;
      int sides = 0, axis = 0;
      for (int k = 0; k < 3; ++k)
        if (std::abs(local[k]) > a.half[k]) {
          ++sides;
          axis = k;
        }
      if (sides > 1) continue;
      // On the face to rounding, from inside: the two do not overlap.
      if (sides == 0) (a.half - local.cwiseAbs()).minCoeff(&axis);
      nearest.offer(point, box.v[i], {FeatureKind::face, 2 * axis + (local[axis] > 0 ? 1 : 0)},
                    {FeatureKind::vertex, i});
    }
  }
}

/// Points, segments and triangles that do not overlap.
void nearestOfFlats(const Polytope& a, const Polytope& b, Nearest& nearest) {
  for (int i = 0; i < edgeCount(a); ++i)
    for (int j = 0; j < edgeCount(b); ++j) {
      int a0, a1, b0, b1;
      edgeEnds(a, i, a0, a1);
      edgeEnds(b, j, b0, b1);
      const SegmentPair pair = nearestOfSegments(a.v[a0], a.v[a1], b.v[b0], b.v[b1]);
      nearest.offer(pair.a, pair.b, segmentFeature(pair.s, i, a0, a1), segmentFeature(pair.t, j, b0, b1));
    }
  const auto onto = [](const Polytope& p, const Vector3d& point, ElementFeature& part) -> Vector3d {
    if (p.count == 3) return nearestOnTriangle(p.v[0], p.v[1], p.v[2], point, part);
    if (p.count == 1) return p.v[0];
    const double t = nearestOnSegment(p.v[0], p.v[1], point);
    part = segmentFeature(t, 0, 0, 1);
    return alongSegment(p.v[0], p.v[1], t);
  };
  if (a.count == 3 || b.count == 1)
    for (int j = 0; j < b.count; ++j) {
      ElementFeature part;
      const Vector3d point = onto(a, b.v[j], part);
      nearest.offer(point, b.v[j], part, {FeatureKind::vertex, j});
    }
  if (b.count == 3 || a.count == 1)
    for (int i = 0; i < a.count; ++i) {
      ElementFeature part;
      const Vector3d point = onto(b, a.v[i], part);
      nearest.offer(a.v[i], point, {FeatureKind::vertex, i}, part);
    }
}

/// Direction of an edge; zero where the feature is none.
Vector3d edgeDirection(const Polytope& p, ElementFeature feature) {
  if (feature.kind != FeatureKind::edge) return Vector3d::Zero();
  int from, to;
  edgeEnds(p, feature.index, from, to);
  return p.v[to] - p.v[from];
}

/// The direction between features that almost touch, which their difference is too small to tell.
Vector3d normalOf(const Polytope& a, const Polytope& b, const Nearest& nearest, const Vector3d& across,
                  const Vector3d& axis) {
  const auto oriented = [&](const Vector3d& n) -> Vector3d { return n.dot(across) < 0 ? Vector3d(-n) : n; };
  if (nearest.featureA.kind == FeatureKind::face)
    return oriented(a.count == 8 ? a.faces[nearest.featureA.index / 2] : a.faces[0]);
  if (nearest.featureB.kind == FeatureKind::face)
    return oriented(b.count == 8 ? b.faces[nearest.featureB.index / 2] : b.faces[0]);
  const Vector3d u = edgeDirection(a, nearest.featureA), w = edgeDirection(b, nearest.featureB);
  const Vector3d n = u.cross(w);
  if (n.squaredNorm() > 1e-10 * u.squaredNorm() * w.squaredNorm()) return oriented(n.normalized());
  Vector3d result = across;
  const Vector3d& edge = u.squaredNorm() > w.squaredNorm() ? u : w;
  if (edge.squaredNorm() > 0) result -= edge * (edge.dot(across) / edge.squaredNorm());
  const double length = result.norm();
  return length > 0 ? Vector3d(result / length) : axis;
}

ElementSeparation apart(const Polytope& a, const Polytope& b, const Nearest& nearest, const Axis& axis, double size) {
  ElementSeparation result;
  result.pointA = nearest.pointA;
  result.pointB = nearest.pointB;
  result.featureA = nearest.featureA;
  result.featureB = nearest.featureB;
  const Vector3d across = nearest.pointB - nearest.pointA;
  result.distance = across.norm();
  if (result.distance > 1e-5 * size) {
    result.normal = across / result.distance;
    return result;
  }
  // Of the axis that parts them, the direction that their features have and the one between the points, that is best
  // along which they are farthest apart.
  result.normal = axis.normal;
  double maximum = axis.gap;
  const auto attempt = [&](const Vector3d& n) {
    double lowA, highA, lowB, highB;
    a.range(n, lowA, highA);
    b.range(n, lowB, highB);
    if (lowB - highA <= maximum) return;
    maximum = lowB - highA;
    result.normal = n;
  };
  attempt(normalOf(a, b, nearest, across, axis.normal));
  if (result.distance > 1e-14 * size) attempt(across / result.distance);
  result.pointB = result.pointA + result.distance * result.normal;
  return result;
}

Nearest nearestOf(const Polytope& a, const Polytope& b, const ConvexElement& elementA, const ConvexElement& elementB,
                  const Axis& axis) {
  Nearest nearest;
  if (b.count == 8) {
    nearestWithBox(a, b, elementB, axis.normal, nearest);
  } else if (a.count == 8) {
    Nearest other;
    nearestWithBox(b, a, elementA, -axis.normal, other);
    nearest.offer(other.pointB, other.pointA, other.featureB, other.featureA);
  } else {
    nearestOfFlats(a, b, nearest);
  }
  return nearest;
}

}  // namespace

}  // namespace polytopes

ElementSeparation polytopeSeparation(const ConvexElement& elementA, const ConvexElement& elementB) {
  using namespace polytopes;
  const Polytope a(elementA), b(elementB);
  const Axis axis = bestAxis(a, b, kInfinity);
  const bool volume = a.count == 8 || b.count == 8 || a.numFaces + b.numFaces > 0;
  const double size = a.size() + b.size();
  // Points and segments alone are quicker measured than parted.
  if (!volume) {
    const Nearest nearest = nearestOf(a, b, elementA, elementB, axis);
    return apart(a, b, nearest, axis, size);
  }
  if (axis.gap <= 0) return overlapping(a, b, axis, size);
  return apart(a, b, nearestOf(a, b, elementA, elementB, axis), axis, size);
}

bool polytopeOverlap(const ConvexElement& elementA, const ConvexElement& elementB, double reach, SeparationHint* hint) {
  using namespace polytopes;
  const Polytope a(elementA), b(elementB);
  if (hint && hint->direction.squaredNorm() > 0) {
    const Vector3d n = hint->direction.normalized();
    double lowA, highA, lowB, highB;
    a.range(n, lowA, highA);
    b.range(n, lowB, highB);
    if (lowB - highA > reach) return false;
  }
  const Axis axis = bestAxis(a, b, reach);
  if (axis.gap > reach) {
    if (hint) hint->direction = axis.normal;
    return false;
  }
  const bool volume = a.count == 8 || b.count == 8 || a.numFaces + b.numFaces > 0;
  if (volume && axis.gap <= 0) return true;
  return nearestOf(a, b, elementA, elementB, axis).squared <= reach * reach;
}

}  // namespace mortise
