#include "planning_turn.h"

#include <utility>

namespace mortise::ompl_planners {

void PlanningTurn::begin(PlanningStop& stop, double best, std::function<double()> cost) {
  stop_ = &stop;
  best_ = best;
  cost_ = std::move(cost);
  enough_ = 0;
  halted_ = false;
  polls_ = distances_ = 0;
}

void PlanningTurn::improve(double cost) {
  if (cost < best_) best_ = cost;
}

bool PlanningTurn::poll() {
  if (halted_ || stop_ == nullptr) return halted_;
  polls_ = distances_ = 0;
  if (cost_) improve(cost_());
  halted_ = stop_->reached(best_) || best_ <= enough_;
  return halted_;
}

bool PlanningTurn::mayContinue() {
  if (halted_) return false;
  return ++polls_ < kPatience || !poll();
}

bool PlanningTurn::measure() {
  if (halted_) return false;
  return ++distances_ < kDistances || !poll();
}

ompl::base::PlannerTerminationCondition PlanningTurn::condition() {
  return ompl::base::PlannerTerminationCondition([this] { return poll(); });
}

}  // namespace mortise::ompl_planners
