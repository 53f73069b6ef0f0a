#include <gtest/gtest.h>

#include "mortise/loading/format_loader.h"
#include "mortise/planning/spaces/robot_space.h"
#include "tests/plugins/planners_ompl/plans.h"

namespace mortise {
namespace {

using test::planners;

/// The arm of data/worlds/heron_shelf.xml, beside the post alone, which stands between start and goal.
struct Arm {
  Arm() {
    FormatLoader loader(planners().registry(), planners().log());
    Diagnostics diagnostics;
    World all = loader.world(MORTISE_SOURCE_DIR "/data/worlds/heron_shelf.xml", {}, diagnostics);
    std::erase_if(all.terrains, [](const Terrain& terrain) { return terrain.name != "post"; });
    base = all.robots.front().q;
    collider = std::make_shared<const WorldCollider>(std::make_shared<const World>(std::move(all)));
  }

  std::shared_ptr<const WorldCollider> collider;
  VectorXd base;
  VectorXd start{{-1.113, 1.023, 0.500, -0.802, 0.882, -1.244, -1.526}};
  VectorXd goal{{1.467, 1.742, -0.045, -0.250, 0.079, -0.754, 0.008}};
};

/// The marching trees draw all samples before they find anything.
std::string settingsOf(const std::string& name) { return name.ends_with("FMT") ? "{num_samples: 150}" : "{}"; }

TEST(OmplArm, SevenJointsAmongMeshesFromTenSeeds) {
  const Arm arm;
  RobotSpace space(arm.collider, 0, arm.base);
  ASSERT_EQ(space.dimension(), 7);
  ASSERT_FALSE(space.visible(arm.start, arm.goal));
  for (const std::string& name : planners().names()) {
    test::QuietHost host;
    const auto planner = planners().create(name, host, settingsOf(name));
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      ConfigurationGoal goal(space, {arm.goal});
      const PlanningProblem problem{space, {arm.start}, goal, nullptr};
      RandomStream random(seed, "plan");
      StopConditions conditions;
      conditions.iterations = 30000;
      StopClock stop(conditions);
      const PlanningRun run = runPlanner(*planner, problem, random, stop);
      EXPECT_EQ(run.outcome.status, PlanningStatus::solved) << name << ", seed " << seed;
      // Densely, one configuration after the other.
      VectorXd q;
      for (std::size_t i = 1; i < run.outcome.path.size(); ++i) {
        const int steps = static_cast<int>(space.distance(run.outcome.path[i - 1], run.outcome.path[i]) / 0.02) + 1;
        for (int k = 0; k <= steps; ++k) {
          space.interpolate(run.outcome.path[i - 1], run.outcome.path[i], double(k) / steps, q);
          ASSERT_TRUE(space.feasible(q)) << name << ", seed " << seed << ", way " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace mortise
