#include "mortise/planning/problem_sets/robot_joints.h"

#include <algorithm>

#include "mortise/base/value.h"
#include "mortise/planning/problem_sets/xml_reader.h"

namespace mortise {

namespace {

std::string textOf(const XmlNode* node, std::string_view attribute) {
  const XmlAttribute* found = node == nullptr ? nullptr : node->find(attribute);
  return found == nullptr ? std::string() : found->value;
}

std::optional<double> realOf(const XmlNode* node, std::string_view attribute) {
  const XmlAttribute* found = node == nullptr ? nullptr : node->find(attribute);
  if (found == nullptr) return std::nullopt;
  const Value value = Value::fromText(found->value);
  if (!value.isNumber()) return std::nullopt;
  return value.asReal();
}

}  // namespace

int NamedJoints::find(std::string_view joint) const {
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (joints[i].name == joint) return static_cast<int>(i);
  return -1;
}

int NamedJoints::above(std::string_view link) const {
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (joints[i].child == link) return static_cast<int>(i);
  return -1;
}

bool NamedJoints::hasLink(std::string_view link) const {
  return std::find(links.begin(), links.end(), link) != links.end();
}

std::vector<std::string> NamedJoints::names() const {
  std::vector<std::string> out;
  for (const NamedJoint& joint : joints) out.push_back(joint.name);
  return out;
}

NamedJoints readNamedJoints(const std::string& text, const std::string& file) {
  const XmlNode root = parseXml(text, file);
  if (root.name != "robot")
    throw Error("expected <robot>, found <" + root.name + ">", root.position, "is this a URDF file?");
  NamedJoints out;
  out.robot = textOf(&root, "name");
  for (const XmlNode& node : root.children) {
    if (node.name == "link") out.links.push_back(textOf(&node, "name"));
    if (node.name != "joint" || node.find("type") == nullptr) continue;
    NamedJoint joint;
    joint.position = node.position;
    joint.name = textOf(&node, "name");
    joint.type = textOf(&node, "type");
    joint.parent = textOf(node.child("parent"), "link");
    joint.child = textOf(node.child("child"), "link");
    joint.mimics = textOf(node.child("mimic"), "joint");
    const XmlNode* safety = node.child("safety_controller");
    joint.softLower = realOf(safety, "soft_lower_limit");
    joint.softUpper = realOf(safety, "soft_upper_limit");
    out.joints.push_back(std::move(joint));
  }
  for (const std::string& link : out.links) {
    if (out.above(link) >= 0) continue;
    out.root = link;
    break;
  }
  return out;
}

NamedJoints namedJointsOf(const RobotDescription& robot) {
  NamedJoints out;
  out.robot = robot.name;
  std::vector<JointType> types(robot.links.size(), JointType::weld);
  for (const Joint& joint : robot.joints) {
    types[static_cast<std::size_t>(joint.link)] = joint.type;
    // Links in between of joints that need several.
    for (int link = robot.links[static_cast<std::size_t>(joint.link)].parent;
         joint.type != JointType::weld && joint.type != JointType::normal && joint.type != JointType::spin &&
         link >= 0 && link != joint.base;
         link = robot.links[static_cast<std::size_t>(link)].parent)
      types[static_cast<std::size_t>(link)] = JointType::normal;
  }
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const Link& link = robot.links[i];
    out.links.push_back(link.name);
    if (link.parent < 0 && out.root.empty()) out.root = link.name;
    NamedJoint joint;
    joint.name = joint.child = link.name;
    if (link.parent >= 0) joint.parent = robot.links[static_cast<std::size_t>(link.parent)].name;
    joint.type = types[i] == JointType::weld            ? "fixed"
                 : link.motion == LinkMotion::prismatic ? "prismatic"
                 : types[i] == JointType::spin          ? "continuous"
                                                        : "revolute";
    out.joints.push_back(std::move(joint));
  }
  return out;
}

}  // namespace mortise
