#pragma once

#include <memory>
#include <optional>

#include "mortise/component/host.h"
#include "mortise/component/planner.h"
#include "mortise/planning/real_time/ramp_tree.h"
#include "mortise/settings/setting_binder.h"

namespace mortise::planners {

struct RealTimeTreeSettings {
  double step = 0.15;
  void bind(SettingBinder& b);
};

/// The trees of `RealTimePlanner`, from a start at rest, for problems in which nothing moves but the robot.
class RealTimeTree final : public Planner {
 public:
  explicit RealTimeTree(const ComponentContext& context);
  ~RealTimeTree() override;
  void start(const PlanningProblem& problem, RandomStream& random) override;
  PlanningOutcome plan(PlanningStop& stop) override;

 private:
  class Target;
  PlanningOutcome failure(PlanningStatus status, std::string message) const;
  PlanningOutcome solution(const RampPath& path) const;

  double step_;
  const PlanningProblem* problem_ = nullptr;
  RandomStream random_;
  RealTimeCycle cycle_;
  std::unique_ptr<Target> target_;
  std::unique_ptr<RealTimePlanner> planner_;
  std::optional<RampTree> tree_;
  PlanningOutcome outcome_;
};

}  // namespace mortise::planners
