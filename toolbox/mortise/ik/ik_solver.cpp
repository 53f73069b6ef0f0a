#include "mortise/ik/ik_solver.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>
#include <thread>

#include "mortise/base/error.h"
#include "mortise/ik/ik_solver_state.h"

namespace mortise {

void IKSolver::State::chooseVariables() {
  const Robot& robot = *problem.robot;
  std::vector<IKVariable> all = ikVariables(robot, problem.limits);
  if (!problem.active.empty()) {
    std::vector<char> active(static_cast<std::size_t>(robot.numLinks()), 0);
    for (const int link : problem.active) {
      if (link < 0 || link >= robot.numLinks())
        throw Error("link " + std::to_string(link) + " cannot be active: robot '" + robot.name() + "' has no such link",
                    {}, "links run from 0 to " + std::to_string(robot.numLinks() - 1));
      active[static_cast<std::size_t>(link)] = 1;
    }
    std::erase_if(all, [&](const IKVariable& variable) {
      return std::none_of(variable.moves.begin(), variable.moves.end(), [&](const DrivenCoordinate& move) {
        return active[static_cast<std::size_t>(move.link)] != 0;
      });
    });
  }
  for (const int v : relevantVariables(robot, all, problem.terms))
    variables.push_back(all[static_cast<std::size_t>(v)]);
  for (const IKVariable& variable : variables) {
    low.push_back(variable.turns ? -kInfinity : variable.low);
    high.push_back(variable.turns ? kInfinity : variable.high);
    none.push_back(kInfinity);
    noneBelow.push_back(-kInfinity);
  }
}

IKWorker& IKSolver::State::worker(std::size_t i) {
  while (workers.size() <= i) {
    workers.push_back(std::make_unique<IKWorker>(IKEquations(problem.robot, hard, variables)));
    for (std::vector<double>* x : {&workers.back()->x, &workers.back()->other, &workers.back()->best.x})
      x->reserve(variables.size());
  }
  if (workers[i]->equations.setFixed(start) && i == 0) findClosedForm();
  return *workers[i];
}

void IKSolver::State::begin(const IKOptions& options) {
  if (options.method == IKMethod::analytic) requireClosedForm();
  if (options.start.size() > 0)
    start = options.start;
  else
    for (Eigen::Index i = 0; i < start.size(); ++i) start[i] = problem.robot->link(static_cast<int>(i)).q;
  if (start.size() != problem.robot->numLinks() || !start.allFinite())
    throw Error("the start of inverse kinematics needs " + std::to_string(problem.robot->numLinks()) +
                " finite numbers, one for each link");
  if (!(options.tolerance > 0) || options.maxIterations < 0 || options.threads < 1)
    throw Error("inverse kinematics needs a tolerance above 0, at least 0 iterations and at least one thread");
  xStart.resize(variables.size());
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const double value = variableValue(variables[v], start);
    xStart[v] = variables[v].turns ? value : std::clamp(value, low[v], high[v]);
  }
}

void IKSolver::State::sample(RandomStream& random, std::vector<double>& x) const {
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const IKVariable& variable = variables[v];
    const bool revolute = problem.robot->link(variable.moves[0].link).motion == LinkMotion::revolute;
    const double u = random.uniform();
    if (variable.turns)
      x[v] = xStart[v] + (2 * u - 1) * std::numbers::pi;
    else if (std::isfinite(variable.low) && std::isfinite(variable.high))
      x[v] = variable.low + u * (variable.high - variable.low);
    else  // Within half a turn, or a meter.
      x[v] = std::clamp(xStart[v] + (2 * u - 1) * (revolute ? std::numbers::pi : 1.0), low[v], high[v]);
  }
}

/// Angles that turn come to rest within their limits, as near to the start as these let them.
void IKSolver::State::settle(std::vector<double>& x) const {
  constexpr double kTurn = 2 * std::numbers::pi;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const IKVariable& variable = variables[v];
    if (!variable.turns) continue;
    double angle = x[v] - kTurn * std::round((x[v] - xStart[v]) / kTurn);
    if (angle < variable.low) angle += kTurn * std::ceil((variable.low - angle) / kTurn);
    if (angle > variable.high) angle -= kTurn * std::ceil((angle - variable.high) / kTurn);
    x[v] = std::max(variable.low, angle);
  }
}

double IKSolver::State::distance(const std::vector<double>& x) const {
  double sum = 0;
  for (std::size_t v = 0; v < x.size(); ++v) sum += (x[v] - xStart[v]) * (x[v] - xStart[v]);
  return std::sqrt(sum);
}

DampedNewtonResult IKSolver::State::attempt(IKWorker& worker, const IKOptions& options, int index) const {
  worker.x.resize(variables.size());
  if (index == 0) {
    std::copy(xStart.begin(), xStart.end(), worker.x.begin());
  } else {
    RandomStream random(options.seed + 0x9E3779B97F4A7C15ull * static_cast<std::uint64_t>(index), "ik");
    sample(random, worker.x);
  }
  DampedNewtonOptions newton;
  newton.tolerance = options.tolerance;
  newton.maxIterations = options.maxIterations;
  if (index > 0) newton.stall = 1e-3;
  const DampedNewtonResult result =
      worker.newton.solve(worker.equations, worker.x.data(), low.data(), high.data(), newton);
  return result.solved || index > 0 ? result : aroundLimits(worker, newton, result);
}

/// Limits can be in the way of steps though not of the solution, and small steps can end in a minimum that large ones
/// pass: once more with hardly any damping and no limits, turned back between them and moved on from there.
DampedNewtonResult IKSolver::State::aroundLimits(IKWorker& worker, const DampedNewtonOptions& newton,
                                                 DampedNewtonResult first) const {
  DampedNewtonOptions bold = newton;
  bold.damping = 1e-5;
  constexpr double kTurn = 2 * std::numbers::pi;
  worker.other.assign(xStart.begin(), xStart.end());
  std::vector<double>& x = worker.other;
  DampedNewtonResult result = worker.newton.solve(worker.equations, x.data(), noneBelow.data(), none.data(), bold);
  int iterations = first.iterations + result.iterations;
  first.iterations = iterations;
  bool inside = true;
  for (std::size_t v = 0; v < x.size(); ++v) {
    if (variables[v].angle && !variables[v].turns) {
      if (x[v] < low[v]) x[v] += kTurn * std::ceil((low[v] - x[v]) / kTurn);
      if (x[v] > high[v]) x[v] -= kTurn * std::ceil((x[v] - high[v]) / kTurn);
    }
    inside = inside && x[v] >= low[v] && x[v] <= high[v];
    x[v] = std::clamp(x[v], low[v], high[v]);
  }
  if (!result.solved || !inside) {
    result = worker.newton.solve(worker.equations, x.data(), low.data(), high.data(), newton);
    iterations += result.iterations;
  }
  if (!result.solved && result.residual >= first.residual) return first;
  result.iterations = iterations;
  worker.x.swap(worker.other);
  return result;
}

/// Says whether `a` is the better of two tries: the solved one; the nearer, or else the earlier; of unsolved ones the
/// one that misses by less.
bool IKSolver::State::better(const IKBest& a, const IKBest& b, bool nearest) const {
  if (b.index < 0 || a.index < 0) return b.index < 0;
  if (a.result.solved != b.result.solved) return a.result.solved;
  if (a.result.solved && nearest && a.distance != b.distance) return a.distance < b.distance;
  if (!a.result.solved && a.result.residual != b.result.residual) return a.result.residual < b.result.residual;
  return a.index < b.index;
}

void IKSolver::State::run(IKWorker& worker, const IKOptions& options, std::atomic<int>& next, std::atomic<int>& end) {
  IKBest& best = worker.best;
  IKBest made;
  while (true) {
    if (options.stop && &worker == workers.front().get() && worker.best.index >= 0 && options.stop()) end = 0;
    const int index = next.fetch_add(1);
    if (index >= end.load()) return;
    made.index = index;
    made.result = attempt(worker, options, index);
    work[static_cast<std::size_t>(index)] = made.result.iterations;
    if (made.result.solved) {
      settle(worker.x);
      if (options.nearest) {
        made.distance = distance(worker.x);
      } else {
        for (int now = end.load(); index + 1 < now && !end.compare_exchange_weak(now, index + 1);) {
        }
      }
    }
    if (!better(made, best, options.nearest)) continue;
    best.result = made.result;
    best.index = made.index;
    best.distance = made.distance;
    best.x.assign(worker.x.begin(), worker.x.end());
  }
}

/// Tries that take some 10 ms where nothing else runs; a count, so that the answer depends on no clock.
int IKSolver::State::budget(const IKOptions& options) const {
  if (variables.empty()) return 0;
  if (options.restarts >= 0) return options.restarts;
  const double n = static_cast<double>(variables.size()), m = workers.front()->equations.size();
  const double iteration = 1e-7 + 3e-8 * n + 1.5e-9 * n * m * std::min(n, m);
  return std::clamp(static_cast<int>(0.010 / (25 * iteration)), 20, 2000);
}

void IKSolver::State::answer(const IKBest& best, int iterations, IKSolution& solution) {
  solution.solved = best.result.solved;
  solution.q = start;
  settled.assign(best.x.begin(), best.x.end());
  settle(settled);
  for (std::size_t v = 0; v < variables.size(); ++v) setVariable(variables[v], settled[v], solution.q);
  solution.residual = best.result.residual;
  solution.restarts = best.index;
  solution.iterations = iterations;
  solution.method = IKMethod::numeric;
}

void IKSolver::State::sortTerms() {
  hard.clear();
  std::vector<int> priorities;
  for (const IKTerm& term : problem.terms) {
    if (term.priority < 0)
      throw Error("a goal has priority " + std::to_string(term.priority), {},
                  "0 is for goals that must hold, 1, 2, ... for those that give way");
    if (term.priority == 0) hard.push_back(term);
    priorities.push_back(term.priority);
  }
  priorities.push_back(0);
  std::sort(priorities.begin(), priorities.end());
  priorities.erase(std::unique(priorities.begin(), priorities.end()), priorities.end());
  if (priorities.size() == 1) {  // One level needs no list, but where a posture is asked for.
    if (!levels.empty()) levels.assign(1, hard);
    return;
  }
  levels.assign(priorities.size(), {});
  for (const IKTerm& term : problem.terms)
    levels[static_cast<std::size_t>(std::lower_bound(priorities.begin(), priorities.end(), term.priority) -
                                    priorities.begin())]
        .push_back(term);
}

/// From where the exact goals hold to what else is asked for.
void IKSolver::State::refine(const IKOptions& options, IKSolution& solution) {
  const bool biased = options.nearest || options.bias.size() > 0;
  if (!solution.solved || variables.empty() || (levels.size() < 2 && !biased && !problem.cost)) return;
  if (options.bias.size() > 0 && options.bias.size() != problem.robot->numLinks())
    throw Error("a posture to be near to needs " + std::to_string(problem.robot->numLinks()) + " numbers");
  if (levels.empty()) levels.assign(1, hard);
  if (refinement == nullptr) refinement = std::make_unique<IKRefinement>(problem.robot, levels, variables);
  refinement->setFixed(start);
  std::vector<double> x = settled, bias;
  if (biased)
    for (std::size_t v = 0; v < variables.size(); ++v)
      bias.push_back(options.bias.size() > 0 ? variableValue(variables[v], options.bias) : xStart[v]);
  RefinementOptions refining;
  refining.tolerance = options.tolerance;
  std::vector<double> residuals = refinement->refine(workers.front()->newton, x.data(), low.data(), high.data(),
                                                     biased ? bias.data() : nullptr, problem.cost, refining);
  settle(x);
  for (std::size_t v = 0; v < variables.size(); ++v) setVariable(variables[v], x[v], solution.q);
  solution.residual = residuals.front();
  if (levels.size() > 1) solution.levels = std::move(residuals);
}

IKSolver::IKSolver(IKProblem problem) : state_(std::make_unique<State>()) {
  state_->problem = std::move(problem);
  state_->chooseVariables();
  state_->sortTerms();
  state_->start = state_->problem.robot->initialConfiguration();
  state_->worker(0);
  state_->findClosedForm();
  state_->settled.reserve(state_->variables.size());
  state_->angles.reserve(16);
}

IKSolver::~IKSolver() = default;
IKSolver::IKSolver(IKSolver&&) noexcept = default;
IKSolver& IKSolver::operator=(IKSolver&&) noexcept = default;

const IKProblem& IKSolver::problem() const { return state_->problem; }
const std::vector<IKVariable>& IKSolver::variables() const { return state_->variables; }

void IKSolver::setTerms(const std::vector<IKTerm>& terms) {
  State& s = *state_;
  s.problem.terms.assign(terms.begin(), terms.end());
  s.sortTerms();
  if (s.refinement != nullptr) s.refinement->setTerms(s.levels);
  for (auto& worker : s.workers) worker->equations.setTerms(s.hard);
}

void IKSolver::solveLocal(const IKOptions& options, IKSolution& solution) {
  State& s = *state_;
  s.begin(options);
  IKWorker& worker = s.worker(0);
  worker.best.result = s.attempt(worker, options, 0);
  worker.best.index = 0;
  worker.best.x.assign(worker.x.begin(), worker.x.end());
  s.answer(worker.best, worker.best.result.iterations, solution);
  s.refine(options, solution);
}

void IKSolver::solve(const IKOptions& options, IKSolution& solution) {
  State& s = *state_;
  s.begin(options);
  IKWorker& worker = s.worker(0);
  if (options.method != IKMethod::numeric && s.closed != nullptr && s.solveClosed(worker, options)) {
    s.answer(worker.best, worker.best.result.iterations, solution);
    solution.method = IKMethod::analytic;
    return s.refine(options, solution);
  }
  const int tries = options.method == IKMethod::analytic ? 1 : s.budget(options) + 1;
  s.work.assign(static_cast<std::size_t>(tries), 0);
  worker.best.index = -1;
  // Most problems are solved before a thread would have started.
  constexpr int kAlone = 16;
  std::atomic<int> next = 0, end = options.threads > 1 ? std::min(tries, kAlone) : tries;
  s.run(worker, options, next, end);
  const bool done = worker.best.result.solved && !options.nearest;
  if (options.threads > 1 && !done && end < tries) {
    next = end.load();
    end = tries;
    for (std::size_t t = 1; t < static_cast<std::size_t>(options.threads); ++t) {
      IKWorker& other = s.worker(t);
      other.best.index = -1;
      s.threads.emplace_back([&s, &other, &options, &next, &end] { s.run(other, options, next, end); });
    }
    s.run(worker, options, next, end);
    for (std::thread& thread : s.threads) thread.join();
    s.threads.clear();
  }
  IKBest* best = &worker.best;
  for (std::size_t t = 1; t < s.workers.size() && options.threads > 1 && !done; ++t)
    if (s.better(s.workers[t]->best, *best, options.nearest)) best = &s.workers[t]->best;
  // Tries beyond the answer's do not count: how many there were depends on the threads.
  int iterations = 0;
  const std::size_t counted =
      best->result.solved && !options.nearest ? static_cast<std::size_t>(best->index) + 1 : s.work.size();
  for (std::size_t i = 0; i < counted; ++i) iterations += s.work[i];
  if (!best->result.solved) {  // Tries ended where little more was to be gained: now to the last digit.
    worker.x.assign(best->x.begin(), best->x.end());
    DampedNewtonOptions newton;
    newton.tolerance = options.tolerance;
    newton.maxIterations = 10 * options.maxIterations;
    best->result = worker.newton.solve(worker.equations, worker.x.data(), s.low.data(), s.high.data(), newton);
    best->x.assign(worker.x.begin(), worker.x.end());
  }
  s.answer(*best, iterations, solution);
  s.refine(options, solution);
}

IKSolution IKSolver::solveLocal(const IKOptions& options) {
  IKSolution solution;
  solveLocal(options, solution);
  return solution;
}

IKSolution IKSolver::solve(const IKOptions& options) {
  IKSolution solution;
  solve(options, solution);
  return solution;
}

}  // namespace mortise
