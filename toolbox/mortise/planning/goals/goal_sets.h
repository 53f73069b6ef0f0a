#pragma once

/// Goals by ranges of coordinates, and several goals as one.

#include <memory>
#include <string>
#include <vector>

#include "mortise/component/planner.h"

namespace mortise {

/// Every configuration with coordinates between `low` and `high`.
class BoxGoal final : public PlanningGoal {
 public:
  /// One entry a coordinate; infinite ones bound nothing, equal ones fix a coordinate. `space` outlives the goal;
  /// copies have copies of it. `tries`: random configurations tried in one call of `sample`. Throws `Error` where
  /// the ends are not in order or no place between them is within the space's bounds.
  BoxGoal(PlanningSpace& space, VectorXd low, VectorXd high, double tolerance = 1e-9, int tries = 100);

  /// To the tolerance, in units of each coordinate.
  bool contains(const VectorXd& q) override;
  /// To the nearest configuration coordinate by coordinate, in the space's metric.
  double distance(const VectorXd& q) override;
  /// Feasible ones: at random within the space, with the bounded coordinates uniform within their ends.
  bool sample(RandomStream& random, VectorXd& q) override;
  std::string explain() override;
  std::unique_ptr<PlanningGoal> copy() const override;

 private:
  std::unique_ptr<PlanningSpace> own_;  ///< Space of a copy.
  PlanningSpace& space_;
  VectorXd low_, high_;
  VectorXd from_, to_;  ///< Ends of samples: within the space's bounds.
  double tolerance_;
  int tries_;
  VectorXd nearest_;
  std::int64_t tried_ = 0;
  std::vector<std::int64_t> violated_;  ///< By constraint.
};

/// Any of several goals.
class UnionGoal final : public PlanningGoal {
 public:
  /// Throws `Error` when there are none.
  explicit UnionGoal(std::vector<std::unique_ptr<PlanningGoal>> goals);

  bool contains(const VectorXd& q) override;
  double distance(const VectorXd& q) override;
  /// Samples one goal after another in turn.
  bool sample(RandomStream& random, VectorXd& q) override;
  std::int64_t count() const override;
  std::string explain() override;
  std::unique_ptr<PlanningGoal> copy() const override;

 private:
  std::vector<std::unique_ptr<PlanningGoal>> goals_;
  std::size_t next_ = 0;
};

}  // namespace mortise
