#pragma once

/// One robot among obstacles, as a space to plan in.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mortise/collision/edge_check.h"
#include "mortise/collision/world_collider.h"
#include "mortise/configuration/configuration_space.h"
#include "mortise/planning/spaces/free_edges.h"
#include "mortise/planning/spaces/motion_space.h"
#include "mortise/planning/spaces/robot_coordinates.h"

namespace mortise {

/// Something that a configuration of the whole robot (numLinks) must satisfy, beyond limits and collisions. Called by
/// several threads at once, each with its own configurations.
struct RobotConstraint {
  std::string name;
  std::function<bool(const VectorXd& q)> holds;
  std::function<std::string(const VectorXd& q)> explain = {};  ///< Why not, for people; may be empty.
};

struct RobotSpaceOptions {
  /// Links to plan for, in any order; empty: all that are not welded. A link of an affine driver brings the driver's
  /// other links along.
  std::vector<int> links = {};
  /// Meters that the robot keeps from everything, itself included.
  double margin = 0;
  /// Options of edge checks. Constraints of the caller are checked in steps of `edges.resolution` with either method.
  EdgeCheckOptions edges = {};
  /// `weights`: one a link of the robot.
  ConfigurationDistanceOptions metric = {};
  SampleOptions sampling = {};
  std::vector<RobotConstraint> constraints = {};
};

/// Configurations have one coordinate for each link that is planned for, in the order of links, but one for all links
/// of an affine driver together (the driver's value). All other links stay where `base` has them, and so does
/// everything else in the world.
class RobotSpace final : public MotionSpace {
 public:
  /// `base`: the whole robot's configuration. Throws `Error` for links and sizes that do not exist, and where no link
  /// is left to plan for.
  RobotSpace(std::shared_ptr<const WorldCollider> collider, int robot, const VectorXd& base,
             RobotSpaceOptions options = {});
  /// Places something other than the robot.
  void setPose(int id, const RigidTransform& X_W);

  const Robot& robot() const;
  int robotIndex() const;
  std::span<const Mover> movers() const override { return {&mover_, 1}; }
  /// `whole`: numLinks. The value of an affine driver is the one that comes nearest.
  void lift(const VectorXd& q, VectorXd& full) const override;
  void reduce(const VectorXd& full, VectorXd& q) const override;
  /// Its link's, or its driver's.
  std::string coordinateName(int i) const override;
  Value properties() const override;

  int dimension() const override;
  void bounds(VectorXd& low, VectorXd& high) const override;
  double distance(const VectorXd& a, const VectorXd& b) const override;
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override;
  void sample(RandomStream& random, VectorXd& q) override;
  void sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) override;
  std::span<const std::string> constraints() const override;
  bool satisfies(int constraint, const VectorXd& q) override;
  bool feasible(const VectorXd& q, int* violated = nullptr) override;
  bool visible(const VectorXd& a, const VectorXd& b) override;
  bool checksCurves() const override { return true; }
  /// Constraints of the caller are checked on the edge from a to b alone.
  bool visibleAround(const VectorXd& a, const VectorXd& b, const VectorXd& deviation) override;
  std::string explain(int constraint, const VectorXd& q) override;
  void refine(const VectorXd& a, const VectorXd& b, double tolerance, std::vector<VectorXd>& path) const override;
  double extent() const override;
  double measure() const override;
  std::unique_ptr<MotionSpace> copyMotion() const override;
  Counts counts() const override { return counts_; }

 private:
  /// Common parts of copies.
  struct Shared;
  RobotSpace(std::shared_ptr<const Shared> shared, const WorldCollisionState* state);
  bool proven(const VectorXd& a, const VectorXd& b);
  bool constraintsHold();
  bool withinLimits() const;
  bool collides(bool withItself, IdPair* found);

  std::shared_ptr<const Shared> shared_;
  Mover mover_;
  WorldCollisionState state_;
  EdgeChecker::Workspace edges_;
  VectorXd fullA_, fullB_, full_;
  std::vector<double> motion_;  ///< Motion of links.
  mutable RobotCoordinates::Scratch scratch_;
  Counts counts_;
  FreeEdges free_;
};

}  // namespace mortise
