#pragma once

/// A motion of several coordinates made of parabolic ramps: from milestone to milestone, and cut and joined again.

#include <span>
#include <string>
#include <vector>

#include "mortise/math/transform.h"
#include "mortise/motion/hermite_trajectory.h"
#include "mortise/timing/parabolic_ramp.h"

namespace mortise {

/// Returns the part of a ramp before and from `t`, which lies within its time.
ParabolicRamp rampBefore(const ParabolicRamp& ramp, double t);
ParabolicRamp rampFrom(const ParabolicRamp& ramp, double t);

/// Segments, one after another from time 0 on; in each, every coordinate does one ramp, and all take equally long.
/// Position and velocity are continuous as far as what is appended is. `evaluate` allocates nothing.
class RampPath {
 public:
  /// Nothing yet; `size` coordinates.
  explicit RampPath(int size = 0) : size_(size) {}

  /// Makes the path as fast as the limits allow from each milestone to the next, on a straight line, at rest in each:
  /// all coordinates follow the same fraction of the way. Milestones that are the same as the one before are left out.
  /// Coordinates that are `circular` go the short way round and count on; milestones of the result differ from those
  /// given by whole turns then. Throws `Error` that names the coordinate which cannot move, or whose acceleration
  /// nothing bounds; `names` are theirs.
  static RampPath throughMilestones(const std::vector<VectorXd>& milestones, std::span<const CoordinateLimits> limits,
                                    std::span<const std::string> names = {});

  int size() const { return size_; }
  bool empty() const { return ends_.empty(); }
  std::size_t numSegments() const { return ends_.size(); }
  double duration() const { return ends_.empty() ? 0 : ends_.back(); }
  double segmentEnd(std::size_t segment) const { return ends_[segment]; }
  std::span<const ParabolicRamp> segment(std::size_t segment) const {
    return {ramps_.data() + segment * static_cast<std::size_t>(size_), static_cast<std::size_t>(size_)};
  }
  /// The one that `t` lies in; the later one at a seam.
  std::size_t segmentAt(double t) const;

  /// Position, velocity and acceleration at `t`; at rest before the start and after the end. Sizes must match already.
  void evaluate(double t, VectorXd& q, VectorXd& dq, VectorXd& ddq) const;

  /// One ramp a coordinate, all of time `ramps[0].T`; of no length: left out.
  void append(std::span<const ParabolicRamp> ramps);
  /// Appends another motion from one time to another.
  void append(const RampPath& other, double from, double to);
  /// Puts `ramps` in the place of what happens from `from` to `to`; what comes after moves to follow.
  void replace(double from, double to, std::span<const ParabolicRamp> ramps);

  /// Times at which an acceleration changes, 0 and the duration among them; ascending, neighbors farther apart than
  /// rounding.
  void knots(std::vector<double>& times) const;
  /// The same motion as cubics between `knots`: parabolas are cubics, so nothing is lost but rounding.
  HermiteTrajectory trajectory() const;

 private:
  int size_;
  std::vector<double> ends_;
  std::vector<ParabolicRamp> ramps_;  ///< Segment after segment.
};

/// Milestones without the jumps of whole turns of circular coordinates: each goes the short way from the one before.
void unwrap(std::vector<VectorXd>& milestones, std::span<const CoordinateLimits> limits);

/// Throws `Error` where milestones have other sizes than there are limits, numbers that are not finite, or limits make
/// no sense. `names` are the coordinates'.
void requireMilestones(const std::vector<VectorXd>& milestones, std::span<const CoordinateLimits> limits,
                       std::span<const std::string> names);

}  // namespace mortise
