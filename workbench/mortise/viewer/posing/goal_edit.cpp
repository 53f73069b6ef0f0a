#include "mortise/viewer/posing/goal_edit.h"

#include <string>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"

namespace mortise::viewer {

namespace {

Vector3d unit(const Vector3d& v, const char* what) {
  if (!v.allFinite() || !(v.norm() > 1e-9))
    throw Error(std::string(what) + " takes three finite numbers that are not all 0");
  return v.normalized();
}

}  // namespace

IKGoal goalWhereItIs(int link, const GoalShape& shape, const RigidTransform& X_WL, const RigidTransform& X_WD) {
  if (!shape.p_LP.allFinite()) throw Error("the point of a goal takes three finite numbers");
  const RigidTransform X_DL = X_WD.inverse() * X_WL;
  IKGoal goal;
  goal.link = link;
  goal.destination = shape.destination;
  goal.position = shape.position;
  goal.rotation = shape.rotation;
  if (goal.position != IKGoal::Position::free) {
    goal.p_LP = shape.p_LP;
    goal.p_DP = X_DL * shape.p_LP;
  }
  if (goal.position == IKGoal::Position::plane || goal.position == IKGoal::Position::line)
    goal.direction_D = unit(shape.direction_D, "the direction of a plane or line");
  if (goal.rotation == IKGoal::Rotation::fixed) goal.rotationVector_DL = momentFromRotation(X_DL.R);
  if (goal.rotation == IKGoal::Rotation::axis || goal.rotation == IKGoal::Rotation::twoAxis) {
    goal.axis_L = unit(shape.axis_L, "the axis of a goal");
    const Vector3d axis = (X_DL.R * goal.axis_L).normalized();
    // Of two axes that stay at right angles, the other one may be any that is so now.
    goal.axis_D = goal.rotation == IKGoal::Rotation::axis ? axis : axis.unitOrthogonal();
  }
  return goal;
}

GoalShape goalShape(const message::Goal& change, const IKGoal& goal) {
  GoalShape shape;
  shape.position = change.position.value_or(goal.position);
  shape.rotation = change.rotation.value_or(goal.rotation);
  shape.p_LP = change.point.value_or(goal.p_LP);
  shape.direction_D =
      change.direction.value_or(goal.direction_D.isZero(0) ? Vector3d(Vector3d::UnitZ()) : goal.direction_D);
  shape.axis_L = change.axis.value_or(goal.axis_L.isZero(0) ? Vector3d(Vector3d::UnitZ()) : goal.axis_L);
  shape.destination = change.destination.value_or(goal.destination);
  return shape;
}

}  // namespace mortise::viewer
