#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/base/diagnostics.h"
#include "mortise/base/schema.h"
#include "mortise/base/value.h"
#include "mortise/control/actuated_dynamics.h"
#include "mortise/optimization/task_hierarchy.h"

namespace mortise::controllers {

/// One task of an operational space controller: what should accelerate how, from an error, two gains and what is fed
/// forward.
struct OperationalTask {
  enum class Type { joint, link, com, torque };
  enum class Control { position, orientation, pose };
  static constexpr int kLowestPriority = 100;

  Type type = Type::joint;
  std::string name;
  int priority = 1;  ///< 1 comes first.
  double weight = 1;
  double kP = 100, kD = 20;  ///< 1/s^2, 1/s
  bool enabled = true;

  std::vector<int> indices;  ///< Links of a joint task, drivers of a torque task.
  int link = -1;
  Vector3d point = Vector3d::Zero();  ///< In the link's frame.
  Control control = Control::position;
  unsigned axes = 7, rotationAxes = 7;  ///< Bits of x, y, z.

  /// Joints: one a link; links and center of mass: 3, world frame; torque: what each driver should give.
  VectorXd position, velocity, acceleration;
  Matrix3d orientation = Matrix3d::Identity();
  Vector3d angularVelocity = Vector3d::Zero(), angularAcceleration = Vector3d::Zero();

  /// Of every row at the last update, wanted less actual, also of a disabled task: rad, m. None for torques.
  VectorXd error;

  bool moves(Control part) const { return control == Control::pose || control == part; }
  /// Rows while enabled.
  int numRows() const;
};

std::string_view taskTypeName(OperationalTask::Type type);

/// What a task's entry in a file may hold, by its type.
const Schema& taskSchema(OperationalTask::Type type);
/// Reads a list of tasks; problems go to `diagnostics`, all of them. Targets that are not given are those of the state
/// in `dynamics`.
std::vector<OperationalTask> tasksFromSetting(const Value& list, const Robot& robot, const RobotDynamics& dynamics,
                                              const VectorXd& q, Diagnostics& diagnostics);
/// `arguments` of a command with the keys that the task's entry in a file has, in place of their aliases.
Value withTaskKeys(const OperationalTask& task, const Value& arguments);
/// Target keys of `arguments` (checked against the task's own names for them). Velocities and accelerations that are
/// not given become zero. Throws `Error`; the task then is as before.
void setTarget(OperationalTask& task, const Value& arguments);
/// kP, kD, weight, priority.
void setGains(OperationalTask& task, const Value& arguments);
/// As a file could hold it.
Value taskToValue(const OperationalTask& task, const Robot& robot);

/// Workspace of `addRows`, for one robot.
struct TaskRows {
  explicit TaskRows(const Robot& robot)
      : J6(6, robot.numLinks()), J3(3, robot.numLinks()), zero(VectorXd::Zero(robot.numLinks())) {}
  Matrix6X J6;
  Matrix3X J3;
  Eigen::MatrixXd A;  ///< 6 x variables
  VectorXd b = VectorXd::Zero(6);
  Eigen::Matrix<double, 6, 1> wanted = Eigen::Matrix<double, 6, 1>::Zero();
  VectorXd zero;
};

/// Computes the task's error and, when it is enabled, appends its rows to the level.
void addRows(OperationalTask& task, ActuatedDynamics& dynamics, const VectorXd& q, const VectorXd& dq, TaskRows& work,
             TaskLevel& level);

void saveTask(const OperationalTask& task, ByteWriter& out);
/// Throws `Error` for bytes that are not of this task.
void restoreTask(OperationalTask& task, ByteReader& in);

/// The next number. Throws `Error` when it is not finite.
double finiteReal(ByteReader& in);

}  // namespace mortise::controllers
