/// Motion planning in the reference worlds: what looking at a configuration and at a way costs; whole plans against
/// OMPL with FCL.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <set>
#include <string>

#include "bench.h"
#include "scenes.h"

namespace {

int usage() {
  std::fputs("usage: bench_planning [--count N] [--seed N] [--world NAME]... [checks]\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  bench::Settings settings;
  std::set<std::string> parts;
  const std::set<std::string> known = {"checks"};
  for (int i = 1; i < argc; ++i) {
    const std::string part = argv[i];
    if (part == "--count" && i + 1 < argc) {
      settings.count = std::atoi(argv[++i]);
    } else if (part == "--seed" && i + 1 < argc) {
      settings.seed = std::atoi(argv[++i]);
    } else if (part == "--world" && i + 1 < argc) {
      settings.worlds.emplace_back(argv[++i]);
    } else if (known.count(part) > 0) {
      parts.insert(part);
    } else {
      return usage();
    }
  }
  if (settings.worlds.empty()) settings.worlds = bench::sceneNames();
  if (const char* folder = std::getenv("MORTISE_REFERENCE_DIR")) settings.folder = folder;
  const auto wanted = [&](const char* part) { return parts.empty() || parts.count(part) > 0; };
  try {
    if (wanted("checks")) bench::runChecks(settings);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_planning: %s\n", e.what());
    return 1;
  }
  return 0;
}
