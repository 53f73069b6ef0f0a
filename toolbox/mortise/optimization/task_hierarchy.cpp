#include "mortise/optimization/task_hierarchy.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/expect.h"

namespace mortise {

void TaskHierarchy::reserve(int variables, std::span<const int> rows) {
  n_ = variables;
  levels_.assign(rows.size(), TaskLevel());
  int maximum = 1;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    levels_[k].A.setZero(rows[k], n_);
    levels_[k].b.setZero(rows[k]);
    levels_[k].weight.setOnes(rows[k]);
    levels_[k].length.setZero(rows[k]);
    maximum = std::max(maximum, rows[k]);
  }
  lower_.setConstant(n_, -std::numeric_limits<double>::infinity());
  upper_.setConstant(n_, std::numeric_limits<double>::infinity());
  reference_.setZero(n_);
  scale_.setOnes(n_);
  x_.setZero(n_);
  active_.assign(n_, AtLimit::none);
  for (auto* v : {&y_, &tryY_, &low_, &high_, &bias_, &w_}) v->setZero(n_);
  basis_.resize(n_, n_);
  next_.resize(n_, n_);
  objective_.resize(n_, n_);
  scaled_.resize(n_, maximum);
  length_.resize(maximum);
  rhs_.resize(maximum);
  space_.reserve(maximum, n_);
  bounded_.reserve(n_);
}

TaskLevel& TaskHierarchy::level(int k) {
  MORTISE_REQUIRE_INDEX(k, levels_.size(), "levels");
  return levels_[k];
}

const TaskLevel& TaskHierarchy::level(int k) const {
  MORTISE_REQUIRE_INDEX(k, levels_.size(), "levels");
  return levels_[k];
}

/// Callers write into the vectors and matrices of this class.
void TaskHierarchy::requireSizes() const {
  MORTISE_REQUIRE_SIZE(lower_, n_, "one for each variable");
  MORTISE_REQUIRE_SIZE(upper_, n_, "one for each variable");
  MORTISE_REQUIRE_SIZE(reference_, n_, "one for each variable");
  MORTISE_REQUIRE_SIZE(scale_, n_, "one for each variable");
  MORTISE_REQUIRE_SIZE(x_, n_, "one for each variable");
  MORTISE_REQUIRE_SIZE(active_, n_, "one for each variable");
  MORTISE_EXPECT((scale_.array() > 0).all(), "scales must be positive");
  MORTISE_EXPECT((lower_.array() <= upper_.array()).all(), "lower limits must not be above upper ones");
  MORTISE_EXPECT_FINITE(reference_);
  for (const TaskLevel& level : levels_) {
    const auto rows = static_cast<Eigen::Index>(level.rows);
    MORTISE_REQUIRE_SHAPE(level.A, level.b.size(), n_);
    MORTISE_REQUIRE_SIZE(level.weight, level.b.size(), "one for each row of the level");
    MORTISE_REQUIRE_SIZE(level.length, level.b.size(), "one for each row of the level");
    MORTISE_REQUIRE(rows >= 0 && rows <= std::min<Eigen::Index>(level.b.size(), rhs_.size()),
                    "a level must have no more rows than were reserved");
  }
}

void TaskHierarchy::forget() {
  x_ = reference_;
  std::fill(active_.begin(), active_.end(), AtLimit::none);
}

bool TaskHierarchy::resting() const {
  return std::any_of(active_.begin(), active_.end(), [](AtLimit at) { return at != AtLimit::none; });
}

bool TaskHierarchy::insideLimits(const Eigen::VectorXd& y) const {
  return (y.array() >= low_.array()).all() && (y.array() <= high_.array()).all();
}

bool TaskHierarchy::solve() {
  requireSizes();
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
  // One task a column, in units of the scales, seen from where the levels before have led to.
  auto A = scaled_.leftCols(rows);
  auto b = rhs_.head(rows);
  const auto basis = basis_.leftCols(open_);
  auto projected = space_.begin(rows, open_);
  for (int i = 0; i < rows; ++i) {
    const double root = std::sqrt(level.weight[i]);
    double offset = level.b[i];
    for (int j = 0; j < n_; ++j) {
      const double a = level.A(i, j);
      offset -= a * reference_[j];
      A(j, i) = root * a * scale_[j];
    }
    b[i] = root * offset - A.col(i).dot(y_);
    length_[i] = level.length[i] > 0 ? root * level.length[i] : A.col(i).norm();
    projected.col(i).noalias() = basis.transpose() * A.col(i);
  }
  const int rank = space_.factor(length_.head(rows), rankTolerance);
  level.rank = rank;
  if (rank == 0) return true;
  level.smallestSine = space_.smallestSine();
  bias_.head(open_).noalias() = basis.transpose() * y_;
  space_.applyTransposed(bias_.head(open_));
  space_.reduce(b, level.damped ? singularity : 0, bias_.head(rank));
  space_.solve(w_.head(rank));
  const int left = open_ - rank;

  if (!resting()) {
    space_.expand(w_.head(rank), bias_.head(open_));
    tryY_ = y_;
    tryY_.noalias() += basis * bias_.head(open_);
    if (insideLimits(tryY_)) {
      y_ = tryY_;
      auto rest = objective_.topLeftCorner(open_, left);
      space_.nullSpace(rest);
      for (int k = 0; k < left; ++k) next_.col(k).noalias() = basis * rest.col(k);
      basis_.swap(next_);
      open_ = left;
      return true;
    }
  }
  space_.rotate(basis_.leftCols(open_));
  auto objective = objective_.topLeftCorner(rank, open_);
  objective.setZero();
  objective.leftCols(rank) = space_.triangle();
  const auto outcome = bounded_.solve(objective, space_.target(), basis, low_, high_, y_, active_, maxIterations);
  level.iterations = outcome.iterations;
  open_ = left;
  for (int k = 0; k < left; ++k) basis_.col(k) = basis_.col(k + rank);
  return outcome.converged;
}

bool TaskHierarchy::approachReference() {
  tryY_ = y_;
  for (int k = 0; k < open_; ++k) {
    w_[k] = -basis_.col(k).dot(y_);
    tryY_ += w_[k] * basis_.col(k);
  }
  if (!resting() && insideLimits(tryY_)) {
    y_ = tryY_;
    return true;
  }
  auto objective = objective_.topLeftCorner(open_, open_);
  objective.setIdentity();
  return bounded_.solve(objective, w_.head(open_), basis_.leftCols(open_), low_, high_, y_, active_, maxIterations)
      .converged;
}

}  // namespace mortise
