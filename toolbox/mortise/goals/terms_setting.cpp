#include "mortise/goals/terms_setting.h"

#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/configuration_reader.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/contact/hold.h"
#include "mortise/goals/goal_setting.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"

namespace mortise {

namespace {

/// Settings of every goal.
struct GoalSettings {
  int priority = 0;
  Placed<double> weight = {1, {}};

  void bind(SettingBinder& b) {
    b.add("priority", priority, "0: it holds exactly; higher numbers give way to lower ones.", {.min = 0});
    b.add("weight", weight, "How much its errors count beside others of its priority.", {.min = 0});
  }
};

/// Link and destination, and a point of the link: settings of goals between two frames.
struct FrameGoalSettings : GoalSettings {
  Value link, destination;
  std::optional<Vector3d> localPosition;

  void bind(SettingBinder& b) {
    b.add("link", link, "Name or index of the link.", {.required = true});
    b.add("destination", destination, "What it is relative to, another link; by default the world.",
          {.aliases = {"destLink"}});
    b.add("local_position", localPosition, "The point, in the link's frame; by default its origin.",
          {.unit = "m", .aliases = {"localPosition"}});
  }
  int linkOf(const Robot& robot) const { return linkFromSetting(robot, link); }
  int destinationOf(const Robot& robot) const {
    if (destination.isNull() || destination.text() == "world") return -1;
    return linkFromSetting(robot, destination, true);
  }
};

struct AimSettings : FrameGoalSettings {
  Vector3d lookAt = Vector3d::Zero();
  Placed<Vector3d> localAxis = {Vector3d(0, 0, 1), {}};

  void bind(SettingBinder& b) {
    FrameGoalSettings::bind(b);
    b.add("look_at", lookAt, "The target, in the destination's frame.", {.unit = "m", .required = true});
    b.add("local_axis", localAxis, "The axis of the link that points at it.", {.aliases = {"localAxis"}});
    GoalSettings::bind(b);
  }
};

struct CenterSettings : GoalSettings {
  Value com;

  void bind(SettingBinder& b) {
    b.add("com", com, "The center of mass in the world; null for axes that do not count.");
    GoalSettings::bind(b);
  }
};

struct JointSettings : GoalSettings {
  Value joints;

  void bind(SettingBinder& b) {
    b.map("joints", joints, "Values by links or drivers.", {.required = true});
    GoalSettings::bind(b);
  }
};

struct DistanceSettings : FrameGoalSettings {
  Value distance;
  Vector3d position = Vector3d::Zero();

  void bind(SettingBinder& b) {
    FrameGoalSettings::bind(b);
    b.add("distance", distance, "The minimum and the maximum distance (m); null: no bound.");
    b.add("position", position, "The other point, in the destination's frame.", {.unit = "m"});
    GoalSettings::bind(b);
  }
};

struct PointsSettings : FrameGoalSettings {
  Value localPoints, points;

  void bind(SettingBinder& b) {
    FrameGoalSettings::bind(b);
    b.add("local_points", localPoints, "Points of the link.", {.required = true});
    b.add("points", points, "Their goal positions, in the destination's frame.", {.required = true});
    GoalSettings::bind(b);
  }
};

IKTerm termOf(const GoalSettings& given) {
  IKTerm term;
  term.priority = given.priority;
  term.positionWeight = term.rotationWeight = given.weight.value;
  if (!(term.positionWeight > 0))
    throw Error("a goal of weight 0 has no effect", given.weight.where,
                "leave the goal out, or give it a weight above 0");
  return term;
}

/// Returns the numbers of a list, NaN for null.
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

void addCenter(const Value& map, const Robot&, std::vector<IKTerm>& terms) {
  const auto given = readSettings<CenterSettings>(map, "goal of the center of mass");
  const std::vector<double> numbers = openNumbers(given.com, 2, 3, "com");
  CenterOfMassGoal goal;
  goal.along = {false, false, false};
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (std::isnan(numbers[k])) continue;
    goal.along[k] = true;
    goal.p_W[static_cast<Eigen::Index>(k)] = numbers[k];
  }
  if (goal.along == std::array<bool, 3>{false, false, false})
    throw Error("'com' has no number: it asks for nothing", given.com.position(), "give at least one axis a number");
  IKTerm term = termOf(given);
  term.goal = goal;
  terms.push_back(term);
}

void addJoints(const Value& map, const Robot& robot, std::vector<IKTerm>& terms) {
  const auto given = readSettings<JointSettings>(map, "goal of joints");
  const VectorXd nothing = VectorXd::Constant(robot.numLinks(), std::nan(""));
  const VectorXd q = ConfigurationReader(robot).fromMap(given.joints, nothing);
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    if (std::isnan(q[i])) continue;
    IKTerm term = termOf(given);
    term.goal = CoordinateGoal{static_cast<int>(i), q[i]};
    terms.push_back(term);
  }
}

void addAim(const Value& map, const Robot& robot, std::vector<IKTerm>& terms) {
  const auto given = readSettings<AimSettings>(map, "goal of looking at a point");
  LookAtGoal goal;
  goal.link = given.linkOf(robot);
  goal.destination = given.destinationOf(robot);
  goal.p_LP = given.localPosition.value_or(goal.p_LP);
  goal.axis_L = given.localAxis.value;
  if (!(goal.axis_L.norm() > 0) || !goal.axis_L.allFinite())
    throw Error("'local_axis' has no length", given.localAxis.where, "give three numbers that are not all 0");
  goal.p_DT = given.lookAt;
  IKTerm term = termOf(given);
  term.goal = goal;
  terms.push_back(term);
}

void addDistance(const Value& map, const Robot& robot, std::vector<IKTerm>& terms) {
  const auto given = readSettings<DistanceSettings>(map, "goal of a distance");
  const SourcePosition where = given.distance.position();
  const std::vector<double> range = openNumbers(given.distance, 2, 2, "distance");
  DistanceGoal goal;
  goal.link = given.linkOf(robot);
  goal.destination = given.destinationOf(robot);
  goal.p_LP = given.localPosition.value_or(goal.p_LP);
  goal.p_DP = given.position;
  if (!std::isnan(range[0])) goal.low = range[0];
  if (!std::isnan(range[1])) goal.high = range[1];
  if (std::isnan(range[0]) && std::isnan(range[1]))
    throw Error("'distance' has no bound: it asks for nothing", where, "give a minimum or a maximum");
  if (!(goal.low >= 0) || !(goal.high >= goal.low))
    throw Error("a distance from " + formatReal(goal.low) + " to " + formatReal(goal.high) + " cannot be", where,
                "write the minimum, which is at least 0, and then the maximum");
  IKTerm term = termOf(given);
  term.goal = goal;
  terms.push_back(term);
}

std::vector<Vector3d> pointsOf(const Value& value) {
  if (!value.isList() || value.size() == 0)
    throw Error("expected a list of points, found " + std::string(Value::typeName(value.type())), value.position(),
                "write [[0, 0, 0], [0.1, 0, 0]]");
  std::vector<Vector3d> points;
  for (const Value& item : value.items()) {
    if (!item.isList() || item.size() != 3) throw Error("a point has three numbers", item.position());
    const std::vector<double> numbers = item.asReals();
    points.emplace_back(numbers[0], numbers[1], numbers[2]);
  }
  return points;
}

void addPoints(const Value& map, const Robot& robot, std::vector<IKTerm>& terms) {
  const auto given = readSettings<PointsSettings>(map, "goal of points");
  IKTerm term = termOf(given);
  const int link = given.linkOf(robot);
  const std::vector<Vector3d> local = pointsOf(given.localPoints), points = pointsOf(given.points);
  try {
    term.goal = pointsGoal(link, local, points, given.destinationOf(robot));
  } catch (const Error& error) {
    throw Error(error.message(), error.where().known() ? error.where() : given.points.position(), error.hint());
  }
  terms.push_back(term);
}

void addPose(const Value& map, const Robot& robot, std::vector<IKTerm>& terms) {
  Value rest = map, more = Value::map();
  const Schema schema = schemaOf<GoalSettings>();
  for (const Parameter& parameter : schema.parameters())
    if (const Value* value = map.find(parameter.name)) {
      more.set(parameter.name, *value);
      rest.erase(parameter.name);
    }
  IKTerm term = termOf(readSettings<GoalSettings>(more, "goal of a link"));
  term.goal = linkGoalFromSetting(rest, robot);
  terms.push_back(term);
}

using Reader = void (*)(const Value& map, const Robot& robot, std::vector<IKTerm>& terms);

template <typename S>
IKGoalKind kindOf(const char* key) {
  return {key, schemaOf<S>()};
}

/// Readers of `ikGoalKinds`, in their order.
constexpr Reader kReaders[] = {addAim, addCenter, addJoints, addDistance, addPoints};

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

const std::vector<IKGoalKind>& ikGoalKinds() {
  static const std::vector<IKGoalKind> kinds = {kindOf<AimSettings>("look_at"), kindOf<CenterSettings>("com"),
                                                kindOf<JointSettings>("joints"), kindOf<DistanceSettings>("distance"),
                                                kindOf<PointsSettings>("local_points")};
  return kinds;
}

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
  } else {
    Reader read = addPose;
    const std::vector<IKGoalKind>& kinds = ikGoalKinds();
    for (std::size_t i = kinds.size(); i-- > 0;)
      if (value.contains(kinds[i].key)) read = kReaders[i];
    read(value, robot, terms);
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
