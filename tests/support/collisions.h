#pragma once

/// Collisions of a few bodies without gravity, and what mechanics demands of each: for tests and benchmarks.

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mortise/base/random.h"
#include "mortise/base/value_text.h"
#include "mortise/simulation/simulation.h"
#include "mortise/truth/shapes.h"
#include "tests/support/worlds.h"

namespace mortise::test {

enum class Bodies { spheres, boxes, rod, chain, floor, arm };

struct Collision {
  Bodies bodies = Bodies::spheres;
  double restitution = 0;
  double massRatio = 1;  ///< Of what is hit, over what hits, which has 1 kg; the floor has none.
  double speed = 1;      ///< m/s
  double step = 1e-3;    ///< s
  ContactSource contacts = ContactSource::external;
  double friction = 0;
};

constexpr std::array kAllBodies = {Bodies::spheres, Bodies::boxes, Bodies::rod,
                                   Bodies::chain,   Bodies::floor, Bodies::arm};
constexpr std::array kBodiesNames = {"spheres", "boxes", "rod", "chain", "floor", "arm"};
constexpr std::array kRestitutions = {0.0, 0.5, 1.0};
constexpr std::array kMassRatios = {1.0, 30.0, 1e3, 1e-3};
constexpr std::array kSpeeds = {0.1, 1.0, 5.0, 20.0};
constexpr std::array kSteps = {1e-4, 1e-3, 2e-3, 5e-3};
constexpr std::array kContactSources = {ContactSource::external, ContactSource::engine};
constexpr std::array kFrictions = {0.0, 0.5};
constexpr std::array<std::size_t, 7> kLevels = {kAllBodies.size(), kRestitutions.size(), kMassRatios.size(),
                                                kSpeeds.size(),    kSteps.size(),        kContactSources.size(),
                                                kFrictions.size()};
using Levels = std::array<std::size_t, 7>;

inline Collision collisionOf(const Levels& at) {
  return {kAllBodies[at[0]], kRestitutions[at[1]],   kMassRatios[at[2]], kSpeeds[at[3]],
          kSteps[at[4]],     kContactSources[at[5]], kFrictions[at[6]]};
}

inline std::string textOf(const Collision& c) {
  return std::string(kBodiesNames[static_cast<std::size_t>(c.bodies)]) + ", restitution " + formatReal(c.restitution) +
         ", mass ratio " + formatReal(c.massRatio) + ", " + formatReal(c.speed) + " m/s, step " +
         formatReal(1e3 * c.step) + " ms, " + (c.contacts == ContactSource::engine ? "engine's" : "common") +
         " contacts, friction " + formatReal(c.friction);
}

/// Every combination.
inline std::vector<Collision> allCollisions() {
  std::vector<Collision> list;
  Levels at = {};
  for (bool more = true; more;) {
    list.push_back(collisionOf(at));
    more = false;
    for (std::size_t k = 0; k < at.size() && !more; ++k) {
      more = ++at[k] < kLevels[k];
      if (!more) at[k] = 0;
    }
  }
  return list;
}

/// A fixed selection in which each two levels of different factors meet: the best of random candidates, again and
/// again.
inline std::vector<Collision> pairwiseCollisions() {
  using Pair = std::array<std::size_t, 4>;
  const auto pairsOf = [](const Levels& at) {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < at.size(); ++i)
      for (std::size_t j = i + 1; j < at.size(); ++j) pairs.push_back({i, at[i], j, at[j]});
    return pairs;
  };
  std::set<Pair> missing;
  for (std::size_t i = 0; i < kLevels.size(); ++i)
    for (std::size_t j = i + 1; j < kLevels.size(); ++j)
      for (std::size_t a = 0; a < kLevels[i]; ++a)
        for (std::size_t b = 0; b < kLevels[j]; ++b) missing.insert({i, a, j, b});
  RandomStream random(7, "collisions");
  std::vector<Collision> list;
  while (!missing.empty()) {
    Levels best = {};
    std::size_t most = 0;
    for (int trial = 0; trial < 200; ++trial) {
      Levels at;
      for (std::size_t k = 0; k < at.size(); ++k) at[k] = random.below(kLevels[k]);
      const Pair& wanted = *missing.begin();
      at[wanted[0]] = wanted[1];
      at[wanted[2]] = wanted[3];
      std::size_t covers = 0;
      for (const Pair& pair : pairsOf(at)) covers += missing.count(pair);
      if (covers > most) {
        most = covers;
        best = at;
      }
    }
    for (const Pair& pair : pairsOf(best)) missing.erase(pair);
    list.push_back(collisionOf(best));
  }
  return list;
}

/// What flies is object 0 and moves along x; nothing else moves.
inline World worldOf(const Collision& c) {
  constexpr double kRadius = 0.1;
  World world;
  world.simulation.gravity.setZero();
  world.simulation.timeStep = c.step;
  const double gap = 0.03 + 1.5 * c.speed * c.step;
  const auto add = [&](GeometryPtr shape, double mass, const Matrix3d& moments, const Vector3d& p) {
    RigidObject object;
    object.name = "body" + std::to_string(world.objects.size());
    object.geometry = std::move(shape);
    object.inertia = {mass, Vector3d::Zero(), moments};
    object.X_WO.p = p;
    object.surface.friction = c.friction;
    object.surface.restitution = c.restitution;
    object.surface.padding = 0.0025;
    world.objects.push_back(object);
  };
  const auto sphere = [&](double mass, const Vector3d& p) {
    add(truth::sphereGeometry(kRadius), mass, truth::sphereMoments(mass, kRadius), p);
  };
  const auto box = [&](double mass, const Vector3d& size, const Vector3d& p) {
    add(truth::boxGeometry(size), mass, truth::boxMoments(mass, size), p);
  };
  const Vector3d cube = Vector3d::Constant(2 * kRadius);
  const double left = -2 * kRadius - gap;
  if (c.bodies == Bodies::boxes)
    box(1, cube, Vector3d(left, 0, 0));
  else
    sphere(1, Vector3d(left, 0, 0));
  world.objects[0].v_WO.x() = c.speed;
  switch (c.bodies) {
    case Bodies::spheres:
      sphere(c.massRatio, Vector3d::Zero());
      break;
    case Bodies::boxes:
      box(c.massRatio, cube, Vector3d(0, 0.03, 0));
      break;
    case Bodies::rod:
      box(c.massRatio, Vector3d(0.05, 0.6, 0.05), Vector3d(-kRadius + 0.025, 0.2, 0));
      break;
    case Bodies::chain:
      sphere(c.massRatio, Vector3d::Zero());
      sphere(c.massRatio, Vector3d(2 * kRadius + 0.02, 0, 0));
      break;
    case Bodies::floor: {
      Terrain wall;
      wall.name = "wall";
      wall.geometry =
          std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(-kRadius, -1, -1), Vector3d(kRadius, 1, 1)});
      wall.friction = {c.friction};
      wall.surface.friction = c.friction;
      wall.surface.stiffness = wall.surface.damping = kInfinity;  // Ground is soft by default.
      wall.surface.restitution = c.restitution;
      world.terrains.push_back(wall);
      break;
    }
    case Bodies::arm: {
      RobotDescription arm = armDescription(2);
      for (Link& link : arm.links) {
        link.inertia.mass *= c.massRatio;
        link.inertia.inertia *= c.massRatio;
        link.geometry =
            std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(0, -0.05, -0.05), Vector3d(0.5, 0.05, 0.05)});
        link.torqueMax = 0;
      }
      for (Driver& driver : arm.drivers) driver.servoP = driver.servoI = driver.servoD = 0;
      // Hangs along -z, its second link from -0.25 to 0.25 at x = 0.
      arm.links[0].X_PL0.R = truth::rotationAbout(Vector3d::UnitY(), std::acos(-1.0) / 2);
      arm.links[0].X_PL0.p = Vector3d(-0.05, 0, 0.75);
      world.robots.push_back(placedRobot(arm));
      for (int link = 0; link < 2; ++link) {
        SurfaceOverride surface;
        surface.friction = c.friction;
        surface.restitution = c.restitution;
        world.simulation.surfaces.emplace_back(world.linkId(0, link), surface);
      }
      break;
    }
  }
  return world;
}

/// How far a collision was from what mechanics says.
struct CollisionOutcome {
  StepStatus worst = StepStatus::normal;
  double momentum = 0;  ///< Largest change of momentum while it ran, of the momentum; 0 where something is held.
  double angular = 0;   ///< The same of the angular momentum about the origin, of mass 1 at this speed and 0.1 m.
  double growth = 0;    ///< Largest growth of the energy, of the energy.
  double restitution = std::nan("");  ///< Seen; of the first two bodies or the wall, where their shapes are central.
  bool named = false;                 ///< Growth was reported.
};

inline CollisionOutcome collide(const Collision& c, const std::string& backend, Registry& registry, LogSink& log) {
  const World world = worldOf(c);
  SimulationOptions options;
  options.backend = backend;
  options.contacts = c.contacts;
  Simulation simulation(world, registry, nullptr, log, options);
  const bool held = !world.terrains.empty() || !world.robots.empty();
  const auto momenta = [&] {
    std::pair<Vector3d, Vector3d> sum(Vector3d::Zero(), Vector3d::Zero());
    for (int i = 0; i < static_cast<int>(world.objects.size()); ++i) {
      const BodyInertia& inertia = world.objects[static_cast<std::size_t>(i)].inertia;
      const BodyState& state = simulation.objectState(i);
      const Vector3d p = inertia.mass * state.v_WB;
      sum.first += p;
      sum.second += state.X_WB.p.cross(p) + state.X_WB.R * (inertia.inertia * (state.X_WB.R.transpose() * state.w_WB));
    }
    return sum;
  };
  const auto before = momenta();
  const double energy = simulation.energy().kinetic;
  CollisionOutcome out;
  const double time = 2.5 * (0.05 + 1.5 * c.speed * c.step) / c.speed + 4 * c.step;
  for (double t = 0; t < time && simulation.status() != StepStatus::error; t += c.step) {
    simulation.step();
    const auto now = momenta();
    out.growth = std::max(out.growth, simulation.energy().kinetic / energy - 1);
    if (held) continue;
    out.momentum = std::max(out.momentum, (now.first - before.first).norm() / c.speed);
    out.angular = std::max(out.angular, (now.second - before.second).norm() / (0.1 * c.speed));
  }
  out.worst = simulation.worstStatus();
  out.named = !simulation.unstableBodies().empty();
  if (c.bodies == Bodies::spheres || c.bodies == Bodies::floor) {
    const double other = held ? 0 : simulation.objectState(1).v_WB.x();
    out.restitution = (other - simulation.objectState(0).v_WB.x()) / c.speed;
  }
  return out;
}

}  // namespace mortise::test
