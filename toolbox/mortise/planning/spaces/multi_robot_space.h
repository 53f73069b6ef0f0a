#pragma once

/// Several robots of a world that move at once, as a space to plan in.

#include "mortise/planning/spaces/composite_motion_space.h"

namespace mortise {

/// One of the robots, and what of it moves.
struct MovingRobot {
  int robot = 0;
  /// The whole robot's configuration, for the links that are not planned for; empty: the world's.
  VectorXd base = {};
  /// Links to plan for, in any order; empty: all that are not welded. A link of an affine driver brings the driver's
  /// other links along.
  std::vector<int> links = {};
  /// `weights`: one a link of this robot, or none.
  ConfigurationDistanceOptions metric = {};
  SampleOptions sampling = {};
  double weight = 1;  ///< Weight of this robot's distance among all robots'.
};

/// Configurations have one coordinate for each link that is planned for, robot after robot in the order given, links
/// in their order, but one for all links of an affine driver together. Each robot moves as its own joints interpolate.
class MultiRobotSpace final : public CompositeMotionSpace {
 public:
  /// Throws `Error` for robots, links and sizes that do not exist, a robot that is named twice, and where no link of a
  /// robot is left to plan for.
  MultiRobotSpace(std::shared_ptr<const WorldCollider> collider, const std::vector<MovingRobot>& robots,
                  CompositeMotionOptions options = {});
  std::unique_ptr<MotionSpace> copyMotion() const override;
};

}  // namespace mortise
