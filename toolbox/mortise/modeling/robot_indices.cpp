#include "mortise/modeling/robot_indices.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include "mortise/base/error.h"
#include "mortise/modeling/joint_names.h"

namespace mortise::detail {

namespace {

/// The new number of an index that a sensor holds; -1, which stands for none or all, stays. Nothing for what is gone.
std::optional<std::int64_t> moved(std::int64_t index, const std::vector<int>& map) {
  if (index < 0 || index >= static_cast<std::int64_t>(map.size())) return index;
  const int to = map[static_cast<std::size_t>(index)];
  if (to < 0) return std::nullopt;
  return to;
}

/// A whole number, also one written as text.
std::optional<std::int64_t> indexIn(const Value& value) {
  if (value.isInteger()) return value.asInteger();
  return std::nullopt;
}

}  // namespace

bool renumberSensor(Value& sensor, const RobotDescription& before, const std::vector<int>& links,
                    const std::vector<int>& drivers, bool byNumber) {
  Value result = sensor;
  const auto replace = [&result](const char* key, Value value) {
    value.setPosition(result.find(key)->position());
    result.set(key, std::move(value));
  };
  if (const Value* link = sensor.find("link")) {
    const int own = link->isString() ? findLinkOrJoint(before, link->asString()) : -1;
    const bool named = own >= 0;
    const auto index = named ? std::optional<std::int64_t>(own) : indexIn(*link);
    if (index) {
      const auto to = moved(*index, links);
      if (!to) return false;
      if (!named || byNumber) replace("link", Value(*to));
    }
  }
  if (const Value* indices = sensor.find("indices")) {
    const std::vector<int>& map = sensor.string("type", "") == "DriverTorqueSensor" ? drivers : links;
    if (indices->isList()) {
      Value list = Value::list();
      for (const Value& item : indices->items()) {
        const auto index = indexIn(item);
        const auto to = index ? moved(*index, map) : std::nullopt;
        if (index && !to) return false;
        list.push_back(to ? Value(*to) : item);
      }
      replace("indices", std::move(list));
    } else {
      std::istringstream words(indices->text());
      std::string text;
      for (std::string word; words >> word;) {
        const Value number = Value::fromText(word);
        if (number.isInteger()) {
          const auto to = moved(number.asInteger(), map);
          if (!to) return false;
          word = std::to_string(*to);
        }
        text += (text.empty() ? "" : " ") + word;
      }
      replace("indices", Value::fromText(text));
    }
  }
  sensor = std::move(result);
  return true;
}

bool isChain(JointType type) {
  return type == JointType::floating || type == JointType::floatingPlanar || type == JointType::ballAndSocket;
}

std::vector<int> linksOf(const RobotDescription& robot, const Joint& joint) {
  std::vector<int> links;
  if (!isChain(joint.type)) return {joint.link};
  for (int i = joint.link; i >= 0 && i != joint.base; i = robot.links[i].parent) links.push_back(i);
  std::reverse(links.begin(), links.end());
  return links;
}

bool hasShape(const Link& link) { return link.geometry && !link.geometry->empty(); }

void expectLink(const RobotDescription& robot, int link, bool worldToo) {
  const int n = static_cast<int>(robot.links.size());
  if (link >= (worldToo ? -1 : 0) && link < n) return;
  throw Error("robot '" + robot.name + "' has no link " + std::to_string(link) + "; it has " + std::to_string(n) +
              (worldToo ? ", and -1 is the world" : ""));
}

std::vector<int> renumber(RobotDescription& robot, const std::vector<int>& links,
                          std::vector<std::string>* droppedSensors) {
  std::vector<Joint> joints;
  for (const Joint& joint : robot.joints) {
    std::vector<int> left;
    const std::vector<int> before = linksOf(robot, joint);
    for (const int i : before)
      if (links[i] >= 0) left.push_back(links[i]);
    if (left.size() == before.size()) {
      Joint kept = joint;
      kept.link = links[joint.link];
      if (isChain(joint.type)) kept.base = joint.base < 0 ? -1 : links[joint.base];
      joints.push_back(kept);
    } else {
      for (const int i : left) joints.push_back({JointType::normal, i, -1});
    }
  }

  std::vector<Driver> drivers;
  std::vector<int> driverMap;
  for (Driver driver : robot.drivers) {
    Driver kept = driver;
    kept.links.clear();
    kept.scale.clear();
    kept.offset.clear();
    for (std::size_t k = 0; k < driver.links.size(); ++k) {
      if (links[driver.links[k]] < 0) continue;
      kept.links.push_back(links[driver.links[k]]);
      if (driver.type != DriverType::affine) continue;
      kept.scale.push_back(driver.scale[k]);
      kept.offset.push_back(driver.offset[k]);
    }
    const bool full = kept.links.size() == driver.links.size();
    const bool stays = driver.type == DriverType::affine ? !kept.links.empty() : full;
    driverMap.push_back(stays ? static_cast<int>(drivers.size()) : -1);
    if (stays) drivers.push_back(std::move(kept));
  }

  std::vector<std::pair<int, int>> pairs;
  for (const auto& [a, b] : robot.selfCollisionPairs)
    if (links[a] >= 0 && links[b] >= 0) pairs.emplace_back(std::min(links[a], links[b]), std::max(links[a], links[b]));
  std::sort(pairs.begin(), pairs.end());

  if (robot.sensors.isList()) {
    Value sensors = Value::list();
    for (Value sensor : robot.sensors.items()) {
      if (renumberSensor(sensor, robot, links, driverMap, false))
        sensors.push_back(std::move(sensor));
      else if (droppedSensors != nullptr)
        droppedSensors->push_back(sensor.string("name", ""));
    }
    robot.sensors = std::move(sensors);
  }
  robot.joints = std::move(joints);
  robot.drivers = std::move(drivers);
  robot.selfCollisionPairs = std::move(pairs);
  return driverMap;
}

}  // namespace mortise::detail
