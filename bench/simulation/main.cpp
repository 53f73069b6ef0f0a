/// Simulations of the reference worlds, each on several backends: against what Klamp't computes for them (`worlds`),
/// the backends against each other (`agree`), our loop against one written by hand (`overhead`), and for ever (`soak`).

#include <cstdio>
#include <cstdlib>
#include <string>

#include "mortise/base/error.h"
#include "simulation/bench.h"

namespace {

int usage() {
  std::fputs(
      "usage: bench_simulation [worlds|trace|overhead|agree|soak|collisions|robots|heaps] [--world NAME]... [--backend "
      "NAME]\n"
      "                        [--seconds S] [--steps N] [--runs N] [--limit CPU_SECONDS] [--json FILE]\n"
      "       bench_simulation worlds FOLDER... [--beside MORTISE] [--on-unstable WHAT] [the options above]\n"
      "\n"
      "  worlds    runs every world that reference/klampt-oracle/sim_*.json knows; a table beside Klamp't;\n"
      "            with folders, every world in them by this build's command: energy from nowhere, rest, depths and\n"
      "            times, beside another build's command if one is given\n"
      "  trace     where objects are at the oracle's checkpoints\n"
      "  overhead  steps of Simulation without finding contacts, against the same recorded contacts in a loop by hand\n"
      "  agree     where everything rests, ODE against Bullet\n"
      "  collisions  every combination of shapes, restitutions, mass ratios, speeds, steps and contacts against the "
      "laws\n"
      "            of motion, by engine and source of contacts; --steps N takes N of them at most\n"
      "  soak      many steps of one world: resident memory and state\n"
      "  heaps     boxes, balls and mugs that fall into a bin: time a step, falling and at rest, and depths\n"
      "  robots    every robot on a floor, --runs random configurations each: time and speeds of the first steps\n"
      "\n"
      "Without a word: worlds, agree and overhead.\n"
      "\n"
      "MORTISE_REFERENCE_DIR is the folder that holds klampt-data/ and reference/.\n",
      stderr);
  return 2;
}

/// Reads the options behind the part; false for what is none.
bool readOptions(int argc, char** argv, mortise::bench::Options& options) {
  for (int i = 2; i < argc; ++i) {
    const std::string option = argv[i];
    if (option.rfind("--", 0) != 0) {
      options.folders.push_back(option);
      continue;
    }
    if (++i >= argc) return false;
    const std::string value = argv[i];
    if (option == "--world") {
      options.worlds.push_back(value);
    } else if (option == "--backend") {
      if (!options.backendsChosen) options.backends.clear();
      options.backendsChosen = true;
      options.backends.push_back(value);
    } else if (option == "--seconds") {
      options.seconds = std::atof(value.c_str());
    } else if (option == "--steps") {
      options.steps = std::atoll(value.c_str());
    } else if (option == "--runs") {
      options.runs = std::atoi(value.c_str());
    } else if (option == "--limit") {
      options.limit = std::atof(value.c_str());
    } else if (option == "--beside") {
      options.beside = value;
    } else if (option == "--on-unstable") {
      options.onUnstable = value;
    } else if (option == "--json") {
      options.json = value;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  mortise::bench::Options options;
  if (const char* folder = std::getenv("MORTISE_REFERENCE_DIR")) options.data = folder;
  if (argc < 2 && options.data.empty()) {
    std::puts("left out: MORTISE_REFERENCE_DIR is not set to the folder that holds klampt-data/ and reference/");
    return 0;
  }
  const std::string part = argc < 2 ? "all" : argv[1];
  if (!readOptions(argc, argv, options)) return usage();
  const bool ownWorlds = !options.folders.empty();
  if (ownWorlds ? part != "worlds" : !options.beside.empty() || !options.onUnstable.empty()) return usage();
  if (!(options.seconds > 0) || options.steps < 1 || options.runs < 1 || !(options.limit > 0)) return usage();
  try {
    if (part == "all")
      return mortise::bench::runWorlds(options) | mortise::bench::runAgreement(options) |
             mortise::bench::runOverhead(options);
    if (ownWorlds) return mortise::bench::runFolders(options);
    if (part == "worlds") return mortise::bench::runWorlds(options);
    if (part == "trace") return mortise::bench::runTrace(options);
    if (part == "overhead") return mortise::bench::runOverhead(options);
    if (part == "agree") return mortise::bench::runAgreement(options);
    if (part == "collisions") return mortise::bench::runCollisions(options);
    if (part == "soak") return mortise::bench::runSoak(options);
    if (part == "heaps") return mortise::bench::runHeaps(options);
    if (part == "robots") return mortise::bench::runRobots(options);
  } catch (const mortise::Error& error) {
    std::fprintf(stderr, "bench_simulation: error: %s\n", error.what());
    return 1;
  }
  return usage();
}
