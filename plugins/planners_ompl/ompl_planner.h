#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mortise/component/host.h"
#include "mortise/component/planner.h"
#include "planner_table.h"

namespace mortise::ompl_planners {

struct ProblemAdapter;
class OmplSession;
class PlanningTurn;

/// One of OMPL's planners.
class OmplPlanner : public Planner {
 public:
  OmplPlanner(const ComponentContext& context, const PlannerEntry& entry);
  ~OmplPlanner() override;

  void start(const PlanningProblem& problem, RandomStream& random) override;
  PlanningOutcome plan(PlanningStop& stop) override;
  bool roadmap(Roadmap& roadmap) const override;
  bool optimizing() const override { return entry_.optimizing; }

 private:
  void reset();
  void configure(double extent);
  void begin();
  /// OMPL's planner at work, until it ends or `turn_` does. False: it will not find anything any more.
  bool work();
  bool takeStartInGoal();
  /// False: there were some, and none could be used.
  bool takeSolutions();
  bool holds(const std::vector<VectorXd>& path) const;
  void offer(std::vector<VectorXd> path);
  PlanningOutcome outcome(PlanningStatus status, std::string message = {}) const;

  const PlannerEntry& entry_;
  Host& host_;
  /// Settings that people make, beside defaults, in the order in which OMPL has to be told.
  std::vector<std::pair<std::string, Value>> settings_;
  std::vector<PlannerParameter> parameters_;

  const PlanningProblem* problem_ = nullptr;
  RandomStream random_;
  std::unique_ptr<PlanningTurn> turn_;
  // The planner frees its states in the adapter's space: it goes first.
  std::unique_ptr<ProblemAdapter> adapter_;
  OmplPlannerHandle made_;
  std::string unsuitable_;
  bool splitsEdges_, worked_ = false, broken_ = false;
  std::vector<VectorXd> path_;
  double cost_ = std::numeric_limits<double>::infinity();
};

}  // namespace mortise::ompl_planners
