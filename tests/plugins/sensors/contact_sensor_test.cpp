// ContactSensor: geometry of the patch, weights, limits, and what lies on it.

#include <cmath>
#include <limits>

#include "mortise/math/rotation.h"
#include "tests/plugins/sensors/sensor_bench.h"
#include "tests/plugins/sensors/sensor_simulation.h"

namespace mortise {
namespace {

class ContactPatch : public test::SensorBench {
 protected:
  ContactPatch() {
    for (int i = 0; i < 2; ++i) state.X_WL[i] = {rotationY(0.3 * i) * rotationX(1.0), Vector3d(0.5, -1, 2)};
    id = world.linkId(0, 1);
  }
  /// A contact of link 1, place and force in the sensor's frame.
  ContactForce contact(const Vector3d& p_S, const Vector3d& force_S, bool linkIsA = true) const {
    const RigidTransform X_WS = state.X_WL[1] * X_LS;
    ContactForce result;
    (linkIsA ? result.idA : result.idB) = id;
    (linkIsA ? result.idB : result.idA) = 0;
    result.point = X_WS * p_S;
    result.force = (linkIsA ? 1.0 : -1.0) * (X_WS.R * force_S);
    return result;
  }
  /// Reading after one step with these contacts.
  std::vector<double> felt(Sensor& sensor, std::vector<ContactForce> found) {
    contacts = std::move(found);
    sensor.observe(view(), step);
    return read(sensor);
  }

  int id = 0;
  RigidTransform X_LS;
};

constexpr const char* kPatch = "link: rod1, patchMin: [-0.01, -0.02], patchMax: [0.03, 0.02], patchTolerance: 5 mm";

TEST_F(ContactPatch, ChannelsAreThoseThatAreAskedFor) {
  using Strings = std::vector<std::string>;
  EXPECT_EQ(channelsOf(*started("ContactSensor", "{}")), Strings{"contact"});
  EXPECT_EQ(channelsOf(*started("ContactSensor", "{hasForce: 0 0 1}")), (Strings{"contact", "force_z"}));
  EXPECT_EQ(channelsOf(*started("ContactSensor", "{hasForce: [true, false, true]}")),
            (Strings{"contact", "force_x", "force_z"}));
  EXPECT_EQ(channelsOf(*started("ContactSensor", "{hasForce: 1}")).size(), 4u);
}

TEST_F(ContactPatch, FeelsWhatIsInsideAndNothingElse) {
  auto sensor = started("ContactSensor", std::string("{") + kPatch + ", hasForce: [1, 1, 1]}");
  EXPECT_EQ(read(*sensor), (std::vector<double>{0, 0, 0, 0})) << "nothing observed yet";
  const Vector3d force(1, 2, -3);
  const double e = 1e-9;
  for (const Vector3d& p : {Vector3d(0, 0, 0), Vector3d(-0.01 + e, -0.02 + e, 0.005 - e),
                            Vector3d(0.03 - e, 0.02 - e, -0.005 + e), Vector3d(0.02, 0.01, 0)}) {
    const std::vector<double> values = felt(*sensor, {contact(p, force)});
    EXPECT_EQ(values[0], 1) << p.transpose();
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(values[1 + i], force[i], 1e-12) << p.transpose();
  }
  for (const Vector3d& p : {Vector3d(-0.01 - e, 0, 0), Vector3d(0.03 + e, 0, 0), Vector3d(0, -0.02 - e, 0),
                            Vector3d(0, 0.02 + e, 0), Vector3d(0, 0, 0.005 + e), Vector3d(0, 0, -0.005 - e)})
    EXPECT_EQ(felt(*sensor, {contact(p, force)}), (std::vector<double>{0, 0, 0, 0})) << p.transpose();
}

TEST_F(ContactPatch, TakesTheForceOnTheLinkWhicheverSideItIs) {
  auto sensor = started("ContactSensor", std::string("{") + kPatch + ", hasForce: [1, 1, 1]}");
  const Vector3d force(1, 2, -3);
  const std::vector<double> values = felt(*sensor, {contact(Vector3d::Zero(), force, false)});
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(values[1 + i], force[i], 1e-12);
  ContactForce other = contact(Vector3d::Zero(), force);
  other.idA = world.linkId(0, 0);
  EXPECT_EQ(felt(*sensor, {other})[0], 0) << "another link's contact";
}

TEST_F(ContactPatch, LiesWhereTsensorSays) {
  X_LS = {rotationX(0.4) * rotationZ(2), Vector3d(0.1, 0.2, 0.3)};
  std::string rows;
  double v[12];
  X_LS.toRows(v);
  for (const double number : v) rows += (rows.empty() ? "" : ", ") + formatReal(number);
  auto sensor = started("ContactSensor", std::string("{") + kPatch + ", hasForce: [1, 1, 1], Tsensor: [" + rows + "]}");
  const std::vector<double> values = felt(*sensor, {contact(Vector3d(0.029, -0.019, 0.004), Vector3d(0, 0.5, -7))});
  EXPECT_EQ(values[0], 1);
  EXPECT_NEAR(values[2], 0.5, 1e-12);
  EXPECT_NEAR(values[3], -7, 1e-12);
}

TEST_F(ContactPatch, MeansOverThePeriodAddUpToTheImpulse) {
  auto sensor = started("ContactSensor", std::string("{") + kPatch + ", hasForce: [0, 0, 1]}");
  read(*sensor);
  for (int i = 0; i < 10; ++i) {
    contacts.clear();
    if (i == 4)
      contacts = {contact(Vector3d::Zero(), Vector3d(0, 0, -50)), contact(Vector3d::Zero(), Vector3d(0, 0, -30))};
    sensor->observe(view(), step);
  }
  const std::vector<double> values = read(*sensor);
  EXPECT_EQ(values[0], 1) << "a bump between two readings";
  EXPECT_NEAR(values[1], -8, 1e-12);
  EXPECT_EQ(read(*sensor), (std::vector<double>{0, 0})) << "each bump counts once";
}

TEST_F(ContactPatch, FallsOffTowardsTheCorners) {
  auto sensor = started("ContactSensor", std::string("{") + kPatch + ", hasForce: [0, 0, 1], falloffCoefficient: 1.5}");
  const double wx = 0.04, wy = 0.04;
  for (const Eigen::Vector2d& at : {Eigen::Vector2d(0, 0), Eigen::Vector2d(0.0199, 0), Eigen::Vector2d(0.01, 0.01),
                                    Eigen::Vector2d(-0.015, 0.018), Eigen::Vector2d(-0.019, -0.019)}) {
    const double weight = std::pow(1 - 4 * std::abs(at.x()) * std::abs(at.y()) / (wx * wy), 1.5);
    EXPECT_NEAR(felt(*sensor, {contact(Vector3d(0.01 + at.x(), at.y(), 0), Vector3d(0, 0, -10))})[1], -10 * weight,
                1e-9)
        << at.transpose();
  }
}

TEST_F(ContactPatch, IsSensitiveRoundedAndSaturated) {
  auto sensor = started("ContactSensor", std::string("{") + kPatch +
                                             ", hasForce: [1, 1, 1], fSensitivity: 2, fResolution: [0.5, 0, 1], "
                                             "fSaturation: [4, 4, .inf]}");
  EXPECT_EQ(felt(*sensor, {contact(Vector3d::Zero(), Vector3d(0, 0, -1.9))})[0], 0);
  EXPECT_EQ(felt(*sensor, {contact(Vector3d::Zero(), Vector3d(0, 0, -2.1))})[0], 1);
  EXPECT_EQ(felt(*sensor, {contact(Vector3d::Zero(), Vector3d(9, 0, 0))})[0], 0) << "only z counts as pressing";
  const std::vector<double> values = felt(*sensor, {contact(Vector3d::Zero(), Vector3d(1.3, -8, -77.4))});
  EXPECT_NEAR(values[1], 1.5, 1e-12);
  EXPECT_NEAR(values[2], -4, 1e-12);
  EXPECT_NEAR(values[3], -77, 1e-12);
  EXPECT_TRUE(sensor->changeSetting("fSaturation", Value("1 1 inf")));
  EXPECT_EQ(felt(*sensor, {contact(Vector3d::Zero(), Vector3d(1.3, -8, -77.4))})[2], -1);
  EXPECT_TRUE(sensor->changeSetting("fSensitivity", Value(100)));
  EXPECT_EQ(felt(*sensor, {contact(Vector3d::Zero(), Vector3d(1.3, -8, -77.4))})[0], 0);
}

TEST_F(ContactPatch, ForcesHaveTheNoiseThatIsAskedFor) {
  auto sensor = started("ContactSensor", std::string("{") + kPatch + ", hasForce: [1, 1, 1], fVariance: [0.01, 0, 4]}");
  test::Statistics x, z;
  contacts = {contact(Vector3d::Zero(), Vector3d(1, 2, -3))};
  for (int i = 0; i < 10000; ++i) {
    sensor->observe(view(), step);
    const std::vector<double> values = read(*sensor);
    ASSERT_EQ(values[0], 1) << "the switch has no noise";
    ASSERT_NEAR(values[2], 2, 1e-12);
    x.add(values[1]);
    z.add(values[3]);
  }
  test::expectNoise(x, 1, 0.01, "x");
  test::expectNoise(z, -3, 4, "z");
}

TEST_F(ContactPatch, RefusesWhatMakesNoSense) {
  for (const char* settings : {"{link: 7}",
                               "{link: rod_1}",
                               "{link: [1]}",
                               "{link: 0.5}",
                               "{link: -1}",
                               "{patchMin: [1, 0], patchMax: [0, 1]}",
                               "{patchMin: [1, 0, 0]}",
                               "{patchTolerance: -1}",
                               "{patchTolerance: .nan}",
                               "{hasForce: [1, 0]}",
                               "{hasForce: [1, 0, 2]}",
                               "{hasForce: [a, b, c]}",
                               "{fVariance: [1, 1]}",
                               "{fVariance: [1, -1, 1]}",
                               "{fVariance: [1, .nan, 1]}",
                               "{fVariance: [.inf, 1, 1]}",
                               "{fSaturation: [1, -1, 1]}",
                               "{falloffCoefficient: -1}",
                               "{falloffCoefficient: .inf}",
                               "{Tsensor: [1, 0, 0]}",
                               "{Tsensor: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, .nan]}",
                               "{Tsensor: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, .inf]}",
                               "{Tsensor: [1, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0]}",
                               "{Tsensor: [1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0]}",
                               "{Tsensor: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}",
                               "{patchmin: [0, 0]}"})
    EXPECT_NE(refusal("ContactSensor", settings).find("test.yaml:1:"), std::string::npos) << settings;
  EXPECT_NE(refusal("ContactSensor", "{link: rod_1}").find("'rod1'"), std::string::npos);
  EXPECT_NE(refusal("ContactSensor", "{Tsensor: [1, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0]}").find("reflection"),
            std::string::npos);
}

class ContactOnPlate : public test::SensorSimulation {};

TEST_P(ContactOnPlate, BearsWhatRestsOnIt) {
  RobotDescription robot;
  Link plate =
      test::linkAt("plate", -1, Vector3d(0, 0, 0.95), Vector3d::UnitZ(), 5, Vector3d::Zero(), Vector3d::Ones());
  plate.geometry = test::boxGeometry(Vector3d(1, 1, 0.1));
  test::addWelded(robot, plate);
  place(robot);
  world.objects.push_back(test::boxObject("box", Vector3d(0.2, 0, 1.11)));
  const std::string top =
      "link: plate, Tsensor: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0.05], patchTolerance: 5 mm, hasForce: 1";
  add("ContactSensor", "whole", 100, "{" + top + ", patchMin: [-0.5, -0.5], patchMax: [0.5, 0.5]}");
  add("ContactSensor", "edge", 100, "{" + top + ", patchMin: [0.25, -0.5], patchMax: [0.5, 0.5]}");
  add("ContactSensor", "empty", 100, "{" + top + ", patchMin: [-0.5, -0.5], patchMax: [0, 0.5]}");
  add("ForceTorqueSensor", "foot", 100, "{link: plate, hasForce: 1}");
  start();
  simulation->advance(1);
  const auto full = reading("whole").values, edge = reading("edge").values, empty = reading("empty").values;
  EXPECT_EQ(full[0], 1);
  EXPECT_NEAR(full[3], -9.8, 0.098) << "pressed down by 1 kg";
  EXPECT_NEAR(full[1], 0, 0.05);
  EXPECT_EQ(edge[0], 1);
  EXPECT_NEAR(edge[3], -4.9, 0.25) << "half of its corners";
  EXPECT_EQ(empty[0], 0);
  EXPECT_EQ(empty[3], 0);
  EXPECT_NEAR(reading("foot").values[2], 6 * 9.8, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Backends, ContactOnPlate, testing::Values("mortise"));

}  // namespace
}  // namespace mortise
