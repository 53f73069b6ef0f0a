/// A seven-joint arm of meshes whose straight edge is blocked, and what must hold for every planner: that its path is
/// free, that it can be repeated, that it can be stopped.

#include <atomic>
#include <chrono>
#include <thread>

#include "mortise/loading/format_loader.h"
#include "mortise/planning/spaces/robot_space.h"
#include "planners_test.h"

namespace mortise {
namespace {

using test::PlannersTest;
using test::sameBits;
using test::samplingPlanners;

class Arm : public PlannersTest {
 protected:
  Arm() {
    FormatLoader loader(*registry, log);
    Diagnostics diagnostics;
    const std::string data = MORTISE_SOURCE_DIR "/data/";
    world = std::make_shared<const World>(loader.world(data + "worlds/heron_shelf.xml", {}, diagnostics));
    diagnostics.throwIfErrors();
    collider = std::make_shared<const WorldCollider>(world);
    const VectorXd from = loader.load<VectorXd>(data + "motions/heron_shelf_start.config", {}, diagnostics),
                   to = loader.load<VectorXd>(data + "motions/heron_shelf_goal.config", {}, diagnostics);
    space = std::make_unique<RobotSpace>(collider, 0, world->robots[0].q);
    space->reduce(from, start);
    space->reduce(to, end);
  }

  PlanningRun plan(const std::string& name, std::uint64_t seed, const StopConditions& stop, PlanningSpace& in) {
    ConfigurationGoal goal(in, {end});
    const PlanningProblem problem{in, {start}, goal};
    const auto planner = create(name);
    return run(*planner, problem, seed, stop);
  }

  std::shared_ptr<const World> world;
  std::shared_ptr<const WorldCollider> collider;
  std::unique_ptr<RobotSpace> space;
  VectorXd start, end;
};

TEST_F(Arm, TenSeedsAndAFinerCheckOfAnotherKind) {
  ASSERT_EQ(space->dimension(), 7);
  ASSERT_TRUE(space->feasible(start) && space->feasible(end));
  ASSERT_FALSE(space->visible(start, end));
  RobotSpaceOptions fine;
  fine.edges.method = EdgeCheckOptions::Method::resolution;
  fine.edges.resolution = 0.005;
  RobotSpace checked(collider, 0, world->robots[0].q, fine);
  for (const std::string& name : samplingPlanners())
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const PlanningRun found = plan(name, seed, rounds(200000, true), *space);
      ASSERT_EQ(found.outcome.status, PlanningStatus::solved)
          << name << ", seed " << seed << ": " << found.outcome.message;
      for (std::size_t i = 1; i < found.outcome.path.size(); ++i)
        ASSERT_TRUE(checked.visible(found.outcome.path[i - 1], found.outcome.path[i])) << name << ", seed " << seed;
    }
}

TEST_F(Arm, TooManyDimensionsForAGrid) {
  for (const std::string name : {"fmm", "fmm*"}) {
    const PlanningRun refused = plan(name, 1, rounds(100, true), *space);
    EXPECT_EQ(refused.outcome.status, PlanningStatus::unsuitable);
    EXPECT_NE(refused.outcome.message.find("7 dimensions"), std::string::npos) << refused.outcome.message;
    EXPECT_NE(refused.outcome.message.find("MB"), std::string::npos) << refused.outcome.message;
  }
}

TEST_F(Arm, TheSameSeedGivesTheSameBitsBesideAnotherThread) {
  std::atomic<bool> done = false;
  std::unique_ptr<PlanningSpace> other = space->copy();
  std::thread busy([&] {
    // Another planner on the same world, all the time.
    test::MemoryLog silent;
    const auto mine = test::makeRegistry(silent);
    test::QuietHost host2;
    const ComponentInfo& info = mine->require(Kind::planner, "rrt*");
    Diagnostics diagnostics;
    const Value settings = mine->completeSettings(info, Value::map(), diagnostics);
    for (std::uint64_t seed = 1; !done; ++seed) {
      const auto planner = mine->create<Planner>(info, settings, host2);
      ConfigurationGoal goal(*other, {end});
      const PlanningProblem problem{*other, {start}, goal};
      run(*planner, problem, seed, rounds(200));
    }
  });
  for (const std::string& name : samplingPlanners()) {
    const StopConditions stop = rounds(600);
    const PlanningRun first = plan(name, 4, stop, *space), second = plan(name, 4, stop, *space->copy()),
                      third = plan(name, 5, stop, *space);
    EXPECT_TRUE(sameBits(first.outcome.path, second.outcome.path)) << name;
    EXPECT_EQ(first.iterations, second.iterations) << name;
    EXPECT_EQ(first.outcome.cost, second.outcome.cost) << name;
    EXPECT_EQ(toYaml(first.outcome.statistics), toYaml(second.outcome.statistics)) << name;
    if (!first.outcome.path.empty()) {
      EXPECT_FALSE(sameBits(first.outcome.path, third.outcome.path)) << name << ": seeds make no difference";
    }
  }
  done = true;
  busy.join();
}

TEST_F(Arm, ARunLimitedByTimeIsRepeatedByItsRounds) {
  for (const std::string& name : samplingPlanners()) {
    StopConditions timed;
    timed.foundSolution = false;
    timed.seconds = 0.05;
    const PlanningRun first = plan(name, 9, timed, *space);
    const PlanningRun again = plan(name, 9, rounds(first.iterations), *space);
    EXPECT_TRUE(sameBits(first.outcome.path, again.outcome.path)) << name;
    EXPECT_EQ(first.iterations, again.iterations) << name;
  }
}

TEST_F(Arm, EndsWhenAskedTo) {
  for (const std::string& name : samplingPlanners()) {
    std::int64_t asked = 0;
    StopConditions conditions;
    conditions.foundSolution = false;
    StopClock stop(conditions, [&] { return ++asked > 40; });
    ConfigurationGoal goal(*space, {end});
    const PlanningProblem problem{*space, {start}, goal};
    const auto planner = create(name);
    RandomStream random(2);
    planner->start(problem, random);
    planner->plan(stop);
    if (!stop.fired().empty()) {
      EXPECT_TRUE(stop.fired() == "stopRequested") << name << " " << stop.fired();
      EXPECT_EQ(asked, 41) << name << ": asked once a round";
    }
  }
}

TEST_F(Arm, GoesOnWhereItWasStopped) {
  for (const std::string& name : samplingPlanners()) {
    ConfigurationGoal goal(*space, {end}), same(*space, {end});
    const PlanningProblem problem{*space, {start}, goal}, alike{*space, {start}, same};
    const auto full = create(name), parts = create(name);
    RandomStream random(6), twin(6);
    full->start(problem, random);
    parts->start(alike, twin);
    StopClock once(rounds(400));
    const PlanningOutcome atOnce = full->plan(once);
    PlanningOutcome outcome;
    for (int k = 0; k < 4; ++k) {
      StopClock quarter(rounds(100));
      outcome = parts->plan(quarter);
    }
    EXPECT_TRUE(sameBits(atOnce.path, outcome.path)) << name;
  }
}

}  // namespace
}  // namespace mortise
