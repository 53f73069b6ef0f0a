#pragma once

#include <memory>

#include "mortise/model/world.h"
#include "mortise/planning/plan_request.h"
#include "mortise/planning/spaces/motion_space.h"

namespace mortise {

/// Throws `Error` for goals that are empty, of the wrong size, or that move what is not planned for. `space` outlives
/// the goal.
std::unique_ptr<PlanningGoal> makePlanGoal(MotionSpace& space, std::shared_ptr<const World> world,
                                           const PlanSpaceRequest& spaceRequest, const PlanGoalRequest& goal);

/// Null for lengths in the space's own metric.
std::unique_ptr<PlanningObjective> makePlanObjective(const MotionSpace& space, const World& world,
                                                     const PlanObjectiveRequest& objective);

/// "link 'arm'" and the like: what a number of a whole configuration is.
std::string wholeCoordinateName(const MotionSpace& space, const World& world, int index);

}  // namespace mortise
