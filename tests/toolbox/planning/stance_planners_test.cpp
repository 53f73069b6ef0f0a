#include <gtest/gtest.h>
#include <thread>

#include "mortise/planning/goals/goals.h"
#include "mortise/planning/planning_run.h"
#include "mortise/planning/spaces/stance_space.h"
#include "mortise/plugin/registry.h"
#include "tests/support/biped.h"
#include "tests/support/plugins.h"
#include "tests/support/quiet_host.h"

namespace mortise {
namespace {

/// Whoever plans takes solutions for an ordinary space. `runPlanner` looks at every path again.
TEST(StancePlanners, PlanUnchangedAndTheSamePathInAnotherThread) {
  World w;
  w.robots.push_back(test::placedRobot(test::bipedDescription()));
  w.terrains.push_back(test::groundTerrain());
  w.objects.push_back(test::boxObject("box", Vector3d(0.3, 0, 0.75)));
  const auto world = std::make_shared<const World>(std::move(w));
  const auto collider = std::make_shared<const WorldCollider>(world);
  const VectorXd standing = test::bipedStanding(0.5);
  const Stance stance = test::bipedStance(*world->robots[0].robot, standing, {11, 17}, 0.5);
  StanceSpaceOptions options;
  options.margin = 0.01;
  StanceSpace space(RobotSpace(withoutHolds(collider, 0, stance), 0, standing), stance, options);
  VectorXd start, goal;
  space.reduce(test::bipedStanding(0.2), start);
  space.reduce(test::bipedStanding(0.9), goal);
  goal[1] += 0.05;
  goal[3] += 0.2;
  ASSERT_TRUE(space.project(start));
  ASSERT_TRUE(space.project(goal));

  test::MemoryLog log;
  const std::unique_ptr<Registry> registry = test::makeRegistry(log);
  test::QuietHost host;
  int tried = 0;
  for (const char* name :
       {"mortise.RRT", "mortise.SBL", "mortise.PRM", "mortise.RRTStar", "ompl.RRTConnect", "ompl.EST", "ompl.BiTRRT"}) {
    SCOPED_TRACE(name);
    const ComponentInfo* info = nullptr;
    for (const ComponentInfo& component : registry->components())
      if (component.kind == Kind::planner && component.name == name) info = &component;
    if (info == nullptr) continue;  // A build without that plugin.
    ++tried;
    const auto plan = [&](PlanningSpace& in) {
      Diagnostics diagnostics;
      const Value settings = registry->completeSettings(*info, Value::map(), diagnostics);
      const auto planner = registry->create<Planner>(*info, settings, host);
      ConfigurationGoal region(in, {goal});
      RandomStream random(1);
      StopConditions conditions;
      conditions.iterations = 20000;
      StopClock stop(conditions);
      return runPlanner(*planner, {in, {start}, region}, random, stop).outcome.path;
    };
    const std::vector<VectorXd> path = plan(space);
    ASSERT_FALSE(path.empty());
    std::vector<VectorXd> again;
    const std::unique_ptr<PlanningSpace> copy = space.copy();
    std::thread([&] { again = plan(*copy); }).join();
    EXPECT_EQ(again, path);
  }
  EXPECT_GE(tried, 4);
}

}  // namespace
}  // namespace mortise
