#include "robotsim/model/field_queries.h"

#include <algorithm>
#include <utility>

#include "mortise/collision/volume/volume_field.h"

namespace mortise::robotsim {

namespace {

bool isField(const Shape& shape) { return shape.require().as<ImplicitSurfaceShape>() != nullptr; }

bool isOfBalls(const Shape& shape) {
  const Geometry& geometry = shape.require();
  return geometry.as<PointShape>() != nullptr || geometry.as<SphereShape>() != nullptr ||
         geometry.as<PointCloud>() != nullptr;
}

/// Separates a ball from a field: where its middle is inside, the number there says how deep, and the slope the way
/// out.
ElementSeparation separationOfBall(const VolumeField& field, const Vector3d& middle, double radius, double reach) {
  const double number = field.value(middle);
  const Vector3d slope = field.gradient(middle);
  if (!(number <= 0 && slope.norm() > 0 && field.contains(middle)))
    return field.separation(ConvexElement::point(middle, radius), {}, reach);
  ElementSeparation apart;
  apart.distance = number - radius - field.margin();
  apart.normal = slope.normalized();
  apart.pointB = middle - radius * apart.normal;
  apart.pointA = apart.pointB - apart.distance * apart.normal;
  return apart;
}

/// Calls `take(separation, place)` for each ball of `balls` that is at most `reach()` from the field.
template <typename Reach, typename Take>
void visitBalls(const Shape& field, const Shape& balls, const Reach& reach, const Take& take) {
  const VolumeField& volume = field.field();
  if (volume.empty()) return;
  const CollisionShape& collider = balls.collider();
  const RigidTransform X_FB = field.X.inverse() * balls.X;
  const double cell = volume.grid().cellSize().minCoeff();
  for (int place = 0; place < collider.numElements(); ++place) {
    const ConvexElement element = collider.element(place);
    const ElementSeparation apart = separationOfBall(volume, X_FB * element.a, element.radius, std::max(cell, reach()));
    if (apart.distance < reach()) take(apart, place);
  }
}

/// The same with the shapes in the other order.
void swapSides(Distance& distance) {
  std::swap(distance.p1, distance.p2);
  std::swap(distance.elem1, distance.elem2);
  distance.normal = -distance.normal;
}

void swapSides(Contacts& contacts) {
  std::swap(contacts.points1, contacts.points2);
  std::swap(contacts.elems1, contacts.elems2);
  for (Vector3d& normal : contacts.normals) normal = -normal;
}

template <typename Result>
std::optional<Result> swapped(std::optional<Result> result) {
  if (result) swapSides(*result);
  return result;
}

}  // namespace

std::optional<Distance> fieldDistance(const Shape& a, const Shape& b, double upperBound) {
  if (isOfBalls(a) && isField(b)) return swapped(fieldDistance(b, a, upperBound));
  if (!isField(a) || !isOfBalls(b)) return std::nullopt;
  Distance result;
  result.d = upperBound;
  visitBalls(
      a, b, [&] { return result.d; },
      [&](const ElementSeparation& apart, int place) {
        result.d = apart.distance;
        result.p1 = a.X * apart.pointA;
        result.p2 = a.X * apart.pointB;
        result.normal = a.X.R * apart.normal;
        result.elem1 = 0;
        result.elem2 = elementNumber(b.require(), b.collider().id(place));
      });
  return result;
}

std::optional<Contacts> fieldContacts(const Shape& a, const Shape& b, double reach) {
  if (isOfBalls(a) && isField(b)) return swapped(fieldContacts(b, a, reach));
  if (!isField(a) || !isOfBalls(b)) return std::nullopt;
  Contacts result;
  visitBalls(
      a, b, [&] { return reach; },
      [&](const ElementSeparation& apart, int place) {
        result.depths.push_back(reach - apart.distance);
        result.points1.push_back(a.X * apart.pointA);
        result.points2.push_back(a.X * apart.pointB);
        result.normals.push_back(a.X.R * apart.normal);
        result.elems1.push_back(0);
        result.elems2.push_back(elementNumber(b.require(), b.collider().id(place)));
      });
  return result;
}

}  // namespace mortise::robotsim
