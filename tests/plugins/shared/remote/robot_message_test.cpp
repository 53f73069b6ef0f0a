#include "remote/robot_message.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

#include "remote/address.h"
#include "tests/support/allocation_counter.h"

namespace mortise::remote {
namespace {

constexpr int kLinks = 3, kDrivers = 2;
using Type = RobotCommand::Type;

RobotCommand readRobotCommand(std::string_view text) {
  RobotCommand command;
  readCommand(text, kLinks, kDrivers, command);
  return command;
}

/// The code with which a message is refused; empty when it is not.
std::string codeOf(std::string_view text) {
  try {
    readRobotCommand(text);
    return "";
  } catch (const MessageError& error) {
    EXPECT_FALSE(error.message().empty());
    return error.code();
  }
}

TEST(RobotCommand, Combinations) {
  EXPECT_EQ(readRobotCommand(R"({"qcmd": [1, 2, 3]})").type, Type::position);
  const RobotCommand all =
      readRobotCommand(R"({"torquecmd": [7, 8], "dqcmd": [4, 5, 6], "qcmd": [1, 2, 3], "tcmd": 1})");
  EXPECT_EQ(all.type, Type::position);
  EXPECT_EQ(all.q, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(all.dq, (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(all.torque, (std::vector<double>{7, 8}));
  const RobotCommand velocity = readRobotCommand(R"({"dqcmd": [4, 5, 6], "tcmd": 0.5})");
  EXPECT_EQ(velocity.type, Type::velocity);
  EXPECT_EQ(velocity.duration, 0.5);
  EXPECT_EQ(readRobotCommand(R"({"torquecmd": [7, 8]})").type, Type::torque);
  // As Klamp't's clients write them.
  EXPECT_EQ(readRobotCommand(R"({"qcmd": [1, 2, 3], "dqcmd": [], "torquecmd": []})").type, Type::position);
  EXPECT_EQ(readRobotCommand(R"({"qcmd": [1, 2, 3], "state": {"x": [null, "y"]}, "t": 3})").type, Type::position);
  EXPECT_TRUE(readRobotCommand("{}").empty);
  EXPECT_FALSE(readRobotCommand(R"({"setting": "writeRate"})").empty);
}

TEST(RobotCommand, Settings) {
  EXPECT_EQ(readRobotCommand(R"({"setting": "writeRate"})").setting->name, "writeRate");
  EXPECT_FALSE(readRobotCommand(R"({"setting": ["writeRate"]})").setting->value);
  EXPECT_EQ(readRobotCommand(R"({"setting": ["writeRate", 50]})").setting->value->asReal(), 50);
  EXPECT_EQ(codeOf(R"({"setting": 3})"), "malformed");
  EXPECT_EQ(codeOf(R"({"setting": [3, 4]})"), "malformed");
  EXPECT_EQ(codeOf(R"({"setting": ["a", 1, 2]})"), "malformed");
}

TEST(RobotCommand, Refused) {
  EXPECT_EQ(codeOf("not JSON"), "malformed");
  EXPECT_EQ(codeOf("[1, 2, 3]"), "malformed");
  EXPECT_EQ(codeOf(R"({"qcmd": [1, 2, 3]} {})"), "malformed");
  EXPECT_EQ(codeOf(R"({"qcmd": 1})"), "malformed");
  EXPECT_EQ(codeOf(R"({"qcmd": null})"), "malformed");
  EXPECT_EQ(codeOf(R"({"qcmd": [1, "2", 3]})"), "malformed");
  EXPECT_EQ(codeOf(R"({"qcmd": [1, NaN, 3]})"), "malformed");
  EXPECT_EQ(codeOf(R"({"qcmd": [1, 2, 3], "qcmd": [1, 2, 3]})"), "malformed");
  EXPECT_EQ(codeOf(R"({"qcmd": [1, 2]})"), "wrong_size");
  EXPECT_EQ(codeOf(R"({"qcmd": [1, 2, 3, 4]})"), "wrong_size");
  EXPECT_EQ(codeOf(R"({"torquecmd": [1, 2, 3]})"), "wrong_size");
  EXPECT_EQ(codeOf(R"({"qcmd": [1, 2, 3], "torquecmd": [1]})"), "wrong_size");
  EXPECT_EQ(codeOf(R"({"qcmd": [1, 2, 1e999]})"), "out_of_range");
  EXPECT_EQ(codeOf(R"({"qcmd": [1, -1e10, 1]})"), "out_of_range");
  EXPECT_EQ(codeOf(R"({"dqcmd": [1, 2, 3], "tcmd": -1})"), "out_of_range");
  EXPECT_EQ(codeOf(R"({"dqcmd": [1, 2, 3], "tcmd": "1"})"), "malformed");
  EXPECT_EQ(codeOf(R"({"dqcmd": [1, 2, 3]})"), "no_command");
  EXPECT_EQ(codeOf(R"({"tcmd": 1})"), "no_command");
  EXPECT_EQ(codeOf(R"({"q": [1, 2, 3]})"), "no_command");
  EXPECT_EQ(codeOf(R"({"torquecmd": []})"), "no_command");
}

TEST(RobotCommand, WhatIsWrittenIsReadBack) {
  for (const char* text : {R"({"qcmd":[1,2,3],"dqcmd":[4,5,6.5],"torquecmd":[7,8]})", R"({"qcmd":[0.1,-2e-07,3]})",
                           R"({"dqcmd":[4,5,6],"tcmd":0.5})", R"({"torquecmd":[7,8]})", R"({})"}) {
    std::string written;
    appendCommand(written, readRobotCommand(text));
    EXPECT_EQ(written, text);
  }
}

/// A seeded stream of bytes that are almost commands.
TEST(RobotCommand, HostileTexts) {
  std::mt19937 random(5);
  const std::string good =
      R"({"qcmd": [1.5, -2e-3, 3], "dqcmd": [0, 0, 0], "torquecmd": [1, 2], "setting": ["a", {"b": 1}]})";
  RobotCommand command;
  int taken = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = good;
    for (unsigned k = random() % 4; k > 0 && !text.empty(); --k) {
      switch (const std::size_t at = random() % text.size(); random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, 1 + random() % 10);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 20));
          break;
        default:
          text.resize(at + 1);
      }
    }
    try {
      readCommand(text, kLinks, kDrivers, command);
      ++taken;
      for (const auto* list : {&command.q, &command.dq}) EXPECT_TRUE(list->empty() || list->size() == kLinks) << text;
      EXPECT_TRUE(command.torque.empty() || command.torque.size() == kDrivers) << text;
      for (const auto* list : {&command.q, &command.dq, &command.torque})
        for (const double x : *list) EXPECT_LE(std::abs(x), kLargestCommand) << text;
    } catch (const MessageError&) {
    }
  }
  EXPECT_GT(taken, 1000);
  EXPECT_LT(taken, 19000);
}

TEST(RobotReport, WhatIsWrittenIsReadBack) {
  const std::vector<std::string> channels = {"a", "b"};
  const std::vector<double> q = {0.1, -1.0 / 3}, laser = {std::numeric_limits<double>::infinity(), 2};
  const std::vector<SensorReading> sensors = {
      {"q", "JointPositionSensor", channels, q}, {"hidden", "X", channels, q}, {"laser \"1\"", "X", channels, laser}};
  const std::vector<char> sent = {1, 0, 1};
  std::string text;
  appendReport(text, 0.25, 0.1, q, {}, sensors, sent);
  EXPECT_EQ(text, R"({"t":0.25,"dt":0.1,"qcmd":[0.1,-0.3333333333333333],"q":[0.1,-0.3333333333333333],)"
                  R"("laser \"1\"":[1e999,2]})");
  RobotReport report;
  readReport(text, report);
  EXPECT_EQ(report.t, 0.25);
  EXPECT_EQ(report.dt, 0.1);
  EXPECT_EQ(report.qcmd, q);
  EXPECT_TRUE(report.dqcmd.empty());
  ASSERT_EQ(report.numSensors, 2u);
  EXPECT_EQ(report.sensors[0].name, "q");
  EXPECT_EQ(report.sensors[0].values, q);
  EXPECT_EQ(report.sensors[1].name, "laser \"1\"");
  EXPECT_EQ(report.sensors[1].values, laser);
}

TEST(RobotReport, Errors) {
  std::string text;
  appendErrorMessage(text, "busy", "another \xff client");
  RobotReport report;
  readReport(text, report);
  EXPECT_EQ(report.error, "busy");
  EXPECT_EQ(report.message, "another \xef\xbf\xbd client");
  EXPECT_FALSE(report.t);
  for (const char* bad : {"", "[]", "{\"t\":1e999}", "{\"q\":[null]}", "{\"q\":[1]"})
    EXPECT_THROW(readReport(bad, report), Error) << bad;
}

TEST(RobotMessages, AllocateNothingOnceWarm) {
  const std::string command = R"({"qcmd": [1.5, 2, 3], "dqcmd": [1, 2, 3], "torquecmd": [1, 2], "other": {"x": [1]}})";
  const std::vector<std::string> channels(50, "c");
  const std::vector<double> values(50, 1.0 / 3);
  const std::vector<SensorReading> sensors = {{"q", "JointPositionSensor", channels, values}};
  const std::vector<char> sent = {1};
  RobotCommand got;
  RobotReport report;
  std::string text;
  std::size_t before = 0;
  for (int i = 0; i < 10; ++i) {
    if (i == 1) before = test::allocationCount;
    readCommand(command, kLinks, kDrivers, got);
    text.clear();
    appendReport(text, i, 0.1, values, values, sensors, sent);
    readReport(text, report);
  }
  EXPECT_EQ(test::allocationCount, before);
}

TEST(Address, Forms) {
  for (const auto& [text, host, port] :
       {std::tuple("tcp://127.0.0.1:3456", "127.0.0.1", 3456), std::tuple("tcp://localhost:1", "localhost", 1),
        std::tuple("robot.example:65535", "robot.example", 65535), std::tuple(":0", "127.0.0.1", 0),
        std::tuple("tcp://[::1]:3456", "::1", 3456)}) {
    const Address address = parseAddress(text);
    EXPECT_EQ(address.host, host);
    EXPECT_EQ(address.port, port);
    EXPECT_EQ(parseAddress(address.text()).host, host);
  }
  EXPECT_EQ(parseAddress("[::1]:5").text(), "tcp://[::1]:5");
  for (const char* text : {"", "3456", "tcp://", "tcp://host", "http://host:80", "host:", "host:65536", "host:-1",
                           "host:1x", "::1:80", "ho st:80", "host:80/path"})
    EXPECT_THROW(parseAddress(text), Error) << text;
}

}  // namespace
}  // namespace mortise::remote
