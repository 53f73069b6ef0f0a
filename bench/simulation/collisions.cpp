/// Every combination of shapes, restitutions, mass ratios, speeds, steps, sources of contacts and friction: how far
/// each engine is from the laws of motion.

#include "tests/support/collisions.h"

#include <cmath>
#include <cstdio>
#include <map>

#include "mortise/inspect/physics_capabilities.h"
#include "shared/plugins.h"
#include "simulation/bench.h"

namespace mortise::bench {
namespace {

struct Worst {
  double value = 0;
  std::string where;
  void take(double other, const test::Collision& c) {
    if (!(other > value) && !std::isnan(other)) return;
    value = other;
    where = test::textOf(c);
  }
};

}  // namespace

int runCollisions(const Options& options) {
  NullLog log;
  Registry registry(log);
  discoverPlugins(registry);
  const std::vector<test::Collision> all = test::allCollisions();
  std::size_t stride = 1;
  while (all.size() / stride > static_cast<std::size_t>(options.steps)) ++stride;
  for (const std::string& backend : options.backends) {
    const ComponentInfo& info = registry.require(Kind::physics, backend);
    const bool own = physicsCapabilities(registry, info, log).at("ownContacts").asBool();
    for (const double friction : test::kFrictions) {
      Worst momentum, angular, growth, restitution;
      int runs = 0, errors = 0, grown = 0, named = 0;
      for (std::size_t i = 0; i < all.size(); i += stride) {
        const test::Collision& c = all[i];
        if (c.friction != friction || (!own && c.contacts == ContactSource::engine)) continue;
        const test::CollisionOutcome out = test::collide(c, backend, registry, log);
        ++runs;
        errors += out.worst == StepStatus::error;
        momentum.take(out.momentum, c);
        angular.take(out.angular, c);
        growth.take(out.growth, c);
        grown += out.growth > 1e-3;
        named += out.growth > 1e-3 && out.named;
        if (!std::isnan(out.restitution)) restitution.take(std::abs(out.restitution - c.restitution), c);
      }
      std::printf(
          "%s, friction %g: %d collisions, %d ended by an error, %d gained over 0.1 %% of energy, %d of them "
          "reported\n",
          backend.c_str(), friction, runs, errors, grown, named);
      const std::pair<const char*, const Worst*> rows[] = {{"momentum changes by", &momentum},
                                                           {"angular momentum", &angular},
                                                           {"energy grows by", &growth},
                                                           {"restitution is off by", &restitution}};
      for (const auto& [what, worst] : rows)
        std::printf("  %-22s at most %9.2e  %s\n", what, worst->value, worst->where.c_str());
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace mortise::bench
