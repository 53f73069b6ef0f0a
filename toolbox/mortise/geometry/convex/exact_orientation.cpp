#include "mortise/geometry/convex/exact_orientation.h"

#include <cmath>

namespace mortise::exact {
namespace {

constexpr double kUnit = 1.1102230246251565e-16;  // 2^-53: half the distance from 1 to the next double.
constexpr double kSplitter = 134217729.0;         // 2^27 + 1

// A number as an unevaluated sum of doubles that do not overlap, the smallest first.
template <int N>
struct Expansion {
  int size = 0;
  double terms[N];
  int sign() const { return size == 0 ? 0 : terms[size - 1] > 0 ? 1 : -1; }
  void append(double term) {
    if (term != 0) terms[size++] = term;
  }
};

inline void twoSum(double a, double b, double& sum, double& tail) {
  sum = a + b;
  const double virtualB = sum - a, virtualA = sum - virtualB;
  tail = (a - virtualA) + (b - virtualB);
}

inline void fastTwoSum(double a, double b, double& sum, double& tail) {
  sum = a + b;
  tail = b - (sum - a);
}

inline void split(double a, double& high, double& low) {
  const double c = kSplitter * a;
  high = c - (c - a);
  low = a - high;
}

inline void twoProduct(double a, double b, double& product, double& tail) {
  product = a * b;
  double aHigh, aLow, bHigh, bLow;
  split(a, aHigh, aLow);
  split(b, bHigh, bLow);
  tail = aLow * bLow - (((product - aHigh * bHigh) - aLow * bHigh) - aHigh * bLow);
}

Expansion<2> difference(double a, double b) {
  double sum, tail;
  twoSum(a, -b, sum, tail);
  Expansion<2> result;
  result.append(tail);
  result.append(sum);
  return result;
}

// Shewchuk's fast expansion sum with elimination of zeros.
template <int N, int M>
Expansion<N + M> sum(const Expansion<N>& e, const Expansion<M>& f) {
  Expansion<N + M> h;
  int i = 0, j = 0;
  const auto next = [&]() {
    if (j >= f.size || (i < e.size && (f.terms[j] > e.terms[i]) == (f.terms[j] > -e.terms[i]))) return e.terms[i++];
    return f.terms[j++];
  };
  const int total = e.size + f.size;
  if (total == 0) return h;
  double q = next();
  for (int k = 1; k < total; ++k) {
    double sum, tail;
    twoSum(q, next(), sum, tail);
    h.append(tail);
    q = sum;
  }
  h.append(q);
  return h;
}

template <int N>
Expansion<N> negated(Expansion<N> e) {
  for (int i = 0; i < e.size; ++i) e.terms[i] = -e.terms[i];
  return e;
}

// Shewchuk's scale expansion with elimination of zeros.
template <int N>
Expansion<2 * N> scaled(const Expansion<N>& e, double b) {
  Expansion<2 * N> h;
  if (e.size == 0 || b == 0) return h;
  double q, tail;
  twoProduct(e.terms[0], b, q, tail);
  h.append(tail);
  for (int i = 1; i < e.size; ++i) {
    double product, productTail, sum;
    twoProduct(e.terms[i], b, product, productTail);
    twoSum(q, productTail, sum, tail);
    h.append(tail);
    fastTwoSum(product, sum, q, tail);
    h.append(tail);
  }
  h.append(q);
  return h;
}

template <int N>
Expansion<4 * N> product(const Expansion<N>& e, const Expansion<2>& f) {
  const Expansion<2 * N> low = scaled(e, f.size > 0 ? f.terms[0] : 0);
  return sum(low, scaled(e, f.size > 1 ? f.terms[1] : 0));
}

int exactOrientation2d(double ax, double ay, double bx, double by, double cx, double cy) {
  const auto left = product(difference(bx, ax), difference(cy, ay));
  const auto right = product(difference(by, ay), difference(cx, ax));
  return sum(left, negated(right)).sign();
}

int exactOrientation3d(const double* a, const double* b, const double* c, const double* d) {
  const auto bx = difference(b[0], a[0]), by = difference(b[1], a[1]), bz = difference(b[2], a[2]);
  const auto cx = difference(c[0], a[0]), cy = difference(c[1], a[1]), cz = difference(c[2], a[2]);
  const auto dx = difference(d[0], a[0]), dy = difference(d[1], a[1]), dz = difference(d[2], a[2]);
  const auto x = product(sum(product(by, cz), negated(product(bz, cy))), dx);
  const auto y = product(sum(product(bz, cx), negated(product(bx, cz))), dy);
  const auto z = product(sum(product(bx, cy), negated(product(by, cx))), dz);
  return sum(sum(x, y), z).sign();
}

}  // namespace

int orientation2d(double ax, double ay, double bx, double by, double cx, double cy) {
  const double left = (bx - ax) * (cy - ay), right = (by - ay) * (cx - ax);
  const double determinant = left - right;
  const double bound = (3 + 16 * kUnit) * kUnit * (std::fabs(left) + std::fabs(right));
  if (determinant > bound) return 1;
  if (-determinant > bound) return -1;
  if (bound == 0) return 0;  // Every product is zero, which it can only be when a difference is.
  return exactOrientation2d(ax, ay, bx, by, cx, cy);
}

int orientation3d(const double* a, const double* b, const double* c, const double* d) {
  const double bx = b[0] - a[0], by = b[1] - a[1], bz = b[2] - a[2];
  const double cx = c[0] - a[0], cy = c[1] - a[1], cz = c[2] - a[2];
  const double dx = d[0] - a[0], dy = d[1] - a[1], dz = d[2] - a[2];
  const double bycz = by * cz, bzcy = bz * cy, bzcx = bz * cx, bxcz = bx * cz, bxcy = bx * cy, bycx = by * cx;
  const double determinant = (bycz - bzcy) * dx + (bzcx - bxcz) * dy + (bxcy - bycx) * dz;
  const double permanent = (std::fabs(bycz) + std::fabs(bzcy)) * std::fabs(dx) +
                           (std::fabs(bzcx) + std::fabs(bxcz)) * std::fabs(dy) +
                           (std::fabs(bxcy) + std::fabs(bycx)) * std::fabs(dz);
  const double bound = (7 + 56 * kUnit) * kUnit * permanent;
  if (determinant > bound) return 1;
  if (-determinant > bound) return -1;
  if (permanent == 0) return 0;
  return exactOrientation3d(a, b, c, d);
}

}  // namespace mortise::exact
