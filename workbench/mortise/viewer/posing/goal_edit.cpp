#include "mortise/viewer/posing/goal_edit.h"

#include <array>
#include <string>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"
#include "mortise/viewer/posing/message_fields.h"

namespace mortise::viewer {

namespace {

constexpr std::array<const char*, 4> kPositions = {"free", "plane", "line", "point"};
constexpr std::array<const char*, 4> kRotations = {"free", "two_axis", "axis", "fixed"};

int choiceFrom(const Value& message, const char* key, const std::array<const char*, 4>& names) {
  const std::string& wanted = message.at(key).asString();
  for (int i = 0; i < 4; ++i)
    if (wanted == names[static_cast<std::size_t>(i)]) return i;
  std::string all;
  for (const char* name : names) all += (all.empty() ? "" : ", ") + std::string(name);
  throw Error("'" + std::string(key) + "' is not '" + wanted + "'", {}, "it is one of: " + all);
}

Vector3d unit(const Vector3d& v, const char* what) {
  if (!v.allFinite() || !(v.norm() > 1e-9))
    throw Error(std::string(what) + " takes three finite numbers that are not all 0");
  return v.normalized();
}

}  // namespace

const char* positionName(IKGoal::Position position) { return kPositions[static_cast<std::size_t>(position)]; }
const char* rotationName(IKGoal::Rotation rotation) { return kRotations[static_cast<std::size_t>(rotation)]; }

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

GoalShape goalShapeFrom(const Value& message, const IKGoal& goal) {
  GoalShape shape{goal.position, goal.rotation, goal.p_LP, Vector3d::UnitZ(), Vector3d::UnitZ(), goal.destination};
  if (!goal.direction_D.isZero(0)) shape.direction_D = goal.direction_D;
  if (!goal.axis_L.isZero(0)) shape.axis_L = goal.axis_L;
  if (message.contains("position"))
    shape.position = static_cast<IKGoal::Position>(choiceFrom(message, "position", kPositions));
  if (message.contains("rotation"))
    shape.rotation = static_cast<IKGoal::Rotation>(choiceFrom(message, "rotation", kRotations));
  if (message.contains("point")) shape.p_LP = pointFrom(message, "point");
  if (message.contains("direction")) shape.direction_D = pointFrom(message, "direction");
  if (message.contains("axis")) shape.axis_L = pointFrom(message, "axis");
  if (message.contains("destination")) shape.destination = static_cast<int>(message.at("destination").asInteger());
  return shape;
}

}  // namespace mortise::viewer
