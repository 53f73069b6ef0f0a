#include <cmath>
#include <cstdio>

#include "bench.h"
#include "fcl_check.h"
#include "mortise/planning/paths/path_check.h"
#include "plans.h"

namespace mortise::bench {
namespace {

/// Configurations of a path that FCL finds colliding, no farther apart than `resolution`.
int fclCollisions(const RobotSpace& space, FclCheck& check, const std::vector<VectorXd>& path, double resolution,
                  std::int64_t& checked) {
  int collisions = 0;
  VectorXd q, full;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const int steps = static_cast<int>(std::ceil(space.distance(path[i - 1], path[i]) / resolution));
    for (int k = 0; k <= steps; ++k, ++checked) {
      space.interpolate(path[i - 1], path[i], static_cast<double>(k) / std::max(1, steps), q);
      space.lift(q, full);
      collisions += check.collides(full) ? 1 : 0;
    }
  }
  return collisions;
}

}  // namespace

void runPaths(const Settings& settings) {
  const int count = settings.count > 0 ? settings.count : 50;
  std::printf(
      "every path looked at again: by a check that shares nothing with that of planners, every 0.001, and by FCL, "
      "every "
      "0.01\n");
  std::int64_t plans = 0, faults = 0, withFcl = 0;
  for (const std::string& name : settings.worlds) {
    const auto scene = loadScene(settings.folder, name);
    if (!scene) {
      std::printf("%s: not there; set MORTISE_REFERENCE_DIR\n", name.c_str());
      continue;
    }
    RobotSpace space = scene->space();
    FclCheck fcl(*scene, true);
    PathChecker checker(space, scene->collider);
    const std::vector<Pair> pairs = randomPairs(space, count, settings.seed + 1000);
    for (const std::string& planner : settings.planners) {
      int solved = 0, bad = 0, badWithFcl = 0;
      std::int64_t configurations = 0, fclConfigurations = 0;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const Planned planned = plan(*scene, planner, pairs[i], {}, settings.seconds, settings.seed + i);
        if (!planned.solved) continue;
        ++solved;
        const PathCheckResult result = checker.check(planned.path, {.resolution = 0.001});
        configurations += result.configurations;
        if (!result.valid) {
          ++bad;
          std::printf("  pair %zu: %s\n", i, result.faults.front().text.c_str());
        }
        badWithFcl += fclCollisions(space, fcl, planned.path, 0.01, fclConfigurations) > 0 ? 1 : 0;
      }
      std::printf("%-17s %-18s %4d plans, %10lld configurations: %d with faults; FCL, %9lld: %d with collisions\n",
                  scene->name.c_str(), planner.c_str(), solved, static_cast<long long>(configurations), bad,
                  static_cast<long long>(fclConfigurations), badWithFcl);
      std::fflush(stdout);
      plans += solved;
      faults += bad;
      withFcl += badWithFcl;
    }
  }
  std::printf("%lld plans: %lld with faults, %lld with collisions by FCL\n", static_cast<long long>(plans),
              static_cast<long long>(faults), static_cast<long long>(withFcl));
}

}  // namespace mortise::bench
