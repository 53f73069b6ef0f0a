#pragma once

/// Kinds of goals, changed while they are held.

#include "mortise/contact/ik_goal.h"
#include "mortise/viewer/protocol/pose_requests.h"

namespace mortise::viewer {

/// The part of a link that is held.
struct GoalShape {
  IKGoal::Position position = IKGoal::Position::point;
  IKGoal::Rotation rotation = IKGoal::Rotation::free;
  Vector3d p_LP = Vector3d::Zero();          ///< The point of the link (m).
  Vector3d direction_D = Vector3d::UnitZ();  ///< Normal of the plane, or along the line; of any length but 0.
  Vector3d axis_L = Vector3d::UnitZ();       ///< Axis where one is held; of any length but 0.
  int destination = -1;                      ///< A link; -1: the world.
};

/// The goal that holds the link where it is, as far as `shape` says. Throws `Error` for directions and axes of length 0
/// and for what is not finite.
IKGoal goalWhereItIs(int link, const GoalShape& shape, const RigidTransform& X_WL, const RigidTransform& X_WD);

/// The shape of `goal`, with what a page changes of it.
GoalShape goalShape(const message::Goal& change, const IKGoal& goal);

}  // namespace mortise::viewer
