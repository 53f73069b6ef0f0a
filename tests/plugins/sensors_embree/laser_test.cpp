#include <algorithm>
#include <numbers>

#include "mortise/math/constants.h"
#include "tests/plugins/sensors_embree/sight.h"

namespace mortise {
namespace {

using test::boxAt;
using test::kNothing;
using test::placedObject;
using test::poseText;
using test::shape;
using test::sphereAt;

/// Inside a ball that is not centerd on the sensor, so that each distance tells the direction of its beam.
class Laser : public test::SightTest {
 protected:
  void addRoom() {
    world.objects.push_back(placedObject(test::boxGeometry(Vector3d(6, 4, 8)), RigidTransform::translation(kRoom)));
  }
  /// Distance from the origin to the room's walls.
  static double wall(const Vector3d& direction) {
    double t = kNothing;
    for (int k = 0; k < 3; ++k)
      for (const double side : {-0.5, 0.5}) {
        const double at = (kRoom[k] + side * Vector3d(6, 4, 8)[k]) / direction[k];
        if (at > 0) t = std::min(t, at);
      }
    return t;
  }
  static Vector3d beam(double x, double y) {
    return {std::sin(x), std::cos(x) * std::sin(y), std::cos(x) * std::cos(y)};
  }
  static inline const Vector3d kRoom = Vector3d(0.7, 0.3, 0.4);
};

TEST_F(Laser, DefaultsAreKlampts) {
  addRoom();
  auto laser = started("LaserRangeSensor", "{}");
  const Value settings = laser->settings();
  EXPECT_EQ(settings.at("measurement_count").asInteger(), 180);
  EXPECT_EQ(settings.at("depth_minimum").asReal(), 0.1);
  EXPECT_EQ(settings.at("depth_maximum").asReal(), kNothing);
  EXPECT_EQ(settings.at("x_sweep_magnitude").asReal(), kPi / 2);
  EXPECT_EQ(settings.at("x_sweep_type").asString(), "sawtooth");
  EXPECT_EQ(settings.at("y_sweep_type").asString(), "sinusoid");
  EXPECT_EQ(laser->channels()[0], "d[0]");
  EXPECT_EQ(laser->channels()[179], "d[179]");
  EXPECT_EQ(laser->camera(), nullptr);
  const std::vector<double> values = measure(*laser);
  for (int i = 0; i < 180; ++i) EXPECT_NEAR(values[i], wall(beam(kPi / 2 * (2 * i / 179.0 - 1), 0)), 1e-9) << i;
}

TEST_F(Laser, EveryKindOfSweepAtOnce) {
  addRoom();
  constexpr int n = 41;
  const std::string count = "measurementCount: 41, ";
  const auto check = [&](const std::string& settings, auto x, auto y) {
    const std::vector<double> values = measure(*started("LaserRangeSensor", "{" + count + settings + "}"));
    for (int i = 0; i < n; ++i) {
      const double u = i / (n - 1.0);
      EXPECT_NEAR(values[i], wall(beam(x(u), y(u))), 1e-9) << settings << ": " << i;
    }
  };
  const auto zero = [](double) { return 0.0; };
  check(
      "xSweepMagnitude: 1.1, xSweepType: 0", [](double u) { return 1.1 * std::sin(2 * kPi * u); }, zero);
  check(
      "xSweepMagnitude: 1.1, xSweepType: 1", [](double u) { return 1.1 * (2 * u - 1); }, zero);
  check(
      "xSweepMagnitude: 1.1, xSweepType: sawtooth", [](double u) { return 1.1 * (2 * u - 1); }, zero);
  check("xSweepMagnitude: 0, ySweepMagnitude: 30 deg, ySweepType: triangular", zero,
        [](double u) { return kPi / 6 * (2 * u - 1); });
  check(
      "xSweepMagnitude: 0.5, ySweepMagnitude: 0.7", [](double u) { return 0.5 * (2 * u - 1); },
      [](double u) { return 0.7 * std::sin(2 * kPi * u); });
  check(
      "xSweepMagnitude: 3.14159265358979, xSweepPhase: 3", [](double u) { return kPi * (2 * u - 1); }, zero);
}

TEST_F(Laser, SweepsOverTime) {
  addRoom();
  constexpr int n = 11;
  const auto triangle = [](double u) {
    const double rest = u - 2 * std::floor(u / 2);
    return rest < 1 ? 2 * rest - 1 : 3 - 2 * rest;
  };
  const auto tooth = [](double u) { return 2 * (u - std::floor(u)) - 1; };
  auto laser = started("LaserRangeSensor",
                       "{measurementCount: 11, xSweepMagnitude: 1.2, xSweepType: triangular, xSweepPeriod: 0.31 s, "
                       "xSweepPhase: 0.07, ySweepMagnitude: 0.4, ySweepType: sawtooth, ySweepPeriod: 0.17}");
  for (int k = 0; k < 40; ++k) {
    time = 0.05 * k;
    const std::vector<double> values = measure(*laser);
    for (int i = 0; i < n; ++i) {
      // The beam before the first is the last one of the reading before; before time 0 there is none.
      const double before = std::max(0.0, time - 0.05), first = before + (time - before) / (n - 1);
      const double t = first + (time - first) * i / (n - 1.0);
      const Vector3d direction = beam(1.2 * triangle((t + 0.07) / 0.31), 0.4 * tooth(t / 0.17));
      EXPECT_NEAR(values[i], wall(direction), 1e-6) << k << ", " << i;
    }
  }
  EXPECT_TRUE(laser->changeSetting("xSweepType", "sinusoid"));
  EXPECT_TRUE(laser->changeSetting("ySweepMagnitude", 0.0));
  EXPECT_NEAR(measure(*laser)[n - 1], wall(beam(1.2 * std::sin(2 * kPi * (time + 0.07) / 0.31), 0)), 1e-9);
}

TEST_F(Laser, PointsAsItsLinkDoes) {
  addRoom();
  RobotDescription arm = test::armDescription(2);
  world.robots.push_back(test::placedRobot(arm));
  const RigidTransform X_LS(rotationFromRollPitchYaw(Vector3d(0.2, 1.1, -0.4)), Vector3d(0.2, 0.1, -0.1));
  auto laser = started("LaserRangeSensor", "{link: rod1, measurementCount: 50, " + poseText(X_LS) + "}");
  for (int k = 0; k < 5; ++k) {
    setConfiguration(Eigen::Vector2d(0.2 * k, -0.3 * k + 0.1));
    const RigidTransform X_WS = states[0].X_WL[1] * X_LS;
    const std::vector<double> values = measure(*laser);
    for (int i = 0; i < 50; ++i) {
      const Vector3d d = X_WS.R * beam(kPi / 2 * (2 * i / 49.0 - 1), 0);
      double expected = kNothing;
      for (int a = 0; a < 3; ++a)
        for (const double side : {-0.5, 0.5}) {
          const double at = (kRoom[a] + side * Vector3d(6, 4, 8)[a] - X_WS.p[a]) / d[a];
          if (at > 0) expected = std::min(expected, at);
        }
      EXPECT_NEAR(values[i], expected, 1e-9);
    }
  }
}

TEST_F(Laser, SeesOtherLinksButNotItsOwn) {
  RobotDescription arm = test::armDescription(2);
  for (Link& link : arm.links) link.geometry = shape(SphereShape{Vector3d(0.25, 0, 0), 0.05});
  world.robots.push_back(test::placedRobot(arm));
  // From the end of a link back along it.
  const RigidTransform X_LS(rotationY(-kPi / 2), Vector3d(0.5, 0, 0));
  const auto first = [&](const char* link) {
    return measure(*started("LaserRangeSensor", "{measurementCount: 1, xSweepMagnitude: 0, link: " + std::string(link) +
                                                    ", " + poseText(X_LS) + "}"))[0];
  };
  EXPECT_EQ(first("rod0"), kNothing);
  EXPECT_NEAR(first("rod1"), 0.7, 1e-9);
}

TEST_F(Laser, RangeLimits) {
  world.objects.push_back(placedObject(shape(SphereShape{Vector3d::Zero(), 0.05}), {}));
  auto laser =
      started("LaserRangeSensor", "{measurementCount: 1, xSweepMagnitude: 0, depthMinimum: 0.2, depthMaximum: 3}");
  const auto at = [&](double z) {
    objects[0].X_WB.p = Vector3d(0, 0, z);
    return measure(*laser)[0];
  };
  EXPECT_NEAR(at(1), 0.95, 1e-12);
  EXPECT_EQ(at(3.2), 3);
  EXPECT_EQ(at(0.1), 3);
  EXPECT_EQ(at(-1), 3);
  EXPECT_NEAR(at(2.9), 2.85, 1e-12);
}

TEST_F(Laser, NoiseThenResolutionThenRange) {
  world.objects.push_back(
      placedObject(shape(SphereShape{Vector3d::Zero(), 0.5}), RigidTransform::translation(Vector3d(0, 0, 2.5))));
  auto laser =
      started("LaserRangeSensor",
              "{measurementCount: 20000, xSweepMagnitude: 0, depthVarianceLinear: 1e-3, depthVarianceConstant: 2e-3}");
  std::vector<double> values = measure(*laser);
  double sum = 0, squares = 0;
  for (const double value : values) {
    sum += value - 2;
    squares += (value - 2) * (value - 2);
  }
  const double n = static_cast<double>(values.size()), variance = 2 * 1e-3 + 2e-3;
  EXPECT_NEAR(sum / n, 0, 4 * std::sqrt(variance / n));
  EXPECT_NEAR(squares / n, variance, 4 * variance * std::sqrt(2 / n));
  EXPECT_TRUE(laser->changeSetting("depthResolution", 0.25));
  int other = 0;
  for (const double value : measure(*laser)) {
    EXPECT_EQ(std::fmod(value, 0.25), 0);
    if (value != 2) ++other;
  }
  EXPECT_GT(other, 10);
  EXPECT_TRUE(laser->changeSetting("depthVarianceConstant", 0.0));
  EXPECT_TRUE(laser->changeSetting("depthVarianceLinear", 0.0));
  for (const double value : measure(*laser)) ASSERT_EQ(value, 2);
  // Beams that meet nothing have no noise.
  objects[0].X_WB.p[2] = -9;
  for (const double value : measure(*laser)) ASSERT_EQ(value, kNothing);
}

TEST_F(Laser, SavesAndRestoresBitForBit) {
  addRoom();
  const char* settings = "{measurementCount: 100, depthVarianceConstant: 1e-3, xSweepPeriod: 0.3}";
  auto laser = started("LaserRangeSensor", settings);
  time = 0.1;
  measure(*laser);
  laser->changeSetting("depthVarianceLinear", 1e-3);
  laser->changeSetting("xSweepPeriod", 0.21);
  ByteWriter out;
  laser->save(out);
  const RandomStream::State random = host.random().state();
  std::vector<std::vector<double>> expected;
  const auto run = [&](Sensor& sensor) {
    std::vector<std::vector<double>> readings;
    for (int k = 0; k < 5; ++k) {
      time = 0.1 + 0.05 * k;
      readings.push_back(measure(sensor));
    }
    return readings;
  };
  expected = run(*laser);
  auto other = started("LaserRangeSensor", settings);
  time = 7;
  measure(*other);
  ByteReader in(out.bytes());
  other->restore(in);
  EXPECT_TRUE(in.atEnd());
  host.random().setState(random);
  EXPECT_EQ(run(*other), expected);
}

TEST_F(Laser, HostileBytesAreRefusedAndChangeNothing) {
  addRoom();
  auto laser = started("LaserRangeSensor", "{depthVarianceConstant: 0.5}");
  ByteWriter out;
  laser->save(out);
  const Value before = laser->settings();
  for (std::size_t cut = 0; cut < out.bytes().size(); ++cut) {
    ByteReader in(std::span(out.bytes()).first(cut));
    EXPECT_THROW(laser->restore(in), Error);
  }
  for (std::size_t at = 0; at < out.bytes().size(); ++at) {
    std::vector<std::byte> bytes = out.bytes();
    bytes[at] = std::byte{0xff};
    if (at % 8 < 7 && at + 1 < bytes.size()) bytes[at + 1] = std::byte{0xff};
    ByteReader in(bytes);
    try {
      laser->restore(in);
      measure(*laser);
    } catch (const Error&) {
    }
    ByteReader good(out.bytes());
    laser->restore(good);
    EXPECT_EQ(laser->settings(), before);
  }
}

TEST_F(Laser, DoesNotDependOnTheNumberOfThreads) {
  addRoom();
  const std::string settings = "measurementCount: 5000, xSweepMagnitude: 3, ySweepMagnitude: 1";
  const std::vector<double> alone = measure(*started("LaserRangeSensor", "{threads: 1, " + settings + "}"));
  EXPECT_EQ(measure(*started("LaserRangeSensor", "{threads: 2, " + settings + "}")), alone);
  EXPECT_EQ(measure(*started("LaserRangeSensor", "{threads: 7, " + settings + "}")), alone);
}

TEST_F(Laser, EmptyWorldsGiveNothing) {
  for (const double value : measure(*started("LaserRangeSensor", "{measurementCount: 20}"))) EXPECT_EQ(value, kNothing);
  for (const double value : measure(*started("LaserRangeSensor", "{measurementCount: 20, depthMaximum: 5}")))
    EXPECT_EQ(value, 5);
}

TEST_F(Laser, RefusesWhatMakesNoSense) {
  for (const char* settings : {"{measurementCount: 0}", "{measurementCount: -3}", "{measurementCount: 100000000}",
                               "{depthMinimum: -1}", "{depthMinimum: 5, depthMaximum: 4}", "{depthMaximum: .nan}",
                               "{depthVarianceLinear: -1}", "{xSweepMagnitude: .nan}", "{xSweepMagnitude: .inf}",
                               "{xSweepPeriod: -1}", "{xSweepType: 3}", "{ySweepType: zigzag}", "{ySweepType: [1]}",
                               "{depthResolution: -1}", "{xSweepPhase: .inf}", "{xSweepPeriod: 3 kg}"}) {
    try {
      create("LaserRangeSensor", settings);
      ADD_FAILURE() << settings << " was taken";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("test.yaml:1:"), std::string::npos) << error.what();
    }
  }
  auto laser = started("LaserRangeSensor", "{}");
  EXPECT_THROW(laser->changeSetting("xSweepType", 5), Error);
  EXPECT_THROW(laser->changeSetting("xSweepPeriod", -1), Error);
  EXPECT_FALSE(laser->changeSetting("measurementCount", 3));
}

}  // namespace
}  // namespace mortise
