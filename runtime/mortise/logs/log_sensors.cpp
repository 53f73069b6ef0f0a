#include "mortise/logs/log_sensors.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/math/constants.h"
#include "mortise/modeling/joint_names.h"

namespace mortise::logs {

namespace {

/// R row-major, then t.
Value rowsOfSensor(const RigidTransform& X) {
  std::vector<double> rows(12);
  X.toRows(rows.data());
  return rows;
}

/// JSON has no infinite numbers.
Value finiteOrNull(double value) { return std::isfinite(value) ? Value(value) : Value(); }

Value cameraDescription(const CameraModel& camera) {
  Value out = Value::map();
  out.set("width", camera.width);
  out.set("height", camera.height);
  out.set("fx", camera.fx);
  out.set("fy", camera.fy);
  out.set("cx", camera.cx);
  out.set("cy", camera.cy);
  out.set("near", camera.minDepth);
  out.set("far", finiteOrNull(camera.maxDepth));
  return out;
}

Value scanDescription(const ScanModel& scan) {
  std::vector<double> directions;
  for (const Vector3d& direction : scan.directions)
    directions.insert(directions.end(), direction.data(), direction.data() + 3);
  Value out = Value::map();
  out.set("link", scan.link);
  out.set("minimum", scan.minimum);
  out.set("maximum", finiteOrNull(scan.maximum));
  out.set("directions", directions);
  out.set("sweeps", scan.sweeps);
  return out;
}

}  // namespace

Value sensorDescriptions(Simulation& simulation) {
  const World& world = simulation.world();
  Value list = Value::list();
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    const int robot = static_cast<int>(r);
    for (const SensorReading& reading : simulation.sensorReadings(robot)) {
      const Sensor* sensor = simulation.sensor(robot, reading.name);
      const ScanModel* scan = sensor != nullptr ? sensor->scan() : nullptr;
      if (reading.camera == nullptr && scan == nullptr) continue;
      const int link = reading.camera != nullptr ? reading.camera->link : scan->link;
      const std::string name = world.robots[r].name + "/" + std::string(reading.name);
      Value item = Value::map();
      item.set("robot", robot);
      item.set("name", std::string(reading.name));
      item.set("topic", reading.camera != nullptr ? "/camera/" + name + "/image" : "/mortise/sensors/" + name);
      item.set("link", link >= 0 ? world.linkId(robot, link) : -1);
      item.set("T", rowsOfSensor(reading.camera != nullptr ? reading.camera->X_LS : scan->X_LS));
      if (reading.camera != nullptr)
        item.set("camera", cameraDescription(*reading.camera));
      else
        item.set("scan", scanDescription(*scan));
      list.push_back(std::move(item));
    }
  }
  return list;
}

namespace {

/// The names of the links that sensors are on, by ROBOT/SENSOR, of those that say so in their settings.
Value sensorLinks(Simulation& simulation) {
  const World& world = simulation.world();
  Value links = Value::map();
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    const int robot = static_cast<int>(r);
    const Robot& model = *world.robots[r].robot;
    for (const SensorReading& reading : simulation.sensorReadings(robot)) {
      const Sensor* sensor = simulation.sensor(robot, reading.name);
      const Value settings = sensor != nullptr ? sensor->settings() : Value();
      const Value* link = settings.isMap() ? settings.find("link") : nullptr;
      if (link == nullptr || link->isNull()) continue;
      const int index = link->isString() ? findLinkOrJoint(model.description(), link->asString())
                                         : static_cast<int>(link->asInteger());
      if (index >= 0 && index < model.numLinks())
        links.set(world.robots[r].name + "/" + std::string(reading.name), model.link(index).name);
    }
  }
  return links;
}

}  // namespace

Value runDescription(Simulation& simulation, const Value& origin) {
  Value run = Value::map();
  if (!origin.isNull()) run.set("origin", origin);
  run.set("sensors", sensorDescriptions(simulation));
  run.set("links", sensorLinks(simulation));
  return run;
}

ScanModel scanFrom(const Value& description) {
  const Value& scan = description.at("scan");
  ScanModel model;
  model.minimum = scan.real("minimum", 0);
  model.maximum = scan.at("maximum").isNull() ? kInfinity : scan.at("maximum").asReal();
  model.link = static_cast<int>(scan.integer("link", -1));
  model.sweeps = scan.boolean("sweeps", false);
  const std::vector<double> numbers = scan.at("directions").asReals(), rows = description.at("T").asReals();
  if (numbers.size() % 3 != 0 || rows.size() != 12) throw Error("a laser's beams are not three numbers each");
  for (std::size_t i = 0; i < numbers.size(); i += 3)
    model.directions.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  model.X_LS = RigidTransform::fromRows(rows.data());
  return model;
}

}  // namespace mortise::logs
