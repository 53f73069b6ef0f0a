#include "mortise/optimization/bounded_least_squares.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/expect.h"

namespace mortise {

namespace {

/// A limit whose variable moves less than this for a unit step in the free directions does not hold any of them.
constexpr double kMoves = 1e-9;
/// Rows of the objective with smaller sines are taken to be dependent.
constexpr double kDependentRows = 1e-10;
/// Forces on limits below this fraction of the largest possible one have no sign.
constexpr double kForce = 1e-10;

}  // namespace

void BoundedLeastSquares::reserve(int variables) {
  V_.resize(variables, variables);
  M_.resize(variables, variables);
  for (auto* v : {&c_, &gradient_, &force_, &step_, &w_, &move_, &length_, &work_}) v->resize(variables);
  none_.setZero(variables);
  variable_.resize(variables);
  isHeld_.resize(variables);
  space_.reserve(variables, variables);
}

/// Turns the free directions so that only the last of them moves the variable, and holds that one.
bool BoundedLeastSquares::join(int variable) {
  const int free = r_ - held_;
  if (free == 0) return false;
  auto row = step_.head(free);
  // Backwards, as the reflector leaves its first entry.
  for (int j = 0; j < free; ++j) row[j] = V_(variable, free - 1 - j);
  if (!(row.norm() > kMoves)) return false;
  const double beta = makeReflector(row);
  const auto turn = [&](Eigen::MatrixXd& A, int rows) {
    auto sum = work_.head(rows);
    sum = A.col(free - 1).head(rows);
    for (int j = 1; j < free; ++j) sum += row[j] * A.col(free - 1 - j).head(rows);
    sum *= beta;
    A.col(free - 1).head(rows) -= sum;
    for (int j = 1; j < free; ++j) A.col(free - 1 - j).head(rows) -= row[j] * sum;
  };
  if (beta != 0) {
    turn(V_, n_);
    turn(M_, m_);
  }
  V_.row(variable).head(free - 1).setZero();
  V_(variable, free - 1) = row[0];
  variable_[held_++] = variable;
  isHeld_[variable] = 1;
  return true;
}

void BoundedLeastSquares::leave(int index) {
  isHeld_[variable_[index]] = 0;
  for (int k = index + 1; k < held_; ++k) {
    const int variable = variable_[k], a = r_ - 1 - k, b = a + 1;
    const double x = V_(variable, a), y = V_(variable, b);
    const double length = std::hypot(x, y);
    const double cosine = y / length, sine = x / length;
    const auto turn = [&](Eigen::MatrixXd& A, int rows) {
      for (int i = 0; i < rows; ++i) {
        const double p = A(i, a), q = A(i, b);
        A(i, a) = cosine * p - sine * q;
        A(i, b) = sine * p + cosine * q;
      }
    };
    turn(V_, n_);
    turn(M_, m_);
    V_(variable, a) = 0;
    variable_[k - 1] = variable;
  }
  --held_;
}

void BoundedLeastSquares::bestStep() {
  const int free = r_ - held_;
  space_.begin(m_, free) = M_.topLeftCorner(m_, free).transpose();
  const int rank = space_.factor(length_.head(m_), kDependentRows);
  space_.reduce(c_.head(m_), 0, none_.head(rank));
  space_.solve(w_.head(rank));
  space_.expand(w_.head(rank), step_.head(free));
}

int BoundedLeastSquares::blocking(const ConstVectorRef& lower, const ConstVectorRef& upper, const VectorRef& y,
                                  double& fraction) const {
  const double tiny = 1e-14 * move_.head(n_).lpNorm<Eigen::Infinity>();
  int found = -1;
  fraction = 1;
  double steepest = 0;
  for (int i = 0; i < n_; ++i) {
    if (isHeld_[i]) continue;
    const double d = move_[i];
    if (!(std::abs(d) > tiny)) continue;
    const double limit = d > 0 ? upper[i] : lower[i];
    if (!std::isfinite(limit)) continue;
    const double at = std::max(0.0, (limit - y[i]) / d);
    // Of several at once the one that is met head-on: it turns the free directions with the least loss of digits.
    if (at < fraction || (at == fraction && found >= 0 && std::abs(d) > steepest)) {
      fraction = at;
      found = i;
      steepest = std::abs(d);
    }
  }
  return found;
}

BoundedLeastSquares::Outcome BoundedLeastSquares::solve(const ConstMatrixRef& M, const ConstVectorRef& c,
                                                        const ConstMatrixRef& V, const ConstVectorRef& lower,
                                                        const ConstVectorRef& upper, VectorRef y,
                                                        std::vector<AtLimit>& active, int maxIterations) {
  MORTISE_REQUIRE(V.rows() <= V_.rows() && V.cols() <= V.rows(), "there must be no more variables than were reserved");
  MORTISE_REQUIRE(M.rows() <= M_.rows(), "there must be no more rows than variables were reserved");
  MORTISE_REQUIRE(M.cols() == V.cols(), "the matrices must have as many columns");
  MORTISE_REQUIRE_SIZE(c, M.rows(), "one for each row");
  MORTISE_REQUIRE_SIZE(lower, V.rows(), "one for each variable");
  MORTISE_REQUIRE_SIZE(upper, V.rows(), "one for each variable");
  MORTISE_REQUIRE_SIZE(y, V.rows(), "one for each variable");
  MORTISE_REQUIRE_SIZE(active, V.rows(), "one for each variable");
  n_ = static_cast<int>(V.rows());
  r_ = static_cast<int>(V.cols());
  m_ = static_cast<int>(M.rows());
  held_ = 0;
  V_.topLeftCorner(n_, r_) = V;
  M_.topLeftCorner(m_, r_) = M;
  c_.head(m_) = c;
  std::fill(isHeld_.begin(), isHeld_.end(), 0);
  double size = 0;  // Of the gradient, at most.
  for (int i = 0; i < m_; ++i) {
    length_[i] = M_.row(i).head(r_).norm();
    size += length_[i] * std::abs(c_[i]);
  }
  for (int i = 0; i < n_; ++i) {
    if (active[i] == AtLimit::none) continue;
    if (!join(i)) active[i] = AtLimit::none;
  }
  Outcome outcome;
  for (;; ++outcome.iterations) {
    if (outcome.iterations >= maxIterations) {
      outcome.converged = false;
      break;
    }
    const int free = r_ - held_;
    double fraction = 1;
    if (free > 0) {
      bestStep();
      move_.head(n_).setZero();
      for (int j = 0; j < free; ++j) move_.head(n_) += step_[j] * V_.col(j).head(n_);
      const int hit = blocking(lower, upper, y, fraction);
      y += fraction * move_.head(n_);
      for (int j = 0; j < free; ++j) c_.head(m_) -= (fraction * step_[j]) * M_.col(j).head(m_);
      if (hit >= 0) {
        const bool up = move_[hit] > 0;
        y[hit] = up ? upper[hit] : lower[hit];
        y = y.cwiseMax(lower).cwiseMin(upper);
        if (join(hit)) {
          active[hit] = up ? AtLimit::upper : AtLimit::lower;
          continue;
        }
        // It hardly moves at all: what is left of the step goes on without it.
        isHeld_[hit] = 2;
        continue;
      }
      y = y.cwiseMax(lower).cwiseMin(upper);
    }
    // Which limit pulls instead of holding?
    for (int k = 0; k < held_; ++k) gradient_[k] = -M_.col(r_ - 1 - k).head(m_).dot(c_.head(m_));
    for (int k = held_ - 1; k >= 0; --k) {
      double sum = gradient_[k];
      for (int l = k + 1; l < held_; ++l) sum -= force_[l] * V_(variable_[l], r_ - 1 - k);
      force_[k] = sum / V_(variable_[k], r_ - 1 - k);
    }
    int worst = -1;
    double maximum = kForce * size;
    // After many steps the first one that pulls, which cannot go round in circles (Bland's rule).
    const bool careful = outcome.iterations > maxIterations / 2;
    for (int k = 0; k < held_; ++k) {
      const int variable = variable_[k];
      if (lower[variable] == upper[variable]) continue;
      const double pull = active[variable] == AtLimit::lower ? -force_[k] : force_[k];
      if (!(pull > (careful ? kForce * size : maximum))) continue;
      if (careful && worst >= 0 && variable > variable_[worst]) continue;
      maximum = std::max(maximum, pull);
      worst = k;
    }
    if (worst < 0) break;
    active[variable_[worst]] = AtLimit::none;
    for (char& held : isHeld_)
      if (held == 2) held = 0;
    leave(worst);
  }
  return outcome;
}

}  // namespace mortise
