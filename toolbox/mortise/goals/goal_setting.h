#pragma once

/// Goals of links as people write them. Each function throws `Error` with the position of what is wrong.

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/component/file_format.h"
#include "mortise/contact/ik_goal.h"
#include "mortise/model/robot.h"

namespace mortise {

/// The map of a goal of a link; its `robot` is the caller's business.
IKGoal linkGoalFromSetting(const Value& value, const Robot& robot);

/// Goal pose of one link: 12 numbers (the rotation row by row, then the position, in the world), 3 (the position
/// alone), rows of a matrix, Klamp't's pair of a rotation column by column and a position, the map of a goal without
/// `link`, or a file of any of these (.ikgoal, .xform, JSON, YAML, or plain numbers).
IKGoal poseGoalFromSetting(const Value& value, const Robot& robot, int link, ResourceLoader& loader,
                           Diagnostics& diagnostics);

}  // namespace mortise
