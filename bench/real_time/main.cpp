/// Planning while moving in the reference worlds: random targets, half of them replaced before they are reached; what
/// is executed is checked a hundred times finer than the robot's clock ticks.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "collision/data.h"
#include "mortise/planning/real_time/trials/real_time_run.h"

namespace mortise::bench {
namespace {

struct Options {
  std::string folder, world = "tx90scenario0";
  int count = 1000;
  std::uint64_t seed = 0;
  int checks = 100;
  bool moving = false, unaware = false, constant = false;
  std::string method = "all";
  double rate = 2000;
};

/// A ball of 15 cm that goes to and fro where the robot works.
std::vector<KnownMotion> addBall(World& world) {
  RigidObject ball;
  ball.name = "ball";
  ball.geometry = std::make_shared<const Geometry>(Geometry{SphereShape{Vector3d::Zero(), 0.15}});
  ball.X_WO.p = Vector3d(0.5, -0.8, 0.6);
  world.objects.push_back(ball);
  RigidTransform X_WA = ball.X_WO, X_WB = ball.X_WO;
  X_WB.p.y() = 0.8;
  return {
      KnownMotion(world.objectId(static_cast<int>(world.objects.size()) - 1), {0, 1.5, 3}, {X_WA, X_WB, X_WA}, true)};
}

void run(const Options& options, RealTimeMethod method) {
  World loaded;
  if (!loadWorld(options.folder, "klampt-data/" + options.world + ".xml", loaded)) {
    std::printf("%s: not there; MORTISE_REFERENCE_DIR names the folder of klampt-data\n", options.world.c_str());
    return;
  }
  RealTimeRunSettings settings;
  if (options.moving || options.unaware)
    (options.unaware ? settings.unknown : settings.options.motions) = addBall(loaded);
  settings.targets = options.count;
  settings.seed = options.seed;
  settings.checks = options.checks;
  settings.options.planner.method = method;
  settings.options.session.iterationsPerSecond = options.rate;
  if (options.constant) settings.options.session.split.kind = SplitTimeOptions::Kind::constant;
  const auto start = std::chrono::steady_clock::now();
  const RealTimeRunResult result = runRealTime(std::make_shared<const World>(std::move(loaded)), settings);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const Value &planning = result.report.at("planning_time"), &slowest = result.report.at("slowest_cycle"),
              &load = result.report.at("largest_load");
  std::printf(
      "%s, %s, split %s%s: %.1f s of wall time\n%sone cycle of planning: median %.2f ms, 99 %% within %.2f ms; the "
      "slowest of a target: median %.2f ms, 99 %% "
      "within %.2f ms, at most %.2f ms; of the time it had: median %.3f, 99 %% within %.3f, at most %.3f\n\n",
      options.world.c_str(), std::string(realTimeMethodName(method)).c_str(),
      options.constant ? "constant" : "adaptive",
      options.unaware  ? ", with a ball that the planner is not told of"
      : options.moving ? ", with a ball that moves"
                       : "",
      seconds, realTimeReportText(result.report).c_str(), 1e3 * planning.at("median").asReal(),
      1e3 * planning.at("p99").asReal(), 1e3 * slowest.at("median").asReal(), 1e3 * slowest.at("p99").asReal(),
      1e3 * slowest.at("largest").asReal(), load.at("median").asReal(), load.at("p99").asReal(),
      load.at("largest").asReal());
  std::fflush(stdout);
}

int usage() {
  std::fputs(
      "usage: bench_real_time [--count N] [--seed N] [--checks N] [--world NAME] [--moving | --unaware] [--constant] "
      "[--rate N]\n"
      "                       [--method ik|tree|hybrid]\n",
      stderr);
  return 2;
}

}  // namespace
}  // namespace mortise::bench

int main(int argc, char** argv) {
  using namespace mortise::bench;
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const bool value = i + 1 < argc;
    if (name == "--moving")
      options.moving = true;
    else if (name == "--unaware")
      options.unaware = true;
    else if (name == "--constant")
      options.constant = true;
    else if (name == "--count" && value)
      options.count = std::atoi(argv[++i]);
    else if (name == "--seed" && value)
      options.seed = static_cast<std::uint64_t>(std::atoll(argv[++i]));
    else if (name == "--checks" && value)
      options.checks = std::atoi(argv[++i]);
    else if (name == "--rate" && value)
      options.rate = std::atof(argv[++i]);
    else if (name == "--world" && value)
      options.world = argv[++i];
    else if (name == "--method" && value)
      options.method = argv[++i];
    else
      return usage();
  }
  if (const char* folder = std::getenv("MORTISE_REFERENCE_DIR")) options.folder = folder;
  try {
    for (const mortise::RealTimeMethod method :
         {mortise::RealTimeMethod::tree, mortise::RealTimeMethod::hybrid, mortise::RealTimeMethod::ik})
      if (options.method == "all" || options.method == mortise::realTimeMethodName(method)) run(options, method);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_real_time: %s\n", e.what());
    return 1;
  }
  return 0;
}
