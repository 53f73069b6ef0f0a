#pragma once

/// The contacts of a robot that stands in a world.

#include <memory>
#include <string>
#include <vector>

#include "mortise/loading/format_loader.h"
#include "mortise/mechanics/world_contacts.h"

namespace mortise {

/// A robot in a world, put to one configuration after another.
class RobotInWorld {
 public:
  /// The world's robot with the name of `robot`, or, without one, its first with as many links, is put where `robot`
  /// is. Throws `Error` for a world that cannot be used, and one without such a robot.
  RobotInWorld(FormatLoader& loader, const std::string& world, const RobotPtr& robot,
               const WorldContactOptions& options, Diagnostics& diagnostics);

  /// Robot `robot` of a world.
  RobotInWorld(std::shared_ptr<const World> world, int robot, const WorldContactOptions& options);

  /// Contacts at `q` (one number a link). `links`: of these links alone; empty: of all.
  std::vector<LinkContact> contacts(const VectorXd& q, const std::vector<int>& links = {});
  /// The world's.
  const Vector3d& gravity_W() const { return gravity_W_; }

 private:
  void begin(std::shared_ptr<const World> world, const WorldContactOptions& options);

  int robot_ = -1;
  Vector3d gravity_W_ = Vector3d(0, 0, -9.8);
  std::unique_ptr<WorldContactFinder> finder_;
  std::unique_ptr<WorldCollisionState> state_;
};

}  // namespace mortise
