/// Time to give times to paths of 7 joints through 20 waypoints. TOPP-RA cannot be installed here; its published
/// figures for this size are 0.18 ms with 100 grid points and 0.73 ms with 500.

#include <cstdio>
#include <utility>
#include <vector>

#include "mortise/base/random.h"
#include "mortise/timing/optimal_timing.h"
#include "mortise/timing/path_curve.h"
#include "mortise/timing/path_timing.h"
#include "shared/timing.h"

namespace mortise {
namespace {

double milliseconds(const std::vector<std::vector<VectorXd>>& paths, const auto& run) {
  std::vector<double> times;
  for (const std::vector<VectorXd>& path : paths) {
    const double start = bench::threadSeconds();
    run(path);
    times.push_back(1e3 * (bench::threadSeconds() - start));
  }
  return bench::median(times);
}

void measure() {
  RandomStream random(1);
  std::vector<std::vector<VectorXd>> paths(200);
  for (std::vector<VectorXd>& path : paths)
    for (int i = 0; i < 20; ++i) {
      VectorXd q(7);
      for (int j = 0; j < 7; ++j) q[j] = random.uniform(-2, 2);
      path.push_back(q);
    }
  std::vector<CoordinateLimits> limits(7);
  for (CoordinateLimits& limit : limits) {
    limit.vMin = -2;
    limit.vMax = 2;
    limit.aMax = 4;
  }
  std::printf("7 joints, 20 waypoints, median of %zu paths\n", paths.size());
  SmoothCurveOptions smoothing;
  smoothing.corner = 3;
  for (const auto& [grid, published] : {std::pair{100, 0.18}, {500, 0.73}}) {
    OptimalTimingOptions options;
    options.gridPoints = grid;
    options.refinements = options.tightenings = 0;
    const double bare = milliseconds(
        paths, [&](const auto& path) { timeOptimally(smoothCurve(path, smoothing), limits, {}, options); });
    options = {};
    options.gridPoints = grid;
    const double whole = milliseconds(
        paths, [&](const auto& path) { timeOptimally(smoothCurve(path, smoothing), limits, {}, options); });
    std::printf("grid %d: %.3f ms, %.2f of TOPP-RA's published %.2f ms; with bounds between grid points %.3f ms\n",
                grid, bare, bare / published, published, whole);
  }
  const double blends = milliseconds(paths, [&](const auto& path) { timeBlended(path, limits, {}); });
  std::printf("blends in closed form: %.3f ms\n", blends);
}

}  // namespace
}  // namespace mortise

int main() { mortise::measure(); }
