// Real robots among real obstacles, a few targets each; bench/real_time has the numbers of many.

#include <gtest/gtest.h>

#include "mortise/loading/format_loader.h"
#include "mortise/planning/real_time/trials/real_time_run.h"
#include "tests/support/plugins.h"
#include "tests/support/reference.h"

namespace mortise {
namespace {

class RealTimeReference : public testing::Test {
 protected:
  void SetUp() override {
    if (test::referenceDir().empty()) GTEST_SKIP() << "MORTISE_REFERENCE_DIR is not set";
  }
  World load(const std::string& file) {
    Diagnostics diagnostics;
    return loader_.world(test::referenceDir() + "/klampt-data/" + file, {}, diagnostics);
  }

  test::MemoryLog log_;
  std::unique_ptr<Registry> registry_ = test::makeRegistry(log_);
  FormatLoader loader_{*registry_, log_};
};

TEST_F(RealTimeReference, TargetsInTx90Scenario0AreReachedWithoutAFault) {
  RealTimeRunSettings settings;
  settings.targets = 12;
  settings.checks = 10;
  const auto world = std::make_shared<const World>(load("tx90scenario0.xml"));
  const RealTimeRunResult result = runRealTime(world, settings);
  EXPECT_TRUE(result.findings.clean()) << result.findings.first;
  EXPECT_EQ(result.report.at("unreached").asInteger(), 0);
  EXPECT_EQ(runRealTime(world, settings).hash, result.hash);
}

TEST_F(RealTimeReference, ABallThatCrossesTheWayIsAvoided) {
  World world = load("tx90scenario0.xml");
  RigidObject ball;
  ball.name = "ball";
  ball.geometry = std::make_shared<const Geometry>(SphereShape{Vector3d::Zero(), 0.15});
  ball.X_WO.p = Vector3d(0.5, -0.8, 0.6);
  world.objects.push_back(ball);
  RigidTransform X_WA = ball.X_WO, X_WB = ball.X_WO;
  X_WB.p.y() = 0.8;
  RealTimeRunSettings settings;
  settings.options.motions = {KnownMotion(world.objectId(0), {0, 1.5, 3}, {X_WA, X_WB, X_WA}, true)};
  settings.targets = 8;
  settings.checks = 10;
  const RealTimeRunResult result = runRealTime(std::make_shared<const World>(std::move(world)), settings);
  EXPECT_TRUE(result.findings.clean()) << result.findings.first;
}

}  // namespace
}  // namespace mortise
