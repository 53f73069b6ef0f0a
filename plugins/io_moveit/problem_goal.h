#pragma once

/// Constraints of messages as goals, and as constraints along the path.

#include "messages/request_message.h"
#include "mortise/base/diagnostics.h"
#include "mortise/component/planning_problem_description.h"
#include "problem_scene.h"

namespace mortise::io_moveit {

/// Goals of the request. Joint constraints that name all joints of the group within 1e-3 are a configuration, others a
/// region of joint positions. The goal of a link is the center of the region that the message allows; where
/// that leaves out more than 5 cm, there is a warning. Errors, and what planners do not support, go to the
/// diagnostics.
PlanGoalRequest problemGoal(const RequestMessage& request, ProblemScene& scene, Diagnostics& diagnostics);

/// Path constraints on links, into `space.keep` and `space.keepTolerance`. (Those on joints are limits of the robot.)
void problemPath(const ConstraintsMessage& path, ProblemScene& scene, PlanSpaceDescription& space,
                 Diagnostics& diagnostics);

}  // namespace mortise::io_moveit
