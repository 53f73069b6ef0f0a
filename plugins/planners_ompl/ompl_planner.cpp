#include "ompl_planner.h"

#include <algorithm>
#include <cmath>
#include <ompl/base/PlannerData.h>
#include <ompl/geometric/PathGeometric.h>
#include <set>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/math/constants.h"
#include "ompl_session.h"
#include "problem_adapter.h"

namespace mortise::ompl_planners {

namespace ob = ompl::base;
namespace og = ompl::geometric;

namespace {

double edgeCost(const PlanningProblem& problem, const VectorXd& a, const VectorXd& b) {
  return problem.objective != nullptr ? problem.objective->edgeCost(a, b) : problem.space.distance(a, b);
}

double costOf(const PlanningProblem& problem, const std::vector<VectorXd>& path) {
  double cost = problem.objective != nullptr ? problem.objective->terminalCost(path.back()) : 0;
  for (std::size_t i = 1; i < path.size(); ++i) cost += edgeCost(problem, path[i - 1], path[i]);
  return cost;
}

/// Returns a value as OMPL reads it.
std::string textOf(const Value& value) {
  if (value.isBool()) return value.asBool() ? "1" : "0";
  if (value.isInteger()) return std::to_string(value.asInteger());
  return formatReal(value.asReal());
}

bool sameSetting(const Value& a, const Value& b) { return textOf(a) == textOf(b); }

/// Options that OMPL takes one by one and that it cannot follow together.
void requireConsistent(const PlannerEntry& entry, const Value& settings) {
  const auto on = [&](std::string_view name) {
    const Value* value = settings.find(name);
    return value != nullptr && value->isBool() && value->asBool();
  };
  const auto refuse = [&](std::string_view name, const std::string& why, const std::string& hint) {
    throw Error(std::string(entry.name) + ": " + std::string(name) + " " + why, settings.at(name).position(), hint);
  };
  const bool informed = on("informed_sampling") || on("focus_search");
  if (on("informed_sampling") && on("sample_rejection"))
    refuse("sample_rejection", "and informed_sampling exclude each other", "choose one of them");
  if (settings.find("informed_sampling") != nullptr && on("ordered_sampling") && !informed && !on("sample_rejection"))
    refuse("ordered_sampling", "orders informed samples, but there are none", "add informed_sampling: true");
  if (on("use_just_in_time_sampling") && on("use_k_nearest"))
    refuse("use_just_in_time_sampling", "needs a radius", "add use_k_nearest: false");
  if (const Value* minimum = settings.find("min_degree")) {
    const auto low = minimum->asInteger(), degree = settings.at("degree").asInteger(),
               high = settings.at("max_degree").asInteger();
    if (low > degree || degree > high)
      refuse("degree", "must lie between min_degree and max_degree",
             "they are " + std::to_string(low) + " and " + std::to_string(high));
  }
}

}  // namespace

OmplPlanner::OmplPlanner(const ComponentContext& context, const PlannerEntry& entry)
    : entry_(entry),
      host_(context.host),
      parameters_(plannerParameters(entry)),
      turn_(std::make_unique<PlanningTurn>()),
      splitsEdges_(entry.splitsEdges) {
  requireConsistent(entry, context.settings);
  for (const PlannerParameter& parameter : parameters_) {
    const Value* value = context.settings.find(parameter.name);
    if (value == nullptr || sameSetting(*value, parameter.defaultValue)) continue;
    if (parameter.name == "intermediate_states") splitsEdges_ = true;
    // LazyPRM forgets its number of neighbors when it is told its range; BITstar does not sample just in time before
    // it looks within a radius.
    const bool first = parameter.name == "range" || parameter.name == "use_k_nearest";
    const auto place = first ? settings_.begin() : settings_.end();
    settings_.insert(place, {parameter.name, *value});
  }
}

OmplPlanner::~OmplPlanner() {
  OmplSession session(random_, &host_);
  reset();
}

void OmplPlanner::reset() {
  made_ = {};
  adapter_.reset();
  unsuitable_.clear();
  worked_ = broken_ = false;
  path_.clear();
  cost_ = kInfinity;
  *turn_ = PlanningTurn();
}

void OmplPlanner::configure(double extent) {
  ob::ParamSet& set = made_.planner->params();
  const auto given = [&](std::string_view name) {
    return std::any_of(settings_.begin(), settings_.end(), [&](const auto& s) { return s.first == name; });
  };
  // With a range of 0 LazyPRM would connect nothing when it is told its number of neighbors.
  if (entry_.name == "LazyPRM" && given("max_nearest_neighbors") && !given("range"))
    set.setParam("range", formatReal(0.2 * extent));
  for (const PlannerParameter& parameter : parameters_)
    if (parameter.ofExtent > 0 && !given(parameter.name))
      set.setParam(parameter.name, formatReal(parameter.ofExtent * extent));
  for (const auto& [name, value] : settings_) {
    if (!set.setParam(name, textOf(value)))
      throw Error("OMPL's " + std::string(entry_.name) + " refuses " + name + " = " + textOf(value));
  }
}

void OmplPlanner::start(const PlanningProblem& problem, RandomStream& random) {
  {
    OmplSession session(random_, &host_);
    reset();
  }
  problem_ = &problem;
  random_.setState({random.bits(), random.bits(), random.bits(), random.bits()});
  OmplSession session(random_, &host_);
  try {
    begin();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error("OMPL's " + std::string(entry_.name) + " cannot take this problem: " + error.what());
  }
}

void OmplPlanner::begin() {
  adapter_ = std::make_unique<ProblemAdapter>(*problem_, random_, *turn_, entry_);
  if (entry_.oneStart && adapter_->definition->getStartStateCount() > 1) {
    unsuitable_ = std::string(entry_.name) + " plans from one start; there are " +
                  std::to_string(adapter_->definition->getStartStateCount());
    return;
  }
  made_ = entry_.make(adapter_->information);
  configure(adapter_->space->getMaximumExtent());
  made_.planner->setProblemDefinition(adapter_->definition);
  made_.planner->setup();
}

PlanningOutcome OmplPlanner::outcome(PlanningStatus status, std::string message) const {
  PlanningOutcome result;
  result.status = path_.empty() ? status : PlanningStatus::solved;
  result.path = path_;
  result.cost = cost_;
  if (path_.empty()) result.message = std::move(message);
  if (adapter_) {
    result.statistics.set("states", static_cast<std::int64_t>(adapter_->space->statesInUse()));
    result.statistics.set("goals", static_cast<std::int64_t>(adapter_->goal->found().size()));
  }
  return result;
}

PlanningOutcome OmplPlanner::plan(PlanningStop& stop) {
  if (problem_ == nullptr || !adapter_ || broken_) throw Error("the planner has no problem to work on: start it first");
  if (!unsuitable_.empty()) return outcome(PlanningStatus::unsuitable, unsuitable_);
  if (adapter_->definition->getStartStateCount() == 0)
    return outcome(PlanningStatus::startInfeasible, "no start is feasible");
  if (!path_.empty() && !entry_.optimizing) return outcome(PlanningStatus::solved);
  OmplSession session(random_, &host_);
  turn_->begin(stop, cost_, made_.cost);
  struct End {
    PlanningTurn& turn;
    ~End() { turn.end(); }
  } end{*turn_};

  if (!worked_ && takeStartInGoal() && (problem_->objective == nullptr || !entry_.optimizing)) {
    turn_->poll();
    return outcome(PlanningStatus::solved);
  }
  if (!adapter_->goal->prepare(entry_.needsGoal) && (entry_.needsGoal || adapter_->goal->finite()))
    return outcome(adapter_->goal->finite() ? PlanningStatus::goalInfeasible : PlanningStatus::goalUnsampled,
                   problem_->goal.explain());
  const double enough = adapter_->minCost() * (1 + 1e-9);  // Up to rounding.
  if (!path_.empty() && cost_ <= enough) return outcome(PlanningStatus::solved);
  turn_->setEnough(enough);
  const bool more = work();
  if (!turn_->halted()) turn_->poll();
  return outcome(more ? PlanningStatus::stopped : PlanningStatus::exhausted,
                 more ? "" : std::string(entry_.name) + " has nothing more to try");
}

bool OmplPlanner::work() {
  try {
    if (worked_ && entry_.startsOver) made_.planner->clear();
    worked_ = true;
    for (;;) {
      if (!made_.planner->isSetup()) made_.planner->setup();
      made_.planner->solve(turn_->condition());
      const bool usable = takeSolutions();
      if (turn_->halted()) return true;
      if (!made_.again && usable) return false;
      if (turn_->poll()) return true;
      if (made_.again) made_.again();
      made_.planner->clear();
    }
  } catch (const Error&) {
    broken_ = true;
    throw;
  } catch (const std::exception& error) {
    broken_ = !turn_->halted() || !entry_.startsOver;
    // A few of OMPL's planners stumble over having been stopped in the middle of their preparations.
    if (turn_->halted()) return true;
    throw Error("OMPL's " + std::string(entry_.name) + " failed: " + error.what());
  } catch (...) {
    broken_ = true;
    throw;
  }
}

bool OmplPlanner::takeStartInGoal() {
  bool any = false;
  for (const VectorXd& start : problem_->starts) {
    if (!problem_->goal.contains(start) || !problem_->space.feasible(start)) continue;
    offer({start});
    any = true;
  }
  return any;
}

bool OmplPlanner::holds(const std::vector<VectorXd>& path) const {
  for (std::size_t i = 1; i < path.size(); ++i)
    if (!problem_->space.feasible(path[i]) || !problem_->space.visible(path[i - 1], path[i])) return false;
  return true;
}

bool OmplPlanner::takeSolutions() {
  bool any = false, used = false;
  for (const ob::PlannerSolution& solution : adapter_->definition->getSolutions()) {
    if (solution.approximate_) continue;
    any = true;
    std::vector<VectorXd> path;
    for (const ob::State* state : static_cast<og::PathGeometric&>(*solution.path_).getStates())
      if (path.empty() || path.back() != configurationOf(state)) path.push_back(configurationOf(state));
    const auto starts = [&](const VectorXd& start) { return problem_->space.distance(start, path.front()) <= 1e-9; };
    if (path.empty() || !problem_->goal.contains(path.back()) ||
        std::none_of(problem_->starts.begin(), problem_->starts.end(), starts) || (splitsEdges_ && !holds(path)))
      continue;
    used = true;
    offer(std::move(path));
  }
  adapter_->definition->clearSolutionPaths();
  return used || !any;
}

void OmplPlanner::offer(std::vector<VectorXd> path) {
  const double cost = costOf(*problem_, path);
  if (!path_.empty() && !(cost < cost_)) return;
  path_ = std::move(path);
  cost_ = cost;
  turn_->improve(cost);
}

bool OmplPlanner::roadmap(Roadmap& roadmap) const {
  roadmap = {};
  if (!made_.planner || broken_) return false;
  RandomStream unused;
  OmplSession session(unused, nullptr);
  if (made_.roadmap) {
    if (!made_.roadmap(roadmap)) return false;
    for (Roadmap::Edge& edge : roadmap.edges)
      edge.cost = edgeCost(*problem_, roadmap.configurations[static_cast<std::size_t>(edge.a)],
                           roadmap.configurations[static_cast<std::size_t>(edge.b)]);
  } else {
    ob::PlannerData data(adapter_->information);
    made_.planner->getPlannerData(data);
    std::set<std::pair<int, int>> seen;
    std::vector<unsigned> neighbors;
    for (unsigned v = 0; v < data.numVertices(); ++v)
      roadmap.configurations.push_back(configurationOf(data.getVertex(v).getState()));
    for (unsigned v = 0; v < data.numVertices(); ++v) {
      data.getEdges(v, neighbors);
      std::sort(neighbors.begin(), neighbors.end());
      for (const unsigned n : neighbors) {
        const int a = static_cast<int>(v), b = static_cast<int>(n);
        // Ways that can be gone both ways are there twice.
        if (!seen.insert({std::min(a, b), std::max(a, b)}).second) continue;
        roadmap.edges.push_back(
            {a, b, edgeCost(*problem_, roadmap.configurations[v], roadmap.configurations[n]), !entry_.lazy});
      }
    }
  }
  for (std::size_t i = 0; i < roadmap.configurations.size(); ++i) {
    const VectorXd& q = roadmap.configurations[i];
    const auto same = [&](const VectorXd& start) { return start == q; };
    if (std::any_of(problem_->starts.begin(), problem_->starts.end(), same))
      roadmap.starts.push_back(static_cast<int>(i));
    if (problem_->goal.contains(q)) roadmap.goals.push_back(static_cast<int>(i));
  }
  return true;
}

}  // namespace mortise::ompl_planners
