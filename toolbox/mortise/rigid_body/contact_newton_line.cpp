/// Newton's method for contacts: how far along a step the function that velocities minimize is lowest.

#include <algorithm>
#include <cmath>

#include "mortise/rigid_body/contact_newton.h"

namespace mortise::rigid {

namespace {

constexpr int kLineSteps = 20;
constexpr double kLineTolerance = 0.1;

}  // namespace

/// Along the step, after a fraction of it, of the function that the velocities minimize while the disks stay. Drives
/// are on their pieces, or with their laws, `together` with contacts.
double ContactNewton::slope(double fraction, bool together) const {
  double sum = start0_ + fraction * rise_;
  if (together)
    for (int t = 0; t < numTrees_; ++t) {
      const Tree& tree = trees_[t];
      sum -= tree.body->drives().slopeAlong(tree.v.data(), tree.step.data(), fraction);
    }
  for (const Term& term : terms_) {
    double u[3], impulse[3];
    for (int r = 0; r < 3; ++r) u[r] = term.u[r] + fraction * term.change[r];
    project(term, u, impulse);
    for (int r = 0; r < 3; ++r) sum -= impulse[r] * term.change[r];
  }
  return sum;
}

/// Finds the part of the slope that grows evenly along the step.
void ContactNewton::findQuadratic(bool together) {
  const std::size_t n = first_.size();
  start0_ = rise_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (together && ofTree_[i]) continue;
    const double* row = base_.data() + start_[i];
    start0_ -= load_[i] * step_[i];
    for (int j = first_[i]; j <= static_cast<int>(i); ++j) {
      if (together && ofTree_[j]) continue;
      const double half = j < static_cast<int>(i) ? 1 : 0.5;
      start0_ += half * row[j] * (step_[i] * w_[j] + step_[j] * w_[i]);
      rise_ += half * row[j] * 2 * step_[i] * step_[j];
    }
  }
  if (!together) return;
  for (int t = 0; t < numTrees_; ++t) {
    Tree& tree = trees_[t];
    const TreeMatrix& M = tree.body->drives().inertia();
    const std::span<const double> before = tree.body->momentumBefore();
    tree.rest.resize(tree.v.size());
    M.multiply(tree.v.data(), tree.rest.data());
    for (std::size_t i = 0; i < tree.v.size(); ++i) start0_ += tree.step[i] * (tree.rest[i] - before[i]);
    M.multiply(tree.step.data(), tree.rest.data());
    for (std::size_t i = 0; i < tree.v.size(); ++i) rise_ += tree.step[i] * tree.rest[i];
  }
}

/// The fraction of the step where the function is lowest; its slope rises along the step.
double ContactNewton::stepFraction(bool together) {
  findQuadratic(together);
  const double start = slope(0, together);
  if (!(start < 0)) return 1;
  double low = 0, high = 1, atLow = start, atHigh = slope(1, together);
  const double near = -kLineTolerance * start;
  if (atHigh <= near) return 1;
  for (int k = 0; k < kLineSteps; ++k) {
    // Friction that comes to stick makes the slope jump, so the interval is halved now and then.
    const double fraction =
        k % 3 == 2 ? 0.5 * (low + high) : low + (high - low) * std::clamp(atLow / (atLow - atHigh), 0.01, 0.99);
    const double here = slope(fraction, together);
    if (std::abs(here) <= near) return fraction;
    (here > 0 ? high : low) = fraction;
    (here > 0 ? atHigh : atLow) = here;
  }
  return low > 0 ? low : high;
}

}  // namespace mortise::rigid
