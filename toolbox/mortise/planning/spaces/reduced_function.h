#pragma once

/// Equations over a robot's configuration as equations over what is planned for. For this room.

#include <memory>
#include <vector>

#include "mortise/ik/equations/constraint_function.h"
#include "mortise/planning/spaces/motion_space.h"

namespace mortise {

/// How whole configurations follow from planning ones: link i of the robot has `base[i]` plus the sum of its terms.
struct ReducedMap {
  struct Term {
    int link, coordinate;
    double scale;
  };
  VectorXd base;
  std::vector<Term> terms;
  int dimension = 0;

  /// Of a space whose `lift` is affine: one of robots.
  explicit ReducedMap(const MotionSpace& space);
  void lift(const VectorXd& q, VectorXd& whole) const;
  /// J: equations x links, to equations x coordinates.
  void reduceColumns(const Eigen::MatrixXd& J, Eigen::MatrixXd& reduced) const;
};

class ReducedFunction final : public ConstraintFunction {
 public:
  /// `function` and `map` outlive it.
  ReducedFunction(ConstraintFunction& function, const ReducedMap& map) : function_(function), map_(map) {}

  int dimension() const override { return map_.dimension; }
  int size() const override { return function_.size(); }
  void evaluate(const VectorXd& q, VectorXd& r, Eigen::MatrixXd* J) override;

 private:
  ConstraintFunction& function_;
  const ReducedMap& map_;
  VectorXd whole_;
  Eigen::MatrixXd J_;
};

}  // namespace mortise
