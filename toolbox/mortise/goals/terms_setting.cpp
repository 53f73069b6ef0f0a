#include "mortise/goals/terms_setting.h"

#include <array>
#include <cmath>
#include <string>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/configuration_reader.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/contact/hold.h"
#include "mortise/goals/goal_setting.h"

namespace mortise {

namespace {

Vector3d threeNumbers(const Value& value) {
  const std::vector<double> v = value.asReals();
  return {v[0], v[1], v[2]};
}

/// Link and destination, a point of each, and the axis of a link: what all goals between two frames have.
Schema& addFrames(Schema& schema) {
  return schema.parameter("link", ParameterType::any, "Name or index of the link.", {.required = true})
      .parameter("destination", ParameterType::any, "What it is relative to, another link; by default the world.",
                 {.aliases = {"destLink"}})
      .parameter("local_position", ParameterType::realList, "The point, in the link's frame; by default its origin.",
                 {.unit = "m", .size = 3, .aliases = {"localPosition"}});
}

int destinationOf(const Value& complete, const Robot& robot) {
  const Value& value = complete.at("destination");
  if (value.isNull() || value.text() == "world") return -1;
  return linkFromSetting(robot, value, true);
}

Value completed(Schema schema, const Value& map, const char* what) {
  schema
      .parameter("priority", std::int64_t{0}, "0: it holds exactly; higher numbers give way to lower ones.", {.min = 0})
      .parameter("weight", 1.0, "How much its errors count beside others of its priority.", {.min = 0});
  Diagnostics diagnostics;
  Value complete = schema.complete(map, what, diagnostics);
  diagnostics.throwIfErrors();
  return complete;
}

IKTerm termOf(const Value& complete) {
  IKTerm term;
  term.priority = static_cast<int>(complete.at("priority").asInteger());
  term.positionWeight = term.rotationWeight = complete.at("weight").asReal();
  if (!(term.positionWeight > 0))
    throw Error("a goal of weight 0 asks for nothing", complete.at("weight").position(),
                "leave the goal out, or give it a weight above 0");
  return term;
}

/// Numbers and nulls.
std::vector<double> openNumbers(const Value& value, std::size_t minimum, std::size_t maximum, const char* what) {
  const auto& items = value.items();
  if (!value.isList() || items.size() < minimum || items.size() > maximum)
    throw Error(std::string("'") + what + "' takes a list of " + std::to_string(minimum) +
                    (maximum > minimum ? " to " + std::to_string(maximum) : "") + " numbers",
                value.position(), "null stands for what does not count");
  std::vector<double> numbers;
  for (const Value& item : items) numbers.push_back(item.isNull() ? std::nan("") : quantityOf(item, "m"));
  return numbers;
}

IKTerm centerTerm(const Value& map) {
  Schema schema;
  schema.parameter("com", ParameterType::any, "The center of mass in the world; null for axes that do not count.");
  const Value complete = completed(schema, map, "goal of the center of mass");
  const std::vector<double> numbers = openNumbers(complete.at("com"), 2, 3, "com");
  CenterOfMassGoal goal;
  goal.along = {false, false, false};
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (std::isnan(numbers[k])) continue;
    goal.along[k] = true;
    goal.p_W[static_cast<Eigen::Index>(k)] = numbers[k];
  }
  if (goal.along == std::array<bool, 3>{false, false, false})
    throw Error("'com' asks for nothing", complete.at("com").position(), "give at least one axis a number");
  IKTerm term = termOf(complete);
  term.goal = goal;
  return term;
}

void addJointTerms(const Value& map, const Robot& robot, std::vector<IKTerm>& terms) {
  Schema schema;
  schema.parameter("joints", ParameterType::map, "Values by links or drivers.", {.required = true});
  const Value complete = completed(schema, map, "goal of joints");
  const Value& joints = complete.at("joints");
  const VectorXd nothing = VectorXd::Constant(robot.numLinks(), std::nan(""));
  const VectorXd q = ConfigurationReader(robot).fromMap(joints, nothing);
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    if (std::isnan(q[i])) continue;
    IKTerm term = termOf(complete);
    term.goal = CoordinateGoal{static_cast<int>(i), q[i]};
    terms.push_back(term);
  }
}

IKTerm lookAtTerm(const Value& map, const Robot& robot) {
  Schema schema;
  addFrames(schema)
      .parameter("look_at", ParameterType::realList, "The target, in the destination's frame.",
                 {.unit = "m", .size = 3})
      .parameter("local_axis", std::vector<double>{0, 0, 1}, "The axis of the link that points at it.",
                 {.size = 3, .aliases = {"localAxis"}});
  const Value complete = completed(schema, map, "goal of looking at a point");
  LookAtGoal goal;
  goal.link = linkFromSetting(robot, complete.at("link"));
  goal.destination = destinationOf(complete, robot);
  if (!complete.at("local_position").isNull()) goal.p_LP = threeNumbers(complete.at("local_position"));
  goal.axis_L = threeNumbers(complete.at("local_axis"));
  if (!(goal.axis_L.norm() > 0) || !goal.axis_L.allFinite())
    throw Error("'local_axis' has no length", complete.at("local_axis").position(),
                "give three numbers that are not all 0");
  goal.p_DT = threeNumbers(complete.at("look_at"));
  IKTerm term = termOf(complete);
  term.goal = goal;
  return term;
}

IKTerm distanceTerm(const Value& map, const Robot& robot) {
  Schema schema;
  addFrames(schema)
      .parameter("distance", ParameterType::any, "The least and the most distance (m); null: no bound.")
      .parameter("position", std::vector<double>{0, 0, 0}, "The other point, in the destination's frame.",
                 {.unit = "m", .size = 3});
  const Value complete = completed(schema, map, "goal of a distance");
  const std::vector<double> range = openNumbers(complete.at("distance"), 2, 2, "distance");
  DistanceGoal goal;
  goal.link = linkFromSetting(robot, complete.at("link"));
  goal.destination = destinationOf(complete, robot);
  if (!complete.at("local_position").isNull()) goal.p_LP = threeNumbers(complete.at("local_position"));
  goal.p_DP = threeNumbers(complete.at("position"));
  if (!std::isnan(range[0])) goal.low = range[0];
  if (!std::isnan(range[1])) goal.high = range[1];
  if (std::isnan(range[0]) && std::isnan(range[1]))
    throw Error("'distance' asks for nothing", complete.at("distance").position(), "give a least or a most distance");
  if (!(goal.low >= 0) || !(goal.high >= goal.low))
    throw Error("a distance from " + formatReal(goal.low) + " to " + formatReal(goal.high) + " cannot be",
                complete.at("distance").position(), "write the least and then the most, at least 0");
  IKTerm term = termOf(complete);
  term.goal = goal;
  return term;
}

std::vector<Vector3d> pointsOf(const Value& value) {
  if (!value.isList() || value.size() == 0)
    throw Error("expected a list of points, found " + std::string(Value::typeName(value.type())), value.position(),
                "write [[0, 0, 0], [0.1, 0, 0]]");
  std::vector<Vector3d> points;
  for (const Value& item : value.items()) {
    if (!item.isList() || item.size() != 3) throw Error("a point has three numbers", item.position());
    points.push_back(threeNumbers(item));
  }
  return points;
}

IKTerm pointsTerm(const Value& map, const Robot& robot) {
  Schema schema;
  addFrames(schema)
      .parameter("local_points", ParameterType::any, "Points of the link.", {.required = true})
      .parameter("points", ParameterType::any, "Their goal positions, in the destination's frame.", {.required = true});
  const Value complete = completed(schema, map, "goal of points");
  IKTerm term = termOf(complete);
  const int link = linkFromSetting(robot, complete.at("link"));
  const std::vector<Vector3d> local = pointsOf(complete.at("local_points")), points = pointsOf(complete.at("points"));
  try {
    term.goal = pointsGoal(link, local, points, destinationOf(complete, robot));
  } catch (const Error& error) {
    throw Error(error.message(), error.where().known() ? error.where() : complete.at("points").position(),
                error.hint());
  }
  return term;
}

IKTerm poseTerm(const Value& map, const Robot& robot) {
  Value rest = map, extra = Value::map();
  for (const char* key : {"priority", "weight"})
    if (const Value* value = map.find(key)) {
      extra.set(key, *value);
      rest.erase(key);
    }
  IKTerm term = termOf(completed(Schema(), extra, "goal of a link"));
  term.goal = linkGoalFromSetting(rest, robot);
  return term;
}

void addFile(const Value& value, const Robot& robot, ResourceLoader& loader, Diagnostics& diagnostics,
             const std::string& referringFile, std::vector<IKTerm>& terms) {
  const std::string& name = value.asString();
  std::string path;
  const Value content = ikGoalFileContent(value, loader, referringFile, path);
  if (!content.isNull()) {
    const std::vector<IKTerm> more = ikTermsFromSetting(content, robot, loader, diagnostics, path);
    terms.insert(terms.end(), more.begin(), more.end());
    return;
  }
  const auto kind = loader.contentOf(path);
  const auto add = [&](const IKGoal& goal) {
    for (const int link : {goal.link, goal.destination})
      if (link < -1 || link >= robot.numLinks() || goal.link < 0)
        throw Error(
            "the goal is of link " + std::to_string(link) + ", which robot '" + robot.name() + "' does not have",
            inFile(path), "links run from 0 to " + std::to_string(robot.numLinks() - 1));
    terms.push_back({goal});
  };
  if (kind == FileContent::ikGoal) return add(loader.load<IKGoal>(name, referringFile, diagnostics));
  if (kind == FileContent::hold) return add(loader.load<Hold>(name, referringFile, diagnostics).goal);
  for (const Hold& hold : loader.load<Stance>(name, referringFile, diagnostics).holds) add(hold.goal);
}

}  // namespace

std::vector<IKTerm> ikTermsFromSetting(const Value& value, const Robot& robot, ResourceLoader& loader,
                                       Diagnostics& diagnostics, const std::string& referringFile) {
  std::vector<IKTerm> terms;
  if (const Value* named = value.isMap() ? value.find("robot") : nullptr) {
    if (!named->isNull() && named->text() != robot.name())
      throw Error("the goal is of robot '" + named->text() + "', and there is only '" + robot.name() + "' here",
                  named->position(), "leave 'robot' out");
    Value rest = value;
    rest.erase("robot");
    return ikTermsFromSetting(rest, robot, loader, diagnostics, referringFile);
  }
  if (value.isList()) {
    for (const Value& item : value.items()) {
      const std::vector<IKTerm> more = ikTermsFromSetting(item, robot, loader, diagnostics, referringFile);
      terms.insert(terms.end(), more.begin(), more.end());
    }
  } else if (value.isString()) {
    addFile(value, robot, loader, diagnostics, referringFile, terms);
  } else if (!value.isMap()) {
    throw Error("expected a goal (a map), a list of goals, or a file of goals, found " +
                    std::string(Value::typeName(value.type())),
                value.position(), "write {link: hand, position: [x, y, z]}, or the name of an .ikgoal file");
  } else if (value.contains("com")) {
    terms.push_back(centerTerm(value));
  } else if (value.contains("joints")) {
    addJointTerms(value, robot, terms);
  } else if (value.contains("look_at")) {
    terms.push_back(lookAtTerm(value, robot));
  } else if (value.contains("distance")) {
    terms.push_back(distanceTerm(value, robot));
  } else if (value.contains("local_points")) {
    terms.push_back(pointsTerm(value, robot));
  } else {
    terms.push_back(poseTerm(value, robot));
  }
  return terms;
}

Value ikGoalFileContent(const Value& name, ResourceLoader& loader, const std::string& referringFile,
                        std::string& path) {
  try {
    path = loader.find(name.asString(), referringFile);
  } catch (const Error& error) {
    throw Error(error.message(), name.position().known() ? name.position() : error.where(), error.hint());
  }
  const auto kind = loader.contentOf(path);
  if (kind == FileContent::ikGoal || kind == FileContent::hold || kind == FileContent::stance) return {};
  Value content = parseYaml(readFile(path), path);
  if (!content.isMap() && !content.isList())
    throw Error("the file holds no goals", inFile(path), "it needs a goal such as {link: hand, position: [x, y, z]}");
  return content;
}

}  // namespace mortise
