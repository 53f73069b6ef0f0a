// Every setting of every planner changes what it finds or does, or a remark says why not.

#include "mortise/hash/hash.h"
#include "mortise/planning/goals/goals.h"
#include "mortise/planning/planning_run.h"
#include "tests/runtime/settings/planner_remarks.h"
#include "tests/runtime/settings/planning_mazes.h"
#include "tests/runtime/settings/sweep.h"
#include "tests/support/engines.h"
#include "tests/support/quiet_host.h"

namespace mortise::test {
namespace {

/// A space, where the planner ends, and its seed.
struct PlanningScene {
  int dimension;
  WalledCube (*space)(int dimension);
  bool firstPath;
  std::int64_t rounds;
};

constexpr PlanningScene kPlanningScenes[] = {
    {2, oneWall, false, 2000},  {4, oneWall, false, 600},    {2, windingWalls, false, 1500},
    {2, narrowGap, true, 3000}, {3, narrowGap, false, 4000},
};

/// The path, digit by digit, and what the planner says of its work.
std::string planned(const ComponentInfo& info, const Value& settings, const PlanningScene& scene) {
  try {
    QuietHost host;
    Diagnostics diagnostics;
    const Value complete = settingsRegistry().completeSettings(info, settings, diagnostics);
    diagnostics.throwIfErrors();
    const ComponentPtr<Planner> planner = settingsRegistry().create<Planner>(info, complete, host);
    WalledCube space = scene.space(scene.dimension);
    ConfigurationGoal goal(space, {VectorXd::Constant(scene.dimension, 9)});
    const PlanningProblem problem{space, {VectorXd::Constant(scene.dimension, 1)}, goal};
    StopConditions stop;
    stop.iterations = scene.rounds;
    stop.foundSolution = scene.firstPath;
    RandomStream random(7);
    StopClock clock(stop);
    const PlanningRun run = runPlanner(*planner, problem, random, clock);
    std::string text(planningStatusName(run.outcome.status));
    for (const VectorXd& q : run.outcome.path)
      for (const double value : q) text += " " + formatReal(value);
    return text + " after " + std::to_string(run.counts.configurations) + " and " + std::to_string(run.counts.edges);
  } catch (const Error& error) {
    return std::string("refused: ") + error.what();
  }
}

void sweepPlanners(const std::string& vendor) {
  SweepCount all;
  int planners = 0;
  for (const ComponentInfo& info : settingsRegistry().components()) {
    if (info.kind != Kind::planner || !info.name.starts_with(vendor)) continue;
    ++planners;
    const SweepCount count = sweepSettings(
        info.name, info.schema, Value::map(), plannerRemarks(), static_cast<int>(std::size(kPlanningScenes)),
        [&](const Value& settings, int scene) { return planned(info, settings, kPlanningScenes[scene]); });
    all.swept += count.swept;
    all.remarked += count.remarked;
  }
  EXPECT_GT(planners, 10);
  reportCount("planners", all);
}

TEST(PlannerSettings, DoWhatTheySay) {
  MORTISE_NEEDS_PLUGIN("planners");
  sweepPlanners("mortise.");
}

TEST(PlannerSettings, OfOmplDoWhatTheySay) {
  MORTISE_NEEDS_PLUGIN("planners_ompl");
  sweepPlanners("ompl.");
}

TEST(PlannerRemarks, AreOfSettings) {
  expectRemarksOfSettings(plannerRemarks(), [](const std::string& name) { return schemasOf(Kind::planner, name); });
}

}  // namespace
}  // namespace mortise::test
