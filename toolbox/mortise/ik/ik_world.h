#pragma once

/// Several robots and rigid objects at once.

#include <memory>
#include <vector>

#include "mortise/collision/world_collider.h"
#include "mortise/ik/equations/ik_terms.h"
#include "mortise/model/world.h"

namespace mortise {

/// All robots of a world, then all its rigid objects, as one robot to solve inverse kinematics for (`mergedRobot`): an
/// `IKProblem` of `robot()` has goals between links of different robots and objects, and finds the joints that matter
/// over all of them. Objects are floating bases of six links, which move like any other joint: leave theirs out of
/// `IKProblem::active` where they stand still.
class IKWorld {
 public:
  /// Throws `Error` for a world without robots and objects.
  explicit IKWorld(std::shared_ptr<const World> world);

  const World& world() const { return *world_; }
  const RobotPtr& robot() const { return robot_; }

  /// Links of `robot()`: that of a robot's link, that which carries an object, and all of a robot or an object.
  int link(int robot, int link) const { return firstOfRobot_.at(static_cast<std::size_t>(robot)) + link; }
  int objectLink(int object) const { return firstOfObject_.at(static_cast<std::size_t>(object)) + 5; }
  std::vector<int> linksOfRobot(int robot) const;
  std::vector<int> linksOfObject(int object) const;

  /// Everything as the world has it: one number a link of `robot()`.
  const VectorXd& start() const { return start_; }
  VectorXd configuration(int robot, const VectorXd& q) const;
  void setConfiguration(int robot, const VectorXd& own, VectorXd& q) const;
  /// Pose of an object in the world.
  RigidTransform pose(int object, const VectorXd& q) const;

  /// The center of mass of one robot of them.
  FunctionGoal centerOfMass(int robot, const CenterOfMassGoal& goal) const;
  /// `links` of `robot()` stay at least `margin` (m) from what they are checked against (`WorldCollider::pairs`), other
  /// robots and objects among them wherever these go; see `clearanceGoal`.
  FunctionGoal clearance(std::shared_ptr<const WorldCollider> collider, const std::vector<int>& links,
                         double margin) const;

 private:
  std::shared_ptr<const World> world_;
  RobotPtr robot_;
  std::vector<int> firstOfRobot_, firstOfObject_;
  VectorXd start_;
};

}  // namespace mortise
