#include <cstdio>

#include "bench.h"
#include "ompl_peer.h"

namespace bench {
namespace {

struct Row {
  std::vector<double> times;  ///< Of solved ones.
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

void print(const char* name, const Row& row, const Row& peer) {
  std::printf("  %-34s %3d/%d   median %9.3f ms  p95 %9.3f ms  %8.0f conf./s", name, row.solved, row.count,
              1e3 * median(row.times), 1e3 * quantile(row.times, 0.95), row.configurations / row.seconds);
  if (&row != &peer)
    std::printf("   ratios %6.1f (time) %5.1f (conf./s)", median(peer.times) / median(row.times),
                (row.configurations / row.seconds) / (peer.configurations / peer.seconds));
  std::printf("\n");
}

void compare(const Scene& scene, const Settings& settings, const std::vector<Pair>& pairs, double resolution,
             const char* what) {
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
  Row peer;
  FclCheck check(scene);
  // In turns, as what else runs on the machine slows all of them down.
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    peer.add(omplRrtConnect(scene, check, pairs[i], resolution, settings.seconds), settings.seconds);
    for (Ours& each : ours)
      each.row.add(plan(scene, each.planner, pairs[i], each.edges, settings.seconds, settings.seed + i),
                   settings.seconds);
  }
  std::printf("%s, ways looked at every %.3f (%s), %zu pairs of bodies\n", scene.name.c_str(), resolution, what,
              check.numPairs());
  print("OMPL RRTConnect over FCL", peer, peer);
  for (const Ours& each : ours) print(each.name.c_str(), each.row, peer);
  std::fflush(stdout);
}

}  // namespace

void runPeer(const Settings& settings) {
  const int count = settings.count > 0 ? settings.count : 50;
  std::printf(
      "plans between random feasible configurations, one a seed, against OMPL's RRTConnect over FCL "
      "(BVHModel<OBBRSS>,\n"
      "boxes first): thread time until the first path, problems set up beforehand\n");
  seedOmpl(settings.seed);
  for (const std::string& name : settings.worlds) {
    const auto scene = loadScene(settings.folder, name);
    if (!scene) {
      std::printf("%s: not there; set MORTISE_REFERENCE_DIR\n", name.c_str());
      continue;
    }
    RobotSpace space = scene->space();
    const std::vector<Pair> pairs = randomPairs(space, count, settings.seed);
    compare(*scene, settings, pairs, 0.01 * space.extent(), "1 % of the extent, OMPL's default");
    compare(*scene, settings, pairs, 0.01, "Klamp't's default");
  }
}

}  // namespace bench
