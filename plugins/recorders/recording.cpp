#include "recording.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/settings/record_path.h"
#include "mortise/text/suggest.h"

namespace mortise::recorders {

Recording::Recording(const RecorderSetup& setup)
    : robots(setup.world.robots.size(), false), objects(setup.world.objects.size(), false) {
  const auto byName = [&](const std::string& name) {
    bool found = false;
    for (std::size_t r = 0; r < robots.size(); ++r)
      if (setup.world.robots[r].name == name) robots[r] = found = true;
    for (std::size_t i = 0; i < objects.size(); ++i)
      if (setup.world.objects[i].name == name) objects[i] = found = true;
    return found;
  };
  for (const std::string& what : setup.what) {
    if (what == "robots")
      robots.assign(robots.size(), true);
    else if (what == "objects")
      objects.assign(objects.size(), true);
    else if (what == "sensors")
      sensors = true;
    else if (what == "contacts")
      contacts = true;
    else if (what == "wrenches")
      wrenches = true;
    else if (!byName(what))
      sensorNames.push_back(what);
  }
  anyRobot = std::find(robots.begin(), robots.end(), true) != robots.end();
  anyObject = std::find(objects.begin(), objects.end(), true) != objects.end();
}

SensorSelection selectSensors(const Recording& recording, const SimulationView& view) {
  SensorSelection selection;
  std::vector<std::string> names;
  std::vector<bool> used(recording.sensorNames.size(), false);
  for (std::size_t r = 0; r < view.robots.size(); ++r) {
    selection.emplace_back();
    for (const SensorReading& sensor : view.robots[r].sensors) {
      names.emplace_back(sensor.name);
      const std::string full = view.world->robots[r].name + "/" + names.back();
      bool selected = false;
      for (std::size_t i = 0; i < used.size(); ++i) {
        if (recording.sensorNames[i] != sensor.name && recording.sensorNames[i] != full) continue;
        selected = used[i] = true;
      }
      selection.back().push_back(selected);
    }
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) refuseName(recording.sensorNames[i], *view.world, names);
  return selection;
}

SensorSelection loggedSensors(const Recording& recording, const SimulationView& view, Host& host) {
  SensorSelection selection = selectSensors(recording, view);
  if (!recording.sensors) return selection;
  for (std::size_t r = 0; r < selection.size(); ++r) {
    for (std::size_t s = 0; s < selection[r].size(); ++s) {
      if (selection[r][s]) continue;
      const SensorReading& sensor = view.robots[r].sensors[s];
      selection[r][s] = sensor.camera == nullptr;
      if (sensor.camera != nullptr)
        host.log(LogLevel::info, "the " + std::to_string(sensor.values.size()) + " values of camera '" +
                                     std::string(sensor.name) +
                                     "' are left out of the log; record it by its name, or "
                                     "its images with an ImageRecorder");
    }
  }
  return selection;
}

void refuseName(const std::string& name, const World& world, std::vector<std::string> sensors) {
  std::vector<std::string> candidates = {"robots", "objects", "sensors", "contacts", "wrenches"};
  for (const WorldRobot& robot : world.robots) candidates.push_back(robot.name);
  for (const RigidObject& object : world.objects) candidates.push_back(object.name);
  candidates.insert(candidates.end(), sensors.begin(), sensors.end());
  const std::string near = didYouMean(name, candidates);
  throw Error("nothing called '" + name + "' can be recorded", {},
              (near.empty() ? "" : near + " ") +
                  "record robots, objects, sensors, contacts, wrenches, or robots, objects and sensors by name");
}

std::string recordPath(const RecorderSetup& setup, const PlacedText& output) {
  return mortise::recordPath(setup.directory, setup.prefix, output);
}

std::vector<std::string> uniqueNames(const std::vector<std::pair<std::string, int>>& entities) {
  std::map<std::string, int> count;
  for (const auto& [name, id] : entities) ++count[name];
  std::vector<std::string> names;
  for (const auto& [name, id] : entities)
    names.push_back(count[name] > 1 || name.empty() ? name + "#" + std::to_string(id) : name);
  return names;
}

Vector3d centerOfMass(const Robot& robot, const RobotState& state) {
  Vector3d moment = Vector3d::Zero();
  for (int i = 0; i < robot.numLinks(); ++i)
    moment += robot.link(i).inertia.mass * (state.X_WL[i] * robot.link(i).inertia.com);
  return robot.totalMass() > 0 ? Vector3d(moment / robot.totalMass()) : Vector3d::Zero();
}

void commandedState(const Robot& robot, const RobotView& view, VectorXd& q, VectorXd& dq) {
  q = view.state->q;
  dq.setZero(robot.numLinks());
  for (int d = 0; d < robot.numDrivers(); ++d) {
    const ActuatorCommand& command = view.commands[d];
    if (command.mode == ActuatorCommand::Mode::pid) setDriverValue(robot, d, command.position, q);
    if (command.mode != ActuatorCommand::Mode::pid && command.mode != ActuatorCommand::Mode::velocity) continue;
    const Driver& driver = robot.driver(d);
    const std::size_t moved = driver.type == DriverType::affine ? driver.links.size() : 1;
    for (std::size_t k = 0; k < moved; ++k)
      dq[driver.links[k]] = command.velocity * (driver.type == DriverType::affine ? driver.scale[k] : 1.0);
  }
}

std::map<std::pair<int, int>, PairContact> pairContacts(std::span<const ContactForce> contacts) {
  struct Pressure {
    double sum = 0;
    Vector3d point = Vector3d::Zero(), moment = Vector3d::Zero();
  };
  std::map<std::pair<int, int>, PairContact> pairs;
  std::map<std::pair<int, int>, Pressure> pressures;
  for (const ContactForce& contact : contacts) {
    const std::pair ids(contact.idA, contact.idB);
    PairContact& pair = pairs[ids];
    pair.depth = pair.count == 0 ? contact.depth : std::max(pair.depth, contact.depth);
    ++pair.count;
    pair.point += contact.point;
    pair.normal += contact.normal;
    pair.force += contact.force;
    const double press = contact.normal.dot(contact.force);
    Pressure& pressure = pressures[ids];
    pressure.sum += press;
    pressure.point += press * contact.point;
    pressure.moment += contact.point.cross(contact.force);
  }
  for (auto& [ids, pair] : pairs) {
    const Pressure& pressure = pressures[ids];
    pair.point /= pair.count;
    pair.normal /= pair.count;
    pair.moment = pressure.moment - pair.point.cross(pair.force);
    pair.centerOfPressure = pressure.sum > 0 ? Vector3d(pressure.point / pressure.sum) : pair.point;
  }
  return pairs;
}

}  // namespace mortise::recorders
