// Everything that can be commanded in a simulation.

#include "mortise/component/sensor.h"
#include "mortise/pipeline/simulate/timed_command.h"

namespace mortise {

Value listCommands(Simulation& simulation) {
  const World& world = simulation.world();
  const Value effective = simulation.effectiveSettings();
  Value robots = Value::list();
  for (int r = 0; r < static_cast<int>(world.robots.size()); ++r) {
    Value robot = Value::map();
    robot.set("id", world.robotId(r));
    robot.set("name", world.robots[r].name);
    const Controller& controller = *simulation.controller(r);
    Value sensors = Value::list();
    const std::span<const SensorReading> readings = simulation.sensorReadings(r);
    int nextController = 0;
    std::size_t nextSensor = 0;
    // Components are listed by robot, controllers first.
    for (const Value& component : effective.at("components").items()) {
      if (component.contains("controller") && nextController++ == r) {
        robot.set("controller", component.at("controller"));
        robot.set("rate", component.at("rate"));
      }
    }
    std::size_t skip = 0;
    for (int before = 0; before < r; ++before) skip += simulation.sensorReadings(before).size();
    for (const Value& component : effective.at("components").items()) {
      if (!component.contains("sensor")) continue;
      if (skip > 0) {
        --skip;
        continue;
      }
      if (nextSensor == readings.size()) break;
      const SensorReading& reading = readings[nextSensor++];
      Value sensor = Value::map();
      sensor.set("name", reading.name);
      sensor.set("type", component.at("sensor"));
      sensor.set("rate", component.real("rate_now", component.real("rate", 0)));
      if (reading.camera != nullptr) {
        sensor.set("values", static_cast<std::int64_t>(reading.values.size()));
      } else {
        Value channels = Value::list();
        for (const std::string& channel : reading.channels) channels.push_back(channel);
        sensor.set("channels", std::move(channels));
      }
      sensor.set("settings", simulation.sensor(r, reading.name)->settings());
      sensors.push_back(std::move(sensor));
    }
    Value commands = Value::list();
    for (const auto& [name, help] : controller.commands()) {
      Value command = Value::map();
      command.set("name", name);
      command.set("help", help);
      commands.push_back(std::move(command));
    }
    robot.set("commands", std::move(commands));
    robot.set("settings", controller.settings());
    robot.set("sensors", std::move(sensors));
    robots.push_back(std::move(robot));
  }
  return robots;
}

}  // namespace mortise
