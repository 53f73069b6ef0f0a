#include "mortise/configuration/configuration_reader.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/modeling/joint_names.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// A sliding link, and three that turn; the last two have one driver.
RobotPtr robotWithPrismaticBase() {
  RobotDescription robot = test::armDescription(4);
  robot.links[0].motion = LinkMotion::prismatic;
  setJointName(robot, "rod1", "elbow");
  robot.drivers.pop_back();
  Driver& grip = robot.drivers[2];
  grip.type = DriverType::affine;
  grip.name = "grip";
  grip.links = {2, 3};
  grip.scale = {1, -1};
  grip.offset = {0, 0.25};
  return Robot::compile(std::move(robot));
}

class ConfigurationReaderTest : public testing::Test {
 protected:
  std::vector<double> read(const std::string& yaml) const { return numbers(parseYaml(yaml, "here")); }
  std::vector<double> readText(const std::string& text) const { return numbers(configurationFromText(text, "--q")); }
  std::vector<double> numbers(const Value& value) const {
    const VectorXd q = ConfigurationReader(*robot).read(value, base, files);
    return {q.begin(), q.end()};
  }
  std::string refusal(const std::string& yaml) const {
    try {
      read(yaml);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
  void expectRefusal(const std::string& yaml, const std::string& expected) const {
    EXPECT_NE(refusal(yaml).find(expected), std::string::npos)
        << "expected: " << expected << "\nfound: " << refusal(yaml);
  }

  RobotPtr robot = robotWithPrismaticBase();
  VectorXd base = Eigen::Vector4d(1, 2, 3, 4);
  ConfigurationFiles files = [](const std::string& name) -> ConfigurationFile {
    if (name == "poses.configs") return {{Eigen::Vector4d(1, 1, 1, 1), Eigen::Vector4d(2, 2, 2, 2)}, false};
    if (name == "move.path") return {{Eigen::Vector4d(5, 5, 5, 5), Eigen::Vector4d(6, 6, 6, 6)}, true};
    throw Error("cannot find '" + name + "'");
  };
};

TEST_F(ConfigurationReaderTest, EveryWayOfWritingMeansTheSame) {
  const std::vector<double> expected = {0.1, kPi / 2, 0.5, -0.25};
  for (const char* yaml : {"[0.1, 90 deg, 0.5, -0.25]", "[10 cm, 90deg, 0.5, '-0.25']", "[0.1 m, 90 deg, 0.5]",
                           "{rod0: 0.1, elbow: 90 deg, grip: 0.5}", "{0: 100 mm, rod1: 90deg, 2: 0.5, rod3: -0.25}",
                           "[[0.1, 90 deg, 0.5, -0.25]]"}) {
    const std::vector<double> found = read(yaml);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], expected[i], 1e-15) << yaml;
  }
  for (const char* text : {"0.1,90deg,0.5,-0.25", "0.1 90 deg 0.5 -0.25", "10 cm, 90 deg, 0.5", "[0.1, 90 deg, 0.5]",
                           "{rod0: 0.1, elbow: 90deg, grip: 0.5}"}) {
    const std::vector<double> found = readText(text);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], expected[i], 1e-15) << text;
  }
}

TEST_F(ConfigurationReaderTest, WhatIsNotNamedStays) {
  EXPECT_EQ(read("{elbow: 0.5}"), (std::vector<double>{1, 0.5, 3, 4}));
  EXPECT_EQ(read("{grip: 0.5}"), (std::vector<double>{1, 2, 0.5, -0.25}));
}

TEST_F(ConfigurationReaderTest, FilesHaveIndices) {
  EXPECT_EQ(read("poses.configs[1]"), std::vector<double>(4, 2));
  EXPECT_EQ(read("{file: poses.configs, index: 0}"), std::vector<double>(4, 1));
  EXPECT_EQ(readText("move.path"), std::vector<double>(4, 6)) << "a motion's end";
  EXPECT_EQ(readText("move.path[0]"), std::vector<double>(4, 5));
  expectRefusal("poses.configs", "holds 2 configurations, and one is needed");
  expectRefusal("poses.configs", "poses.configs[0]");
  expectRefusal("poses.configs[2]", "indices run from 0 to 1");
  expectRefusal("nothing.config", "cannot find 'nothing.config'");
  expectRefusal("{file: poses.configs, number: 1}", "unknown key 'number'");
}

TEST_F(ConfigurationReaderTest, AWrongLengthSaysWhatIsExpected) {
  expectRefusal("[0, 1]", "the configuration has 2 numbers");
  expectRefusal("[0, 1]",
                "give 4, one a link of robot 'arm' (rod0, rod1, rod2, rod3), or 3, one a driver (rod0, rod1, grip)");
  expectRefusal("[0, 1]", "here:1:1");
}

TEST_F(ConfigurationReaderTest, WrongNamesUnitsAndNumbersAreSaid) {
  expectRefusal("{elbwo: 1}", "did you mean 'elbow'?");
  expectRefusal("{9: 1}", "they run from 0 to 3");
  expectRefusal("{elbow: 1 kg}", "unit 'kg' is not an angle");
  expectRefusal("[0, 1 m, 0, 0]", "number 1, 'rod1'");
  expectRefusal("[0, .nan, 0, 0]", "nan");
  expectRefusal("[0, .inf, 0, 0]", "not finite");
  expectRefusal("{elbow: .inf}", "not finite");
  expectRefusal("true", "expected a configuration, found");
}

TEST_F(ConfigurationReaderTest, TwoNamesOfOneLinkMustAgree) {
  expectRefusal("{rod1: 0.5, elbow: 1}", "'rod1' and 'elbow' move the same link to 0.5 and to 1");
  EXPECT_EQ(read("{rod1: 0.5, elbow: 0.5}")[1], 0.5);
}

TEST_F(ConfigurationReaderTest, VelocitiesHaveNoOffset) {
  const ConfigurationReader reader(*robot, ConfigurationReader::Quantity::velocity);
  const VectorXd dq = reader.read(parseYaml("{grip: 180 deg/s, rod0: 1 mm/s}", "here"), VectorXd::Zero(4));
  EXPECT_NEAR(dq[2], kPi, 1e-15);
  EXPECT_NEAR(dq[3], -kPi, 1e-15);
  EXPECT_NEAR(dq[0], 1e-3, 1e-18);
}

}  // namespace
}  // namespace mortise
