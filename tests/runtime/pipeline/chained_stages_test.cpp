#include <algorithm>

#include "mortise/motion/trajectory.h"
#include "mortise/plugin/plugin.h"
#include "support.h"

namespace mortise::test {
namespace {

/// A controller that starts only where joint 1 is below a bound, and holds nothing.
class PickyController final : public Controller {
 public:
  explicit PickyController(const ComponentContext& context) : below_(context.settings.real("below", 0)) {}
  void start(const ControllerSetup& setup) override {
    if (setup.q[1] > below_) throw Error("joint 1 is where nothing starts");
  }
  void update(const ControllerInput&, double, std::span<ActuatorCommand>) override {}

 private:
  double below_;
};

MORTISE_PLUGIN_AS(mortise_test_picky, __attribute__((visibility("hidden"))), "test_picky", "1.0.0") {
  plugin.controller<PickyController>("test.Picky")
      .alias("Picky")
      .summary("Starts only below a bound.")
      .parameter("below", 0.0, "The bound.");
}

class ChainedStages : public PipelineTest {
 protected:
  void SetUp() override {
    PipelineTest::SetUp();
    registry_->addBuiltIn(mortise_test_picky);
    registry_->discover();
    Diagnostics diagnostics;
    home_ = loader_->world(world(), {}, diagnostics).robots[0].q;
    away_ = home_;
    away_[1] -= 0.5;
    writePath("there.path", {0, 1}, {home_, away_});
    writePath("back.path", {0, 1}, {away_, home_});
    writePath("late.path", {0.05, 1}, {away_, home_});
  }
  void writePath(const std::string& name, std::vector<double> times, std::vector<VectorXd> configurations) {
    Diagnostics diagnostics;
    loader_->write(Trajectory{std::move(times), std::move(configurations)}, path(name), diagnostics);
  }
  bool mentions(const std::string& text) const { return log_.mentions(text); }
  std::string stages(const std::string& limits, const std::string& list) {
    return write("components:\n  - {controller: PathFollowingController, robot: reacher, timed_limits: " + limits +
                 "}\nstages:\n" + list);
  }

  VectorXd home_, away_;
};

TEST_F(ChainedStages, EachFollowsItsPathFromWhereTheStageBeforeLeftTheRobot) {
  for (const char* second : {"back.path", "late.path"})
    for (const char* limits : {"refuse", "warn"}) {
      const std::string folder = std::string(second) + limits;
      const RunOutcome outcome =
          run(good(stages(limits,
                          "  - simulate: {duration: 1.3, follow: there.path, save: a, save_state: end.state}\n"
                          "  - simulate: {duration: 1.3, follow: " +
                              std::string(second) + ", save: b, state: a}\n")),
              folder);
      ASSERT_EQ(outcome.status, RunStatus::done) << folder << ": " << outcome.failure;
      EXPECT_FALSE(mentions("away from where")) << folder;
      EXPECT_FALSE(mentions("velocity limit")) << folder;
      const std::vector<double> middle = outcome.result.findPath("results.a.robots.0.q")->asReals();
      const std::vector<double> end = outcome.result.findPath("results.b.robots.0.q")->asReals();
      EXPECT_NEAR(middle[1], away_[1], 0.02);
      EXPECT_NEAR(end[1], home_[1], 0.02);
    }
}

TEST_F(ChainedStages, AStateInMidMotionGoesOnWithTheSameMotion) {
  const std::string follow = "follow: there.path, config: [0, 0, 0, 0, 0, 0], ";
  writePath("there.path", {0, 1}, {VectorXd::Zero(home_.size()), 0.4 * VectorXd::Unit(home_.size(), 1)});
  const RunOutcome full =
      run(good(stages("refuse", "  - simulate: {duration: 0.8, " + follow + "save: whole}\n")), "whole");
  ASSERT_EQ(full.status, RunStatus::done) << full.failure;
  const RunOutcome halves = run(good(stages("refuse", "  - simulate: {duration: 0.5, " + follow +
                                                          "save: first, save_state: end.state}\n"
                                                          "  - simulate: {duration: 0.3, follow: there.path, save: "
                                                          "second, state: first}\n")),
                                "halves");
  ASSERT_EQ(halves.status, RunStatus::done) << halves.failure;
  EXPECT_EQ(halves.result.findPath("results.second.state_hash")->asString(),
            full.result.findPath("results.whole.state_hash")->asString());
  EXPECT_FALSE(mentions("away from where"));
}

TEST_F(ChainedStages, APathThatStartsElsewhereIsStillSaidOrRefused) {
  const std::string from = "  - simulate: {duration: 20 ms, follow: back.path, save: a}\n";
  const RunOutcome refused = run(good(stages("refuse", from)), "refused");
  EXPECT_EQ(refused.status, RunStatus::failed);
  EXPECT_NE(refused.failure.find("path: the start is 0.5 rad away from where"), std::string::npos) << refused.failure;
  const RunOutcome said = run(good(stages("warn", from)), "said");
  EXPECT_EQ(said.status, RunStatus::done) << said.failure;
  EXPECT_TRUE(mentions("path: the start is 0.5 rad away from where"));
  const RunOutcome fast =
      run(good(stages("refuse", "  - simulate: {duration: 20 ms, follow: late.path, save: a}\n")), "fast");
  EXPECT_EQ(fast.status, RunStatus::failed);
  EXPECT_NE(fast.failure.find("times its velocity limit"), std::string::npos) << fast.failure;
  // A state of another stage does not help where that stage left the robot elsewhere.
  const RunOutcome chained =
      run(good(stages("refuse",
                      "  - simulate: {duration: 10 ms, save: a, save_state: end.state}\n"
                      "  - simulate: {duration: 10 ms, follow: back.path, save: b, state: a}\n")),
          "chained");
  EXPECT_EQ(chained.status, RunStatus::failed);
}

TEST_F(ChainedStages, ComponentsStartWhereTheStateHasTheRobot) {
  const RunOutcome first =
      run(good(write("stages:\n  - simulate: {duration: 1.3, follow: there.path, save: a, save_state: end.state}\n")),
          "first");
  ASSERT_EQ(first.status, RunStatus::done) << first.failure;
  const auto picky = [&](double bound) {
    return write("components:\n  - {controller: Picky, robot: reacher, below: " + std::to_string(bound) +
                 "}\nstages:\n  - simulate: {duration: 10 ms, save: b, state: first/a_end.state}\n");
  };
  const RunOutcome second = run(good(picky(home_[1] - 0.3)), "second");
  EXPECT_EQ(second.status, RunStatus::done) << second.failure;
  const RunOutcome never = run(good(picky(home_[1] - 3)), "never");
  EXPECT_EQ(never.status, RunStatus::failed);
  EXPECT_NE(never.failure.find("where nothing starts"), std::string::npos) << never.failure;
}

}  // namespace
}  // namespace mortise::test
