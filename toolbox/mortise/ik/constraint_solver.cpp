#include "mortise/ik/constraint_solver.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise {

namespace {

double clamped(double value, Eigen::Index i, const ConstraintSolverOptions& options) {
  if (options.low.size() > 0) value = std::max(value, options.low[i]);
  if (options.high.size() > 0) value = std::min(value, options.high[i]);
  return value;
}

}  // namespace

/// Over the coordinates that are not fixed: the step -J^T y with (J J^T + damping) y = r, or where there are more
/// equations than coordinates -(J^T J + damping)^-1 J^T r, which is the same by smaller matrices.
bool ConstraintSolver::step(const VectorXd& q, double damping, const ConstraintSolverOptions& options, VectorXd& next) {
  const Eigen::Index n = q.size();
  const bool dual = J_.rows() <= n;
  std::fill(fixed_.begin(), fixed_.end(), 0);
  free_ = J_;
  for (Eigen::Index round = 0; round <= n; ++round) {
    if (dual)
      A_.noalias() = free_ * free_.transpose();
    else
      A_.noalias() = free_.transpose() * free_;
    A_.diagonal().array() += damping;
    factor_.compute(A_);
    if (factor_.info() != Eigen::Success) return false;
    if (dual) {
      y_ = r_;
      factor_.solveInPlace(y_);
      next.noalias() = free_.transpose() * y_;
    } else {
      next.noalias() = free_.transpose() * r_;
      factor_.solveInPlace(next);
    }
    const double largest = n > 0 ? next.cwiseAbs().maxCoeff() : 0.0;
    const double scale = largest > options.maxStep ? options.maxStep / largest : 1;
    bool more = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double to = q[i] - scale * next[i];
      if (!fixed_[i] && clamped(to, i, options) != to &&
          clamped(q[i] + 1e-12 * (next[i] < 0 ? 1 : -1), i, options) == q[i]) {
        fixed_[i] = 1;  // At its end and pushed beyond.
        free_.col(i).setZero();
        more = true;
      }
    }
    if (more) continue;
    for (Eigen::Index i = 0; i < n; ++i) next[i] = clamped(q[i] - scale * next[i], i, options);
    return next.allFinite();
  }
  return false;
}

ConstraintSolution ConstraintSolver::solve(ConstraintFunction& function, VectorXd& q,
                                           const ConstraintSolverOptions& options) {
  const Eigen::Index n = function.dimension(), m = function.size();
  if (q.size() != n)
    throw Error("the start has " + std::to_string(q.size()) + " numbers instead of " + std::to_string(n));
  if ((options.low.size() != 0 && options.low.size() != n) || (options.high.size() != 0 && options.high.size() != n))
    throw Error("bounds need " + std::to_string(n) + " numbers");
  J_.resize(m, n);
  JNext_.resize(m, n);
  A_.resize(std::min(m, n), std::min(m, n));
  r_.resize(m);
  rNext_.resize(m);
  next_.resize(n);
  fixed_.resize(static_cast<std::size_t>(n));
  for (Eigen::Index i = 0; i < n; ++i) q[i] = clamped(q[i], i, options);

  ConstraintSolution result;
  function.evaluate(q, r_, &J_);
  double cost = r_.squaredNorm();
  double damping = 1e-6;
  const auto largest = [&] { return m > 0 ? r_.cwiseAbs().maxCoeff() : 0.0; };
  result.residual = largest();
  while (result.residual > options.tolerance && result.iterations < options.maxIterations && std::isfinite(cost)) {
    ++result.iterations;
    bool better = false;
    constexpr double kMostDamping = 1e6;
    while (!better && damping < kMostDamping) {
      if (step(q, damping, options, next_)) {
        function.evaluate(next_, rNext_, &JNext_);
        const double costNext = rNext_.squaredNorm();
        better = costNext < cost;
      }
      damping = better ? std::max(1e-12, damping / 10) : damping * 10;
    }
    if (!better) break;
    const double before = cost;
    q.swap(next_);
    r_.swap(rNext_);
    J_.swap(JNext_);
    cost = r_.squaredNorm();
    result.residual = largest();
    constexpr double kStill = 1e-12;  // Of the cost: nothing more to gain.
    if (before - cost < kStill * before) break;
  }
  result.solved = result.residual <= options.tolerance;
  return result;
}

}  // namespace mortise
