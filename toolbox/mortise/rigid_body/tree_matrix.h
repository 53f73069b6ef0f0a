#pragma once

#include <vector>

namespace mortise::rigid {

/// A symmetric matrix with the sparsity of a kinematic tree: entry (i, j) can be nonzero only when j is an ancestor of
/// i or the other way round. Factored as L^T L without fill-in (Featherstone, "Efficient factorization of the
/// joint-space inertia matrix for branched kinematic trees", 2005), so that solving costs the sum of the depths.
class TreeMatrix {
 public:
  TreeMatrix() = default;
  /// `parents[i] < i`, or -1.
  explicit TreeMatrix(const std::vector<int>& parents);

  int size() const { return static_cast<int>(start_.size()) - 1; }
  /// Row i: the diagonal entry, then one for each ancestor, nearest first.
  double* row(int i) { return values_.data() + start_[i]; }
  const double* row(int i) const { return values_.data() + start_[i]; }
  int rowLength(int i) const { return start_[i + 1] - start_[i]; }
  /// The column of each entry of row i.
  const int* columns(int i) const { return columns_.data() + start_[i]; }

  /// y = A x.
  void multiply(const double* x, double* y) const;
  /// Replaces A by its factor. Returns false when A is not positive definite.
  bool factor();
  /// Only after `factor`: solves A x = b in place.
  void solve(double* b) const;
  /// Halves of it: L x = b and L^T x = b.
  void solveLower(double* b) const;
  void solveUpper(double* b) const;
  /// The same for some rows only, those without `kept`, which is set for the ancestors of each row where it is set:
  /// what is left of the others is the matrix of the equations for them alone. `reduce` and `complete` are what
  /// comes before and after solving those.
  bool factorAllBut(const std::vector<char>& kept);
  void reduce(const std::vector<char>& kept, double* b) const;
  void complete(const std::vector<char>& kept, double* b) const;
  double inverseDiagonal(int i) const { return inverseDiagonal_[i]; }

 private:
  bool eliminate(int k);

  std::vector<int> start_{0};
  std::vector<int> columns_;
  std::vector<double> values_;
  std::vector<double> inverseDiagonal_;
};

}  // namespace mortise::rigid
