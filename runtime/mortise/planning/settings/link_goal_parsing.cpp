#include "mortise/planning/settings/link_goal_parsing.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/math/rotation.h"
#include "mortise/planning/settings/plan_parsing.h"

namespace mortise {

const Schema& linkGoalSchema() {
  static const Schema schema = [] {
    Schema s;
    s.parameter("robot", ParameterType::any, "Name or id of the robot; may be left out when one robot moves.")
        .parameter("link", ParameterType::any, "Name or index of the link.", {.required = true})
        .parameter("destination", ParameterType::any,
                   "Name or index of the link that the goal is relative to; by default the world.",
                   {.aliases = {"destLink"}})
        .parameter("position", ParameterType::realList, "Goal position of the point, in the destination's frame.",
                   {.unit = "m", .size = 3, .aliases = {"endPosition"}})
        .parameter("local_position", ParameterType::realList, "The point, in the link's frame; by default its origin.",
                   {.unit = "m", .size = 3, .aliases = {"localPosition"}})
        .parameter(
            "plane", ParameterType::realList,
            "Normal of a plane through `position` to which the point is constrained, in the destination's frame.",
            {.size = 3})
        .parameter(
            "line", ParameterType::realList,
            "Direction of a line through `position` to which the point is constrained, in the destination's frame.",
            {.size = 3})
        .parameter(
            "rotation", ParameterType::realList,
            "Goal orientation of the link, in the destination's frame: a rotation vector, or the nine numbers of a "
            "matrix, row after row.",
            {.unit = "rad", .aliases = {"endRotation"}})
        .parameter("rpy", ParameterType::realList, "The same as roll, pitch and yaw.", {.unit = "rad", .size = 3})
        .parameter("local_axis", ParameterType::realList, "An axis of the link, to be aligned with `axis`.",
                   {.size = 3, .aliases = {"localAxis"}})
        .parameter("axis", ParameterType::realList, "Goal direction of that axis, in the destination's frame.",
                   {.size = 3});
    return s;
  }();
  return schema;
}

namespace {

Vector3d vectorOf(const Value& value) {
  const std::vector<double> v = value.asReals();
  return {v[0], v[1], v[2]};
}

Vector3d directionOf(const Value& value) {
  const Vector3d v = vectorOf(value);
  if (!(v.norm() > 0) || !v.allFinite()) throw Error("a direction must not be zero", value.position());
  return v.normalized();
}

void rotationOf(const Value& value, IKGoal& goal) {
  const std::vector<double> v = value.asReals();
  if (v.size() == 3) {
    goal.rotationVector_DL = vectorOf(value);
  } else if (v.size() == 9) {
    Matrix3d R;
    R << v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8];
    if (!((R * R.transpose() - Matrix3d::Identity()).norm() < 1e-3) || R.determinant() < 0)
      throw Error("these nine numbers are not a rotation", value.position(),
                  "rows must be of length 1 and at right angles");
    goal.rotationVector_DL = momentFromRotation(orthonormalized(R));
  } else {
    throw Error("a rotation has 3 numbers (rotation vector) or 9 (matrix), not " + std::to_string(v.size()),
                value.position());
  }
}

RobotGoal linkGoal(const Value& value, const std::vector<int>& robots, const World& world) {
  Diagnostics diagnostics;
  const Value complete = linkGoalSchema().complete(value, "goal of a link", diagnostics);
  diagnostics.throwIfErrors();
  const auto given = [&](const char* key) { return !complete.at(key).isNull(); };
  const auto fault = [&](const std::string& what, const std::string& hint) {
    throw Error("goal of a link: " + what, value.position(), hint);
  };
  RobotGoal result;
  if (given("robot")) {
    result.robot = robotNamed(world, complete.at("robot").text(), complete.at("robot").position());
    if (std::find(robots.begin(), robots.end(), result.robot) == robots.end())
      throw Error("robot '" + complete.at("robot").text() + "' is not planned for", complete.at("robot").position());
  } else if (robots.size() == 1) {
    result.robot = robots.front();
  } else {
    fault("missing 'robot'", "add 'robot: NAME'");
  }
  const Robot& robot = *world.robots[static_cast<std::size_t>(result.robot)].robot;
  IKGoal& goal = result.goal;
  goal.link = linkFromSetting(robot, complete.at("link"));
  if (given("destination") && complete.at("destination").text() != "world")
    goal.destination = linkFromSetting(robot, complete.at("destination"), true);
  if (goal.destination == goal.link) fault("link and destination are the same", "name another link, or the world");
  if (given("plane") && given("line")) fault("'plane' and 'line' exclude each other", "keep one");
  if (given("rotation") + given("rpy") + given("axis") > 1)
    fault("'rotation', 'rpy' and 'axis' exclude each other", "keep one");
  if (given("axis") != given("local_axis")) fault("'axis' and 'local_axis' go together", "give both");
  if (given("position")) {
    goal.position = IKGoal::Position::point;
    goal.p_DP = vectorOf(complete.at("position"));
  } else if (given("plane") || given("line") || given("local_position")) {
    fault("'plane', 'line' and 'local_position' go with 'position'", "add 'position: [x, y, z]'");
  }
  if (given("local_position")) goal.p_LP = vectorOf(complete.at("local_position"));
  for (const char* key : {"plane", "line"})
    if (given(key)) {
      goal.position = key[0] == 'p' ? IKGoal::Position::plane : IKGoal::Position::line;
      goal.direction_D = directionOf(complete.at(key));
    }
  if (given("rotation")) {
    goal.rotation = IKGoal::Rotation::fixed;
    rotationOf(complete.at("rotation"), goal);
  } else if (given("rpy")) {
    goal.rotation = IKGoal::Rotation::fixed;
    goal.rotationVector_DL = momentFromRotation(rotationFromRollPitchYaw(vectorOf(complete.at("rpy"))));
  } else if (given("axis")) {
    goal.rotation = IKGoal::Rotation::axis;
    goal.axis_L = directionOf(complete.at("local_axis"));
    goal.axis_D = directionOf(complete.at("axis"));
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
  const Value* file = value.isMap() ? &value.at("file") : &value;
  int robot = robots.empty() ? -1 : robots.front();
  if (value.isMap()) {
    Schema schema;
    schema.parameter("file", ParameterType::string, "A file of goals.", {.required = true})
        .parameter("robot", ParameterType::any, "The robot of their links.");
    Diagnostics own;
    const Value complete = schema.complete(value, "goals from a file", own);
    own.throwIfErrors();
    if (!complete.at("robot").isNull())
      robot = robotNamed(sources.world, complete.at("robot").text(), complete.at("robot").position());
  } else if (robots.size() != 1) {
    throw Error("missing 'robot' for the goals of '" + value.text() + "'", value.position(),
                "write {file: " + value.text() + ", robot: NAME}");
  }
  if (std::find(robots.begin(), robots.end(), robot) == robots.end())
    throw Error("pose goals of links need a robot that is planned for", value.position());
  if (!file->isString())
    throw Error("expected a goal (a map), a list of goals, or a file of goals, found " +
                    std::string(Value::typeName(file->type())),
                file->position(), "write {link: hand, position: [x, y, z]}, or the name of an .ikgoal file");
  const std::string& name = file->asString();
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
    requireGoal(goals.back(), sources.world, file->position());
  }
  return goals;
}

Stance stanceOf(const Value& value, const PlanSources& sources, Diagnostics& diagnostics) {
  if (!value.isString())
    throw Error("expected the name of a .stance file, found " + std::string(Value::typeName(value.type())),
                value.position());
  const std::string& name = value.asString();
  const auto kind = sources.loader.contentOf(sources.loader.find(name, sources.referringFile));
  if (kind == FileContent::hold) return {{sources.loader.load<Hold>(name, sources.referringFile, diagnostics)}};
  return sources.loader.load<Stance>(name, sources.referringFile, diagnostics);
}

}  // namespace mortise
