// What a task asks of the accelerations, and its bytes in a snapshot.

#include <cmath>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/math/constants.h"
#include "mortise/math/rotation.h"
#include "operational_space/task.h"

namespace mortise::controllers {

using Type = OperationalTask::Type;
using Control = OperationalTask::Control;

namespace {

/// Difference of joint positions the short way round, where the joint can turn on and on.
double jointDifference(const Link& link, double wanted, double actual) {
  if (link.motion != LinkMotion::revolute || link.qMax - link.qMin < kTurn) return wanted - actual;
  return std::remainder(wanted - actual, kTurn);
}

}  // namespace

double finiteReal(ByteReader& in) {
  const double value = in.get<double>();
  if (!std::isfinite(value)) throw Error("the snapshot of the controller has a number that is not finite");
  return value;
}

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
    case Type::joint:
      for (const int link : task.indices) {
        task.error[rows] = jointDifference(robot.robot().link(link), task.position[rows], q[link]);
        if (task.enabled) {
          const double wanted =
              task.acceleration[rows] + task.kP * task.error[rows] + task.kD * (task.velocity[rows] - dq[link]);
          dynamics.linkRow(link, wanted, first + rows, level.A, level.b);
          level.length[first + rows] = 0;
        }
        ++rows;
      }
      break;
    case Type::torque:
      // Nothing is measured, so there is no error.
      if (!task.enabled) break;
      for (const int driver : task.indices) {
        level.A.row(first + rows).setZero();
        level.A(first + rows, driver) = 1;
        level.b[first + rows] = task.position[rows];
        level.length[first + rows] = 0;
        ++rows;
      }
      break;
    case Type::link: {
      const RigidTransform X_WL = robot.X_WL(task.link);
      const Vector3d point = X_WL * task.point;
      Eigen::Matrix<double, 6, 1> error;
      error << momentFromRotation(task.orientation * X_WL.R.transpose()), task.position - point;
      double angular = 0, linear = 0;
      if (task.enabled) {
        robot.jacobian(task.link, task.point, work.J6);
        work.wanted = -robot.pointAcceleration(task.link, task.point, work.zero);
        work.wanted.head<3>() += task.angularAcceleration + task.kP * error.head<3>() +
                                 task.kD * (task.angularVelocity - robot.angularVelocity(task.link));
        work.wanted.tail<3>() += task.acceleration + task.kP * error.tail<3>() +
                                 task.kD * (task.velocity - robot.pointVelocity(task.link, task.point));
        dynamics.rows(work.J6, work.wanted, work.A, work.b);
        angular = dynamics.regularLength(0, true, point);
        linear = dynamics.regularLength(3, false, point);
      }
      for (int k = 0; k < 3; ++k)
        if (task.moves(Control::orientation) && (task.rotationAxes >> k & 1) != 0) take(k, error[k], angular);
      for (int k = 0; k < 3; ++k)
        if (task.moves(Control::position) && (task.axes >> k & 1) != 0) take(3 + k, error[3 + k], linear);
      break;
    }
    case Type::com: {
      const Vector3d error = task.position - robot.centerOfMass();
      double linear = 0;
      if (task.enabled) {
        robot.centerOfMassJacobian(work.J3);
        work.wanted.head<3>() = task.acceleration + task.kP * error +
                                task.kD * (task.velocity - robot.centerOfMassVelocity()) - dynamics.centerOfMassBias();
        dynamics.rows(work.J3, work.wanted.head<3>(), work.A.topRows(3), work.b.head(3));
        linear = dynamics.regularLength(0, false, Vector3d::Zero());
      }
      for (int k = 0; k < 3; ++k)
        if ((task.axes >> k & 1) != 0) take(k, error[k], linear);
      break;
    }
  }
  if (!task.enabled) return;
  level.weight.segment(first, rows).setConstant(task.weight);
  level.rows += rows;
}

namespace {

/// Calls `each` for every number of a task that can change.
template <typename Task, typename Each>
void forNumbers(Task& task, Each each) {
  for (auto* number : {&task.weight, &task.kP, &task.kD}) each(*number);
  for (auto* v : {&task.position, &task.velocity, &task.acceleration, &task.error})
    for (Eigen::Index i = 0; i < v->size(); ++i) each((*v)[i]);
  for (int i = 0; i < 9; ++i) each(task.orientation(i / 3, i % 3));
  for (auto* v : {&task.angularVelocity, &task.angularAcceleration})
    for (int i = 0; i < 3; ++i) each((*v)[i]);
}

}  // namespace

void saveTask(const OperationalTask& task, ByteWriter& out) {
  out.put(std::string_view(task.name));
  out.put(static_cast<std::int32_t>(task.priority));
  out.put(static_cast<std::uint8_t>(task.enabled));
  out.put(static_cast<std::uint64_t>(task.position.size()));
  forNumbers(task, [&](double number) { out.put(number); });
}

void restoreTask(OperationalTask& task, ByteReader& in) {
  if (in.getString() != task.name)
    throw Error("the snapshot of the controller has other tasks than '" + task.name + "'");
  const auto priority = in.get<std::int32_t>();
  const auto enabled = in.get<std::uint8_t>();
  if (priority < 1 || priority > OperationalTask::kLowestPriority || enabled > 1 ||
      in.get<std::uint64_t>() != static_cast<std::uint64_t>(task.position.size()))
    throw Error("the snapshot of task '" + task.name + "' is damaged");
  task.priority = priority;
  task.enabled = enabled == 1;
  forNumbers(task, [&](double& number) { number = finiteReal(in); });
  if (!(task.weight >= 0 && task.kP >= 0 && task.kD >= 0) ||
      (task.orientation * task.orientation.transpose() - Matrix3d::Identity()).cwiseAbs().maxCoeff() > 1e-3)
    throw Error("the snapshot of task '" + task.name + "' is damaged");
}

}  // namespace mortise::controllers
