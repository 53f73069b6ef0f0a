#include "mortise/planning/settings/link_goal_parsing.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/math/rotation.h"
#include "mortise/planning/settings/plan_parsing.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"

namespace mortise {

namespace {

/// A pose goal of a link.
struct LinkGoalSettings {
  using Vector = Placed<std::optional<Vector3d>>;
  Value robot, link, destination;
  Vector position, localPosition, plane, line;
  Placed<std::vector<double>> rotation;
  Vector rpy, localAxis, axis;

  void bind(SettingBinder& b) {
    b.add("robot", robot, "Name or id of the robot; may be left out when one robot moves.");
    b.add("link", link, "Name or index of the link.", {.required = true});
    b.add("destination", destination, "Name or index of the link that the goal is relative to; by default the world.",
          {.aliases = {"destLink"}});
    b.add("position", position, "Goal position of the point, in the destination's frame.",
          {.unit = "m", .aliases = {"endPosition"}});
    b.add("local_position", localPosition, "The point, in the link's frame; by default its origin.",
          {.unit = "m", .aliases = {"localPosition"}});
    b.add("plane", plane,
          "Normal of a plane through `position` to which the point is constrained, in the destination's frame.");
    b.add("line", line,
          "Direction of a line through `position` to which the point is constrained, in the destination's frame.");
    b.add("rotation", rotation,
          "Goal orientation of the link, in the destination's frame: a rotation vector, or the nine numbers of a "
          "matrix, row after row.",
          {.unit = "rad", .aliases = {"endRotation"}});
    b.add("rpy", rpy, "The same as roll, pitch and yaw.", {.unit = "rad"});
    b.add("local_axis", localAxis, "An axis of the link, to be aligned with `axis`.", {.aliases = {"localAxis"}});
    b.add("axis", axis, "Goal direction of that axis, in the destination's frame.");
  }
};

/// Goals from a file.
struct GoalFileSettings {
  PlacedText file;
  Value robot;
  void bind(SettingBinder& b) {
    b.add("file", file, "A file of goals.", {.required = true});
    b.add("robot", robot, "The robot of their links.");
  }
};

Vector3d directionOf(const LinkGoalSettings::Vector& given) {
  if (!(given.value->norm() > 0) || !given.value->allFinite()) throw Error("a direction must not be zero", given.where);
  return given.value->normalized();
}

void rotationOf(const Placed<std::vector<double>>& given, IKGoal& goal) {
  const std::vector<double>& v = given.value;
  if (v.size() == 3) {
    goal.rotationVector_DL = {v[0], v[1], v[2]};
  } else if (v.size() == 9) {
    Matrix3d R;
    R << v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8];
    if (!((R * R.transpose() - Matrix3d::Identity()).norm() < 1e-3) || R.determinant() < 0)
      throw Error("these nine numbers are not a rotation", given.where, "rows must be of length 1 and at right angles");
    goal.rotationVector_DL = momentFromRotation(orthonormalized(R));
  } else {
    throw Error("a rotation has 3 numbers (rotation vector) or 9 (matrix), not " + std::to_string(v.size()),
                given.where);
  }
}

int robotOfGoal(const LinkGoalSettings& given, const std::vector<int>& robots, const World& world) {
  const int robot = robotNamed(world, given.robot.text(), given.robot.position());
  if (std::find(robots.begin(), robots.end(), robot) == robots.end())
    throw Error("robot '" + given.robot.text() + "' is not planned for", given.robot.position());
  return robot;
}

RobotGoal linkGoal(const Value& value, const std::vector<int>& robots, const World& world) {
  const auto given = readSettings<LinkGoalSettings>(value, "goal of a link");
  const auto fault = [&](const std::string& what, const std::string& hint) {
    throw Error("goal of a link: " + what, value.position(), hint);
  };
  RobotGoal result;
  if (given.robot.isNull() && robots.size() != 1) fault("missing 'robot'", "add 'robot: NAME'");
  result.robot = given.robot.isNull() ? robots.front() : robotOfGoal(given, robots, world);
  const Robot& robot = *world.robots[static_cast<std::size_t>(result.robot)].robot;
  IKGoal& goal = result.goal;
  goal.link = linkFromSetting(robot, given.link);
  if (!given.destination.isNull() && given.destination.text() != "world")
    goal.destination = linkFromSetting(robot, given.destination, true);
  if (goal.destination == goal.link) fault("link and destination are the same", "name another link, or the world");
  const bool plane = given.plane.value.has_value(), line = given.line.value.has_value();
  const bool rotation = !given.rotation.value.empty(), rpy = given.rpy.value.has_value();
  const bool axis = given.axis.value.has_value();
  if (plane && line) fault("'plane' and 'line' exclude each other", "keep one");
  if (rotation + rpy + axis > 1) fault("'rotation', 'rpy' and 'axis' exclude each other", "keep one");
  if (axis != given.localAxis.value.has_value()) fault("'axis' and 'local_axis' go together", "give both");
  if (given.position.value) {
    goal.position = IKGoal::Position::point;
    goal.p_DP = *given.position.value;
  } else if (plane || line || given.localPosition.value) {
    fault("'plane', 'line' and 'local_position' go with 'position'", "add 'position: [x, y, z]'");
  }
  goal.p_LP = given.localPosition.value.value_or(goal.p_LP);
  if (plane || line) {
    goal.position = plane ? IKGoal::Position::plane : IKGoal::Position::line;
    goal.direction_D = directionOf(plane ? given.plane : given.line);
  }
  if (rotation || rpy) {
    goal.rotation = IKGoal::Rotation::fixed;
    if (rotation)
      rotationOf(given.rotation, goal);
    else
      goal.rotationVector_DL = momentFromRotation(rotationFromRollPitchYaw(*given.rpy.value));
  } else if (axis) {
    goal.rotation = IKGoal::Rotation::axis;
    goal.axis_L = directionOf(given.localAxis);
    goal.axis_D = directionOf(given.axis);
  }
  if (goal.position == IKGoal::Position::free && goal.rotation == IKGoal::Rotation::free)
    fault("it constrains nothing", "add 'position', 'rotation' or 'axis'");
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
