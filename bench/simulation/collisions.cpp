/// Every combination of shapes, restitutions, mass ratios, speeds, steps, sources of contacts and friction: how far
/// each engine is from the laws of motion, by engine and source of contacts.

#include <cmath>
#include <cstdio>

#include "shared/plugins.h"
#include "simulation/bench.h"
#include "tests/support/collision_laws.h"

namespace mortise::bench {
namespace {

/// One law over many collisions.
struct Law {
  const char* name;
  int broken = 0, beyond = 0;  ///< Against mechanics; also beyond the limits that the engine declares.
  double worst = 0;
  std::string where = {}, beyondWhere = {};

  void take(double value, double allowed, double declared, const test::Collision& c) {
    if (std::isnan(value)) return;
    broken += value > allowed;
    if (value > declared && ++beyond == 1) beyondWhere = test::textOf(c);
    if (value <= worst) return;
    worst = value;
    where = test::textOf(c);
  }
};

/// The collisions of one engine with one source of contacts, without or with friction.
struct Summary {
  int runs = 0, errors = 0, unnamed = 0;
  Law momentum{"momentum changes by"}, angular{"angular momentum by"}, growth{"an impact adds energy"},
      drift{"flight adds energy"}, restitution{"restitution is off by"};

  void take(const test::Collision& c, const test::CollisionOutcome& out, const test::CollisionClaims& claims) {
    const auto mechanics = test::CollisionBounds::ofMechanics(c, claims.bounces);
    const auto declared = test::CollisionBounds::declared(c, claims);
    ++runs;
    errors += out.worst == StepStatus::error;
    unnamed += out.growth > 0.05 && !out.named;
    momentum.take(out.momentum, mechanics.momentum, declared.momentum, c);
    angular.take(out.angular, mechanics.angular, declared.angular, c);
    growth.take(out.growth, mechanics.growth, declared.growth, c);
    drift.take(out.drift, kInfinity, kInfinity, c);
    const double off = std::abs(out.restitution - c.restitution);
    if (std::isfinite(mechanics.restitution)) restitution.take(off, mechanics.restitution, declared.restitution, c);
  }

  void print(const std::string& title) const {
    std::printf("%s: %d collisions, %d ended by an error, %d gained over 5 %% of energy without a report\n",
                title.c_str(), runs, errors, unnamed);
    for (const Law* law : {&momentum, &angular, &growth, &drift, &restitution}) {
      std::printf("  %-22s at most %8.1e; %4d break the law", law->name, law->worst, law->broken);
      std::printf(law->beyond > 0 ? ", %d of them beyond what is declared" : "", law->beyond);
      std::printf("%s%s\n", law->where.empty() ? "" : "  ", law->where.c_str());
      if (law->beyond > 0) std::printf("    first beyond: %s\n", law->beyondWhere.c_str());
    }
    std::fflush(stdout);
  }
};

}  // namespace

int runCollisions(const Options& options) {
  NullLog log;
  Registry registry(log);
  discoverPlugins(registry);
  std::vector<std::string> backends = options.backends;
  if (!options.backendsChosen) {
    backends.clear();
    for (const char* name : {"mortise", "ode", "bullet", "dart", "mujoco"})
      if (registry.find(Kind::physics, name) != nullptr)
        backends.push_back(name);
      else
        std::printf("left out: this build has no physics backend '%s'\n", name);
  }
  for (const bool slanting : {false, true}) {
    const auto all = slanting ? test::slantingCollisions() : test::straightCollisions();
    std::size_t stride = 1;
    while (all.size() / stride > static_cast<std::size_t>(options.steps)) ++stride;
    std::printf("%s\n", slanting ? "Straight and slanting, turning bodies, other shapes" : "Straight");
    for (const std::string& backend : backends) {
      const auto claims = test::CollisionClaims::of(registry, backend, log);
      for (const ContactSource source : test::kContactSources) {
        if (source == ContactSource::engine && !claims.ownContacts) continue;
        Summary smooth, rough;
        for (std::size_t i = 0; i < all.size(); i += stride) {
          const test::Collision& c = all[i];
          if (c.contacts != source) continue;
          (c.friction == 0 ? smooth : rough).take(c, test::collide(c, backend, registry, log), claims);
        }
        const std::string title = backend + (source == ContactSource::engine ? ", its own contacts" : "");
        smooth.print(title);
        rough.print(title + ", friction");
      }
    }
  }
  return 0;
}

}  // namespace mortise::bench
