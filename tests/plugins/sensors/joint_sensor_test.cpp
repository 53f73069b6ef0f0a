// JointPositionSensor, JointVelocitySensor and DriverTorqueSensor.

#include <cmath>

#include "tests/plugins/sensors/sensor_bench.h"

namespace mortise {
namespace {

using Strings = std::vector<std::string>;

class JointSensors : public test::SensorBench {};

TEST_F(JointSensors, ReportEveryLinkByDefault) {
  auto sensor = started("JointPositionSensor", "{}");
  EXPECT_EQ(channelsOf(*sensor), (Strings{"q[rod0]", "q[rod1]"}));
  state.q << 0.25, -1;
  EXPECT_EQ(read(*sensor), (std::vector<double>{0.25, -1}));
}

TEST_F(JointSensors, ReportDriverTorques) {
  auto sensor = started("DriverTorqueSensor", "{tresolution: 0.5}");
  EXPECT_EQ(channelsOf(*sensor), (Strings{"t[rod0]", "t[rod1]"}));
  driverTorques = {12.3, -4};
  EXPECT_EQ(read(*sensor), (std::vector<double>{12.5, -4}));
}

TEST_F(JointSensors, PickLinksByNameAndIndex) {
  for (const char* indices : {"[1]", "rod1", "[rod1]", "'1'", "1"}) {
    auto sensor = started("JointVelocitySensor", std::string("{indices: ") + indices + ", dqresolution: 0.1}");
    state.dq << 5, 0.234;
    ASSERT_EQ(channelsOf(*sensor), Strings{"dq[rod1]"}) << indices;
    EXPECT_NEAR(read(*sensor)[0], 0.2, 1e-15);
  }
  auto both = started("JointPositionSensor", "{indices: 'rod1 0'}");
  state.q << 1, 2;
  EXPECT_EQ(read(*both), (std::vector<double>{2, 1}));
  auto driver = started("DriverTorqueSensor", "{indices: rod1}");
  driverTorques = {1, 2};
  EXPECT_EQ(read(*driver), std::vector<double>{2});
}

TEST_F(JointSensors, NamesThatAreNotUniqueGiveWayToIndices) {
  RobotDescription twins = test::armDescription(3);
  twins.links[1].name = twins.links[0].name;
  world.robots[0] = test::placedRobot(twins);
  EXPECT_EQ(channelsOf(*started("JointPositionSensor", "{}")), (Strings{"q[0]", "q[1]", "q[rod2]"}));
}

TEST_F(JointSensors, NoiseHasTheVarianceThatIsAskedFor) {
  auto position = started("JointPositionSensor", "{qvariance: [0.04, 0]}");
  auto velocity = started("JointVelocitySensor", "{dqvariance: 1e-6}");
  auto torque = started("DriverTorqueSensor", "{tvariance: [9, 0.25]}");
  state.q << 1, 2;
  state.dq << -3, 4;
  driverTorques = {10, -20};
  test::Statistics found[5];
  for (int i = 0; i < 20000; ++i) {
    const std::vector<double> q = read(*position), dq = read(*velocity), t = read(*torque);
    ASSERT_EQ(q[1], 2);
    const double values[] = {q[0], dq[0], dq[1], t[0], t[1]};
    for (int k = 0; k < 5; ++k) found[k].add(values[k]);
  }
  test::expectNoise(found[0], 1, 0.04, "q");
  test::expectNoise(found[1], -3, 1e-6, "dq 0");
  test::expectNoise(found[2], 4, 1e-6, "dq 1");
  test::expectNoise(found[3], 10, 9, "t 0");
  test::expectNoise(found[4], -20, 0.25, "t 1");
}

TEST_F(JointSensors, NoiseIsRounded) {
  auto sensor = started("JointPositionSensor", "{qvariance: 0.01, qresolution: [0.125, 0]}");
  state.q << 0.3, 0.3;
  bool several = false;
  for (int i = 0; i < 200; ++i) {
    const std::vector<double> q = read(*sensor);
    EXPECT_EQ(8 * q[0], std::round(8 * q[0]));
    EXPECT_NE(8 * q[1], std::round(8 * q[1]));
    several = several || q[0] != 0.25;
  }
  EXPECT_TRUE(several);
}

TEST_F(JointSensors, AListForAllLinksServesSomeOfThem) {
  auto sensor = started("JointPositionSensor", "{indices: [1], qresolution: [10, 0.5]}");
  state.q << 0, 0.7;
  EXPECT_EQ(read(*sensor), std::vector<double>{0.5});
}

TEST_F(JointSensors, TakeTheManualsNamesToo) {
  auto sensor = started("JointVelocitySensor", "{qresolution: 0.5}");
  state.dq << 0.6, 0;
  EXPECT_EQ(read(*sensor)[0], 0.5);
  EXPECT_TRUE(sensor->changeSetting("qresolution", Value(0.25)));
  EXPECT_EQ(read(*sensor)[0], 0.5);
  EXPECT_TRUE(sensor->changeSetting("dqresolution", Value("0 0")));
  EXPECT_EQ(read(*sensor)[0], 0.6);
  EXPECT_EQ(sensor->settings().at("dqresolution").asReals(), (std::vector<double>{0, 0}));
}

TEST_F(JointSensors, ChangeOnlyWhatMayChange) {
  auto sensor = started("JointPositionSensor", "{}");
  EXPECT_FALSE(sensor->changeSetting("indices", Value(0)));
  EXPECT_FALSE(sensor->changeSetting("color", Value(0)));
  EXPECT_THROW(sensor->changeSetting("qvariance", Value(-1)), Error);
  EXPECT_THROW(sensor->changeSetting("qvariance", Value("1 2 3")), Error);
  EXPECT_THROW(sensor->changeSetting("qvariance", Value("much")), Error);
  EXPECT_THROW(sensor->changeSetting("qvariance", Value("nan")), Error);
  EXPECT_THROW(sensor->changeSetting("qvariance", Value("inf")), Error);
  state.q << 1, 2;
  EXPECT_EQ(read(*sensor), (std::vector<double>{1, 2})) << "nothing of that was taken over";
}

TEST_F(JointSensors, RefuseWhatMakesNoSense) {
  for (const char* settings : {"{qvariance: -1}", "{qvariance: wide}", "{qvariance: .nan}", "{qvariance: .inf}",
                               "{qvariance: [1, 2, 3]}", "{qresolution: [1, -2]}", "{indices: [0, 7]}", "{indices: -1}",
                               "{indices: 0.5}", "{indices: elbow}", "{variance: 1}"})
    EXPECT_NE(refusal("JointPositionSensor", settings).find("test.yaml:1:"), std::string::npos) << settings;
  EXPECT_NE(refusal("JointPositionSensor", "{indices: rod_1}").find("'rod1'"), std::string::npos) << "the nearest name";
  EXPECT_NE(refusal("DriverTorqueSensor", "{indices: [5]}").find("test.yaml:1:"), std::string::npos);
}

}  // namespace
}  // namespace mortise
