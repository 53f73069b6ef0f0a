#include "mortise/ik/damped_newton.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "mortise/base/error.h"

namespace mortise {

namespace {

/// The lower triangle of the sum of c c^T over columns c of K numbers that are not held, by rows of K.
template <int K>
void addOuterProducts(const double* J, const std::uint8_t* held, int columns, double* A) {
  double sum[K * K] = {};
  for (int c = 0; c < columns; ++c) {
    if (held[c]) continue;
    const double* column = J + c * K;
    for (int i = 0; i < K; ++i)
      for (int j = 0; j <= i; ++j) sum[i * K + j] += column[i] * column[j];
  }
  std::copy_n(sum, K * K, A);
}

void addOuterProducts(const double* J, const std::uint8_t* held, int columns, int k, double* A) {
  std::fill_n(A, k * k, 0.0);
  for (int c = 0; c < columns; ++c) {
    if (held[c]) continue;
    const double* column = J + c * k;
    for (int i = 0; i < k; ++i) {
      double* row = A + i * k;
      const double value = column[i];
      if (value == 0) continue;  // Goals of one limb do not depend on the others' joints.
      for (int j = 0; j <= i; ++j) row[j] += value * column[j];
    }
  }
}

/// A + damping = L D L^T, in place: L below the diagonal, 1 / D in `inverse`. False where it is not positive definite.
/// `K`: the size, or 0 where it is only known now. Such small matrices are faster done so than by a library.
template <int K>
bool factorize(double* A, int size, double damping, double* inverse) {
  const int k = K > 0 ? K : size;
  for (int i = 0; i < k; ++i) {
    double* row = A + i * k;
    double pivot = row[i] + damping;
    for (int j = 0; j < i; ++j) {  // row[j] becomes L_ij D_j, and then L_ij.
      const double* other = A + j * k;
      double sum = row[j];
      for (int l = 0; l < j; ++l) sum -= row[l] * other[l];
      row[j] = sum;
    }
    for (int j = 0; j < i; ++j) {
      const double value = row[j] * inverse[j];
      pivot -= value * row[j];
      row[j] = value;
    }
    if (!(pivot > 0)) return false;
    inverse[i] = 1 / pivot;
  }
  return true;
}

template <int K>
void solveFactorized(const double* A, int size, const double* inverse, double* y) {
  const int k = K > 0 ? K : size;
  for (int i = 0; i < k; ++i) {
    const double* row = A + i * k;
    double sum = y[i];
    for (int j = 0; j < i; ++j) sum -= row[j] * y[j];
    y[i] = sum;
  }
  for (int i = 0; i < k; ++i) y[i] *= inverse[i];
  for (int i = k - 1; i >= 0; --i) {
    const double* row = A + i * k;
    for (int j = 0; j < i; ++j) y[j] -= row[j] * y[i];
  }
}

}  // namespace

void DampedNewton::normalMatrix() {
  const int m = m_, n = n_, k = k_;
  if (dual_) {
    if (k == 6) return addOuterProducts<6>(J_.data(), held_.data(), n, A_.data());
    if (k == 3) return addOuterProducts<3>(J_.data(), held_.data(), n, A_.data());
    return addOuterProducts(J_.data(), held_.data(), n, k, A_.data());
  }
  for (int i = 0; i < n; ++i) {
    const double* a = &J_[static_cast<std::size_t>(i * m)];
    for (int j = 0; j <= i; ++j) {
      const double* b = &J_[static_cast<std::size_t>(j * m)];
      double sum = 0;
      if (!held_[static_cast<std::size_t>(i)] && !held_[static_cast<std::size_t>(j)])
        for (int l = 0; l < m; ++l) sum += a[l] * b[l];
      A_[static_cast<std::size_t>(i * k + j)] = sum;
    }
  }
}

bool DampedNewton::solveNormal(double damping, double* y) {
  B_ = A_;
  if (k_ == 6) {
    if (!factorize<6>(B_.data(), 6, damping, inverseDiagonal_.data())) return false;
    solveFactorized<6>(B_.data(), 6, inverseDiagonal_.data(), y);
  } else {
    if (!factorize<0>(B_.data(), k_, damping, inverseDiagonal_.data())) return false;
    solveFactorized<0>(B_.data(), k_, inverseDiagonal_.data(), y);
  }
  return true;
}

/// Over the variables that are not held: the step -J^T y with (J J^T + damping) y = r, or where there are more
/// equations than variables -(J^T J + damping)^-1 J^T r, which is the same by smaller matrices.
bool DampedNewton::step(const double* x, const double* low, const double* high, double damping, double maxStep) {
  const int m = m_, n = n_;
  std::fill(held_.begin(), held_.end(), 0);
  for (int i = 0; i < n; ++i)  // Where the gradient itself leads out.
    if ((x[i] <= low[i] && gradient_[static_cast<std::size_t>(i)] > 0) ||
        (x[i] >= high[i] && gradient_[static_cast<std::size_t>(i)] < 0))
      held_[static_cast<std::size_t>(i)] = 1;
  for (int round = 0; round <= n; ++round) {
    if (round > 0 || !haveMatrix_) normalMatrix();
    haveMatrix_ = round == 0;  // For the next damping at the same place.
    if (dual_) {
      std::copy(r_.begin(), r_.end(), y_.begin());
      if (!solveNormal(damping, y_.data())) return false;
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
      if (!solveNormal(damping, move_.data())) return false;
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

DampedNewtonResult DampedNewton::solve(ConstraintFunction& equations, VectorXd& x, const VectorXd& low,
                                       const VectorXd& high, const DampedNewtonOptions& options) {
  for (const VectorXd* v : {static_cast<const VectorXd*>(&x), &low, &high})
    if (v->size() != equations.dimension())
      throw Error("a start and its limits need " + std::to_string(equations.dimension()) + " numbers each, not " +
                  std::to_string(v->size()));
  x = x.cwiseMax(low).cwiseMin(high);
  return solve(equations, x.data(), low.data(), high.data(), options);
}

DampedNewtonResult DampedNewton::solve(ConstraintFunction& equations, double* x, const double* low, const double* high,
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
  double factor = options.damping;  // This and the numbers below were found by trying.
  constexpr double kMinimum = 1e-14, kMaximum = 1e6;
  while (cost > goal && result.iterations < options.maxIterations && std::isfinite(cost)) {
    ++result.iterations;
    equations.jacobian(J_.data());
    for (std::size_t c = 0; c < n; ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < m; ++i) sum += J_[c * m + i] * r_[i];
      gradient_[c] = sum;
    }
    haveMatrix_ = false;
    bool better = false;
    double costNext = cost;
    while (factor < kMaximum) {
      if (step(x, low, high, factor * cost + kMinimum, options.maxStep)) {
        costNext = equations.residual(trial_.data(), trialR_.data());
        better = costNext < cost;
      }
      if (better) break;
      factor = std::max(1e-6, factor * 10);
    }
    if (!better) break;
    factor = std::max(1e-9, factor * 0.5);
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
