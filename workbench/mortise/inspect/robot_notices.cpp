#include "mortise/inspect/robot_notices.h"

#include "mortise/modeling/placeholder_inertia.h"

namespace mortise::inspect {

namespace {

std::string quotedNames(const Robot& robot, const std::vector<int>& links) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < links.size() && i < kShown; ++i)
    text += (i == 0 ? "'" : ", '") + robot.link(links[i]).name + "'";
  return text + (links.size() > kShown ? " and " + std::to_string(links.size() - kShown) + " more" : "");
}

}  // namespace

std::vector<int> floatingRoots(const Robot& robot) {
  std::vector<int> links;
  for (const Joint& joint : robot.joints())
    if (joint.type == JointType::floating && joint.base < 0) links.push_back(joint.link);
  return links;
}

std::vector<int> linksWithoutInertia(const Robot& robot) {
  std::vector<int> links;
  for (int i = 0; i < robot.numLinks(); ++i)
    if (robot.link(i).inertia == placeholderInertia()) links.push_back(i);
  return links;
}

std::vector<int> movingLinksWithoutInertia(const Robot& robot) {
  std::vector<int> links;
  for (const int i : linksWithoutInertia(robot)) {
    const int joint = robot.jointOfLink(i);
    if (joint < 0 || robot.joints()[static_cast<std::size_t>(joint)].type != JointType::weld) links.push_back(i);
  }
  return links;
}

std::vector<std::string> worldNotices(const World& world) {
  std::vector<std::string> lines;
  std::string floating;
  for (const WorldRobot& robot : world.robots)
    if (const std::vector<int> roots = floatingRoots(*robot.robot); !roots.empty())
      floating += (floating.empty() ? "" : "; ") + quotedNames(*robot.robot, roots) + " of robot '" + robot.name + "'";
  if (!floating.empty()) lines.push_back("nothing ties these roots to the world, so they move freely: " + floating);
  for (const WorldRobot& robot : world.robots)
    if (const std::vector<int> light = movingLinksWithoutInertia(*robot.robot); !light.empty())
      lines.push_back("robot '" + robot.name + "': no inertia is given for " + quotedNames(*robot.robot, light) +
                      (light.size() == 1 ? "; it weighs 0.1 g" : "; each weighs 0.1 g"));
  return lines;
}

}  // namespace mortise::inspect
