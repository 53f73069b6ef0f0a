#include "mortise/path_tracing/path_integrator.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/math/constants.h"

namespace mortise::path_tracing {

namespace {

/// Rays begin this share of the distance from the eye away from surfaces, so that they do not meet these again by
/// rounding to single precision.
constexpr double kAway = 1e-5;
/// So many bodies are seen through one behind the other.
constexpr int kMaxLayers = 64;

/// Two directions across a third one.
void across(const Vector3d& n, Vector3d& x, Vector3d& y) {
  x = (std::abs(n.x()) > 0.9 ? Vector3d::UnitY() : Vector3d::UnitX()).cross(n).normalized();
  y = n.cross(x);
}

/// A direction about a normal, by the cosine.
Vector3d cosineDirection(const Vector3d& normal, const std::array<double, 2>& u) {
  Vector3d x, y;
  across(normal, x, y);
  const double ring = std::sqrt(u[0]), angle = 2 * M_PI * u[1];
  return (ring * std::cos(angle) * x + ring * std::sin(angle) * y + std::sqrt(std::max(0.0, 1 - u[0])) * normal)
      .normalized();
}

double schlick(double cosine) {
  const double m = std::clamp(1 - cosine, 0.0, 1.0);
  return style::kReflectance + (1 - style::kReflectance) * m * m * m * m * m;
}

/// The masking of rough surfaces along a direction (Smith, for GGX).
double masking(double cosine, double alpha) {
  const double c2 = cosine * cosine;
  return 2 * cosine / (cosine + std::sqrt(alpha * alpha * (1 - c2) + c2));
}

/// A visible normal of a rough surface (Heitz, Sampling the GGX Distribution of Visible Normals, 2018).
Vector3d visibleNormal(const Vector3d& normal, const Vector3d& toEye, double alpha, const std::array<double, 2>& u) {
  Vector3d x, y;
  across(normal, x, y);
  const Vector3d v = Vector3d(alpha * x.dot(toEye), alpha * y.dot(toEye), normal.dot(toEye)).normalized();
  const Vector3d side =
      v.z() < 0.9999 ? Vector3d(Vector3d::UnitZ().cross(v).normalized()) : Vector3d(Vector3d::UnitX());
  const Vector3d other = v.cross(side);
  const double radius = std::sqrt(u[0]), angle = 2 * M_PI * u[1], a = radius * std::cos(angle);
  const double s = 0.5 * (1 + v.z()), b = (1 - s) * std::sqrt(1 - a * a) + s * radius * std::sin(angle);
  const Vector3d h = a * side + b * other + std::sqrt(std::max(0.0, 1 - a * a - b * b)) * v;
  return (alpha * h.x() * x + alpha * h.y() * y + std::max(1e-9, h.z()) * normal).normalized();
}

}  // namespace

/// A point of a body that light leaves.
struct PathIntegrator::Corner {
  Vector3d point;   ///< A little away from the surface.
  Vector3d face;    ///< Normal of the surface toward the ray's origin.
  Vector3d normal;  ///< The same, smooth.
  const Material* material;
};

PathIntegrator::PathIntegrator(const TracedScene& scene, const Lighting& lighting, const std::optional<Floor>& floor,
                               const Vector3d& eye, int bounces, Background background)
    : scene_(scene),
      lighting_(lighting),
      floor_(floor),
      eye_(eye),
      bounces_(bounces),
      background_(background),
      skyMean_(skyMeanOnFloor()) {}

double PathIntegrator::offsetAt(const Vector3d& point, double distance) const {
  return kAway * std::max(distance, (point - eye_).norm());
}

/// Finds the first surface that does not let a ray pass: bodies that are seen through keep a fraction of the rays.
bool PathIntegrator::meets(const Vector3d& origin, const Vector3d& direction, double far, SurfaceHit& hit,
                           PixelSampler& sampler) const {
  double behind = 0;
  for (int layer = 0; layer < kMaxLayers; ++layer) {
    if (!scene_.closest(origin + behind * direction, direction, far - behind, hit)) return false;
    hit.t += behind;
    if (hit.material.opacity >= 1 || sampler.next()[0] < hit.material.opacity) return true;
    behind = hit.t + offsetAt(origin + hit.t * direction, hit.t);
    if (!(behind < far)) return false;
  }
  return false;
}

/// Says whether light from far away is kept from a point.
bool PathIntegrator::hidden(const Vector3d& origin, const Vector3d& direction, PixelSampler& sampler) const {
  if (!scene_.seenThrough()) return scene_.occluded(origin, direction, kInfinity);
  SurfaceHit hit;
  return meets(origin, direction, kInfinity, hit, sampler);
}

PathIntegrator::Corner PathIntegrator::cornerAt(const Vector3d& origin, const Vector3d& direction,
                                                const SurfaceHit& hit) const {
  Corner corner;
  corner.material = &hit.material;
  corner.face = hit.normal.dot(direction) > 0 ? Vector3d(-hit.normal) : hit.normal;
  corner.normal = hit.smoothNormal.dot(corner.face) < 0 ? Vector3d(-hit.smoothNormal) : hit.smoothNormal;
  const Vector3d at = origin + hit.t * direction;
  corner.point = at + offsetAt(at, hit.t) * corner.face;
  return corner;
}

/// The length of a ray until it is below the floor.
double PathIntegrator::reachOf(const Vector3d& origin, const Vector3d& direction) const {
  if (!floor_ || direction.z() >= 0 || origin.z() <= floor_->height) return kInfinity;
  return (floor_->height - origin.z()) / direction.z();
}

/// Radiance of what is around, for a ray that meets no body.
Vector3d PathIntegrator::leaving(const Vector3d& direction, bool boxes) const {
  if (direction.z() < 0 && lighting_.floorLights && !lighting_.white) return lighting_.floorLight;
  return boxes ? lighting_.reflected(direction) : lighting_.fromAround(direction);
}

/// The sun's light that a point passes on.
Vector3d PathIntegrator::direct(const Corner& corner, PixelSampler& sampler) const {
  const auto u = sampler.next();
  const Vector3d toSun = lighting_.toSunPoint(u[0], u[1]);
  const double slope = corner.normal.dot(toSun);
  if (!(slope > 0) || !(corner.face.dot(toSun) > 0) || lighting_.sun.isZero(0)) return Vector3d::Zero();
  if (hidden(corner.point, toSun, sampler)) return Vector3d::Zero();
  return slope / M_PI * lighting_.sun.cwiseProduct(corner.material->albedo);
}

/// The radiance that a surface mirrors; `taken` is the fraction of light that it keeps from what is below.
Vector3d PathIntegrator::reflection(const Corner& corner, const Vector3d& toEye, PixelSampler& sampler,
                                    double& taken) const {
  const double cosine = std::max(corner.normal.dot(toEye), 1e-3);
  const double fresnel = schlick(cosine), coat = corner.material->coat * fresnel, base = (1 - coat) * fresnel;
  taken = coat + base;
  const auto which = sampler.next(), where = sampler.next();
  const double roughness = which[0] * taken < coat ? style::kCoatRoughness : corner.material->roughness;
  const double alpha = roughness * roughness;
  const Vector3d half = visibleNormal(corner.normal, toEye, alpha, where);
  const Vector3d out = 2 * half.dot(toEye) * half - toEye;
  const double leaves = corner.normal.dot(out);
  if (!(leaves > 0) || !(corner.face.dot(out) > 0)) return Vector3d::Zero();
  const double fraction = taken * masking(leaves, alpha);
  SurfaceHit hit;
  if (!meets(corner.point, out, reachOf(corner.point, out), hit, sampler)) return fraction * leaving(out, true);
  // Of what is mirrored, the sun's light and that of the sky as if nothing covered it.
  const Corner other = cornerAt(corner.point, out, hit);
  return fraction * (direct(other, sampler) + other.material->albedo.cwiseProduct(leaving(other.normal, false)));
}

Vector3d PathIntegrator::radiance(const Vector3d& origin, const Vector3d& direction, const SurfaceHit& first,
                                  PixelSampler& sampler) const {
  SurfaceHit hit = first;
  Corner corner = cornerAt(origin, direction, hit);
  Vector3d sum = Vector3d::Zero(), weight = Vector3d::Ones();
  if (!lighting_.white) {
    double taken = 0;
    sum = reflection(corner, -direction, sampler, taken);
    weight *= 1 - taken;
  }
  for (int bounce = 0;; ++bounce) {
    sum += weight.cwiseProduct(direct(corner, sampler));
    Vector3d next = cosineDirection(corner.normal, sampler.next());
    // Smooth normals lean: what would go into the body leaves it.
    if (const double inward = next.dot(corner.face); inward < 0) next -= 2 * inward * corner.face;
    weight = weight.cwiseProduct(corner.material->albedo);
    SurfaceHit other;
    if (!meets(corner.point, next, reachOf(corner.point, next), other, sampler))
      return sum + weight.cwiseProduct(leaving(next, false));
    if (bounce == bounces_) return sum;
    const Vector3d from = corner.point;
    hit = other;
    corner = cornerAt(from, next, hit);
  }
}

PathIntegrator::FloorLight PathIntegrator::floorLight(const Vector3d& point, PixelSampler& sampler) const {
  const auto u = sampler.next();
  const Vector3d toSun = lighting_.toSunPoint(u[0], u[1]), toSky = cosineDirection(Vector3d::UnitZ(), sampler.next());
  FloorLight light;
  light.sun = lighting_.white || !hidden(point, toSun, sampler) ? 1 : 0;
  light.sky = 0;
  if (!hidden(point, toSky, sampler))
    light.sky = lighting_.white ? 1 : luminance(environmentRadiance(toSky, false)) / skyMean_;
  return light;
}

/// The floor where a ray meets it before `far`; opacity 0 elsewhere.
PixelSample PathIntegrator::floorSample(const CameraRay& ray, double far, PixelSampler& sampler) const {
  const Vector3d& d = ray.direction;
  if (!floor_ || d.z() >= 0 || ray.origin.z() <= floor_->height) return {Vector3d::Zero(), 0};
  const double t = (floor_->height - ray.origin.z()) / d.z();
  const Vector3d point = ray.origin + t * d;
  const double opacity = floor_->opacityAt(point.head<2>());
  if (!(opacity > 0) || !(t < far)) return {Vector3d::Zero(), 0};
  const FloorLight light = floorLight(point + offsetAt(point, 0) * Vector3d::UnitZ(), sampler);
  const double sky = lighting_.white ? 1 : style::kFloorSkyFraction, fraction = (1 - sky) * light.sun + sky * light.sky;
  // Single shares may be above 1; only their mean is a share.
  if (background_ != Background::sky) return {Vector3d::Zero(), opacity * (1 - fraction)};
  const auto moved = [&](const Vector3d& by) {
    return Eigen::Vector2d((t * (by - d * (by.z() / d.z()))).head<2>().cwiseAbs());
  };
  const double grid = floor_->gridAt(point.head<2>(), moved(ray.right) + moved(ray.down), lighting_.gridFraction);
  return {opacity * fraction * ((1 - grid) * lighting_.floor + grid * lighting_.grid), opacity};
}

PixelSample PathIntegrator::sample(const CameraRay& ray, PixelSampler& sampler) const {
  const double length = ray.direction.norm();
  const Vector3d direction = ray.direction / length;
  SurfaceHit hit;
  const bool met = meets(ray.origin, direction, kInfinity, hit, sampler);
  const PixelSample floor = floorSample(ray, met ? hit.t / length : kInfinity, sampler);
  if (floor.opacity == 1 && background_ == Background::sky) return floor;
  PixelSample seen;
  if (met)
    seen.color = lighting_.shown(radiance(ray.origin, direction, hit, sampler));
  else if (background_ == Background::sky)
    seen.color = lighting_.sky(direction);
  else if (background_ == Background::white)
    seen.color = Vector3d::Ones();
  else
    seen.opacity = 0;
  return {floor.color + (1 - floor.opacity) * seen.color, floor.opacity + (1 - floor.opacity) * seen.opacity};
}

}  // namespace mortise::path_tracing
