/// Motion planning in the reference worlds: what looking at configurations and ways costs; whole plans against OMPL
/// with FCL; success rates; whether paths are free; whether limits of time and memory are kept.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <set>
#include <string>

#include "bench.h"
#include "scenes.h"

namespace {

int usage() {
  std::fputs(
      "usage: bench_planning [--count N] [--seed N] [--time S] [--world NAME]... [--planner NAME]...\n"
      "                      [checks] [peer] [success] [paths] [limits]\n",
      stderr);
  return 2;
}

struct Part {
  const char* name;
  std::function<void(const mortise::bench::Settings&)> run;
};

const Part kParts[] = {{"checks", mortise::bench::runChecks},
#ifdef MORTISE_BENCH_OMPL
                       {"peer", mortise::bench::runPeer},
                       {"paths", mortise::bench::runPaths},
#endif
                       {"success", mortise::bench::runSuccess},
                       {"limits", mortise::bench::runLimits}};

}  // namespace

int main(int argc, char** argv) {
  mortise::bench::Settings settings;
  std::set<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    const std::string part = argv[i];
    const auto known = [&] {
      for (const Part& each : kParts)
        if (part == each.name) return true;
      return false;
    };
    if (part == "--count" && i + 1 < argc) {
      settings.count = std::atoi(argv[++i]);
    } else if (part == "--seed" && i + 1 < argc) {
      settings.seed = static_cast<std::uint64_t>(std::atoll(argv[++i]));
    } else if (part == "--time" && i + 1 < argc) {
      settings.seconds = std::atof(argv[++i]);
    } else if (part == "--world" && i + 1 < argc) {
      settings.worlds.emplace_back(argv[++i]);
    } else if (part == "--planner" && i + 1 < argc) {
      settings.planners.emplace_back(argv[++i]);
    } else if (known()) {
      wanted.insert(part);
    } else {
      return usage();
    }
  }
  if (settings.worlds.empty()) settings.worlds = mortise::bench::sceneNames();
  if (settings.planners.empty()) settings.planners = {"rrt", "any", "prm", "ompl.RRTConnect"};
  if (const char* folder = std::getenv("MORTISE_REFERENCE_DIR")) settings.folder = folder;
#ifndef MORTISE_BENCH_OMPL
  std::puts("built without OMPL and FCL: libompl-dev and libfcl-dev were not found");
#endif
  try {
    for (const Part& part : kParts)
      if (wanted.empty() || wanted.count(part.name) > 0) part.run(settings);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_planning: %s\n", e.what());
    return 1;
  }
  return 0;
}
