/// OMPL's roadmap planners start a thread that looks for paths while the roadmap grows, and grow it by the clock; what
/// they find depends on both. Here the same functions of theirs are called in turns that are counted.

#include <algorithm>
#include <cmath>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/planners/prm/LazyPRMstar.h>
#include <ompl/geometric/planners/prm/PRMstar.h>
#include <ompl/geometric/planners/prm/SPARS.h>
#include <ompl/geometric/planners/prm/SPARStwo.h>

#include "planner_handle.h"

namespace mortise::ompl_planners {

namespace ob = ompl::base;
namespace og = ompl::geometric;

namespace {

/// When a roadmap that has a path is searched for a better one: whenever it has grown by a tenth. OMPL searches every
/// millisecond, or whenever a lazy one has grown by five, and does little else once roadmaps are large.
class SearchTimes {
 public:
  bool due(std::size_t size) const { return size >= next_; }
  void searched(std::size_t size) { next_ = size + std::max<std::size_t>(10, size / 10); }
  void clear() { next_ = 0; }

 private:
  std::size_t next_ = 0;
};

class Prm : public og::PRM {
 public:
  using PRM::PRM;
  double cost() const { return bestCost_.value(); }

  void clear() override {
    PRM::clear();
    search_.clear();
    grow_ = true;
  }

  ob::PlannerStatus solve(const ob::PlannerTerminationCondition& ptc) override {
    checkValidity();
    if (std::isnan(bestCost_.value())) bestCost_ = opt_->infiniteCost();
    while (const ob::State* start = pis_.nextStart()) startM_.push_back(addMilestone(si_->cloneState(start)));
    if (startM_.empty()) return ob::PlannerStatus::INVALID_START;
    takeGoals();
    if (goalM_.empty()) return ob::PlannerStatus::INVALID_GOAL;
    if (!sampler_) sampler_ = si_->allocValidStateSampler();
    if (!simpleSampler_) simpleSampler_ = si_->allocStateSampler();
    std::vector<ob::State*> bounces(5);  // As long as OMPL's.
    si_->allocStates(bounces);
    bool solved = false;
    while (!ptc) {
      if (connected() && search_.due(milestoneCount())) {
        ob::PathPtr path;
        maybeConstructSolution(startM_, goalM_, path);
        if (path) {
          pdef_->addSolutionPath(path, false, 0, getName());
          solved = true;
          search_.searched(milestoneCount());
          continue;
        }
      }
      // Twice as much of growing as of expanding where it is hard to connect, as in OMPL.
      const unsigned long end = iterations_ + (grow_ ? 100 : 50);
      const bool searching = !std::isfinite(bestCost_.value());
      const ob::PlannerTerminationCondition turn(
          [&] { return ptc || iterations_ >= end || (searching && connected()); });
      if (grow_) {
        growRoadmap(turn, bounces.front());
      } else {
        expandRoadmap(turn, bounces);
      }
      if (iterations_ >= end) grow_ = !grow_;
      takeGoals();
    }
    si_->freeStates(bounces);
    return solved ? ob::PlannerStatus::EXACT_SOLUTION : ob::PlannerStatus::TIMEOUT;
  }

 private:
  void takeGoals() {
    while (const ob::State* goal = pis_.nextGoal()) goalM_.push_back(addMilestone(si_->cloneState(goal)));
  }
  bool connected() {
    for (const Vertex start : startM_)
      for (const Vertex goal : goalM_)
        if (sameComponent(start, goal)) return true;
    return false;
  }

  SearchTimes search_;
  bool grow_ = true;
};

class PrmStar final : public Prm {
 public:
  explicit PrmStar(const ob::SpaceInformationPtr& information) : Prm(information, true) {
    setName("PRMstar");
    params_.remove("max_nearest_neighbors");
  }
};

class LazyPrm : public og::LazyPRM {
 public:
  using LazyPRM::LazyPRM;
  double cost() const { return bestCost_.value(); }

  void clear() override {
    LazyPRM::clear();
    search_.clear();
  }

  ob::PlannerStatus solve(const ob::PlannerTerminationCondition& ptc) override {
    checkValidity();
    if (std::isnan(bestCost_.value())) bestCost_ = opt_->infiniteCost();
    while (const ob::State* start = pis_.nextStart()) startM_.push_back(addMilestone(si_->cloneState(start)));
    if (startM_.empty()) return ob::PlannerStatus::INVALID_START;
    takeGoals();
    if (goalM_.empty()) return ob::PlannerStatus::INVALID_GOAL;
    ob::State* const sample = si_->allocState();
    bool solved = false;
    while (!ptc) {
      ++iterations_;
      takeGoals();
      sampler_->sampleUniform(sample);
      const Vertex newest = addMilestone(si_->cloneState(sample));
      std::pair<std::size_t, std::size_t> pair;
      const long component = solutionComponent(&pair);
      if (component == -1) continue;
      if (std::isfinite(bestCost_.value())) {
        if (static_cast<long>(vertexComponentProperty_[newest]) != component || !search_.due(milestoneCount()))
          continue;
        search_.searched(milestoneCount());
      }
      const Vertex start = startM_[pair.first], goal = goalM_[pair.second];
      ob::PathPtr path;
      do path = constructSolution(start, goal);
      while (!path && vertexComponentProperty_[start] == vertexComponentProperty_[goal] && !ptc);
      if (!path) continue;
      solved = true;
      const ob::Cost cost = path->cost(opt_);
      if (!opt_->isCostBetterThan(cost, bestCost_)) continue;
      bestCost_ = cost;
      pdef_->addSolutionPath(path, false, 0, getName());
    }
    si_->freeState(sample);
    return solved ? ob::PlannerStatus::EXACT_SOLUTION : ob::PlannerStatus::TIMEOUT;
  }

 private:
  void takeGoals() {
    while (const ob::State* goal = pis_.nextGoal()) goalM_.push_back(addMilestone(si_->cloneState(goal)));
  }

  SearchTimes search_;
};

class LazyPrmStar final : public LazyPrm {
 public:
  explicit LazyPrmStar(const ob::SpaceInformationPtr& information) : LazyPrm(information, true) {
    setName("LazyPRMstar");
    params_.remove("range");
    params_.remove("max_nearest_neighbors");
  }
};

/// The common part of SPARS and SPARStwo, whose classes have nothing in common. `addStart` and `addGoal` take a state.
template <typename Planner>
class Spanner final : public Planner {
 public:
  using Planner::Planner;
  double cost() const { return best_; }

  void clear() override {
    Planner::clear();
    search_.clear();
    best_ = std::numeric_limits<double>::infinity();
  }

  ob::PlannerStatus solve(const ob::PlannerTerminationCondition& ptc) override {
    this->checkValidity();
    this->checkQueryStateInitialization();
    while (const ob::State* start = this->pis_.nextStart()) add(start, Planner::START, this->startM_);
    if (this->startM_.empty()) return ob::PlannerStatus::INVALID_START;
    takeGoals();
    if (this->goalM_.empty()) return ob::PlannerStatus::INVALID_GOAL;
    this->addedSolution_ = false;
    this->resetFailures();
    bool solved = false;
    while (!ptc && !this->reachedFailureLimit()) {
      if (connected() && search_.due(guards())) {
        ob::PathPtr path;
        this->haveSolution(this->startM_, this->goalM_, path);
        if (path) {
          this->pdef_->addSolutionPath(path, false, 0, this->getName());
          best_ = std::min(best_, path->cost(this->opt_).value());
          solved = true;
          search_.searched(guards());
          continue;
        }
      }
      const auto end = this->iterations_ + 64;
      const bool searching = !std::isfinite(best_);
      this->constructRoadmap(ob::PlannerTerminationCondition([&] {
        return ptc || this->reachedFailureLimit() || this->iterations_ >= end || (searching && connected());
      }));
      takeGoals();
    }
    return solved ? ob::PlannerStatus::EXACT_SOLUTION : ob::PlannerStatus::TIMEOUT;
  }

 private:
  template <typename Guard, typename Vertices>
  void add(const ob::State* state, Guard type, Vertices& vertices) {
    // SPARS keeps a dense roadmap beside the sparse one.
    if constexpr (std::is_base_of_v<og::SPARS, Planner>) this->addMilestone(this->si_->cloneState(state));
    vertices.push_back(this->addGuard(this->si_->cloneState(state), type));
  }
  void takeGoals() {
    while (const ob::State* goal = this->pis_.nextGoal()) add(goal, Planner::GOAL, this->goalM_);
  }
  bool connected() {
    for (const auto start : this->startM_)
      for (const auto goal : this->goalM_)
        if (this->sameComponent(start, goal)) return true;
    return false;
  }
  std::size_t guards() const { return boost::num_vertices(this->getRoadmap()); }

  SearchTimes search_;
  double best_ = std::numeric_limits<double>::infinity();
};

template <typename T>
OmplPlannerHandle makeRoadmap(const ob::SpaceInformationPtr& information) {
  const auto planner = std::make_shared<T>(information);
  return {planner, [p = planner.get()] { return p->cost(); }};
}

}  // namespace

OmplPlannerHandle makePrm(const ob::SpaceInformationPtr& i) { return makeRoadmap<Prm>(i); }
OmplPlannerHandle makePrmStar(const ob::SpaceInformationPtr& i) { return makeRoadmap<PrmStar>(i); }
OmplPlannerHandle makeLazyPrm(const ob::SpaceInformationPtr& i) { return makeRoadmap<LazyPrm>(i); }
OmplPlannerHandle makeLazyPrmStar(const ob::SpaceInformationPtr& i) { return makeRoadmap<LazyPrmStar>(i); }
OmplPlannerHandle makeSpars(const ob::SpaceInformationPtr& i) { return makeRoadmap<Spanner<og::SPARS>>(i); }
OmplPlannerHandle makeSparsTwo(const ob::SpaceInformationPtr& i) { return makeRoadmap<Spanner<og::SPARStwo>>(i); }

}  // namespace mortise::ompl_planners
