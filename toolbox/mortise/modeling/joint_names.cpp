#include "mortise/modeling/joint_names.h"

#include <algorithm>
#include <map>

namespace mortise {

namespace {

constexpr std::string_view kJointName = "joint_name:";

std::string keyOf(std::string_view linkName) { return std::string(kJointName) + std::string(linkName); }

}  // namespace

bool isJointName(const std::pair<std::string, std::string>& property) { return property.first.starts_with(kJointName); }

std::vector<std::string> jointNames(const RobotDescription& robot) {
  std::vector<std::string> names(robot.links.size());
  std::map<std::string_view, int> linkOf;  // -1: several links have the name.
  for (std::size_t i = 0; i < robot.links.size(); ++i)
    if (const auto [at, isNew] = linkOf.emplace(robot.links[i].name, static_cast<int>(i)); !isNew) at->second = -1;
  for (const auto& property : robot.properties) {
    if (!isJointName(property)) continue;
    const auto link = linkOf.find(std::string_view(property.first).substr(kJointName.size()));
    if (link != linkOf.end() && link->second >= 0) names[static_cast<std::size_t>(link->second)] = property.second;
  }
  return names;
}

int findLinkOrJoint(const RobotDescription& robot, std::string_view name) {
  if (const int link = robot.findLink(name); link >= 0 || name.empty()) return link;
  const std::vector<std::string> names = jointNames(robot);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end() || std::count(names.begin(), names.end(), name) > 1) return -1;
  return static_cast<int>(found - names.begin());
}

void setJointName(RobotDescription& robot, std::string_view linkName, const std::string& jointName) {
  const std::string key = keyOf(linkName);
  std::erase_if(robot.properties, [&](const auto& property) { return property.first == key; });
  if (!jointName.empty()) robot.properties.emplace_back(key, jointName);
}

void dropJointNames(RobotDescription& robot) {
  std::erase_if(robot.properties, [&](const auto& property) {
    return isJointName(property) && robot.findLink(std::string_view(property.first).substr(kJointName.size())) < 0;
  });
}

void moveJointName(RobotDescription& robot, std::string_view from, std::string_view to) {
  const std::string key = keyOf(from);
  for (auto& property : robot.properties)
    if (property.first == key) property.first = keyOf(to);
}

void addJointNames(RobotDescription& robot, const RobotDescription& part, const std::string& prefix) {
  for (const auto& property : part.properties)
    if (isJointName(property))
      robot.properties.emplace_back(keyOf(prefix + property.first.substr(kJointName.size())), prefix + property.second);
}

}  // namespace mortise
