#pragma once

#include <Eigen/Core>
#include <vector>

namespace mortise {

using ConstMatrixRef = Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using MatrixRef = Eigen::Ref<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using ConstVectorRef = Eigen::Ref<const Eigen::VectorXd>;
using VectorRef = Eigen::Ref<Eigen::VectorXd>;

/// Row space of a linear task A z = b: A^T P = Q [R; 0] with rows pivoted by
/// length (Businger and Golub, 1965). Nothing allocates after `reserve`.
class RowSpace {
 public:
  void reserve(int rows, int variables);

  /// Returns where to put the rows of A, one a column: variables x rows.
  Eigen::Block<Eigen::MatrixXd> begin(int rows, int variables);
  /// Row i is divided by `lengths[i]` first (rows of length 0 count as empty), so that the diagonal of R is a sine: 1
  /// for a row that is perpendicular to the others and as long as it ever is, 0 for one that adds nothing. Rows with a
  /// sine of at most `tolerance` are left out of the rank. Returns the rank.
  int factor(const ConstVectorRef& lengths, double tolerance);
  int rank() const { return rank_; }
  /// Returns the smallest sine of the rows that count; 1 without any.
  double smallestSine() const;

  /// M (any number of rows x variables) becomes M Q: its first `rank` columns then belong to directions in which the
  /// task acts, the others to those in which it does not.
  void rotate(MatrixRef M);
  /// Q^T x.
  void applyTransposed(VectorRef x) const;
  /// The columns of Q that belong to directions in which the task does not act: variables x (variables - rank).
  void nullSpace(MatrixRef Q2) const;

  /// The least-squares problem in the directions that count: T w ~ c, T of rank x rank, triangular, stands for
  /// A Q1 w ~ b. `damping`: pivots with sines below it get as much Tikhonov damping, towards `-bias` along them, as
  /// makes the response fall to zero with the sine instead of growing beyond 1 / damping; 0: none. `bias` has `rank`
  /// numbers.
  void reduce(const ConstVectorRef& b, double damping, const ConstVectorRef& bias);
  Eigen::Block<const Eigen::MatrixXd> triangle() const { return G_.topLeftCorner(rank_, rank_); }
  Eigen::VectorBlock<const Eigen::VectorXd> target() const { return rhs_.head(rank_); }
  /// The w that comes nearest.
  void solve(VectorRef w) const;
  /// Q1 w: the shortest x (`variables` numbers) of those coordinates.
  void expand(const ConstVectorRef& w, VectorRef x) const;

 private:
  int rows_ = 0, variables_ = 0, rank_ = 0;
  bool lower_ = false;    ///< Form of `triangle`.
  Eigen::MatrixXd T_;     ///< variables x rows: R above, reflectors below the diagonal.
  Eigen::VectorXd beta_;  ///< Factors of the reflectors.
  Eigen::VectorXd length_, work_;
  std::vector<int> order_;
  Eigen::MatrixXd G_;  ///< (rows + rank) x rank.
  Eigen::VectorXd rhs_;
};

/// Makes all but the first entry of `x` zero: H x = (alpha, 0, ..., 0), H = 1 - beta (1, v)(1, v)^T. Leaves alpha and v
/// in `x` and returns beta.
double makeReflector(VectorRef x);
/// H y for the reflector (beta, v); y has one entry more than v.
void reflect(double beta, const ConstVectorRef& v, VectorRef y);
/// M H, M of any number of rows, as many columns as y above. `work` has at least as many entries as M rows.
void reflectColumns(double beta, const ConstVectorRef& v, MatrixRef M, VectorRef work);

}  // namespace mortise
