// What logs keep of numbers and states, and logs of older versions.

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/logs/foxglove_schemas.h"
#include "mortise/logs/log_copy.h"
#include "mortise/logs/log_states.h"
#include "mortise/logs/samples.h"
#include "mortise/logs/series.h"
#include "mortise/mcap/writer.h"
#include "tests/support/folder_test.h"

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

TEST(LogStates, AreSmallerInTheLogAndComeBack) {
  const std::string state(50000, 's');
  const mcap::Attachment packed = packedState(7, 120, state);
  EXPECT_EQ(packed.name, "states/120.state");
  EXPECT_EQ(tickOfState(packed.name), 120);
  EXPECT_LT(packed.data.size(), state.size() / 10);
  EXPECT_EQ(attachmentContent(packed), state);
  mcap::Attachment old = packed;
  old.mediaType = "application/octet-stream";
  old.data = state;
  EXPECT_EQ(attachmentContent(old), state) << "older logs have them as they were";
  mcap::Attachment damaged = packed;
  damaged.data = "no state";
  EXPECT_THROW(attachmentContent(damaged), Error);
  for (const char* name : {"states/x.state", "states/.state", "world.json", "states/1234567890123456789.state"})
    EXPECT_EQ(tickOfState(name), -1) << name;
}

class OldLogTest : public test::FolderTest {
 protected:
  /// A log of one series, whose messages have the one form or the other.
  std::string log(const std::string& name, double from, bool packed) const {
    mcap::Writer writer(path(name));
    std::string schema = schemaOf("mortise.Series");
    if (!packed) schema = schema.substr(0, schema.size() / 2);  // An older version described it in other words.
    const std::uint16_t channel = writer.addChannel(writer.addSchema("mortise.Series", "protobuf", schema), "/numbers",
                                                    "protobuf", {{"columns", "[\"x\"]"}});
    SeriesBlock block(1);
    for (std::uint64_t i = 0; i < 10; ++i)
      block.append(i, from + 0.1 * static_cast<double>(i))[0] = static_cast<float>(from);
    std::string message;
    if (packed)
      block.encodePacked(message);
    else
      block.encode(message);
    const auto ns = static_cast<std::uint64_t>(1e9 * block.times().back());
    writer.write({channel, 0, ns, ns, message});
    writer.addMetadata({"mortise.origin", {{"origin", name}}});
    writer.close();
    return path(name);
  }
};

TEST_F(OldLogTest, JoinsLaterOnes) {
  const std::string old = log("old.mcap", 0, false), later = log("later.mcap", 1, true);
  copyLogs({old, later}, path("both.mcap"), {});
  mcap::Reader reader(path("both.mcap"));
  EXPECT_EQ(reader.channels().size(), 1u);
  std::vector<float> values;
  reader.messages({}, [&](const mcap::Message& message) {
    const SeriesBlock block = SeriesBlock::decode(message.data);
    for (std::size_t i = 0; i < block.samples(); ++i) values.push_back(block.value(i, 0));
    return true;
  });
  ASSERT_EQ(values.size(), 20u);
  EXPECT_EQ(values.front(), 0);
  EXPECT_EQ(values.back(), 1);
}

TEST_F(OldLogTest, WhatWasMovedInTimeDoesNotSayHowToMakeItAgain) {
  const std::string first = log("first.mcap", 0, true), second = log("second.mcap", 1, true);
  const auto origins = [&](const std::string& file) {
    mcap::Reader reader(path(file));
    std::size_t count = 0;
    for (const mcap::MetadataIndex& index : reader.metadata()) count += index.name == "mortise.origin" ? 1 : 0;
    return count;
  };
  copyLogs({first, second}, path("whole.mcap"), {});
  EXPECT_EQ(origins("whole.mcap"), 2u);
  LogCopyOptions options;
  options.shift = true;
  copyLogs({second, first}, path("shifted.mcap"), options);
  EXPECT_EQ(origins("shifted.mcap"), 0u);
}

}  // namespace
}  // namespace mortise::logs
