#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/settings/setting_binder.h"

namespace mortise::controllers {

enum class TaskType { joint, link, com, torque };
enum class LinkControl { position, orientation, pose };

/// A choice among x, y and z.
struct Axes {
  unsigned bits = 7;
  bool has(int axis) const { return (bits >> axis & 1) != 0; }
  int count() const { return static_cast<int>(has(0)) + static_cast<int>(has(1)) + static_cast<int>(has(2)); }
};

/// Nine numbers, the rows of the rotation matrix, or three, axis times angle.
struct TaskOrientation {
  Matrix3d R = Matrix3d::Identity();
};

}  // namespace mortise::controllers

namespace mortise {

template <>
struct SettingType<controllers::Axes> {
  static constexpr ParameterType type = ParameterType::string;
  static constexpr int size = -1;
  static Value value(const controllers::Axes& axes);
  static controllers::Axes from(const Value& value, std::string_view name);
};

template <>
struct SettingType<controllers::TaskOrientation> {
  static constexpr ParameterType type = ParameterType::realList;
  static constexpr int size = -1;
  static Value value(const controllers::TaskOrientation& orientation);
  static controllers::TaskOrientation from(const Value& value, std::string_view name);
};

}  // namespace mortise

namespace mortise::controllers {

/// Settings of a task's entry in a file. What depends on the type is bound for that type only.
struct TaskSettings {
  TaskType type = TaskType::joint;
  std::string name;
  int priority = 1;  ///< 1 comes first.
  double weight = 1;
  bool enabled = true;
  double kP = 100;           ///< 1/s^2
  std::optional<double> kD;  ///< 1/s

  Value links, drivers, link;
  Vector3d point = Vector3d::Zero();  ///< In the link's frame.
  LinkControl control = LinkControl::position;
  Axes axes, rotationAxes;

  /// Joints: one a link; link and center of mass: three, world frame; torque: one a driver.
  VectorXd position, velocity, acceleration, torque;
  std::optional<TaskOrientation> orientation;
  Vector3d angularVelocity = Vector3d::Zero(), angularAcceleration = Vector3d::Zero();

  void bind(SettingBinder& b);
};

std::string_view taskTypeName(TaskType type);
const std::vector<std::string>& taskTypeNames();

/// Says whether the command set_gains sets this.
bool isGain(std::string_view name);

}  // namespace mortise::controllers
