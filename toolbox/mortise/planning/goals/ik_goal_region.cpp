#include "mortise/planning/goals/ik_goal_region.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/ik/equations/term_text.h"

namespace mortise {

namespace {

const Mover* moverOf(const MotionSpace& space, int robot) {
  for (const Mover& candidate : space.movers())
    if (candidate.kind == Mover::Kind::robot && candidate.index == robot) return &candidate;
  return nullptr;
}

/// Those that hold, each counting the same: `weight` compares what gives way.
std::vector<IKTerm> hardTerms(const RobotIKGoals& group) {
  std::vector<IKTerm> hard;
  for (const IKTerm& term : group.terms)
    if (term.priority == 0) hard.push_back({term.goal});
  return hard;
}

/// The whole configuration of a robot: one variable a link.
std::vector<IKVariable> linksAsVariables(const Robot& robot) {
  std::vector<IKVariable> links(static_cast<std::size_t>(robot.numLinks()));
  for (int i = 0; i < robot.numLinks(); ++i) links[static_cast<std::size_t>(i)].moves = {{i}};
  return links;
}

std::unique_ptr<IKEquations> equationsOf(const RobotPtr& robot, const std::vector<IKTerm>& terms) {
  if (terms.empty()) return nullptr;
  return std::make_unique<IKEquations>(robot, terms, linksAsVariables(*robot));
}

/// Goals of poses as terms, and the terms.
std::vector<IKTerm> allTerms(const RobotIKGoals& group) {
  std::vector<IKTerm> terms;
  for (const IKGoal& goal : group.goals) terms.push_back({goal});
  terms.insert(terms.end(), group.terms.begin(), group.terms.end());
  return terms;
}

}  // namespace

PlannedGoalFunction::PlannedGoalFunction(const MotionSpace& space, const World& world,
                                         const std::vector<RobotIKGoals>& goals)
    : dimension_(space.dimension()) {
  VectorXd origin, moved;
  std::vector<char> involved(static_cast<std::size_t>(dimension_), 0);
  space.lift(VectorXd::Zero(dimension_), origin);
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
    const RobotPtr& robot = world.robots[static_cast<std::size_t>(group.robot)].robot;
    const std::string& name = world.robots[static_cast<std::size_t>(group.robot)].name;
    Part part{robot,
              name,
              GoalFunction(robot, group.goals),
              hardTerms(group),
              nullptr,
              origin.segment(mover->first, mover->size),
              {},
              size_};
    part.equations = equationsOf(robot, part.terms);
    VectorXd expected = origin.segment(mover->first, mover->size);
    for (int c = 0; c < dimension_; ++c) {
      space.lift(VectorXd::Unit(dimension_, c), moved);
      for (int i = 0; i < mover->size; ++i) {
        const double rate = moved[mover->first + i] - part.constant[i];
        if (rate == 0) continue;
        part.rates.push_back({i, c, rate});
        expected[i] += 0.25 * rate;
      }
    }
    space.lift(VectorXd::Constant(dimension_, 0.25), moved);
    if (!((moved.segment(mover->first, mover->size) - expected).cwiseAbs().maxCoeff() <= 1e-9))
      throw Error("the coordinates of the space do not move robot '" + part.name + "' at fixed rates", {},
                  "give the goal by configurations, or by a condition");
    for (const int link : relevantVariables(*robot, linksAsVariables(*robot), allTerms(group)))
      for (const Rate& rate : part.rates)
        if (rate.link == link) involved[static_cast<std::size_t>(rate.coordinate)] = 1;
    size_ += part.function.size() + (part.equations != nullptr ? part.equations->size() : 0);
    parts_.push_back(std::move(part));
  }
  for (int c = 0; c < dimension_; ++c)
    if (!involved[static_cast<std::size_t>(c)]) uninvolved_.push_back(c);
}

void PlannedGoalFunction::evaluate(const VectorXd& q, VectorXd& r, Eigen::MatrixXd* J) {
  for (Part& part : parts_) {
    const int links = part.function.size();
    const int terms = part.equations != nullptr ? part.equations->size() : 0, rows = links + terms;
    q_ = part.constant;
    for (const Rate& rate : part.rates) q_[rate.link] += rate.value * q[rate.coordinate];
    r_.resize(links);
    if (J != nullptr) J_.resize(links, q_.size());
    part.function.evaluate(q_, r_, J != nullptr ? &J_ : nullptr);
    r.segment(part.row, links) = r_;
    if (terms > 0) part.equations->residual(q_.data(), r.data() + part.row + links);
    if (J == nullptr) continue;
    if (terms > 0) {
      termJ_.resize(terms, q_.size());
      part.equations->jacobian(termJ_.data());
    }
    J->middleRows(part.row, rows).setZero();
    for (const Rate& rate : part.rates) {
      J->col(rate.coordinate).segment(part.row, links) += rate.value * J_.col(rate.link);
      if (terms > 0) J->col(rate.coordinate).segment(part.row + links, terms) += rate.value * termJ_.col(rate.link);
    }
  }
}

std::string PlannedGoalFunction::describe(int row) const {
  for (const Part& part : parts_) {
    const std::vector<IKGoal>& goals = part.function.goals();
    for (std::size_t i = 0; i < goals.size(); ++i) {
      const int first = part.row + part.function.firstRow(static_cast<int>(i));
      if (row >= first && row < first + numEquations(goals[i]))
        return "link '" + part.robot->link(goals[i].link).name + "' of robot '" + part.name + "'";
    }
    for (std::size_t i = 0; i < part.terms.size(); ++i) {
      const int first = part.row + part.function.size() + part.equations->firstRow(static_cast<int>(i));
      if (row >= first && row < first + numEquations(part.terms[i]))
        return termText(*part.robot, part.terms[i]) + " of robot '" + part.name + "'";
    }
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
  space_.bounds(solving_.low, solving_.high);
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
    space_.lift(q, whole_);
    options.start = whole_.segment(refiner.first, refiner.size);
    refiner.solver.solveLocal(options, refined_);
    if (!refined_.solved) continue;
    whole_.segment(refiner.first, refiner.size) = refined_.q;
    if (!space_.agrees(whole_)) continue;
    space_.reduce(whole_, better_);
    residual(better_);
    if (r_.cwiseAbs().maxCoeff() <= 10 * options_.solveTolerance) q = better_;
  }
}

void IKGoalRegion::residual(const VectorXd& q) {
  if (q.size() != function_.dimension())
    throw Error("a configuration needs " + std::to_string(function_.dimension()) + " numbers, not " +
                std::to_string(q.size()));
  function_.evaluate(q, r_, nullptr);
}

bool IKGoalRegion::contains(const VectorXd& q) {
  residual(q);
  return r_.size() == 0 || r_.cwiseAbs().maxCoeff() <= options_.tolerance;
}

double IKGoalRegion::distance(const VectorXd& q) { return contains(q) ? 0 : r_.norm(); }

/// Whether the next try keeps what no goal depends on. Where that stands in the way, every other one does not.
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
  const ConstraintSolution solution = solver_.solve(function_, q, solving_);
  if (!solution.solved) {
    ++statistics_.unsolved;
    if (solution.residual < statistics_.nearest) {
      residual(q);
      statistics_.nearest = solution.residual;
      r_.cwiseAbs().maxCoeff(&statistics_.nearestRow);
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
    return false;
  }
  keptGiven_ = keptGiven_ || keeps;
  return true;
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
