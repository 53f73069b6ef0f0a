#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/ik/ik_solver_state.h"
#include "mortise/math/rotation.h"
#include "mortise/model/robot_state.h"

namespace mortise {

/// The one goal of the problem where it is the whole pose of a link in a frame that stands still.
const IKGoal* IKSolver::State::onlyPose() const {
  if (hard.size() != 1 || variables.size() > kMaxJoints) return nullptr;
  const auto* goal = std::get_if<IKGoal>(&hard[0].goal);
  if (goal == nullptr || goal->position != IKGoal::Position::point || goal->rotation != IKGoal::Rotation::fixed)
    return nullptr;
  for (const IKVariable& variable : variables)
    if (!variable.angle ||
        (goal->destination >= 0 && problem.robot->isAncestor(variable.moves[0].link, goal->destination)))
      return nullptr;
  return goal;
}

void IKSolver::State::findClosedForm() {
  closed = nullptr;
  const IKGoal* goal = onlyPose();
  if (goal == nullptr) return;
  X_WD = RigidTransform();
  if (goal->destination >= 0) {
    RobotState state(*problem.robot);
    state.q = start;
    updateFrames(*problem.robot, state);
    X_WD = state.X_WL[static_cast<std::size_t>(goal->destination)];
  }
  closed =
      problem.analytic != nullptr
          ? problem.analytic
          : std::shared_ptr<const AnalyticIK>(findAnalyticIK(screwChain(*problem.robot, variables, goal->link, start)));
}

/// Angles turned by whole turns to where they are within limits and nearest to the start. False where they cannot be.
bool IKSolver::State::admit(const JointAngles& solution, std::vector<double>& x) const {
  constexpr double kTurn = 2 * std::numbers::pi, kSlack = 1e-6;
  x.resize(variables.size());
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const double low = variables[v].low, high = variables[v].high;
    if (!std::isfinite(solution[v])) return false;
    double angle = solution[v] - kTurn * std::round((solution[v] - xStart[v]) / kTurn);
    if (angle < low - kSlack) angle += kTurn * std::ceil((low - kSlack - angle) / kTurn);
    if (angle > high + kSlack) angle -= kTurn * std::ceil((angle - high - kSlack) / kTurn);
    if (angle < low - kSlack) return false;
    x[v] = std::clamp(angle, low, high);
  }
  return true;
}

/// Collects the solutions of the closed form within limits, the nearest to the start first.
bool IKSolver::State::collectCandidates() {
  const IKGoal& goal = std::get<IKGoal>(hard[0].goal);
  const Matrix3d R_DL = rotationFromMoment(goal.rotationVector_DL);
  const RigidTransform X_WL = X_WD * RigidTransform(R_DL, goal.p_DP - R_DL * goal.p_LP);
  JointAngles reference = {};
  std::copy(xStart.begin(), xStart.end(), reference.begin());
  angles.clear();
  closed->solve(X_WL, reference, angles);
  numCandidates = 0;
  for (const JointAngles& solution : angles) {
    if (candidates.size() <= numCandidates) candidates.emplace_back();
    Candidate& candidate = candidates[numCandidates];
    if (!admit(solution, candidate.x)) continue;
    candidate.distance = distance(candidate.x);
    ++numCandidates;
  }
  // By insertion: there are at most 8, and the earlier of equals stays first.
  for (std::size_t i = 1; i < numCandidates; ++i)
    for (std::size_t j = i; j > 0 && candidates[j].distance < candidates[j - 1].distance; --j)
      std::swap(candidates[j], candidates[j - 1]);
  return numCandidates > 0;
}

bool IKSolver::State::solveClosed(IKWorker& worker, const IKOptions& options) {
  if (!collectCandidates()) return false;
  DampedNewtonOptions newton;
  newton.tolerance = options.tolerance;
  newton.maxIterations = 10;
  newton.damping = 0;
  for (std::size_t i = 0; i < numCandidates; ++i) {
    worker.x.assign(candidates[i].x.begin(), candidates[i].x.end());
    const DampedNewtonResult result =
        worker.newton.solve(worker.equations, worker.x.data(), low.data(), high.data(), newton);
    if (!result.solved) continue;
    worker.best.result = result;
    worker.best.index = 0;
    worker.best.x.assign(worker.x.begin(), worker.x.end());
    return true;
  }
  return false;
}

void IKSolver::State::requireClosedForm() const {
  if (closed == nullptr)
    throw Error("there is no closed form for these goals", {},
                "closed forms are for the whole pose of one link that six joints move, the last three through one "
                "point or the second to fourth parallel, or three parallel joints; choose the method 'automatic' or "
                "'numeric'");
}

void IKSolver::requireClosedForm() const { state_->requireClosedForm(); }

std::string_view IKSolver::closedForm() const {
  return state_->closed != nullptr ? state_->closed->name() : std::string_view();
}

std::vector<IKSolution> IKSolver::solveAll(const IKOptions& options) {
  State& s = *state_;
  s.begin(options);
  IKWorker& worker = s.worker(0);
  std::vector<IKSolution> found;
  std::vector<std::vector<double>> known;
  const auto add = [&](const DampedNewtonResult& result, int index) {
    s.settle(worker.x);
    constexpr double kDifferent = 1e-5;
    for (const std::vector<double>& other : known) {
      double maximum = 0;
      for (std::size_t v = 0; v < other.size(); ++v)
        maximum = std::max(maximum,
                           std::abs(s.variables[v].turns ? std::remainder(other[v] - worker.x[v], 2 * std::numbers::pi)
                                                         : other[v] - worker.x[v]));
      if (maximum < kDifferent) return;
    }
    known.push_back(worker.x);
    IKBest best;
    best.result = result;
    best.index = index;
    best.x = worker.x;
    s.answer(best, result.iterations, found.emplace_back());
  };
  if (options.method != IKMethod::numeric && s.closed != nullptr && s.collectCandidates()) {
    DampedNewtonOptions newton;
    newton.tolerance = options.tolerance;
    newton.damping = 0;
    for (std::size_t i = 0; i < s.numCandidates; ++i) {
      worker.x = s.candidates[i].x;
      const DampedNewtonResult result =
          worker.newton.solve(worker.equations, worker.x.data(), s.low.data(), s.high.data(), newton);
      if (result.solved) add(result, 0);
    }
    for (IKSolution& solution : found) solution.method = IKMethod::analytic;
  }
  if (!found.empty() || options.method == IKMethod::analytic) return found;
  const int tries = s.budget(options) + 1;
  for (int i = 0; i < tries && !(options.stop && options.stop()); ++i) {
    const DampedNewtonResult result = s.attempt(worker, options, i);
    if (result.solved) add(result, i);
  }
  std::stable_sort(found.begin(), found.end(), [&](const IKSolution& a, const IKSolution& b) {
    return (a.q - s.start).norm() < (b.q - s.start).norm();
  });
  return found;
}

}  // namespace mortise
