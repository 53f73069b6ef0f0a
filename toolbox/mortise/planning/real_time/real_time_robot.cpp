#include "mortise/planning/real_time/real_time_robot.h"

#include <utility>

#include "mortise/base/error.h"

namespace mortise {

namespace {

RobotSpaceOptions spaceOptions(const RealTimeRobotOptions& options) {
  RobotSpaceOptions space;
  space.links = options.links;
  space.margin = options.margin;
  return space;
}

std::shared_ptr<const WorldCollider> restingCollider(const std::shared_ptr<const World>& world,
                                                     const std::vector<KnownMotion>& motions) {
  const auto full = realTimeCollider(world);
  std::vector<int> ids;
  for (const KnownMotion& motion : motions) ids.push_back(motion.id());
  return std::make_shared<const WorldCollider>(withoutBodies(*full, ids));
}

}  // namespace

std::shared_ptr<const WorldCollider> realTimeCollider(std::shared_ptr<const World> world) {
  return std::make_shared<const WorldCollider>(std::move(world),
                                               WorldColliderOptions{.fixedLinksAgainstTerrains = false});
}

RealTimeRobot::RealTimeRobot(std::shared_ptr<const World> world, int robot, const VectorXd& base,
                             RealTimeRobotOptions options)
    : world_(std::move(world)),
      robot_(robot),
      options_(std::move(options)),
      resting_(restingCollider(world_, options_.motions)),
      space_(resting_, robot, base, spaceOptions(options_)),
      planningSpace_(resting_, robot, base, spaceOptions(options_)),
      obstacles_(space_, robot, *realTimeCollider(world_), options_.motions, options_.margin),
      planningObstacles_(planningSpace_, robot, *realTimeCollider(world_), options_.motions, options_.margin),
      limits_(motionLimits(space_, *world_, options_.limits)),
      planner_(std::make_unique<RealTimePlanner>(
          planningSpace_, limits_.limits, options_.motions.empty() ? nullptr : &planningObstacles_, options_.planner)),
      session_(std::make_unique<RealTimeSession>(*planner_, options_.session)) {}

bool RealTimeRobot::canStay(const VectorXd& q, double from, std::string* reason) {
  int violated = -1;
  if (!space_.feasible(q, &violated)) {
    if (reason != nullptr) *reason = space_.explain(violated, q);
    return false;
  }
  if (obstacles_.restFree(q, from)) return true;
  if (reason != nullptr) *reason = "something that moves will come there";
  return false;
}

void RealTimeRobot::start(const VectorXd& full, double now) {
  VectorXd q;
  space_.reduce(full, q);
  std::string reason;
  if (!canStay(q, now, &reason))
    throw Error(
        "robot '" + world_->robots[static_cast<std::size_t>(robot_)].name + "' cannot begin where it is: " + reason, {},
        "planning while moving needs a start that is free, and stays so");
  session_->start(q, now);
}

std::shared_ptr<RealTimeTarget> RealTimeRobot::configurationTarget(const VectorXd& q) {
  return std::make_shared<ConfigurationTarget>(planningSpace_, q);
}

std::shared_ptr<RealTimeTarget> RealTimeRobot::poseTarget(std::vector<IKGoal> goals, double tolerance) {
  return std::make_shared<PoseTarget>(planningSpace_, world_, RobotIKGoals{robot_, std::move(goals)}, tolerance);
}

}  // namespace mortise
