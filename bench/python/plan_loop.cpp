// Plans of `bench_python_promises plans` in C++: the same planner in the same robot's space, with samples in boxes as
// Klamp't's spaces draw them. Prints a line a seed: seconds of the processor until a path, and configurations checked.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "mortise/base/diagnostics.h"
#include "mortise/loading/format_loader.h"
#include "mortise/planning/goals/goals.h"
#include "mortise/planning/planning_run.h"
#include "mortise/planning/space/plan_space.h"
#include "mortise/planning/spaces/robot_space.h"
#include "mortise/simulation/context/component_host.h"
#include "shared/plugins.h"

namespace mortise {

namespace {

/// A robot's space with other samples.
class BoxSpace final : public PlanningSpace {
 public:
  explicit BoxSpace(RobotSpace space) : space_(std::move(space)) { space_.bounds(low_, high_); }

  int dimension() const override { return space_.dimension(); }
  void bounds(VectorXd& low, VectorXd& high) const override { space_.bounds(low, high); }
  double distance(const VectorXd& a, const VectorXd& b) const override { return space_.distance(a, b); }
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override {
    space_.interpolate(a, b, u, q);
  }
  void sample(RandomStream& random, VectorXd& q) override {
    q.resize(dimension());
    for (Eigen::Index i = 0; i < q.size(); ++i) q[i] = random.uniform(low_[i], high_[i]);
  }
  void sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) override {
    VectorXd near(dimension());
    for (Eigen::Index i = 0; i < near.size(); ++i)
      near[i] = random.uniform(std::max(low_[i], center[i] - radius), std::min(high_[i], center[i] + radius));
    q = near;
  }
  std::span<const std::string> constraints() const override { return space_.constraints(); }
  bool satisfies(int constraint, const VectorXd& q) override { return space_.satisfies(constraint, q); }
  bool feasible(const VectorXd& q, int* violated) override { return space_.feasible(q, violated); }
  bool visible(const VectorXd& a, const VectorXd& b) override { return space_.visible(a, b); }
  double extent() const override { return space_.extent(); }
  double measure() const override { return space_.measure(); }
  std::unique_ptr<PlanningSpace> copy() const override { return std::make_unique<BoxSpace>(space_); }
  Counts counts() const override { return space_.counts(); }
  Value properties() const override { return space_.properties(); }

 private:
  RobotSpace space_;
  VectorXd low_, high_;
};

int run(const char* file, const std::string& type, double radius, int seeds, const VectorXd& goal) {
  Registry& registry = bench::pluginRegistry();
  FormatLoader loader(registry, bench::silentLog());
  Diagnostics diagnostics;
  const auto world = std::make_shared<const World>(loader.world(file, {}, diagnostics));
  const VectorXd start = world->robots.at(0).q;
  if (goal.size() != start.size()) return std::fputs("the goal takes a number a link of the robot\n", stderr), 2;
  RobotSpaceOptions options;
  options.edges.method = EdgeCheckOptions::Method::resolution;
  options.edges.resolution = 0.01;
  const RobotSpace space(makePlanCollider(world), 0, start, options);
  VectorXd from, to;
  space.reduce(start, from);
  space.reduce(goal, to);
  const ComponentInfo* info = registry.find(Kind::planner, type);
  if (info == nullptr) return std::fprintf(stderr, "there is no planner '%s'\n", type.c_str()), 1;
  Value chosen = Value::map();
  for (const char* name : {"connectionThreshold", "perturbationRadius"}) chosen.set(name, radius);
  const Value settings = registry.completeSettings(*info, chosen, diagnostics);
  diagnostics.throwIfErrors("the planner cannot be made");
  ChannelTable channels;
  for (int seed = 0; seed < seeds; ++seed) {
    BoxSpace box(space);
    ComponentHost host(type, 0, bench::silentLog(), nullptr, channels, {}, {});
    const auto planner = registry.create<Planner>(*info, settings, host);
    ConfigurationGoal end(box, {to});
    const PlanningProblem problem{box, {from}, end};
    RandomStream random(static_cast<std::uint64_t>(seed), "planner");
    StopConditions conditions;
    conditions.iterations = 20000;
    const std::clock_t begin = std::clock();
    planner->start(problem, random);
    StopClock stop(conditions);
    planner->plan(stop);
    std::printf("%.6f %lld\n", static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC,
                static_cast<long long>(box.counts().configurations));
  }
  return 0;
}

}  // namespace

}  // namespace mortise

int main(int argc, char** argv) {
  if (argc < 6) return std::fputs("usage: plan_loop WORLD PLANNER RADIUS SEEDS GOAL...\n", stderr), 2;
  mortise::VectorXd goal(argc - 5);
  for (int i = 5; i < argc; ++i) goal[i - 5] = std::atof(argv[i]);
  return mortise::run(argv[1], argv[2], std::atof(argv[3]), std::atoi(argv[4]), goal);
}
