// What pages do with goals that hold while a robot is posed.

#include "mortise/base/error.h"
#include "mortise/inspect/values.h"
#include "mortise/viewer/posing/goal_edit.h"
#include "mortise/viewer/posing/message_fields.h"
#include "mortise/viewer/posing/pose_session.h"

namespace mortise::viewer {

namespace {

const char* goalKind(const IKGoal& goal) {
  if (goal.rotation == IKGoal::Rotation::fixed && goal.position == IKGoal::Position::point) return "pose";
  if (goal.rotation == IKGoal::Rotation::free && goal.position == IKGoal::Position::point) return "point";
  if (goal.rotation == IKGoal::Rotation::fixed && goal.position == IKGoal::Position::free) return "rotation";
  return "goal";
}

}  // namespace

Value PoseSession::goalList() {
  Value list = Value::list();
  for (const PinnedGoal& pinned : poser_.document().goals) {
    Value entry = Value::map();
    entry.set("robot", pinned.robot);
    entry.set("link", pinned.goal.link);
    entry.set("kind", goalKind(pinned.goal));
    entry.set("position", positionName(pinned.goal.position));
    entry.set("rotation", rotationName(pinned.goal.rotation));
    entry.set("point", inspect::list(pinned.goal.p_LP));
    const GoalShape shape = goalShapeFrom(Value::map(), pinned.goal);
    entry.set("direction", inspect::list(shape.direction_D));
    entry.set("axis", inspect::list(shape.axis_L));
    entry.set("destination", pinned.goal.destination);
    const RigidTransform X_WL = poser_.linkPose(pinned.robot, pinned.goal.link);
    entry.set("at", inspect::list(X_WL * pinned.goal.p_LP));
    const RigidTransform X_WD =
        pinned.goal.destination >= 0 ? poser_.linkPose(pinned.robot, pinned.goal.destination) : RigidTransform();
    entry.set("target", inspect::list(X_WD * pinned.goal.p_DP));
    list.push_back(std::move(entry));
  }
  return list;
}

void PoseSession::onPin(const Value& message, Value&) {
  const int robot = robotOf(message), link = static_cast<int>(indexFrom(message, "link"));
  const RigidTransform X_WL = poser_.linkPose(robot, link);
  if (!message.contains("point")) {
    poser_.pin({robot, poseGoal(link, X_WL)});
    return;
  }
  IKGoal goal;
  goal.link = link;
  goal.position = IKGoal::Position::point;
  goal.p_LP = pointFrom(message, "point");
  goal.p_DP = X_WL * goal.p_LP;
  poser_.pin({robot, goal});
}

/// Of what kind a goal is, its point, and what it is relative to; it holds where the link is.
void PoseSession::onGoal(const Value& message, Value&) {
  const std::size_t at = indexFrom(message, "goal");
  const std::vector<PinnedGoal>& goals = poser_.document().goals;
  if (at >= goals.size()) throw Error("there is no goal " + std::to_string(at));
  const PinnedGoal& pinned = goals[at];
  const GoalShape shape = goalShapeFrom(message, pinned.goal);
  const RigidTransform X_WD =
      shape.destination >= 0 ? poser_.linkPose(pinned.robot, shape.destination) : RigidTransform();
  poser_.changeGoal(at, goalWhereItIs(pinned.goal.link, shape, poser_.linkPose(pinned.robot, pinned.goal.link), X_WD));
}

void PoseSession::onUnpin(const Value& message, Value&) { poser_.unpin(indexFrom(message, "goal")); }

void PoseSession::onSolve(const Value& message, Value& result) { report(poser_.solve(robotOf(message)), result); }

}  // namespace mortise::viewer
