#pragma once

/// When OMPL's planners have to stop.

#include <functional>
#include <limits>
#include <ompl/base/PlannerTerminationCondition.h>

#include "mortise/component/planner.h"

namespace mortise::ompl_planners {

/// One call of `Planner::plan`. Every question that OMPL asks of its termination condition is a round of
/// `PlanningStop`, so that a run that was limited by time is repeated by its rounds. Some planners ask seldom; then
/// what they check asks for them, every so many configurations and edges, and once it is time to stop, no edge is
/// feasible any more. Nothing here reads a clock.
class PlanningTurn {
 public:
  /// `cost`: of the planner's best path, as it stands; may be empty.
  void begin(PlanningStop& stop, double best, std::function<double()> cost);
  /// No path costs less than this, so that one which costs no more ends the turn.
  void setEnough(double cost) { enough_ = cost; }
  void end() { stop_ = nullptr; }

  /// A round. True: stop.
  bool poll();
  /// Before something is checked. False: time is up, do not check.
  bool mayContinue();
  /// Before a distance is measured. False: time is up.
  bool measure();
  bool halted() const { return halted_; }
  double best() const { return best_; }
  void improve(double cost);

  ompl::base::PlannerTerminationCondition condition();

 private:
  /// Looks, and distances, between two rounds.
  static constexpr int kPatience = 64, kDistances = 10000;

  PlanningStop* stop_ = nullptr;
  std::function<double()> cost_;
  double best_ = std::numeric_limits<double>::infinity();
  double enough_ = 0;
  bool halted_ = false;
  int polls_ = 0, distances_ = 0;
};

}  // namespace mortise::ompl_planners
