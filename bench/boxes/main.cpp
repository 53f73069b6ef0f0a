/// 500 boxes falling on a plane: our loop on each engine against the same scene written by hand on that engine, in one
/// process, run after run in turn. Prints a table with the ratio of the median CPU times (1: our loop costs nothing).

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "boxes/scene.h"
#include "mortise/base/error.h"
#include "shared/timing.h"

namespace {

using namespace mortise;
using namespace mortise::bench;

struct Entry {
  std::string engine, who;
  std::function<std::unique_ptr<Contestant>()> make;
  std::vector<double> seconds = {};
  double height = 0;
  int contacts = 0;
};

int usage() {
  std::fputs("usage: bench_boxes [--boxes N] [--steps N] [--runs N] [--engine ode|bullet]\n", stderr);
  return 2;
}

void printTable(const BoxesScene& scene, const std::vector<Entry>& entries, int boxes, int steps, int runs) {
  std::printf("%d boxes falling on a plane, %d steps of %g ms, %d iterations; median of %d runs, CPU time\n\n", boxes,
              steps, 1e3 * scene.step, scene.iterations, runs);
  std::printf("%-8s %-8s %10s %10s %10s %10s %12s %8s\n", "engine", "loop", "ms/step", "fastest", "slowest", "contacts",
              "mean height", "ratio");
  double byHand = 0;
  for (const Entry& entry : entries) {
    const double perStep = 1e3 / steps;
    const auto [low, high] = std::minmax_element(entry.seconds.begin(), entry.seconds.end());
    const double middle = median(entry.seconds);
    std::printf("%-8s %-8s %10.3f %10.3f %10.3f %10d %10.3f m", entry.engine.c_str(), entry.who.c_str(),
                perStep * middle, perStep * *low, perStep * *high, entry.contacts, entry.height);
    if (entry.who == "by hand") {
      byHand = middle;
      std::printf("\n");
    } else {
      std::printf(" %8.3f\n", middle / byHand);
    }
  }
  std::printf("\ntarget: ratio at most 1.10\n");
}

}  // namespace

int main(int argc, char** argv) {
  int boxes = 500, steps = 400, runs = 5;
  std::string engine;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    if (i + 1 >= argc) return usage();
    if (option == "--engine") {
      engine = argv[i + 1];
      continue;
    }
    int* const number = option == "--boxes"   ? &boxes
                        : option == "--steps" ? &steps
                        : option == "--runs"  ? &runs
                                              : nullptr;
    if (number == nullptr || (*number = std::atoi(argv[i + 1])) < 1) return usage();
  }

  try {
    const BoxesScene scene(boxes);
    std::vector<Entry> entries;
    for (const std::string name : {"ode", "bullet"}) {
      if (!engine.empty() && engine != name) continue;
      entries.push_back(
          {name, "by hand", [&scene, name] { return name == "ode" ? makeRawOde(scene) : makeRawBullet(scene); }});
      entries.push_back({name, "mortise", [&scene, name] { return makeMortise(scene, name); }});
    }
    if (entries.empty()) return usage();
    for (int run = 0; run < runs; ++run)
      for (Entry& entry : entries) {
        const std::unique_ptr<Contestant> contestant = entry.make();
        const double start = processSeconds();
        for (int i = 0; i < steps; ++i) contestant->step();
        entry.seconds.push_back(processSeconds() - start);
        entry.height = contestant->meanHeight();
        entry.contacts = contestant->contacts();
      }

    printTable(scene, entries, boxes, steps, runs);
  } catch (const Error& error) {
    std::fprintf(stderr, "bench_boxes: error: %s\n", error.what());
    return 1;
  }
  return 0;
}
