#include "mortise/goals/goal_setting.h"

#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <string>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/configuration_reader.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/configuration/pose_setting.h"
#include "mortise/ik/equations/ik_terms.h"
#include "mortise/math/rotation.h"
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
  Placed<std::vector<double>> quaternion;

  void bind(SettingBinder& b) {
    b.add("robot", robot, "Name or id of the robot; may be left out when one robot moves.");
    b.add("link", link, "Name or index of the link.", {.required = true});
    b.add("destination", destination, "Name or index of the link that the goal is relative to; by default the world.",
          {.aliases = {"destLink"}});
    b.add("position", position, "Goal position of the point, in the destination's frame.",
          {.unit = "m", .aliases = {"endPosition", "translation", "t"}});
    b.add("local_position", localPosition, "The point, in the link's frame; by default its origin.",
          {.unit = "m", .aliases = {"localPosition"}});
    b.add("plane", plane,
          "Normal of a plane through `position` to which the point is constrained, in the destination's frame.");
    b.add("line", line,
          "Direction of a line through `position` to which the point is constrained, in the destination's frame.");
    b.add("rotation", rotation,
          "Goal orientation of the link, in the destination's frame: a rotation vector, or the nine numbers of a "
          "matrix, row after row.",
          {.unit = "rad", .aliases = {"endRotation", "R"}});
    b.add("rpy", rpy, "The same as roll, pitch and yaw.", {.unit = "rad"});
    b.add("quaternion", quaternion, "The same as a quaternion w, x, y, z.", {.size = 4});
    b.add("local_axis", localAxis, "An axis of the link, to be aligned with `axis`.", {.aliases = {"localAxis"}});
    b.add("axis", axis, "Goal direction of that axis, in the destination's frame.");
  }
};

Vector3d vectorOf(const Value& value) {
  const std::vector<double> v = value.asReals();
  return {v[0], v[1], v[2]};
}

Vector3d directionOf(const LinkGoalSettings::Vector& given) {
  if (!(given.value->norm() > 0) || !given.value->allFinite()) throw Error("a direction must not be zero", given.where);
  return given.value->normalized();
}

/// More than a turn without a unit is in degrees, as a rule, and turns the link elsewhere in rad.
void refuseDegrees(const Value& goal, const std::vector<std::string>& names) {
  constexpr double kTurn = 2 * std::numbers::pi;
  for (const std::string& name : names) {
    const Value* angles = goal.find(name);
    if (angles == nullptr || !angles->isList() || angles->size() != 3) continue;
    for (const Value& angle : angles->items())
      if (angle.isNumber() && std::abs(angle.asReal()) > kTurn * (1 + 1e-9) && std::isfinite(angle.asReal()))
        throw Error("'" + name + "' of the goal of a link: " + angle.text() + " without a unit is in rad, which is " +
                        formatReal(std::abs(angle.asReal()) / kTurn, 3) + " turns",
                    angle.position().known() ? angle.position() : goal.position(),
                    "write '" + angle.text() + " deg' for degrees, or '" + angle.text() + " rad'");
  }
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

Matrix3d rotationFromQuaternion(const Placed<std::vector<double>>& given) {
  const std::vector<double>& v = given.value;
  const Eigen::Quaterniond quaternion(v[0], v[1], v[2], v[3]);
  if (!(std::abs(quaternion.norm() - 1) < 1e-2))
    throw Error("these four numbers are no rotation: their squares sum to " + formatReal(quaternion.squaredNorm(), 3),
                given.where, "a quaternion w, x, y, z has length 1");
  return quaternion.normalized().toRotationMatrix();
}

/// A pose as lists of lists: rows of a 4 x 4 or 3 x 4 matrix, or Klamp't's pair of nine numbers, column by column, and
/// three.
Value rowsFromLists(const Value& value) {
  const auto& items = value.items();
  Value list = Value::list();
  list.setPosition(value.position());
  if (items.size() == 2 && items[0].size() == 9 && items[1].size() == 3) {
    for (std::size_t i = 0; i < 9; ++i) list.push_back(items[0][3 * (i % 3) + i / 3].asReal());
    for (std::size_t i = 0; i < 3; ++i) list.push_back(items[1][i].asReal());
    return list;
  }
  for (const Value& row : items)
    if (items.size() < 3 || items.size() > 4 || !row.isList() || row.size() != 4)
      throw Error("these lists are no pose", value.position(),
                  "write 12 numbers, the rotation row by row and then the position; four rows of a matrix; or "
                  "{position: [x, y, z], rpy: [0, 0, 0]}");
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) list.push_back(items[i][j].asReal());
  for (std::size_t i = 0; i < 3; ++i) list.push_back(items[i][3].asReal());
  return list;
}

IKGoal goalFromNumbers(const Value& value, int link) {
  for (const double number : value.asReals())
    if (!std::isfinite(number)) throw Error("a pose must be finite numbers", value.position());
  if (value.size() == 12) return poseGoal(link, SettingType<PoseSetting>::from(value, "pose").X);
  if (value.size() != 3)
    throw Error("a pose has 12 numbers, the rotation row by row and then the position, or 3, the position alone, not " +
                    std::to_string(value.size()),
                value.position());
  IKGoal goal;
  goal.link = link;
  goal.position = IKGoal::Position::point;
  goal.p_DP = vectorOf(value);
  return goal;
}

Value numbersFromText(const std::string& text, const std::string& path) {
  if (text.find_first_of("[{:") != std::string::npos) return parseYaml(text, path);
  std::string line;
  for (const char c : text) line += c == '\n' || c == '\r' ? ' ' : c;
  return configurationFromText(line, path);
}

}  // namespace

IKGoal linkGoalFromSetting(const Value& value, const Robot& robot) {
  const auto given = readSettings<LinkGoalSettings>(value, "goal of a link");
  refuseDegrees(value, {"rpy", "rotation", "endRotation", "R"});
  const auto fault = [&](const std::string& what, const std::string& hint) {
    throw Error("goal of a link: " + what, value.position(), hint);
  };
  IKGoal goal;
  goal.link = linkFromSetting(robot, given.link);
  if (!given.destination.isNull() && given.destination.text() != "world")
    goal.destination = linkFromSetting(robot, given.destination, true);
  if (goal.destination == goal.link) fault("link and destination are the same", "name another link, or the world");
  const bool plane = given.plane.value.has_value(), line = given.line.value.has_value();
  const bool rotation = !given.rotation.value.empty(), rpy = given.rpy.value.has_value();
  const bool quaternion = !given.quaternion.value.empty();
  const bool axis = given.axis.value.has_value();
  if (plane && line) fault("'plane' and 'line' exclude each other", "keep one");
  if (rotation + rpy + quaternion + axis > 1)
    fault("'rotation', 'rpy', 'quaternion' and 'axis' exclude each other", "keep one");
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
  if (rotation || rpy || quaternion) {
    goal.rotation = IKGoal::Rotation::fixed;
    if (rotation)
      rotationOf(given.rotation, goal);
    else if (quaternion)
      goal.rotationVector_DL = momentFromRotation(rotationFromQuaternion(given.quaternion));
    else
      goal.rotationVector_DL = momentFromRotation(rotationFromRollPitchYaw(*given.rpy.value));
  } else if (axis) {
    goal.rotation = IKGoal::Rotation::axis;
    goal.axis_L = directionOf(given.localAxis);
    goal.axis_D = directionOf(given.axis);
  }
  if (goal.position == IKGoal::Position::free && goal.rotation == IKGoal::Rotation::free)
    fault("it constrains nothing", "add 'position', 'rotation' or 'axis'");
  return goal;
}

IKGoal poseGoalFromSetting(const Value& value, const Robot& robot, int link, ResourceLoader& loader,
                           Diagnostics& diagnostics) {
  if (value.isList())
    return goalFromNumbers(value.size() > 0 && value[0].isList() ? rowsFromLists(value) : value, link);
  if (value.isMap()) {
    Value map = value;
    map.set("link", std::int64_t{link}).setPosition(value.position());
    return linkGoalFromSetting(map, robot);
  }
  if (!value.isString()) return goalFromNumbers(value, link);
  const std::string path = loader.find(value.asString(), {});
  const auto kind = loader.contentOf(path);
  if (kind == FileContent::ikGoal) {
    auto goal = loader.load<IKGoal>(value.asString(), {}, diagnostics);
    goal.link = link;
    return goal;
  }
  if (kind == FileContent::transform)
    return poseGoal(link, loader.load<RigidTransform>(value.asString(), {}, diagnostics));
  const Value content = numbersFromText(readFile(path), path);
  if (content.isString())
    throw Error("the file holds no pose", inFile(path),
                "it needs 12 numbers, the rotation row by row and then the position, or a map such as "
                "{position: [x, y, z], rpy: [0, 0, 0]}");
  return poseGoalFromSetting(content, robot, link, loader, diagnostics);
}

}  // namespace mortise
