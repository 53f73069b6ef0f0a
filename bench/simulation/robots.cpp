/// Robots one by one on a floor, as their files have them and at random configurations, free and fixed, on every
/// backend: many start deep in the floor. Says how long the first steps take and how fast anything gets.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <random>

#include "mortise/base/error.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/modeling/robot_edit.h"
#include "shared/plugins.h"
#include "simulation/bench.h"

namespace mortise::bench {

namespace {

constexpr double kSeconds = 0.1;
constexpr double kMaxSeconds = 10;  ///< Processor time, with everything before the first step.

std::vector<std::string> robotFiles(const Options& options) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(options.data + "/klampt-data/robots")) {
    const std::string name = entry.path().filename().string();
    const bool asked =
        options.worlds.empty() || std::find(options.worlds.begin(), options.worlds.end(), name) != options.worlds.end();
    if (asked && (entry.path().extension() == ".rob" || entry.path().extension() == ".urdf"))
      files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The robot held by its root, or free.
RobotDescription basedRobot(RobotDescription robot, bool floats) {
  const auto floating = std::find_if(robot.joints.begin(), robot.joints.end(),
                                     [](const Joint& joint) { return joint.type == JointType::floating; });
  if (floats && floating == robot.joints.end()) {
    Link base;
    base.name = "base";
    base.inertia.mass = 1;
    base.inertia.inertia = 0.01 * Matrix3d::Identity();
    addFloatingBase(robot, base);
  } else if (!floats && floating != robot.joints.end()) {
    const int last = floating->link;
    robot.joints.erase(floating);
    for (int link = last; link >= 0; link = robot.links[static_cast<std::size_t>(link)].parent)
      robot.joints.push_back({JointType::weld, link, -1});
  }
  return robot;
}

/// Joints anywhere within their limits, the base up to a meter up and down.
void scatter(const Robot& robot, std::mt19937& random, VectorXd& q) {
  std::uniform_real_distribution<double> unit(0, 1);
  for (int i = 0; i < robot.numLinks(); ++i) {
    const Link& link = robot.link(i);
    const double low = std::max(link.qMin, -1.0), high = std::min(link.qMax, 1.0);
    const double at = unit(random);
    if (low <= high) q[i] = low + at * (high - low);
  }
}

Value simulate(const World& world, Registry& registry, FormatLoader& loader, LogSink& log, const std::string& backend) {
  SimulationOptions settings;
  settings.backend = backend;
  const double start = processSeconds();
  Simulation simulation(world, registry, &loader, log, settings);
  const double built = processSeconds();
  simulation.advance(kSeconds);
  Value result = Value::map();
  result.set("build", built - start);
  result.set("steps", processSeconds() - built);
  result.set("speed", simulation.velocity(0).size() > 0 ? simulation.velocity(0).cwiseAbs().maxCoeff() : 0.0);
  std::string status;
  for (int i = 1; i < kNumStepStatuses; ++i)
    if (const auto count = simulation.statusCounts()[static_cast<std::size_t>(i)]; count > 0)
      status += std::string(stepStatusName(static_cast<StepStatus>(i))) + " " + std::to_string(count) + " ";
  for (int i = 0; i < kNumStepBounds; ++i)
    if (const auto count = simulation.boundCounts()[static_cast<std::size_t>(i)]; count > 0)
      status += std::string(stepBoundName(static_cast<StepBound>(i))) + ": " + std::to_string(count) + " ";
  result.set("status", status);
  return result;
}

}  // namespace

int runRobots(const Options& options) {
  int late = 0, runs = 0;
  double worst = 0;
  std::printf("%-28s %-8s %-6s %-8s %8s %8s %8s  %s\n", "robot", "start", "base", "backend", "build s", "steps s",
              "speed", "status");
  for (const std::string& file : robotFiles(options)) {
    NullLog log;
    Registry registry(log);
    discoverPlugins(registry);
    FormatLoader loader(registry, log);
    Diagnostics diagnostics;
    World world;
    try {
      world = assembleWorld(loader, {file, options.data + "/klampt-data/terrains/plane.env"}, diagnostics);
    } catch (const Error&) {
      std::printf("%-28s cannot be read\n", std::filesystem::path(file).filename().string().c_str());
      continue;
    }
    if (diagnostics.hasErrors() || world.robots.empty()) continue;
    const RobotDescription asWritten = world.robots[0].robot->description();
    for (const bool floats : {true, false}) {
      const RobotPtr robot = Robot::compile(basedRobot(asWritten, floats));
      for (int start = 0; start <= options.runs; ++start) {
        world.robots[0].robot = robot;
        VectorXd& q = world.robots[0].q;
        q.resize(robot->numLinks());
        for (int i = 0; i < robot->numLinks(); ++i) q[i] = robot->link(i).q;
        world.robots[0].dq = VectorXd::Zero(robot->numLinks());
        std::mt19937 random(static_cast<unsigned>(start));
        if (start > 0) scatter(*robot, random, q);
        for (const std::string& backend : options.backends) {
          const Value run = runIsolated(options.limit, [&] { return simulate(world, registry, loader, log, backend); });
          const double time = run.real("build", 0) + run.real("steps", 0);
          const bool fault = run.contains("fault");
          ++runs;
          late += fault || time > kMaxSeconds;
          worst = std::max(worst, time);
          const std::string where = start == 0 ? "home" : "random " + std::to_string(start);
          std::printf("%-28s %-8s %-6s %-8s %8.2f %8.2f %8.1f  %s\n",
                      std::filesystem::path(file).filename().string().c_str(), where.c_str(), floats ? "free" : "fixed",
                      backend.c_str(), run.real("build", 0), run.real("steps", 0), run.real("speed", 0),
                      (fault ? run.string("fault", "") : run.string("status", "")).c_str());
          std::fflush(stdout);
        }
      }
    }
  }
  std::printf("%d runs of %g s, %d of them failed or took more than %g s; the longest took %.2f s\n", runs, kSeconds,
              late, kMaxSeconds, worst);
  return late > 0 ? 1 : 0;
}

}  // namespace mortise::bench
