#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "mortise/control/tabulated_policy.h"
#include "mortise/loading/format_loader.h"
#include "tests/plugins/controllers/controller_fixture.h"

namespace mortise::test {
namespace {

/// An arm of one link, and a table of two cells in its position, from -1 to 1 rad, and one in its velocity.
class TabulatedControllerTest : public ControllerFixture {
 protected:
  void SetUp() override {
    file_ = std::filesystem::temp_directory_path() / ("mortise-table-" + std::to_string(::getpid()) + ".policy");
    robot = limitedArm(1);
    q = VectorXd::Zero(1);
    state = RobotState(*robot);
    commands.resize(1);
    TabulatedPolicy policy;
    policy.cell = Eigen::Vector2d(1, 4);
    policy.low = {-1, 0};
    policy.high = {0, 0};
    policy.torques = {VectorXd::Constant(1, -3.0), VectorXd::Constant(1, 5.0)};
    std::ofstream(file_) << policyText(policy);
    loader_ = std::make_unique<FormatLoader>(*registry, log);
    host = std::make_unique<ComponentHost>("test", 1, log, loader_.get(), channels, "", "", registry.get());
  }
  void TearDown() override { std::filesystem::remove(file_); }
  double torqueAt(Controller& controller, double position, double velocity) {
    state.q[0] = position;
    state.dq[0] = velocity;
    updateAt(controller, 0);
    return commands[0].torque;
  }

  std::filesystem::path file_;
  std::unique_ptr<FormatLoader> loader_;
};

TEST_F(TabulatedControllerTest, SaysOnceThatTheRobotHasLeftTheTable) {
  auto controller = started("TabulatedController", "{file: '" + file_.string() + "'}");
  EXPECT_EQ(torqueAt(*controller, -0.5, 0.5), -3);
  EXPECT_EQ(torqueAt(*controller, 0.5, 3.9), 5);
  EXPECT_EQ(torqueAt(*controller, 1, 0), 5) << "its edge";
  EXPECT_FALSE(log.mentions("outside of the table"));
  EXPECT_EQ(torqueAt(*controller, -0.5, -0.5), -3);
  EXPECT_TRUE(
      log.mentions("the velocity of 'rod0' is outside of the table: the torques of the nearest cell are taken"));
  EXPECT_EQ(torqueAt(*controller, 1.5, 0.5), 5);
  EXPECT_EQ(log.lines.size(), 1u);
}

}  // namespace
}  // namespace mortise::test
