/// Collision queries against FCL 0.7 (`BVHModel<OBBRSS>`) and Embree 3, in one process: mesh against mesh at four
/// separations, whole robots, rays. Processor time in medians over batches of 50 configurations that take turns.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bench.h"

namespace {

int usage() {
  std::fputs("usage: bench_collision [--count N] [meshes] [robots] [rays]\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  int count = 10000;
  bool meshes = false, robots = false, rays = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--count") == 0 && i + 1 < argc) {
      count = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "meshes") == 0) {
      meshes = true;
    } else if (std::strcmp(argv[i], "robots") == 0) {
      robots = true;
    } else if (std::strcmp(argv[i], "rays") == 0) {
      rays = true;
    } else {
      return usage();
    }
  }
  if (count < 50) return usage();
  const char* folder = std::getenv("MORTISE_REFERENCE_DIR");
  const std::string data = folder != nullptr ? folder : "";
  if (!meshes && !robots && !rays) meshes = robots = rays = true;
  try {
    if (robots) bench::runRobots(count, data);
    if (meshes) bench::runMeshes(count, data);
    if (rays) bench::runRays(count, data);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_collision: %s\n", e.what());
    return 1;
  }
  return 0;
}
