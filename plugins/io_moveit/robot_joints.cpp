#include "robot_joints.h"

#include <algorithm>

#include "mortise/base/value.h"
#include "text/xml_file.h"

namespace mortise::io_moveit {

namespace {

using Element = tinyxml2::XMLElement;

/// Empty where there is no such element or attribute.
std::string textOf(const Element* element, const char* attribute) {
  const char* found = element == nullptr ? nullptr : element->Attribute(attribute);
  return found == nullptr ? std::string() : std::string(found);
}

std::optional<double> realOf(const Element* element, const char* attribute) {
  const std::string text = textOf(element, attribute);
  if (text.empty()) return std::nullopt;
  const Value value = Value::fromText(text);
  return value.isNumber() ? std::optional<double>(value.asReal()) : std::nullopt;
}

NamedJoint namedJoint(const io::XmlFile& xml, const Element& element) {
  NamedJoint joint;
  joint.position = xml.position(element);
  joint.name = textOf(&element, "name");
  joint.type = textOf(&element, "type");
  joint.parent = textOf(element.FirstChildElement("parent"), "link");
  joint.child = textOf(element.FirstChildElement("child"), "link");
  joint.mimics = textOf(element.FirstChildElement("mimic"), "joint");
  const Element* safety = element.FirstChildElement("safety_controller");
  joint.softLower = realOf(safety, "soft_lower_limit");
  joint.softUpper = realOf(safety, "soft_upper_limit");
  return joint;
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
  const io::XmlFile xml(io::TextFile(file, text));
  const Element& root = xml.root();
  if (std::string_view(root.Name()) != "robot")
    throw Error("expected <robot>, found <" + std::string(root.Name()) + ">", xml.position(root),
                "is this a URDF file?");
  NamedJoints out;
  out.robot = textOf(&root, "name");
  for (const Element* element = root.FirstChildElement(); element != nullptr; element = element->NextSiblingElement()) {
    const std::string_view name = element->Name();
    if (name == "link") out.links.push_back(textOf(element, "name"));
    if (name == "joint" && element->Attribute("type") != nullptr) out.joints.push_back(namedJoint(xml, *element));
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

}  // namespace mortise::io_moveit
