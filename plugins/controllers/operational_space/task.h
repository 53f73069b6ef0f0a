#pragma once

#include <string>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/control/actuated_dynamics.h"
#include "mortise/optimization/task_hierarchy.h"
#include "operational_space/task_settings.h"

namespace mortise::controllers {

/// One task of an operational space controller: what should accelerate how, from an error, two gains and what is fed
/// forward. All targets and gains have values.
struct OperationalTask : TaskSettings {
  std::vector<int> indices;  ///< Links of a joint task, drivers of a torque task.
  int linkIndex = -1;

  /// The error of every row at the last update, wanted less actual, also of a disabled task: rad, m. None for torques.
  VectorXd error;

  bool moves(LinkControl part) const { return control == LinkControl::pose || control == part; }
  /// Rows while enabled.
  int numRows() const;
};

/// Reads a list of tasks; problems go to `diagnostics`, all of them. Targets that are not given are those of the state
/// in `dynamics`.
std::vector<OperationalTask> tasksFromSetting(const Value& list, const Robot& robot, const RobotDynamics& dynamics,
                                              const VectorXd& q, Diagnostics& diagnostics);
/// The settings that can change, those of `set_gains` or those of `set_target`.
std::vector<std::string> changeableKeys(const OperationalTask& task, bool gains);
/// Changes the settings that `arguments` names, except the key "task". Throws `Error`; the task is then as before.
void changeTask(OperationalTask& task, const Value& arguments);
/// The same for targets: velocities and accelerations that are not given become zero.
void setTarget(OperationalTask& task, const Value& arguments);
/// Returns a task as a file could hold it.
Value taskToValue(const OperationalTask& task);

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
