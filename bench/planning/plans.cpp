#include "plans.h"

#include "bench.h"
#include "shared/plugins.h"

namespace mortise::bench {
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
  const double start = threadSeconds();
  const PlanResult result = setup.run();
  planned.seconds = threadSeconds() - start;
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
                  pluginRegistry(), silentLog());
  return plan(setup);
}

}  // namespace mortise::bench
