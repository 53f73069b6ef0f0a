#include "mortise/collision/element/triangle_intersection.h"

#include <algorithm>

#include "mortise/geometry/convex/exact_orientation.h"

namespace mortise {
namespace {

using exact::orientation3d;

/// Drops one coordinate.
struct Projection {
  int u = 0, v = 1;
  int turn(const double* a, const double* b, const double* c) const {
    return exact::orientation2d(a[u], a[v], b[u], b[v], c[u], c[v]);
  }
};
constexpr Projection kProjections[3] = {{0, 1}, {1, 2}, {2, 0}};

/// A projection in which the three points are not in line; null when they are in line in space.
const Projection* projectionOf(const double* a, const double* b, const double* c) {
  for (const Projection& projection : kProjections)
    if (projection.turn(a, b, c) != 0) return &projection;
  return nullptr;
}

/// For points in line: whether x stands between a and b, by their own order along the projection's two axes.
bool between(const Projection& projection, const double* a, const double* b, const double* x) {
  for (const int k : {projection.u, projection.v})
    if (x[k] < std::min(a[k], b[k]) || x[k] > std::max(a[k], b[k])) return false;
  return true;
}

bool segmentsMeet(const Projection& projection, const double* p, const double* q, const double* r, const double* s) {
  const int pqr = projection.turn(p, q, r), pqs = projection.turn(p, q, s);
  const int rsp = projection.turn(r, s, p), rsq = projection.turn(r, s, q);
  if (pqr * pqs < 0 && rsp * rsq < 0) return true;
  return (pqr == 0 && between(projection, p, q, r)) || (pqs == 0 && between(projection, p, q, s)) ||
         (rsp == 0 && between(projection, r, s, p)) || (rsq == 0 && between(projection, r, s, q));
}

bool inside(const Projection& projection, const double* a, const double* b, const double* c, const double* x) {
  const int ab = projection.turn(a, b, x), bc = projection.turn(b, c, x), ca = projection.turn(c, a, x);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

/// The segment lies in the triangle's plane, and `projection` shows the triangle.
bool segmentMeetsTriangle(const Projection& projection, const double* p, const double* q, const double* a,
                          const double* b, const double* c) {
  return inside(projection, a, b, c, p) || segmentsMeet(projection, p, q, a, b) ||
         segmentsMeet(projection, p, q, b, c) || segmentsMeet(projection, p, q, c, a);
}

bool segmentsMeetInSpace(const double* p, const double* q, const double* r, const double* s) {
  if (orientation3d(p, q, r, s) != 0) return false;
  const double* points[4] = {p, q, r, s};
  for (int skip = 0; skip < 4; ++skip) {
    const Projection* projection =
        projectionOf(points[skip == 0 ? 1 : 0], points[skip <= 1 ? 2 : 1], points[skip <= 2 ? 3 : 2]);
    if (projection != nullptr) return segmentsMeet(*projection, p, q, r, s);
  }
  // All in one line: a coordinate along which they differ tells; when there is none they are one point.
  for (int k = 0; k < 3; ++k)
    if (std::max(p[k], q[k]) < std::min(r[k], s[k]) || std::max(r[k], s[k]) < std::min(p[k], q[k])) return false;
  return true;
}

/// One at least of the two has its corners in line, or both lie in one plane.
bool specialTrianglesIntersect(const double* first, const double* second) {
  const double* t[3] = {first, first + 3, first + 6};
  const double* w[3] = {second, second + 3, second + 6};
  const Projection* firstView = projectionOf(t[0], t[1], t[2]);
  const Projection* secondView = projectionOf(w[0], w[1], w[2]);
  if (firstView != nullptr && secondView != nullptr) {
    for (int i = 0; i < 3; ++i)
      if (segmentMeetsTriangle(*firstView, w[i], w[(i + 1) % 3], t[0], t[1], t[2])) return true;
    return inside(*firstView, w[0], w[1], w[2], t[0]);
  }
  if (firstView == nullptr && secondView == nullptr) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (segmentsMeetInSpace(t[i], t[(i + 1) % 3], w[j], w[(j + 1) % 3])) return true;
    return false;
  }
  const double* const* flat = firstView == nullptr ? t : w;
  const double* full = firstView == nullptr ? second : first;
  for (int i = 0; i < 3; ++i)
    if (segmentIntersectsTriangle(flat[i], flat[(i + 1) % 3], full)) return true;
  return false;
}

/// Turns the corners so that the first is alone on its side of the other triangle's plane, or alone in it; returns
/// whether it lies on the negative side (for a corner in the plane: whether the others lie on the positive side).
bool isolate(const double* corners[3], const int signs[3]) {
  int alone = 0;
  bool negative = false;
  const int positives = (signs[0] > 0) + (signs[1] > 0) + (signs[2] > 0);
  const int negatives = (signs[0] < 0) + (signs[1] < 0) + (signs[2] < 0);
  if (positives == 1) {
    for (int i = 0; i < 3; ++i)
      if (signs[i] > 0) alone = i;
  } else if (negatives == 1) {
    negative = true;
    for (int i = 0; i < 3; ++i)
      if (signs[i] < 0) alone = i;
  } else {  // Two on one side and one in the plane.
    negative = positives == 2;
    for (int i = 0; i < 3; ++i)
      if (signs[i] == 0) alone = i;
  }
  const double* turned[3] = {corners[alone], corners[(alone + 1) % 3], corners[(alone + 2) % 3]};
  std::copy(turned, turned + 3, corners);
  return negative;
}

}  // namespace

bool segmentIntersectsTriangle(const double* p, const double* q, const double* triangle) {
  const double *a = triangle, *b = triangle + 3, *c = triangle + 6;
  const int atP = orientation3d(a, b, c, p), atQ = orientation3d(a, b, c, q);
  if (atP * atQ > 0) return false;
  if (atP == 0 && atQ == 0) {
    const Projection* projection = projectionOf(a, b, c);
    if (projection != nullptr) return segmentMeetsTriangle(*projection, p, q, a, b, c);
    return segmentsMeetInSpace(p, q, a, b) || segmentsMeetInSpace(p, q, b, c) || segmentsMeetInSpace(p, q, c, a);
  }
  const int ab = orientation3d(p, q, a, b), bc = orientation3d(p, q, b, c), ca = orientation3d(p, q, c, a);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

bool trianglesIntersect(const double* first, const double* second) {
  const double* t[3] = {first, first + 3, first + 6};
  const double* w[3] = {second, second + 3, second + 6};
  int atW[3], atT[3];
  for (int i = 0; i < 3; ++i) atW[i] = orientation3d(t[0], t[1], t[2], w[i]);
  if ((atW[0] > 0 && atW[1] > 0 && atW[2] > 0) || (atW[0] < 0 && atW[1] < 0 && atW[2] < 0)) return false;
  for (int i = 0; i < 3; ++i) atT[i] = orientation3d(w[0], w[1], w[2], t[i]);
  if ((atT[0] > 0 && atT[1] > 0 && atT[2] > 0) || (atT[0] < 0 && atT[1] < 0 && atT[2] < 0)) return false;
  if ((atW[0] == 0 && atW[1] == 0 && atW[2] == 0) || (atT[0] == 0 && atT[1] == 0 && atT[2] == 0))
    return specialTrianglesIntersect(first, second);
  // Both planes exist and each triangle meets the other's plane in an interval of the common line. With the first
  // corners alone and above the other plane, the intervals overlap when two tetrahedra are turned the right way.
  if (isolate(t, atT)) {
    std::swap(w[1], w[2]);
    std::swap(atW[1], atW[2]);
  }
  if (isolate(w, atW)) std::swap(t[1], t[2]);
  return orientation3d(t[0], t[1], w[0], w[1]) <= 0 && orientation3d(t[0], t[2], w[2], w[0]) <= 0;
}

}  // namespace mortise
