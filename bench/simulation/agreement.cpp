/// The same world and the same contacts on both backends: where everything rests.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "simulation/bench.h"

namespace mortise::bench {
namespace {

constexpr double kMillimetres = 2, kDegrees = 0.5;

/// Poses of all objects as 12 numbers each, and how fast they still move.
Value restingPoses(const Options& options, const Case& c, const std::string& backend) {
  Loaded loaded(options, c.file);
  const std::unique_ptr<Simulation> simulation = loaded.simulate(backend);
  simulation->advance(options.seconds);
  Value result = Value::map(), objects = Value::list();
  double fastest = 0;
  for (std::size_t i = 0; i < loaded.world.objects.size(); ++i) {
    const BodyState& state = simulation->objectState(static_cast<int>(i));
    std::vector<double> numbers;
    for (int k = 0; k < 9; ++k) numbers.push_back(state.X_WB.R(k / 3, k % 3));
    for (int k = 0; k < 3; ++k) numbers.push_back(state.X_WB.p[k]);
    Value object = Value::map();
    object.set("name", loaded.world.objects[i].name);
    object.set("pose", numbers);
    objects.push_back(std::move(object));
    fastest = std::max(fastest, state.v_WB.norm());
  }
  result.set("objects", std::move(objects));
  result.set("fastest", fastest);
  return result;
}

}  // namespace

int runAgreement(const Options& options) {
  Options chosen = options;
  if (chosen.worlds.empty()) chosen.worlds = {"block", "stacktest", "tx90blocks", "tx90cups"};
  std::printf("resting poses after %g s, ODE against Bullet; at most %g mm and %g degrees\n\n", options.seconds,
              kMillimetres, kDegrees);
  std::printf("%-20s %-16s %8s %8s %8s\n", "world", "object", "mm", "degrees", "");
  int apart = 0;
  for (const Case& c : findCases(chosen)) {
    Value runs[2];
    bool full = true;
    for (int k = 0; k < 2; ++k) {
      const std::string backend = k == 0 ? "ode" : "bullet";
      runs[k] = runIsolated(options.limit, [&] { return restingPoses(options, c, backend); });
      if (!runs[k].contains("fault")) continue;
      std::printf("%-20s %s: %s\n", c.name.c_str(), backend.c_str(), runs[k].at("fault").text().c_str());
      full = false;
    }
    if (!full) {
      ++apart;
      continue;
    }
    for (std::size_t i = 0; i < runs[0].at("objects").size(); ++i) {
      const Value &a = runs[0].at("objects")[i], &b = runs[1].at("objects")[i];
      const RigidTransform X = poseOf(a.at("pose")), Y = poseOf(b.at("pose"));
      const double distance = 1e3 * (X.p - Y.p).norm(), angle = degreesBetween(X.R, Y.R);
      const bool agree = distance <= kMillimetres && angle <= kDegrees;
      apart += !agree;
      std::printf("%-20s %-16.16s %8.3f %8.3f %8s\n", c.name.c_str(), a.at("name").text().c_str(), distance, angle,
                  agree ? "ok" : "APART");
    }
    std::printf("%-20s fastest object: ODE %.3f mm/s, Bullet %.3f mm/s\n", c.name.c_str(),
                1e3 * runs[0].real("fastest", 0), 1e3 * runs[1].real("fastest", 0));
    std::fflush(stdout);
  }
  std::printf("\n%d objects apart\n", apart);
  return 0;
}

}  // namespace mortise::bench
