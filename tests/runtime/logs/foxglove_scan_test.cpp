// Scans and notes in Foxglove's messages.

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "mortise/logs/foxglove_messages.h"
#include "mortise/logs/foxglove_schemas.h"
#include "mortise/protobuf/wire_format.h"

namespace mortise::logs {
namespace {

ScanModel fan(double first, double last, int beams) {
  ScanModel scan;
  scan.maximum = 4;
  for (int i = 0; i < beams; ++i) {
    const double angle = first + (last - first) * i / (beams - 1);
    scan.directions.emplace_back(std::sin(angle), 0, std::cos(angle));
  }
  return scan;
}

std::vector<double> reals(std::string_view message, int number) {
  std::vector<double> values;
  protobuf::Reader reader(message);
  for (protobuf::Field field; reader.next(field);)
    if (field.number == number) field.packed<double>(values);
  return values;
}

TEST(FoxgloveScan, OnlyEqualAnglesInOnePlaneAreScans) {
  EXPECT_TRUE(isPlanarScan(fan(-1, 1, 91)));
  EXPECT_TRUE(isPlanarScan(fan(0.5, -0.5, 3)));
  EXPECT_FALSE(isPlanarScan(fan(0, 0, 3)));
  EXPECT_FALSE(isPlanarScan(ScanModel{}));
  ScanModel uneven = fan(-1, 1, 5), tilted = fan(-1, 1, 5), sweeping = fan(-1, 1, 5);
  uneven.directions[2] = Vector3d(std::sin(0.1), 0, std::cos(0.1));
  tilted.directions[2] = Vector3d(0, std::sin(0.1), std::cos(0.1));
  sweeping.sweeps = true;
  EXPECT_FALSE(isPlanarScan(uneven));
  EXPECT_FALSE(isPlanarScan(tilted));
  EXPECT_FALSE(isPlanarScan(sweeping));
}

TEST(FoxgloveScan, BeamsThatMeetNothingAreInfinite) {
  const std::vector<double> distances = {1, 4, 2.5};
  const std::vector<double> ranges = reals(laserScan(1.5, "r/laser", fan(-0.4, 0.4, 3), distances), 6);
  ASSERT_EQ(ranges.size(), 3u);
  EXPECT_EQ(ranges[0], 1);
  EXPECT_TRUE(std::isinf(ranges[1]));
  EXPECT_EQ(ranges[2], 2.5);
}

TEST(FoxgloveScan, SchemasDescribeThem) {
  for (const char* name : {"foxglove.LaserScan", "foxglove.Log"}) EXPECT_FALSE(schemaOf(name).empty()) << name;
  const std::string note = logMessage(2, LogLevel::warning, "steps are unstable", "simulation");
  std::string text;
  std::uint64_t level = 0;
  protobuf::Reader reader(note);
  for (protobuf::Field field; reader.next(field);) {
    if (field.number == 2) level = field.integer;
    if (field.number == 3) text = std::string(field.bytes);
  }
  EXPECT_EQ(level, 3u);
  EXPECT_EQ(text, "steps are unstable");
}

}  // namespace
}  // namespace mortise::logs
