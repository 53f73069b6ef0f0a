// Interpolation, distances and drivers of every robot against what Klamp't itself computes.

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <numbers>

#include "mortise/base/value_text.h"
#include "mortise/configuration/configuration_space.h"
#include "mortise/configuration/drivers.h"
#include "mortise/loading/format_loader.h"
#include "mortise/math/rotation.h"
#include "tests/support/plugins.h"
#include "tests/support/reference.h"

namespace mortise {
namespace {

constexpr double kTolerance = 1e-9;

VectorXd vectorOf(const Value& value) {
  const std::vector<double> v = value.asReals();
  return Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

/// The columns turn with the rates of angles (z, y, x).
Matrix3d axesOf(const Vector3d& zyx) {
  Matrix3d axes;
  axes.col(0) = Vector3d::UnitZ();
  axes.col(1) = rotationZ(zyx[0]) * Vector3d::UnitY();
  axes.col(2) = rotationZ(zyx[0]) * rotationY(zyx[1]) * Vector3d::UnitX();
  return axes;
}

/// What Klamp't calls the derivative of a rotation, and what it integrates, are rates of the angles that would belong
/// to the angular velocity in body axes, were these the world's. Turned by the orientation in `a` they must be ours.
void turnRates(const Robot& robot, const VectorXd& a, VectorXd& rates) {
  for (const Joint& joint : robot.joints()) {
    if (joint.type != JointType::floating) continue;
    const Vector3d angles = a.segment<3>(joint.link - 2), theirs = rates.segment<3>(joint.link - 2);
    const Matrix3d axes = axesOf(angles);
    rates.segment<3>(joint.link - 2) = axes.inverse() * (rotationFromEulerZyx(angles) * (axes * theirs));
  }
}

TEST(ConfigurationOracle, EveryRobotOfTheReference) {
  MORTISE_NEEDS_REFERENCE();
  test::MemoryLog log;
  auto registry = test::makeRegistry(log);
  FormatLoader loader(*registry, log);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(test::referenceDir() + "/reference/klampt-oracle"))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  int robots = 0, distances = 0;
  for (const auto& path : files) {
    const std::string name = path.stem().string();
    if (path.extension() != ".json" || name.starts_with("world_") || name.starts_with("sim_") ||
        name.starts_with("plan") || name == "motions")
      continue;
    SCOPED_TRACE(name);
    const Value oracle = loadYaml(path.string());
    Diagnostics diagnostics;
    const RobotPtr robot = Robot::compile(loader.load<RobotDescription>(
        test::referenceDir() + "/klampt-data/" + oracle.at("file").asString(), {}, diagnostics));
    const ConfigurationSpace space(robot);
    const Value &samples = oracle.at("samples"), &expected = oracle.at("interpolation");
    const VectorXd a = vectorOf(samples[0].at("q")), b = vectorOf(samples[1].at("q"));
    const double u = expected.at("u").asReal();
    VectorXd q, dq, values;
    // Klamp't takes the last coordinate of a planar joint for an angle even where the link slides.
    std::vector<char> slides(static_cast<std::size_t>(robot->numLinks()), 0);
    for (const Joint& joint : robot->joints())
      if (joint.type == JointType::floatingPlanar && robot->link(joint.link).motion == LinkMotion::prismatic)
        slides[static_cast<std::size_t>(joint.link)] = 1;
    const auto expectNear = [&](const char* key, const VectorXd& ours) {
      VectorXd theirs = vectorOf(expected.at(key));
      if (std::string_view(key) == "derivative") turnRates(*robot, a, theirs);
      for (int i = 0; i < robot->numLinks(); ++i) {
        const double difference = ours[i] - theirs[i];
        EXPECT_NEAR(slides[static_cast<std::size_t>(i)] ? std::remainder(difference, 2 * std::numbers::pi) : difference,
                    0, kTolerance)
            << key << ", link " << i << " '" << robot->link(i).name << "'";
      }
    };
    space.interpolate(a, b, u, q);
    expectNear("q_03", q);
    space.velocity(a, b, 0, dq);
    expectNear("derivative", dq);
    VectorXd rates = vectorOf(samples[0].at("dq"));
    turnRates(*robot, a, rates);
    space.integrate(a, rates, q);
    expectNear("integrate_q0_dq0", q);
    for (const auto& [key, weight] : {std::pair("distance_L2", 1.0), std::pair("distance_L2_floatweight_0.5", 0.5)}) {
      if (expected.at(key).isNull()) continue;
      EXPECT_NEAR(space.distance(a, b, {.rotationWeight = weight}), expected.at(key).asReal(), kTolerance) << key;
      ++distances;
    }
    for (const Value& sample : samples.items()) {
      const VectorXd configuration = vectorOf(sample.at("q"));
      driverValues(*robot, configuration, values);
      const VectorXd theirs = vectorOf(sample.at("driver_values"));
      ASSERT_EQ(values.size(), theirs.size());
      for (int d = 0; d < robot->numDrivers(); ++d)
        EXPECT_NEAR(values[d], theirs[d], kTolerance) << robot->driver(d).name;
    }
    ++robots;
  }
  EXPECT_GE(robots, 37);
  EXPECT_GE(distances, 70);
}

}  // namespace
}  // namespace mortise
