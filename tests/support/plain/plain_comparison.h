#pragma once

/// The same collision by a program on an engine's library alone and by Mortise's backend, side by side.

#include <algorithm>
#include <cmath>

#include "mortise/inspect/physics_capabilities.h"
#include "mortise/model/material.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/collisions.h"
#include "tests/support/plain/plain_scene.h"
#include "tests/support/plugins.h"

namespace mortise::test {

inline plain::Vector plainVector(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
inline Vector3d fromPlain(const plain::Vector& v) { return {v[0], v[1], v[2]}; }

/// Shapes as large as their paddings make them. Only balls and boxes, no robots.
inline plain::Scene plainScene(const World& world, const Collision& c) {
  plain::Scene scene;
  const auto add = [&](const Geometry& geometry, double padding) -> plain::Body& {
    plain::Body body;
    if (const auto* ball = geometry.as<SphereShape>()) {
      body.radius = ball->radius + padding;
    } else {
      const auto* box = geometry.as<AxisAlignedBoxShape>();
      body.ball = false;
      body.half = plainVector(0.5 * (box->max - box->min) + Vector3d::Constant(padding));
      body.position = plainVector(0.5 * (box->max + box->min));
    }
    return scene.bodies.emplace_back(body);
  };
  const int numTerrains = static_cast<int>(world.terrains.size()), numObjects = static_cast<int>(world.objects.size());
  for (int i = 0; i < numTerrains; ++i)
    add(*world.terrains[i].geometry, world.simulationSurface(world.terrainId(i)).thickness());
  for (int i = 0; i < numObjects; ++i) {
    const RigidObject& object = world.objects[i];
    plain::Body& body = add(*object.geometry, world.simulationSurface(world.objectId(i)).thickness());
    body.mass = object.inertia.mass;
    body.moments = plainVector(object.inertia.inertia.diagonal());
    body.position = plainVector(object.X_WO.p);
    body.velocity = plainVector(object.v_WO);
    body.spin = plainVector(object.w_WO);
  }
  const int first = world.objectId(0), other = numTerrains > 0 ? world.terrainId(numTerrains - 1) : first;
  const ContactMaterial material = combine(world.simulationSurface(other), world.simulationSurface(first));
  scene.gravity = plainVector(world.simulation.gravity);
  scene.restitution = material.restitution;
  scene.friction = material.friction;
  scene.step = c.step;
  scene.steps = static_cast<int>((2.5 * (0.05 + 1.5 * c.speed * c.step) / c.speed) / c.step) + 4;
  return scene;
}

/// What Mortise's backend makes of it.
inline plain::History mortiseHistory(const World& world, const Collision& c, int steps, const std::string& backend,
                                     Registry& registry, LogSink& log, const Value& settings = Value::map()) {
  SimulationOptions options;
  options.backend = backend;
  options.backendSettings = settings;
  options.contacts = c.contacts;
  options.adaptiveTimeStepping = false;
  Simulation simulation(world, registry, nullptr, log, options);
  plain::History history;
  for (int i = 0; i < steps; ++i) {
    simulation.step();
    history.emplace_back(world.terrains.size());
    for (int k = 0; k < static_cast<int>(world.objects.size()); ++k) {
      const BodyState& state = simulation.objectState(k);
      history.back().push_back({plainVector(state.v_WB), plainVector(state.w_WB)});
    }
  }
  return history;
}

/// What a history says about the laws of motion.
struct PlainFigures {
  double momentum = 0;     ///< Largest change, of the momentum; with walls the walls' part.
  double growth = -1;      ///< Largest growth of the kinetic energy, of the energy.
  double restitution = 0;  ///< Speed at which the first two bodies part in the end, along x, of that at the start.

  /// Moments as those of balls and boxes that have hardly turned.
  static PlainFigures of(const plain::Scene& scene, const plain::History& history) {
    const auto sums = [&](const auto& velocityOf, const auto& spinOf) {
      std::pair<Vector3d, double> sum(Vector3d::Zero(), 0);
      for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const plain::Body& body = scene.bodies[i];
        const Vector3d v = velocityOf(i), w = spinOf(i);
        sum.first += body.mass * v;
        sum.second += 0.5 * (body.mass * v.squaredNorm() + w.dot(fromPlain(body.moments).asDiagonal() * w));
      }
      return sum;
    };
    const auto start = sums([&](std::size_t i) { return fromPlain(scene.bodies[i].velocity); },
                            [&](std::size_t i) { return fromPlain(scene.bodies[i].spin); });
    PlainFigures figures;
    for (const std::vector<plain::State>& states : history) {
      const auto now = sums([&](std::size_t i) { return fromPlain(states[i].velocity); },
                            [&](std::size_t i) { return fromPlain(states[i].spin); });
      figures.momentum = std::max(figures.momentum, (now.first - start.first).norm() / start.first.norm());
      figures.growth = std::max(figures.growth, now.second / start.second - 1);
    }
    const std::vector<plain::State>& end = history.back();
    figures.restitution =
        (end[1].velocity[0] - end[0].velocity[0]) / (scene.bodies[0].velocity[0] - scene.bodies[1].velocity[0]);
    return figures;
  }
};

/// The largest distance of two histories in velocity, of the fastest velocity at the start; turning counts at 0.1 m.
inline double distance(const plain::Scene& scene, const plain::History& a, const plain::History& b) {
  double fastest = 0, largest = 0;
  for (const plain::Body& body : scene.bodies)
    fastest = std::max(fastest, fromPlain(body.velocity).norm() + 0.1 * fromPlain(body.spin).norm());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < a[i].size(); ++k) {
      const Vector3d v = fromPlain(a[i][k].velocity) - fromPlain(b[i][k].velocity);
      const Vector3d w = fromPlain(a[i][k].spin) - fromPlain(b[i][k].spin);
      largest = std::max(largest, std::max(v.norm(), 0.1 * w.norm()) / fastest);
    }
  return largest;
}

/// Both, and how far they are from each other.
struct SideBySide {
  plain::Scene scene;
  plain::History library, ours;
  PlainFigures libraryFigures, ourFigures;
  double apart = 0;
};

inline Registry& plainRegistry() {
  static NullLog log;
  static Registry* const registry = makeRegistry(log).release();
  return *registry;
}

/// `run` is the plain program.
template <typename Run>
SideBySide sideBySide(const World& world, const Collision& c, const std::string& backend, const Run& run,
                      const Value& settings = Value::map(), int steps = 0) {
  NullLog log;
  SideBySide both;
  both.scene = plainScene(world, c);
  if (steps > 0) both.scene.steps = steps;
  both.library = run(both.scene);
  both.ours = mortiseHistory(world, c, both.scene.steps, backend, plainRegistry(), log, settings);
  both.libraryFigures = PlainFigures::of(both.scene, both.library);
  both.ourFigures = PlainFigures::of(both.scene, both.ours);
  both.apart = distance(both.scene, both.library, both.ours);
  return both;
}

template <typename Run>
SideBySide sideBySide(const Collision& c, const std::string& backend, const Run& run,
                      const Value& settings = Value::map()) {
  return sideBySide(worldOf(c), c, backend, run, settings);
}

/// Of a selection, those with the engine's own contacts that plain programs know, without the longest.
inline std::vector<Collision> plainCollisions() {
  std::vector<Collision> all = pairwiseCollisions(), list;
  const std::vector<Collision> slanting = slantingCollisions();
  for (std::size_t i = 0; i < slanting.size(); i += 23) all.push_back(slanting[i]);
  for (Collision c : all) {
    const bool known = c.bodies == Bodies::spheres || c.bodies == Bodies::boxes || c.bodies == Bodies::rod ||
                       c.bodies == Bodies::chain || c.bodies == Bodies::floor || c.bodies == Bodies::three;
    c.contacts = ContactSource::engine;
    if (known && c.speed * c.step >= 5e-5) list.push_back(c);
  }
  return list;
}

/// What the backend declares that its engine cannot do.
inline std::vector<std::string> declaredLimits(const std::string& backend) {
  NullLog log;
  std::vector<std::string> subjects;
  const Value can = physicsCapabilities(plainRegistry(), plainRegistry().require(Kind::physics, backend), log);
  for (const Value& limit : can.at("limits").items()) subjects.push_back(limit.string("subject", ""));
  return subjects;
}

}  // namespace mortise::test
