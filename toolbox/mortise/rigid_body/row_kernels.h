#pragma once

/// The inner loops of the row solver.

namespace mortise::rigid {

/// Two numbers at once, on every processor with registers of 128 bits; compilers split it on others.
typedef double Pair __attribute__((vector_size(16), may_alias));

inline int stride(int length) { return (length + 1) & ~1; }

/// *u += y . x, of an even number of entries.
inline void multiply1(const double* y, const double* x, int size, double* u) {
  const auto* Y = reinterpret_cast<const Pair*>(y);
  const auto* X = reinterpret_cast<const Pair*>(x);
  Pair sum = {0, 0};
  for (int k = 0; k < size / 2; ++k) sum += Y[k] * X[k];
  *u += sum[0] + sum[1];
}

/// y . x of any length and alignment.
inline double multiplyLoose(const double* y, const double* x, int size) {
  typedef double Loose __attribute__((vector_size(16), aligned(8), may_alias));
  Pair first = {0, 0}, second = {0, 0};
  int k = 0;
  for (; k + 3 < size; k += 4) {
    first += *reinterpret_cast<const Loose*>(y + k) * *reinterpret_cast<const Loose*>(x + k);
    second += *reinterpret_cast<const Loose*>(y + k + 2) * *reinterpret_cast<const Loose*>(x + k + 2);
  }
  if (k + 1 < size) {
    first += *reinterpret_cast<const Loose*>(y + k) * *reinterpret_cast<const Loose*>(x + k);
    k += 2;
  }
  first += second;
  double sum = first[0] + first[1];
  if (k < size) sum += y[k] * x[k];
  return sum;
}

/// u += Y x and x += Y^T p for three rows of a rigid body, the case that counts: without loops.
inline void multiply3x6(const double* y, const double* x, double* u) {
  const auto* Y = reinterpret_cast<const Pair*>(y);
  const auto* X = reinterpret_cast<const Pair*>(x);
  const Pair x0 = X[0], x1 = X[1], x2 = X[2];
  const Pair a = Y[0] * x0 + Y[1] * x1 + Y[2] * x2;
  const Pair b = Y[3] * x0 + Y[4] * x1 + Y[5] * x2;
  const Pair c = Y[6] * x0 + Y[7] * x1 + Y[8] * x2;
  u[0] += a[0] + a[1];
  u[1] += b[0] + b[1];
  u[2] += c[0] + c[1];
}
inline void multiplyTransposed3x6(const double* y, const double* p, double* x) {
  const auto* Y = reinterpret_cast<const Pair*>(y);
  auto* X = reinterpret_cast<Pair*>(x);
  const Pair a = {p[0], p[0]}, b = {p[1], p[1]}, c = {p[2], p[2]};
  X[0] += Y[0] * a + Y[3] * b + Y[6] * c;
  X[1] += Y[1] * a + Y[4] * b + Y[7] * c;
  X[2] += Y[2] * a + Y[5] * b + Y[8] * c;
}
/// And for three rows of a link, whose entries of w are gathered first.
inline void multiply3(const double* y, const double* x, int size, double* u) {
  const auto* X = reinterpret_cast<const Pair*>(x);
  const auto* A = reinterpret_cast<const Pair*>(y);
  const auto* B = reinterpret_cast<const Pair*>(y + size);
  const auto* C = reinterpret_cast<const Pair*>(y + 2 * size);
  Pair a = {0, 0}, b = {0, 0}, c = {0, 0};
  for (int k = 0; k < size / 2; ++k) {
    a += A[k] * X[k];
    b += B[k] * X[k];
    c += C[k] * X[k];
  }
  u[0] += a[0] + a[1];
  u[1] += b[0] + b[1];
  u[2] += c[0] + c[1];
}

}  // namespace mortise::rigid
