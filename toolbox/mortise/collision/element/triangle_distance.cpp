#include "mortise/collision/element/triangle_distance.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/collision/element/triangle_intersection.h"

namespace mortise {
namespace {

struct V {
  double x, y, z;
};
inline V operator-(const V& a, const V& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline V operator+(const V& a, const V& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline V operator*(double s, const V& a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(const V& a, const V& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline V cross(const V& a, const V& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline V load(const double* p) { return {p[0], p[1], p[2]}; }
inline Vector3d store(const V& a) { return {a.x, a.y, a.z}; }

inline ElementFeature onEdge(double t, int edge) {
  if (t <= 0) return {FeatureKind::vertex, edge};
  if (t >= 1) return {FeatureKind::vertex, (edge + 1) % 3};
  return {FeatureKind::edge, edge};
}

// Parameters of nearest points p + s u and q + t v, both parameters within [0, 1]. `uu`, `vv`: squared lengths.
inline void nearestOnSegments(const V& p, const V& u, double uu, const V& q, const V& v, double vv, double& s,
                              double& t) {
  const V between = q - p;
  const double uv = dot(u, v), pu = dot(u, between), pv = dot(v, between);
  const double denominator = uu * vv - uv * uv;
  s = denominator > 0 ? std::clamp((pu * vv - pv * uv) / denominator, 0.0, 1.0) : 0.0;
  t = vv > 0 ? (s * uv - pv) / vv : 0.0;
  if (t < 0) {
    t = 0;
    s = uu > 0 ? std::clamp(pu / uu, 0.0, 1.0) : 0.0;
  } else if (t > 1) {
    t = 1;
    s = uu > 0 ? std::clamp((pu + uv) / uu, 0.0, 1.0) : 0.0;
  } else if (vv <= 0) {
    s = uu > 0 ? std::clamp(pu / uu, 0.0, 1.0) : 0.0;
  }
}

// When `corners` of one triangle lie on one side of the other, and the nearest of them above it: the pair of points.
bool cornerOverFace(const V* face, const V* edges, const V& normal, double nn, const V* corners, V& foot, int& corner) {
  double height[3];
  for (int i = 0; i < 3; ++i) height[i] = dot(normal, corners[i] - face[0]);
  if (height[0] > 0 && height[1] > 0 && height[2] > 0) {
    corner = height[0] < height[1] ? 0 : 1;
    if (height[2] < height[corner]) corner = 2;
  } else if (height[0] < 0 && height[1] < 0 && height[2] < 0) {
    corner = height[0] > height[1] ? 0 : 1;
    if (height[2] > height[corner]) corner = 2;
  } else {
    return false;
  }
  for (int i = 0; i < 3; ++i)
    if (!(dot(corners[corner] - face[i], cross(normal, edges[i])) > 0)) return false;
  foot = corners[corner] - (height[corner] / nn) * normal;
  return true;
}

}  // namespace

TriangleSeparation triangleSeparation(const double* first, const double* second) {
  // Relative to a corner, so that what is far from the origin loses nothing.
  const V origin = load(first);
  const V a[3] = {{0, 0, 0}, load(first + 3) - origin, load(first + 6) - origin};
  const V b[3] = {load(second) - origin, load(second + 3) - origin, load(second + 6) - origin};
  const V ea[3] = {a[1] - a[0], a[2] - a[1], a[0] - a[2]};
  const V eb[3] = {b[1] - b[0], b[2] - b[1], b[0] - b[2]};
  double aa[3], bb[3];
  for (int i = 0; i < 3; ++i) {
    aa[i] = dot(ea[i], ea[i]);
    bb[i] = dot(eb[i], eb[i]);
  }
  TriangleSeparation result;
  double best = std::numeric_limits<double>::infinity();
  // Below this, rounding may hide that they meet.
  const double doubtful = 1e-24 * std::max({aa[0], aa[1], aa[2], bb[0], bb[1], bb[2]});
  const auto take = [&](double squared, const V& p, const V& q, ElementFeature featureA, ElementFeature featureB) {
    best = squared;
    result.squaredDistance = squared;
    result.pointA = store(p + origin);
    result.pointB = store(q + origin);
    result.featureA = featureA;
    result.featureB = featureB;
  };
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double s, t;
      nearestOnSegments(a[i], ea[i], aa[i], b[j], eb[j], bb[j], s, t);
      const V p = s >= 1 ? a[(i + 1) % 3] : a[i] + s * ea[i], q = t >= 1 ? b[(j + 1) % 3] : b[j] + t * eb[j];
      const V between = q - p;
      const double squared = dot(between, between);
      if (squared > best) continue;
      if (squared < best) take(squared, p, q, onEdge(s, i), onEdge(t, j));
      // Both triangles on their own sides of the slab between the points: nothing can be nearer.
      const double beyondA = dot(a[(i + 2) % 3] - p, between), beyondB = dot(b[(j + 2) % 3] - q, between);
      if (squared > doubtful && beyondA <= 0 && beyondB >= 0) return result;
    }
  // A face is nearest to a corner of the other triangle, or the triangles meet.
  for (const bool onA : {true, false}) {
    const V* face = onA ? a : b;
    const V* edges = onA ? ea : eb;
    const V normal = cross(edges[0], edges[1]);
    const double nn = dot(normal, normal);
    if (!(nn > 1e-26 * (onA ? aa[0] * aa[1] : bb[0] * bb[1]))) continue;
    V foot;
    int corner;
    if (!cornerOverFace(face, edges, normal, nn, onA ? b : a, foot, corner)) continue;
    const V& from = onA ? b[corner] : a[corner];
    const V between = from - foot;
    const double squared = dot(between, between);
    if (squared > best) continue;
    const ElementFeature ofFace{FeatureKind::face, 0}, ofCorner{FeatureKind::vertex, corner};
    if (onA)
      take(squared, foot, from, ofFace, ofCorner);
    else
      take(squared, from, foot, ofCorner, ofFace);
  }
  if (trianglesIntersect(first, second)) result.squaredDistance = 0;
  return result;
}

bool planesPart(const double* first, const double* second, double reach) {
  const V origin = load(first);
  const V a[3] = {{0, 0, 0}, load(first + 3) - origin, load(first + 6) - origin};
  const V b[3] = {load(second) - origin, load(second + 3) - origin, load(second + 6) - origin};
  for (const bool ofA : {true, false}) {
    const V* face = ofA ? a : b;
    const V* others = ofA ? b : a;
    const V u = face[1] - face[0], v = face[2] - face[0], normal = cross(u, v);
    const double uu = dot(u, u), vv = dot(v, v), nn = dot(normal, normal);
    if (!(nn > 1e-10 * uu * vv)) continue;  // A needle's plane is not known well enough.
    const V d[3] = {others[0] - face[0], others[1] - face[0], others[2] - face[0]};
    const double h[3] = {dot(normal, d[0]), dot(normal, d[1]), dot(normal, d[2])};
    const double low = std::min({h[0], h[1], h[2]}), high = std::max({h[0], h[1], h[2]});
    const double height = low > 0 ? low : high < 0 ? -high : 0;
    // Far more than rounding can do: a billionth of the coordinates.
    const double doubt = 1e-18 * (dot(d[0], d[0]) + dot(d[1], d[1]) + dot(d[2], d[2]) + uu + vv);
    const double limit = reach + std::sqrt(doubt);
    if (height * height > nn * limit * limit) return true;
  }
  return false;
}

}  // namespace mortise
