#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/interruption.h"
#include "mortise/collision/element/triangle_distance.h"
#include "mortise/collision/element/triangle_intersection.h"
#include "mortise/collision/query_pair.h"

namespace mortise {

RigidTransform relativePose(const RigidTransform& X_WA, const RigidTransform& X_WB) {
  const auto R_AW = X_WA.R.transpose();
  return {R_AW * X_WB.R, R_AW * (X_WB.p - X_WA.p)};
}

void transformTriangle(const RigidTransform& X, const double* triangle, double* result) {
  for (int k = 0; k < 9; k += 3)
    for (int i = 0; i < 3; ++i)
      result[k + i] = X.R(i, 0) * triangle[k] + X.R(i, 1) * triangle[k + 1] + X.R(i, 2) * triangle[k + 2] + X.p[i];
}

namespace detail {

ShapePair::ShapePair(const CollisionShape& first, const RigidTransform& X_WA, const CollisionShape& second,
                     const RigidTransform& X_WB)
    : a(first), b(second), X_AB(relativePose(X_WA, X_WB)) {
  constexpr double kFarthest = 1e150;  // m; squares of what is beyond are infinite.
  if (X_AB.allFinite() && X_AB.p.cwiseAbs().maxCoeff() < kFarthest) return;
  throw Error("a collision query got a pose that is not finite, or farther away than 1e150 m", {},
              "look for what is not a number in the configuration or the object's frame");
}

bool encloses(const ShapePair& pair, FeaturePair& found) {
  for (const bool outerIsA : {true, false}) {
    const CollisionShape& outer = outerIsA ? pair.a : pair.b;
    const CollisionShape& inner = outerIsA ? pair.b : pair.a;
    if (!outer.solid()) continue;
    const RigidTransform X = outerIsA ? pair.X_AB : pair.X_AB.inverse();
    for (const int place : inner.pieces()) {
      const ConvexElement element = inner.element(place);
      const Vector3d p = element.kind <= CoreKind::triangle ? element.a
                         : element.kind == CoreKind::hull   ? element.polyhedron->center
                                                            : element.X.p;
      if (!outer.insideSolid(X * p)) continue;
      (outerIsA ? found.a : found.b) = outer.id(0);
      (outerIsA ? found.b : found.a) = inner.id(place);
      return true;
    }
  }
  return false;
}

}  // namespace detail

namespace {

/// Tolerances beyond this part of the smaller shape's radius are searched as distances are.
constexpr double kFarTolerance = 0.1;

using detail::ShapePair;

/// Visits leaves and asks of each pair of elements whether they come within the tolerance.
struct OverlapSearch {
  const ShapePair& pair;
  double tolerance = 0;
  std::size_t max = 1;
  std::vector<FeaturePair>* all = nullptr;
  QueryHint last;
  InterruptionPoints points = {};
  /// The direction in which the last two triangles were apart, from the first to the second; most others are apart that
  /// way, too.
  double axis[3] = {0, 0, 0};
  /// Far more than rounding can do to coordinates.
  double doubt = 1e-13 * (pair.a.center().norm() + pair.a.radius() + pair.b.center().norm() + pair.b.radius() +
                          pair.X_AB.p.norm());

  /// The shape that is a single ball where the other has triangles only (0: neither; 1: the first shape, 2: the
  /// second), its center in the frame of the triangles, and how near to it they count.
  int ball = 0;
  double center[3] = {0, 0, 0};
  double ballReach = 0;

  void findBall() {
    const bool second = pair.a.trianglesOnly();
    const CollisionShape &triangles = second ? pair.a : pair.b, &other = second ? pair.b : pair.a;
    if (!triangles.trianglesOnly() || other.trianglesOnly() || other.numElements() != 1) return;
    const ConvexElement element = other.element(0);
    ballReach = triangles.sweep() + element.radius + tolerance;
    if (element.kind != CoreKind::point || !(ballReach >= 0)) return;
    ball = second ? 2 : 1;
    const Vector3d p = second ? pair.X_AB * element.a : Vector3d(pair.X_AB.R.transpose() * (element.a - pair.X_AB.p));
    for (int k = 0; k < 3; ++k) center[k] = p[k];
  }
  /// Says whether the box around a triangle is farther from the ball than it reaches: boxes of many triangles, and the
  /// one around the ball, tell that poorly.
  bool outOfReach(const double* t) const {
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
      const double low = std::min({t[k], t[k + 3], t[k + 6]}), high = std::max({t[k], t[k + 3], t[k + 6]});
      const double gap = std::max({low - center[k], center[k] - high, 0.0});
      squared += gap * gap;
    }
    const double reach = ballReach + doubt;
    return squared > reach * reach * (1 + 1e-12);
  }

  bool exactTriangles() const { return pair.triangles() && pair.sweeps() == 0 && tolerance == 0; }
  bool separateTriangles() const { return pair.triangles(); }

  bool trianglesWithin(const double* a, const double* b) {
    const double reach = pair.sweeps() + tolerance;
    if (detail::gapAlong(axis, a, b) > reach + doubt || planesPart(a, b, reach)) return false;
    const TriangleSeparation apart = triangleSeparation(a, b);
    if (apart.squaredDistance <= reach * reach) return true;
    // A little shorter than one, so that rounding hides no pair that is nearer.
    const double scale = (1 - 1e-9) / std::sqrt(apart.squaredDistance);
    for (int k = 0; k < 3; ++k) axis[k] = scale * (apart.pointB[k] - apart.pointA[k]);
    return false;
  }
  bool elementsWithin(int i, int j) const {
    return overlap(pair.a.element(i), pair.b.element(j), pair.X_AB, tolerance, nullptr);
  }
  bool placesWithin(int i, int j) {
    if (!pair.triangles()) return elementsWithin(i, j);
    double b[9];
    pair.triangleOfB(j, b);
    return exactTriangles() ? trianglesIntersect(pair.a.triangle(i), b) : trianglesWithin(pair.a.triangle(i), b);
  }

  bool found(int i, int j) {
    last = {i, j};
    if (all != nullptr) all->push_back({pair.a.id(i), pair.b.id(j)});
    return all == nullptr || all->size() >= max;
  }
};

bool visitExactTriangles(void* context, int firstA, int countA, int firstB, int countB) {
  OverlapSearch& search = *static_cast<OverlapSearch*>(context);
  search.points.pass();
  for (int j = firstB; j < firstB + countB; ++j) {
    double b[9];
    search.pair.triangleOfB(j, b);
    for (int i = firstA; i < firstA + countA; ++i)
      if (trianglesIntersect(search.pair.a.triangle(i), b) && search.found(i, j)) return true;
  }
  return false;
}

bool overlapOfTriangles(void* context, int firstA, int countA, int firstB, int countB) {
  OverlapSearch& search = *static_cast<OverlapSearch*>(context);
  search.points.pass();
  for (int j = firstB; j < firstB + countB; ++j) {
    double b[9];
    search.pair.triangleOfB(j, b);
    for (int i = firstA; i < firstA + countA; ++i)
      if (search.trianglesWithin(search.pair.a.triangle(i), b) && search.found(i, j)) return true;
  }
  return false;
}

bool overlapOfElements(void* context, int firstA, int countA, int firstB, int countB) {
  OverlapSearch& search = *static_cast<OverlapSearch*>(context);
  search.points.pass();
  for (int j = firstB; j < firstB + countB; ++j)
    for (int i = firstA; i < firstA + countA; ++i)
      if (!(search.ball == 2 && search.outOfReach(search.pair.a.triangle(i))) &&
          !(search.ball == 1 && search.outOfReach(search.pair.b.triangle(j))) && search.elementsWithin(i, j) &&
          search.found(i, j))
        return true;
  return false;
}

double visitNearElements(void* context, int firstA, int countA, int firstB, int countB) {
  OverlapSearch& search = *static_cast<OverlapSearch*>(context);
  const bool ended =
      (search.pair.triangles() ? overlapOfTriangles : overlapOfElements)(context, firstA, countA, firstB, countB);
  return ended ? -1 : search.tolerance;
}

bool runSearch(OverlapSearch& search, QueryWorkspace& workspace) {
  search.findBall();
  // Axes tell boxes apart poorly that are small beside the tolerance. How far apart they are at least does, and it
  // leads to the near ones first.
  const double size = std::min(search.pair.a.radius(), search.pair.b.radius());
  if (search.tolerance > kFarTolerance * size && search.all == nullptr) {
    visitNear(search.pair.boxes(), search.tolerance, workspace.stack, visitNearElements, &search);
    return search.last.placeA >= 0;
  }
  const OverlapVisitor visitor = search.exactTriangles()   ? visitExactTriangles
                                 : search.pair.triangles() ? overlapOfTriangles
                                                           : overlapOfElements;
  return visitOverlapping(search.pair.boxes(), search.tolerance, workspace.stack, visitor, &search);
}

bool anyWithin(const ShapePair& pair, double tolerance, QueryWorkspace& workspace, QueryHint* hint,
               FeaturePair* found) {
  if (pair.a.empty() || pair.b.empty()) return false;
  OverlapSearch search{pair, tolerance, 1, nullptr, {}};
  const bool hinted = hint != nullptr && hint->placeA >= 0 && hint->placeA < pair.a.numElements() &&
                      hint->placeB >= 0 && hint->placeB < pair.b.numElements();
  bool result = false;
  if (hinted && search.placesWithin(hint->placeA, hint->placeB)) {
    search.last = *hint;
    result = true;
  } else {
    result = runSearch(search, workspace);
  }
  if (result) {
    if (hint != nullptr) *hint = search.last;
    if (found != nullptr) *found = {pair.a.id(search.last.placeA), pair.b.id(search.last.placeB)};
    return true;
  }
  if (!pair.a.solid() && !pair.b.solid()) return false;
  FeaturePair enclosed;
  if (!detail::encloses(pair, enclosed)) return false;
  if (found != nullptr) *found = enclosed;
  return true;
}

}  // namespace

bool detail::coresMeet(const ShapePair& pair, QueryWorkspace& workspace, QueryHint& where) {
  OverlapSearch search{pair, 0, 1, nullptr, {}};
  if (!visitOverlapping(pair.boxes(), 0, workspace.stack, visitExactTriangles, &search)) return false;
  where = search.last;
  return true;
}

bool collide(const CollisionShape& a, const RigidTransform& X_WA, const CollisionShape& b, const RigidTransform& X_WB,
             QueryWorkspace& workspace, QueryHint* hint, FeaturePair* found) {
  if (detail::farApart(a, X_WA, b, X_WB, 0) && !a.solid() && !b.solid()) return false;
  return anyWithin({a, X_WA, b, X_WB}, 0, workspace, hint, found);
}

bool withinDistance(const CollisionShape& a, const RigidTransform& X_WA, const CollisionShape& b,
                    const RigidTransform& X_WB, double distance, QueryWorkspace& workspace, QueryHint* hint) {
  if (!(distance >= 0))
    throw Error("a distance of " + std::to_string(distance) + " m was asked for", {},
                "give a distance of zero or more");
  if (detail::farApart(a, X_WA, b, X_WB, distance) && !a.solid() && !b.solid()) return false;
  return anyWithin({a, X_WA, b, X_WB}, distance, workspace, hint, nullptr);
}

bool collideAll(const CollisionShape& a, const RigidTransform& X_WA, const CollisionShape& b,
                const RigidTransform& X_WB, std::size_t max, std::vector<FeaturePair>& pairs,
                QueryWorkspace& workspace) {
  pairs.clear();
  const ShapePair pair(a, X_WA, b, X_WB);
  if (a.empty() || b.empty() || max == 0) return false;
  OverlapSearch search{pair, 0, max, &pairs, {}};
  runSearch(search, workspace);
  FeaturePair enclosed;
  if (pairs.empty() && detail::encloses(pair, enclosed)) pairs.push_back(enclosed);
  std::sort(pairs.begin(), pairs.end());
  return !pairs.empty();
}

}  // namespace mortise
