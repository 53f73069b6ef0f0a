#include <cstdio>

#include "bench.h"
#include "plans.h"

namespace mortise::bench {

void runSuccess(const Settings& settings) {
  const int count = settings.count > 0 ? settings.count : 20;
  std::printf(
      "random feasible pairs, one a seed, %g s: solved, thread time in ms (unsolved ones count with the limit), "
      "length, iterations\n",
      settings.seconds);
  for (const std::string& name : settings.worlds) {
    const auto scene = loadScene(settings.folder, name);
    if (!scene) {
      std::printf("%s: not there; set MORTISE_REFERENCE_DIR\n", name.c_str());
      continue;
    }
    RobotSpace space = scene->space();
    const std::vector<Pair> pairs = randomPairs(space, count, settings.seed);
    for (const std::string& planner : settings.planners) {
      std::vector<double> times, lengths, iterations;
      int solved = 0;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const Planned planned = plan(*scene, planner, pairs[i], {}, settings.seconds, settings.seed + i);
        times.push_back(planned.solved ? planned.seconds : settings.seconds);
        iterations.push_back(static_cast<double>(planned.iterations));
        if (!planned.solved) continue;
        ++solved;
        lengths.push_back(planned.length);
      }
      std::printf("%-17s %-18s %3d/%d  median %9.2f  p95 %9.2f  max %9.2f   length %6.2f  iterations %7.0f\n",
                  scene->name.c_str(), planner.c_str(), solved, count, 1e3 * median(times), 1e3 * quantile(times, 0.95),
                  1e3 * quantile(times, 1), median(lengths), median(iterations));
      std::fflush(stdout);
    }
  }
}

}  // namespace mortise::bench
