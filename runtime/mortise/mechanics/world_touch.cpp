#include "mortise/mechanics/world_touch.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/base/position.h"

namespace mortise {

RobotInWorld::RobotInWorld(FormatLoader& loader, const std::string& world, const RobotPtr& robot,
                           const WorldContactOptions& options, Diagnostics& diagnostics) {
  auto loaded = std::make_shared<World>(loader.world(world, {}, diagnostics));
  diagnostics.throwIfErrors("'" + world + "' cannot be used");
  for (const bool byName : {true, false})
    for (std::size_t i = 0; i < loaded->robots.size() && robot_ < 0; ++i)
      if (loaded->robots[i].robot->numLinks() == robot->numLinks() &&
          (!byName || loaded->robots[i].robot->name() == robot->name()))
        robot_ = static_cast<int>(i);
  if (robot_ < 0)
    throw Error(
        "the world has no robot with " + std::to_string(robot->numLinks()) + " links, as '" + robot->name() + "' has",
        inFile(world), "give the world that the robot stands in");
  begin(std::move(loaded), options);
}

RobotInWorld::RobotInWorld(std::shared_ptr<const World> world, int robot, const WorldContactOptions& options)
    : robot_(robot) {
  begin(std::move(world), options);
}

void RobotInWorld::begin(std::shared_ptr<const World> world, const WorldContactOptions& options) {
  gravity_W_ = world->simulation.gravity;
  auto collider = std::make_shared<const WorldCollider>(std::move(world));
  finder_ = std::make_unique<WorldContactFinder>(collider, options);
  state_ = std::make_unique<WorldCollisionState>(collider);
}

std::vector<LinkContact> RobotInWorld::contacts(const VectorXd& q, const std::vector<int>& links) {
  state_->setConfiguration(robot_, q);
  std::vector<LinkContact> contacts = finder_->ofRobot(*state_, robot_);
  if (!links.empty())
    std::erase_if(contacts, [&](const LinkContact& contact) {
      return std::find(links.begin(), links.end(), contact.link) == links.end();
    });
  return contacts;
}

}  // namespace mortise
