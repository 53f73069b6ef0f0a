#include <cstdio>

#include "bench.h"
#include "ompl_peer.h"

namespace mortise::bench {
namespace {

struct Row {
  std::vector<double> times;  ///< Times of solved ones.
  double seconds = 0, configurations = 0;
  int count = 0, solved = 0;

  void add(const Planned& planned, double limit) {
    ++count;
    seconds += planned.seconds;
    configurations += static_cast<double>(planned.configurations);
    // What was not solved took at least as long as it was given.
    times.push_back(planned.solved ? planned.seconds : limit);
    solved += planned.solved ? 1 : 0;
  }
};

double rate(const Row& row) { return row.configurations / row.seconds; }

/// `peers`: every pair of bodies, and boxes first; null for the peers themselves.
void print(const std::string& name, const Row& row, const Row* peers) {
  std::printf("  %-36s %3d/%d   median %8.3f ms  p95 %9.3f ms  %7.0f conf./s", name.c_str(), row.solved, row.count,
              1e3 * median(row.times), 1e3 * quantile(row.times, 0.95), rate(row));
  if (peers != nullptr)
    std::printf("   ratios: time %6.1f %5.1f, conf./s %5.1f %5.1f", median(peers[0].times) / median(row.times),
                median(peers[1].times) / median(row.times), rate(row) / rate(peers[0]), rate(row) / rate(peers[1]));
  std::printf("\n");
}

void compare(const Scene& scene, const Settings& settings, const std::vector<Pair>& pairs, double resolution,
             const char* which, const char* what) {
  using Method = EdgeCheckOptions::Method;
  const EdgeCheckOptions sampled{.method = Method::resolution, .resolution = resolution}, proven;
  struct Ours {
    std::string planner;
    EdgeCheckOptions edges;
    std::string name;
    Row row;
  };
  std::vector<Ours> ours;
  for (const std::string& planner : settings.planners) {
    ours.push_back({planner, sampled, planner + ", the same resolution", {}});
    ours.push_back({planner, proven, planner + ", proven", {}});
  }
  Row peers[2];
  FclCheck every(scene, false), boxesFirst(scene, true);
  // In turns, as what else runs on the machine slows all of them down.
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    peers[0].add(omplRrtConnect(scene, every, pairs[i], resolution, settings.seconds), settings.seconds);
    peers[1].add(omplRrtConnect(scene, boxesFirst, pairs[i], resolution, settings.seconds), settings.seconds);
    for (Ours& each : ours)
      each.row.add(plan(scene, each.planner, pairs[i], each.edges, settings.seconds, settings.seed + i),
                   settings.seconds);
  }
  std::printf("%s, %s, ways looked at every %.3f (%s), %zu pairs of bodies\n", scene.name.c_str(), which, resolution,
              what, every.numPairs());
  print("OMPL RRTConnect, FCL on every pair", peers[0], nullptr);
  print("OMPL RRTConnect, FCL, boxes first", peers[1], nullptr);
  for (const Ours& each : ours) print(each.name, each.row, peers);
  std::fflush(stdout);
}

}  // namespace

void runPeer(const Settings& settings) {
  const int count = settings.count > 0 ? settings.count : 50;
  std::printf(
      "plans between random feasible configurations, one a seed, against OMPL's RRTConnect over FCL "
      "(BVHModel<OBBRSS>):\n"
      "thread time until the first path, problems set up beforehand; ratios to both peers\n");
  seedOmpl(settings.seed);
  for (const std::string& name : settings.worlds) {
    const auto scene = loadScene(settings.folder, name);
    if (!scene) {
      std::printf("%s: not there; set MORTISE_REFERENCE_DIR\n", name.c_str());
      continue;
    }
    RobotSpace space = scene->space();
    for (const bool blocked : {false, true}) {
      if (blocked && scene->world->terrains.size() == 1) continue;  // Hardly any is.
      const std::vector<Pair> pairs = randomPairs(space, count, settings.seed, blocked);
      const char* which = blocked ? "straight edge blocked" : "all pairs";
      compare(*scene, settings, pairs, 0.01 * space.extent(), which, "1 % of the extent, OMPL's default");
      compare(*scene, settings, pairs, 0.01, which, "Klamp't's default");
    }
  }
}

}  // namespace mortise::bench
