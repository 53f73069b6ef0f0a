#pragma once

#include <memory>

#include "mortise/collision/world_collider.h"
#include "mortise/planning/plan_request.h"
#include "mortise/planning/spaces/motion_space.h"

namespace mortise {

/// Shapes and pairs for planning: links that do not move are not held against the terrains on which they stand.
std::shared_ptr<const WorldCollider> makePlanCollider(std::shared_ptr<const World> world);

/// The rules of the request: a collider without the pairs that are ignored, and without those of links with what they
/// stand on.
std::shared_ptr<const WorldCollider> problemCollider(std::shared_ptr<const WorldCollider> collider,
                                                     const PlanSpaceRequest& request);

/// What moves, and which numbers of whole configurations are its own. Throws `Error` for robots and objects that do
/// not exist, and where neither or both are asked for.
std::vector<Mover> planMovers(const World& world, const PlanSpaceRequest& request);

/// Where the world has all that moves, as a whole configuration.
VectorXd worldConfiguration(const World& world, const PlanSpaceRequest& request);

/// The world with floating bases, of robots that are planned for, limited to the request's workspace; the same one
/// where there is none.
std::shared_ptr<const World> withinWorkspace(std::shared_ptr<const World> world, const PlanSpaceRequest& request);

/// The world that the request is planned in: within its workspace, and with the simulation's padding where it says so
/// (`paddedWorld`); the same one where neither is asked for.
std::shared_ptr<const World> planWorld(std::shared_ptr<const World> world, const PlanSpaceRequest& request);

/// `base`: a whole configuration; what is not planned for stays as it is there. Throws `Error`.
std::unique_ptr<MotionSpace> makePlanSpace(std::shared_ptr<const WorldCollider> collider,
                                           const PlanSpaceRequest& request, const VectorXd& base);

}  // namespace mortise
