#include "mortise/planning/paths/ramp_shortcut.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise {

namespace {

/// The maximum number of chords of one edge.
constexpr double kMaxChords = 1e6;

/// Rad or m by which curves leave chords, where chords are checked with what is around them: at first, and at last.
constexpr double kCurvedChord = 0.01;
constexpr double kFinest = 1e-6;
constexpr int kMaxHalvings = 12;

/// Rad that one chord turns a circular coordinate at most.
constexpr double kMaxTurn = 1.5;

/// Around each rest: fractions of the halves of the segments before and after.
constexpr double kWindows[] = {1, 0.5, 0.25, 0.0625};

}  // namespace

CurveChecker::CurveChecker(PlanningSpace& space, std::span<const CoordinateLimits> limits, double tolerance)
    : space_(space), curved_(space.checksCurves()), limits_(limits.begin(), limits.end()), tolerance_(tolerance) {
  if (!(tolerance > 0)) throw Error("the tolerance of chords must be above 0, not " + formatReal(tolerance));
  acceleration_.resize(static_cast<Eigen::Index>(limits_.size()));
  deviation_ = acceleration_;
}

bool CurveChecker::free(std::span<const ParabolicRamp> ramps) {
  if (ramps.empty()) return true;
  const double T = ramps[0].T;
  double fastest = 0;
  for (std::size_t j = 0; j < ramps.size(); ++j) {
    acceleration_[static_cast<Eigen::Index>(j)] =
        std::max(ramps[j].t1 > 0 ? std::abs(ramps[j].a0) : 0.0, ramps[j].t2 < T ? std::abs(ramps[j].a1) : 0.0);
    if (limits_[j].circular)
      fastest = std::max({fastest, std::abs(ramps[j].v0), std::abs(ramps[j].v), std::abs(ramps[j].v1)});
  }
  const double deviation = curved_ ? std::max(kCurvedChord, tolerance_) : tolerance_;
  const double pieces =
      std::ceil(std::max(T * std::sqrt(acceleration_.maxCoeff() / (8 * deviation)), T * fastest / kMaxTurn));
  if (!(pieces < kMaxChords)) return false;
  const auto parts = std::max<std::int64_t>(static_cast<std::int64_t>(pieces), 1);
  chordTimes_.clear();
  for (std::int64_t k = 0; k <= parts; ++k)
    chordTimes_.push_back(T * static_cast<double>(k) / static_cast<double>(parts));
  return freeBetween([&](double t, VectorXd& q) {
    q.resize(static_cast<Eigen::Index>(ramps.size()));
    double velocity = 0, acceleration = 0;
    for (std::size_t j = 0; j < ramps.size(); ++j)
      ramps[j].evaluate(t, q[static_cast<Eigen::Index>(j)], velocity, acceleration);
  });
}

bool CurveChecker::free(const VectorXd& a, const VectorXd& corner, const VectorXd& b) {
  acceleration_ = 2 * (a - 2 * corner + b).cwiseAbs();
  const double deviation = curved_ ? std::max(kCurvedChord, tolerance_) : tolerance_;
  const double pieces = std::ceil(std::sqrt(acceleration_.maxCoeff() / (8 * deviation)));
  if (!(pieces < kMaxChords)) return false;
  chordTimes_.clear();
  const int parts = std::max(static_cast<int>(pieces), 1);
  for (int k = 0; k <= parts; ++k) chordTimes_.push_back(static_cast<double>(k) / parts);
  return freeBetween([&](double u, VectorXd& q) { q = (1 - u) * (1 - u) * a + 2 * u * (1 - u) * corner + u * u * b; });
}

bool CurveChecker::freeBetween(const Curve& curve) {
  const std::size_t count = chordTimes_.size();
  if (places_.size() < count) places_.resize(count);
  for (std::size_t i = 0; i < count; ++i) curve(chordTimes_[i], places_[i]);
  // Far places first: what is blocked is seldom blocked at its ends.
  for (std::size_t stride = std::bit_ceil(count); stride > 1; stride /= 2)
    for (std::size_t i = stride / 2; i < count; i += stride)
      if (!space_.feasible(places_[i])) return false;
  const auto chord = [&](std::size_t i) {
    return chordFree(curve, chordTimes_[i], chordTimes_[i + 1], places_[i], places_[i + 1], 0);
  };
  for (std::size_t stride = std::bit_ceil(count); stride > 1; stride /= 2)
    for (std::size_t i = stride / 2; i + 1 < count; i += stride)
      if (!chord(i)) return false;
  return count < 2 || chord(0);
}

bool CurveChecker::chordFree(const Curve& curve, double t0, double t1, const VectorXd& a, const VectorXd& b,
                             int depth) {
  ++chords_;
  if (!curved_) return space_.visible(a, b);
  deviation_ = acceleration_ * ((t1 - t0) * (t1 - t0) / 8);
  const double farthest = deviation_.maxCoeff();
  if (farthest == 0) return space_.visible(a, b);
  if (space_.visibleAround(a, b, deviation_)) return true;
  const double t = 0.5 * (t0 + t1);
  if (farthest <= kFinest || depth == kMaxHalvings || t <= t0 || t >= t1) return false;
  VectorXd middle;
  curve(t, middle);
  return space_.feasible(middle) && chordFree(curve, t0, t, a, middle, depth + 1) &&
         chordFree(curve, t, t1, middle, b, depth + 1);
}

RampShortcutter::RampShortcutter(PlanningSpace& space, std::span<const CoordinateLimits> limits,
                                 const RampShortcutOptions& options)
    : limits_(limits.begin(), limits.end()), options_(options), checker_(space, limits, options.tolerance) {
  if (!(options.improvement >= 0)) throw Error("the fraction that a shortcut must save is at least 0");
  const auto n = static_cast<Eigen::Index>(limits_.size());
  for (VectorXd* v : {&q0_, &q1_, &dq0_, &dq1_, &ddq_}) v->resize(n);
  goals_.resize(limits_.size());
  ramps_.resize(limits_.size());
}

void RampShortcutter::start(RampPath path) {
  if (path.size() != static_cast<int>(limits_.size()))
    throw Error("a motion of " + std::to_string(path.size()) + " coordinates, but limits for " +
                std::to_string(limits_.size()));
  rounds_ = improvements_ = idle_ = 0;
  path_ = std::move(path);
  swept_ = RampPath(path_.size());
  seam_ = 0;
  window_ = 0;
  taken_ = 0;
  saved_ = 0;
  sweeping_ = path_.numSegments() > 1;
}

const RampPath& RampShortcutter::path() {
  if (taken_ > 0) {
    // Halfway through the sweep: what was swept and what was not.
    swept_.append(path_, taken_, path_.duration());
    path_ = std::move(swept_);
    swept_ = RampPath(path_.size());
    taken_ = saved_ = 0;
    sweeping_ = false;
  }
  return path_;
}

bool RampShortcutter::finished() const {
  return !sweeping_ && (!(path_.duration() > 0) || (options_.idle > 0 && idle_ >= options_.idle));
}

/// Leaves the fastest motion between the states at two times in `ramps_`.
bool RampShortcutter::faster(double from, double to, double minCount) {
  path_.evaluate(from, q0_, dq0_, ddq_);
  path_.evaluate(to, q1_, dq1_, ddq_);
  for (std::size_t j = 0; j < goals_.size(); ++j) {
    const auto c = static_cast<Eigen::Index>(j);
    // Rounding must not put a velocity out of bounds.
    goals_[j] = {q0_[c], std::clamp(dq0_[c], limits_[j].vMin, limits_[j].vMax), q1_[c],
                 std::clamp(dq1_[c], limits_[j].vMin, limits_[j].vMax)};
  }
  const double T = minimumTime(goals_, limits_);
  if (!(to - from - T > minCount)) return false;
  for (std::size_t j = 0; j < goals_.size(); ++j) {
    const std::optional<ParabolicRamp> ramp = rampOfTime(goals_[j], limits_[j], T);
    if (!ramp) return false;
    ramps_[j] = *ramp;
  }
  return checker_.free(ramps_);
}

bool RampShortcutter::sweepRound() {
  // Rests are at the seams of what the motion was at the start.
  const double seam = path_.segmentEnd(seam_);
  const double before = seam - (seam_ > 0 ? path_.segmentEnd(seam_ - 1) : 0),
               after = path_.segmentEnd(seam_ + 1) - seam;
  const double window = kWindows[window_];
  const double from = std::max(seam - 0.5 * window * before, taken_), to = seam + 0.5 * window * after;
  const bool better = faster(from, to, 1e-9);
  if (better) {
    swept_.append(path_, taken_, from);
    swept_.append(ramps_);
    saved_ += to - from - ramps_[0].T;
    taken_ = to;
    ++improvements_;
  }
  if (better || ++window_ == std::size(kWindows)) {
    window_ = 0;
    if (++seam_ + 1 >= path_.numSegments()) {
      path();
      sweeping_ = false;
    }
  }
  return better;
}

bool RampShortcutter::round(RandomStream& random) {
  if (finished()) return false;
  ++rounds_;
  if (sweeping_) return sweepRound();
  const double duration = path_.duration();
  double from = random.uniform(0, duration), to = random.uniform(0, duration);
  if (from > to) std::swap(from, to);
  const bool better = faster(from, to, std::max(options_.improvement * duration, 1e-9));
  if (better) {
    path_.replace(from, to, ramps_);
    ++improvements_;
  }
  idle_ = better ? 0 : idle_ + 1;
  return better;
}

}  // namespace mortise
