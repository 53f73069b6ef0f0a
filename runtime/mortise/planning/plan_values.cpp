#include "mortise/planning/plan_values.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/suggest.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/loading/robot_reference.h"
#include "mortise/math/rotation.h"

namespace mortise {

namespace {

/// "robot/link" and "robot[link]" in their two parts; the second is empty where there is none.
std::pair<std::string, std::string> splitLink(const std::string& text) {
  if (const std::size_t slash = text.rfind('/'); slash != std::string::npos)
    return {text.substr(0, slash), text.substr(slash + 1)};
  const std::size_t bracket = text.find('[');
  if (bracket != std::string::npos && text.size() > bracket + 2 && text.back() == ']')
    return {text.substr(0, bracket), text.substr(bracket + 1, text.size() - bracket - 2)};
  return {text, {}};
}

Value textAt(const std::string& text, const SourcePosition& where) {
  Value value = Value::fromText(text);
  value.setPosition(where);
  return value;
}

/// The links that one name or index stands for; a name may hold blanks.
std::vector<int> linksNamed(const Robot& robot, const Value& name) {
  Value list = Value::list();
  list.push_back(name);
  return linksFromSetting(robot, list);
}

bool knows(const Robot& robot, const Value& name) {
  return name.isString() && !findCoordinates(robot, name.asString(), name.position()).empty();
}

int robotNamed(const World& world, const std::string& name, const SourcePosition& where) {
  try {
    return findRobot(world, textAt(name, where));
  } catch (const Error& error) {
    throw Error(error.message(), where, error.hint());
  }
}

}  // namespace

std::vector<int> idsOf(const World& world, const Value& value, int robot) {
  if (value.isInteger()) {
    const std::int64_t id = value.asInteger();
    if (id < 0 || id >= world.numIds())
      throw Error("there is no id " + value.text() + " in the world", value.position(),
                  "ids run from 0 to " + std::to_string(world.numIds() - 1) + "; `mortise world info` lists them");
    const World::Entity entity = world.entity(static_cast<int>(id));
    if (entity.kind != World::Kind::robot) return {static_cast<int>(id)};
    std::vector<int> links;
    for (int i = 0; i < world.robots[static_cast<std::size_t>(entity.index)].robot->numLinks(); ++i)
      links.push_back(world.linkId(entity.index, i));
    return links;
  }
  if (!value.isString())
    throw Error("expected a name or an id, found " + std::string(Value::typeName(value.type())), value.position());
  const std::string& name = value.asString();
  std::vector<std::string> names;
  std::vector<std::vector<int>> matches;
  const auto offer = [&](const std::string& own, std::vector<int> ids) {
    names.push_back(own);
    if (own == name) matches.push_back(std::move(ids));
  };
  for (std::size_t i = 0; i < world.terrains.size(); ++i)
    offer(world.terrains[i].name, {world.terrainId(static_cast<int>(i))});
  for (std::size_t i = 0; i < world.objects.size(); ++i)
    offer(world.objects[i].name, {world.objectId(static_cast<int>(i))});
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    const Robot& model = *world.robots[r].robot;
    std::vector<int> links;
    for (int i = 0; i < model.numLinks(); ++i) links.push_back(world.linkId(static_cast<int>(r), i));
    offer(world.robots[r].name, links);
  }
  if (robot >= 0) {
    const Robot& model = *world.robots[static_cast<std::size_t>(robot)].robot;
    for (int i = 0; i < model.numLinks(); ++i) offer(model.link(i).name, {world.linkId(robot, i)});
  }
  if (matches.size() == 1) return matches.front();
  const auto linkIds = [&](int index, const Value& link) {
    std::vector<int> ids;
    for (const int i : linksNamed(*world.robots[static_cast<std::size_t>(index)].robot, link))
      ids.push_back(world.linkId(index, i));
    return ids;
  };
  if (matches.empty() && robot >= 0 && knows(*world.robots[static_cast<std::size_t>(robot)].robot, value))
    return linkIds(robot, value);  // By its joint or driver.
  if (matches.size() > 1) {
    std::string ids;
    for (const std::vector<int>& match : matches)
      if (!match.empty()) ids += (ids.empty() ? "" : ", ") + std::to_string(match.front());
    throw Error("several things in the world are called '" + name + "'", value.position(), "use one of the ids " + ids);
  }
  const auto [owner, link] = splitLink(name);
  if (!link.empty()) {
    const int index = robotNamed(world, owner, value.position());
    return linkIds(index, textAt(link, value.position()));
  }
  throw Error("nothing in the world is called '" + name + "'", value.position(), suggestFrom(name, names));
}

std::vector<int> planLinks(const World& world, const std::vector<int>& robots, const Value& value) {
  std::vector<int> ids;
  const auto add = [&](int robot, const std::vector<int>& links) {
    for (const int link : links) ids.push_back(world.linkId(robot, link));
  };
  const auto planned = [&](const std::string& name, const SourcePosition& where) {
    const int robot = robotNamed(world, name, where);
    if (std::find(robots.begin(), robots.end(), robot) == robots.end())
      throw Error("robot '" + name + "' is not planned for", where, "name it in 'robots'");
    return robot;
  };
  const auto model = [&](int robot) -> const Robot& { return *world.robots[static_cast<std::size_t>(robot)].robot; };
  if (value.isNull()) return ids;
  if (value.isMap()) {
    for (const Value::Entry& entry : value.entries()) {
      const int robot = planned(entry.key, entry.keyPosition);
      add(robot, linksFromSetting(model(robot), entry.value));
    }
    return ids;
  }
  std::vector<Value> items;
  if (value.isList()) items = value.items();
  if (value.isString()) {
    std::string word;
    for (const char c : value.asString() + " ") {
      if (c != ' ' && c != ',') {
        word += c;
      } else if (!word.empty()) {
        items.push_back(textAt(word, value.position()));
        word.clear();
      }
    }
    // Names may hold blanks.
    if (robots.size() == 1 && knows(model(robots.front()), value)) items.assign(1, value);
  } else if (value.isScalar()) {
    items.push_back(value);
  }
  for (const Value& item : items) {
    const auto [owner, link] = item.isString() ? splitLink(item.asString()) : std::pair<std::string, std::string>();
    const bool own = robots.size() == 1 && (link.empty() || knows(model(robots.front()), item));
    if (own) {
      add(robots.front(), linksNamed(model(robots.front()), item));
    } else if (!link.empty()) {
      const int robot = planned(owner, item.position());
      add(robot, linksNamed(model(robot), textAt(link, item.position())));
    } else {
      throw Error("of which robot is link " + (item.isScalar() ? "'" + item.text() + "'" : "this") + "?",
                  item.position(), "write robot/link, or a map by robot: {left: [wrist], right: [0, 1]}");
    }
  }
  return ids;
}

const Schema& linkGoalSchema() {
  static const Schema schema = [] {
    Schema s;
    s.parameter("robot", ParameterType::any, "Name or id of the robot; may be left out when one robot moves.")
        .parameter("link", ParameterType::any, "Name or index of the link.", {.required = true})
        .parameter("destination", ParameterType::any,
                   "Name or index of the link relative to which the goal is; by default the world.",
                   {.aliases = {"destLink"}})
        .parameter("position", ParameterType::realList, "Where the point is to be, in the destination's frame.",
                   {.unit = "m", .size = 3, .aliases = {"endPosition"}})
        .parameter("local_position", ParameterType::realList, "The point, in the link's frame; by default its origin.",
                   {.unit = "m", .size = 3, .aliases = {"localPosition"}})
        .parameter("plane", ParameterType::realList,
                   "Normal of a plane through `position` in which the point may be, in the destination's frame.",
                   {.size = 3})
        .parameter("line", ParameterType::realList,
                   "Direction of a line through `position` on which the point may be, in the destination's frame.",
                   {.size = 3})
        .parameter(
            "rotation", ParameterType::realList,
            "How the link is to be turned, in the destination's frame: a rotation vector, or the nine numbers of "
            "a matrix, row after row.",
            {.unit = "rad", .aliases = {"endRotation"}})
        .parameter("rpy", ParameterType::realList, "The same as roll, pitch and yaw.", {.unit = "rad", .size = 3})
        .parameter("local_axis", ParameterType::realList, "An axis of the link that is to lie along `axis`.",
                   {.size = 3, .aliases = {"localAxis"}})
        .parameter("axis", ParameterType::realList, "Where that axis is to point, in the destination's frame.",
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
  if (!(v.norm() > 0) || !v.allFinite()) throw Error("a direction needs a length above 0", value.position());
  return v.normalized();
}

void rotationOf(const Value& value, IKGoal& goal) {
  const std::vector<double> v = value.asReals();
  if (v.size() == 3) {
    goal.rotation_D = vectorOf(value);
  } else if (v.size() == 9) {
    Matrix3d R;
    R << v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8];
    if (!((R * R.transpose() - Matrix3d::Identity()).norm() < 1e-3) || R.determinant() < 0)
      throw Error("these nine numbers are no rotation", value.position(),
                  "rows must be of length 1 and at right angles");
    goal.rotation_D = momentFromRotation(orthonormalized(R));
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
    fault("of which robot?", "add 'robot: NAME'");
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
    goal.rotation_D = momentFromRotation(rotationFromRollPitchYaw(vectorOf(complete.at("rpy"))));
  } else if (given("axis")) {
    goal.rotation = IKGoal::Rotation::axis;
    goal.axis_L = directionOf(complete.at("local_axis"));
    goal.rotation_D = directionOf(complete.at("axis"));
  }
  if (goal.position == IKGoal::Position::free && goal.rotation == IKGoal::Rotation::free)
    fault("it asks for nothing", "add 'position', 'rotation' or 'axis'");
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
        .parameter("robot", ParameterType::any, "Whose links they are of.");
    Diagnostics own;
    const Value complete = schema.complete(value, "goals from a file", own);
    own.throwIfErrors();
    if (!complete.at("robot").isNull())
      robot = robotNamed(sources.world, complete.at("robot").text(), complete.at("robot").position());
  } else if (robots.size() != 1) {
    throw Error("of which robot are the goals of '" + value.text() + "'?", value.position(),
                "write {file: " + value.text() + ", robot: NAME}");
  }
  if (std::find(robots.begin(), robots.end(), robot) == robots.end())
    throw Error("goals of links need a robot that is planned for", value.position());
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
