#include "ros/conversion/naming.h"

#include <unordered_map>

#include "mortise/modeling/joint_names.h"

namespace mortise::ros {

namespace {

/// Says whether ros_control has a joint for this link: one that moves, and no part of a floating base.
bool isControlled(const Robot& robot, int link) {
  const int joint = robot.jointOfLink(link);
  if (joint < 0) return robot.driverOfLink(link) >= 0;
  const JointType type = robot.joints()[static_cast<std::size_t>(joint)].type;
  return type == JointType::normal || type == JointType::spin || type == JointType::ballAndSocket;
}

bool isAllowed(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '/';
}

}  // namespace

JointNames namesOfJoints(const Robot& robot, Naming naming) {
  JointNames joints;
  const std::vector<std::string> own =
      naming == Naming::rosControl ? mortise::jointNames(robot.description()) : std::vector<std::string>();
  for (int i = 0; i < robot.numLinks(); ++i) {
    if (naming == Naming::rosControl && !isControlled(robot, i)) continue;
    const bool named = naming == Naming::rosControl && !own[static_cast<std::size_t>(i)].empty();
    joints.names.push_back(named ? own[static_cast<std::size_t>(i)] : robot.link(i).name);
    joints.links.push_back(i);
  }
  return joints;
}

std::vector<int> matchNames(const std::vector<std::string>& given, const std::vector<std::string>& known) {
  std::unordered_map<std::string_view, int> indices;
  for (std::size_t i = 0; i < known.size(); ++i) indices.emplace(known[i], static_cast<int>(i));
  std::vector<int> matched;
  matched.reserve(given.size());
  for (const std::string& name : given) {
    const auto found = indices.find(name);
    matched.push_back(found == indices.end() ? -1 : found->second);
  }
  return matched;
}

std::string topicName(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (c == '/' && (name.empty() || name.back() == '/')) continue;
    const bool starts = name.empty() || name.back() == '/';
    if (starts && c >= '0' && c <= '9') name += '_';
    name += isAllowed(c) ? c : '_';
  }
  while (!name.empty() && name.back() == '/') name.pop_back();
  return name;
}

std::string joinNames(std::string_view a, std::string_view b) {
  while (!a.empty() && a.back() == '/') a.remove_suffix(1);
  while (!a.empty() && !b.empty() && b.front() == '/') b.remove_prefix(1);
  if (a.empty()) return std::string(b);
  if (b.empty()) return std::string(a);
  return std::string(a) + "/" + std::string(b);
}

}  // namespace mortise::ros
