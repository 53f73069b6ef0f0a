#include "robotsim/model/shape.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>

#include "mortise/base/error.h"
#include "mortise/collision/volume/volume_field.h"
#include "mortise/geometry/tessellate.h"
#include "robotsim/model/field_queries.h"

namespace mortise::robotsim {

namespace {

QueryWorkspace& workspace() {
  static thread_local QueryWorkspace buffers;
  return buffers;
}

ElementPairs numbered(const Shape& a, const Shape& b, const std::vector<FeaturePair>& pairs) {
  ElementPairs result;
  for (const FeaturePair& pair : pairs) {
    result.first.push_back(elementNumber(a.require(), pair.a));
    result.second.push_back(elementNumber(b.require(), pair.b));
  }
  return result;
}

std::size_t limitOf(int maximum) {
  return maximum <= 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(maximum);
}

/// Places of those contacts that lie farthest apart, the deepest one first.
std::vector<std::size_t> spreadOut(const Contacts& contacts, std::size_t count) {
  std::size_t next = 0;
  for (std::size_t i = 1; i < contacts.depths.size(); ++i)
    if (contacts.depths[i] > contacts.depths[next]) next = i;
  std::vector<double> nearest(contacts.depths.size(), std::numeric_limits<double>::infinity());
  std::vector<std::size_t> chosen;
  while (chosen.size() < count) {
    chosen.push_back(next);
    for (std::size_t i = 0; i < nearest.size(); ++i)
      nearest[i] = std::min(nearest[i], (contacts.points1[i] - contacts.points1[next]).squaredNorm());
    next = static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
  }
  return chosen;
}

template <typename T>
void keep(std::vector<T>& values, const std::vector<std::size_t>& places) {
  std::vector<T> kept;
  for (const std::size_t place : places) kept.push_back(values[place]);
  values = std::move(kept);
}

}  // namespace

const Geometry& Shape::require() const {
  if (empty()) throw std::runtime_error("the geometry is empty");
  return *geometry_;
}

void Shape::set(GeometryPtr geometry) {
  geometry_ = std::move(geometry);
  margin_ = geometry_ ? geometry_->margin() : 0;
  collider_.reset();
  field_.reset();
  ++version_;
}

void Shape::setMargin(double margin) {
  margin_ = margin;
  if (geometry_) geometry_ = geometry_->withMargin(margin);
  collider_.reset();
  field_.reset();
  ++version_;
}

const CollisionShapePtr& Shape::prepared() const {
  require();
  if (!collider_) collider_ = makeCollisionShape(geometry_);
  return collider_;
}

const VolumeField& Shape::field() const {
  if (!field_) field_ = std::make_shared<const VolumeField>(*require().as<ImplicitSurfaceShape>(), margin_);
  return *field_;
}

int elementNumber(const Geometry& geometry, const ElementId& id) {
  return geometry.as<GeometryGroup>() != nullptr ? id.part : id.index;
}

Distance distanceOf(const Shape& a, const Shape& b, double relativeError, double absoluteError, double upperBound) {
  if (const std::optional<Distance> byField = fieldDistance(a, b, upperBound)) return *byField;
  DistanceOptions options;
  options.relativeError = relativeError;
  options.absoluteError = absoluteError;
  options.upperBound = upperBound;
  const DistanceResult found = distance(a.collider(), a.X, b.collider(), b.X, workspace(), options);
  Distance result;
  result.d = found.found ? found.distance : upperBound;
  if (!found.found) return result;
  result.p1 = found.p_WA;
  result.p2 = found.p_WB;
  result.normal = found.normal_W;
  result.elem1 = elementNumber(a.require(), found.elements.a);
  result.elem2 = elementNumber(b.require(), found.elements.b);
  return result;
}

Distance distanceOf(const Shape& a, const Vector3d& point, double upperBound) {
  Shape other(std::make_shared<Geometry>(PointShape{point}));
  Distance result = distanceOf(a, other, 0, 0, upperBound);
  result.elem2 = -1;
  return result;
}

namespace {

Contacts contactsOfElements(const Shape& a, const Shape& b, double reach) {
  std::vector<ElementContact> found;
  contacts(a.collider(), a.X, b.collider(), b.X, reach, found, workspace());
  Contacts result;
  std::set<std::array<double, 3>> seen;  // Neighboring triangles name their common corner or edge several times.
  for (const ElementContact& contact : found) {
    if (!seen.insert({contact.p_WA[0], contact.p_WA[1], contact.p_WA[2]}).second) continue;
    result.depths.push_back(std::max(0.0, reach - contact.gap));
    result.points1.push_back(contact.p_WA);
    result.points2.push_back(contact.p_WB);
    result.normals.push_back(contact.normal_W);
    result.elems1.push_back(elementNumber(a.require(), contact.elements.a));
    result.elems2.push_back(elementNumber(b.require(), contact.elements.b));
  }
  return result;
}

}  // namespace

Contacts contactsOf(const Shape& a, const Shape& b, double padding1, double padding2, int maximum) {
  std::optional<Contacts> byField = fieldContacts(a, b, padding1 + padding2);
  Contacts result = byField ? std::move(*byField) : contactsOfElements(a, b, padding1 + padding2);
  for (std::size_t i = 0; i < result.depths.size(); ++i) {
    result.points1[i] += padding1 * result.normals[i];
    result.points2[i] -= padding2 * result.normals[i];
  }
  if (maximum <= 0 || result.depths.size() <= static_cast<std::size_t>(maximum)) return result;
  const std::vector<std::size_t> places = spreadOut(result, static_cast<std::size_t>(maximum));
  keep(result.depths, places);
  keep(result.points1, places);
  keep(result.points2, places);
  keep(result.normals, places);
  keep(result.elems1, places);
  keep(result.elems2, places);
  return result;
}

ElementPairs collidingElements(const Shape& a, const Shape& b, int maximum) {
  std::vector<FeaturePair> pairs;
  collideAll(a.collider(), a.X, b.collider(), b.X, limitOf(maximum), pairs, workspace());
  return numbered(a, b, pairs);
}

ElementPairs nearElements(const Shape& a, const Shape& b, double tolerance, int maximum) {
  std::vector<ElementContact> found;
  contacts(a.collider(), a.X, b.collider(), b.X, tolerance, found, workspace(), limitOf(maximum));
  std::vector<FeaturePair> pairs;
  for (const ElementContact& contact : found)
    if (pairs.empty() || pairs.back() != contact.elements) pairs.push_back(contact.elements);
  return numbered(a, b, pairs);
}

Vector3d supportPoint(const Shape& shape, const Vector3d& direction) {
  if (!(direction.norm() > 0)) throw std::runtime_error("a direction of no length has no farthest point");
  const CollisionShape& collider = shape.collider();
  const Vector3d local = shape.X.R.transpose() * direction;
  double farthest = -std::numeric_limits<double>::infinity();
  Vector3d best = Vector3d::Zero();
  for (int place = 0; place < collider.numElements(); ++place) {
    const Vector3d p = mortise::supportPoint(collider.element(place), local);
    if (local.dot(p) <= farthest) continue;
    farthest = local.dot(p);
    best = p;
  }
  return shape.X * best;
}

}  // namespace mortise::robotsim
