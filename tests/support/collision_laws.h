#pragma once

/// How far a collision on an engine is from what mechanics demands, and what an engine declares that it cannot do about
/// it.

#include "mortise/inspect/physics_capabilities.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/collisions.h"

namespace mortise::test {

struct CollisionOutcome {
  StepStatus worst = StepStatus::normal;
  double momentum = 0;  ///< Largest change of momentum while it ran, of the momentum; 0 where something is held.
  double angular = 0;   ///< The same of the angular momentum about the origin, of a ball of 1 kg and 0.1 m.
  double growth = 0;    ///< Most energy that impacts together have added at any time, of the energy at the start.
  double drift = 0;     ///< The same of motion between them, which is the error of integration.
  double kept = 0;      ///< Energy in the end, of the energy at the start.
  double restitution = std::nan("");  ///< Seen; of the first two bodies or the wall, where their shapes are central.
  bool named = false;                 ///< Growth was reported.
};

/// Kinetic energy, and that of the springs that a driven arm's motors are.
inline double energyOf(const Simulation& simulation, const Collision& c) {
  double energy = simulation.energy().kinetic;
  if (c.bodies == Bodies::driven)
    for (const JointState& joint : simulation.jointStates())
      energy += 0.5 * kHold * c.massRatio * joint.position * joint.position;
  return energy;
}

inline CollisionOutcome collide(const Collision& c, const std::string& backend, Registry& registry, LogSink& log,
                                const Value& settings = Value::map()) {
  const World world = worldOf(c);
  SimulationOptions options;
  options.backend = backend;
  options.backendSettings = settings;
  options.contacts = c.contacts;
  Simulation simulation(world, registry, nullptr, log, options);
  const bool held = !world.terrains.empty() || !world.robots.empty();
  const int numObjects = static_cast<int>(world.objects.size());
  const auto momenta = [&] {
    std::pair<Vector3d, Vector3d> sum(Vector3d::Zero(), Vector3d::Zero());
    for (int i = 0; i < numObjects; ++i) {
      const BodyInertia& inertia = world.objects[static_cast<std::size_t>(i)].inertia;
      const BodyState& state = simulation.objectState(i);
      const Vector3d p = inertia.mass * state.v_WB;
      sum.first += p;
      sum.second += state.X_WB.p.cross(p) + state.X_WB.R * (inertia.inertia * (state.X_WB.R.transpose() * state.w_WB));
    }
    return sum;
  };
  const auto before = momenta();
  const double start = energyOf(simulation, c), central = world.objects[0].v_WO.norm() + 0.1 * c.spin;
  double energy = start, impacts = 0, flights = 0;
  CollisionOutcome out;
  const double time = 2.5 * (0.05 + 1.5 * c.speed * c.step) / c.speed + 4 * c.step;
  for (double t = 0; t < time && simulation.status() != StepStatus::error; t += c.step) {
    std::vector<Vector3d> last;
    for (int i = 0; i < numObjects; ++i) last.push_back(simulation.objectState(i).v_WB);
    simulation.step();
    bool impact = std::any_of(simulation.contacts().begin(), simulation.contacts().end(),
                              [](const ContactForce& contact) { return !contact.force.isZero(0); });
    // A step that was made in parts reports the contacts of the last one.
    for (int i = 0; i < numObjects; ++i)
      impact = impact || (simulation.objectState(i).v_WB - last[static_cast<std::size_t>(i)]).norm() > 1e-6 * central;
    const double now = energyOf(simulation, c);
    (impact ? impacts : flights) += (now - energy) / start;
    out.growth = std::max(out.growth, impacts);
    out.drift = std::max(out.drift, flights);
    energy = now;
    if (held) continue;
    const auto sums = momenta();
    out.momentum = std::max(out.momentum, (sums.first - before.first).norm() / before.first.norm());
    out.angular = std::max(out.angular, (sums.second - before.second).norm() / (0.1 * central));
  }
  out.worst = simulation.worstStatus();
  out.kept = energy / start;
  out.named = !simulation.unstableBodies().empty();
  if ((c.bodies == Bodies::spheres || c.bodies == Bodies::floor) && c.slant == 0 && c.spin == 0) {
    const double other = held ? 0 : simulation.objectState(1).v_WB.x();
    out.restitution = (other - simulation.objectState(0).v_WB.x()) / c.speed;
  }
  return out;
}

/// What an engine says about itself.
struct CollisionClaims {
  bool ownContacts = false, bounces = false;
  bool pushesOut = false;     ///< Correcting penetration adds to the velocity.
  bool ownBounces = true;     ///< Its own contacts bounce, too.
  bool ownEnergy = true;      ///< Its own contacts give no energy.
  bool keepsMomentum = true;  ///< To rounding, also of bodies that turn.

  static CollisionClaims of(Registry& registry, const std::string& backend, LogSink& log) {
    const Value can = physicsCapabilities(registry, registry.require(Kind::physics, backend), log);
    const auto limited = [&](const std::string& subject) {
      for (const Value& limit : can.at("limits").items())
        if (limit.string("subject", "") == subject) return true;
      return false;
    };
    CollisionClaims claims;
    claims.ownContacts = can.at("ownContacts").asBool();
    claims.bounces = can.at("restitution").asBool();
    claims.pushesOut = limited("energy of collisions");
    claims.ownBounces = !limited("restitution of its own contacts");
    claims.ownEnergy = !limited("energy of its own contacts");
    claims.keepsMomentum = !limited("momentum of bodies that turn");
    return claims;
  }
};

/// What a collision may be off by at most; infinite where nothing is said.
struct CollisionBounds {
  double momentum = 1e-9, angular = 0, growth = kInfinity, restitution = kInfinity;

  /// What mechanics demands, of an engine without limits.
  static CollisionBounds ofMechanics(const Collision& c, bool bounces) {
    CollisionBounds bounds;
    bounds.angular = std::max(1e-9, 2 * c.step * (c.speed / 0.1 + c.spin));
    if (c.friction == 0) bounds.growth = 1e-6;
    // Slow bodies do not bounce. Those that stay in touch are pushed apart at up to 0.1 m/s.
    if (bounces && c.speed >= 0.5) bounds.restitution = 0.02 + (c.restitution == 0 ? 0.1 : 2e-3) / c.speed;
    return bounds;
  }
  /// With the limits that an engine declares.
  static CollisionBounds declared(const Collision& c, const CollisionClaims& claims) {
    CollisionBounds bounds = ofMechanics(c, claims.bounces);
    const bool own = c.contacts == ContactSource::engine;
    if (!claims.keepsMomentum) bounds.momentum = 1e-6;
    if (claims.pushesOut) {
      // A share of 0.08 of the depth in each step, which is at most the way of a step: that much of the speed.
      if (c.friction == 0) bounds.growth = 1.08 * 1.08 - 1;
      bounds.restitution += 0.08;
    }
    if (own && !claims.ownEnergy) bounds.growth = kInfinity;
    if (own && !claims.ownBounces) bounds.restitution = kInfinity;
    return bounds;
  }
};

}  // namespace mortise::test
