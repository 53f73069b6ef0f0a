#pragma once

/// Constraints of messages as goals and as what is held along the way.

#include "mortise/base/diagnostics.h"
#include "mortise/component/planning_problem_description.h"
#include "problem_scene.h"
#include "request_message.h"

namespace mortise::io_moveit {

/// Goals of the request. Joint constraints that name all joints of the group within 1e-3 are a configuration, others a
/// region of joint positions. A link's position and orientation are met exactly, in the middle of what is allowed;
/// where that leaves out more than a centimetre or so, a warning says it. Everything wrong, and what cannot be said to
/// a planner, goes to the diagnostics.
PlanGoalRequest problemGoal(const RequestMessage& request, ProblemScene& scene, Diagnostics& diagnostics);

/// Path constraints on links, into `space.keep` and `space.keepTolerance`. (Those on joints are limits of the robot.)
void problemPath(const ConstraintsMessage& path, ProblemScene& scene, PlanSpaceDescription& space,
                 Diagnostics& diagnostics);

}  // namespace mortise::io_moveit
