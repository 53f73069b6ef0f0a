#pragma once

/// Spaces in which something moves in a world: robots, rigid objects.

#include <memory>
#include <span>
#include <string>

#include "mortise/component/planner.h"

namespace mortise {

/// Mover of a `MotionSpace`, and its numbers in a full configuration.
struct Mover {
  enum class Kind { robot, object } kind = Kind::robot;
  int index = 0;  ///< Index of the robot or rigid object in the world.
  int first = 0;  ///< First of its numbers.
  int size = 0;   ///< A robot: numLinks. A rigid object: 6, the position in meters and the rotation vector in rad.
};

/// Planning configurations ("reduced") stand for whole ones: the configurations of all movers, one after another. What
/// is not planned for has the same numbers in all whole configurations.
class MotionSpace : public PlanningSpace {
 public:
  virtual std::span<const Mover> movers() const = 0;
  /// Numbers in a whole configuration.
  int fullSize() const;

  virtual void lift(const VectorXd& q, VectorXd& full) const = 0;
  /// Leaves out what is not planned for.
  virtual void reduce(const VectorXd& full, VectorXd& q) const = 0;
  /// Says whether `full` agrees with what is not planned for, to 1e-6. `difference`: the first of its numbers that does
  /// not.
  bool agrees(const VectorXd& full, int* difference = nullptr) const;

  /// The largest equation that configurations have to satisfy (m or rad); 0 where there are no equations.
  virtual double residual(const VectorXd& q) const;
  /// By how much an equation may be off (m or rad).
  virtual double residualTolerance() const;
  /// Moves q to where all equations are satisfied; false, with q at the best place found, when it cannot. Stays where
  /// it is where there are none.
  virtual bool project(VectorXd& q) const;

  std::unique_ptr<PlanningSpace> copy() const final { return copyMotion(); }
  /// Returns a copy, as `copy` does.
  virtual std::unique_ptr<MotionSpace> copyMotion() const = 0;
};

}  // namespace mortise
