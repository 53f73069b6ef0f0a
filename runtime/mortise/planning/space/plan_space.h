#pragma once

#include <memory>

#include "mortise/collision/world_collider.h"
#include "mortise/planning/request/plan_request.h"
#include "mortise/planning/spaces/motion_space.h"

namespace mortise {

/// Shapes and pairs for planning: links that do not move are not checked against the terrains on which they stand.
std::shared_ptr<const WorldCollider> makePlanCollider(std::shared_ptr<const World> world);

/// The collider without the pairs that the request ignores, and without those of links and what they stand on.
std::shared_ptr<const WorldCollider> problemCollider(std::shared_ptr<const WorldCollider> collider,
                                                     const PlanSpaceRequest& request);

/// Returns what moves, and which coordinates of full configurations are its own. Throws `Error` for robots and objects
/// that do not exist, and where the request names neither or both.
std::vector<Mover> planMovers(const World& world, const PlanSpaceRequest& request);

/// The full configuration of what moves, as the world has it.
VectorXd worldConfiguration(const World& world, const PlanSpaceRequest& request);

/// The world with floating bases, of robots that are planned for, limited to the request's workspace; the same one
/// where there is none.
std::shared_ptr<const World> withinWorkspace(std::shared_ptr<const World> world, const PlanSpaceRequest& request);

/// The world that the request is planned in: within its workspace, and with the simulation's padding where it says so
/// (`paddedWorld`); the same one where neither is asked for.
std::shared_ptr<const World> planWorld(std::shared_ptr<const World> world, const PlanSpaceRequest& request);

/// `base`: a full configuration, which says where everything is that is not planned for. Throws `Error`.
std::unique_ptr<MotionSpace> makePlanSpace(std::shared_ptr<const WorldCollider> collider,
                                           const PlanSpaceRequest& request, const VectorXd& base);

}  // namespace mortise
