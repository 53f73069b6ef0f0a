#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/interruption.h"
#include "mortise/collision/element/triangle_distance.h"
#include "mortise/collision/interruptible_sort.h"
#include "mortise/collision/query_pair.h"

namespace mortise {
namespace {

using detail::gapAlong;
using detail::ShapePair;

/// From the first to the second triangle, `across` being the difference of their nearest points. Where these are so
/// near that their difference has few digits, the face or the two edges that they are on say it better.
Vector3d normalBetween(const double* a, const double* b, const TriangleSeparation& cores, const Vector3d& across) {
  const auto corner = [](const double* t, int i) { return Vector3d(t[3 * i], t[3 * i + 1], t[3 * i + 2]); };
  const auto edge = [&](const double* t, int i) -> Vector3d { return corner(t, (i + 1) % 3) - corner(t, i); };
  const Vector3d direct = across.normalized();
  double coordinates = 0;
  for (int i = 0; i < 9; ++i) coordinates = std::max({coordinates, std::abs(a[i]), std::abs(b[i])});
  if (across.norm() > 1e-5 * coordinates) return direct;
  Vector3d normal = Vector3d::Zero();
  if (cores.featureA.kind == FeatureKind::face)
    normal = edge(a, 0).cross(edge(a, 1));
  else if (cores.featureB.kind == FeatureKind::face)
    normal = edge(b, 0).cross(edge(b, 1));
  else if (cores.featureA.kind == FeatureKind::edge && cores.featureB.kind == FeatureKind::edge)
    normal = edge(a, cores.featureA.index).cross(edge(b, cores.featureB.index));
  const double length = normal.norm();
  if (!(length > 0)) return direct;
  normal *= (normal.dot(across) < 0 ? -1 : 1) / length;
  return gapAlong(normal.data(), a, b) > gapAlong(direct.data(), a, b) ? normal : direct;
}

/// Separates two triangles given in one frame; `penetrating` asks for depth and direction where they meet.
ElementSeparation separationOfTriangles(const double* a, const double* b, double sweepA, double sweepB) {
  const TriangleSeparation cores = triangleSeparation(a, b);
  ElementSeparation result;
  const double apart = std::sqrt(cores.squaredDistance);
  if (apart > 0) {
    result.normal = normalBetween(a, b, cores, cores.pointB - cores.pointA);
    result.featureA = cores.featureA;
    result.featureB = cores.featureB;
    result.pointA = cores.pointA + sweepA * result.normal;
    result.distance = apart - sweepA - sweepB;
    result.pointB = result.pointA + result.distance * result.normal;
    return result;
  }
  const auto element = [](const double* t, double sweep) {
    return ConvexElement::triangle({t[0], t[1], t[2]}, {t[3], t[4], t[5]}, {t[6], t[7], t[8]}, sweep);
  };
  result = separation(element(a, sweepA), element(b, sweepB), {});
  // They meet, whatever rounding there says.
  result.distance = std::min(result.distance, -(sweepA + sweepB));
  return result;
}

struct DistanceSearch {
  const ShapePair& pair;
  DistanceOptions options;
  ElementSeparation best;  ///< In the frame of the first shape.
  QueryHint place;
  double value = std::numeric_limits<double>::infinity();
  double axis[3] = {0, 0, 0};  ///< From the first to the second where they were nearest so far; bare triangles.
  InterruptionPoints points = {};

  /// Beyond this nothing matters.
  double limit() const {
    // Of pairs that overlap one may do so deeper, but not deeper than triangles whose cores meet.
    if (pair.triangles() && value <= -pair.sweeps()) return -1;
    // The errors are those of what was found: that nothing is within the upper bound is said without any.
    const double found = (value - options.absoluteError) / (1 + options.relativeError);
    return std::max(0.0, std::min(found, options.upperBound));
  }
  void offer(double distance, int i, int j) {
    if (distance < value && distance <= options.upperBound) {
      value = distance;
      place = {i, j};
    }
  }
};

void tryTriangles(DistanceSearch& search, int i, int j, const double* b) {
  const double* a = search.pair.a.triangle(i);
  const double core = search.value + search.pair.sweeps();
  // The axis is a little shorter than one, so that rounding hides no pair that is nearer.
  if (gapAlong(search.axis, a, b) > core) return;
  const TriangleSeparation apart = triangleSeparation(a, b);
  if (!(apart.squaredDistance < core * core)) return;
  const double distance = std::sqrt(apart.squaredDistance);
  search.offer(distance - search.pair.sweeps(), i, j);
  const double scale = distance > 0 ? (1 - 1e-9) / distance : 0;
  for (int k = 0; k < 3; ++k) search.axis[k] = scale * (apart.pointB[k] - apart.pointA[k]);
}

void tryElements(DistanceSearch& search, int i, int j) {
  const ElementSeparation apart = separation(search.pair.a.element(i), search.pair.b.element(j), search.pair.X_AB);
  if (apart.distance < search.value) search.best = apart;
  search.offer(apart.distance, i, j);
}

double distanceOfTriangles(void* context, int firstA, int countA, int firstB, int countB) {
  DistanceSearch& search = *static_cast<DistanceSearch*>(context);
  search.points.pass();
  for (int j = firstB; j < firstB + countB; ++j) {
    double b[9];
    search.pair.triangleOfB(j, b);
    for (int i = firstA; i < firstA + countA; ++i) tryTriangles(search, i, j, b);
  }
  return search.limit();
}

double distanceOfElements(void* context, int firstA, int countA, int firstB, int countB) {
  DistanceSearch& search = *static_cast<DistanceSearch*>(context);
  search.points.pass();
  for (int j = firstB; j < firstB + countB; ++j)
    for (int i = firstA; i < firstA + countA; ++i) tryElements(search, i, j);
  return search.limit();
}

struct ContactSearch {
  const ShapePair& pair;
  const RigidTransform& X_WA;
  double tolerance;
  std::size_t max;
  std::vector<ElementContact>& contacts;
  InterruptionPoints points = {};

  void take(const ElementSeparation& apart, int i, int j) {
    ElementContact contact;
    contact.elements = {pair.a.id(i), pair.b.id(j)};
    contact.featureA = apart.featureA;
    contact.featureB = apart.featureB;
    contact.p_WA = X_WA * apart.pointA;
    contact.p_WB = X_WA * apart.pointB;
    contact.normal_W = X_WA.R * apart.normal;
    contact.gap = apart.distance;
    contacts.push_back(contact);
  }
};

bool visitContacts(void* context, int firstA, int countA, int firstB, int countB) {
  ContactSearch& search = *static_cast<ContactSearch*>(context);
  const ShapePair& pair = search.pair;
  search.points.pass();
  for (int j = firstB; j < firstB + countB; ++j) {
    double b[9];
    if (pair.triangles()) pair.triangleOfB(j, b);
    for (int i = firstA; i < firstA + countA; ++i) {
      if (pair.triangles() && planesPart(pair.a.triangle(i), b, pair.sweeps() + search.tolerance)) continue;
      const ElementSeparation apart = pair.triangles()
                                          ? separationOfTriangles(pair.a.triangle(i), b, pair.a.sweep(), pair.b.sweep())
                                          : separation(pair.a.element(i), pair.b.element(j), pair.X_AB);
      if (apart.distance > search.tolerance) continue;
      search.take(apart, i, j);
      if (search.contacts.size() >= search.max) return true;
    }
  }
  return false;
}

}  // namespace

DistanceResult distance(const CollisionShape& a, const RigidTransform& X_WA, const CollisionShape& b,
                        const RigidTransform& X_WB, QueryWorkspace& workspace, const DistanceOptions& options,
                        QueryHint* hint) {
  const ShapePair pair(a, X_WA, b, X_WB);
  DistanceResult result;
  if (a.empty() || b.empty()) return result;
  DistanceSearch search{pair, options, {}, {}};
  if (hint != nullptr && hint->placeA >= 0 && hint->placeA < a.numElements() && hint->placeB >= 0 &&
      hint->placeB < b.numElements()) {
    if (pair.triangles()) {
      double triangle[9];
      pair.triangleOfB(hint->placeB, triangle);
      tryTriangles(search, hint->placeA, hint->placeB, triangle);
    } else {
      tryElements(search, hint->placeA, hint->placeB);
    }
  }
  // Whether they meet is found out sooner than how far apart they are.
  QueryHint meeting;
  if (pair.triangles() && search.value > -pair.sweeps() && options.upperBound >= -pair.sweeps() &&
      detail::coresMeet(pair, workspace, meeting))
    search.offer(-pair.sweeps(), meeting.placeA, meeting.placeB);
  else
    visitNear(pair.boxes(), search.limit(), workspace.stack,
              pair.triangles() ? distanceOfTriangles : distanceOfElements, &search);
  if (search.place.placeA < 0) return result;
  if (hint != nullptr) *hint = search.place;
  if (pair.triangles()) {
    double triangle[9];
    pair.triangleOfB(search.place.placeB, triangle);
    search.best = separationOfTriangles(a.triangle(search.place.placeA), triangle, a.sweep(), b.sweep());
  }
  result.found = true;
  result.distance = search.value;
  result.p_WA = X_WA * search.best.pointA;
  result.p_WB = X_WA * search.best.pointB;
  result.normal_W = X_WA.R * search.best.normal;
  result.elements = {a.id(search.place.placeA), b.id(search.place.placeB)};
  result.featureA = search.best.featureA;
  result.featureB = search.best.featureB;
  FeaturePair enclosed;
  if (result.distance > 0 && (a.solid() || b.solid()) && detail::encloses(pair, enclosed))
    result.distance = -result.distance;
  return result;
}

void contacts(const CollisionShape& a, const RigidTransform& X_WA, const CollisionShape& b, const RigidTransform& X_WB,
              double tolerance, std::vector<ElementContact>& contacts, QueryWorkspace& workspace, std::size_t max) {
  contacts.clear();
  const ShapePair pair(a, X_WA, b, X_WB);
  if (!(tolerance >= 0))
    throw Error("contacts within " + std::to_string(tolerance) + " m were asked for", {},
                "give a tolerance of zero or more");
  if (a.empty() || b.empty() || max == 0) return;
  ContactSearch search{pair, X_WA, tolerance, max, contacts};
  visitOverlapping(pair.boxes(), tolerance, workspace.stack, visitContacts, &search);
  sortInterruptibly(contacts, [](const ElementContact& x, const ElementContact& y) { return x.elements < y.elements; });
}

}  // namespace mortise
