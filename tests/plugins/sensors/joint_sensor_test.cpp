#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/sensor.h"
#include "mortise/simulation/component_host.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

class JointSensorTest : public testing::Test {
 protected:
  ComponentPtr<Sensor> create(const char* type, const char* settings) {
    const ComponentInfo& info = registry->require(Kind::sensor, type);
    Diagnostics diagnostics;
    const Value complete = registry->completeSettings(info, parseYaml(settings, "test"), diagnostics);
    diagnostics.throwIfErrors();
    return registry->create<Sensor>(info, complete, host);
  }
  std::vector<double> measure(Sensor& sensor) {
    const RobotView views[] = {{&state, {}, {}, {}}};
    SimulationView view;
    view.world = &world;
    view.robots = views;
    std::vector<double> out(sensor.channels().size());
    sensor.simulate(view, 0.01, out);
    return out;
  }

  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
  ChannelTable channels;
  ComponentHost host{"test", 1, log, nullptr, channels, {}, {}};
  World world = test::smallWorld();
  RobotState state{*world.robots[0].robot};
};

TEST_F(JointSensorTest, ReportsEveryLinkByDefault) {
  auto sensor = create("JointPositionSensor", "{}");
  sensor->start({world, 0});
  EXPECT_EQ(std::vector<std::string>(sensor->channels().begin(), sensor->channels().end()),
            (std::vector<std::string>{"q[rod0]", "q[rod1]"}));
  state.q << 0.25, -1;
  EXPECT_EQ(measure(*sensor), (std::vector<double>{0.25, -1}));
}

TEST_F(JointSensorTest, PicksLinksAndRounds) {
  auto sensor = create("JointVelocitySensor", "{indices: [1], dqresolution: 0.1}");
  sensor->start({world, 0});
  state.dq << 5, 0.234;
  ASSERT_EQ(sensor->channels().size(), 1u);
  EXPECT_NEAR(measure(*sensor)[0], 0.2, 1e-15);
}

TEST_F(JointSensorTest, NoiseHasTheVarianceThatIsAskedFor) {
  auto sensor = create("JointPositionSensor", "{qvariance: [0.04, 0]}");
  sensor->start({world, 0});
  state.q << 1, 2;
  double sum = 0, square = 0;
  constexpr int kCount = 20000;
  for (int i = 0; i < kCount; ++i) {
    const std::vector<double> values = measure(*sensor);
    sum += values[0] - 1;
    square += (values[0] - 1) * (values[0] - 1);
    ASSERT_EQ(values[1], 2);
  }
  EXPECT_NEAR(sum / kCount, 0, 0.006);         // Four standard errors of the mean.
  EXPECT_NEAR(square / kCount, 0.04, 0.0016);  // Four standard errors of the variance.
}

TEST_F(JointSensorTest, TakesTheManualsNamesToo) {
  auto sensor = create("JointVelocitySensor", "{qresolution: 0.5}");
  sensor->start({world, 0});
  state.dq << 0.6, 0;
  EXPECT_EQ(measure(*sensor)[0], 0.5);
}

TEST_F(JointSensorTest, RefusesWhatMakesNoSense) {
  EXPECT_THROW(create("JointPositionSensor", "{qvariance: -1}"), Error);
  EXPECT_THROW(create("JointPositionSensor", "{qvariance: wide}"), Error);
  auto outside = create("JointPositionSensor", "{indices: [0, 7]}");
  EXPECT_THROW(outside->start({world, 0}), Error);
  auto three = create("JointPositionSensor", "{qvariance: [1, 2, 3]}");
  EXPECT_THROW(three->start({world, 0}), Error);
}

}  // namespace
}  // namespace mortise
