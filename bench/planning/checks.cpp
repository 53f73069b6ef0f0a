#include <cmath>
#include <cstdio>

#include "bench.h"
#include "scenes.h"

namespace mortise::bench {
namespace {

/// Microseconds of one `feasible`, and how many are.
void runFeasible(const Scene& scene, int count, std::uint64_t seed) {
  RobotSpace space = scene.space();
  RandomStream random(seed, "configurations");
  std::vector<VectorXd> q(static_cast<std::size_t>(count));
  for (VectorXd& each : q) space.sample(random, each);
  int feasible = 0;
  for (int i = 0; i < count / 10; ++i) space.feasible(q[static_cast<std::size_t>(i)]);
  double time[2] = {0, 0};
  for (const VectorXd& each : q) {
    const double start = threadSeconds();
    const bool free = space.feasible(each);
    time[free] += threadSeconds() - start;
    feasible += free ? 1 : 0;
  }
  std::printf("%-17s %2d coordinates, extent %5.2f: feasible() %6.2f us, %5.1f %% are (%.2f us; %.2f us when not)\n",
              scene.name.c_str(), space.dimension(), space.extent(), 1e6 * (time[0] + time[1]) / count,
              100.0 * feasible / count, 1e6 * time[1] / std::max(1, feasible),
              1e6 * time[0] / std::max(1, count - feasible));
}

struct Tally {
  std::vector<double> times;
  double configurations = 0;
};

/// Ways between feasible ends: of a given length towards a random configuration, or all the way (0).
void runVisible(const Scene& scene, double length, const char* method, const EdgeCheckOptions& edges, int count,
                std::uint64_t seed) {
  RobotSpace space = scene.space(edges);
  std::vector<Pair> pairs;
  for (std::uint64_t round = 0; static_cast<int>(pairs.size()) < count && round < 100; ++round)
    for (Pair& pair : randomPairs(space, count, seed + round)) {
      const double full = space.distance(pair.start, pair.goal);
      if (length > 0 && length < full) {
        VectorXd end;
        space.interpolate(pair.start, pair.goal, length / full, end);
        pair.goal = end;
      }
      if (space.feasible(pair.goal)) pairs.push_back(pair);
      if (static_cast<int>(pairs.size()) == count) break;
    }
  // A tenth to warm up; a space remembers ways that were free.
  for (std::size_t i = 0; i < pairs.size() / 10; ++i) space.visible(pairs[i].start, pairs[i].goal);
  pairs.erase(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(pairs.size() / 10));
  Tally tally[2];
  for (const Pair& candidate : pairs) {
    const std::int64_t before = space.counts().configurations;
    const double start = threadSeconds();
    const bool free = space.visible(candidate.start, candidate.goal);
    tally[free].times.push_back(threadSeconds() - start);
    tally[free].configurations += static_cast<double>(space.counts().configurations - before);
  }
  const double blocked = static_cast<double>(tally[0].times.size()), free = static_cast<double>(tally[1].times.size());
  char name[16];
  std::snprintf(name, sizeof name, length > 0 ? "%.1f" : "pairs", length);
  std::printf(
      "  %-6s %-12s %5.1f %% free  mean %8.1f us | free: mean %8.1f median %8.1f us, %6.1f conf. | blocked: mean %7.1f "
      "median %7.1f us, %5.1f conf.\n",
      name, method, 100 * free / (free + blocked),
      1e6 * (mean(tally[0].times) * blocked + mean(tally[1].times) * free) / (free + blocked),
      1e6 * mean(tally[1].times), 1e6 * median(tally[1].times), tally[1].configurations / std::max(1.0, free),
      1e6 * mean(tally[0].times), 1e6 * median(tally[0].times), tally[0].configurations / std::max(1.0, blocked));
}

}  // namespace

void runChecks(const Settings& settings) {
  const int count = settings.count > 0 ? settings.count : 2000;
  const std::uint64_t seed = settings.seed;
  std::printf("feasibility of configurations, and ways between feasible ends by length (thread time)\n");
  for (const std::string& name : settings.worlds) {
    const auto scene = loadScene(settings.folder, name);
    if (!scene) {
      std::printf("%s: not there; set MORTISE_REFERENCE_DIR\n", name.c_str());
      continue;
    }
    runFeasible(*scene, 10 * count, seed);
    using Method = EdgeCheckOptions::Method;
    for (const double length : {0.1, 0.5, 2.0, 0.0}) {
      runVisible(*scene, length, "proven", {.method = Method::proven}, count, seed);
      runVisible(*scene, length, "every 0.01", {.method = Method::resolution, .resolution = 0.01}, count / 4, seed);
      runVisible(*scene, length, "every 0.1", {.method = Method::resolution, .resolution = 0.1}, count, seed);
    }
  }
}

}  // namespace mortise::bench
