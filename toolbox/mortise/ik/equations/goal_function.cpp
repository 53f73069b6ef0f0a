#include "mortise/ik/equations/goal_function.h"

#include <cmath>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/ik/equations/rotation_errors.h"
#include "mortise/math/rotation.h"

namespace mortise {

namespace {

int positionEquations(const IKGoal& goal) {
  switch (goal.position) {
    case IKGoal::Position::free:
      return 0;
    case IKGoal::Position::plane:
      return 1;
    case IKGoal::Position::line:
      return 2;
    case IKGoal::Position::point:
      return 3;
  }
  return 0;
}

int rotationEquations(const IKGoal& goal) {
  switch (goal.rotation) {
    case IKGoal::Rotation::free:
      return 0;
    case IKGoal::Rotation::twoAxis:
      return 1;
    case IKGoal::Rotation::axis:
      return 2;
    case IKGoal::Rotation::fixed:
      return 3;
  }
  return 0;
}

}  // namespace

int numEquations(const IKGoal& goal) { return positionEquations(goal) + rotationEquations(goal); }

GoalFunction::GoalFunction(RobotPtr robot, std::vector<IKGoal> goals) : dynamics_(robot), goals_(std::move(goals)) {
  const int n = robot->numLinks();
  for (std::size_t i = 0; i < goals_.size(); ++i) {
    IKGoal& goal = goals_[i];
    const std::string which = "goal " + std::to_string(i);
    if (goal.link < 0 || goal.link >= n || goal.destination < -1 || goal.destination >= n)
      throw Error(which + " names a link that robot '" + robot->name() + "' does not have", {},
                  "links run from 0 to " + std::to_string(n - 1));
    if (goal.destination == goal.link)
      throw Error(which + " places link '" + robot->link(goal.link).name + "' by itself");
    const auto unit = [&](Vector3d& v, const char* what) {
      if (!(v.norm() > 0) || !v.allFinite()) throw Error(which + " has " + what + " without length");
      v.normalize();
    };
    if (goal.position == IKGoal::Position::plane || goal.position == IKGoal::Position::line)
      unit(goal.direction_D, "a direction");
    if (goal.rotation == IKGoal::Rotation::axis || goal.rotation == IKGoal::Rotation::twoAxis) {
      unit(goal.axis_L, "an axis");
      unit(goal.axis_D, "an axis");
    }
    rows_.push_back(size_);
    size_ += numEquations(goal);
  }
  linkJacobian_.resize(6, n);
  destinationJacobian_.resize(6, n);
  relative_.resize(3, n);
}

void GoalFunction::evaluate(const VectorXd& q, VectorXd& r, Eigen::MatrixXd* J) {
  MORTISE_REQUIRE_SIZE(r, size_, "one for each equation");
  if (J != nullptr) MORTISE_REQUIRE_SHAPE(*J, size_, dynamics_.robot().numLinks());
  dynamics_.setPosition(q);
  for (std::size_t i = 0; i < goals_.size(); ++i) {
    position(goals_[i], rows_[i], r, J);
    rotation(goals_[i], rows_[i] + positionEquations(goals_[i]), r, J);
  }
}

void GoalFunction::position(const IKGoal& goal, int row, VectorXd& r, Eigen::MatrixXd* J) {
  const int count = positionEquations(goal);
  if (count == 0) return;
  const RigidTransform X_WD = goal.destination < 0 ? RigidTransform() : dynamics_.X_WL(goal.destination);
  const Vector3d p_W = dynamics_.X_WL(goal.link) * goal.p_LP;
  const Vector3d p_D = X_WD.R.transpose() * (p_W - X_WD.p);
  const Vector3d error = p_D - goal.p_DP;
  Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rows = Matrix3d::Identity();
  if (goal.position == IKGoal::Position::plane) rows.row(0) = goal.direction_D;
  if (goal.position == IKGoal::Position::line) {
    Vector3d u, v;
    perpendicularTo(goal.direction_D, u, v);
    rows.row(0) = u;
    rows.row(1) = v;
  }
  r.segment(row, count) = (rows * error).head(count);
  if (J == nullptr) return;
  dynamics_.jacobian(goal.link, goal.p_LP, linkJacobian_);
  relative_ = linkJacobian_.bottomRows<3>();
  if (goal.destination >= 0) {  // Less the velocity of the point of the destination that is there.
    dynamics_.jacobian(goal.destination, p_D, destinationJacobian_);
    relative_ -= destinationJacobian_.bottomRows<3>();
  }
  J->middleRows(row, count).noalias() = (rows * X_WD.R.transpose()).topRows(count) * relative_;
}

void GoalFunction::rotation(const IKGoal& goal, int row, VectorXd& r, Eigen::MatrixXd* J) {
  const int count = rotationEquations(goal);
  if (count == 0) return;
  const Matrix3d R_WD = goal.destination < 0 ? Matrix3d(Matrix3d::Identity()) : dynamics_.X_WL(goal.destination).R;
  const Matrix3d R_DL = R_WD.transpose() * dynamics_.X_WL(goal.link).R;
  // Rows by which the relative angular velocity, in D, changes the equations.
  Matrix3d rows;
  if (goal.rotation == IKGoal::Rotation::fixed) {
    const Vector3d e = momentFromRotation(R_DL * rotationFromMoment(goal.rotationVector_DL).transpose());
    r.segment<3>(row) = e;
    rows = rotationVectorRate(e);
  } else if (goal.rotation == IKGoal::Rotation::twoAxis) {  // At right angles: the cosine is 0.
    const Vector3d a = R_DL * goal.axis_L;
    r[row] = a.dot(goal.axis_D);
    rows.row(0) = a.cross(goal.axis_D).transpose();
  } else {
    const Vector3d a = R_DL * goal.axis_L, b = goal.axis_D;
    Vector3d u, v;
    perpendicularTo(b, u, v);
    const double sine = std::hypot(u.dot(a), v.dot(a));
    const double angle = std::atan2(sine, b.dot(a));
    // The vector (u.a, v.a) is sin(angle) long and becomes as long as the angle, which grows on to pi.
    double s = 1, slope = 0;  // Its factor, and how that changes with the sine.
    if (sine > 1e-6) s = angle / sine;
    if (angle > 0.5 * std::numbers::pi && sine <= 1e-6) {  // The opposite way: any way back will do.
      r[row] = std::numbers::pi;
      r[row + 1] = 0;
      rows.row(0) = -v.transpose();
      rows.row(1) = u.transpose();
    } else {
      const double x = u.dot(a), y = v.dot(a);
      r[row] = s * x;
      r[row + 1] = s * y;
      const Eigen::RowVector3d dx = a.cross(u).transpose(), dy = a.cross(v).transpose();
      if (sine > 1e-4) {
        // d(angle)/d(sine) is 1 / cos(angle), which turns its sign beyond a right angle along with d(sine).
        const double c = b.dot(a);
        if (std::abs(c) > 1e-9) slope = (1 / c - s) / sine;
      }
      const Eigen::RowVector3d ds = sine > 1e-6 ? Eigen::RowVector3d(slope * (x * dx + y * dy) / sine)
                                                : Eigen::RowVector3d(Eigen::RowVector3d::Zero());
      rows.row(0) = s * dx + x * ds;
      rows.row(1) = s * dy + y * ds;
    }
  }
  if (J == nullptr) return;
  dynamics_.orientationJacobian(goal.link, relative_);
  if (goal.destination >= 0) {
    dynamics_.jacobian(goal.destination, Vector3d::Zero(), destinationJacobian_);
    relative_ -= destinationJacobian_.topRows<3>();
  }
  J->middleRows(row, count).noalias() = (rows * R_WD.transpose()).topRows(count) * relative_;
}

}  // namespace mortise
