#pragma once

/// Values other than a setting's default, and a world in which most settings of physics have something to act on.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "mortise/base/schema.h"
#include "mortise/closed_forms/shapes.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise::test {

inline Registry& settingsRegistry() {
  static NullLog log;
  static Registry* const instance = makeRegistry(log).release();
  return *instance;
}

/// Values within the bounds that are not the default; none for texts and maps, of which a schema says nothing.
inline std::vector<Value> otherValues(const Parameter& parameter) {
  const ParameterOptions& options = parameter.options;
  const Value& usual = parameter.defaultValue;
  std::vector<Value> values;
  const auto add = [&](double value) {
    value = std::clamp(value, options.min, options.max);
    if (parameter.type == ParameterType::integer) value = std::round(value);
    if (usual.isNumber() && usual.asReal() == value) return;
    if (parameter.type == ParameterType::integer)
      values.emplace_back(static_cast<std::int64_t>(value));
    else
      values.emplace_back(value);
  };
  switch (parameter.type) {
    case ParameterType::boolean:
      for (const bool value : {true, false})
        if (!usual.isBool() || usual.asBool() != value) values.emplace_back(value);
      break;
    case ParameterType::integer:
      for (const double value : {1.0, 3.0, 0.0}) add(usual.isNumber() ? value * usual.asReal() + (value == 0) : value);
      break;
    case ParameterType::real:
      if (usual.isNumber() && std::isfinite(usual.asReal()) && usual.asReal() != 0)
        for (const double factor : {0.1, 10.0, 0.0}) add(factor * usual.asReal());
      else
        for (const double value : {0.5, 1e-3, 20.0}) add(value);
      break;
    case ParameterType::realList:
    case ParameterType::integerList:
      if (usual.isList()) {
        std::vector<double> list = usual.asReals();
        for (double& each : list) each = std::clamp(0.5 * each, options.min, options.max);
        values.emplace_back(list);
      }
      break;
    default:
      for (const std::string& choice : options.choices)
        if (!usual.isString() || usual.asString() != choice) values.emplace_back(choice);
  }
  return values;
}

/// A surface that is rigid, or has a spring and a damper.
inline Surface settingsSurface(double restitution, bool rigid) {
  Surface surface;
  surface.friction = 0.6;
  surface.restitution = restitution;
  if (!rigid) {
    surface.stiffness = 2e4;
    surface.damping = 500;
  }
  return surface;
}

/// A box with a corner pushed in: not convex.
inline GeometryPtr dentedMesh(const Vector3d& size) {
  TriangleMesh mesh = truth::boxMesh(size);
  for (Vector3d& p : mesh.vertices)
    if ((p.array() > 0).all()) p *= 0.1;
  return truth::geometryOf(std::move(mesh));
}

/// A stack, boxes that slide, spin and fall, balls that bounce, a mesh, a pendulum with stops and friction on a joint
/// of the world, and an arm that falls on its stops and on a box.
inline World busyWorld() {
  World world;
  Terrain ground = groundTerrain();
  ground.surface = settingsSurface(0.5, true);
  world.terrains.push_back(ground);
  Terrain step;  // A mesh, under a box.
  step.name = "step";
  step.geometry = dentedMesh(Vector3d(0.8, 1, 0.2));
  step.surface = settingsSurface(0, true);
  world.terrains.push_back(step);
  const auto add = [&](const std::string& name, const Vector3d& p, Surface surface) -> RigidObject& {
    RigidObject object = boxObject(name, p);
    object.surface = surface;
    world.objects.push_back(std::move(object));
    return world.objects.back();
  };
  add("low", {2, 0, 0.1}, settingsSurface(0, true));
  add("high", {2.03, 0.01, 0.3}, settingsSurface(0, true));
  add("sliding", {2, 1, 0.1}, settingsSurface(0, true)).v_WO = Vector3d(1.5, 0.7, 0);
  RigidObject& spinning = add("spinning", {2, 2, 0.5}, settingsSurface(0.5, true));
  spinning.w_WO = Vector3d(3, 20, 5);
  spinning.v_WO = Vector3d(1, 0, -2);
  add("soft", {2, -1, 0.102}, settingsSurface(0.1, false));
  add("deep", {2, -2, 0.05}, settingsSurface(0, true));
  RigidObject& ball = add("ball", {3, 0, 0.102}, settingsSurface(0.8, true));
  ball.geometry = truth::sphereGeometry(0.1);
  ball.v_WO = Vector3d(0, 0.5, -1);
  RigidObject& slow = add("slow_ball", {3, 1, 0.1005}, settingsSurface(0.8, true));
  slow.geometry = truth::sphereGeometry(0.1);
  slow.v_WO = Vector3d(0, 0, -0.08);
  RigidObject& mesh = add("mesh", {3, 2, 0.051}, settingsSurface(0, true));
  mesh.geometry = dentedMesh(Vector3d::Constant(0.1));
  mesh.w_WO = Vector3d(0, 1, 0);
  RigidObject& above = add("ball_on_mesh", {3.03, 2.03, 0.17}, settingsSurface(0, true));
  above.geometry = truth::sphereGeometry(0.08);
  add("on_step", {0.05, 0, 0.197}, settingsSurface(0, true)).w_WO = Vector3d(0, 0, 2);
  add("on_arm", {0.2, 0.02, 0.735}, settingsSurface(0, true));
  // A parallelogram: two cranks and what they carry, which falls.
  std::vector<WorldJoint> joints;
  const auto hingeAt = [&](int a, int b, const Vector3d& point) {
    WorldJoint joint;
    joint.type = WorldJoint::Type::hinge;
    joint.idA = a;
    joint.idB = b;
    joint.point = point;
    joint.axis = Vector3d::UnitY();
    joints.push_back(joint);
  };
  const int crank = static_cast<int>(world.objects.size());
  add("crank", {-3, 0, 2}, settingsSurface(0, true));
  add("other_crank", {-2, 0, 2}, settingsSurface(0, true));
  add("coupler", {-2.5, 0, 2.6}, settingsSurface(0, true));
  hingeAt(world.objectId(crank), -1, {-3, 0, 1.8});
  hingeAt(world.objectId(crank + 1), -1, {-2, 0, 1.8});
  hingeAt(world.objectId(crank), world.objectId(crank + 2), {-3, 0, 2.4});
  hingeAt(world.objectId(crank + 1), world.objectId(crank + 2), {-2, 0, 2.4});
  for (int i = 0; i < 2; ++i) world.objects[static_cast<std::size_t>(crank + i)].w_WO = Vector3d(0, 1, 0);
  RigidObject& pendulum = add("pendulum", {4, 0, 1}, settingsSurface(0, true));
  pendulum.w_WO = Vector3d(0, 4, 0);
  pendulum.v_WO = Vector3d(-2, 0, 0);
  WorldJoint hinge;
  hinge.type = WorldJoint::Type::hinge;
  hinge.idA = world.objectId(static_cast<int>(world.objects.size()) - 1);
  hinge.point = Vector3d(4, 0, 1.5);
  hinge.axis = Vector3d::UnitY();
  hinge.min = -0.1;
  hinge.max = 0.1;
  hinge.friction = 0.2;
  RobotDescription arm = armDescription(3);
  arm.links[0].X_PL0.p = Vector3d(0, 0, 0.6);
  for (Link& link : arm.links) {
    link.geometry = dentedMesh(Vector3d(0.5, 0.06, 0.06));
    link.qMin = -0.05;
    link.qMax = 0.05;
    link.torqueMax = 3;
  }
  for (Driver& driver : arm.drivers) {
    driver.dryFriction = 0.4;
    driver.viscousFriction = 0.1;
    driver.torqueMax = 3;
    driver.torqueMin = -3;
  }
  world.robots.push_back(placedRobot(arm));
  joints.push_back(hinge);
  world.simulation.joints = std::move(joints);
  return world;
}

/// The same with boxes in place of meshes, for engines that find contacts of convex shapes only.
inline World convexWorld() {
  World world = busyWorld();
  const GeometryPtr box = boxGeometry(Vector3d::Constant(0.1));
  for (Terrain& terrain : world.terrains)
    if (terrain.name == "step") terrain.geometry = boxGeometry(Vector3d(0.8, 1, 0.2));
  for (RigidObject& object : world.objects)
    if (object.name == "mesh") object.geometry = box;
  RobotDescription arm = world.robots[0].robot->description();
  for (Link& link : arm.links) link.geometry = box;
  world.robots[0] = placedRobot(arm);
  return world;
}

/// Prisms of convex hulls that rest on a box and on each other, which no engine takes for boxes.
inline World hullWorld() {
  World world;
  Terrain ground = groundTerrain();
  ground.surface = settingsSurface(0, true);
  world.terrains.push_back(ground);
  ConvexHullShape prism;
  for (int i = 0; i < 12; ++i) {
    const double angle = (i / 2) * 3.14159265358979 / 3;
    prism.points.emplace_back(0.1 * std::cos(angle), 0.1 * std::sin(angle), i % 2 == 0 ? -0.05 : 0.05);
  }
  const GeometryPtr shape = truth::geometryOf(prism);
  for (int i = 0; i < 2; ++i) {
    RigidObject object = boxObject("prism" + std::to_string(i), Vector3d(2 + 0.03 * i, 0, 0.0495 + 0.0995 * i));
    object.geometry = shape;
    object.surface = settingsSurface(0, true);
    object.w_WO = Vector3d(0.2, 0.1, 1);
    world.objects.push_back(std::move(object));
  }
  return world;
}

/// What a run of a world comes to: its state as 16 digits, or what went wrong. Warnings go to `log`.
inline std::string outcomeOf(const World& world, const SimulationOptions& options, double seconds, LogSink& log) {
  try {
    Simulation simulation(world, settingsRegistry(), nullptr, log, options);
    simulation.advance(seconds);
    return formatHash(simulation.stateHash());
  } catch (const Error& error) {
    return std::string("refused: ") + error.what();
  }
}

}  // namespace mortise::test
