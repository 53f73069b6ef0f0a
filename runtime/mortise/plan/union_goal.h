#pragma once

#include <memory>
#include <vector>

#include "mortise/component/planner.h"

namespace mortise {

/// A path may end in any of several goals. They are sampled in turn.
class UnionGoal final : public PlanningGoal {
 public:
  /// At least one. Throws `Error` when there is none.
  explicit UnionGoal(std::vector<std::unique_ptr<PlanningGoal>> goals);

  bool contains(const VectorXd& q) override;
  double distance(const VectorXd& q) override;
  bool sample(RandomStream& random, VectorXd& q) override;
  std::int64_t count() const override;
  std::string explain() override;
  std::unique_ptr<PlanningGoal> copy() const override;

 private:
  std::vector<std::unique_ptr<PlanningGoal>> goals_;
  std::size_t next_ = 0;
};

}  // namespace mortise
