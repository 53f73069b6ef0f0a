#include "recording.h"

#include <algorithm>

#include "mortise/base/error.h"

namespace mortise {

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
      throw Error("nothing called '" + what + "' can be recorded", {},
                  "record robots, objects, sensors, contacts, wrenches, or robots and objects by name");
  }
  anyRobot = std::find(robots.begin(), robots.end(), true) != robots.end();
  anyObject = std::find(objects.begin(), objects.end(), true) != objects.end();
}

std::string recordPath(const RecorderSetup& setup, const std::string& name) {
  if (name.find('/') != std::string::npos || setup.directory.empty()) return name;
  return setup.directory + "/" + setup.prefix + name;
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

}  // namespace mortise
