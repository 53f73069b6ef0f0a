/// Collision queries against FCL 0.7 (`BVHModel<OBBRSS>`) and Embree 3, in one process: mesh against mesh at four
/// separations, whole robots, rays; ways of robots by proof and by looking at many configurations. Processor time in
/// medians over batches of 50 configurations that take turns. And whether FCL and Bullet give the same answers.

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "bench.h"

namespace {

int usage() {
  std::fputs("usage: bench_collision [--count N] [--seed N] [meshes] [robots] [rays] [edges] [agree]\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  int count = 10000, seed = 11;
  std::set<std::string> parts;
  for (int i = 1; i < argc; ++i) {
    const std::string part = argv[i];
    if (part == "--count" && i + 1 < argc) {
      count = std::atoi(argv[++i]);
    } else if (part == "--seed" && i + 1 < argc) {
      seed = std::atoi(argv[++i]);
    } else if (part == "meshes" || part == "robots" || part == "rays" || part == "edges" || part == "agree") {
      parts.insert(part);
    } else {
      return usage();
    }
  }
  if (count < 50) return usage();
  const char* folder = std::getenv("MORTISE_REFERENCE_DIR");
  const std::string data = folder != nullptr ? folder : "";
  const auto wanted = [&](const char* part) { return parts.empty() || parts.count(part) > 0; };
  try {
    if (wanted("robots")) mortise::bench::runRobots(count, data);
    if (wanted("meshes")) mortise::bench::runMeshes(count, data);
    if (wanted("rays")) mortise::bench::runRays(count, data);
    if (wanted("edges")) mortise::bench::runEdges(count / 10 + 50, data);
    if (wanted("agree")) mortise::bench::runAgreement(count, seed);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_collision: %s\n", e.what());
    return 1;
  }
  return 0;
}
