#include "problem_adapter.h"

#include <algorithm>
#include <cmath>
#include <ompl/base/MotionValidator.h>
#include <ompl/base/StateValidityChecker.h>
#include <ompl/base/ValidStateSampler.h>
#include <ompl/base/samplers/informed/RejectionInfSampler.h>

namespace mortise::ompl_planners {

namespace ob = ompl::base;

namespace {

bool feasible(PlanningSpace& space, PlanningTurn& turn, const ob::State* state) {
  const auto& s = *static_cast<const ConfigurationState*>(state);
  if (s.known == ConfigurationState::Known::nothing) {
    // Answered truly at any time: some planners insist that what was feasible is.
    turn.mayContinue();
    s.known = s.q.allFinite() && space.feasible(s.q) ? ConfigurationState::Known::feasible
                                                     : ConfigurationState::Known::infeasible;
  }
  return s.known == ConfigurationState::Known::feasible;
}

class ValidityChecker final : public ob::StateValidityChecker {
 public:
  ValidityChecker(const ob::SpaceInformationPtr& information, PlanningSpace& space, PlanningTurn& turn)
      : StateValidityChecker(information), space_(space), turn_(turn) {}
  bool isValid(const ob::State* state) const override { return feasible(space_, turn_, state); }

 private:
  PlanningSpace& space_;
  PlanningTurn& turn_;
};

class EdgeChecker final : public ob::MotionValidator {
 public:
  EdgeChecker(const ob::SpaceInformationPtr& information, PlanningSpace& space, PlanningTurn& turn)
      : MotionValidator(information), space_(space), turn_(turn) {}

  /// OMPL knows that the first state is valid.
  bool checkMotion(const ob::State* a, const ob::State* b) const override {
    const bool free =
        feasible(space_, turn_, b) && turn_.mayContinue() && space_.visible(configurationOf(a), configurationOf(b));
    ++(free ? valid_ : invalid_);
    return free;
  }

  /// Leaves a state up to which the way is free, to a 64th of it.
  bool checkMotion(const ob::State* a, const ob::State* b, std::pair<ob::State*, double>& last) const override {
    if (checkMotion(a, b)) return true;
    double low = 0, high = 1;
    ob::State* const middle = si_->allocState();
    for (int i = 0; i < 6; ++i) {
      const double u = (low + high) / 2;
      si_->getStateSpace()->interpolate(a, b, u, middle);
      const bool free = feasible(space_, turn_, middle) && turn_.mayContinue() &&
                        space_.visible(configurationOf(a), configurationOf(middle));
      (free ? low : high) = u;
    }
    si_->freeState(middle);
    last.second = low;
    if (last.first != nullptr) si_->getStateSpace()->interpolate(a, b, low, last.first);
    return false;
  }

 private:
  PlanningSpace& space_;
  PlanningTurn& turn_;
};

/// A few tries a call: planners ask whether to stop between calls.
class FeasibleSampler final : public ob::ValidStateSampler {
 public:
  explicit FeasibleSampler(const ob::SpaceInformation* information)
      : ValidStateSampler(information), sampler_(information->allocStateSampler()) {
    name_ = "feasible";
    setNrAttempts(8);
  }
  bool sample(ob::State* state) override {
    for (unsigned i = 0; i < attempts_; ++i) {
      sampler_->sampleUniform(state);
      if (si_->isValid(state)) return true;
    }
    return false;
  }
  bool sampleNear(ob::State* state, const ob::State* near, double distance) override {
    for (unsigned i = 0; i < attempts_; ++i) {
      sampler_->sampleUniformNear(state, near, distance);
      if (si_->isValid(state)) return true;
    }
    return false;
  }

 private:
  ob::StateSamplerPtr sampler_;
};

/// A goal that can be sampled for ever is kept to so many configurations.
constexpr std::size_t kMaxGoals = 10000;

/// Places through which a path may cost less than the best one. There may be next to none that a uniform sample would
/// meet, and some planners look until there is one: then the straight edge from a start to a goal has them. Some look
/// until one is feasible, without asking whether to stop; a start is.
class BetterPlaces final : public ob::RejectionInfSampler {
 public:
  BetterPlaces(const ob::ProblemDefinitionPtr& definition, unsigned int maxNumberCalls,
               const ConfigurationStateSpace& space, const SampledGoal& goal, const PlanningTurn& turn)
      : RejectionInfSampler(definition, std::min(maxNumberCalls, kTries)), ours_(space), goal_(goal), turn_(turn) {}

  bool sampleUniform(ob::State* state, const ob::Cost& maximum) override {
    if (turn_.halted()) return atStart(state) || RejectionInfSampler::sampleUniform(state, opt_->infiniteCost());
    return RejectionInfSampler::sampleUniform(state, maximum) || onStraightEdge(state);
  }
  bool sampleUniform(ob::State* state, const ob::Cost& minimum, const ob::Cost& maximum) override {
    if (turn_.halted()) return sampleUniform(state, maximum);
    return RejectionInfSampler::sampleUniform(state, minimum, maximum);
  }

 private:
  static constexpr unsigned int kTries = 100;

  bool atStart(ob::State* state) {
    if (probDefn_->getStartStateCount() == 0) return false;
    ours_.copyState(state, probDefn_->getStartState(0));
    return true;
  }

  bool onStraightEdge(ob::State* state) {
    if (!goal_.finite() || goal_.found().empty() || probDefn_->getStartStateCount() == 0) return false;
    const auto start = static_cast<unsigned int>(ours_.random().below(probDefn_->getStartStateCount()));
    const VectorXd& end = goal_.found()[ours_.random().below(goal_.found().size())];
    auto& s = *static_cast<ConfigurationState*>(state);
    ours_.space().interpolate(configurationOf(probDefn_->getStartState(start)), end, ours_.random().uniform(), s.q);
    s.known = ConfigurationState::Known::nothing;
    return true;
  }

  const ConfigurationStateSpace& ours_;
  const SampledGoal& goal_;
  const PlanningTurn& turn_;
};

}  // namespace

SampledGoal::SampledGoal(const ob::SpaceInformationPtr& information, const ConfigurationStateSpace& space,
                         PlanningGoal& goal, PlanningTurn& turn, bool single)
    : GoalSampleableRegion(information),
      space_(space),
      goal_(goal),
      turn_(turn),
      single_(single),
      finite_(goal.count() >= 0) {
  setThreshold(1e-12);
}

bool SampledGoal::findAnother() const {
  ++tried_;
  VectorXd q;
  if (!goal_.sample(space_.random(), q) || q.size() != static_cast<Eigen::Index>(space_.getDimension())) return false;
  if (!q.allFinite() || !space_.space().feasible(q)) return true;
  found_.push_back(std::move(q));
  return true;
}

bool SampledGoal::prepare(bool insist) const {
  if (!found_.empty()) return true;
  if (finite_) {
    while (!(single_ && !found_.empty()) && found_.size() < kMaxGoals && findAnother()) {
    }
  } else {
    do findAnother();
    while (insist && found_.empty() && !turn_.poll());
  }
  return !found_.empty();
}

void SampledGoal::asked() const {
  ++asked_;
  // Goals are found less and less often: their number grows with the square root of how often they are asked for.
  const bool due = !finite_ && !(single_ && !found_.empty()) && asked_ >= tried_ * tried_ / 4;
  if (due && found_.size() < kMaxGoals && turn_.mayContinue()) findAnother();
}

unsigned int SampledGoal::maxSampleCount() const {
  asked();
  return static_cast<unsigned>(found_.size());
}

void SampledGoal::sampleGoal(ob::State* state) const {
  auto& s = *static_cast<ConfigurationState*>(state);
  if (found_.empty()) {
    // Planners ask `maxSampleCount` first; those that do not are not started without a goal.
    space_.space().sample(space_.random(), s.q);
    s.known = ConfigurationState::Known::nothing;
    return;
  }
  s.q = found_[next_++ % found_.size()];
  s.known = ConfigurationState::Known::feasible;
}

bool SampledGoal::contains(const VectorXd& q) const {
  if (single_) return !found_.empty() && space_.space().distance(q, found_.front()) <= 1e-9;
  return goal_.contains(q);
}

double SampledGoal::distanceGoal(const ob::State* state) const {
  const VectorXd& q = configurationOf(state);
  if (single_) return found_.empty() ? 0 : space_.space().distance(q, found_.front());
  return goal_.distance(q);
}

bool SampledGoal::isSatisfied(const ob::State* state) const { return contains(configurationOf(state)); }

bool SampledGoal::isSatisfied(const ob::State* state, double* distance) const {
  const bool inside = contains(configurationOf(state));
  if (distance != nullptr) *distance = inside ? 0 : distanceGoal(state);
  return inside;
}

PathObjective::PathObjective(const ob::SpaceInformationPtr& information, const ConfigurationStateSpace& space,
                             const PlanningProblem& problem, const SampledGoal& goal, const PlanningTurn& turn)
    : OptimizationObjective(information), space_(space), problem_(problem), goal_(goal), turn_(turn) {
  description_ = problem.objective == nullptr ? "path length" : "path cost";
  // Never more than what is left to pay; nothing is known of goals that were not found yet.
  setCostToGoHeuristic([this, &goal](const ob::State* state, const ob::Goal*) {
    if (!goal.finite() || goal.found().empty()) return identityCost();
    double minimum = std::numeric_limits<double>::infinity();
    const VectorXd& q = configurationOf(state);
    for (const VectorXd& g : goal.found())
      minimum = std::min(minimum, problem_.objective != nullptr ? problem_.objective->lowerBound(q, g)
                                                                : problem_.space.distance(q, g));
    return ob::Cost(minimum);
  });
}

ob::Cost PathObjective::stateCost(const ob::State*) const { return identityCost(); }

ob::Cost PathObjective::motionCost(const ob::State* a, const ob::State* b) const {
  if (!space_.mayMeasure()) return ob::Cost(1);
  const VectorXd &p = configurationOf(a), &q = configurationOf(b);
  return ob::Cost(problem_.objective != nullptr ? problem_.objective->edgeCost(p, q) : problem_.space.distance(p, q));
}

ob::Cost PathObjective::motionCostHeuristic(const ob::State* a, const ob::State* b) const {
  const VectorXd &p = configurationOf(a), &q = configurationOf(b);
  return ob::Cost(problem_.objective != nullptr ? problem_.objective->lowerBound(p, q) : problem_.space.distance(p, q));
}

ob::Cost PathObjective::terminalCost(const ob::State* state) const {
  return ob::Cost(problem_.objective != nullptr ? problem_.objective->terminalCost(configurationOf(state)) : 0.0);
}

ob::InformedSamplerPtr PathObjective::allocInformedStateSampler(const ob::ProblemDefinitionPtr& definition,
                                                                unsigned int maxNumberCalls) const {
  return std::make_shared<BetterPlaces>(definition, maxNumberCalls, space_, goal_, turn_);
}

ProblemAdapter::ProblemAdapter(const PlanningProblem& problem, RandomStream& random, PlanningTurn& turn,
                               const PlannerEntry& entry)
    : problem_(problem) {
  space = std::make_shared<ConfigurationStateSpace>(problem.space, random, turn, entry.abandons);
  information = std::make_shared<ob::SpaceInformation>(space);
  information->setStateValidityChecker(std::make_shared<ValidityChecker>(information, problem.space, turn));
  information->setMotionValidator(std::make_shared<EdgeChecker>(information, problem.space, turn));
  information->setValidStateSamplerAllocator(
      [](const ob::SpaceInformation* i) { return std::make_shared<FeasibleSampler>(i); });
  information->setup();
  goal = std::make_shared<SampledGoal>(information, *space, problem.goal, turn, entry.oneGoal);
  objective = std::make_shared<PathObjective>(information, *space, problem, *goal, turn);
  definition = std::make_shared<ob::ProblemDefinition>(information);
  for (const VectorXd& start : problem.starts) {
    // The definition keeps a copy.
    ob::State* const state = information->allocState();
    static_cast<ConfigurationState*>(state)->q = start;
    if (information->isValid(state)) definition->addStartState(state);
    information->freeState(state);
  }
  definition->setGoal(goal);
  definition->setOptimizationObjective(objective);
}

double ProblemAdapter::minCost() const {
  if (!goal->finite() || goal->found().empty()) return 0;
  double minimum = std::numeric_limits<double>::infinity();
  for (const VectorXd& start : problem_.starts)
    for (const VectorXd& end : goal->found())
      minimum = std::min(minimum, problem_.objective != nullptr ? problem_.objective->lowerBound(start, end)
                                                                : problem_.space.distance(start, end));
  return minimum;
}

}  // namespace mortise::ompl_planners
