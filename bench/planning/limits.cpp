#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>
#include <unistd.h>

#include "bench.h"
#include "plans.h"
#include "shared/plugins.h"

namespace mortise::bench {
namespace {

double residentMegabytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::unique_ptr<PlanSetup> setupOf(const Scene& scene, const std::string& planner, const Pair& pair, double seconds,
                                   bool first) {
  RobotSpace space = scene.space();
  VectorXd start, goal;
  space.lift(pair.start, start);
  space.lift(pair.goal, goal);
  PlanRequest request = planRequest(scene, planner, start, goal, {}, seconds, 1);
  request.stop.foundSolution = first;
  return std::make_unique<PlanSetup>(scene.world, scene.collider, request, pluginRegistry(), silentLog());
}

}  // namespace

void runLimits(const Settings& settings) {
  const std::string name = settings.worlds.size() == 1 ? settings.worlds.front() : "tx90obstacles";
  const auto scene = loadScene(settings.folder, name);
  if (!scene) {
    std::printf("%s: not there; set MORTISE_REFERENCE_DIR\n", name.c_str());
    return;
  }
  RobotSpace space = scene->space();
  const std::vector<Pair> pairs = randomPairs(space, 20, settings.seed);
  std::printf("%s: runs that go on after the first path until time is up or they are stopped (wall time)\n",
              name.c_str());
  for (const std::string& planner : settings.planners) {
    std::vector<double> over, latency;
    for (const double limit : {0.1, 0.5}) {
      for (int i = 0; i < 5; ++i) {
        const auto setup = setupOf(*scene, planner, pairs[static_cast<std::size_t>(i)], limit, false);
        const auto start = Clock::now();
        const PlanResult result = setup->run();
        if (result.run.stoppedBy == "timeLimit") over.push_back((since(start) - limit) / limit);
      }
    }
    for (int i = 0; i < 5; ++i) {
      const auto setup = setupOf(*scene, planner, pairs[static_cast<std::size_t>(i)], 10, false);
      std::atomic<bool> stop = false;
      Clock::time_point asked;
      std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        asked = Clock::now();
        stop = true;
      });
      const PlanResult result = setup->run([&] { return stop.load(); });
      const Clock::time_point ended = Clock::now();
      other.join();
      if (result.run.stoppedBy == "stopRequested")
        latency.push_back(std::chrono::duration<double>(ended - asked).count());
    }
    std::printf(
        "  %-18s overshoot: median %6.2f %%, most %6.2f %% of %zu; stopped within: median %7.2f, most %7.2f ms "
        "of %zu\n",
        planner.c_str(), 100 * median(over), 100 * quantile(over, 1), over.size(), 1e3 * median(latency),
        1e3 * quantile(latency, 1), latency.size());
    std::fflush(stdout);
  }
  const int plans = settings.count > 0 ? settings.count : 10000;
  std::printf("memory over %d plans, each in a setup of its own that is given up after it\n", plans);
  for (const std::string& planner : settings.planners) {
    std::printf("  %-18s", planner.c_str());
    for (int i = 0; i <= plans; ++i) {
      if (i == plans / 10 || i == plans / 2 || i == plans) std::printf("  after %d: %.1f MB", i, residentMegabytes());
      if (i < plans) setupOf(*scene, planner, pairs[static_cast<std::size_t>(i) % pairs.size()], 0.02, true)->run();
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

}  // namespace mortise::bench
