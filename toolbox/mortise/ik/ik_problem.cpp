#include "mortise/ik/ik_problem.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numbers>
#include <optional>
#include <thread>

#include "mortise/base/error.h"
#include "mortise/base/random.h"

namespace mortise {

namespace {

/// What one thread needs.
struct Worker {
  explicit Worker(IKEquations e) : equations(std::move(e)) {}
  IKEquations equations;
  DampedNewton newton;
  std::vector<double> x;
};

struct Try {
  DampedNewtonResult result;
  std::vector<double> x;
  double distance = 0;
};

}  // namespace

struct IKSolver::State {
  IKProblem problem;
  std::vector<IKVariable> variables;
  std::vector<IKTerm> hard;
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<double> low, high;  ///< Without those of variables that turn.
  VectorXd start;
  std::vector<double> xStart;

  void chooseVariables();
  Worker& worker(std::size_t i);
  void begin(const IKOptions& options);
  void place(const IKOptions& options, int attempt, std::vector<double>& x) const;
  void sample(RandomStream& random, std::vector<double>& x) const;
  void settle(std::vector<double>& x) const;
  DampedNewtonResult attempt(Worker& worker, const IKOptions& options, int index) const;
  IKSolution answer(const Try& best, int restarts, int iterations) const;
  int budget(const IKOptions& options) const;
};

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
      return std::none_of(variable.moves.begin(), variable.moves.end(),
                          [&](const DrivenCoordinate& move) { return active[static_cast<std::size_t>(move.link)]; });
    });
  }
  for (const int v : relevantVariables(robot, all, problem.terms))
    variables.push_back(all[static_cast<std::size_t>(v)]);
  for (const IKVariable& variable : variables) {
    low.push_back(variable.turns ? -kInfinity : variable.low);
    high.push_back(variable.turns ? kInfinity : variable.high);
  }
}

Worker& IKSolver::State::worker(std::size_t i) {
  while (workers.size() <= i) workers.push_back(std::make_unique<Worker>(IKEquations(problem.robot, hard, variables)));
  workers[i]->equations.setFixed(start);
  return *workers[i];
}

void IKSolver::State::begin(const IKOptions& options) {
  start = options.start.size() > 0 ? options.start : problem.robot->initialConfiguration();
  if (start.size() != problem.robot->numLinks() || !start.allFinite())
    throw Error("the start of inverse kinematics needs " + std::to_string(problem.robot->numLinks()) +
                " finite numbers, one for each link");
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
    if (std::isfinite(variable.low) && std::isfinite(variable.high))
      x[v] = variable.low + u * (variable.high - variable.low);
    else if (revolute)
      x[v] = std::clamp(xStart[v] + (2 * u - 1) * std::numbers::pi, low[v], high[v]);
    else
      x[v] = std::clamp(xStart[v] + 2 * u - 1, low[v], high[v]);  // Within a meter.
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

DampedNewtonResult IKSolver::State::attempt(Worker& worker, const IKOptions& options, int index) const {
  worker.x.resize(variables.size());
  if (index == 0) {
    worker.x = xStart;
  } else {
    RandomStream random(options.seed + 0x9E3779B97F4A7C15ull * static_cast<std::uint64_t>(index), "ik");
    sample(random, worker.x);
  }
  DampedNewtonOptions newton;
  newton.tolerance = options.tolerance;
  newton.maxIterations = options.maxIterations;
  if (index > 0) newton.stall = 1e-3;
  return worker.newton.solve(worker.equations, worker.x.data(), low.data(), high.data(), newton);
}

/// Tries that take some 10 ms where nothing else runs; a count, so that the answer depends on no clock.
int IKSolver::State::budget(const IKOptions& options) const {
  if (variables.empty()) return 0;
  if (options.restarts >= 0) return options.restarts;
  const double n = static_cast<double>(variables.size()), m = workers.front()->equations.size();
  const double iteration = 1e-7 + 3e-8 * n + 1.5e-9 * n * m * std::min(n, m);
  return std::clamp(static_cast<int>(0.010 / (25 * iteration)), 20, 2000);
}

IKSolution IKSolver::State::answer(const Try& best, int restarts, int iterations) const {
  IKSolution solution;
  solution.solved = best.result.solved;
  solution.q = start;
  std::vector<double> x = best.x;
  settle(x);
  for (std::size_t v = 0; v < variables.size(); ++v) setVariable(variables[v], x[v], solution.q);
  solution.residual = best.result.residual;
  solution.restarts = restarts;
  solution.iterations = iterations;
  return solution;
}

IKSolver::IKSolver(IKProblem problem) : state_(std::make_unique<State>()) {
  state_->problem = std::move(problem);
  state_->chooseVariables();
  for (const IKTerm& term : state_->problem.terms)
    if (term.priority == 0) state_->hard.push_back(term);
  state_->start = state_->problem.robot->initialConfiguration();
  state_->worker(0);
}

IKSolver::~IKSolver() = default;
IKSolver::IKSolver(IKSolver&&) noexcept = default;
IKSolver& IKSolver::operator=(IKSolver&&) noexcept = default;

const IKProblem& IKSolver::problem() const { return state_->problem; }
const std::vector<IKVariable>& IKSolver::variables() const { return state_->variables; }

IKSolution IKSolver::solveLocal(const IKOptions& options) {
  State& s = *state_;
  s.begin(options);
  Worker& worker = s.worker(0);
  Try one;
  one.result = s.attempt(worker, options, 0);
  one.x = worker.x;
  return s.answer(one, 0, one.result.iterations);
}

IKSolution IKSolver::solve(const IKOptions& options) {
  State& s = *state_;
  s.begin(options);
  Worker& worker = s.worker(0);
  const int tries = s.budget(options) + 1;
  Try best;
  int from = 0, iterations = 0;
  for (int i = 0; i < tries; ++i) {
    const DampedNewtonResult result = s.attempt(worker, options, i);
    iterations += result.iterations;
    if (i == 0 || result.residual < best.result.residual || (result.solved && !best.result.solved)) {
      best.result = result;
      best.x = worker.x;
      from = i;
    }
    if (result.solved) break;
  }
  if (!best.result.solved) {  // Tries ended where little more was to be gained: now to the last digit.
    worker.x = best.x;
    DampedNewtonOptions newton;
    newton.tolerance = options.tolerance;
    newton.maxIterations = 10 * options.maxIterations;
    best.result = worker.newton.solve(worker.equations, worker.x.data(), s.low.data(), s.high.data(), newton);
    best.x = worker.x;
  }
  return s.answer(best, from, iterations);
}

}  // namespace mortise
