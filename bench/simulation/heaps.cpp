/// Heaps: boxes, balls and mugs that fall into a bin and come to rest in it, on each backend. What a step takes while
/// they fall and when they lie, and how deep they are in each other then.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>

#include "mortise/base/error.h"
#include "mortise/closed_forms/shapes.h"
#include "mortise/loading/assemble_world.h"
#include "shared/plugins.h"
#include "simulation/bench.h"

namespace mortise::bench {
namespace {

constexpr double kStep = 0.005;  // s
constexpr double kWidth = 0.2;   // m, of a box and of a ball.
/// Their first steps, in which they fall on each other, and their last ones, in which nearly all rest.
constexpr int kFalling = 200, kResting = 100;
constexpr int kSteps = 800;

struct Heap {
  const char* kind;
  int count;
};

constexpr Heap kHeaps[] = {{"boxes", 30},  {"boxes", 100},  {"boxes", 300},     {"boxes", 1000}, {"balls", 30},
                           {"balls", 100}, {"balls", 1000}, {"mixed mugs", 32}, {"mugs", 30}};

RigidObject bodyOf(const std::string& kind, int i, const RigidObject& mug) {
  const bool mugs = kind == "mugs" || (kind == "mixed mugs" && i % 3 == 2);
  RigidObject object;
  if (mugs) {
    object = mug;
  } else if (kind == "balls") {
    object.geometry = truth::sphereGeometry(0.5 * kWidth);
    object.inertia = {1, Vector3d::Zero(), truth::sphereMoments(1, 0.5 * kWidth)};
  } else {
    const Vector3d size = Vector3d::Constant(kind == "boxes" ? kWidth : 0.1);
    object.geometry = truth::boxGeometry(size);
    object.inertia = {1, Vector3d::Zero(), truth::boxMoments(1, size)};
  }
  object.name = kind + " " + std::to_string(i);
  return object;
}

World worldOf(const Heap& heap, const RigidObject& mug) {
  World world;
  world.simulation.timeStep = kStep;
  const int side = std::max(3, static_cast<int>(std::lround(std::cbrt(heap.count))));
  const bool mugs = std::string(heap.kind).find("mugs") != std::string::npos;
  const double spacing = mugs ? 0.2 : 1.8 * kWidth, half = 0.5 * spacing * side;
  const auto block = [&](const Vector3d& min, const Vector3d& max) {
    Terrain& terrain = world.terrains.emplace_back();
    terrain.name = "bin " + std::to_string(world.terrains.size());
    terrain.geometry = truth::geometryOf(AxisAlignedBoxShape{min, max});
  };
  block({-5, -5, -1}, {5, 5, 0});
  for (const double s : {-1.0, 1.0}) {
    const double near = s < 0 ? -half - 1 : half, far = s < 0 ? -half : half + 1;
    block({near, -half - 1, 0}, {far, half + 1, 2});
    block({-half, near, 0}, {half, far, 2});
  }
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < heap.count; ++i) {
    RigidObject object = bodyOf(heap.kind, i, mug);
    const double jitter = 0.02 * spacing;
    const Vector3d cell(i % side - 0.5 * (side - 1), i / side % side - 0.5 * (side - 1), 0.75 + i / (side * side));
    object.X_WO.p = spacing * cell + jitter * Vector3d(unit(random), unit(random), 0);
    const Vector3d axis(unit(random), unit(random), unit(random));
    object.X_WO.R = truth::rotationAbout(axis, 3 * unit(random));
    world.objects.push_back(object);
  }
  for (Terrain& terrain : world.terrains) terrain.surface.friction = 0.5;
  for (RigidObject& object : world.objects) {
    object.surface.friction = 0.5;
    object.surface.restitution = 0;
    object.surface.stiffness = object.surface.damping = std::numeric_limits<double>::infinity();
  }
  return world;
}

Value simulate(const World& world, Registry& registry, LogSink& log, const std::string& backend, std::int64_t steps) {
  SimulationOptions settings;
  settings.backend = backend;
  settings.controlRate = 100;
  Simulation simulation(world, registry, nullptr, log, settings);
  std::vector<double> times;
  double deepest = 0, fastest = 0;
  for (std::int64_t i = 0; i < steps; ++i) {
    const double before = threadSeconds();
    if (simulation.step() == StepStatus::error) throw Error(simulation.fault());
    times.push_back(threadSeconds() - before);
  }
  for (const ContactForce& contact : simulation.contacts()) deepest = std::max(deepest, contact.depth);
  for (int i = 0; i < static_cast<int>(world.objects.size()); ++i)
    fastest = std::max(fastest, simulation.objectState(i).v_WB.norm());
  const auto part = [&](std::size_t from, std::size_t to) {
    return median(std::vector<double>(times.begin() + static_cast<std::ptrdiff_t>(from),
                                      times.begin() + static_cast<std::ptrdiff_t>(std::max(from, to))));
  };
  Value result = Value::map();
  result.set("falling_ms", 1e3 * part(0, std::min<std::size_t>(kFalling, times.size())));
  result.set("resting_ms", 1e3 * part(times.size() - std::min<std::size_t>(kResting, times.size()), times.size()));
  result.set("total_s", [&] {
    double sum = 0;
    for (const double time : times) sum += time;
    return sum;
  }());
  result.set("deepest_mm", 1e3 * deepest);
  result.set("fastest", fastest);
  result.set("contacts", static_cast<std::int64_t>(simulation.contacts().size()));
  result.set("hash", static_cast<std::int64_t>(simulation.stateHash() >> 1));
  result.set("engine", simulation.effectiveSettings().at("engine"));
  return result;
}

}  // namespace

int runHeaps(const Options& options) {
  NullLog log;
  Registry registry(log);
  discoverPlugins(registry);
  FormatLoader loader(registry, log);
  Diagnostics diagnostics;
  const World mugs = assembleWorld(loader, {options.data + "/klampt-data/objects/srimugsmooth.obj"}, diagnostics);
  diagnostics.throwIfErrors("the mug");
  std::printf("%-16s %-8s %11s %11s %9s %10s %9s %9s\n", "heap", "backend", "ms falling", "ms at rest", "s in all",
              "deepest mm", "fastest", "contacts");
  Value rows = Value::list();
  for (const Heap& heap : kHeaps) {
    const std::string name = std::to_string(heap.count) + " " + heap.kind;
    if (!options.worlds.empty() &&
        std::find(options.worlds.begin(), options.worlds.end(), name) == options.worlds.end())
      continue;
    const World world = worldOf(heap, mugs.objects.at(0));
    for (const std::string& backend : options.backends) {
      Value row = runIsolated(options.limit, [&] {
        return simulate(world, registry, log, backend, std::min<std::int64_t>(options.steps, kSteps));
      });
      if (row.contains("fault"))
        std::printf("%-16s %-8s %s\n", name.c_str(), backend.c_str(), row.string("fault", "").c_str());
      else
        std::printf("%-16s %-8s %11.2f %11.2f %9.2f %10.3f %9.3g %9lld\n", name.c_str(), backend.c_str(),
                    row.real("falling_ms", 0), row.real("resting_ms", 0), row.real("total_s", 0),
                    row.real("deepest_mm", 0), row.real("fastest", 0),
                    static_cast<long long>(row.at("contacts").asInteger()));
      std::fflush(stdout);
      row.set("heap", name);
      row.set("backend", backend);
      rows.push_back(row);
    }
  }
  writeJson(options, rows);
  return 0;
}

}  // namespace mortise::bench
