#include "mortise/path_tracing/lighting.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace mortise::path_tracing {

namespace {

Vector3d vectorOf(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

Vector3d mix(const Vector3d& a, const Vector3d& b, double fraction) { return (1 - fraction) * a + fraction * b; }

}  // namespace

double linearLevel(double screen) {
  return screen <= 0.04045 ? screen / 12.92 : std::pow((screen + 0.055) / 1.055, 2.4);
}

double screenLevel(double linear) {
  if (!(linear > 0)) return 0;
  return linear <= 0.0031308 ? 12.92 * linear : std::min(1.0, 1.055 * std::pow(linear, 1 / 2.4) - 0.055);
}

Vector3d linearColor(std::uint32_t rgb) {
  return {linearLevel((rgb >> 16 & 255) / 255.0), linearLevel((rgb >> 8 & 255) / 255.0),
          linearLevel((rgb & 255) / 255.0)};
}

double luminance(const Vector3d& linear) { return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]; }

double smoothstep(double low, double high, double value) {
  const double t = std::clamp((value - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

Vector3d neutralToneMapped(Vector3d color) {
  const double least = color.minCoeff();
  color.array() -= least < 0.08 ? least - 6.25 * least * least : 0.04;
  const double peak = color.maxCoeff();
  if (peak < 0.76) return color;
  const double pressed = 1 - 0.0576 / (peak - 0.52);
  color *= pressed / peak;
  return mix(color, Vector3d::Constant(pressed), 1 - 1 / (0.15 * (peak - pressed) + 1));
}

Vector3d environmentRadiance(const Vector3d& v, bool boxes) {
  const double z = v.z();
  Vector3d light = mix(vectorOf(style::kBeside), vectorOf(z > 0 ? style::kAbove : style::kBelow),
                       z > 0 ? smoothstep(0, style::kAboveFrom, z) : smoothstep(0, style::kBelowFrom, -z));
  if (!boxes) return light;
  for (const style::Box& box : style::kBoxes)
    light += box.scale *
             smoothstep(std::cos(box.outer), std::cos(box.inner), v.dot(vectorOf(box.toward).normalized())) *
             vectorOf(box.color);
  return light;
}

double skyMeanOnFloor() {
  // The mean of smoothstep(0, h, z) over directions by the cosine, whose heights z have the density 2 z.
  constexpr double h = style::kAboveFrom, fraction = 2 * h * h * (3.0 / 4 - 2.0 / 5) + 1 - h * h;
  return luminance(mix(vectorOf(style::kBeside), vectorOf(style::kAbove), fraction));
}

Lighting Lighting::studio(const style::Theme& theme) {
  Lighting l;
  l.zenith = linearColor(theme.zenith);
  l.horizon = linearColor(theme.horizon);
  l.ground = linearColor(theme.ground);
  l.floor = linearColor(theme.floor);
  l.grid = linearColor(theme.grid);
  l.gridFraction = theme.gridFraction;
  l.sun = theme.sun * linearColor(theme.sunColor);
  l.toSun = vectorOf(style::kToSun).normalized();
  l.sunX = Vector3d::UnitZ().cross(l.toSun).normalized();
  l.sunY = l.toSun.cross(l.sunX);
  l.environment = theme.environment;
  l.floorLights = theme.floorLights;
  l.floorLight =
      style::kFloorReflects * (style::kFloorSkyLight * theme.environment + theme.sun * l.toSun.z() / M_PI) * l.floor;
  return l;
}

Lighting Lighting::whiteRoom(const style::Theme& theme) {
  Lighting l = studio(theme);
  l.white = true;
  l.sun.setZero();
  l.zenith = l.horizon = l.ground = l.floorLight = Vector3d::Ones();
  return l;
}

Vector3d Lighting::sky(const Vector3d& d) const {
  return mix(horizon, d.z() > 0 ? zenith : ground, std::pow(std::abs(d.z()), style::kSkyExponent));
}

Vector3d Lighting::fromAround(const Vector3d& d) const {
  if (white) return Vector3d::Ones();
  return environment * style::kWithoutBoxes * environmentRadiance(d, false);
}

Vector3d Lighting::reflected(const Vector3d& d) const {
  return white ? Vector3d::Ones() : Vector3d(environment * environmentRadiance(d, true));
}

Vector3d Lighting::toSunPoint(double u, double v) const {
  const double away = style::kSunRadius * std::sqrt(u), angle = 2 * M_PI * v;
  return (toSun + away * (std::cos(angle) * sunX + std::sin(angle) * sunY)).normalized();
}

Vector3d Lighting::shown(const Vector3d& radiance) const {
  const Vector3d limited = radiance.cwiseMin(style::kClamp);
  return white ? Vector3d(limited.cwiseMin(1.0)) : neutralToneMapped(style::kExposure * limited);
}

}  // namespace mortise::path_tracing
