#pragma once

/// Goals by where links shall be: configurations in which inverse kinematics is solved.

#include <memory>
#include <string>
#include <vector>

#include "mortise/ik/damped_newton.h"
#include "mortise/ik/equations/ik_equations.h"
#include "mortise/ik/ik_solver.h"
#include "mortise/model/world.h"
#include "mortise/planning/spaces/motion_space.h"

namespace mortise {

/// Goals of one robot of the space.
struct RobotIKGoals {
  int robot = 0;  ///< Robot of the world; a mover of the space.
  std::vector<IKGoal> goals;
  /// Further goals: the center of mass, values of joints, directions of sight, distances. Terms of priority 0 hold
  /// exactly; others, poses of links too, only shape the samples, which come as near to them as the rest lets them.
  std::vector<IKTerm> terms = {};
};

/// Goals of links and terms of priority 0 (see `IKEquations`, not weighted) as equations over the coordinates of a
/// space (see `plannedVariables`): what is not planned for stays where it is, and links of an affine driver move
/// together.
class PlannedGoalFunction final : public ConstraintFunction {
 public:
  /// Throws `Error` for robots that do not move in the space, and what `IKEquations` and `plannedVariables` throw.
  /// Keeps nothing of `space`.
  PlannedGoalFunction(const MotionSpace& space, const World& world, const std::vector<RobotIKGoals>& goals);

  int dimension() const override { return dimension_; }
  int size() const override { return size_; }
  double residual(const double* q, double* r) override;
  void jacobian(double* J) override;
  /// For people: which goal the row belongs to, as "link 'hand' of robot 'arm'".
  std::string describe(int row) const;
  /// Coordinates that change nothing that a goal or a term of any priority asks about: a gripper, say, where a hand is
  /// placed.
  const std::vector<int>& uninvolved() const { return uninvolved_; }

 private:
  struct Part {
    RobotPtr robot;
    std::string name;           ///< The world's.
    std::vector<IKTerm> terms;  ///< Goals, and terms of priority 0.
    IKEquations equations;      ///< Equations of these, over the coordinates of the space.
    int row;
  };
  std::vector<Part> parts_;
  std::vector<int> uninvolved_;
  int dimension_ = 0, size_ = 0;
  Eigen::MatrixXd J_;  ///< Jacobian of one part.
};

struct IKGoalRegionOptions {
  /// Tolerance of `contains`: no equation is off by more, in m and rad.
  double tolerance = 1e-3;
  /// The same for samples.
  double solveTolerance = 1e-7;
  int maxIterations = 50;
  /// Starts of the solver in one call of `sample`. Where calls find nothing new, the next ones try less.
  int tries = 20;
  /// Samples are farther apart than this, in the space's metric.
  double distinct = 1e-3;
  /// Starts to try before random ones.
  std::vector<VectorXd> seeds = {};
  /// Start of the path: samples keep its values of the coordinates that no goal depends on. Only while no such
  /// sample is feasible, after the first call every other try leaves them free. Empty: they are always free.
  VectorXd start = {};
};

/// All configurations of a space in which all goals of all robots are met. Samples are feasible and different from each
/// other: solved for from random configurations, by no more than the numbers of the stream that is given. What no goal
/// depends on stays where `IKGoalRegionOptions::start` has it.
class IKGoalRegion final : public PlanningGoal {
 public:
  /// `space` outlives the goal; copies have copies of it. Throws `Error` as `PlannedGoalFunction`, and for options out
  /// of range.
  IKGoalRegion(MotionSpace& space, std::shared_ptr<const World> world, std::vector<RobotIKGoals> goals,
               IKGoalRegionOptions options = {});

  bool contains(const VectorXd& q) override;
  /// Root of the sum of squares of what the equations are off by; 0 within the tolerance.
  double distance(const VectorXd& q) override;
  bool sample(RandomStream& random, VectorXd& q) override;
  std::string explain() override;
  std::unique_ptr<PlanningGoal> copy() const override;

  struct Statistics {
    std::int64_t tried = 0, unsolved = 0, known = 0, given = 0;
    std::vector<std::int64_t> violated;  ///< By constraint of the space: solved, but not feasible.
    /// The smallest error that a start without solution ended with, and the row of `PlannedGoalFunction` that was.
    double nearest = kInfinity;
    int nearestRow = -1;
    /// The largest margin of solutions that do not balance, m; negative: all are outside of the support polygon.
    double balanceMargin = -kInfinity;
  };
  const Statistics& statistics() const { return statistics_; }

 private:
  void residual(const VectorXd& q);
  bool attempt(RandomStream& random, VectorXd& q);
  bool keepsUninvolved() const;
  void noteBalance(const VectorXd& q, int violated);
  void makeRefiners();
  void refine(VectorXd& q);

  /// Moves a robot's solutions to where terms of priorities beyond 0 are met best.
  struct Refiner {
    int first, size;  ///< Range of the robot, in full configurations.
    IKSolver solver;
  };
  std::unique_ptr<MotionSpace> own_;  ///< Space of a copy.
  MotionSpace& space_;
  std::shared_ptr<const World> world_;
  std::vector<RobotIKGoals> goals_;
  IKGoalRegionOptions options_;
  PlannedGoalFunction function_;
  DampedNewton solver_;
  DampedNewtonOptions solving_;
  VectorXd low_, high_;
  std::vector<Refiner> refiners_;
  IKSolution refined_;
  VectorXd r_, full_, better_;
  std::size_t nextSeed_ = 0;
  int tries_;  ///< In the next call.
  std::vector<VectorXd> given_;
  VectorXd nearestToBalance_;  ///< The nearest of solutions that do not balance; empty: none.
  int balanceIndex_ = -1;      ///< Index of the constraint that it violates.
  bool keptGiven_ = false;     ///< True if a sample was given that keeps what no goal depends on.
  Statistics statistics_;
};

}  // namespace mortise
