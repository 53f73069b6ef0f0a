#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "mortise/geometry/compare.h"
#include "mortise/model/robot.h"
#include "mortise/modeling/link_visuals.h"

namespace mortise::test {

/// Compares properties; those that say what links look like by what is seen, wherever their files are, with maps to
/// `tolerance`.
inline bool sameProperties(const RobotDescription& a, const RobotDescription& b, double tolerance) {
  const auto name = [](const std::string& file) { return file.substr(file.find_last_of('/') + 1); };
  const auto sameVisual = [&](const LinkVisual& x, const LinkVisual& y) {
    return x.kind == y.kind && x.size == y.size && x.color == y.color && name(x.mesh) == name(y.mesh) &&
           name(x.texture) == name(y.texture) && (x.map.A - y.map.A).norm() <= tolerance &&
           (x.map.t - y.map.t).norm() <= tolerance;
  };
  return std::equal(a.properties.begin(), a.properties.end(), b.properties.begin(), b.properties.end(),
                    [&](const auto& x, const auto& y) {
                      if (x.first != y.first || !isLinkVisual(x)) return x == y;
                      const std::vector<LinkVisual> p = linkVisualsFromText(x.second),
                                                    q = linkVisualsFromText(y.second);
                      return std::equal(p.begin(), p.end(), q.begin(), q.end(), sameVisual);
                    });
}

/// What two descriptions differ in, one difference a line; empty when they are equal. Numbers must be equal, shapes as
/// `sameShape` says. The names of files do not count, nor the robot's name, which comes from its file.
inline std::string differences(const RobotDescription& a, const RobotDescription& b, double vertexTolerance = 0) {
  std::string text;
  const auto count = [&text](const char* what, std::size_t x, std::size_t y) {
    if (x != y) text += std::string(what) + ": " + std::to_string(x) + " and " + std::to_string(y) + "\n";
    return x == y;
  };
  std::string who;
  const auto expect = [&text, &who](const char* what, bool equal) {
    if (!equal) text += who + what + "\n";
  };
  if (count("links", a.links.size(), b.links.size()))
    for (std::size_t i = 0; i < a.links.size(); ++i) {
      const Link &x = a.links[i], &y = b.links[i];
      who = "link " + std::to_string(i) + " '" + x.name + "': ";
      expect("name", x.name == y.name);
      expect("parent", x.parent == y.parent);
      expect("motion", x.motion == y.motion);
      expect("axis", x.axis == y.axis);
      expect("X_PL0", x.X_PL0 == y.X_PL0);
      expect("inertia", x.inertia == y.inertia);
      expect("shape", sameShape(x.geometry, y.geometry, vertexTolerance));
      expect("position limits", x.qMin == y.qMin && x.qMax == y.qMax);
      expect("velocity limits", x.velocityMin == y.velocityMin && x.velocityMax == y.velocityMax);
      expect("accelerationMax", x.accelerationMax == y.accelerationMax);
      expect("torqueMax", x.torqueMax == y.torqueMax);
      expect("powerMax", x.powerMax == y.powerMax);
      expect("q", x.q == y.q);
    }
  if (count("joints", a.joints.size(), b.joints.size()))
    for (std::size_t i = 0; i < a.joints.size(); ++i) {
      const Joint &x = a.joints[i], &y = b.joints[i];
      who = "joint " + std::to_string(i) + ": ";
      expect("type", x.type == y.type);
      expect("links", x.link == y.link && x.base == y.base);
    }
  if (count("drivers", a.drivers.size(), b.drivers.size()))
    for (std::size_t i = 0; i < a.drivers.size(); ++i) {
      const Driver &x = a.drivers[i], &y = b.drivers[i];
      who = "driver " + std::to_string(i) + " '" + x.name + "': ";
      expect("name", x.name == y.name);
      expect("type", x.type == y.type);
      expect("links", x.links == y.links);
      expect("scale and offset", x.scale == y.scale && x.offset == y.offset);
      expect("position limits", x.qMin == y.qMin && x.qMax == y.qMax);
      expect("velocity limits", x.velocityMin == y.velocityMin && x.velocityMax == y.velocityMax);
      expect("acceleration limits", x.accelerationMin == y.accelerationMin && x.accelerationMax == y.accelerationMax);
      expect("torque limits", x.torqueMin == y.torqueMin && x.torqueMax == y.torqueMax);
      expect("gains", x.servoP == y.servoP && x.servoI == y.servoI && x.servoD == y.servoD);
      expect("friction", x.dryFriction == y.dryFriction && x.viscousFriction == y.viscousFriction);
    }
  who.clear();
  expect("self-collision pairs", a.selfCollisionPairs == b.selfCollisionPairs);
  expect("properties", sameProperties(a, b, vertexTolerance));
  expect("sensors", a.sensors == b.sensors);
  expect("controller", a.controller == b.controller);
  return text;
}

}  // namespace mortise::test
