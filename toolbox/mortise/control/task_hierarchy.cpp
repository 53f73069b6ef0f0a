#include "mortise/control/task_hierarchy.h"

#include <algorithm>
#include <cmath>

namespace mortise {

void TaskHierarchy::reserve(int variables, std::span<const int> rows) {
  n_ = variables;
  levels_.assign(rows.size(), TaskLevel());
  int most = 1;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    levels_[k].A.setZero(rows[k], n_);
    levels_[k].b.setZero(rows[k]);
    levels_[k].weight.setOnes(rows[k]);
    most = std::max(most, rows[k]);
  }
  lower_.setConstant(n_, -std::numeric_limits<double>::infinity());
  upper_.setConstant(n_, std::numeric_limits<double>::infinity());
  reference_.setZero(n_);
  scale_.setOnes(n_);
  x_.setZero(n_);
  active_.assign(n_, AtLimit::none);
  for (auto* v : {&y_, &tryY_, &low_, &high_, &bias_, &w_}) v->setZero(n_);
  basis_.resize(n_, n_);
  objective_.resize(n_, n_);
  scaled_.resize(most, n_);
  projected_.resize(most, n_);
  length_.resize(most);
  rhs_.resize(most);
  space_.reserve(most, n_);
  bounded_.reserve(n_);
}

void TaskHierarchy::forget() {
  x_ = reference_;
  std::fill(active_.begin(), active_.end(), AtLimit::none);
}

bool TaskHierarchy::insideLimits(const Eigen::VectorXd& y) const {
  return (y.array() >= low_.array()).all() && (y.array() <= high_.array()).all();
}

bool TaskHierarchy::solve() {
  for (int i = 0; i < n_; ++i) {
    low_[i] = (lower_[i] - reference_[i]) / scale_[i];
    high_[i] = (upper_[i] - reference_[i]) / scale_[i];
    y_[i] = std::clamp((x_[i] - reference_[i]) / scale_[i], low_[i], high_[i]);
    // A guess that a change of limits has overtaken.
    if (active_[i] == AtLimit::lower) y_[i] = low_[i];
    if (active_[i] == AtLimit::upper) y_[i] = high_[i];
    if (!std::isfinite(y_[i])) {
      y_[i] = std::clamp(0.0, low_[i], high_[i]);
      active_[i] = AtLimit::none;
    }
  }
  basis_.setIdentity();
  open_ = n_;
  bool converged = true;
  for (TaskLevel& level : levels_) {
    level.rank = level.iterations = 0;
    level.smallestSine = 1;
    if (open_ > 0 && level.rows > 0) converged = solveLevel(level) && converged;
  }
  if (open_ > 0) converged = approachReference() && converged;
  for (int i = 0; i < n_; ++i) {
    x_[i] = std::clamp(reference_[i] + scale_[i] * y_[i], lower_[i], upper_[i]);
    active_[i] = y_[i] == low_[i] ? AtLimit::lower : y_[i] == high_[i] ? AtLimit::upper : AtLimit::none;
    if (active_[i] == AtLimit::lower) x_[i] = lower_[i];
    if (active_[i] == AtLimit::upper) x_[i] = upper_[i];
  }
  for (TaskLevel& level : levels_) {
    double square = 0;
    for (int i = 0; i < level.rows; ++i) {
      double e = -level.b[i];
      for (int j = 0; j < n_; ++j) e += level.A(i, j) * x_[j];
      square += level.weight[i] * e * e;
    }
    level.error = std::sqrt(square);
  }
  return converged;
}

bool TaskHierarchy::solveLevel(TaskLevel& level) {
  const int rows = level.rows;
  auto A = scaled_.topRows(rows);
  auto b = rhs_.head(rows);
  for (int i = 0; i < rows; ++i) b[i] = level.b[i];
  for (int j = 0; j < n_; ++j) {
    b -= reference_[j] * level.A.col(j).head(rows);
    A.col(j) = scale_[j] * level.A.col(j).head(rows);
  }
  for (int i = 0; i < rows; ++i) {
    const double root = std::sqrt(level.weight[i]);
    A.row(i) *= root;
    b[i] *= root;
    length_[i] = A.row(i).norm();
  }
  // From where the levels before have led to.
  for (int j = 0; j < n_; ++j) b -= y_[j] * A.col(j);
  auto P = projected_.topLeftCorner(rows, open_);
  for (int k = 0; k < open_; ++k) {
    P.col(k).setZero();
    for (int j = 0; j < n_; ++j)
      if (basis_(j, k) != 0) P.col(k) += basis_(j, k) * A.col(j);
  }
  const int rank = space_.factor(P, length_.head(rows), rankTolerance);
  level.rank = rank;
  if (rank == 0) return true;
  level.smallestSine = space_.smallestSine();
  space_.rotate(basis_.leftCols(open_));
  for (int k = 0; k < rank; ++k) bias_[k] = basis_.col(k).dot(y_);
  space_.reduce(b, singularity, bias_.head(rank));
  space_.solve(w_.head(rank));

  bool converged = true;
  tryY_ = y_;
  for (int k = 0; k < rank; ++k) tryY_ += w_[k] * basis_.col(k);
  const bool resting = std::any_of(active_.begin(), active_.end(), [](AtLimit at) { return at != AtLimit::none; });
  if (!resting && insideLimits(tryY_)) {
    y_ = tryY_;
  } else {
    auto objective = objective_.topLeftCorner(rank, open_);
    objective.setZero();
    objective.leftCols(rank) = space_.triangle();
    const auto outcome =
        bounded_.solve(objective, space_.target(), basis_.leftCols(open_), low_, high_, y_, active_, maxIterations);
    level.iterations = outcome.iterations;
    converged = outcome.converged;
  }
  open_ -= rank;
  for (int k = 0; k < open_; ++k) basis_.col(k) = basis_.col(k + rank);
  return converged;
}

bool TaskHierarchy::approachReference() {
  tryY_ = y_;
  for (int k = 0; k < open_; ++k) {
    w_[k] = -basis_.col(k).dot(y_);
    tryY_ += w_[k] * basis_.col(k);
  }
  const bool resting = std::any_of(active_.begin(), active_.end(), [](AtLimit at) { return at != AtLimit::none; });
  if (!resting && insideLimits(tryY_)) {
    y_ = tryY_;
    return true;
  }
  auto objective = objective_.topLeftCorner(open_, open_);
  objective.setIdentity();
  return bounded_.solve(objective, w_.head(open_), basis_.leftCols(open_), low_, high_, y_, active_, maxIterations)
      .converged;
}

}  // namespace mortise
