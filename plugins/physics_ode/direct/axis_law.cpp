#include "direct/axis_law.h"

#include <algorithm>
#include <cmath>

#include "mortise/math/constants.h"

namespace mortise::ode {

namespace {

// Dry friction that sticks creeps by this much for each N*m or N, and by no more than that altogether.
constexpr double kFrictionMixing = 1e-6;
constexpr double kFrictionCreep = 1e-5;
constexpr double kStopSlope = 1e9;  // N*m or N for each rad/s or m/s
// By how much of itself a limit is passed before another piece is taken.
constexpr double kTolerance = 1e-9;

}  // namespace

void AxisLaw::set(const JointDrive& d, double position, double h, double slowest, double fastest) {
  rest_ = d.stiffness * (d.target - position) + d.damping * d.targetVelocity + d.feedforward;
  damping_ = h * d.stiffness + d.damping;
  low_ = d.minEffort;
  high_ = std::max(d.minEffort, d.maxEffort);
  viscous_ = std::max(0.0, d.viscousFriction);
  dry_ = std::max(0.0, d.dryFriction);
  stick_ = dry_ > 0 ? 1 / std::min(kFrictionMixing, kFrictionCreep / dry_) : 0;
  slowest_ = slowest;
  fastest_ = std::max(slowest, fastest);
  if (dry_ == 0) pieces_.dry = 0;
  if (!(slowest_ > -kInfinity) && pieces_.stop < 0) pieces_.stop = 0;
  if (!(fastest_ < kInfinity) && pieces_.stop > 0) pieces_.stop = 0;
  if (!std::isfinite(low_) && pieces_.drive < 0) pieces_.drive = 0;
  if (!std::isfinite(high_) && pieces_.drive > 0) pieces_.drive = 0;
  combine();
}

void AxisLaw::combine() {
  slope_ = viscous_;
  offset_ = 0;
  if (pieces_.drive == 0) {
    slope_ += damping_;
    offset_ += rest_;
  } else {
    offset_ += pieces_.drive < 0 ? low_ : high_;
  }
  if (pieces_.dry == 0)
    slope_ += stick_;
  else
    offset_ -= pieces_.dry * dry_;
  if (pieces_.stop != 0) {
    slope_ += kStopSlope;
    offset_ += kStopSlope * (pieces_.stop < 0 ? slowest_ : fastest_);
  }
}

double AxisLaw::driveEffort(double v) const { return std::clamp(rest_ - damping_ * v, low_, high_); }

double AxisLaw::stopEffort(double v) const {
  if (pieces_.stop < 0) return std::max(0.0, kStopSlope * (slowest_ - v));
  if (pieces_.stop > 0) return std::min(0.0, kStopSlope * (fastest_ - v));
  return 0;
}

double AxisLaw::dryEffort(double v) const { return pieces_.dry == 0 ? -stick_ * v : -pieces_.dry * dry_; }

bool AxisLaw::follow(double v) {
  const Pieces before = pieces_;
  const double drive = rest_ - damping_ * v;
  const auto above = [](double value, double limit) { return value > limit + kTolerance * std::abs(limit); };
  if (pieces_.drive == 0)
    pieces_.drive = above(drive, high_) ? 1 : above(-drive, -low_) ? -1 : 0;
  else if (pieces_.drive > 0 ? above(-drive, -high_) : above(drive, low_))
    pieces_.drive = 0;

  if (dry_ > 0) {
    const double sticking = -stick_ * v;
    if (pieces_.dry == 0)
      pieces_.dry = above(std::abs(sticking), dry_) ? (v > 0 ? 1 : -1) : 0;
    else if (pieces_.dry > 0 ? above(sticking, -dry_) : above(-sticking, -dry_))
      pieces_.dry = 0;
  }

  constexpr double kSlack = 1e-12;
  if (pieces_.stop == 0)
    pieces_.stop = v < slowest_ - kSlack ? -1 : v > fastest_ + kSlack ? 1 : 0;
  else if (slowest_ == fastest_)
    ;  // Locked: an equation.
  else if (pieces_.stop < 0 ? v > slowest_ + kSlack : v < fastest_ - kSlack)
    pieces_.stop = 0;

  const bool changed = before.drive != pieces_.drive || before.dry != pieces_.dry || before.stop != pieces_.stop;
  if (changed) combine();
  return changed;
}

}  // namespace mortise::ode
