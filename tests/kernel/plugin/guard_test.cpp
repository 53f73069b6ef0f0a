#include "mortise/plugin/guard.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/component/controller.h"
#include "mortise/plugin/registry.h"
#include "tests/kernel/plugin/plugin_files.h"
#include "tests/support/plugins.h"
#include "tests/support/quiet_host.h"

namespace mortise {
namespace {

/// Controllers of a plugin that loads well and misbehaves once it is used.
class GuardTest : public testing::Test {
 protected:
  GuardTest() {
    registry.addFile(test::fixture("faulty_controllers"));
    registry.discover();
  }
  ComponentPtr<Controller> create(const std::string& name) {
    const auto& info = registry.require(Kind::controller, name);
    Diagnostics diagnostics;
    return registry.create<Controller>(info, registry.completeSettings(info, Value::map(), diagnostics), host);
  }
  ComponentStatus update(Controller& controller) {
    return guarded("arm/damper", "update", message, [&] { controller.update({}, 0.01, {&command, 1}); });
  }

  test::MemoryLog log;
  test::QuietHost host;
  Registry registry{log};
  std::string message;
  ActuatorCommand command;
};

TEST_F(GuardTest, ExceptionOfThePluginBecomesAStatus) {
  const auto controller = create("fixture.ThrowsInUpdate");
  EXPECT_EQ(update(*controller), ComponentStatus::fault);
  EXPECT_EQ(message, "arm/damper: update failed: lost the encoder");
}

TEST_F(GuardTest, AnythingThrownBecomesAStatus) {
  const auto controller = create("fixture.ThrowsNumberInUpdate");
  EXPECT_EQ(update(*controller), ComponentStatus::fault);
  EXPECT_EQ(message, "arm/damper: update threw something that is not a std::exception");
}

TEST_F(GuardTest, NothingThrownLeavesNoMessage) {
  const auto controller = create("fixture.ReturnsNan");
  EXPECT_EQ(update(*controller), ComponentStatus::ok);
  EXPECT_EQ(message, "");
  EXPECT_TRUE(std::isnan(command.torque));  // For the loop to notice: see tests/runtime/simulation.
}

TEST_F(GuardTest, ThrowingInCreateLeavesNothingBehind) {
  EXPECT_THROW(create("fixture.ThrowsInCreate"), Error);
  const auto other = create("fixture.ThrowsInStart");  // The library still works.
  EXPECT_EQ(update(*other), ComponentStatus::ok);
}

}  // namespace
}  // namespace mortise
