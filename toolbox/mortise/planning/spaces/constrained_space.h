#pragma once

/// Closed chains: configurations of a robot that satisfy equations, as a space to plan in.

#include <memory>
#include <string>
#include <vector>

#include "mortise/contact/ik_goal.h"
#include "mortise/planning/spaces/robot_space.h"

namespace mortise {

struct ConstrainedSpaceOptions {
  /// No equation of a configuration is off by more (m or rad).
  double tolerance = 1e-6;
  /// Largest error of the equations (m or rad) where an edge goes straight from one of its configurations to the next.
  double deviation = 1e-3;
  /// Maximum distance of neighbors on an edge.
  double step = 0.1;
  /// Halving a part of an edge of length L must give parts of no more than (1 + growth) / 2 L each, or the edge is said
  /// to jump from one branch of the solutions to another. Below 1.
  double growth = 0.9;
  /// A derived space's constraints are checked in steps of this distance on edges.
  double resolution = 0.01;
  /// Iterations of one projection.
  int maxIterations = 50;
};

/// The robot's configurations where links are at their goals. Samples are projected: moved to a solution nearby, by
/// damped steps within the limits. An edge from a to b is halved at the projected middle of the straight line between
/// its ends, and so are the halves, until straight lines between neighbors stay within `deviation`; it does not exist
/// where a middle cannot be projected or lies too far away (Hauser, 2013, for contact-rich motion; the test for jumps
/// is Klamp't's), or where it would turn back: all along it the distance from a grows and that to b shrinks. Edges
/// do not depend on earlier queries, nor on the direction in which they are queried.
///
/// Constraints: joint_limits, ik_constraint, then those of a derived space, then the others of the robot's space.
class ConstrainedSpace : public MotionSpace {
 public:
  /// Throws `Error` for goals that cannot be solved for (`IKEquations`), that no planned link can move, and for
  /// options that make no sense.
  ConstrainedSpace(const RobotSpace& space, std::vector<IKGoal> goals, const ConstrainedSpaceOptions& options = {});
  ~ConstrainedSpace() override;

  const RobotSpace& robotSpace() const;
  RobotSpace& robotSpace();
  const std::vector<IKGoal>& goals() const;
  const ConstrainedSpaceOptions& options() const;

  /// Moves q to where all goals are met; false, with q at the best place found, when it cannot.
  bool project(VectorXd& q) const override;
  double residual(const VectorXd& q) const override;
  double residualTolerance() const override { return options().tolerance; }
  /// Ends of coordinates that projections keep: those of coordinates that go straight.
  void projectionBounds(VectorXd& low, VectorXd& high) const;
  /// Coordinates less equations.
  int manifoldDimension() const;
  /// The whole edge from a to b, its ends included, such that straight lines between neighbors are what `visible`
  /// checks. Empty where there is none.
  std::vector<VectorXd> edgePoints(const VectorXd& a, const VectorXd& b) const;

  std::span<const Mover> movers() const override;
  void lift(const VectorXd& q, VectorXd& full) const override;
  void reduce(const VectorXd& full, VectorXd& q) const override;
  std::string coordinateName(int i) const override;
  /// With `intrinsicDimensionality`, and `submanifold` true.
  Value properties() const override;

  int dimension() const override;
  void bounds(VectorXd& low, VectorXd& high) const override;
  /// The robot's, not along the solutions.
  double distance(const VectorXd& a, const VectorXd& b) const override;
  /// On the edge from a to b; u = 1/2 is the first middle, and so on. Where the edge turns out not to exist: as far
  /// along the projected straight line as it goes without a jump, and where that is nowhere, a straight step, which is
  /// not feasible.
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override;
  void sample(RandomStream& random, VectorXd& q) override;
  /// Along the tangents of the solutions at the center, then projected; not feasible where that fails.
  void sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) override;
  std::span<const std::string> constraints() const override;
  bool satisfies(int constraint, const VectorXd& q) override;
  bool visible(const VectorXd& a, const VectorXd& b) override;
  std::string explain(int constraint, const VectorXd& q) override;
  /// All of `edgePoints` at least; a `tolerance` below `deviation` makes it finer.
  void refine(const VectorXd& a, const VectorXd& b, double tolerance, std::vector<VectorXd>& path) const override;
  double extent() const override;
  std::unique_ptr<MotionSpace> copyMotion() const override;
  Counts counts() const override;

 protected:
  /// `names`: of the derived space's constraints.
  ConstrainedSpace(const RobotSpace& space, std::vector<IKGoal> goals, const ConstrainedSpaceOptions& options,
                   std::vector<std::string> names);
  ConstrainedSpace(const ConstrainedSpace& other);
  ConstrainedSpace& operator=(const ConstrainedSpace&) = delete;

  /// `whole`: of the robot (numLinks).
  virtual bool holds(int own, const VectorXd& full);
  virtual std::string explainOwn(int own, const VectorXd& full);
  /// Moves a sample that meets the goals to where the derived space's constraints hold too, as well as it can.
  virtual void improve(RandomStream& random, VectorXd& q);

  struct Work;
  Work& work() const { return *work_; }

 private:
  bool holdsAll(const VectorXd& q);
  bool pieceVisible(const VectorXd& a, const VectorXd& b);

  std::unique_ptr<Work> work_;
};

}  // namespace mortise
