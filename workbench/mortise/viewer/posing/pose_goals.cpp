// Requests of pages about goals that hold while a robot is posed.

#include "mortise/base/error.h"
#include "mortise/viewer/posing/goal_edit.h"
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

std::vector<message::PosedGoal> PoseSession::goalList() {
  std::vector<message::PosedGoal> list;
  for (const PinnedGoal& pinned : poser_.document().goals) {
    message::PosedGoal& entry = list.emplace_back();
    const GoalShape shape = goalShape({}, pinned.goal);
    entry.robot = pinned.robot;
    entry.link = pinned.goal.link;
    entry.kind = goalKind(pinned.goal);
    entry.position = pinned.goal.position;
    entry.rotation = pinned.goal.rotation;
    entry.point = pinned.goal.p_LP;
    entry.direction = shape.direction_D;
    entry.axis = shape.axis_L;
    entry.destination = pinned.goal.destination;
    entry.at = poser_.linkPose(pinned.robot, pinned.goal.link) * pinned.goal.p_LP;
    const RigidTransform X_WD =
        pinned.goal.destination >= 0 ? poser_.linkPose(pinned.robot, pinned.goal.destination) : RigidTransform();
    entry.target = X_WD * pinned.goal.p_DP;
  }
  return list;
}

void PoseSession::on(const message::Pin& m, Turn& turn) {
  const RigidTransform X_WL = poser_.linkPose(turn.robot, m.link);
  if (!m.point) {
    poser_.pin({turn.robot, poseGoal(m.link, X_WL)});
    return;
  }
  IKGoal goal;
  goal.link = m.link;
  goal.position = IKGoal::Position::point;
  goal.p_LP = *m.point;
  goal.p_DP = X_WL * goal.p_LP;
  poser_.pin({turn.robot, goal});
}

/// Changes the kind of a goal, its point, and what it is relative to; it holds where the link is.
void PoseSession::on(const message::Goal& m, Turn&) {
  const auto at = static_cast<std::size_t>(m.goal);
  const std::vector<PinnedGoal>& goals = poser_.document().goals;
  if (at >= goals.size()) throw Error("there is no goal " + std::to_string(at));
  const PinnedGoal& pinned = goals[at];
  const GoalShape shape = goalShape(m, pinned.goal);
  const RigidTransform X_WD =
      shape.destination >= 0 ? poser_.linkPose(pinned.robot, shape.destination) : RigidTransform();
  poser_.changeGoal(at, goalWhereItIs(pinned.goal.link, shape, poser_.linkPose(pinned.robot, pinned.goal.link), X_WD));
}

void PoseSession::on(const message::Unpin& m, Turn&) { poser_.unpin(static_cast<std::size_t>(m.goal)); }

void PoseSession::on(const message::Solve&, Turn& turn) { report(poser_.solve(turn.robot), turn); }

}  // namespace mortise::viewer
