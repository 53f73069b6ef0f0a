#include <algorithm>
#include <cmath>
#include <iterator>
#include <list>
#include <map>
#include <numbers>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/planners/fmt/BFMT.h>
#include <ompl/geometric/planners/fmt/FMT.h>
#include <ompl/geometric/planners/informedtrees/ABITstar.h>
#include <ompl/geometric/planners/informedtrees/AITstar.h>
#include <ompl/geometric/planners/informedtrees/BITstar.h>
#include <ompl/geometric/planners/rrt/InformedRRTstar.h>
#include <ompl/geometric/planners/rrt/LazyLBTRRT.h>
#include <ompl/geometric/planners/rrt/RRTXstatic.h>
#include <ompl/geometric/planners/rrt/RRTsharp.h>
#include <ompl/geometric/planners/rrt/RRTstar.h>
#include <ompl/geometric/planners/rrt/SORRTstar.h>

#include "configuration_state_space.h"
#include "planner_handle.h"

namespace mortise::ompl_planners {

namespace ob = ompl::base;
namespace og = ompl::geometric;

namespace {

/// For those whose `bestCost` is public.
template <typename T>
OmplPlannerHandle makeWithCost(const ob::SpaceInformationPtr& information) {
  const auto planner = std::make_shared<T>(information);
  return {planner, [p = planner.get()] { return p->bestCost().value(); }};
}

/// OMPL's makes the graph of lower bounds, which can take a second, without asking whether to stop, and fails an
/// assertion when a way at the start is not free.
class LazyLbtRrt final : public og::LazyLBTRRT {
 public:
  using LazyLBTRRT::LazyLBTRRT;
  double cost() const { return bestCost_; }

  void clear() override {
    LazyLBTRRT::clear();
    // They were deleted; the destructor deletes them as well.
    LPAstarApx_ = nullptr;
    LPAstarLb_ = nullptr;
  }

  ob::PlannerStatus solve(const ob::PlannerTerminationCondition& ptc) override {
    checkValidity();
    auto* const goal = static_cast<ob::GoalSampleableRegion*>(pdef_->getGoal().get());
    const ob::State* const start = pis_.nextStart();
    if (start == nullptr) return ob::PlannerStatus::INVALID_START;
    startMotion_ = createMotion(goal, start);
    if (!sampler_) sampler_ = si_->allocStateSampler();
    Motion sample(si_);
    ob::State* const reached = si_->allocState();
    goalMotion_ = createGoalMotion(goal);
    CostEstimatorLb leftLower(goal, idToMotionMap_);
    LPAstarLb_ = new LPAstarLb(startMotion_->id_, goalMotion_->id_, graphLb_, leftLower);
    CostEstimatorApx left(this);
    LPAstarApx_ = new LPAstarApx(goalMotion_->id_, startMotion_->id_, graphApx_, left);
    bestCost_ = std::numeric_limits<double>::infinity();
    double nearest = std::numeric_limits<double>::infinity();
    rrt(ptc, goal, reached, &sample, nearest);
    std::list<std::size_t> path;
    if (edgesAtGoal() > 0) {
      bestCost_ = LPAstarApx_->computeShortestPath(path);
      for (std::size_t i = 0; i < idToMotionMap_.size() && !ptc; ++i) boundBelow(idToMotionMap_[i]);
      if (!ptc) meetBounds(ptc);
      while (!ptc) {
        ++iterations_;
        const auto [near, state, distance] = rrtExtend(goal, reached, &sample, nearest);
        if (state != nullptr) {
          Motion* const added = createMotion(goal, state);
          addEdgeApx(near, added, distance);
          addEdgeLb(near, added, distance);
          boundBelow(added);
          meetBounds(ptc);
        }
        path.clear();
        bestCost_ = std::min(bestCost_, LPAstarApx_->computeShortestPath(path));
      }
      path.clear();
      LPAstarApx_->computeShortestPath(path);
      const auto found = std::make_shared<og::PathGeometric>(si_);
      for (auto id = path.rbegin(); id != path.rend(); ++id) found->append(idToMotionMap_[*id]->state_);
      pdef_->addSolutionPath(found, false, 0, getName());
    }
    si_->freeState(sample.state_);
    si_->freeState(reached);
    return path.empty() ? ob::PlannerStatus::TIMEOUT : ob::PlannerStatus::EXACT_SOLUTION;
  }

 private:
  std::size_t edgesAtGoal() const { return boost::out_degree(goalMotion_->id_, graphApx_); }

  /// Ways to the nearest, which are assumed to be free until one of them matters.
  void boundBelow(Motion* motion) {
    const double n = static_cast<double>(idToMotionMap_.size()), dimension = si_->getStateDimension();
    std::vector<Motion*> near;
    nn_->nearestK(motion, static_cast<std::size_t>(std::ceil(std::numbers::e * (1 + 1 / dimension) * std::log(n))),
                  near);
    for (Motion* const other : near)
      if (other->id_ != motion->id_ && !edgeExistsLb(motion, other))
        addEdgeLb(motion, other, distanceFunction(motion, other));
  }

  /// Looks at ways of the shortest path that may be, last ones first, until the path that is costs little more.
  void meetBounds(const ob::PlannerTerminationCondition& ptc) {
    std::list<std::size_t> path;
    double cost = LPAstarApx_->computeShortestPath(path), bound = LPAstarLb_->computeShortestPath(path = {});
    while (cost > (1 + epsilon_) * bound && path.size() > 1 && !ptc) {
      auto from = std::prev(path.end()), to = from--;
      while (from != path.begin() && edgeExistsApx(*from, *to)) to = from--;
      Motion *const a = idToMotionMap_[*from], *const b = idToMotionMap_[*to];
      if (edgeExistsApx(a, b)) return;
      if (checkMotion(a, b)) {
        addEdgeApx(b, a, distanceFunction(a, b));
        std::list<std::size_t> known;
        cost = LPAstarApx_->computeShortestPath(known);
      } else {
        boost::remove_edge(a->id_, b->id_, graphLb_);
        if (b != startMotion_) LPAstarLb_->removeEdge(a->id_, b->id_);
        if (a != startMotion_) LPAstarLb_->removeEdge(b->id_, a->id_);
        bound = LPAstarLb_->computeShortestPath(path = {});
      }
    }
  }
};

/// The marching trees draw all their samples first and end with the path through them. Twice as many give a better one.
template <typename T>
OmplPlannerHandle makeMarchingTree(const ob::SpaceInformationPtr& information) {
  const auto planner = std::make_shared<T>(information);
  OmplPlannerHandle made{planner};
  made.again = [p = planner.get()] {
    if (p->getNumSamples() < 1000000) p->setNumSamples(2 * p->getNumSamples());
  };
  return made;
}

/// OMPL's own list would keep every vertex in a global set until the process ends.
bool roadmapOfAitStar(const og::AITstar& planner, Roadmap& roadmap) {
  std::map<std::size_t, int> indices;
  const auto vertices = planner.getVerticesInReverseSearchTree();
  for (const auto& vertex : vertices) {
    indices.emplace(vertex->getId(), static_cast<int>(roadmap.configurations.size()));
    roadmap.configurations.push_back(configurationOf(vertex->getState()));
  }
  for (const auto& vertex : vertices) {
    const int index = indices.at(vertex->getId());
    if (!vertex->hasForwardParent()) continue;
    const auto parent = indices.find(vertex->getForwardParent()->getId());
    if (parent != indices.end()) roadmap.edges.push_back({parent->second, index});
  }
  return true;
}

/// Debian's OMPL (1.5.2) frees some states of this planner twice when it is cleared or ends, which ends the process.
/// The list from which it frees them is emptied before, so that its states are leaked.
class LeakingBfmt final : public og::BFMT {
 public:
  using og::BFMT::BFMT;
  ~LeakingBfmt() override {
    if (nn_) nn_->clear();
  }
  void clear() override {
    if (nn_) nn_->clear();
    og::BFMT::clear();
  }
};

}  // namespace

OmplPlannerHandle makeRrtStar(const ob::SpaceInformationPtr& i) { return makeWithCost<og::RRTstar>(i); }
OmplPlannerHandle makeInformedRrtStar(const ob::SpaceInformationPtr& i) { return makeWithCost<og::InformedRRTstar>(i); }
OmplPlannerHandle makeSorrtStar(const ob::SpaceInformationPtr& i) { return makeWithCost<og::SORRTstar>(i); }
OmplPlannerHandle makeRrtSharp(const ob::SpaceInformationPtr& i) { return makeWithCost<og::RRTsharp>(i); }
OmplPlannerHandle makeRrtX(const ob::SpaceInformationPtr& i) { return makeWithCost<og::RRTXstatic>(i); }
OmplPlannerHandle makeFmt(const ob::SpaceInformationPtr& i) { return makeMarchingTree<og::FMT>(i); }
OmplPlannerHandle makeBfmt(const ob::SpaceInformationPtr& i) { return makeMarchingTree<LeakingBfmt>(i); }

OmplPlannerHandle makeLazyLbtRrt(const ob::SpaceInformationPtr& i) {
  const auto planner = std::make_shared<LazyLbtRrt>(i);
  return {planner, [p = planner.get()] { return p->cost(); }};
}

OmplPlannerHandle makeBitStar(const ob::SpaceInformationPtr& i) {
  OmplPlannerHandle made = makeWithCost<og::BITstar>(i);
  made.roadmap = [](Roadmap&) { return false; };
  return made;
}

OmplPlannerHandle makeAbitStar(const ob::SpaceInformationPtr& i) {
  OmplPlannerHandle made = makeWithCost<og::ABITstar>(i);
  made.roadmap = [](Roadmap&) { return false; };
  return made;
}

OmplPlannerHandle makeAitStar(const ob::SpaceInformationPtr& i) {
  OmplPlannerHandle made = makeWithCost<og::AITstar>(i);
  made.roadmap = [p = static_cast<const og::AITstar*>(made.planner.get())](Roadmap& roadmap) {
    return roadmapOfAitStar(*p, roadmap);
  };
  return made;
}

}  // namespace mortise::ompl_planners
