#include "mortise/mechanics/held_motion.h"

#include "mortise/text/suggest.h"

namespace mortise {

namespace {

Value linkList(const std::vector<int>& links, const Robot& robot) {
  Value list = Value::list();
  for (const int link : links) list.push_back(robot.link(link).name);
  return list;
}

}  // namespace

HeldPath holdInWorld(RobotInWorld& world, const RobotPtr& robot, const MultiPath& path) {
  return withHolds(robot, path, [&](const VectorXd& q) { return world.contacts(q); });
}

Value heldValue(const HeldPath& held, const Robot& robot) {
  Value sections = Value::list();
  for (const HeldPath::Section& section : held.sections) {
    Value value = Value::map();
    value.set("held", linkList(section.links, robot));
    value.set("bare", linkList(section.bare, robot));
    value.set("contacts", section.contacts);
    value.set("found", section.found);
    sections.push_back(std::move(value));
  }
  return sections;
}

std::string heldText(const Value& sections) {
  std::string text;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    const Value& section = sections[s];
    text += "held           section " + std::to_string(s) + ": " + std::to_string(section.at("contacts").asInteger()) +
            " contacts of";
    for (const std::string& name : section.at("held").asStrings()) text += " " + name;
    if (section.at("held").size() == 0) text += " nothing";
    if (section.at("bare").size() > 0) {
      text += "; at goals without contacts:";
      for (const std::string& name : section.at("bare").asStrings()) text += " " + name;
    }
    text += "\n";
  }
  return text;
}

}  // namespace mortise
