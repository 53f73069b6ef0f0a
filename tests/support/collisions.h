#pragma once

/// Collisions of a few bodies without gravity, for tests and benchmarks; `collision_laws.h` says how far engines are
/// from what mechanics demands of them.

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mortise/base/random.h"
#include "mortise/base/value_text.h"
#include "mortise/closed_forms/shapes.h"
#include "mortise/component/physics.h"
#include "tests/support/worlds.h"

namespace mortise::test {

/// `three`: a ball between two that stand side by side; `driven`: a ball on an arm whose motors hold it.
enum class Bodies { spheres, boxes, rod, chain, floor, arm, capsules, hulls, three, driven };

struct Collision {
  Bodies bodies = Bodies::spheres;
  double restitution = 0;
  double massRatio = 1;  ///< Of what is hit, over what hits, which has 1 kg; the floor has none.
  double speed = 1;      ///< m/s
  double step = 1e-3;    ///< s
  ContactSource contacts = ContactSource::external;
  double friction = 0;
  double slant = 0;  ///< Speed across the way to the other body, of that along it.
  double spin = 0;   ///< rad/s, of what flies; the other bodies turn the other way.
};

constexpr std::array kAllBodies = {Bodies::spheres, Bodies::boxes, Bodies::rod,
                                   Bodies::chain,   Bodies::floor, Bodies::arm};
constexpr std::array kBodiesNames = {"spheres", "boxes",    "rod",   "chain", "floor",
                                     "arm",     "capsules", "hulls", "three", "driven"};
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
  return {kAllBodies[at[0]],
          kRestitutions[at[1]],
          kMassRatios[at[2]],
          kSpeeds[at[3]],
          kSteps[at[4]],
          kContactSources[at[5]],
          kFrictions[at[6]],
          0,
          0};
}

inline std::string textOf(const Collision& c) {
  return std::string(kBodiesNames[static_cast<std::size_t>(c.bodies)]) + ", restitution " + formatReal(c.restitution) +
         ", mass ratio " + formatReal(c.massRatio) + ", " + formatReal(c.speed) + " m/s, step " +
         formatReal(1e3 * c.step) + " ms, " + (c.contacts == ContactSource::engine ? "engine's" : "common") +
         " contacts, friction " + formatReal(c.friction) + (c.slant != 0 ? ", slant " + formatReal(c.slant) : "") +
         (c.spin != 0 ? ", spin " + formatReal(c.spin) + " rad/s" : "");
}

/// Every combination of as many levels of each factor.
template <std::size_t N>
std::vector<std::array<std::size_t, N>> combinationsOf(const std::array<std::size_t, N>& levels) {
  std::vector<std::array<std::size_t, N>> list;
  std::array<std::size_t, N> at = {};
  for (bool more = true; more;) {
    list.push_back(at);
    more = false;
    for (std::size_t k = 0; k < N && !more; ++k) {
      more = ++at[k] < levels[k];
      if (!more) at[k] = 0;
    }
  }
  return list;
}

/// Every combination of straight hits without spin.
inline std::vector<Collision> straightCollisions() {
  std::vector<Collision> list;
  for (const Levels& at : combinationsOf(kLevels)) list.push_back(collisionOf(at));
  return list;
}

/// Straight and slanting hits of bodies that turn or do not, between other shapes, steps and mass ratios.
inline std::vector<Collision> slantingCollisions() {
  constexpr std::array kBodies = {Bodies::spheres, Bodies::boxes, Bodies::capsules, Bodies::hulls,
                                  Bodies::three,   Bodies::floor, Bodies::arm,      Bodies::driven};
  constexpr std::array kSlants = {0.0, 1.0}, kSpins = {0.0, 20.0};
  constexpr std::array kBounces = {0.0, 0.3, 1.0}, kSlips = {0.0, 0.3, 1.0};
  constexpr std::array kRatios = {1.0, 300.0}, kFlights = {0.5, 7.0}, kTimes = {7e-4, 3e-3};
  constexpr std::array<std::size_t, 9> kCounts = {8, 3, 2, 2, 2, 2, 3, 2, 2};
  std::vector<Collision> list;
  for (const auto& at : combinationsOf(kCounts))
    list.push_back({kBodies[at[0]], kBounces[at[1]], kRatios[at[2]], kFlights[at[3]], kTimes[at[4]],
                    kContactSources[at[5]], kSlips[at[6]], kSlants[at[7]], kSpins[at[8]]});
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
    std::size_t maximum = 0;
    for (int trial = 0; trial < 200; ++trial) {
      Levels at;
      for (std::size_t k = 0; k < at.size(); ++k) at[k] = random.below(kLevels[k]);
      const Pair& wanted = *missing.begin();
      at[wanted[0]] = wanted[1];
      at[wanted[2]] = wanted[3];
      std::size_t covers = 0;
      for (const Pair& pair : pairsOf(at)) covers += missing.count(pair);
      if (covers > maximum) {
        maximum = covers;
        best = at;
      }
    }
    for (const Pair& pair : pairsOf(best)) missing.erase(pair);
    list.push_back(collisionOf(best));
  }
  return list;
}

/// N m/rad, of the motors of a driven arm whose links have 1 kg.
constexpr double kHold = 200;

/// A convex body without symmetry, about as large as a ball.
inline ConvexHullShape hullShape(double radius) {
  ConvexHullShape hull;
  RandomStream random(3, "hull");
  for (int i = 0; i < 14; ++i) {
    const Vector3d p(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    hull.points.push_back(1.1 * radius * p.normalized());
  }
  return hull;
}

/// What flies is object 0 and moves along x, and along y with a slant; nothing else moves but by spin.
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
  const auto capsule = [&](double mass, const Vector3d& along, const Vector3d& p) {
    add(truth::geometryOf(CapsuleShape{-along, along, kRadius}), mass, truth::sphereMoments(mass, 1.5 * kRadius), p);
  };
  const auto hull = [&](double mass, const Vector3d& p) {
    add(truth::geometryOf(hullShape(kRadius)), mass, truth::sphereMoments(mass, kRadius), p);
  };
  const Vector3d cube = Vector3d::Constant(2 * kRadius);
  const Vector3d start(-2 * kRadius - gap, -c.slant * gap, 0);
  if (c.bodies == Bodies::boxes)
    box(1, cube, start);
  else if (c.bodies == Bodies::capsules)
    capsule(1, Vector3d(0, 0.1, 0.1), start);
  else if (c.bodies == Bodies::hulls)
    hull(1, start);
  else
    sphere(1, start);
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
    case Bodies::capsules:
      capsule(c.massRatio, Vector3d(0, 0, 0.15), Vector3d(0, 0.04, 0.03));
      break;
    case Bodies::hulls:
      hull(c.massRatio, Vector3d(0, 0.03, 0.02));
      break;
    case Bodies::three:
      for (const double side : {-1, 1}) sphere(c.massRatio, Vector3d(0, side * (kRadius + 0.01), 0));
      break;
    case Bodies::floor: {
      Terrain wall;
      wall.name = "wall";
      wall.geometry =
          std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(-kRadius, -1, -1), Vector3d(kRadius, 1, 1)});
      wall.surface.friction = c.friction;
      wall.surface.stiffness = wall.surface.damping = kInfinity;  // Ground is soft by default.
      wall.surface.restitution = c.restitution;
      world.terrains.push_back(wall);
      break;
    }
    case Bodies::arm:
    case Bodies::driven: {
      const bool driven = c.bodies == Bodies::driven;
      RobotDescription arm = armDescription(2);
      for (Link& link : arm.links) {
        link.inertia.mass *= c.massRatio;
        link.inertia.inertia *= c.massRatio;
        link.geometry =
            std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(0, -0.05, -0.05), Vector3d(0.5, 0.05, 0.05)});
        link.torqueMax = driven ? 1e7 : 0;
      }
      for (Driver& driver : arm.drivers) {
        driver.servoP = driven ? kHold * c.massRatio : 0;
        driver.servoI = 0;
        driver.servoD = 0.01 * driver.servoP;
        driver.torqueMin = -1e7;
        driver.torqueMax = 1e7;
      }
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
  for (RigidObject& object : world.objects) object.w_WO = -c.spin * Vector3d(0.6, 0, 0.8);
  world.objects[0].v_WO = Vector3d(c.speed, c.slant * c.speed, 0);
  world.objects[0].w_WO *= -1;
  return world;
}

}  // namespace mortise::test
