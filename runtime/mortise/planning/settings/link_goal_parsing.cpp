#include "mortise/planning/settings/link_goal_parsing.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/ik/goal_setting.h"
#include "mortise/planning/settings/plan_parsing.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"

namespace mortise {

namespace {

/// Goals from a file.
struct GoalFileSettings {
  PlacedText file;
  Value robot;
  void bind(SettingBinder& b) {
    b.add("file", file, "A file of goals.", {.required = true});
    b.add("robot", robot, "The robot of their links.");
  }
};

RobotGoal linkGoal(const Value& value, const std::vector<int>& robots, const World& world) {
  RobotGoal result;
  const Value* named = value.find("robot");
  if (named != nullptr && !named->isNull()) {
    result.robot = robotNamed(world, named->text(), named->position());
    if (std::find(robots.begin(), robots.end(), result.robot) == robots.end())
      throw Error("robot '" + named->text() + "' is not planned for", named->position());
  } else if (robots.size() == 1) {
    result.robot = robots.front();
  } else {
    throw Error("goal of a link: missing 'robot'", value.position(), "add 'robot: NAME'");
  }
  result.goal = linkGoalFromSetting(value, *world.robots[static_cast<std::size_t>(result.robot)].robot);
  return result;
}

void requireGoal(const RobotGoal& goal, const World& world, const SourcePosition& where) {
  const int links = world.robots[static_cast<std::size_t>(goal.robot)].robot->numLinks();
  for (const int link : {goal.goal.link, goal.goal.destination})
    if (link < -1 || link >= links || (link == -1 && goal.goal.link == -1))
      throw Error("the goal is of link " + std::to_string(link) + ", which robot '" +
                      world.robots[static_cast<std::size_t>(goal.robot)].name + "' does not have",
                  where, "links run from 0 to " + std::to_string(links - 1));
}

}  // namespace

std::vector<RobotGoal> robotGoals(const Value& value, const std::vector<int>& robots, const PlanSources& sources,
                                  Diagnostics& diagnostics) {
  std::vector<RobotGoal> goals;
  const auto add = [&](const std::vector<RobotGoal>& more) { goals.insert(goals.end(), more.begin(), more.end()); };
  if (value.isNull()) return goals;
  if (value.isList()) {
    for (const Value& item : value.items()) add(robotGoals(item, robots, sources, diagnostics));
    return goals;
  }
  if (value.isMap() && !value.contains("file")) return {linkGoal(value, robots, sources.world)};
  GoalFileSettings given;
  int robot = robots.empty() ? -1 : robots.front();
  if (value.isMap()) {
    given = readSettings<GoalFileSettings>(value, "goals from a file");
    if (!given.robot.isNull()) robot = robotNamed(sources.world, given.robot.text(), given.robot.position());
  } else {
    if (value.isString()) given.file = {value.asString(), value.position()};
    if (robots.size() != 1)
      throw Error("missing 'robot' for the goals of '" + value.text() + "'", value.position(),
                  "write {file: " + value.text() + ", robot: NAME}");
  }
  if (std::find(robots.begin(), robots.end(), robot) == robots.end())
    throw Error("pose goals of links need a robot that is planned for", value.position());
  if (given.file.empty())
    throw Error("expected a goal (a map), a list of goals, or a file of goals, found " +
                    std::string(Value::typeName(value.type())),
                value.position(), "write {link: hand, position: [x, y, z]}, or the name of an .ikgoal file");
  const std::string& name = given.file.text;
  const auto kind = sources.loader.contentOf(sources.loader.find(name, sources.referringFile));
  std::vector<IKGoal> found;
  if (kind == FileContent::hold) {
    found.push_back(sources.loader.load<Hold>(name, sources.referringFile, diagnostics).goal);
  } else if (kind == FileContent::stance) {
    const auto stance = sources.loader.load<Stance>(name, sources.referringFile, diagnostics);
    for (const Hold& hold : stance.holds) found.push_back(hold.goal);
  } else {
    found.push_back(sources.loader.load<IKGoal>(name, sources.referringFile, diagnostics));
  }
  for (const IKGoal& goal : found) {
    goals.push_back({robot, goal});
    requireGoal(goals.back(), sources.world, given.file.where);
  }
  return goals;
}

Stance stanceOf(const std::string& name, const PlanSources& sources, Diagnostics& diagnostics) {
  const auto kind = sources.loader.contentOf(sources.loader.find(name, sources.referringFile));
  if (kind == FileContent::hold) return {{sources.loader.load<Hold>(name, sources.referringFile, diagnostics)}};
  return sources.loader.load<Stance>(name, sources.referringFile, diagnostics);
}

}  // namespace mortise
