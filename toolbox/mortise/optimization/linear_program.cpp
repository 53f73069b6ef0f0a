#include "mortise/optimization/linear_program.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/base/expect.h"
#include "mortise/base/interruption.h"

namespace mortise {

namespace {

constexpr double kFeasible = 1e-9;  ///< Distance of a variable from its bounds that is allowed.
constexpr double kBetter = 1e-9;    ///< Reduced costs beyond this are worth a step.
constexpr double kPivot = 1e-9;     ///< Entries of a direction below this count as zero.
constexpr double kGoodPivot =
    1e-5;                   ///< Pivots that are smaller, as shares of the direction's largest entry, are avoided.
constexpr int kOthers = 8;  ///< Number of columns that are compared to choose a pivot.
constexpr double kRounding =
    1e-15;                     ///< Reduced costs are known to this times the inverse's largest entry, for costs of 1.
constexpr int kRefactor = 60;  ///< Steps after which the inverse is computed anew.
constexpr int kIdle = 30;      ///< Steps without progress after which Bland's rule takes over.

}  // namespace

LinearProgram::LinearProgram(int rows)
    : rows_(rows), a_(Eigen::MatrixXd::Identity(rows, rows)), b_(VectorXd::Zero(rows)) {
  for (int i = 0; i < rows; ++i) {
    low_.push_back(0);
    high_.push_back(0);
    cost_.push_back(0);
    status_.push_back(BasisStatus::low);
  }
  restart();
}

int LinearProgram::addColumn(const VectorXd& column, double low, double high, double cost) {
  MORTISE_REQUIRE_SIZE(column, rows_, "one for each row");
  MORTISE_EXPECT_FINITE(column);
  MORTISE_EXPECT(low <= high, "the lower end of a column must not be above its upper end");
  const Eigen::Index count = static_cast<Eigen::Index>(low_.size());
  if (count == a_.cols()) a_.conservativeResize(Eigen::NoChange, std::max<Eigen::Index>(16, 2 * count));
  a_.col(count) = column;
  low_.push_back(low);
  high_.push_back(high);
  cost_.push_back(cost);
  status_.push_back(std::isfinite(low)    ? BasisStatus::low
                    : std::isfinite(high) ? BasisStatus::high
                                          : BasisStatus::free);
  return columns() - 1;
}

void LinearProgram::dropColumns(const std::vector<char>& drop, std::vector<char>& kept) {
  MORTISE_REQUIRE_SIZE(drop, columns(), "one for each column");
  const std::size_t first = static_cast<std::size_t>(rows_), count = low_.size();
  kept.assign(drop.size(), 1);
  std::vector<std::size_t> place(count);
  std::size_t next = first;
  for (std::size_t j = 0; j < first; ++j) place[j] = j;
  for (std::size_t j = first; j < count; ++j) {
    if (drop[j - first] != 0 && status_[j] != BasisStatus::basic && rest(j) == 0) {
      kept[j - first] = 0;
      continue;
    }
    place[j] = next;
    a_.col(static_cast<Eigen::Index>(next)) = a_.col(static_cast<Eigen::Index>(j));
    low_[next] = low_[j];
    high_[next] = high_[j];
    cost_[next] = cost_[j];
    status_[next] = status_[j];
    ++next;
  }
  low_.resize(next);
  high_.resize(next);
  cost_.resize(next);
  status_.resize(next);
  for (std::size_t& j : basis_) j = place[j];
}

void LinearProgram::setCost(int column, double cost) {
  MORTISE_REQUIRE_INDEX(column, columns(), "columns");
  cost_[static_cast<std::size_t>(column + rows_)] = cost;
}

void LinearProgram::setRightSide(const VectorXd& b) {
  MORTISE_REQUIRE_SIZE(b, rows_, "one for each row");
  MORTISE_EXPECT_FINITE(b);
  b_ = b;
}

void LinearProgram::restart() {
  basis_.resize(static_cast<std::size_t>(rows_));
  for (std::size_t j = 0; j < status_.size(); ++j)
    status_[j] = std::isfinite(low_[j])    ? BasisStatus::low
                 : std::isfinite(high_[j]) ? BasisStatus::high
                                           : BasisStatus::free;
  for (std::size_t i = 0; i < basis_.size(); ++i) {
    basis_[i] = i;
    status_[i] = BasisStatus::basic;
  }
  inverse_ = Eigen::MatrixXd::Identity(rows_, rows_);
  sinceFactor_ = 0;
}

/// Returns the value at which a variable that is not basic stands.
double LinearProgram::rest(std::size_t j) const {
  return status_[j] == BasisStatus::low ? low_[j] : status_[j] == BasisStatus::high ? high_[j] : 0;
}

bool LinearProgram::refactor() {
  Eigen::MatrixXd basis(rows_, rows_);
  for (int i = 0; i < rows_; ++i) basis.col(i) = a_.col(static_cast<Eigen::Index>(basis_[static_cast<std::size_t>(i)]));
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(basis);
  inverse_ = lu.inverse();
  sinceFactor_ = 0;
  return inverse_.allFinite();
}

void LinearProgram::placeBasics() {
  VectorXd missing = b_;
  for (std::size_t j = 0; j < status_.size(); ++j)
    if (status_[j] != BasisStatus::basic && rest(j) != 0) missing -= rest(j) * a_.col(static_cast<Eigen::Index>(j));
  x_ = inverse_ * missing;
}

double LinearProgram::infeasibility() const {
  double sum = 0;
  for (int i = 0; i < rows_; ++i) {
    const std::size_t j = basis_[static_cast<std::size_t>(i)];
    if (x_[i] < low_[j] - kFeasible) sum += low_[j] - x_[i];
    if (x_[i] > high_[j] + kFeasible) sum += x_[i] - high_[j];
  }
  return sum;
}

/// The column with the best reduced cost, or the first good one; -1: none. Direction: +1 up, -1 down.
int LinearProgram::entering(bool phaseOne, bool cautious, double& direction) {
  reduced_.noalias() = a_.leftCols(static_cast<Eigen::Index>(low_.size())).transpose() * duals_;
  int best = -1;
  double maximum = std::max(kBetter, rounding_);
  for (std::size_t j = 0; j < status_.size(); ++j) {
    if (status_[j] == BasisStatus::basic || low_[j] == high_[j]) continue;
    const double reduced = (phaseOne ? 0 : cost_[j]) - reduced_[static_cast<Eigen::Index>(j)];
    const bool up = reduced < 0;
    if ((up && status_[j] == BasisStatus::high) || (!up && status_[j] == BasisStatus::low)) continue;
    if (std::abs(reduced) <= maximum) continue;
    if (std::find(passedOver_.begin(), passedOver_.end(), j) != passedOver_.end()) continue;
    best = static_cast<int>(j);
    direction = up ? 1 : -1;
    if (cautious) break;
    maximum = std::abs(reduced);
  }
  return best;
}

/// The first basic variable to reach a bound as `enter` moves: basic i moves by -direction * t * w_i. One that is out
/// of its bounds stops at the one it comes to first. Two passes (Harris, 1973): how far with a little slack, then among
/// those reached by then the largest pivot, or the first by Bland's rule.
LinearProgram::Exit LinearProgram::leaving(bool phaseOne, bool cautious, std::size_t enter, double direction) const {
  const auto reach = [&](int i, double slack, double& bound) {
    const std::size_t j = basis_[static_cast<std::size_t>(i)];
    const double rate = -direction * w_[i];
    if (std::abs(rate) < kPivot) return std::numeric_limits<double>::infinity();
    if (rate > 0) {
      if (phaseOne && x_[i] < low_[j] - kFeasible)
        bound = low_[j];
      else if (x_[i] > high_[j] + kFeasible)
        return std::numeric_limits<double>::infinity();
      else
        bound = high_[j];
    } else {
      if (phaseOne && x_[i] > high_[j] + kFeasible)
        bound = high_[j];
      else if (x_[i] < low_[j] - kFeasible)
        return std::numeric_limits<double>::infinity();
      else
        bound = low_[j];
    }
    return (bound + (rate > 0 ? slack : -slack) - x_[i]) / rate;
  };
  Exit exit;
  exit.t = high_[enter] - low_[enter];  // To its own other bound.
  double bound = 0, relaxed = std::numeric_limits<double>::infinity();
  for (int i = 0; i < rows_; ++i) relaxed = std::min(relaxed, reach(i, kFeasible, bound));
  if (!(relaxed < exit.t)) return exit;
  std::size_t first = 0;
  for (int i = 0; i < rows_; ++i) {
    const double at = reach(i, 0, bound);
    if (!(at <= relaxed)) continue;
    const std::size_t j = basis_[static_cast<std::size_t>(i)];
    const bool better = cautious ? exit.row < 0 || j < first : std::abs(w_[i]) > exit.pivot;
    if (!better) continue;
    first = j;
    exit = {i, std::max(0.0, at), bound, std::abs(w_[i])};
  }
  return exit;
}

LinearProgram::Step LinearProgram::step(bool phaseOne) {
  basicCost_.resize(rows_);
  for (int i = 0; i < rows_; ++i) {
    const std::size_t j = basis_[static_cast<std::size_t>(i)];
    basicCost_[i] = !phaseOne ? cost_[j] : x_[i] < low_[j] - kFeasible ? -1 : x_[i] > high_[j] + kFeasible ? 1 : 0;
  }
  duals_.noalias() = inverse_.transpose() * basicCost_;
  rounding_ = rows_ == 0 ? 0 : kRounding * inverse_.cwiseAbs().maxCoeff() * basicCost_.cwiseAbs().maxCoeff();
  const bool cautious = idle_ > kIdle;
  // A small pivot makes the next basis nearly singular: another column is better, if there is one.
  passedOver_.clear();
  Exit exit;
  double direction = 1;
  int e = -1;
  for (int tries = 0; tries < kOthers; ++tries) {
    double sign = 1;
    const int candidate = entering(phaseOne, cautious, sign);
    if (candidate < 0) break;
    w_.noalias() = inverse_ * a_.col(candidate);
    const Exit found = leaving(phaseOne, cautious, static_cast<std::size_t>(candidate), sign);
    if (e < 0 || found.row < 0 || found.pivot > exit.pivot) e = candidate, direction = sign, exit = found;
    if (found.row < 0 || found.pivot >= kGoodPivot * w_.cwiseAbs().maxCoeff()) break;
    passedOver_.push_back(static_cast<std::size_t>(candidate));
  }
  if (e < 0) return Step::done;
  if (!std::isfinite(exit.t)) return phaseOne ? Step::stuck : Step::unbounded;
  if (!passedOver_.empty()) w_.noalias() = inverse_ * a_.col(e);
  enter(static_cast<std::size_t>(e), direction, exit);
  return Step::moved;
}

void LinearProgram::enter(std::size_t enter, double direction, const Exit& exit) {
  const double t = exit.t;
  idle_ = t > 1e-12 ? 0 : idle_ + 1;
  const double from = rest(enter);
  x_ -= direction * t * w_;
  if (exit.row < 0) {  // From one bound to the other.
    status_[enter] = direction > 0 ? BasisStatus::high : BasisStatus::low;
    return;
  }
  const std::size_t left = basis_[static_cast<std::size_t>(exit.row)];
  status_[left] = exit.bound == low_[left] ? BasisStatus::low : BasisStatus::high;
  status_[enter] = BasisStatus::basic;
  basis_[static_cast<std::size_t>(exit.row)] = enter;
  x_[exit.row] = from + direction * t;
  const Eigen::RowVectorXd row = inverse_.row(exit.row) / w_[exit.row];
  for (int i = 0; i < rows_; ++i)
    if (i != exit.row && w_[i] != 0) inverse_.row(i) -= w_[i] * row;
  inverse_.row(exit.row) = row;
}

LinearProgramStatus LinearProgram::solve() {
  interruptionPoint();
  iterations_ = 0;
  idle_ = 0;
  const int maximum = 200 + 50 * static_cast<int>(low_.size());
  if (!refactor()) restart();
  placeBasics();
  bool checked = false;
  InterruptionPoints points;
  while (iterations_ < maximum) {
    constexpr std::size_t kLongRounds = 1000;  // Variables, with which a round takes long.
    low_.size() > kLongRounds ? interruptionPoint() : points.pass();
    if (++sinceFactor_ > kRefactor) {
      if (!refactor()) restart();
      placeBasics();
    }
    ++iterations_;
    const bool phaseOne = infeasibility() > 0;
    const Step done = step(phaseOne);
    if (done == Step::moved) {
      checked = false;
      continue;
    }
    if (!checked) {  // An answer counts only with a fresh inverse.
      checked = true;
      if (!refactor()) restart();
      placeBasics();
      idle_ = 0;
      continue;
    }
    if (done == Step::stuck) return LinearProgramStatus::stalled;
    if (done == Step::unbounded) return LinearProgramStatus::unbounded;
    return phaseOne ? LinearProgramStatus::infeasible : LinearProgramStatus::optimal;
  }
  return LinearProgramStatus::stalled;
}

double LinearProgram::value(int column) const {
  MORTISE_REQUIRE_INDEX(column, columns(), "columns");
  const std::size_t j = static_cast<std::size_t>(column + rows_);
  if (status_[j] != BasisStatus::basic) return rest(j);
  for (int i = 0; i < rows_; ++i)
    if (basis_[static_cast<std::size_t>(i)] == j) return x_[i];
  return 0;
}

double LinearProgram::objective() const {
  double sum = 0;
  for (int j = 0; j < columns(); ++j) sum += cost_[static_cast<std::size_t>(j + rows_)] * value(j);
  return sum;
}

}  // namespace mortise
