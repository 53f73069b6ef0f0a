/// Poses of objects and floating bases at the times for which the oracle has states, beside its own.

#include <cmath>
#include <cstdio>

#include "mortise/base/error.h"
#include "simulation/bench.h"

namespace mortise::bench {
namespace {

Value trace(const Options& options, const Case& c, const std::string& backend) {
  Loaded loaded(options, c.file);
  const std::unique_ptr<Simulation> simulation = loaded.simulate(backend);
  std::printf("%s on %s; meters, m/s\n", c.name.c_str(), backend.c_str());
  for (const Value& checkpoint : c.oracle.at("checkpoints").items()) {
    const double t = checkpoint.at("t").asReal();
    simulation->advance(t - simulation->time());
    std::printf("t = %.3f, %zu contacts, %s so far\n", t, simulation->contacts().size(),
                std::string(stepStatusName(simulation->worstStatus())).c_str());
    const Value& objects = checkpoint.at("objects");
    for (std::size_t i = 0; i < std::min(objects.size(), loaded.world.objects.size()); ++i) {
      const BodyState& state = simulation->objectState(static_cast<int>(i));
      const RigidTransform theirs = poseOf(objects[i]);
      std::printf("  %-16.16s %9.4f %9.4f %9.4f  there %9.4f %9.4f %9.4f  apart %8.4f, %6.2f degrees  speed %8.5f\n",
                  loaded.world.objects[i].name.c_str(), state.X_WB.p.x(), state.X_WB.p.y(), state.X_WB.p.z(),
                  theirs.p.x(), theirs.p.y(), theirs.p.z(), (state.X_WB.p - theirs.p).norm(),
                  degreesBetween(state.X_WB.R, theirs.R), state.v_WB.norm());
    }
    const Value& robots = checkpoint.at("robots_q");
    for (std::size_t r = 0; r < loaded.world.robots.size(); ++r) {
      const VectorXd& q = simulation->configuration(static_cast<int>(r));
      double maximum = 0;
      for (Eigen::Index k = 0; k < q.size(); ++k)
        maximum = std::max(maximum, std::abs(q[k] - robots[r][static_cast<std::size_t>(k)].asReal()));
      std::printf("  %-16.16s coordinates differ by at most %.4f\n", loaded.world.robots[r].name.c_str(), maximum);
    }
  }
  std::fflush(stdout);  // The process ends without it.
  return Value::map();
}

}  // namespace

int runTrace(const Options& options) {
  if (options.worlds.empty())
    throw Error("which world?", {}, "name one with --world; `bench_simulation worlds` lists them");
  for (const Case& c : findCases(options))
    for (const std::string& backend : options.backends) {
      const Value result = runIsolated(options.limit, [&] { return trace(options, c, backend); });
      if (result.contains("fault")) std::printf("%s: %s\n", backend.c_str(), result.at("fault").text().c_str());
    }
  return 0;
}

}  // namespace mortise::bench
