#include "plans.h"

#include <filesystem>

#include "bench.h"

namespace bench {
namespace {

class Silent final : public LogSink {
 public:
  void write(LogLevel, std::string_view, std::string_view) override {}
};

}  // namespace

LogSink& silent() {
  static Silent log;
  return log;
}

Registry& registry() {
  static Registry instance(silent());
  static const bool once = [] {
    const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    instance.addFolder((here.parent_path() / "lib/mortise/plugins").string(), "build");
    instance.discover();
    return true;
  }();
  (void)once;
  return instance;
}

PlanRequest planRequest(const Scene& scene, const std::string& planner, const VectorXd& start, const VectorXd& goal,
                        const EdgeCheckOptions& edges, double seconds, std::uint64_t seed) {
  PlanRequest request;
  request.space.robots = {0};
  for (const int link : scene.links) request.space.links.push_back(scene.world->linkId(0, link));
  request.space.edges = edges;
  request.starts = {start};
  request.goal.configurations = {goal};
  request.planner = planner;
  request.stop.seconds = seconds;
  request.seed = seed;
  return request;
}

Planned plan(PlanSetup& setup) {
  Planned planned;
  const double start = cpuSeconds();
  const PlanResult result = setup.run();
  planned.seconds = cpuSeconds() - start;
  planned.wall = result.run.seconds;
  planned.path = result.run.outcome.path;
  planned.solved = result.run.outcome.status == PlanningStatus::solved && !planned.path.empty();
  for (std::size_t i = 1; i < planned.path.size(); ++i)
    planned.length += setup.space().distance(planned.path[i - 1], planned.path[i]);
  planned.configurations = result.run.counts.configurations;
  planned.edges = result.run.counts.edges;
  planned.iterations = result.run.iterations;
  return planned;
}

Planned plan(const Scene& scene, const std::string& planner, const Pair& pair, const EdgeCheckOptions& edges,
             double seconds, std::uint64_t seed) {
  const RobotSpace space = scene.space(edges);
  VectorXd start, goal;
  space.lift(pair.start, start);
  space.lift(pair.goal, goal);
  PlanSetup setup(scene.world, scene.collider, planRequest(scene, planner, start, goal, edges, seconds, seed),
                  registry(), silent());
  return plan(setup);
}

}  // namespace bench
