/// Time to give times to paths of 7 joints through 20 waypoints. TOPP-RA cannot be installed here; its published
/// figures for this size are 0.18 ms with 100 grid points and 0.73 ms with 500. With MORTISE_REFERENCE_DIR, paths of
/// the same size for the right arm of baxter_col too, under its own limits, and with torques.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "mortise/base/random.h"
#include "mortise/loading/format_loader.h"
#include "mortise/timing/multipath/multipath_timing.h"
#include "mortise/timing/optimal_timing.h"
#include "mortise/timing/path_curve.h"
#include "mortise/timing/path_timing.h"
#include "mortise/timing/torque_bounds.h"
#include "shared/plugins.h"
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
    const double full = milliseconds(
        paths, [&](const auto& path) { timeOptimally(smoothCurve(path, smoothing), limits, {}, options); });
    std::printf("grid %d: %.3f ms, %.2f of TOPP-RA's published %.2f ms; with bounds between grid points %.3f ms\n",
                grid, bare, bare / published, published, full);
  }
  const double blends = milliseconds(paths, [&](const auto& path) { timeBlended(path, limits, {}); });
  std::printf("blends in closed form: %.3f ms\n", blends);
}

/// Twenty configurations of seven joints of an arm, the rest of the robot at zero.
std::vector<std::vector<VectorXd>> armPaths(const Robot& robot, const std::vector<int>& joints) {
  RandomStream random(2);
  std::vector<std::vector<VectorXd>> paths(50);
  for (std::vector<VectorXd>& path : paths)
    for (int i = 0; i < 20; ++i) {
      VectorXd q = VectorXd::Zero(robot.numLinks());
      for (const int j : joints) q[j] = random.uniform(robot.link(j).qMin, robot.link(j).qMax);
      path.push_back(q);
    }
  return paths;
}

void measureBaxter(const std::string& folder) {
  FormatLoader loader(bench::pluginRegistry(), bench::silentLog());
  Diagnostics diagnostics;
  const RobotPtr robot =
      Robot::compile(loader.load<RobotDescription>(folder + "/robots/baxter_col.rob", {}, diagnostics));
  diagnostics.throwIfErrors();
  std::vector<int> joints;
  for (int i = 0; i < robot->numLinks() && joints.size() < 7; ++i)
    if (robot->link(i).name.rfind("right_", 0) == 0 && robot->driverOfLink(i) >= 0) joints.push_back(i);
  const std::vector<std::vector<VectorXd>> paths = armPaths(*robot, joints);
  const MotionLimits limits = fullLimits(*robot, {});
  std::printf("baxter_col, %zu joints of %d move, 20 waypoints, median of %zu paths\n", joints.size(),
              robot->numLinks(), paths.size());
  SmoothCurveOptions smoothing;
  smoothing.corner = 3;  // One stretch without rests.
  TorqueBounds torques(robot);
  PathBound* bounds[] = {&torques};
  int infeasible = 0;
  for (const auto& [grid, published] : {std::pair{100, 0.18}, {500, 0.73}}) {
    OptimalTimingOptions options;
    options.gridPoints = grid;
    const double own = milliseconds(
        paths, [&](const auto& path) { timeOptimally(smoothCurve(path, smoothing), limits.limits, {}, options); });
    const double torque = milliseconds(paths, [&](const auto& path) {
      try {
        timeOptimally(smoothCurve(path, smoothing), limits.limits, bounds, options);
      } catch (const Error&) {
        ++infeasible;
      }
    });
    std::printf("grid %d: own limits %.3f ms (%.1f of TOPP-RA's %.2f ms), with torques %.3f ms (%.1f)\n", grid, own,
                own / published, published, torque, torque / published);
  }
  if (infeasible > 0) std::printf("%d timings with torques were refused\n", infeasible);
}

}  // namespace
}  // namespace mortise

int main() {
  mortise::measure();
  if (const char* reference = std::getenv("MORTISE_REFERENCE_DIR"))
    mortise::measureBaxter(std::string(reference) + "/klampt-data");
}
