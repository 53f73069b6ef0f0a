/// Many steps of one world, in which objects are made to hop, one after the other: memory must not grow.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <unistd.h>

#include "mortise/base/error.h"
#include "mortise/simulation/summary.h"
#include "simulation/bench.h"

namespace mortise::bench {
namespace {

constexpr int kHopEvery = 1000;    // steps
constexpr double kHopSpeed = 0.3;  // m/s: some millimeters

/// MiB
double residentMemory() {
  std::ifstream in("/proc/self/statm");
  long total = 0, resident = 0;
  in >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

Value soak(const Options& options, const Case& c, const std::string& backend) {
  Loaded loaded(options, c.file);
  const std::unique_ptr<Simulation> simulation = loaded.simulate(backend);
  std::printf("%s on %s, %lld steps\n\n%12s %12s %12s %10s %10s %s\n", c.name.c_str(), backend.c_str(),
              static_cast<long long>(options.steps), "step", "memory MiB", "kinetic J", "contacts", "us/step", "worst");
  const std::int64_t interval = std::max<std::int64_t>(1, options.steps / 20);
  double first = 0, last = 0;
  CpuTimer timer;
  double before = 0;
  const int numObjects = static_cast<int>(loaded.world.objects.size());
  for (std::int64_t i = 1; i <= options.steps; ++i) {
    if (numObjects > 0 && i % kHopEvery == 0) {
      const int object = static_cast<int>(i / kHopEvery % numObjects);
      const RigidObject& hopping = loaded.world.objects[object];
      const BodyState& state = simulation->objectState(object);
      simulation->applyWrench(loaded.world.objectId(object),
                              hopping.inertia.mass * kHopSpeed / simulation->timeStep() * Vector3d::UnitZ(),
                              Vector3d::Zero(), state.X_WB * hopping.inertia.com);
    }
    if (simulation->step() == StepStatus::error) throw Error(simulation->fault());
    if (i % interval != 0) continue;
    last = residentMemory();
    if (first == 0) first = last;
    const double now = timer.seconds();
    std::printf("%12lld %12.2f %12.3g %10zu %10.1f %s\n", static_cast<long long>(i), last, simulation->energy().kinetic,
                simulation->contacts().size(), 1e6 * (now - before) / static_cast<double>(interval),
                std::string(stepStatusName(simulation->worstStatus())).c_str());
    std::fflush(stdout);
    before = now;
  }
  std::printf("\nmemory grew by %.2f MiB after the first twentieth\n", last - first);
  std::fflush(stdout);  // The process ends without it.
  Value result = Value::map();
  result.set("grown", last - first);
  return result;
}

}  // namespace

int runSoak(const Options& options) {
  Options chosen = options;
  if (chosen.worlds.empty()) chosen.worlds = {"tx90blocks"};
  chosen.limit = 1e6;
  for (const Case& c : findCases(chosen))
    for (const std::string& backend : options.backends) {
      const Value result = runIsolated(chosen.limit, [&] { return soak(chosen, c, backend); });
      if (result.contains("fault"))
        std::printf("%s on %s: %s\n", c.name.c_str(), backend.c_str(), result.at("fault").text().c_str());
    }
  return 0;
}

}  // namespace mortise::bench
