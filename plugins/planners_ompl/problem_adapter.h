#pragma once

/// A `PlanningProblem` as OMPL sees it.

#include <memory>
#include <ompl/base/OptimizationObjective.h>
#include <ompl/base/ProblemDefinition.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/goals/GoalSampleableRegion.h>
#include <vector>

#include "configuration_state_space.h"
#include "planner_table.h"
#include "planning_turn.h"

namespace mortise::ompl_planners {

/// Goal configurations, found as they are asked for, on the planner's own thread. OMPL's GoalLazySamples uses another
/// one, which makes plans depend on when it runs.
class SampledGoal final : public ompl::base::GoalSampleableRegion {
 public:
  /// `single`: for planners that know one goal configuration only; the first that is found is the whole goal.
  SampledGoal(const ompl::base::SpaceInformationPtr& information, const ConfigurationStateSpace& space,
              PlanningGoal& goal, PlanningTurn& turn, bool single);

  /// Looks for a first configuration of the goal: once, or until there is one or the turn ends. False: there is none.
  bool prepare(bool insist) const;
  const std::vector<VectorXd>& found() const { return found_; }
  /// Says whether `found` will always be all.
  bool finite() const { return finite_; }
  bool contains(const VectorXd& q) const;

  void sampleGoal(ompl::base::State* state) const override;
  unsigned int maxSampleCount() const override;
  bool couldSample() const override { return !found_.empty(); }
  double distanceGoal(const ompl::base::State* state) const override;
  bool isSatisfied(const ompl::base::State* state) const override;
  bool isSatisfied(const ompl::base::State* state, double* distance) const override;

 private:
  bool findAnother() const;
  void asked() const;

  const ConfigurationStateSpace& space_;
  PlanningGoal& goal_;
  PlanningTurn& turn_;
  bool single_, finite_;
  mutable std::vector<VectorXd> found_;
  mutable std::size_t next_ = 0;
  mutable std::int64_t asked_ = 0, tried_ = 0;
};

/// The cost of paths.
class PathObjective final : public ompl::base::OptimizationObjective {
 public:
  PathObjective(const ompl::base::SpaceInformationPtr& information, const ConfigurationStateSpace& space,
                const PlanningProblem& problem, const SampledGoal& goal, const PlanningTurn& turn);

  /// Costs belong to ways; configurations are alike.
  ompl::base::Cost stateCost(const ompl::base::State* state) const override;
  ompl::base::Cost motionCost(const ompl::base::State* a, const ompl::base::State* b) const override;
  ompl::base::Cost motionCostHeuristic(const ompl::base::State* a, const ompl::base::State* b) const override;
  ompl::base::Cost terminalCost(const ompl::base::State* state) const override;
  bool isSymmetric() const override { return problem_.objective == nullptr; }
  /// One that always finds a place: some planners would look for ever.
  ompl::base::InformedSamplerPtr allocInformedStateSampler(const ompl::base::ProblemDefinitionPtr& definition,
                                                           unsigned int maxNumberCalls) const override;
  /// Never: `PlanningStop` decides what is good enough.
  bool isSatisfied(ompl::base::Cost cost) const override { return false; }

 private:
  const ConfigurationStateSpace& space_;
  const PlanningProblem& problem_;
  const SampledGoal& goal_;
  const PlanningTurn& turn_;
};

/// All that OMPL needs to know of a problem.
struct ProblemAdapter {
  /// Everything given outlives the adapter.
  ProblemAdapter(const PlanningProblem& problem, RandomStream& random, PlanningTurn& turn, const PlannerEntry& entry);

  std::shared_ptr<ConfigurationStateSpace> space;
  ompl::base::SpaceInformationPtr information;
  std::shared_ptr<SampledGoal> goal;
  std::shared_ptr<PathObjective> objective;
  ompl::base::ProblemDefinitionPtr definition;

  /// No path can cost less; 0 where nothing is known.
  double minCost() const;

 private:
  const PlanningProblem& problem_;
};

}  // namespace mortise::ompl_planners
