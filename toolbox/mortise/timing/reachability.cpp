#include "mortise/timing/reachability.h"

#include <algorithm>
#include <cmath>

#include "mortise/math/constants.h"

namespace mortise {

namespace {

/// A row with less of u than this fraction of its x, by the segment's step, bounds x alone.
constexpr double kNoAcceleration = 1e-11;
/// Fraction of the ends by which an interval may be empty.
constexpr double kEmpty = 1e-13;
constexpr int kNewtonSteps = 60;
/// By which share of x a step may shrink it at once, and the share of the cap at which x counts as 0.
constexpr double kShrink = 1e-3, kSmallest = 1e-60;

}  // namespace

/// The accelerations at some x, and how the ends change with x.
struct Reachability::Interval {
  double low = -kInfinity, high = kInfinity, lowSlope = 0, highSlope = 0;

  void meet(double below, double above, double ratio, double x) {
    const double from = below - ratio * x, to = above - ratio * x;
    if (from > low) low = from, lowSlope = -ratio;
    if (to < high) high = to, highSlope = -ratio;
  }
  bool empty() const { return high < low - kEmpty * (std::abs(low) + std::abs(high)) || (std::isinf(low) && low > 0); }
};

void Reachability::start(const std::vector<double>& steps) {
  steps_ = steps;
  caps_.assign(steps.size() + 1, kInfinity);
  floors_.assign(steps.size() + 1, 0);
  first_.assign(steps.size() + 1, 0);
  below_.clear();
  above_.clear();
  ratio_.clear();
}

void Reachability::cap(std::size_t node, double maximum) { caps_[node] = std::min(caps_[node], maximum); }

void Reachability::addRow(std::size_t segment, double alpha, double beta, double low, double high) {
  if (std::abs(alpha) <= kNoAcceleration * steps_[segment] * std::abs(beta)) {
    if (beta == 0) {
      if (low > 0 || high < 0) caps_[segment] = -kInfinity;
      return;
    }
    caps_[segment] = std::min(caps_[segment], beta > 0 ? high / beta : low / beta);
    floors_[segment] = std::max(floors_[segment], beta > 0 ? low / beta : high / beta);
    return;
  }
  const double per = 1 / alpha, from = low * per, to = high * per;
  below_.push_back(std::min(from, to));
  above_.push_back(std::max(from, to));
  ratio_.push_back(beta * per);
  first_[segment + 1] = below_.size();
}

Reachability::Interval Reachability::interval(std::size_t segment, double x) const {
  Interval found;
  const std::size_t end = first_[segment + 1];
  for (std::size_t r = first_[segment]; r < end; ++r) found.meet(below_[r], above_[r], ratio_[r], x);
  return found;
}

void Reachability::accelerations(std::size_t segment, double x, double& low, double& high) const {
  const Interval found = interval(segment, x);
  low = found.low;
  high = found.high;
}

/// The largest x up to `cap` from which a next x in [low, high] can be reached; negative where there is none.
double Reachability::largest(std::size_t segment, double cap, double low, double high) const {
  const double ratio = 0.5 / steps_[segment], below = low * ratio, above = high * ratio;
  const auto at = [&](double x) {
    Interval found = interval(segment, x);
    found.meet(below, above, ratio, x);
    return found;
  };
  double x = cap;
  for (int k = 0; k < kNewtonSteps; ++k) {
    const Interval found = at(x);
    if (!found.empty()) return x;
    const double slope = found.highSlope - found.lowSlope;
    if (!(slope < 0)) return -1;
    const double next = x - (found.high - found.low) / slope;
    if (!(next < x)) return x;
    if (next > kShrink * x) {
      x = next;
      continue;
    }
    // So far below, a step is made of rounding.
    double empty = x, full = kShrink * x;
    while (full > kSmallest * cap && at(full).empty()) empty = full, full *= kShrink;
    if (full <= kSmallest * cap) return at(0).empty() ? -1 : 0;
    for (int i = 0; i < kNewtonSteps; ++i) {
      const double middle = 0.5 * (empty + full);
      (at(middle).empty() ? empty : full) = middle;
    }
    return full;
  }
  return x;
}

/// The smallest x of those.
double Reachability::smallest(std::size_t segment, double cap, double low, double high) const {
  const double ratio = 0.5 / steps_[segment], below = low * ratio, above = high * ratio;
  double x = floors_[segment];
  for (int k = 0; k < kNewtonSteps && x <= cap; ++k) {
    Interval found = interval(segment, x);
    found.meet(below, above, ratio, x);
    if (!found.empty()) return x;
    const double slope = found.highSlope - found.lowSlope;
    if (!(slope > 0)) return kInfinity;
    const double next = x - (found.high - found.low) / slope;
    if (!(next > x)) return x;
    x = next;
  }
  return x;
}

bool Reachability::solve() {
  const std::size_t segments = steps_.size();
  for (std::size_t k = 1; k <= segments; ++k) first_[k] = std::max(first_[k], first_[k - 1]);
  minimum_.assign(segments + 1, 0);
  maximum_.assign(segments + 1, 0);
  x_.assign(segments + 1, 0);
  caps_[0] = std::min(caps_[0], 0.0);
  for (std::size_t k = segments; k-- > 0;) {
    stuck_ = k;
    if (!(caps_[k] >= floors_[k])) return false;
    // A cap that is no number comes from a path that nothing bounds.
    const double cap = std::min(caps_[k], 1e30);
    maximum_[k] = largest(k, cap, minimum_[k + 1], maximum_[k + 1]);
    if (!(maximum_[k] >= floors_[k])) return false;
    minimum_[k] = std::min(smallest(k, maximum_[k], minimum_[k + 1], maximum_[k + 1]), maximum_[k]);
  }
  for (std::size_t k = 0; k < segments; ++k) {
    const Interval found = interval(k, x_[k]);
    const double twice = 2 * steps_[k];
    const double fastest = x_[k] + twice * std::max(found.high, found.low);
    x_[k + 1] = std::clamp(fastest, minimum_[k + 1], maximum_[k + 1]);
  }
  return true;
}

}  // namespace mortise
