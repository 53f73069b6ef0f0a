#include "mortise/ik/damped_newton.h"

#include <algorithm>
#include <cmath>

namespace mortise {

/// A = L L^T in place of B_, by rows below the diagonal: small, so that plain loops beat calls.
bool DampedNewton::factor(double damping) {
  const int k = k_;
  for (int i = 0; i < k; ++i) {
    const double* from = &A_[static_cast<std::size_t>(i * k)];
    double* row = &B_[static_cast<std::size_t>(i * k)];
    for (int j = 0; j <= i; ++j) {
      const double* other = &B_[static_cast<std::size_t>(j * k)];
      double sum = from[j];
      for (int l = 0; l < j; ++l) sum -= row[l] * other[l];
      if (j < i) {
        row[j] = sum * inverseDiagonal_[static_cast<std::size_t>(j)];
      } else {
        sum += damping;
        if (!(sum > 0)) return false;
        inverseDiagonal_[static_cast<std::size_t>(i)] = 1 / std::sqrt(sum);
      }
    }
  }
  return true;
}

void DampedNewton::solveFactored(double* y) const {
  const int k = k_;
  for (int i = 0; i < k; ++i) {
    const double* row = &B_[static_cast<std::size_t>(i * k)];
    double sum = y[i];
    for (int j = 0; j < i; ++j) sum -= row[j] * y[j];
    y[i] = sum * inverseDiagonal_[static_cast<std::size_t>(i)];
  }
  for (int i = k - 1; i >= 0; --i) {
    const double value = y[i] * inverseDiagonal_[static_cast<std::size_t>(i)];
    y[i] = value;
    const double* row = &B_[static_cast<std::size_t>(i * k)];
    for (int j = 0; j < i; ++j) y[j] -= value * row[j];
  }
}

/// Over the variables that are not held: the step -J^T y with (J J^T + damping) y = r, or where there are more
/// equations than variables -(J^T J + damping)^-1 J^T r, which is the same by smaller matrices.
bool DampedNewton::step(const double* x, const double* low, const double* high, double damping, double maxStep) {
  const int m = m_, n = n_, k = k_;
  std::fill(held_.begin(), held_.end(), 0);
  for (int i = 0; i < n; ++i)  // Where the gradient itself leads out.
    if ((x[i] <= low[i] && gradient_[static_cast<std::size_t>(i)] > 0) ||
        (x[i] >= high[i] && gradient_[static_cast<std::size_t>(i)] < 0))
      held_[static_cast<std::size_t>(i)] = 1;
  for (int round = 0; round <= n; ++round) {
    std::fill(A_.begin(), A_.end(), 0.0);
    if (dual_) {
      for (int c = 0; c < n; ++c) {
        if (held_[static_cast<std::size_t>(c)]) continue;
        const double* column = &J_[static_cast<std::size_t>(c * m)];
        for (int i = 0; i < k; ++i) {
          double* row = &A_[static_cast<std::size_t>(i * k)];
          const double value = column[i];
          for (int j = 0; j <= i; ++j) row[j] += value * column[j];
        }
      }
    } else {
      for (int i = 0; i < n; ++i) {
        if (held_[static_cast<std::size_t>(i)]) continue;
        const double* a = &J_[static_cast<std::size_t>(i * m)];
        for (int j = 0; j <= i; ++j) {
          if (held_[static_cast<std::size_t>(j)]) continue;
          const double* b = &J_[static_cast<std::size_t>(j * m)];
          double sum = 0;
          for (int l = 0; l < m; ++l) sum += a[l] * b[l];
          A_[static_cast<std::size_t>(i * k + j)] = sum;
        }
      }
    }
    if (!factor(damping)) return false;
    if (dual_) {
      std::copy(r_.begin(), r_.end(), y_.begin());
      solveFactored(y_.data());
      for (int c = 0; c < n; ++c) {
        const double* column = &J_[static_cast<std::size_t>(c * m)];
        double sum = 0;
        for (int i = 0; i < m; ++i) sum += column[i] * y_[static_cast<std::size_t>(i)];
        move_[static_cast<std::size_t>(c)] = held_[static_cast<std::size_t>(c)] ? 0 : -sum;
      }
    } else {
      for (int c = 0; c < n; ++c)
        move_[static_cast<std::size_t>(c)] =
            held_[static_cast<std::size_t>(c)] ? 0 : -gradient_[static_cast<std::size_t>(c)];
      solveFactored(move_.data());
    }
    double largest = 0;
    for (const double value : move_) largest = std::max(largest, std::abs(value));
    const double scale = largest > maxStep ? maxStep / largest : 1;
    bool more = false;
    for (int i = 0; i < n; ++i) {
      const std::size_t s = static_cast<std::size_t>(i);
      if (held_[s]) continue;
      if ((x[i] <= low[i] && move_[s] < 0) || (x[i] >= high[i] && move_[s] > 0)) {
        held_[s] = 1;
        more = true;
      }
    }
    if (more) continue;
    for (int i = 0; i < n; ++i) {
      const std::size_t s = static_cast<std::size_t>(i);
      trial_[s] = std::min(high[i], std::max(low[i], x[i] + scale * move_[s]));
      if (!std::isfinite(trial_[s])) return false;
    }
    return true;
  }
  return false;
}

DampedNewtonResult DampedNewton::solve(IKEquations& equations, double* x, const double* low, const double* high,
                                       const DampedNewtonOptions& options) {
  m_ = equations.size();
  n_ = equations.dimension();
  dual_ = m_ <= n_;
  k_ = std::min(m_, n_);
  const std::size_t m = static_cast<std::size_t>(m_), n = static_cast<std::size_t>(n_),
                    k = static_cast<std::size_t>(k_);
  J_.resize(m * n);
  r_.resize(m);
  trialR_.resize(m);
  trial_.resize(n);
  move_.resize(n);
  gradient_.resize(n);
  held_.resize(n);
  A_.resize(k * k);
  B_.resize(k * k);
  y_.resize(m);
  inverseDiagonal_.resize(k);

  DampedNewtonResult result;
  double cost = equations.residual(x, r_.data());
  const double goal = options.tolerance * options.tolerance;
  double factor = 1e-3;  // Damping for each unit of cost.
  constexpr double kLeast = 1e-14, kMost = 1e6;
  while (cost > goal && result.iterations < options.maxIterations && std::isfinite(cost)) {
    ++result.iterations;
    equations.jacobian(J_.data());
    for (std::size_t c = 0; c < n; ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < m; ++i) sum += J_[c * m + i] * r_[i];
      gradient_[c] = sum;
    }
    bool better = false;
    double costNext = cost;
    while (factor < kMost) {
      if (step(x, low, high, factor * cost + kLeast, options.maxStep)) {
        costNext = equations.residual(trial_.data(), trialR_.data());
        better = costNext < cost;
      }
      if (better) break;
      factor = std::max(1e-6, factor * 10);
    }
    if (!better) break;
    factor = std::max(1e-9, factor * 0.2);
    std::copy(trial_.begin(), trial_.end(), x);
    r_.swap(trialR_);
    const double before = cost;
    cost = costNext;
    if (before - cost < options.stall * before) break;
  }
  result.residual = std::sqrt(cost);
  result.solved = cost <= goal;
  return result;
}

}  // namespace mortise
