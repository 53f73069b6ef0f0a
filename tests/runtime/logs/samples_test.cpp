// Contents of the channels of logs: contacts, readings and commands.

#include "mortise/logs/samples.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace mortise::logs {
namespace {

TEST(Samples, ContactsKeepTheirForces) {
  ContactForce contact;
  contact.idA = 3;
  contact.idB = 40;
  contact.point = Vector3d(0.1, -2.00000001, 1e-12);
  contact.normal = Vector3d(-1e-17, 0, 1);
  contact.depth = 9.1875e-6;
  for (const double newtons : {1e-3, 7.35, 1e6}) {
    contact.force = newtons * Vector3d(1e-10, -0.3, 1);
    std::vector<float> row(contactColumns().size());
    contactSample(contact, row);
    EXPECT_EQ(row[0], 3);
    EXPECT_EQ(row[1], 40);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(row[2 + static_cast<std::size_t>(i)], contact.point[i], 1.3e-7) << "single precision of 2 m";
      EXPECT_NEAR(row[9 + static_cast<std::size_t>(i)], contact.force[i], 3e-7 * newtons);
    }
    EXPECT_EQ(row[4], 0) << "nothing of a picometer";
    EXPECT_EQ(row[9], 0) << "noise beside the force";
    EXPECT_FALSE(std::signbit(row[5]));
    EXPECT_NEAR(row[8], 9.1875e-6, 5e-10);
  }
  contact.force = Vector3d::Zero();
  std::vector<float> row(contactColumns().size());
  contactSample(contact, row);
  EXPECT_EQ(row[11], 0);
}

TEST(Samples, ReadingsKeepSinglePrecision) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> values = {0.123456789, -4.5e-5, 1.7e-14, -3e-12, infinity, 1e30};
  std::vector<float> read(values.size());
  sensorSample(values, read);
  for (const std::size_t i : {0u, 1u, 4u, 5u}) EXPECT_EQ(read[i], static_cast<float>(values[i]));
  EXPECT_EQ(read[2], 0);
  EXPECT_NEAR(read[3], -3e-12, 5e-13);
}

TEST(Samples, CommandsAreWhatTheModeUses) {
  std::vector<ActuatorCommand> commands(4);
  using Mode = ActuatorCommand::Mode;
  for (std::size_t i = 0; i < 4; ++i)
    commands[i] = {.mode = std::array{Mode::off, Mode::torque, Mode::pid, Mode::velocity}[i],
                   .kP = 0,
                   .kI = 0,
                   .kD = 0,
                   .position = 1,
                   .velocity = 2,
                   .torque = 3};
  std::vector<RobotView> robots(1);
  robots[0].commands = commands;
  SimulationView view;
  view.robots = robots;
  std::vector<float> row(12);
  commandSample(view, row);
  const float none = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> expected = {none, none, none, none, none, 3, 1, 2, 3, none, 2, none};
  for (std::size_t i = 0; i < row.size(); ++i) {
    EXPECT_EQ(std::isnan(row[i]), std::isnan(expected[i])) << i;
    if (!std::isnan(expected[i])) {
      EXPECT_EQ(row[i], expected[i]) << i;
    }
  }
}
}  // namespace
}  // namespace mortise::logs
