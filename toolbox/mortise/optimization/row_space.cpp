#include "mortise/optimization/row_space.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mortise/base/expect.h"

namespace mortise {

using Eigen::Index;

double makeReflector(VectorRef x) {
  const Index tail = x.size() - 1;
  const double below = tail > 0 ? x.tail(tail).squaredNorm() : 0;
  if (below == 0) return 0;
  const double first = x[0];
  const double length = std::sqrt(first * first + below);
  const double alpha = first > 0 ? -length : length;
  x.tail(tail) /= first - alpha;
  x[0] = alpha;
  return (alpha - first) / alpha;
}

void reflect(double beta, const ConstVectorRef& v, VectorRef y) {
  if (beta == 0) return;
  const Index tail = v.size();
  const double fraction = beta * (y[0] + v.dot(y.segment(1, tail)));
  y[0] -= fraction;
  y.segment(1, tail) -= fraction * v;
}

void reflectColumns(double beta, const ConstVectorRef& v, MatrixRef M, VectorRef work) {
  if (beta == 0) return;
  auto sum = work.head(M.rows());
  sum = M.col(0);
  if (v.size() > 0) sum.noalias() += M.middleCols(1, v.size()) * v;
  sum *= beta;
  M.col(0) -= sum;
  for (Index j = 0; j < v.size(); ++j) M.col(j + 1) -= v[j] * sum;
}

void RowSpace::reserve(int rows, int variables) {
  const int maximum = std::min(rows, variables);
  T_.resize(variables, rows);
  beta_.resize(maximum);
  length_.resize(rows);
  work_.resize(std::max(rows, variables) + maximum);
  order_.resize(rows);
  G_.resize(rows + maximum, maximum);
  rhs_.resize(rows + maximum);
}

Eigen::Block<Eigen::MatrixXd> RowSpace::begin(int rows, int variables) {
  MORTISE_REQUIRE(rows >= 0 && rows <= T_.cols(), "there must be no more rows than were reserved");
  MORTISE_REQUIRE(variables >= 0 && variables <= T_.rows(), "there must be no more variables than were reserved");
  rows_ = rows;
  variables_ = variables;
  return T_.topLeftCorner(variables, rows);
}

int RowSpace::factor(const ConstVectorRef& lengths, double tolerance) {
  MORTISE_REQUIRE_SIZE(lengths, rows_, "one for each row");
  length_.head(rows_) = lengths;
  for (int i = 0; i < rows_; ++i) {
    order_[i] = i;
    if (lengths[i] > 0)
      T_.col(i).head(variables_) /= lengths[i];
    else
      T_.col(i).head(variables_).setZero();
  }
  rank_ = 0;
  for (int j = 0; j < std::min(rows_, variables_); ++j) {
    const int rest = variables_ - j;
    int best = j;
    double longest = -1;
    for (int i = j; i < rows_; ++i) {
      const double square = T_.col(i).segment(j, rest).squaredNorm();
      // Rows that are alike stay in their order, whatever the last digit.
      if (square > longest * (1 + 1e-9)) longest = square, best = i;
    }
    if (!(longest > tolerance * tolerance)) break;
    if (best != j) {
      T_.col(j).head(variables_).swap(T_.col(best).head(variables_));
      std::swap(order_[j], order_[best]);
    }
    beta_[j] = makeReflector(T_.col(j).segment(j, rest));
    for (int i = j + 1; i < rows_; ++i)
      reflect(beta_[j], T_.col(j).segment(j + 1, rest - 1), T_.col(i).segment(j, rest));
    ++rank_;
  }
  return rank_;
}

double RowSpace::smallestSine() const { return rank_ > 0 ? std::abs(T_(rank_ - 1, rank_ - 1)) : 1; }

void RowSpace::rotate(MatrixRef M) {
  MORTISE_REQUIRE(M.cols() == variables_, "the matrix must have one column for each variable");
  if (work_.size() < M.rows()) work_.resize(M.rows());
  for (int j = 0; j < rank_; ++j)
    reflectColumns(beta_[j], T_.col(j).segment(j + 1, variables_ - j - 1), M.middleCols(j, variables_ - j), work_);
}

void RowSpace::applyTransposed(VectorRef x) const {
  MORTISE_REQUIRE_SIZE(x, variables_, "one for each variable");
  for (int j = 0; j < rank_; ++j)
    reflect(beta_[j], T_.col(j).segment(j + 1, variables_ - j - 1), x.segment(j, variables_ - j));
}

void RowSpace::nullSpace(MatrixRef Q2) const {
  MORTISE_REQUIRE_SHAPE(Q2, variables_, variables_ - rank_);
  Q2.setZero();
  for (int k = 0; k < variables_ - rank_; ++k) {
    Q2(rank_ + k, k) = 1;
    for (int j = rank_ - 1; j >= 0; --j)
      reflect(beta_[j], T_.col(j).segment(j + 1, variables_ - j - 1), Q2.col(k).segment(j, variables_ - j));
  }
}

void RowSpace::reduce(const ConstVectorRef& b, double damping, const ConstVectorRef& bias) {
  MORTISE_REQUIRE_SIZE(b, rows_, "one for each row");
  // Rows in the order of the pivots, in their own units again; then those that damp.
  for (int a = 0; a < rows_; ++a) {
    const double length = length_[order_[a]];
    for (int j = 0; j < rank_; ++j) G_(a, j) = j <= a ? length * T_(j, a) : 0;
    rhs_[a] = b[order_[a]];
  }
  int total = rows_;
  for (int j = 0; j < rank_; ++j) {
    const double sine = std::abs(T_(j, j));
    if (!(sine < damping)) continue;
    const double weight = length_[order_[j]] * std::sqrt(damping * damping - sine * sine);
    G_.row(total).head(rank_).setZero();
    G_(total, j) = weight;
    rhs_[total] = -weight * bias[j];
    ++total;
  }
  lower_ = total == rank_;
  if (lower_) return;
  for (int j = 0; j < rank_; ++j) {
    const double beta = makeReflector(G_.col(j).segment(j, total - j));
    const auto v = G_.col(j).segment(j + 1, total - j - 1);
    for (int k = j + 1; k < rank_; ++k) reflect(beta, v, G_.col(k).segment(j, total - j));
    reflect(beta, v, rhs_.segment(j, total - j));
    G_.col(j).segment(j + 1, total - j - 1).setZero();
  }
}

void RowSpace::solve(VectorRef w) const {
  MORTISE_REQUIRE_SIZE(w, rank_, "one for each direction that counts");
  for (int step = 0; step < rank_; ++step) {
    const int j = lower_ ? step : rank_ - 1 - step;
    double sum = rhs_[j];
    if (lower_)
      for (int k = 0; k < j; ++k) sum -= G_(j, k) * w[k];
    else
      for (int k = j + 1; k < rank_; ++k) sum -= G_(j, k) * w[k];
    w[j] = sum / G_(j, j);
  }
}

void RowSpace::expand(const ConstVectorRef& w, VectorRef x) const {
  MORTISE_REQUIRE_SIZE(w, rank_, "one for each direction that counts");
  MORTISE_REQUIRE_SIZE(x, variables_, "one for each variable");
  x.setZero();
  x.head(rank_) = w;
  for (int j = rank_ - 1; j >= 0; --j)
    reflect(beta_[j], T_.col(j).segment(j + 1, variables_ - j - 1), x.segment(j, variables_ - j));
}

}  // namespace mortise
