// The pipeline with many sensors, and what `record` may name.

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "mortise/base/files.h"
#include "support.h"

namespace mortise::test {
namespace {

class PipelineSensors : public PipelineTest {
 protected:
  /// Columns of a CSV file by their names.
  static std::map<std::string, std::vector<double>> readCsv(const std::string& file) {
    std::istringstream lines(readFile(file));
    std::string line, cell;
    std::vector<std::string> names;
    std::map<std::string, std::vector<double>> columns;
    std::getline(lines, line);
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
    while (std::getline(lines, line)) {
      std::size_t i = 0;
      for (std::istringstream cells(line); std::getline(cells, cell, ','); ++i)
        columns[names.at(i)].push_back(std::stod(cell));
    }
    return columns;
  }
};

TEST_F(PipelineSensors, TheExampleMeasuresLogsAndSees) {
  const Pipeline pipeline = good(MORTISE_SOURCE_DIR "/data/pipelines/sensors.yaml");
  const RunOutcome outcome = run(pipeline, "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  auto log = readCsv(outcome.directory + "/sweep_sensors.csv");
  const std::vector<double>& time = log.at("time");
  ASSERT_EQ(time.size(), 201u);
  int scanned = 0;
  for (const auto& [name, values] : log) {
    ASSERT_EQ(values.size(), time.size()) << name;
    EXPECT_EQ(name.find("eye"), std::string::npos) << "images are no columns";
    for (const double value : values) ASSERT_TRUE(std::isfinite(value)) << name;
    scanned += name.starts_with("reacher_scanner[d[");
  }
  EXPECT_EQ(scanned, 91);
  const auto at = [&](const std::string& name) -> const std::vector<double>& { return log.at("reacher_" + name); };

  // Worn encoders: multiples of half a milliradian near the truth.
  const std::vector<double>&q = at("q[q[elbow]]"), &worn = at("encoders[q[elbow]]");
  for (std::size_t i = 1; i < time.size(); ++i) {
    EXPECT_NEAR(worn[i] / 0.0005, std::round(worn[i] / 0.0005), 1e-6);
    EXPECT_NEAR(worn[i], q[i], 0.006) << "six standard deviations";
  }
  // They arrive 30 to 50 ms later, and the wrapper is read every 5 ms: in between the joint has moved.
  const std::vector<double>& late = at("late_encoders[q[shoulder_yaw]]");
  const std::vector<double>& yaw = at("q[q[shoulder_yaw]]");
  int moving = 0;
  for (std::size_t i = 100; i < time.size(); ++i) {
    const double minimum = std::min(yaw[i - 3], yaw[i - 6]), maximum = std::max(yaw[i - 3], yaw[i - 6]);
    EXPECT_GT(late[i], minimum - 0.006) << time[i];
    EXPECT_LT(late[i], maximum + 0.006) << time[i];
    moving += std::abs(yaw[i] - late[i]) > 0.02;
  }
  EXPECT_GT(moving, 50);
  const std::vector<double>&effort = at("effort[t[elbow]]"), &load = at("load[t[elbow]]");
  for (std::size_t i = 0; i < time.size(); ++i) EXPECT_DOUBLE_EQ(load[i], std::clamp(0.0125 * effort[i], -1.0, 1.0));

  // The same images, 200 ms later.
  const std::string images = outcome.directory + "/sweep_images/";
  for (int tick = 101; tick < 1800; tick += 100) {
    const auto name = [&](const char* camera, int at_, const char* ending) {
      const std::string digits = std::to_string(at_);
      return images + camera + std::string("_") + std::string(8 - digits.size(), '0') + digits + ending;
    };
    for (const char* ending : {"_color.png", "_depth.png", ".pcd"})
      EXPECT_EQ(readFile(name("eye", tick, ending)), readFile(name("late_eye", tick + 200, ending))) << tick << ending;
  }
  Diagnostics diagnostics;
  const GeometryPtr geometry = loader_->load<GeometryPtr>(images + "eye_00001001.pcd", {}, diagnostics);
  ASSERT_NE(geometry->as<PointCloud>(), nullptr);
  EXPECT_GT(geometry->as<PointCloud>()->points.size(), 10000u) << "most of 160 x 120 pixels see something";
}

TEST_F(PipelineSensors, RunsAgainToTheSameBytes) {
  const std::vector<std::string> settings = {"stages.0.simulate.duration=0.6"};
  const Pipeline pipeline = good(MORTISE_SOURCE_DIR "/data/pipelines/sensors.yaml", settings);
  const RunOutcome one = run(pipeline, "one"), two = run(pipeline, "two");
  ASSERT_EQ(one.status, RunStatus::done) << one.failure;
  for (const char* file : {"/sweep_sensors.csv", "/sweep_images/late_eye_00000501.pcd"})
    EXPECT_EQ(readFile(one.directory + file), readFile(two.directory + file)) << file;
}

TEST_F(PipelineSensors, RecordNamesSensors) {
  const std::string sensors =
      "components:\n"
      "  - {sensor: JointPositionSensor, name: q}\n"
      "  - {sensor: CameraSensor, name: eye, link: -1, xres: 8, yres: 6}\n"
      "  - {sensor: FilteredSensor, of: q}\n";
  Diagnostics diagnostics;
  check(write(sensors + "stages:\n  - simulate: {duration: 10 ms, record: [eye, reacher/q, FilteredSensor]}\n"),
        diagnostics);
  EXPECT_FALSE(diagnostics.hasErrors()) << textOf(diagnostics);
  expectProblem(sensors + "stages:\n  - simulate: {duration: 10 ms, record: [eie]}\n", "did you mean 'eye'?");
  const RunOutcome outcome = run(good(path("p.yaml"), {"stages.0.simulate.record=[eye]"}), "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  const std::string log = readFile(outcome.directory + "/simulate_state.csv");
  const std::string last = log.substr(log.rfind('\n', log.size() - 2) + 1);
  EXPECT_EQ(std::count(last.begin(), last.end(), ','), 2 * 8 * 6) << "the time, then every pixel";
}

TEST_F(PipelineSensors, ErrorsOfRecordersAndWrappersHaveAPlace) {
  std::string text = problems("components:\n  - {recorder: ImageRecorder}\nstages:\n  - simulate: {duration: 10 ms}\n");
  EXPECT_NE(text.find("p.yaml:4"), std::string::npos) << text;
  EXPECT_NE(text.find("add a CameraSensor"), std::string::npos) << text;
  text = problems(
      "components:\n  - {sensor: JointPositionSensor, name: encoders}\n  - {sensor: FilteredSensor, of: encodrs}\n"
      "stages:\n  - simulate: {duration: 10 ms}\n");
  EXPECT_NE(text.find("p.yaml:5"), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean 'encoders'?"), std::string::npos) << text;
}

}  // namespace
}  // namespace mortise::test
