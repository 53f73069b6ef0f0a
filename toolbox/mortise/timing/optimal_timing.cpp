#include "mortise/timing/optimal_timing.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/base/interruption.h"
#include "mortise/base/value_text.h"
#include "mortise/math/constants.h"
#include "mortise/timing/bound_usage.h"
#include "mortise/timing/coordinate_name.h"
#include "mortise/timing/reachability.h"

namespace mortise {

namespace {

/// A coordinate whose numbers stay within this (rad, m) does not move, whatever its slope says.
constexpr double kStands = 1e-9;
/// Squares of velocity that only a path without bounds reaches.
constexpr double kUnbounded = 1e28;
/// An acceleration along the path that changes by this fraction of the largest one jumps.
constexpr double kSwitch = 0.05;
/// The change of x that splitting a segment must make there, as a fraction; and the ends at which it may not be split,
/// as a fraction of the segment.
constexpr double kWorth = 1e-8, kEdge = 1e-3;
/// The factor by which the last check is finer than those before, after which nothing but stretching is left.
constexpr int kLastChecks = 8;
/// Parts of a segment take no less than this (s): who reads accelerations out of positions, velocities and times has
/// only the digits of these, which over a microsecond are worth a thousandth of an acceleration.
constexpr double kShortestTime = 2e-5;
/// Share of what a bound leaves to motion up to which segments are not checked in between.
constexpr double kClear = 0.75;
/// By which fraction bounds may be exceeded before they are tightened, and before segments are halved.
constexpr double kTolerated = 1e-7, kCoarse = 1.02;
/// By which fraction a bound that does not hold at rest may be exceeded by a motion.
constexpr double kPassed = 1e-6;

struct Segment {
  std::size_t piece = 0;
  double from = 0, to = 0;
  std::vector<PathRow> rowsAtStart, rowsAtEnd;  ///< Rows of `PathBound`s.
  bool hasRows = false;
  double velocity = 1, acceleration = 1, other = 1;  ///< Fractions to which bounds are tightened.
};

/// Seconds of a length at constant acceleration, between squares of the velocities at its ends.
double timeOver(double length, double from, double to) {
  return 2 * length / (std::sqrt(std::max(from, 0.0)) + std::sqrt(std::max(to, 0.0)));
}

/// Returns the largest `PathBound::excess` at some places of a piece, its ends among them.
double largestExcess(const HermiteTrajectory& motion, PathBound& bound, std::size_t piece, int places);

/// One stretch, from rest to rest.
class StretchTimer {
 public:
  StretchTimer(const HermiteTrajectory& curve, std::span<const CoordinateLimits> limits,
               std::span<PathBound* const> bounds, const OptimalTimingOptions& options)
      : curve_(curve), limits_(limits), bounds_(bounds), options_(options), n_(limits.size()) {
    divide();
  }

  void run() {
    solve();
    for (int i = 0; i < options_.refinements && splitAtSwitches(); ++i) solve();
    for (int i = 0; i < options_.tightenings && tighten(); ++i)
      if (!attempt()) {
        // Bounds that were tightened too far: what is left stretches the times.
        for (Segment& segment : segments_) segment.other = segment.acceleration = segment.velocity = 1;
        solve();
        break;
      }
    makeMotion();
    for (std::size_t k = 0; k < segments_.size(); ++k)
      for (PathBound* bound : bounds_) {
        const double excess =
            largestExcess(motion_, *bound, k, isClear(k) ? 1 : kLastChecks * options_.checksPerSegment);
        // What cannot be held at rest may still be passed at speed.
        if (std::isinf(excess) && utilizationAt(*bound, k) > 1 + kPassed) throwUnbearable(*bound, k);
        if (std::isfinite(excess)) excess_ = std::max(excess_, excess);
      }
  }
  /// Returns the excess of bounds other than those of coordinates, in the end.
  double excess() const { return excess_; }
  const HermiteTrajectory& motion() const { return motion_; }
  /// When the curve's knots are passed.
  std::vector<double> knotTimes() const {
    std::vector<double> times;
    for (std::size_t k = 0; k <= segments_.size(); ++k)
      if (k == segments_.size() || k == 0 || segments_[k].piece != segments_[k - 1].piece)
        times.push_back(motion_.times[k]);
    return times;
  }
  int numSegments() const { return static_cast<int>(segments_.size()); }

 private:
  void divide() {
    const std::size_t pieces = curve_.times.size() - 1;
    const double full = curve_.times.back() - curve_.times.front();
    const int minimum = std::clamp(options_.gridPoints / static_cast<int>(pieces), 1, 4);
    for (std::size_t p = 0; p < pieces; ++p) {
      const double from = curve_.times[p], length = curve_.times[p + 1] - from;
      const bool straight = bounds_.empty() && isStraight(curve_, p);
      const int parts =
          straight ? 2 : std::max(minimum, static_cast<int>(std::ceil(options_.gridPoints * length / full)));
      for (int k = 0; k < parts; ++k) {
        Segment segment;
        segment.piece = p;
        segment.from = k == 0 ? from : segments_.back().to;
        segment.to = k + 1 == parts ? curve_.times[p + 1] : from + length * (k + 1) / parts;
        segments_.push_back(std::move(segment));
      }
    }
  }

  /// Places, derivatives, and the bounds on them.
  void prepare() {
    const std::size_t count = segments_.size();
    q_.resize((count + 1) * n_);
    slope_.resize((count + 1) * n_);
    bendStart_.resize(count * n_);
    bendEnd_.resize(count * n_);
    steps_.resize(count);
    InterruptionPoints passes;
    for (std::size_t k = 0; k < count; ++k) {
      passes.pass();
      const Segment& segment = segments_[k];
      steps_[k] = segment.to - segment.from;
      evaluatePiece(curve_, segment.piece, segment.to, &q_[(k + 1) * n_], &slope_[(k + 1) * n_], &bendEnd_[k * n_]);
      evaluatePiece(curve_, segment.piece, segment.from, &q_[k * n_], &slope_[k * n_], &bendStart_[k * n_]);
    }
    profile_.start(steps_);
    for (std::size_t k = 0; k < count; ++k) {
      interruptionPoint();
      addRows(k);
    }
  }

  void addRows(std::size_t k) {
    Segment& segment = segments_[k];
    const double *slope = &slope_[k * n_], *next = &slope_[(k + 1) * n_];
    const double *bendStart = &bendStart_[k * n_], *bendEnd = &bendEnd_[k * n_];
    double start = 0, end = 0;  // The largest share of a bound of velocity at s' = 1.
    for (std::size_t j = 0; j < n_; ++j) {
      const CoordinateLimits& limits = limits_[j];
      start = std::max(start, slope[j] > 0 ? slope[j] / limits.vMax : slope[j] / limits.vMin);
      end = std::max(end, next[j] > 0 ? next[j] / limits.vMax : next[j] / limits.vMin);
      if (std::isinf(limits.aMax)) continue;
      const double maximum = limits.aMax * segment.acceleration;
      if (slope[j] != 0 || bendStart[j] != 0) profile_.addRow(k, slope[j], bendStart[j], -maximum, maximum);
      if (next[j] != 0 || bendEnd[j] != 0) profile_.addRowAtEnd(k, next[j], bendEnd[j], -maximum, maximum);
    }
    const double square = segment.velocity * segment.velocity;
    if (start > 0) profile_.cap(k, square / (start * start));
    if (end > 0) profile_.cap(k + 1, square / (end * end));
    if (bounds_.empty()) return;
    if (!segment.hasRows) {
      const auto n = static_cast<Eigen::Index>(n_);
      const auto vectorAt = [n](const std::vector<double>& all, std::size_t at) {
        return VectorXd(Eigen::Map<const VectorXd>(all.data() + at, n));
      };
      const PathBox before = boxAt(slope, bendStart, start), after = boxAt(next, bendEnd, end);
      const bool first = segment.rowsAtStart.empty(), last = segment.rowsAtEnd.empty();
      // Within a piece the place and its bend are those at which the segment before ended.
      const bool known = first && k > 0 && segments_[k - 1].piece == segment.piece && segments_[k - 1].hasRows;
      if (known) segment.rowsAtStart = segments_[k - 1].rowsAtEnd;
      for (PathBound* bound : bounds_) {
        if (first && !known)
          bound->addRows(vectorAt(q_, k * n_), vectorAt(slope_, k * n_), vectorAt(bendStart_, k * n_), before,
                         segment.rowsAtStart);
        if (last)
          bound->addRows(vectorAt(q_, (k + 1) * n_), vectorAt(slope_, (k + 1) * n_), vectorAt(bendEnd_, k * n_), after,
                         segment.rowsAtEnd);
      }
      segment.hasRows = true;
    }
    for (const PathRow& row : segment.rowsAtStart)
      profile_.addRow(k, row.alpha, row.beta, -kInfinity, row.gamma > 0 ? segment.other * row.gamma : row.gamma);
    for (const PathRow& row : segment.rowsAtEnd)
      profile_.addRowAtEnd(k, row.alpha, row.beta, -kInfinity, row.gamma > 0 ? segment.other * row.gamma : row.gamma);
  }

  /// Returns what coordinates' bounds leave; `utilization`: of velocities at s' = 1.
  PathBox boxAt(const double* slope, const double* bend, double utilization) const {
    PathBox box{kInfinity, utilization > 0 ? 1 / (utilization * utilization) : kInfinity};
    for (std::size_t j = 0; j < n_; ++j)
      if (std::abs(slope[j]) > 0 && std::isfinite(limits_[j].aMax) && (bend[j] == 0 || std::isfinite(box.x)))
        box.u =
            std::min(box.u, (limits_[j].aMax + (bend[j] == 0 ? 0 : std::abs(bend[j]) * box.x)) / std::abs(slope[j]));
    return box;
  }

  /// Says whether what the profile does keeps clear of all rows of a segment, so that there is nothing to check in
  /// between.
  bool isClear(std::size_t k) const {
    const std::vector<double>& x = profile_.squares();
    const double u = (x[k + 1] - x[k]) / (2 * steps_[k]);
    const auto clear = [u](const std::vector<PathRow>& rows, double square) {
      return std::all_of(rows.begin(), rows.end(),
                         [&](const PathRow& row) { return row.alpha * u + row.beta * square <= kClear * row.gamma; });
    };
    return clear(segments_[k].rowsAtStart, x[k]) && clear(segments_[k].rowsAtEnd, x[k + 1]);
  }

  bool attempt() {
    prepare();
    return profile_.solve();
  }

  void solve() {
    if (!attempt()) throwStuck();
    const std::vector<double>& x = profile_.squares();
    for (std::size_t k = 0; k < segments_.size(); ++k) {
      if (x[k] + x[k + 1] > 0 && x[k] < kUnbounded && x[k + 1] < kUnbounded) continue;
      if (x[k] + x[k + 1] > 0)
        throw Error("nothing limits how fast the path may be followed", {},
                    "give limits for all coordinates (--velocity, --acceleration)");
      throwStuck();
    }
  }

  [[noreturn]] void throwStuck() const {
    const std::size_t node = std::min(profile_.stuck(), segments_.size());
    const VectorXd q = Eigen::Map<const VectorXd>(q_.data() + node * n_, static_cast<Eigen::Index>(n_));
    for (PathBound* bound : bounds_)
      if (const std::string why = bound->explain(q); !why.empty()) throw Error(why);
    const double full = curve_.times.back() - curve_.times.front();
    const double at = node < segments_.size() ? segments_[node].from : curve_.times.back();
    throw Error("the path cannot be followed within its bounds: there is no way on at " +
                    formatReal(std::round(100 * (at - curve_.times.front()) / full)) + " % of a stretch between rests",
                {}, "allow more acceleration or torque, or take a path with gentler turns");
  }

  /// A bound does not hold within a segment, however slow the motion is there.
  [[noreturn]] void throwUnbearable(PathBound& bound, std::size_t k) const {
    for (const double u : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      VectorXd q = motion_.configurations[k], dq = q;
      motion_.evaluate(motion_.times[k] + u * (motion_.times[k + 1] - motion_.times[k]), q, dq);
      if (const std::string why = bound.explain(q); !why.empty()) throw Error(why);
    }
    throw Error("a bound of torques or contact forces holds at no speed of the path", {},
                "allow more torque, or take another path");
  }

  /// Splits segments within which the acceleration jumps. Whether there were any.
  bool splitAtSwitches() {
    interruptionPoint();
    const std::vector<double>& x = profile_.squares();
    const std::size_t count = segments_.size();
    std::vector<double> u(count);
    double largest = 0;
    for (std::size_t k = 0; k < count; ++k) {
      u[k] = (x[k + 1] - x[k]) / (2 * steps_[k]);
      largest = std::max(largest, std::abs(u[k]));
    }
    std::vector<Segment> finer;
    finer.reserve(count + 8);
    InterruptionPoints passes;
    for (std::size_t k = 0; k < count; ++k) {
      passes.pass();
      // What the neighbors do goes on here, unless another piece of the curve begins: then what is possible.
      double low = 0, high = 0, unused = 0;
      profile_.accelerations(k, x[k], unused, high);
      profile_.accelerations(k, x[k + 1], low, unused);
      const bool begins = k == 0 || segments_[k - 1].piece != segments_[k].piece;
      const bool ends = k + 1 == count || segments_[k + 1].piece != segments_[k].piece;
      const double before = begins ? high : u[k - 1], after = ends ? low : u[k + 1], d = steps_[k];
      std::optional<double> at;
      if (std::isfinite(before) && std::isfinite(after) && std::abs(before - after) > kSwitch * largest) {
        const double part = (x[k + 1] - x[k] - 2 * after * d) / (2 * (before - after));
        const double there = x[k] + 2 * before * part, line = x[k] + (x[k + 1] - x[k]) * part / d;
        if (part > kEdge * d && part < (1 - kEdge) * d && std::abs(there - line) > kWorth * std::max(line, there) &&
            std::min(timeOver(part, x[k], there), timeOver(d - part, there, x[k + 1])) > kShortestTime)
          at = segments_[k].from + part;
      }
      split(segments_[k], at, finer);
    }
    const bool any = finer.size() > count;
    segments_ = std::move(finer);
    return any;
  }

  static void split(Segment& segment, const std::optional<double>& at, std::vector<Segment>& finer) {
    if (!at) {
      finer.push_back(std::move(segment));
      return;
    }
    Segment second = segment;
    second.from = *at;
    second.rowsAtStart.clear();
    segment.to = *at;
    segment.rowsAtEnd.clear();
    segment.hasRows = second.hasRows = false;
    finer.push_back(std::move(segment));
    finer.push_back(std::move(second));
  }

  void makeMotion() {
    const std::vector<double>& x = profile_.squares();
    const std::size_t count = segments_.size();
    const auto n = static_cast<Eigen::Index>(n_);
    motion_.times.resize(count + 1);
    motion_.configurations.resize(count + 1);
    motion_.velocities.resize(count + 1);
    double t = 0;
    InterruptionPoints passes;
    for (std::size_t k = 0; k <= count; ++k) {
      passes.pass();
      if (k > 0) t += timeOver(steps_[k - 1], x[k - 1], x[k]);
      motion_.times[k] = t;
      motion_.configurations[k] = Eigen::Map<const VectorXd>(q_.data() + k * n_, n);
      motion_.velocities[k] = std::sqrt(x[k]) * Eigen::Map<const VectorXd>(slope_.data() + k * n_, n);
    }
  }

  /// Tightens bounds where the motion exceeds them; whether it does anywhere.
  bool tighten() {
    makeMotion();
    bool any = false;
    std::vector<Segment> finer;
    finer.reserve(segments_.size());
    for (std::size_t k = 0; k < segments_.size(); ++k) {
      interruptionPoint();
      Segment& segment = segments_[k];
      const BoundUsage usage = boundUsage(motion_, k, limits_);
      double other = 0;
      if (!isClear(k))
        for (PathBound* bound : bounds_)
          other = std::max(other, largestExcess(motion_, *bound, k, options_.checksPerSegment));
      const bool coarse = std::max({usage.velocity, usage.acceleration, other}) > kCoarse &&
                          motion_.times[k + 1] - motion_.times[k] > 2 * kShortestTime &&
                          segments_.size() < 50 * static_cast<std::size_t>(options_.gridPoints);
      if (usage.velocity > 1 + kTolerated) segment.velocity /= usage.velocity, any = true;
      if (usage.acceleration > 1 + kTolerated) segment.acceleration /= std::min(usage.acceleration, 2.0), any = true;
      if (other > 1 + kTolerated) segment.other /= std::min(other * (1 + kTolerated), 2.0), any = true;
      split(segment, coarse ? std::optional(0.5 * (segment.from + segment.to)) : std::nullopt, finer);
    }
    segments_ = std::move(finer);
    return any;
  }

  double utilizationAt(PathBound& bound, std::size_t k);

  const HermiteTrajectory& curve_;
  std::span<const CoordinateLimits> limits_;
  std::span<PathBound* const> bounds_;
  const OptimalTimingOptions& options_;
  std::size_t n_;
  std::vector<Segment> segments_;
  double excess_ = 0;
  std::vector<double> q_, slope_, bendStart_, bendEnd_, steps_;
  Reachability profile_;
  HermiteTrajectory motion_;
};

/// State and acceleration at a fraction of a piece.
void stateAt(const HermiteTrajectory& motion, std::size_t piece, double u, VectorXd& q, VectorXd& dq, VectorXd& ddq) {
  q.resize(motion.configurations[piece].size());
  dq.resize(q.size());
  ddq.resize(q.size());
  const double s = motion.times[piece] + u * (motion.times[piece + 1] - motion.times[piece]);
  evaluatePiece(motion, piece, s, q.data(), dq.data(), ddq.data());
}

double largestExcess(const HermiteTrajectory& motion, PathBound& bound, std::size_t piece, int places) {
  VectorXd q, dq, ddq;
  double maximum = 0;
  for (int i = 0; i <= places; ++i) {
    stateAt(motion, piece, static_cast<double>(i) / places, q, dq, ddq);
    maximum = std::max(maximum, bound.excess(q, dq, ddq));
  }
  return maximum;
}

double StretchTimer::utilizationAt(PathBound& bound, std::size_t k) {
  const HermiteTrajectory piece{{motion_.times[k], motion_.times[k + 1]},
                                {motion_.configurations[k], motion_.configurations[k + 1]},
                                {motion_.velocities[k], motion_.velocities[k + 1]}};
  return largestUtilization(piece, bound, options_.checksPerSegment);
}

/// Bounds of coordinates that stand count for nothing. Throws for those that have to move and cannot.
std::vector<CoordinateLimits> limitsOfMoving(const PathCurve& curve, std::span<const CoordinateLimits> limits,
                                             std::span<const std::string> names) {
  std::vector<CoordinateLimits> result(limits.begin(), limits.end());
  for (std::size_t j = 0; j < limits.size(); ++j) {
    const auto c = static_cast<Eigen::Index>(j);
    double minimum = kInfinity, maximum = -kInfinity;
    for (const HermiteTrajectory& stretch : curve.stretches)
      for (const VectorXd& q : stretch.configurations)
        minimum = std::min(minimum, q[c]), maximum = std::max(maximum, q[c]);
    if (maximum - minimum <= kStands) {
      result[j].vMax = result[j].aMax = kInfinity;
      result[j].vMin = -kInfinity;
      continue;
    }
    const bool still = !(limits[j].vMax > 0) && !(limits[j].vMin < 0);
    if (still || !(limits[j].aMax > 0))
      throw Error(coordinateName(names, j) + " has to move, but its " + (still ? "velocity" : "acceleration") +
                      " is limited to 0",
                  {}, "give it a limit above 0, or a path on which it stands");
  }
  return result;
}

/// Stretches times until no bound is exceeded; returns by how much. `excess`: of bounds other than coordinates'.
double stretchToBounds(HermiteTrajectory& motion, std::span<const CoordinateLimits> limits, double excess) {
  double full = 1;
  if (excess > 1 && std::isfinite(excess)) {
    // What lies between the places that were checked is larger by no more than this.
    full = std::sqrt(excess) * (1 + 2e-6);
    for (double& t : motion.times) t *= full;
    for (VectorXd& v : motion.velocities) v /= full;
  }
  return full * keepToBounds(motion, limits);
}

}  // namespace

OptimalTiming timeOptimally(const PathCurve& curve, std::span<const CoordinateLimits> limits,
                            std::span<PathBound* const> bounds, const OptimalTimingOptions& options,
                            std::span<const std::string> names) {
  if (options.gridPoints < 2)
    throw Error("a path needs two grid points at least, not " + std::to_string(options.gridPoints));
  if (options.checksPerSegment < 1) throw Error("bounds have to be checked at one place of a segment at least");
  for (const HermiteTrajectory& stretch : curve.stretches)
    for (const VectorXd& q : stretch.configurations) MORTISE_REQUIRE_SIZE(q, limits.size(), "one for each limit");
  const std::vector<CoordinateLimits> own = limitsOfMoving(curve, limits, names);
  OptimalTiming timing;
  HermiteTrajectory& full = timing.trajectory;
  std::vector<std::vector<double>> knots;
  double excess = 0;
  for (const HermiteTrajectory& stretch : curve.stretches) {
    const double start = full.endTime();
    if (stretch.times.size() < 2) {
      knots.push_back(std::vector<double>(stretch.times.size(), start));
      if (!full.empty() || stretch.times.empty()) continue;
      full.times = {0};
      full.configurations = stretch.configurations;
      full.velocities = {VectorXd::Zero(stretch.configurations.front().size())};
      continue;
    }
    StretchTimer timer(stretch, own, bounds, options);
    timer.run();
    timing.segments += timer.numSegments();
    excess = std::max(excess, timer.excess());
    const HermiteTrajectory& part = timer.motion();
    knots.push_back(timer.knotTimes());
    for (double& t : knots.back()) t += start;
    for (std::size_t k = full.empty() ? 0 : 1; k < part.times.size(); ++k) {
      full.times.push_back(start + part.times[k]);
      full.configurations.push_back(part.configurations[k]);
      full.velocities.push_back(part.velocities[k]);
    }
  }
  timing.stretch = stretchToBounds(full, own, excess);
  for (const PathCurve::Place& place : curve.milestones)
    timing.milestoneTimes.push_back(knots[place.stretch][place.knot] * timing.stretch);
  return timing;
}

double largestUtilization(const HermiteTrajectory& trajectory, PathBound& bound, int perPiece, double* time) {
  VectorXd q, dq, ddq;
  double maximum = 0;
  for (std::size_t k = 0; k + 1 < trajectory.times.size(); ++k) {
    if (!(trajectory.times[k + 1] > trajectory.times[k])) continue;
    for (int i = 0; i <= perPiece; ++i) {
      const double u = static_cast<double>(i) / perPiece;
      stateAt(trajectory, k, u, q, dq, ddq);
      const double utilization = bound.utilization(q, dq, ddq);
      if (utilization <= maximum) continue;
      maximum = utilization;
      if (time != nullptr) *time = trajectory.times[k] + u * (trajectory.times[k + 1] - trajectory.times[k]);
    }
  }
  return maximum;
}

double largestExcess(const HermiteTrajectory& trajectory, PathBound& bound, int perPiece) {
  double maximum = 0;
  for (std::size_t k = 0; k + 1 < trajectory.times.size(); ++k)
    if (trajectory.times[k + 1] > trajectory.times[k])
      maximum = std::max(maximum, largestExcess(trajectory, bound, k, perPiece));
  return maximum;
}

}  // namespace mortise
