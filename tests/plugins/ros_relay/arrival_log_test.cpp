#include "ros/relay/arrival_log.h"

#include <filesystem>
#include <fstream>

#include "mortise/base/error.h"
#include "tests/support/folder_test.h"

namespace mortise::ros::test {

namespace {

class ArrivalLogTest : public mortise::test::FolderTest {
 protected:
  static Arrival arrival(std::int64_t tick, std::size_t size) {
    Arrival made{tick, 0.001 * static_cast<double>(tick), "/arm/joint_trajectory", {}};
    for (std::size_t i = 0; i < size; ++i) made.bytes.push_back(static_cast<std::byte>(37 * i + size));
    return made;
  }
};

TEST_F(ArrivalLogTest, WhatIsWrittenIsRead) {
  ArrivalLogWriter writer;
  writer.open(path("in.log"), Encoding::cdr, "arm", 0.01);
  for (const int tick : {0, 7, 7, 4000}) writer.append(arrival(tick, static_cast<std::size_t>(tick % 300)));
  const ArrivalLog log = readArrivalLog(path("in.log"));
  EXPECT_EQ(log.encoding, Encoding::cdr);
  EXPECT_EQ(log.robot, "arm");
  EXPECT_EQ(log.period, 0.01);
  EXPECT_EQ(log.droppedBytes, 0u);
  ASSERT_EQ(log.arrivals.size(), 4u);
  EXPECT_EQ(log.arrivals[3].tick, 4000);
  EXPECT_DOUBLE_EQ(log.arrivals[3].time, 4);
  EXPECT_EQ(log.arrivals[3].topic, "/arm/joint_trajectory");
  EXPECT_EQ(log.arrivals[3].bytes, arrival(4000, 100).bytes);
}

TEST_F(ArrivalLogTest, AnExistingFileIsNotTouched) {
  write("in.log", "precious");
  ArrivalLogWriter writer;
  writer.open(path("in.log"), Encoding::ros1, "arm", 0.01);
  EXPECT_EQ(writer.path(), path("in-2.log"));
  EXPECT_EQ(text("in.log"), "precious");
}

TEST_F(ArrivalLogTest, ADeviceIsWrittenAndNotNumbered) {
  ArrivalLogWriter writer;
  writer.open("/dev/null", Encoding::ros1, "arm", 0.01);
  EXPECT_EQ(writer.path(), "/dev/null");
  for (const int tick : {1, 2}) writer.append(arrival(tick, 9));
  writer.forgetFrom(1);
  EXPECT_THROW(ArrivalLogWriter().open("/dev/full", Encoding::ros1, "arm", 0.01), Error);
  EXPECT_FALSE(std::filesystem::exists("/dev/full-2"));
}

TEST_F(ArrivalLogTest, TheTimeStepIsThatOfItsTicks) {
  ArrivalLog log;
  EXPECT_EQ(log.timeStep(), 0);
  log.arrivals = {arrival(0, 1)};
  EXPECT_EQ(log.timeStep(), 0) << "at tick 0 any step fits";
  log.arrivals = {arrival(40, 1)};
  EXPECT_DOUBLE_EQ(log.timeStep(), 0.001);
  log.arrivals = {{1000, 5, "", {}}, {1100, 5.05, "", {}}};
  EXPECT_NEAR(log.timeStep(), 0.0005, 1e-12) << "whatever was before the first one";
}

TEST_F(ArrivalLogTest, ARunThatGoesBackForgetsWhatCameLater) {
  ArrivalLogWriter writer;
  writer.open(path("in.log"), Encoding::ros1, "arm", 0.01);
  for (const int tick : {10, 20, 20, 30}) writer.append(arrival(tick, 5));
  writer.forgetFrom(20);
  writer.append(arrival(25, 6));
  const ArrivalLog log = readArrivalLog(path("in.log"));
  ASSERT_EQ(log.arrivals.size(), 2u);
  EXPECT_EQ(log.arrivals[0].tick, 10);
  EXPECT_EQ(log.arrivals[1].tick, 25);
}

TEST_F(ArrivalLogTest, ACutLogEndsWithItsLastWholeRecord) {
  {
    ArrivalLogWriter writer;
    writer.open(path("in.log"), Encoding::ros1, "arm", 0.01);
    for (const int tick : {1, 2, 3}) writer.append(arrival(tick, 9));
  }
  const std::string whole = text("in.log");
  const std::size_t header = 8 + 4 + 4 + 8 + 3, record = (whole.size() - header) / 3;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string cut = write("cut.log", whole.substr(0, size));
    if (size < header) {
      EXPECT_THROW(readArrivalLog(cut), Error) << size;
      continue;
    }
    const ArrivalLog log = readArrivalLog(cut);
    EXPECT_EQ(log.arrivals.size(), (size - header) / record) << size;
    EXPECT_EQ(log.droppedBytes, (size - header) % record) << size;
  }
}

TEST_F(ArrivalLogTest, AFlippedByteEndsTheLogThere) {
  {
    ArrivalLogWriter writer;
    writer.open(path("in.log"), Encoding::ros1, "arm", 0.01);
    for (const int tick : {1, 2, 3}) writer.append(arrival(tick, 9));
  }
  const std::string whole = text("in.log");
  const std::size_t header = 8 + 4 + 4 + 8 + 3, record = (whole.size() - header) / 3;
  for (std::size_t at = header; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    EXPECT_EQ(readArrivalLog(write("damaged.log", damaged)).arrivals.size(), (at - header) / record) << at;
  }
}

}  // namespace

}  // namespace mortise::ros::test
