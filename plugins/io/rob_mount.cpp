#include "rob_builder.h"

namespace mortise::io {

namespace {

/// Makes a mounted robot's sensor refer to the links and drivers of the whole.
void moveSensor(Value& sensor, const RobotDescription& part, int firstLink, int firstDriver,
                const std::string& prefix) {
  const auto replace = [&sensor](const char* key, Value value) {
    value.setPosition(sensor.find(key)->position());
    sensor.set(key, std::move(value));
  };
  if (const Value* link = sensor.find("link")) {
    if (link->isInteger() && link->asInteger() >= 0)
      replace("link", Value(link->asInteger() + firstLink));
    else if (link->isString() && part.findLink(link->asString()) >= 0)
      replace("link", Value(part.findLink(link->asString()) + firstLink));
  }
  if (const Value* indices = sensor.find("indices")) {
    const bool drivers = sensor.string("type", "") == "DriverTorqueSensor";
    const int shift = drivers ? firstDriver : firstLink;
    std::string text;
    const TextFile words("", indices->text());
    Cursor cursor(words);
    for (std::string_view word = cursor.word(); !word.empty(); word = cursor.word()) {
      const auto number = parseInteger(word);
      text += (text.empty() ? "" : " ") + (number ? std::to_string(*number + shift) : std::string(word));
    }
    replace("indices", Value::fromText(text));
  }
  if (prefix.empty()) return;
  for (const char* key : {"name", "sensor"})
    if (const Value* name = sensor.find(key)) replace(key, Value(prefix + name->text()));
}

}  // namespace

void mountRobot(RobotDescription& robot, int link, const RigidTransform& X_LM, const std::string& prefix,
                RobotDescription part) {
  const int firstLink = static_cast<int>(robot.links.size());
  const int firstDriver = static_cast<int>(robot.drivers.size());
  const int count = static_cast<int>(part.links.size());
  const std::string fullPrefix = prefix.empty() ? "" : prefix + ":";

  if (part.sensors.isList()) {
    if (!robot.sensors.isList()) robot.sensors = Value::list();
    for (Value& sensor : part.sensors.items()) {
      moveSensor(sensor, part, firstLink, firstDriver, fullPrefix);
      robot.sensors.push_back(std::move(sensor));
    }
  }

  for (int i = 0; i < count; ++i) {
    const GeometryPtr& geometry = part.links[i].geometry;
    if (!geometry || geometry->empty()) continue;
    for (int old = 0; old < firstLink; ++old) {
      const GeometryPtr& other = robot.links[old].geometry;
      const bool neighbours = old == link && part.links[i].parent < 0;
      if (other && !other->empty() && !neighbours) robot.selfCollisionPairs.emplace_back(old, firstLink + i);
    }
  }
  for (const auto& [a, b] : part.selfCollisionPairs)
    robot.selfCollisionPairs.emplace_back(a + firstLink, b + firstLink);

  for (Link& added : part.links) {
    if (added.parent < 0) {
      added.X_PL0 = X_LM * added.X_PL0;
      added.parent = link;
    } else {
      added.parent += firstLink;
    }
    added.name = fullPrefix + added.name;
    robot.links.push_back(std::move(added));
  }
  for (Joint joint : part.joints) {
    joint.link += firstLink;
    // Of a chain alone; other joints have no base.
    const bool chain = joint.type == JointType::floating || joint.type == JointType::floatingPlanar ||
                       joint.type == JointType::ballAndSocket;
    if (chain) joint.base = joint.base < 0 ? link : joint.base + firstLink;
    robot.joints.push_back(joint);
  }
  for (Driver& driver : part.drivers) {
    for (int& driven : driver.links) driven += firstLink;
    driver.name = fullPrefix + driver.name;
    robot.drivers.push_back(std::move(driver));
  }
}

}  // namespace mortise::io
