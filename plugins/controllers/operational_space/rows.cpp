// What a task asks of the accelerations.

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

}  // namespace

void addRows(OperationalTask& task, ActuatedDynamics& dynamics, const VectorXd& q, const VectorXd& dq, TaskRows& work,
             TaskLevel& level) {
  RobotDynamics& robot = dynamics.robot();
  const int first = level.rows, variables = dynamics.numVariables();
  int rows = 0;
  // Takes a row of `work` over.
  const auto take = [&](int row, double error, double length) {
    task.error[rows] = error;
    if (task.enabled) {
      level.A.row(first + rows).head(variables) = work.A.row(row).head(variables);
      level.b[first + rows] = work.b[row];
      level.length[first + rows] = length;
    }
    ++rows;
  };
  switch (task.type) {
    case TaskType::joint:
      for (const int link : task.indices) {
        task.error[rows] = jointDifference(robot.robot().link(link), task.position[rows], q[link]);
        if (task.enabled) {
          const double wanted =
              task.acceleration[rows] + task.kP * task.error[rows] + *task.kD * (task.velocity[rows] - dq[link]);
          dynamics.linkRow(link, wanted, first + rows, level.A, level.b);
          level.length[first + rows] = 0;
        }
        ++rows;
      }
      break;
    case TaskType::torque:
      // Nothing is measured, so there is no error.
      if (!task.enabled) break;
      for (const int driver : task.indices) {
        level.A.row(first + rows).setZero();
        level.A(first + rows, driver) = 1;
        level.b[first + rows] = task.torque[rows];
        level.length[first + rows] = 0;
        ++rows;
      }
      break;
    case TaskType::link: {
      const RigidTransform X_WL = robot.X_WL(task.linkIndex);
      const Vector3d point = X_WL * task.point;
      Eigen::Matrix<double, 6, 1> error;
      error << momentFromRotation(task.orientation->R * X_WL.R.transpose()), task.position - point;
      double angular = 0, linear = 0;
      if (task.enabled) {
        robot.jacobian(task.linkIndex, task.point, work.J6);
        work.wanted = -robot.pointAcceleration(task.linkIndex, task.point, work.zero);
        work.wanted.head<3>() += task.angularAcceleration + task.kP * error.head<3>() +
                                 *task.kD * (task.angularVelocity - robot.angularVelocity(task.linkIndex));
        work.wanted.tail<3>() += task.acceleration + task.kP * error.tail<3>() +
                                 *task.kD * (task.velocity - robot.pointVelocity(task.linkIndex, task.point));
        dynamics.rows(work.J6, work.wanted, work.A, work.b);
        angular = dynamics.regularLength(0, true, point);
        linear = dynamics.regularLength(3, false, point);
      }
      for (int k = 0; k < 3; ++k)
        if (task.moves(LinkControl::orientation) && task.rotationAxes.has(k)) take(k, error[k], angular);
      for (int k = 0; k < 3; ++k)
        if (task.moves(LinkControl::position) && task.axes.has(k)) take(3 + k, error[3 + k], linear);
      break;
    }
    case TaskType::com: {
      const Vector3d error = task.position - robot.centerOfMass();
      double linear = 0;
      if (task.enabled) {
        robot.centerOfMassJacobian(work.J3);
        work.wanted.head<3>() = task.acceleration + task.kP * error +
                                *task.kD * (task.velocity - robot.centerOfMassVelocity()) - dynamics.centerOfMassBias();
        dynamics.rows(work.J3, work.wanted.head<3>(), work.A.topRows(3), work.b.head(3));
        linear = dynamics.regularLength(0, false, Vector3d::Zero());
      }
      for (int k = 0; k < 3; ++k)
        if (task.axes.has(k)) take(k, error[k], linear);
      break;
    }
  }
  if (!task.enabled) return;
  level.weight.segment(first, rows).setConstant(task.weight);
  level.rows += rows;
}

}  // namespace mortise::controllers
