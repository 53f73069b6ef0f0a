// The rows that a task asks of the accelerations.

#include <cmath>
#include <numbers>

#include "mortise/math/constants.h"
#include "mortise/math/rotation.h"
#include "operational_space/task.h"

namespace mortise::controllers {

namespace {

/// Difference of joint positions the short way round, where the joint can turn on and on.
double jointDifference(const Link& link, double wanted, double actual) {
  if (link.motion != LinkMotion::revolute || link.qMax - link.qMin < kTurn) return wanted - actual;
  return std::remainder(wanted - actual, kTurn);
}

/// Writes the rows of a task behind those that a level has.
class RowWriter {
 public:
  RowWriter(OperationalTask& task, ActuatedDynamics& dynamics, TaskRows& work, TaskLevel& level)
      : task_(task), dynamics_(dynamics), robot_(dynamics.robot()), work_(work), level_(level), first_(level.rows) {}

  int rows() const { return rows_; }

  void addJoints(const VectorXd& q, const VectorXd& dq) {
    for (const int link : task_.indices) {
      task_.error[rows_] = jointDifference(robot_.robot().link(link), task_.position[rows_], q[link]);
      if (task_.enabled) {
        const double wanted =
            task_.acceleration[rows_] + task_.kP * task_.error[rows_] + *task_.kD * (task_.velocity[rows_] - dq[link]);
        dynamics_.linkRow(link, wanted, first_ + rows_, level_.A, level_.b);
        level_.length[first_ + rows_] = 0;
      }
      ++rows_;
    }
  }

  void addTorques() {
    // Nothing is measured, so there is no error.
    if (!task_.enabled) return;
    for (const int driver : task_.indices) {
      level_.A.row(first_ + rows_).setZero();
      level_.A(first_ + rows_, driver) = 1;
      level_.b[first_ + rows_] = task_.torque[rows_];
      level_.length[first_ + rows_] = 0;
      ++rows_;
    }
  }

  void addLink() {
    const int link = task_.linkIndex;
    const RigidTransform X_WL = robot_.X_WL(link);
    const Vector3d point = X_WL * task_.point;
    Eigen::Matrix<double, 6, 1> error;
    error << momentFromRotation(task_.orientation->R * X_WL.R.transpose()), task_.position - point;
    double angular = 0, linear = 0;
    if (task_.enabled) {
      robot_.jacobian(link, task_.point, work_.J6);
      work_.wanted = -robot_.pointAcceleration(link, task_.point, work_.zero);
      work_.wanted.head<3>() += task_.angularAcceleration + task_.kP * error.head<3>() +
                                *task_.kD * (task_.angularVelocity - robot_.angularVelocity(link));
      work_.wanted.tail<3>() += task_.acceleration + task_.kP * error.tail<3>() +
                                *task_.kD * (task_.velocity - robot_.pointVelocity(link, task_.point));
      dynamics_.rows(work_.J6, work_.wanted, work_.A, work_.b);
      angular = dynamics_.regularLength(0, true, point);
      linear = dynamics_.regularLength(3, false, point);
    }
    for (int k = 0; k < 3; ++k)
      if (task_.moves(LinkControl::orientation) && task_.rotationAxes.has(k)) take(k, error[k], angular);
    for (int k = 0; k < 3; ++k)
      if (task_.moves(LinkControl::position) && task_.axes.has(k)) take(3 + k, error[3 + k], linear);
  }

  void addCenterOfMass() {
    const Vector3d error = task_.position - robot_.centerOfMass();
    double linear = 0;
    if (task_.enabled) {
      robot_.centerOfMassJacobian(work_.J3);
      work_.wanted.head<3>() = task_.acceleration + task_.kP * error +
                               *task_.kD * (task_.velocity - robot_.centerOfMassVelocity()) -
                               dynamics_.centerOfMassBias();
      dynamics_.rows(work_.J3, work_.wanted.head<3>(), work_.A.topRows(3), work_.b.head(3));
      linear = dynamics_.regularLength(0, false, Vector3d::Zero());
    }
    for (int k = 0; k < 3; ++k)
      if (task_.axes.has(k)) take(k, error[k], linear);
  }

 private:
  /// Takes a row of `work_` over.
  void take(int row, double error, double length) {
    task_.error[rows_] = error;
    if (task_.enabled) {
      const int variables = dynamics_.numVariables();
      level_.A.row(first_ + rows_).head(variables) = work_.A.row(row).head(variables);
      level_.b[first_ + rows_] = work_.b[row];
      level_.length[first_ + rows_] = length;
    }
    ++rows_;
  }

  OperationalTask& task_;
  ActuatedDynamics& dynamics_;
  RobotDynamics& robot_;
  TaskRows& work_;
  TaskLevel& level_;
  const int first_;
  int rows_ = 0;
};

}  // namespace

void addRows(OperationalTask& task, ActuatedDynamics& dynamics, const VectorXd& q, const VectorXd& dq, TaskRows& work,
             TaskLevel& level) {
  const int first = level.rows;
  RowWriter writer(task, dynamics, work, level);
  switch (task.type) {
    case TaskType::joint:
      writer.addJoints(q, dq);
      break;
    case TaskType::torque:
      writer.addTorques();
      break;
    case TaskType::link:
      writer.addLink();
      break;
    case TaskType::com:
      writer.addCenterOfMass();
      break;
  }
  if (!task.enabled) return;
  level.weight.segment(first, writer.rows()).setConstant(task.weight);
  level.rows += writer.rows();
}

}  // namespace mortise::controllers
