#include "mortise/rigid_body/tree_matrix.h"

#include <cmath>

namespace mortise::rigid {

TreeMatrix::TreeMatrix(const std::vector<int>& parents) {
  for (int i = 0; i < static_cast<int>(parents.size()); ++i) {
    for (int j = i; j >= 0; j = parents[j]) columns_.push_back(j);
    start_.push_back(static_cast<int>(columns_.size()));
  }
  values_.assign(columns_.size(), 0);
  inverseDiagonal_.assign(parents.size(), 0);
}

void TreeMatrix::multiply(const double* x, double* y) const {
  const int n = size();
  for (int i = 0; i < n; ++i) {
    const double* a = row(i);
    const int* column = columns(i);
    const int length = rowLength(i);
    double sum = a[0] * x[i];
    for (int k = 1; k < length; ++k) {
      sum += a[k] * x[column[k]];
      y[column[k]] += a[k] * x[i];
    }
    y[i] = sum;  // Ancestors come first, so nothing has been added to y[i] yet.
  }
}

/// Row k of the factor, and what it leaves of the rows of its ancestors.
bool TreeMatrix::eliminate(int k) {
  double* a = row(k);
  if (!(a[0] > 0)) return false;
  a[0] = std::sqrt(a[0]);
  const double inverse = 1 / a[0];
  inverseDiagonal_[k] = inverse;
  const int length = rowLength(k);
  const int* column = columns(k);
  for (int p = 1; p < length; ++p) a[p] *= inverse;
  // The ancestors of an ancestor are the rest of the row, so both rows run side by side.
  for (int p = 1; p < length; ++p) {
    double* b = row(column[p]);
    const double factor = a[p];
    for (int r = p; r < length; ++r) b[r - p] -= factor * a[r];
  }
  return true;
}

bool TreeMatrix::factor() {
  for (int k = size() - 1; k >= 0; --k)
    if (!eliminate(k)) return false;
  return true;
}

bool TreeMatrix::factorAllBut(const std::vector<char>& kept) {
  for (int k = size() - 1; k >= 0; --k)
    if (!kept[k] && !eliminate(k)) return false;
  return true;
}

void TreeMatrix::reduce(const std::vector<char>& kept, double* b) const {
  for (int i = size() - 1; i >= 0; --i) {
    if (kept[i]) continue;
    const double* a = row(i);
    const int* column = columns(i);
    const int length = rowLength(i);
    const double value = b[i] * inverseDiagonal_[i];
    b[i] = value;
    for (int k = 1; k < length; ++k) b[column[k]] -= a[k] * value;
  }
}

void TreeMatrix::complete(const std::vector<char>& kept, double* b) const {
  const int n = size();
  for (int i = 0; i < n; ++i) {
    if (kept[i]) continue;
    const double* a = row(i);
    const int* column = columns(i);
    const int length = rowLength(i);
    double sum = b[i];
    for (int k = 1; k < length; ++k) sum -= a[k] * b[column[k]];
    b[i] = sum * inverseDiagonal_[i];
  }
}

void TreeMatrix::solve(double* b) const {
  solveUpper(b);
  solveLower(b);
}

void TreeMatrix::solveUpper(double* b) const {
  const int n = size();
  for (int i = n - 1; i >= 0; --i) {
    const double* a = row(i);
    const int* column = columns(i);
    const int length = rowLength(i);
    const double value = b[i] * inverseDiagonal_[i];
    b[i] = value;
    for (int k = 1; k < length; ++k) b[column[k]] -= a[k] * value;
  }
}

void TreeMatrix::solveLower(double* b) const {
  const int n = size();
  for (int i = 0; i < n; ++i) {
    const double* a = row(i);
    const int* column = columns(i);
    const int length = rowLength(i);
    double sum = b[i];
    for (int k = 1; k < length; ++k) sum -= a[k] * b[column[k]];
    b[i] = sum * inverseDiagonal_[i];
  }
}

}  // namespace mortise::rigid
