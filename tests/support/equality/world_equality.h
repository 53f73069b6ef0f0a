#pragma once

#include <string>

#include "mortise/geometry/compare.h"
#include "mortise/model/world.h"
#include "tests/support/equality/robot_equality.h"

namespace mortise::test {

/// Lines of what differs between two worlds, objects or terrains; empty when they are equal. Numbers must be equal,
/// shapes as `sameShape` says; where they stand in which file does not count.
class WorldDifferences {
 public:
  explicit WorldDifferences(double vertexTolerance = 0) : tolerance_(vertexTolerance) {}

  std::string of(const RigidObject& a, const RigidObject& b) {
    who_ = "object '" + a.name + "': ";
    expect("name", a.name == b.name);
    expect("shape", sameShape(a.geometry, b.geometry, tolerance_));
    expect("pose", a.X_WO == b.X_WO);
    expect("velocity", a.v_WO == b.v_WO && a.w_WO == b.w_WO);
    expect("inertia", a.inertia == b.inertia);
    expect("surface", a.surface == b.surface);
    expect("display", a.display == b.display);
    return text_;
  }

  std::string of(const Terrain& a, const Terrain& b) {
    who_ = "terrain '" + a.name + "': ";
    expect("name", a.name == b.name);
    expect("shape", sameShape(a.geometry, b.geometry, tolerance_));
    expect("surface", a.surface == b.surface);
    expect("display", a.display == b.display);
    return text_;
  }

  std::string of(const World& a, const World& b) {
    if (a.background != b.background) text_ += "background\n";
    if (count("terrains", a.terrains.size(), b.terrains.size()))
      for (std::size_t i = 0; i < a.terrains.size(); ++i) of(a.terrains[i], b.terrains[i]);
    if (count("objects", a.objects.size(), b.objects.size()))
      for (std::size_t i = 0; i < a.objects.size(); ++i) of(a.objects[i], b.objects[i]);
    if (count("robots", a.robots.size(), b.robots.size()))
      for (std::size_t i = 0; i < a.robots.size(); ++i) robot(a.robots[i], b.robots[i]);
    simulation(a.simulation, b.simulation);
    return text_;
  }

 private:
  void expect(const char* what, bool equal) {
    if (!equal) text_ += who_ + what + "\n";
  }
  bool count(const char* what, std::size_t x, std::size_t y) {
    if (x != y) text_ += std::string(what) + ": " + std::to_string(x) + " and " + std::to_string(y) + "\n";
    return x == y;
  }

  void robot(const WorldRobot& a, const WorldRobot& b) {
    who_ = "robot '" + a.name + "': ";
    expect("name", a.name == b.name);
    expect("q", a.q == b.q);
    expect("dq", a.dq == b.dq);
    expect("display", a.display == b.display);
    const std::string inside = differences(a.robot->description(), b.robot->description(), tolerance_);
    if (!inside.empty()) text_ += who_ + inside;
  }

  void simulation(const SimulationSettings& a, const SimulationSettings& b) {
    who_ = "simulation: ";
    expect("backend", a.backend == b.backend && a.backendSettings == b.backendSettings);
    expect("on_unstable", a.onUnstable == b.onUnstable);
    expect("gravity", a.gravity == b.gravity);
    expect("step", a.timeStep == b.timeStep);
    expect("ERP and CFM", a.errorReduction == b.errorReduction && a.constraintForceMixing == b.constraintForceMixing);
    expect("contacts", a.maxContacts == b.maxContacts && a.boundaryLayerContacts == b.boundaryLayerContacts &&
                           a.adaptiveTimeStepping == b.adaptiveTimeStepping);
    expect("collisions", a.objectCollisions == b.objectCollisions && a.robotSelfCollisions == b.robotSelfCollisions &&
                             a.robotRobotCollisions == b.robotRobotCollisions);
    expect("state", a.stateData == b.stateData);
    expect("commands", a.commands == b.commands);
    if (count("surfaces", a.surfaces.size(), b.surfaces.size()))
      for (std::size_t i = 0; i < a.surfaces.size(); ++i) {
        const SurfaceOverride &x = a.surfaces[i].second, &y = b.surfaces[i].second;
        expect("surface", a.surfaces[i].first == b.surfaces[i].first && x.friction == y.friction &&
                              x.restitution == y.restitution && x.stiffness == y.stiffness && x.damping == y.damping &&
                              x.padding == y.padding && x.preshrink == y.preshrink && x.rolling == y.rolling);
      }
    if (count("joints", a.joints.size(), b.joints.size()))
      for (std::size_t i = 0; i < a.joints.size(); ++i) {
        const WorldJoint &x = a.joints[i], &y = b.joints[i];
        expect("joint", x.type == y.type && x.idA == y.idA && x.idB == y.idB && x.point == y.point &&
                            x.axis == y.axis && x.min == y.min && x.max == y.max && x.friction == y.friction);
      }
    requests("controller", a.controllers, b.controllers);
    requests("sensor", a.sensors, b.sensors);
  }

  void requests(const char* what, const std::vector<std::pair<int, ComponentRequest>>& a,
                const std::vector<std::pair<int, ComponentRequest>>& b) {
    if (!count(what, a.size(), b.size())) return;
    for (std::size_t i = 0; i < a.size(); ++i)
      expect(what, a[i].first == b[i].first && a[i].second.type == b[i].second.type &&
                       a[i].second.settings == b[i].second.settings);
  }

  double tolerance_;
  std::string text_, who_;
};

template <typename T>
std::string worldDifferences(const T& a, const T& b, double vertexTolerance = 0) {
  return WorldDifferences(vertexTolerance).of(a, b);
}

}  // namespace mortise::test
