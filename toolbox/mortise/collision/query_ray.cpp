#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "mortise/base/error.h"
#include "mortise/collision/element/triangle_intersection.h"
#include "mortise/collision/query.h"
#include "mortise/collision/ray_hierarchy.h"
#include "mortise/geometry/convex/exact_orientation.h"

namespace mortise {
namespace {

/// A ray in the shape's frame, sheared so that it runs along the third axis (Woop, Benthin and Wald, "Watertight
/// Ray/Triangle Intersection", 2013): what two triangles share is on the same side for both.
struct RaySearch {
  const CollisionShape& shape;
  const RayHierarchy& rays;
  Vector3d origin, direction;
  int kx = 0, ky = 1, kz = 2;
  double sx = 0, sy = 0, sz = 1;
  double t = 0;  ///< The nearest so far.
  int place = -1;
  int region = 0;  ///< Bits: which of the three barycentric coordinates are zero.
  ElementRayHit elementHit;

  void shear() {
    direction.cwiseAbs().maxCoeff(&kz);
    kx = (kz + 1) % 3;
    ky = (kx + 1) % 3;
    if (direction[kz] < 0) std::swap(kx, ky);
    sx = direction[kx] / direction[kz];
    sy = direction[ky] / direction[kz];
    sz = 1 / direction[kz];
  }

  bool better(double at, int candidate) const {
    return at < t || (at == t && (place < 0 || shape.id(candidate) < shape.id(place)));
  }

  void tryTriangle(int index) {
    const double* v = rays.triangle(index);
    double x[3], y[3], z[3];
    for (int k = 0; k < 3; ++k) {
      z[k] = v[3 * k + kz] - origin[kz];
      x[k] = (v[3 * k + kx] - origin[kx]) - sx * z[k];
      y[k] = (v[3 * k + ky] - origin[ky]) - sy * z[k];
    }
    const double a = x[2] * y[1] - y[2] * x[1], b = x[0] * y[2] - y[0] * x[2], c = x[1] * y[0] - y[1] * x[0];
    if ((a < 0 || b < 0 || c < 0) && (a > 0 || b > 0 || c > 0)) return;
    const double determinant = a + b + c;
    if (determinant == 0) return;  // Edge-on.
    const double at = sz * (a * z[0] + b * z[1] + c * z[2]) / determinant;
    if (!(at >= 0 && at <= t)) return;
    const int candidate = rays.place(index);
    if (!better(at, candidate)) return;
    t = at;
    place = candidate;
    region = (a == 0 ? 1 : 0) | (b == 0 ? 2 : 0) | (c == 0 ? 4 : 0);
  }

  void tryElement(int index) {
    const int candidate = rays.place(index);
    ElementRayHit hit;
    if (!mortise::rayCast(shape.element(candidate), origin, direction, t, hit) || !better(hit.t, candidate)) return;
    t = hit.t;
    place = candidate;
    elementHit = hit;
  }
};

double hitTriangles(void* context, int first, int count) {
  RaySearch& search = *static_cast<RaySearch*>(context);
  for (int i = first; i < first + count; ++i) search.tryTriangle(i);
  return search.t;
}

double hitElements(void* context, int first, int count) {
  RaySearch& search = *static_cast<RaySearch*>(context);
  for (int i = first; i < first + count; ++i) search.tryElement(i);
  return search.t;
}

/// 2^-k for a finite number whose first bit has the weight 2^k; 1 for numbers whose inverse would be none.
double inversePowerOfTwo(double x) {
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(x) >> 52;
  return exponent < 2 || exponent > 2040 ? 1 : std::bit_cast<double>((2046 - exponent) << 52);
}

ElementFeature featureOf(int region) {
  switch (region) {
    case 1:
      return {FeatureKind::edge, 1};
    case 2:
      return {FeatureKind::edge, 2};
    case 4:
      return {FeatureKind::edge, 0};
    case 6:
      return {FeatureKind::vertex, 0};
    case 5:
      return {FeatureKind::vertex, 1};
    case 3:
      return {FeatureKind::vertex, 2};
    default:
      return {FeatureKind::face, 0};
  }
}

}  // namespace

bool rayCast(const CollisionShape& shape, const RigidTransform& X_WS, const Ray& ray, RayHit& hit) {
  hit = {};
  if (shape.empty()) return false;
  const Vector3d direction = X_WS.R.transpose() * ray.direction;
  const double largest = direction.cwiseAbs().maxCoeff();
  // A sum is finite when all of it is, but for numbers beyond any use.
  const double sum = X_WS.R.sum() + X_WS.p.sum() + ray.origin.sum() + largest;
  if (!(largest > 0) || !std::isfinite(sum))
    throw Error("a ray query got a ray or a pose that is not finite, or a direction of no length", {},
                "give three finite numbers each, not all zero for the direction");
  // A power of two brings any length near one without rounding.
  const double scale = inversePowerOfTwo(largest);
  const bool packed = shape.trianglesOnly() && shape.sweep() == 0;
  RaySearch search{.shape = shape,
                   .rays = shape.rays(),
                   .origin = X_WS.R.transpose() * (ray.origin - X_WS.p),
                   .direction = direction * scale,
                   .elementHit = {}};
  search.t = ray.tMax / scale;
  if (packed) search.shear();
  LocalRay local;
  for (int i = 0; i < 3; ++i) {
    local.origin[i] = search.origin[i] - shape.bvh().origin()[i];
    local.direction[i] = search.direction[i];
  }
  visitAlongRay(search.rays.nodes(), local, search.t, packed ? hitTriangles : hitElements, &search);
  if (search.place < 0) return false;
  const double t = search.t * scale;
  const Vector3d p_W = ray.origin + t * ray.direction;
  if (!std::isfinite(t) || !p_W.allFinite()) return false;  // Farther than numbers reach.
  hit.hit = true;
  hit.t = t;
  hit.p_W = p_W;
  hit.element = shape.id(search.place);
  if (packed) {
    const double* v = shape.triangle(search.place);
    const Vector3d a(v[0], v[1], v[2]), b(v[3], v[4], v[5]), c(v[6], v[7], v[8]);
    Vector3d normal = (b - a).cross(c - a).normalized();
    if (normal.dot(direction) > 0) normal = -normal;
    hit.normal_W = X_WS.R * normal;
    hit.feature = featureOf(search.region);
  } else {
    hit.normal_W = X_WS.R * search.elementHit.normal;
    hit.feature = search.elementHit.feature;
  }
  return true;
}

std::size_t rayCasts(const CollisionShape& shape, const RigidTransform& X_WS, std::span<const Ray> rays,
                     std::span<RayHit> hits) {
  if (hits.size() < rays.size())
    throw Error(
        "there is room for " + std::to_string(hits.size()) + " hits of " + std::to_string(rays.size()) + " rays", {},
        "give as many hits as rays");
  std::size_t count = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) count += rayCast(shape, X_WS, rays[i], hits[i]) ? 1U : 0U;
  return count;
}

}  // namespace mortise
