#include "csv_columns.h"

namespace mortise::recorders {

namespace {

constexpr const char* kAxes[3] = {"x", "y", "z"};

}  // namespace

void writeColumns(CsvFile& file, std::span<const char* const> names) {
  for (const char* name : names) file.cell(name);
  file.endRow();
}

void writeStateColumns(CsvFile& file, const World& world, const Recording& recording, const SensorSelection& sensors,
                       const SimulationView& view) {
  file.cell("time");
  const auto perLink = [&](const std::string& prefix, const char* what, const Robot& robot) {
    for (const Link& link : robot.links()) file.cell(prefix + what + "[" + link.name + "]");
  };
  std::vector<std::pair<std::string, int>> entities;
  for (std::size_t r = 0; r < world.robots.size(); ++r)
    entities.emplace_back(world.robots[r].name, world.robotId(static_cast<int>(r)));
  const std::vector<std::string> robotNames = uniqueNames(entities);
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    const Robot& robot = *world.robots[r].robot;
    const std::string prefix = robotNames[r] + "_";
    if (recording.robots[r]) {
      for (const char* axis : kAxes) file.cell(prefix + "cm" + axis);
      for (const char* what : {"qcmd", "dqcmd", "q", "dq"}) perLink(prefix, what, robot);
      for (int i = 0; i < robot.numDrivers(); ++i) file.cell(prefix + "t[" + std::to_string(i) + "]");
    }
    for (std::size_t s = 0; s < sensors[r].size(); ++s) {
      if (!sensors[r][s]) continue;
      const SensorReading& sensor = view.robots[r].sensors[s];
      for (const std::string& channel : sensor.channels)
        file.cell(prefix + std::string(sensor.name) + "[" + channel + "]");
    }
  }
  entities.clear();
  for (std::size_t i = 0; i < world.objects.size(); ++i)
    entities.emplace_back(world.objects[i].name, world.objectId(static_cast<int>(i)));
  const std::vector<std::string> objectNames = uniqueNames(entities);
  for (std::size_t i = 0; i < objectNames.size(); ++i)
    for (const char* what : {"_com", "_", "_r", "_d", "_w"})
      if (recording.objects[i])
        for (const char* axis : kAxes) file.cell(objectNames[i] + what + axis);
  file.endRow();
}

}  // namespace mortise::recorders
