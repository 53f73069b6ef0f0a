#pragma once

/// Several things that move at once in a world: what multi_robot_space.h and object_space.h have in common.

#include <memory>
#include <string>
#include <vector>

#include "mortise/planning/spaces/mover_model.h"
#include "mortise/planning/spaces/robot_space.h"

namespace mortise {

struct CompositeMotionOptions {
  /// Meters that movers keep from everything, themselves included.
  double margin = 0;
  /// Options of edge checks; constraints of the caller are checked in steps of `edges.resolution` with either method.
  EdgeCheckOptions edges = {};
  /// Constraints on the full configuration: all movers' numbers, one after another.
  std::vector<RobotConstraint> constraints = {};
};

/// A configuration has the coordinates of the movers, one after another; on an edge all move at once and arrive at
/// once. Distances are the root of the sum of squares of weight * distance of each mover.
///
/// Constraints, as far as there is a mover that they concern: `joint_limits` and `self_collision` of robots,
/// `robot_collision` between robots that move, `bounds` of rigid objects, `collision` with all the rest; then those of
/// the caller.
class CompositeMotionSpace : public MotionSpace {
 public:
  ~CompositeMotionSpace() override;

  /// Places something that does not move by itself: a terrain or a rigid object, and another robot.
  void setPose(int id, const RigidTransform& X_W);
  void setConfiguration(int robot, const VectorXd& q);
  const World& world() const;

  std::span<const Mover> movers() const override;
  /// Coordinates of mover i begin here.
  int firstCoordinate(int mover) const;
  void lift(const VectorXd& q, VectorXd& full) const override;
  void reduce(const VectorXd& full, VectorXd& q) const override;

  int dimension() const override;
  std::string coordinateName(int i) const override;
  Value properties() const override;
  void bounds(VectorXd& low, VectorXd& high) const override;
  double distance(const VectorXd& a, const VectorXd& b) const override;
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override;
  void sample(RandomStream& random, VectorXd& q) override;
  void sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) override;
  std::span<const std::string> constraints() const override;
  bool satisfies(int constraint, const VectorXd& q) override;
  bool feasible(const VectorXd& q, int* violated = nullptr) override;
  /// The ends are known to be feasible.
  bool visible(const VectorXd& a, const VectorXd& b) override;
  bool checksCurves() const override { return true; }
  /// Constraints of the caller are checked on the edge from a to b alone.
  bool visibleAround(const VectorXd& a, const VectorXd& b, const VectorXd& deviation) override;
  std::string explain(int constraint, const VectorXd& q) override;
  void refine(const VectorXd& a, const VectorXd& b, double tolerance, std::vector<VectorXd>& path) const override;
  double extent() const override;
  double measure() const override;
  Counts counts() const override { return counts_; }

 protected:
  struct WeightedMover {
    std::unique_ptr<MoverModel> model;
    double weight = 1;
  };
  struct Setup {
    std::shared_ptr<const WorldCollider> collider;  ///< Collider of the pairs that can come nearer to each other.
    std::vector<WeightedMover> movers;
    CompositeMotionOptions options;
  };
  /// The collider with those pairs alone of which one body or both move (`moving`, by id).
  static std::shared_ptr<const WorldCollider> reduced(const WorldCollider& collider, const std::vector<char>& moving);
  explicit CompositeMotionSpace(Setup setup);
  CompositeMotionSpace(const CompositeMotionSpace& other);

 private:
  /// Common parts of copies.
  struct Shared;
  enum class Check : char { limits, bounds, self, robots, rest, own };
  bool holds(int constraint, IdPair* found);
  /// Edge as `EdgeProver` and `sampleEdge` use it.
  class EdgeMotion;
  double beginEdge();
  bool constraintsHold(double length);
  void place();
  void liftParts(const VectorXd& q, std::vector<VectorXd>& parts) const;
  void join(const std::vector<VectorXd>& parts, VectorXd& full) const;

  std::shared_ptr<const Shared> shared_;
  WorldCollisionState state_;
  mutable std::vector<MoverWorkspace> workspaces_;  ///< By mover.
  mutable std::vector<VectorXd> parts_, partsTo_;   ///< Whole configurations by mover.
  mutable VectorXd full_, difference_;
  EdgeProofWorkspace proof_;
  Counts counts_;
};

}  // namespace mortise
