#include "mortise/planning/goals/ik_goal_region.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/ik/equations/term_text.h"
#include "mortise/planning/spaces/planned_variables.h"
#include "mortise/planning/spaces/stance_space.h"

namespace mortise {

namespace {

const Mover* moverOf(const MotionSpace& space, int robot) {
  for (const Mover& candidate : space.movers())
    if (candidate.kind == Mover::Kind::robot && candidate.index == robot) return &candidate;
  return nullptr;
}

/// Goals of poses as terms, and the terms.
std::vector<IKTerm> allTerms(const RobotIKGoals& group) {
  std::vector<IKTerm> terms = termsOf(group.goals);
  terms.insert(terms.end(), group.terms.begin(), group.terms.end());
  return terms;
}

/// Those that hold, each counting the same: `weight` compares what gives way.
std::vector<IKTerm> hardTerms(const RobotIKGoals& group) {
  std::vector<IKTerm> hard;
  for (const IKTerm& term : allTerms(group))
    if (term.priority == 0) hard.push_back({term.goal});
  return hard;
}

}  // namespace

PlannedGoalFunction::PlannedGoalFunction(const MotionSpace& space, const World& world,
                                         const std::vector<RobotIKGoals>& goals)
    : dimension_(space.dimension()) {
  std::vector<char> involved(static_cast<std::size_t>(dimension_), 0);
  for (const RobotIKGoals& group : goals) {
    const Mover* mover = moverOf(space, group.robot);
    if (mover == nullptr) {
      const bool exists = group.robot >= 0 && group.robot < static_cast<int>(world.robots.size());
      throw Error("a goal by inverse kinematics is for " +
                      (exists ? "robot '" + world.robots[static_cast<std::size_t>(group.robot)].name + "'"
                              : "robot " + std::to_string(group.robot)) +
                      ", which is not planned for",
                  {}, "give goals of robots that move in the space");
    }
    const WorldRobot& moved = world.robots[static_cast<std::size_t>(group.robot)];
    const PlannedVariables planned = plannedVariables(space, *mover, moved.name);
    for (const int v : relevantVariables(*moved.robot, planned.variables, allTerms(group)))
      involved[static_cast<std::size_t>(v)] = 1;
    std::vector<IKTerm> terms = hardTerms(group);
    IKEquations equations(moved.robot, terms, planned.variables);
    equations.setFixed(planned.base);
    const int row = size_;
    size_ += equations.size();
    parts_.push_back({moved.robot, moved.name, std::move(terms), std::move(equations), row});
  }
  for (int c = 0; c < dimension_; ++c)
    if (!involved[static_cast<std::size_t>(c)]) uninvolved_.push_back(c);
}

double PlannedGoalFunction::residual(const double* q, double* r) {
  double sum = 0;
  for (Part& part : parts_) sum += part.equations.residual(q, r + part.row);
  return sum;
}

void PlannedGoalFunction::jacobian(double* J) {
  if (parts_.size() == 1) return parts_.front().equations.jacobian(J);
  for (Part& part : parts_) {
    J_.resize(part.equations.size(), dimension_);
    part.equations.jacobian(J_.data());
    Eigen::Map<Eigen::MatrixXd>(J, size_, dimension_).middleRows(part.row, J_.rows()) = J_;
  }
}

std::string PlannedGoalFunction::describe(int row) const {
  for (const Part& part : parts_)
    for (std::size_t i = 0; i < part.terms.size(); ++i) {
      const int first = part.row + part.equations.firstRow(static_cast<int>(i));
      if (row >= first && row < first + numEquations(part.terms[i]))
        return termText(*part.robot, part.terms[i]) + " of robot '" + part.name + "'";
    }
  return {};
}

IKGoalRegion::IKGoalRegion(MotionSpace& space, std::shared_ptr<const World> world, std::vector<RobotIKGoals> goals,
                           IKGoalRegionOptions options)
    : space_(space),
      world_(std::move(world)),
      goals_(std::move(goals)),
      options_(std::move(options)),
      function_(space_, *world_, goals_),
      tries_(options_.tries) {
  if (goals_.empty()) throw Error("a goal by inverse kinematics needs at least one link to place");
  if (!(options_.tolerance > 0) || !(options_.solveTolerance > 0) || options_.solveTolerance > options_.tolerance)
    throw Error("the tolerances of a goal by inverse kinematics must be above 0, and solutions at least as exact as " +
                formatReal(options_.tolerance));
  if (options_.tries < 1 || options_.maxIterations < 1)
    throw Error("a goal by inverse kinematics must be tried at least once, for at least one iteration");
  if (!(options_.distinct >= 0)) throw Error("the distance between different solutions must be at least 0");
  const auto suits = [&](const VectorXd& q) { return q.size() == space_.dimension() && q.allFinite(); };
  if (!std::all_of(options_.seeds.begin(), options_.seeds.end(), suits) ||
      (options_.start.size() > 0 && !suits(options_.start)))
    throw Error("a start for inverse kinematics needs " + std::to_string(space_.dimension()) + " finite numbers");
  solving_.maxIterations = options_.maxIterations;
  solving_.tolerance = options_.solveTolerance;
  space_.bounds(low_, high_);
  if (function_.size() == 0)
    throw Error("every goal by inverse kinematics gives way to others, so that any configuration would do", {},
                "give at least one goal of priority 0");
  makeRefiners();
  r_.resize(function_.size());
  statistics_.violated.assign(space_.constraints().size(), 0);
}

void IKGoalRegion::makeRefiners() {
  for (const RobotIKGoals& group : goals_) {
    if (std::none_of(group.terms.begin(), group.terms.end(), [](const IKTerm& term) { return term.priority > 0; }))
      continue;
    const Mover& mover = *moverOf(space_, group.robot);  // The function has found it.
    IKProblem problem;
    problem.robot = world_->robots[static_cast<std::size_t>(group.robot)].robot;
    problem.terms = allTerms(group);
    VectorXd origin, moved;
    space_.lift(VectorXd::Zero(space_.dimension()), origin);
    space_.lift(VectorXd::Constant(space_.dimension(), 0.25), moved);
    for (int i = 0; i < mover.size; ++i)
      if (moved[mover.first + i] != origin[mover.first + i]) problem.active.push_back(i);
    refiners_.push_back({mover.first, mover.size, IKSolver(std::move(problem))});
  }
}

/// Keeps `q` where nothing better that holds is found.
void IKGoalRegion::refine(VectorXd& q) {
  IKOptions options;
  options.tolerance = options_.solveTolerance;
  for (Refiner& refiner : refiners_) {
    space_.lift(q, full_);
    options.start = full_.segment(refiner.first, refiner.size);
    refiner.solver.solveLocal(options, refined_);
    if (!refined_.solved) continue;
    full_.segment(refiner.first, refiner.size) = refined_.q;
    if (!space_.agrees(full_)) continue;
    space_.reduce(full_, better_);
    residual(better_);
    if (r_.cwiseAbs().maxCoeff() <= 10 * options_.solveTolerance) q = better_;
  }
}

void IKGoalRegion::residual(const VectorXd& q) {
  if (q.size() != function_.dimension())
    throw Error("a configuration needs " + std::to_string(function_.dimension()) + " numbers, not " +
                std::to_string(q.size()));
  function_.residual(q.data(), r_.data());
}

bool IKGoalRegion::contains(const VectorXd& q) {
  residual(q);
  return r_.size() == 0 || r_.cwiseAbs().maxCoeff() <= options_.tolerance;
}

double IKGoalRegion::distance(const VectorXd& q) { return contains(q) ? 0 : r_.norm(); }

/// Says whether the next try keeps what no goal depends on. Where that stands in the way, every other one does not.
bool IKGoalRegion::keepsUninvolved() const {
  if (options_.start.size() == 0) return false;
  return keptGiven_ || statistics_.tried < options_.tries || statistics_.tried % 2 == 0;
}

bool IKGoalRegion::attempt(RandomStream& random, VectorXd& q) {
  const bool keeps = keepsUninvolved();
  ++statistics_.tried;
  if (nextSeed_ < options_.seeds.size()) {
    q = options_.seeds[nextSeed_++];
  } else {
    space_.sample(random, q);
  }
  if (keeps)
    for (const int c : function_.uninvolved()) q[c] = options_.start[c];
  if (!solver_.solve(function_, q, low_, high_, solving_).solved) {
    ++statistics_.unsolved;
    residual(q);
    int row = -1;
    const double worst = r_.cwiseAbs().maxCoeff(&row);
    if (worst < statistics_.nearest) {
      statistics_.nearest = worst;
      statistics_.nearestRow = row;
    }
    return false;
  }
  refine(q);
  for (const VectorXd& other : given_) {
    if (space_.distance(q, other) > options_.distinct) continue;
    ++statistics_.known;
    return false;
  }
  int violated = -1;
  if (!space_.feasible(q, &violated)) {
    ++statistics_.violated[static_cast<std::size_t>(violated)];
    noteBalance(q, violated);
    return false;
  }
  keptGiven_ = keptGiven_ || keeps;
  return true;
}

/// Keeps the solution that comes nearest to balance.
void IKGoalRegion::noteBalance(const VectorXd& q, int violated) {
  const auto* standing = dynamic_cast<const StanceSpace*>(&space_);
  if (standing == nullptr || space_.constraints()[static_cast<std::size_t>(violated)] != "balance") return;
  const double margin = standing->balanceMargin(q);
  if (margin <= statistics_.balanceMargin) return;
  statistics_.balanceMargin = margin;
  nearestToBalance_ = q;
  balanceIndex_ = violated;
}

bool IKGoalRegion::sample(RandomStream& random, VectorXd& q) {
  for (int i = 0; i < tries_; ++i) {
    if (!attempt(random, q)) continue;
    ++statistics_.given;
    given_.push_back(q);
    tries_ = options_.tries;
    return true;
  }
  // Where there is nothing more, planners that ask again and again must not pay for it.
  tries_ = std::max(1, tries_ / 2);
  return false;
}

std::string IKGoalRegion::explain() {
  const auto count = [](std::int64_t n) { return std::to_string(n); };
  std::string text = "of " + count(statistics_.tried) + " starts of inverse kinematics, " +
                     count(statistics_.unsolved) + " found no solution";
  for (std::size_t i = 0; i < statistics_.violated.size(); ++i)
    if (statistics_.violated[i] > 0)
      text += ", " + count(statistics_.violated[i]) + " failed '" + std::string(space_.constraints()[i]) + "'";
  if (statistics_.known > 0) text += ", " + count(statistics_.known) + " found one that was known";
  text += ", " + count(statistics_.given) + " gave a goal";
  if (statistics_.given == 0 && nearestToBalance_.size() > 0)
    text += "; nearest to balance: " + space_.explain(balanceIndex_, nearestToBalance_);
  if (statistics_.unsolved == statistics_.tried && statistics_.nearestRow >= 0)
    text += "; the nearest was off by " + formatReal(statistics_.nearest, 4) + " (m or rad) at " +
            function_.describe(statistics_.nearestRow);
  if (statistics_.unsolved < statistics_.tried) return text;
  for (const RobotIKGoals& group : goals_)
    for (const IKTerm& term : allTerms(group))
      if (const std::string reach = reachText(*world_->robots[static_cast<std::size_t>(group.robot)].robot, term);
          !reach.empty())
        return text + "; " + reach;
  return text;
}

std::unique_ptr<PlanningGoal> IKGoalRegion::copy() const {
  std::unique_ptr<MotionSpace> space = space_.copyMotion();
  auto goal = std::make_unique<IKGoalRegion>(*space, world_, goals_, options_);
  goal->own_ = std::move(space);
  return goal;
}

}  // namespace mortise
