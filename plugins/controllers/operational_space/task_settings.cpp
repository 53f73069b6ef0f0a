#include "operational_space/task_settings.h"

#include <Eigen/LU>
#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"

namespace mortise {

using controllers::Axes;
using controllers::TaskOrientation;

Value SettingType<Axes>::value(const Axes& axes) {
  std::string text;
  for (int i = 0; i < 3; ++i)
    if (axes.has(i)) text += "xyz"[i];
  return Value(text);
}

Axes SettingType<Axes>::from(const Value& value, std::string_view) {
  Axes axes{.bits = 0};
  for (const char c : value.asString()) {
    if (c == ' ' || c == ',') continue;
    const auto at = std::string_view("xyz").find(c);
    if (at == std::string_view::npos || axes.has(static_cast<int>(at)))
      throw Error("'" + value.asString() + "' is not a choice of axes", value.position(),
                  "name each axis once, such as xyz, xy or z");
    axes.bits |= 1u << at;
  }
  if (axes.bits == 0) throw Error("no axis is left of the task", value.position(), "name some, such as xy");
  return axes;
}

Value SettingType<TaskOrientation>::value(const TaskOrientation& orientation) {
  Value list = Value::list();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) list.push_back(orientation.R(i, j));
  return list;
}

TaskOrientation SettingType<TaskOrientation>::from(const Value& value, std::string_view name) {
  const std::vector<double> numbers = value.asReals();
  if (numbers.size() == 3) return {rotationFromMoment(Vector3d(numbers[0], numbers[1], numbers[2]))};
  if (numbers.size() != 9)
    throw Error("'" + std::string(name) +
                    "' takes nine numbers, the rows of a rotation matrix, or three, axis times "
                    "angle; not " +
                    std::to_string(numbers.size()),
                value.position());
  const Matrix3d R = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(numbers.data());
  const double error = (R * R.transpose() - Matrix3d::Identity()).cwiseAbs().maxCoeff();
  if (!(error <= 1e-3) || R.determinant() < 0)
    throw Error(
        "'" + std::string(name) + "' is not a rotation matrix", value.position(),
        "its rows are perpendicular, of unit length and right-handed; three numbers stand for axis times angle");
  // What is exact up to rounding stays as it is, so that snapshots return the same bits.
  return {error <= 1e-14 ? R : orthonormalized(R)};
}

namespace controllers {

namespace {

constexpr int kLowestPriority = 100;

/// Targets of a point along the axes of the world.
void bindPoint(SettingBinder& b, TaskSettings& task, const std::string& what) {
  b.add("position", task.position, "Target of " + what + ", world frame; when absent, where it is at the start.",
        {.unit = "m", .size = 3, .changeable = true});
  b.add("velocity", task.velocity, "Of the target, fed forward, world frame; when absent 0.",
        {.unit = "m/s", .size = 3, .changeable = true});
  b.add("acceleration", task.acceleration, "Of the target, fed forward; when absent 0.",
        {.unit = "m/s^2", .size = 3, .changeable = true});
}

void bindJoints(SettingBinder& b, TaskSettings& task) {
  b.add("links", task.links, "Names or indices of links; when absent, all that a driver moves.", {.aliases = {"link"}});
  b.add("position", task.position, "Target of each link, rad or m; when absent, where it is at the start.",
        {.changeable = true});
  b.add("velocity", task.velocity, "Fed forward, rad/s or m/s; when absent 0.", {.changeable = true});
  b.add("acceleration", task.acceleration, "Fed forward, rad/s^2 or m/s^2; when absent 0.", {.changeable = true});
}

void bindLink(SettingBinder& b, TaskSettings& task) {
  b.add("link", task.link, "Name or index of the link.", {.required = true});
  b.add("point", task.point, "The point of the link, in the link's frame.", {.unit = "m"});
  b.choice(
      "control", task.control,
      {{"position", LinkControl::position}, {"orientation", LinkControl::orientation}, {"pose", LinkControl::pose}},
      "What of the link: position (of the point), orientation or pose (both).");
  b.add("axes", task.axes, "Along which axes of the world the position counts.");
  b.add("rotation_axes", task.rotationAxes, "About which axes of the world the orientation counts.",
        {.aliases = {"rotationAxes"}});
  bindPoint(b, task, "the point");
  b.add("orientation", task.orientation,
        "Target: nine numbers, the rows of the rotation matrix, or three, axis times angle; when absent, as at the "
        "start.",
        {.changeable = true});
  b.add("angular_velocity", task.angularVelocity, "Of the target, fed forward, world frame.",
        {.unit = "rad/s", .aliases = {"angularVelocity"}, .changeable = true});
  b.add("angular_acceleration", task.angularAcceleration, "Of the target, fed forward.",
        {.unit = "rad/s^2", .aliases = {"angularAcceleration"}, .changeable = true});
}

}  // namespace

void TaskSettings::bind(SettingBinder& b) {
  b.choice("type", type,
           {{"joint", TaskType::joint}, {"link", TaskType::link}, {"com", TaskType::com}, {"torque", TaskType::torque}},
           "joint, link, com or torque.", {.required = true});
  b.add("name", name, "What commands and channels call the task; empty: its type, numbered if need be.");
  b.add("priority", priority, "1 comes first; tasks of one priority are traded off by their weights.",
        {.min = 1, .max = kLowestPriority, .changeable = true});
  b.add("weight", weight, "Of the squared error within the priority.", {.min = 0, .changeable = true});
  b.add("enabled", enabled, "Whether the task counts.", {.changeable = true});
  if (type != TaskType::torque) {
    b.add("kP", kP, "Acceleration for each unit of error, 1/s^2.", {.min = 0, .changeable = true});
    b.add("kD", kD,
          "Acceleration for each unit of error in velocity, 1/s; when absent 2 sqrt(kP), which damps critically.",
          {.min = 0, .changeable = true});
  }
  switch (type) {
    case TaskType::joint:
      bindJoints(b, *this);
      break;
    case TaskType::link:
      bindLink(b, *this);
      break;
    case TaskType::com:
      b.add("axes", axes, "Along which axes of the world the position counts.");
      bindPoint(b, *this, "the center of mass");
      break;
    case TaskType::torque:
      b.add("drivers", drivers, "Names or indices of drivers; when absent, all.", {.aliases = {"driver"}});
      b.add("torque", torque, "What each of them should give, N*m or N; when absent 0.", {.changeable = true});
      break;
  }
}

const std::vector<std::string>& taskTypeNames() {
  static const std::vector<std::string> names = {"joint", "link", "com", "torque"};
  return names;
}

std::string_view taskTypeName(TaskType type) { return taskTypeNames()[static_cast<std::size_t>(type)]; }

bool isGain(std::string_view name) { return name == "kP" || name == "kD" || name == "weight" || name == "priority"; }

}  // namespace controllers

}  // namespace mortise
