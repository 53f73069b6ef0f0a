/// The cost of our loop beside the engine: `Simulation` without finding contacts, against two loops written by hand
/// that are fed the same contacts and motors: a bare one over the backend's `Scene`, and one on the engine's own
/// interface with the engine's own solver.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "mortise/base/error.h"
#include "mortise/simulation/summary.h"
#include "simulation/recording.h"

namespace mortise::bench {
namespace {

// Settings that our backends have by default.
constexpr int kExactLimit = 600, kIterations = 50;

struct HandTime {
  double seconds = 0;
  double load = 0;  ///< Mean over the second half, N.
};
HandTime handSeconds(const Recording& recording, const std::string& backend) {
  const std::unique_ptr<HandLoop> loop = backend == "ode" ? makeOdeLoop(recording.scene, kExactLimit, kIterations)
                                                          : makeBulletLoop(recording.scene, kIterations);
  HandTime time;
  const std::size_t half = recording.steps.size() / 2;
  for (std::size_t i = 0; i < recording.steps.size(); ++i) {
    loop->place(recording.steps[i]);
    CpuTimer timer;
    loop->step(recording.steps[i]);
    time.seconds += timer.seconds();
    if (i >= half) time.load += loop->load() / static_cast<double>(recording.steps.size() - half);
  }
  return time;
}

Value measure(const Options& options, const Case& c, const std::string& backend) {
  const Recording recording = record(options, c.file, backend, options.seconds);
  const auto ticks = static_cast<std::int64_t>(std::llround(options.seconds / recording.scene.timeStep));
  std::vector<double> full, finding, rest, scene, hand;
  HandTime time;
  for (int run = 0; run < options.runs; ++run) {
    const RunTime ours = timeRun(options, c.file, backend, ticks);
    full.push_back(ours.full);
    finding.push_back(ours.finding);
    rest.push_back(ours.full - ours.finding);
    scene.push_back(timeScene(options, c.file, backend, recording));
    time = handSeconds(recording, backend);
    hand.push_back(time.seconds);
  }
  double contacts = 0;
  double load = 0;
  const std::size_t half = recording.steps.size() / 2;
  for (std::size_t i = 0; i < recording.steps.size(); ++i) {
    contacts += static_cast<double>(recording.steps[i].contacts.size());
    if (i >= half) load += recording.steps[i].load / static_cast<double>(recording.steps.size() - half);
  }
  const double perStep = 1e6 / static_cast<double>(ticks);
  Value result = Value::map();
  result.set("contacts", contacts / static_cast<double>(recording.steps.size()));
  result.set("taken_back", recording.stepsTakenBack);
  result.set("whole_us", perStep * median(full));
  result.set("finding_us", perStep * median(finding));
  result.set("rest_us", perStep * median(rest));
  result.set("scene_us", perStep * median(scene));
  result.set("hand_us", perStep * median(hand));
  result.set("load", load);
  result.set("hand_load", time.load);
  return result;
}

}  // namespace

int runOverhead(const Options& options) {
  Options chosen = options;
  if (chosen.worlds.empty()) chosen.worlds = {"stacktest", "cuppile", "hubo_plane"};
  std::printf(
      "%g s, microseconds of thread CPU time a step, medians of %d runs; targets: ratios at most 1.10\n"
      "scene: a bare loop over the backend; by hand: the engine's own interface and solver; both fed the same\n\n",
      options.seconds, options.runs);
  std::printf("%-20s %-8s %9s %9s %9s %9s %9s %8s %9s %8s %11s %11s\n", "world", "backend", "contacts", "whole",
              "finding", "rest", "scene", "ratio", "by hand", "ratio", "load N", "by hand N");
  for (const Case& c : findCases(chosen))
    for (const std::string& backend : options.backends) {
      const Value row = runIsolated(options.limit, [&] { return measure(options, c, backend); });
      if (row.contains("fault")) {
        std::printf("%-20s %-8s %s\n", c.name.c_str(), backend.c_str(), row.at("fault").text().c_str());
        continue;
      }
      const double full = row.real("whole_us", 0), rest = row.real("rest_us", 0), hand = row.real("hand_us", 0);
      std::printf("%-20s %-8s %9.1f %9.1f %9.1f %9.1f %9.1f %8.3f %9.1f %8.3f %11.2f %11.2f\n", c.name.c_str(),
                  backend.c_str(), row.real("contacts", 0), full, row.real("finding_us", 0), rest,
                  row.real("scene_us", 0), rest / row.real("scene_us", 0), hand, rest / hand, row.real("load", 0),
                  row.real("hand_load", 0));
      std::fflush(stdout);
    }
  return 0;
}

}  // namespace mortise::bench
