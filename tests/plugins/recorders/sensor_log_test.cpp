// Which sensors are in a log.

#include "tests/plugins/recorders/recorder_bench.h"

namespace mortise {
namespace {

using test::errorText;

class SensorLog : public test::RecorderBench {
 protected:
  std::vector<std::string> csvHeader(std::vector<std::string> what) {
    auto recorder = open("csv", std::move(what));
    expose(0);
    recorder->write(view(0));
    recorder->close();
    std::ifstream file(folder / "t_state.csv");
    std::string line, row;
    std::getline(file, line);
    std::getline(file, row);
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), std::count(row.begin(), row.end(), ','));
    std::vector<std::string> names;
    std::stringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) names.push_back(cell);
    return names;
  }
  Value jsonRobot(std::vector<std::string> what) {
    auto recorder = open("jsonl", std::move(what));
    expose(0);
    recorder->write(view(0));
    recorder->close();
    std::ifstream file(folder / "t_log.jsonl");
    std::string line;
    std::getline(file, line);
    return *parseYaml(line, "log").findPath("robots.0");
  }
};

TEST_F(SensorLog, CamerasAreLeftOutUnlessNamed) {
  EXPECT_EQ(csvHeader({"sensors"}), (std::vector<std::string>{"time", "arm_force[force_x]", "arm_force[force_y]"}));
  EXPECT_TRUE(host.kept.mentions("camera 'eye'")) << "and that is told";
  EXPECT_EQ(csvHeader({"sensors", "eye"}).size(), 3u + 2 * kPixels);
  EXPECT_EQ(csvHeader({"eye"}).size(), 1u + 2 * kPixels);
  EXPECT_EQ(csvHeader({"arm/eye"}).back(), "arm_eye[d11]");
  EXPECT_EQ(csvHeader({"force"}).size(), 3u);
}

TEST_F(SensorLog, JsonLinesLeaveThemOutToo) {
  EXPECT_EQ(jsonRobot({"sensors"}).at("sensors").size(), 1u);
  EXPECT_EQ(jsonRobot({"sensors"}).findPath("sensors.force")->asReals(), force);
  const Value named = jsonRobot({"arm/eye"});
  EXPECT_EQ(named.at("sensors").size(), 1u);
  EXPECT_EQ(named.findPath("sensors.eye")->asReals(), image);
  EXPECT_FALSE(named.contains("q"));
  EXPECT_TRUE(jsonRobot({"robots", "eye"}).contains("q"));
}

TEST_F(SensorLog, UnknownNamesAreErrors) {
  for (const char* type : {"csv", "jsonl"}) {
    auto recorder = open(type, {"robots", "farce"});
    const std::string text = errorText([&] { recorder->write(view(0)); });
    EXPECT_NE(text.find("did you mean 'force'"), std::string::npos) << text;
  }
  EXPECT_THROW(open("path", {"arm", "force"}), Error);
}

}  // namespace
}  // namespace mortise
