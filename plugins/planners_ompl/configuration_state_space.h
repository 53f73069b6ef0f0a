#pragma once

/// A `PlanningSpace` as OMPL sees a state space.

#include <deque>
#include <ompl/base/StateSpace.h>
#include <vector>

#include "mortise/component/planner.h"
#include "planning_turn.h"

namespace mortise::ompl_planners {

/// A configuration, and what is known of it already: OMPL asks many times whether the same state is valid.
class ConfigurationState final : public ompl::base::State {
 public:
  enum class Known : signed char { nothing, feasible, infeasible };

  VectorXd q;
  mutable Known known = Known::nothing;
};

inline const VectorXd& configurationOf(const ompl::base::State* state) {
  return static_cast<const ConfigurationState*>(state)->q;
}

/// All states belong to the space, which keeps those that are free for the next ones: some planners of OMPL forget
/// states.
class ConfigurationStateSpace final : public ompl::base::StateSpace {
 public:
  /// All outlive the space. `abandoned`: the planner begins anew after it was stopped, so that it is stopped even where
  /// it uses nothing but distances; they mean nothing from then on. Throws `Error` for spaces in which nothing can
  /// be planned: no coordinates, no extent.
  ConfigurationStateSpace(PlanningSpace& space, RandomStream& random, PlanningTurn& turn, bool abandoned);
  ~ConfigurationStateSpace() override;

  PlanningSpace& space() const { return space_; }
  RandomStream& random() const { return random_; }
  const VectorXd& low() const { return low_; }
  const VectorXd& high() const { return high_; }

  unsigned int getDimension() const override { return dimension_; }
  /// Returns the extent; where the space has none, twice the largest distance between some random configurations.
  double getMaximumExtent() const override { return extent_; }
  /// Returns the measure; where the space knows none, that of a cube of its extent.
  double getMeasure() const override;
  void enforceBounds(ompl::base::State* state) const override;
  /// Says whether the numbers are finite: limits are constraints of the space, and asked about with the others.
  bool satisfiesBounds(const ompl::base::State* state) const override;
  void copyState(ompl::base::State* destination, const ompl::base::State* source) const override;
  double distance(const ompl::base::State* a, const ompl::base::State* b) const override;
  bool equalStates(const ompl::base::State* a, const ompl::base::State* b) const override;
  /// Beyond 1, where some planners of OMPL go, is b.
  void interpolate(const ompl::base::State* from, const ompl::base::State* to, double t,
                   ompl::base::State* state) const override;
  ompl::base::StateSamplerPtr allocDefaultStateSampler() const override;
  ompl::base::State* allocState() const override;
  void freeState(ompl::base::State* state) const override;
  void registerProjections() override;

  /// Says whether there is time to measure a distance or a cost.
  bool mayMeasure() const { return !abandoned_ || turn_.measure(); }

  std::size_t statesInUse() const { return states_.size() - free_.size(); }

 private:
  PlanningSpace& space_;
  RandomStream& random_;
  PlanningTurn& turn_;
  bool abandoned_;
  unsigned int dimension_;
  double extent_;
  VectorXd low_, high_;
  mutable std::deque<ConfigurationState> states_;
  mutable std::vector<ConfigurationState*> free_;
};

}  // namespace mortise::ompl_planners
