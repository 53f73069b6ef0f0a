#pragma once

/// Goals of planning problems.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mortise/component/planner.h"

namespace mortise {

/// One of several configurations. `space` outlives the goal; copies have copies of it.
class ConfigurationGoal final : public PlanningGoal {
 public:
  /// Configurations within `tolerance`, in the space's metric, belong to the goal.
  ConfigurationGoal(const PlanningSpace& space, std::vector<VectorXd> configurations, double tolerance = 1e-9);

  bool contains(const VectorXd& q) override;
  double distance(const VectorXd& q) override;
  /// In the order given, then none.
  bool sample(RandomStream& random, VectorXd& q) override;
  std::int64_t count() const override { return static_cast<std::int64_t>(configurations_.size()); }
  std::unique_ptr<PlanningGoal> copy() const override;

 private:
  std::unique_ptr<PlanningSpace> own_;  ///< Space of a copy.
  const PlanningSpace& space_;
  std::vector<VectorXd> configurations_;
  double tolerance_;
  std::size_t next_ = 0;
};

/// Wherever a condition holds. Found by trying: configurations of `space` at random, which finds small goals rarely,
/// unless the caller knows better.
class RegionGoal final : public PlanningGoal {
 public:
  struct Region {
    std::string name;
    std::function<bool(const VectorXd& q)> contains;
    /// 0 inside, growing with the distance; may be empty: 0 or 1 then.
    std::function<double(const VectorXd& q)> distance = {};
    /// Moves a random configuration into the region, as well as it can; false when it cannot. May be empty.
    std::function<bool(VectorXd& q)> project = {};
  };
  /// `space` outlives the goal; copies have copies of it. `tries`: random configurations tried in one call of
  /// `sample`.
  RegionGoal(PlanningSpace& space, Region region, int tries = 100);

  bool contains(const VectorXd& q) override;
  double distance(const VectorXd& q) override;
  bool sample(RandomStream& random, VectorXd& q) override;
  std::string explain() override;
  std::unique_ptr<PlanningGoal> copy() const override;

 private:
  std::unique_ptr<PlanningSpace> own_;  ///< Space of a copy.
  PlanningSpace& space_;
  Region region_;
  int tries_;
  std::int64_t tried_ = 0, outside_ = 0;
  std::vector<std::int64_t> violated_;  ///< By constraint: in the region, but not feasible.
};

}  // namespace mortise
