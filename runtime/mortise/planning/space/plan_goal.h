#pragma once

#include <memory>

#include "mortise/model/world.h"
#include "mortise/planning/request/plan_request.h"
#include "mortise/planning/spaces/motion_space.h"

namespace mortise {

/// The goal of a request. Throws `Error` for goals that are empty, have the wrong size, or move what is not planned
/// for. `space` outlives the goal. `start`: coordinates of the space where the path begins; what pose goals of links do
/// not depend on stays as there. With `nearStart` only the one of the configurations that meet pose goals counts that
/// is nearest to the start, of those that a search from it and from random ones finds.
std::unique_ptr<PlanningGoal> makePlanGoal(MotionSpace& space, std::shared_ptr<const World> world,
                                           const PlanRequest& request, const VectorXd& start);

/// Null for the length in the space's own metric.
std::unique_ptr<PlanningObjective> makePlanObjective(const MotionSpace& space, const World& world,
                                                     const PlanRequest::Objective& objective);

/// The name of a coordinate of full configurations, such as "link 'arm'".
std::string fullCoordinateName(const MotionSpace& space, const World& world, int index);

}  // namespace mortise
