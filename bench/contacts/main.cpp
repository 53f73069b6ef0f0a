/// The cost of the contacts of a step: worlds of the reference data, their bodies where the reference's run left them,
/// wandering smoothly. Microseconds of processor time for each `update`, median over batches of 20 steps, and the worst
/// batch.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "scene.h"
#include "shared/timing.h"

namespace {

void run(const std::string& folder, const std::string& name, int steps) {
  constexpr int kBatch = 20;
  const mortise::bench::ContactWorld world = mortise::bench::contactWorld(folder, name);
  const struct { double speed, range; } motions[] = {{1e-7, 1e-5}, {1e-5, 2e-4}, {1e-4, 2e-3}};
  for (const auto& motion : motions) {
    mortise::bench::Wandering wandering(world, motion.speed, motion.range);
    mortise::ContactGenerator generator(world.scene);
    std::vector<double> batches;
    double near = 0, found = 0, contacts = 0, crossing = 0, total = 0;
    const int count = std::max(kBatch, steps / kBatch * kBatch);
    for (int step = -kBatch; step < count; step += kBatch) {
      double spent = 0;
      for (int i = step; i < step + kBatch; ++i) {
        wandering.apply(i, generator);
        const double start = mortise::bench::processSeconds();
        generator.update();
        spent += mortise::bench::processSeconds() - start;
        if (step < 0) continue;
        near += static_cast<double>(generator.pairs().size());
        contacts += static_cast<double>(generator.contacts().size());
        for (const mortise::ContactPairReport& pair : generator.pairs()) {
          found += pair.found;
          crossing += pair.crossing;
        }
      }
      if (step < 0) continue;
      total += spent;
      batches.push_back(1e6 * spent / kBatch);
    }
    std::sort(batches.begin(), batches.end());
    std::printf("%-18s %7.0e  %9.1f %9.1f %9.1f   %6zu %6.1f %7.1f %6.1f %6.1f\n", name.c_str(), motion.speed,
                batches[batches.size() / 2], 1e6 * total / count, batches.back(), world.numPairs, near / count,
                found / count, contacts / count, crossing / count);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  int steps = 200;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--steps" && i + 1 < argc) {
      steps = std::atoi(argv[++i]);
    } else if (argument[0] == '-') {
      std::fputs("usage: bench_contacts [--steps N] [WORLD]...\n", stderr);
      return 2;
    } else {
      names.push_back(argument);
    }
  }
  const char* folder = std::getenv("MORTISE_REFERENCE_DIR");
  if (folder == nullptr) {
    std::puts("bench_contacts: set MORTISE_REFERENCE_DIR to the folder with klampt-data/ and reference/");
    return 0;
  }
  if (names.empty())
    names = {"cuppile",           "tx90cuppile",   "tx90cups",   "tx90cupscupboard", "stacktest",     "hubo_plane",
             "athlete_fractal_1", "athlete_plane", "tx90blocks", "stiffness_test",   "hubo_fractal_1"};
  std::puts("                   m/step     us a step: median, mean, worst      pairs   near   found contacts crossing");
  try {
    for (const std::string& name : names) run(folder, name, steps);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_contacts: %s\n", e.what());
    return 1;
  }
  return 0;
}
