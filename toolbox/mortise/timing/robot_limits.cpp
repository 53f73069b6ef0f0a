#include "mortise/timing/robot_limits.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mortise {

namespace {

bool turnsFreely(const Robot& robot, int index) {
  const Link& link = robot.link(index);
  if (link.motion != LinkMotion::revolute) return false;
  const int joint = robot.jointOfLink(index);
  const bool spin = joint >= 0 && robot.joints()[joint].type == JointType::spin;
  return spin && link.qMax - link.qMin >= 2 * std::numbers::pi;
}

/// The tighter of both, as limits of a link that has `scale` times the driver's value, plus `offset`.
void narrow(CoordinateLimits& limits, const Driver& driver, double scale, double offset) {
  const auto mapped = [&](double value) { return std::isinf(value) ? value * scale : offset + scale * value; };
  const double a = mapped(driver.qMin), b = mapped(driver.qMax);
  limits.xMin = std::max(limits.xMin, std::min(a, b));
  limits.xMax = std::min(limits.xMax, std::max(a, b));
  const double v = scale * driver.velocityMin, w = scale * driver.velocityMax;
  limits.vMin = std::max(limits.vMin, std::min(v, w));
  limits.vMax = std::min(limits.vMax, std::max(v, w));
  const double acceleration = std::min(std::abs(driver.accelerationMin), std::abs(driver.accelerationMax));
  limits.aMax = std::min(limits.aMax, std::abs(scale) * acceleration);
}

/// All links of an affine driver at the pace of the one that allows least.
void moveTogether(std::vector<CoordinateLimits>& limits, const Driver& driver) {
  CoordinateLimits value;
  for (std::size_t k = 0; k < driver.links.size(); ++k) {
    const CoordinateLimits& link = limits[static_cast<std::size_t>(driver.links[k])];
    const double scale = driver.scale[k];
    value.vMin = std::max(value.vMin, scale > 0 ? link.vMin / scale : link.vMax / scale);
    value.vMax = std::min(value.vMax, scale > 0 ? link.vMax / scale : link.vMin / scale);
    value.aMax = std::min(value.aMax, link.aMax / std::abs(scale));
  }
  for (std::size_t k = 0; k < driver.links.size(); ++k) {
    CoordinateLimits& link = limits[static_cast<std::size_t>(driver.links[k])];
    const double scale = driver.scale[k];
    link.vMin = scale > 0 ? scale * value.vMin : scale * value.vMax;
    link.vMax = scale > 0 ? scale * value.vMax : scale * value.vMin;
    link.aMax = std::abs(scale) * value.aMax;
  }
}

}  // namespace

std::vector<CoordinateLimits> coordinateLimits(const Robot& robot, double velocityScaling, double accelerationScaling) {
  std::vector<CoordinateLimits> limits(static_cast<std::size_t>(robot.numLinks()));
  std::vector<bool> driven(limits.size());
  for (const Driver& driver : robot.drivers()) {
    const bool affine = driver.type == DriverType::affine;
    for (std::size_t k = 0; k < (affine ? driver.links.size() : 1); ++k) {
      const auto i = static_cast<std::size_t>(driver.links[k]);
      const Link& link = robot.link(driver.links[k]);
      if (!driven[i]) {
        limits[i].xMin = link.qMin;
        limits[i].xMax = link.qMax;
        limits[i].vMin = link.velocityMin;
        limits[i].vMax = link.velocityMax;
        limits[i].aMax = std::abs(link.accelerationMax);
      }
      driven[i] = true;
      narrow(limits[i], driver, affine ? driver.scale[k] : 1, affine ? driver.offset[k] : 0);
    }
    if (affine) moveTogether(limits, driver);
  }
  for (std::size_t i = 0; i < limits.size(); ++i) {
    CoordinateLimits& c = limits[i];
    c.vMin = std::min(c.vMin, 0.0) * (std::isinf(c.vMin) ? 1 : velocityScaling);
    c.vMax = std::max(c.vMax, 0.0) * (std::isinf(c.vMax) ? 1 : velocityScaling);
    if (std::isfinite(c.aMax)) c.aMax *= accelerationScaling;
    c.circular = driven[i] && turnsFreely(robot, static_cast<int>(i));
    if (c.circular) {
      c.xMin = -kInfinity;
      c.xMax = kInfinity;
    }
  }
  return limits;
}

std::vector<std::string> linkNames(const Robot& robot) {
  std::vector<std::string> names;
  for (const Link& link : robot.links()) names.push_back(link.name);
  return names;
}

}  // namespace mortise
