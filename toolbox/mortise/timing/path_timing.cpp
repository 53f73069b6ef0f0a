#include "mortise/timing/path_timing.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/math/constants.h"
#include "mortise/timing/bound_usage.h"
#include "mortise/timing/coordinate_name.h"
#include "mortise/timing/ramp_path.h"

namespace mortise {

namespace {

/// Edges whose unit directions differ by less than this are one line.
constexpr double kStraight = 1e-12;

/// Shares of an edge. Two blends that leave less of it than the first meet; else they leave at least the second. A
/// shorter line between them would be over in no time, and positions at its ends, rounded, would tell of accelerations
/// that are not there, for which all times would have to be stretched.
constexpr double kTouching = 1e-12, kApart = 0.01;

/// The profile is made again where velocities are too high between nodes, by this fraction, and so often.
constexpr double kExcess = 1 + 1e-5;
constexpr int kPasses = 4;

/// On a line: a fraction of the velocity that is not worth a part of its own, and a fraction of the line that is not.
constexpr double kGain = 1e-5, kMinimum = 1e-3;

/// Fraction of a bound of acceleration by which a cubic between knots may differ from the motion.
constexpr double kCubicError = 1e-4;

/// Also those that differ by rounding alone, between which no direction can be told; the ends stay as they are.
void dropRepeated(std::vector<VectorXd>& milestones) {
  constexpr double kSame = 1e-13;
  const auto same = [](const VectorXd& a, const VectorXd& b) {
    return a == b || (a - b).norm() <= kSame * std::max(a.norm(), b.norm());
  };
  if (milestones.empty()) return;
  const VectorXd last = milestones.back();
  milestones.erase(std::unique(milestones.begin(), milestones.end(), same), milestones.end());
  if (milestones.size() > 1) milestones.back() = last;
}

void requireMoving(double bound, const char* what, std::size_t j, std::span<const std::string> names) {
  if (!(bound > 0))
    throw Error(coordinateName(names, j) + " has to move, but its " + what + " is limited to 0", {},
                "give it a limit above 0, or leave it out of the plan");
}

/// The curve and its grid. Between nodes k and k + 1 the second derivative by the path's parameter is constant.
struct Curve {
  std::size_t n = 0;
  std::vector<double> q, slope;      ///< n a node: place, derivative.
  std::vector<double> step;          ///< To the next node.
  std::vector<std::ptrdiff_t> bend;  ///< Index in `bends` of the second derivative of the piece after a node; or -1.
  std::vector<double> bends;
  std::vector<char> rest;  ///< By node.

  std::size_t numNodes() const { return rest.size(); }
  void node(const VectorXd& place, const VectorXd& direction, bool rests) {
    q.insert(q.end(), place.data(), place.data() + place.size());
    slope.insert(slope.end(), direction.data(), direction.data() + direction.size());
    rest.push_back(rests);
  }
  void piece(double length, std::ptrdiff_t curvature) {
    step.push_back(length);
    bend.push_back(curvature);
  }
};

struct Corner {
  double reach = 0;  ///< Reach of the blend, along either edge; 0: none.
  bool rest = false;
};

/// `behind`: how much of the edge before the corner is taken by the blend at its start.
Corner cornerOf(const VectorXd& before, const VectorXd& corner, const VectorXd& after, double lengthBefore,
                double lengthAfter, double behind, const BlendOptions& options, BlendOutcome& outcome) {
  const VectorXd in = (corner - before) / lengthBefore, out = (after - corner) / lengthAfter;
  const double change = (out - in).norm();
  if (change <= kStraight) return {};
  double deviation = options.deviation;
  for (int attempt = 0; attempt < 3 && deviation > 0; ++attempt, deviation /= 4) {
    // The middle of the parabola is change * reach / 4 from the corner, and no point of it is farther from the edges.
    double reach = std::min({4 * deviation / change, 0.5 * lengthBefore, 0.5 * lengthAfter});
    const double between = lengthBefore - behind - reach;
    if (between > kTouching * lengthBefore && between < kApart * lengthBefore) reach -= kApart * lengthBefore - between;
    if (options.free && !options.free(corner - reach * in, corner, corner + reach * out)) continue;
    outcome.deviation = std::max(outcome.deviation, 0.25 * change * reach);
    return {reach, false};
  }
  ++outcome.stops;
  return {0, true};
}

Curve curveThrough(const std::vector<VectorXd>& milestones, const BlendOptions& options, BlendOutcome& outcome) {
  Curve curve;
  const auto n = milestones.front().size();
  curve.n = static_cast<std::size_t>(n);
  double at = 0;  // Of the edge: how much of it is behind.
  VectorXd direction = milestones[1] - milestones[0];
  double length = direction.norm();
  direction /= length;
  curve.node(milestones[0], direction, true);
  for (std::size_t i = 1; i < milestones.size(); ++i) {
    if (i + 1 == milestones.size()) {
      curve.piece(length - at, -1);
      curve.node(milestones[i], direction, true);
      break;
    }
    ++outcome.corners;
    VectorXd next = milestones[i + 1] - milestones[i];
    const double nextLength = next.norm();
    next /= nextLength;
    const Corner corner =
        cornerOf(milestones[i - 1], milestones[i], milestones[i + 1], length, nextLength, at, options, outcome);
    if (length - corner.reach - at > kTouching * length) {
      curve.piece(length - corner.reach - at, -1);
      curve.node(milestones[i] - corner.reach * direction, direction, corner.rest);
    }
    if (corner.rest || corner.reach == 0) {
      // A rest has a direction before and one after; the path has no length in between.
      if (corner.rest) {
        curve.piece(0, -1);
        curve.node(milestones[i], next, true);
      }
    } else {
      const double change = (next - direction).norm(), full = 2 * corner.reach;
      const auto offset = static_cast<std::ptrdiff_t>(curve.bends.size());
      const VectorXd bend = (next - direction) / full, start = milestones[i] - corner.reach * direction;
      curve.bends.insert(curve.bends.end(), bend.data(), bend.data() + n);
      const int pieces = static_cast<int>(
          std::clamp(std::ceil(options.pieces * std::max(2 * change, 2 * full)), 1.0, double(options.pieces)));
      for (int k = 1; k <= pieces; ++k) {
        const double s = full * k / pieces;
        curve.piece(full / pieces, offset);
        curve.node(start + s * (direction + 0.5 * s * bend), k == pieces ? next : VectorXd(direction + s * bend),
                   false);
      }
    }
    at = corner.reach;
    direction = next;
    length = nextLength;
  }
  return curve;
}

/// The profile: x is the square of the velocity along the path, u the acceleration; x' = 2 u.
class Profile {
 public:
  Profile(const Curve& curve, std::span<const CoordinateLimits> limits, std::span<const std::string> names)
      : curve_(curve), n_(curve.n) {
    const std::size_t nodes = curve.numNodes();
    vMin_.resize(n_);
    vMax_.resize(n_);
    aMax_.resize(n_);
    for (std::size_t j = 0; j < n_; ++j) {
      vMin_[j] = -limits[j].vMin;
      vMax_[j] = limits[j].vMax;
      aMax_[j] = limits[j].aMax;
    }
    maximum_.assign(nodes, kInfinity);
    line_.assign(nodes, 0);
    top_.assign(nodes, 0);
    requireBounds(names);
    for (std::size_t k = 0; k + 1 < nodes; ++k) {
      if (curve.bend[k] < 0) {
        double top = kInfinity;
        const double* slope = curve.slope.data() + k * n_;
        for (std::size_t j = 0; j < n_; ++j)
          if (slope[j] != 0) top = std::min(top, velocityBound(slope[j], j) / std::abs(slope[j]));
        top_[k] = top * top;
        maximum_[k] = std::min(maximum_[k], top_[k]);
        maximum_[k + 1] = std::min(maximum_[k + 1], top_[k]);
        line_[k] = lineAcceleration(k, names);
      } else {
        capBend(k);
      }
    }
    for (std::size_t k = 0; k < nodes; ++k)
      if (curve.rest[k]) maximum_[k] = 0;
    caps_ = maximum_;
    x_.assign(nodes, 0);
    for (int pass = 0; pass < kPasses; ++pass) {
      maximum_ = caps_;
      for (std::size_t k = nodes - 1; k-- > 0;) {
        if (curve.bend[k] < 0)
          maximum_[k] = std::min(maximum_[k], maximum_[k + 1] + 2 * curve.step[k] * line_[k]);
        else
          maximum_[k] = fastest(k, maximum_[k], maximum_[k + 1]);
      }
      for (std::size_t k = 0; k + 1 < nodes; ++k) x_[k + 1] = next(k, x_[k]);
      if (!lowerCaps()) break;
    }
  }

  /// Squares of the velocity, by node.
  const std::vector<double>& squares() const { return x_; }
  double lineAcceleration(std::size_t k) const { return line_[k]; }
  /// Square of the fastest velocity on the line after node k.
  double top(std::size_t k) const { return top_[k]; }

 private:
  /// Lowers the caps of pieces on which a velocity is too high between the ends; whether there are any.
  bool lowerCaps() {
    bool any = false;
    for (std::size_t k = 0; k + 1 < x_.size(); ++k) {
      if (curve_.bend[k] < 0) continue;
      const double* slope = curve_.slope.data() + k * n_;
      const double* bend = curve_.bends.data() + curve_.bend[k];
      const double step = curve_.step[k], x = x_[k], u2 = (x_[k + 1] - x) / step;  // x + u2 s
      double excess = 1;
      for (std::size_t j = 0; j < n_; ++j) {
        // (p + c s)^2 (x + u2 s) is largest where 2 c (x + u2 s) + u2 (p + c s) = 0.
        const double p = slope[j], c = bend[j], s = -(2 * c * x + u2 * p) / (3 * c * u2);
        if (!(s > 0 && s < step)) continue;
        const double value = (p + c * s) * (p + c * s) * (x + u2 * s), bound = velocityBound(p + c * s, j);
        if (value > excess * bound * bound) excess = value / (bound * bound);
      }
      if (excess <= kExcess) continue;
      any = true;
      caps_[k] = std::min(caps_[k], x / excess);
      caps_[k + 1] = std::min(caps_[k + 1], x_[k + 1] / excess);
    }
    return any;
  }

  /// The fastest square of the velocity at the next node.
  double next(std::size_t k, double x) {
    const double step = curve_.step[k];
    if (curve_.bend[k] < 0) return std::min(maximum_[k + 1], x + 2 * step * line_[k]);
    rows(k);
    double low = 0, high = 0, lowSlope = 0, highSlope = 0;
    range(x, step, maximum_[k + 1], low, high, lowSlope, highSlope);
    return std::clamp(x + 2 * step * high, 0.0, maximum_[k + 1]);
  }
  double velocityBound(double slope, std::size_t j) const { return slope > 0 ? vMax_[j] : vMin_[j]; }

  /// Requires bounds of coordinates that move anywhere.
  void requireBounds(std::span<const std::string> names) const {
    for (std::size_t k = 0; k < curve_.numNodes(); ++k)
      for (std::size_t j = 0; j < n_; ++j) {
        const double slope = curve_.slope[k * n_ + j];
        if (slope == 0) continue;
        requireMoving(velocityBound(slope, j), "velocity", j, names);
        requireMoving(aMax_[j], "acceleration", j, names);
      }
  }

  /// Between the ends of the piece after node k, a velocity is slope * sqrt(x), both of which are linear in the path or
  /// the root of what is: its logarithm is concave, so it may be more than at either end. Where the slope changes by a
  /// share r, and x as it has to when the velocity is at its bound, the square exceeds the ends' by no more than about
  /// 3/4 r^2. Where that is no good, x at either end is bounded by the larger slope of the two.
  void capBend(std::size_t k) {
    const double* slope = curve_.slope.data() + k * n_;
    for (std::size_t j = 0; j < n_; ++j) {
      const double p = slope[j], next = slope[n_ + j];
      const double bound = p * next > 0 ? velocityBound(p, j) : std::min(vMin_[j], vMax_[j]);
      if ((p == 0 && next == 0) || std::isinf(bound)) continue;
      const double large = std::max(std::abs(p), std::abs(next)), small = std::min(std::abs(p), std::abs(next));
      const double square = bound * bound, safe = square / (large * large);
      double here = safe, there = safe;
      if (p * next > 0) {
        const double r = (large - small) / small, fraction = 1 - 0.75 * r * r;
        here = std::max(safe, fraction * square / (p * p));
        there = std::max(safe, fraction * square / (next * next));
      }
      maximum_[k] = std::min(maximum_[k], here);
      maximum_[k + 1] = std::min(maximum_[k + 1], there);
    }
  }

  double lineAcceleration(std::size_t k, std::span<const std::string> names) const {
    const double* slope = curve_.slope.data() + k * n_;
    double maximum = kInfinity;
    std::size_t first = n_;
    for (std::size_t j = 0; j < n_; ++j) {
      if (slope[j] == 0) continue;
      maximum = std::min(maximum, aMax_[j] / std::abs(slope[j]));
      first = std::min(first, j);
    }
    if (std::isinf(maximum) && curve_.step[k] > 0)
      throw Error("nothing bounds the acceleration of " + coordinateName(names, first), {},
                  "give accelerations of all, as a pipeline does: retime: {acceleration: 4}");
    return maximum;
  }

  /// Adds the rows of each coordinate, at both ends of the piece: |u + ratio x| <= room.
  void rows(std::size_t k) {
    const double* slope = curve_.slope.data() + k * n_;
    const double* bend = curve_.bends.data() + curve_.bend[k];
    const double step = curve_.step[k];
    room_.clear();
    ratio_.clear();
    cap_ = kInfinity;
    for (std::size_t j = 0; j < n_; ++j) {
      if (std::isinf(aMax_[j])) continue;
      for (const double p : {slope[j], slope[j] + 3 * bend[j] * step}) {
        if (std::abs(p) < 1e-12) {
          if (bend[j] != 0) cap_ = std::min(cap_, aMax_[j] / std::abs(bend[j]));
          continue;
        }
        room_.push_back(aMax_[j] / std::abs(p));
        ratio_.push_back(bend[j] / p);
      }
    }
  }

  /// Finds the range of u where the square of the velocity is x, and must be within [0, `after`] one step on; and how
  /// the ends change with x.
  void range(double x, double step, double after, double& low, double& high, double& lowSlope,
             double& highSlope) const {
    low = -x / (2 * step);
    high = (after - x) / (2 * step);
    lowSlope = highSlope = -1 / (2 * step);
    for (std::size_t i = 0; i < room_.size(); ++i) {
      const double middle = -ratio_[i] * x;
      if (middle - room_[i] > low) {
        low = middle - room_[i];
        lowSlope = -ratio_[i];
      }
      if (middle + room_[i] < high) {
        high = middle + room_[i];
        highSlope = -ratio_[i];
      }
    }
  }

  /// The largest x up to `most` from which the next node can be reached with no more than `after` there. The width of
  /// the range of u is a concave function of x that is not negative at 0, so Newton's steps from above end at its root.
  double fastest(std::size_t k, double maximum, double after) {
    rows(k);
    double x = std::min(maximum, cap_);
    if (std::isinf(x)) x = std::max(after, 1.0) * 1e6;
    for (int i = 0; i < 50 && x > 0; ++i) {
      double low = 0, high = 0, lowSlope = 0, highSlope = 0;
      range(x, curve_.step[k], after, low, high, lowSlope, highSlope);
      if (high - low >= -1e-13 * (std::abs(high) + std::abs(low))) break;
      const double slope = highSlope - lowSlope;
      if (!(slope < 0)) break;
      x = std::max(x - (high - low) / slope, 0.0);
    }
    return x;
  }

  const Curve& curve_;
  std::size_t n_;
  std::vector<double> vMin_, vMax_, aMax_;
  std::vector<double> maximum_;  ///< By node: the fastest from which one can go on.
  std::vector<double> caps_;     ///< By node: what the velocities of coordinates allow.
  std::vector<double> x_;
  std::vector<double> top_, line_;
  std::vector<double> room_, ratio_;
  double cap_ = kInfinity;
};

void addKnot(HermiteTrajectory& trajectory, double t, const double* q, const double* direction, double speed,
             std::size_t n) {
  const auto size = static_cast<Eigen::Index>(n);
  if (!trajectory.times.empty() && !(t > trajectory.times.back())) return;
  trajectory.times.push_back(t);
  trajectory.configurations.emplace_back(Eigen::Map<const VectorXd>(q, size));
  trajectory.velocities.emplace_back(Eigen::Map<const VectorXd>(direction, size) * speed);
}

/// From speed to speed on a line: up, along and down.
double timeLine(HermiteTrajectory& trajectory, double t, const Curve& curve, std::size_t k, double x0, double x1,
                double a, double top) {
  const std::size_t n = curve.n;
  const double length = curve.step[k];
  double peak = std::max({std::min(top, 0.5 * (x0 + x1) + a * length), x0, x1});
  // Parts that are over in no time gain nothing, and rounding would count as acceleration in them.
  const auto gains = [&](double slow) { return std::sqrt(peak) - std::sqrt(slow) > kGain * std::sqrt(peak); };
  if (!gains(std::max(x0, x1))) peak = std::max(x0, x1);
  const double change = 2 * peak - x0 - x1, fraction = change / (2 * a * length);
  if (change > 0 && fraction < 1 && (fraction > 1 - kMinimum || !gains(std::min(x0, x1)))) a = change / (2 * length);
  const double v0 = std::sqrt(x0), v1 = std::sqrt(x1), v = std::sqrt(peak);
  const double up = std::min((peak - x0) / (2 * a), length), down = std::min((peak - x1) / (2 * a), length - up);
  const double cruise = length - up - down;
  const double* slope = curve.slope.data() + k * n;
  std::vector<double> q(n);
  const auto knot = [&](double s) {
    for (std::size_t j = 0; j < n; ++j) q[j] = curve.q[k * n + j] + s * slope[j];
    addKnot(trajectory, t, q.data(), slope, v, n);
  };
  // Parts that would be lost in rounding are not worth a knot.
  const double minimum = 1e-9 * length;
  if (up > 0) t += 2 * up / (v0 + v);
  if (up > minimum && length - up > minimum) knot(up);
  if (cruise > 0) t += cruise / v;
  if (cruise > minimum && down > minimum) knot(up + cruise);
  if (down > 0) t += 2 * down / (v + v1);
  return t;
}

/// Constant acceleration along a piece of a blend. Between cubics and the motion there is a small difference in the
/// acceleration, |bend| u^2 t^2 / 4: more knots where it counts.
double timeBend(HermiteTrajectory& trajectory, double t, const Curve& curve, std::size_t k, double x0, double x1,
                std::span<const CoordinateLimits> limits) {
  const std::size_t n = curve.n;
  const double step = curve.step[k], v0 = std::sqrt(x0), v1 = std::sqrt(x1);
  const double u = (x1 - x0) / (2 * step), T = 2 * step / (v0 + v1);
  const double* slope = curve.slope.data() + k * n;
  const double* bend = curve.bends.data() + curve.bend[k];
  double maximum = 0;
  for (std::size_t j = 0; j < n; ++j)
    if (limits[j].aMax > 0) maximum = std::max(maximum, std::abs(bend[j]) / limits[j].aMax);
  const int parts =
      static_cast<int>(std::clamp(std::ceil(std::sqrt(0.25 * maximum * u * u * T * T / kCubicError)), 1., 8.));
  std::vector<double> q(n), direction(n);
  for (int i = 1; i < parts; ++i) {
    const double local = T * i / parts, s = local * (v0 + 0.5 * u * local);
    for (std::size_t j = 0; j < n; ++j) {
      q[j] = curve.q[k * n + j] + s * (slope[j] + 0.5 * s * bend[j]);
      direction[j] = slope[j] + s * bend[j];
    }
    addKnot(trajectory, t + local, q.data(), direction.data(), v0 + u * local, n);
  }
  return t + T;
}

}  // namespace

BlendOutcome timeBlended(std::vector<VectorXd> milestones, std::span<const CoordinateLimits> limits,
                         const BlendOptions& options, std::span<const std::string> names) {
  if (!(options.deviation >= 0) || !std::isfinite(options.deviation))
    throw Error("the deviation of blends must be a finite number of at least 0, not " + formatReal(options.deviation));
  if (options.pieces < 1 || options.pieces > 10'000) throw Error("a blend has 1 to 10000 pieces");
  requireMilestones(milestones, limits, names);
  unwrap(milestones, limits);
  dropRepeated(milestones);
  BlendOutcome outcome;
  HermiteTrajectory& trajectory = outcome.trajectory;
  if (milestones.empty()) return outcome;
  if (milestones.size() == 1) {
    trajectory.times = {0};
    trajectory.velocities = {VectorXd::Zero(milestones[0].size())};
    trajectory.configurations = std::move(milestones);
    return outcome;
  }
  const Curve curve = curveThrough(milestones, options, outcome);
  const Profile profile(curve, limits, names);
  double x = 0, t = 0;
  addKnot(trajectory, 0, curve.q.data(), curve.slope.data(), 0, curve.n);
  for (std::size_t k = 0; k + 1 < curve.numNodes(); ++k) {
    const double after = profile.squares()[k + 1];
    if (curve.step[k] > 0)
      t = curve.bend[k] < 0 ? timeLine(trajectory, t, curve, k, x, after, profile.lineAcceleration(k), profile.top(k))
                            : timeBend(trajectory, t, curve, k, x, after, limits);
    if (!std::isfinite(t)) throw Error("no speed along the path could be found at " + formatReal(trajectory.endTime()));
    addKnot(trajectory, t, curve.q.data() + (k + 1) * curve.n, curve.slope.data() + (k + 1) * curve.n, std::sqrt(after),
            curve.n);
    x = after;
  }
  outcome.stretch = keepToBounds(trajectory, limits);
  return outcome;
}

HermiteTrajectory timeLinear(std::vector<VectorXd> milestones, std::span<const CoordinateLimits> limits,
                             std::span<const std::string> names) {
  requireMilestones(milestones, limits, names);
  unwrap(milestones, limits);
  dropRepeated(milestones);
  HermiteTrajectory trajectory;
  double t = 0;
  const auto knot = [&](const VectorXd& q, VectorXd dq) {
    trajectory.times.push_back(t);
    trajectory.configurations.push_back(q);
    trajectory.velocities.push_back(std::move(dq));
  };
  if (milestones.size() == 1) knot(milestones[0], VectorXd::Zero(milestones[0].size()));
  for (std::size_t i = 1; i < milestones.size(); ++i) {
    const VectorXd delta = milestones[i] - milestones[i - 1];
    double T = 0;
    for (std::size_t j = 0; j < limits.size(); ++j) {
      const double d = delta[static_cast<Eigen::Index>(j)];
      if (d == 0) continue;
      const double bound = d > 0 ? limits[j].vMax : -limits[j].vMin;
      requireMoving(bound, "velocity", j, names);
      T = std::max(T, std::abs(d) / bound);
    }
    if (!(T > 0))
      throw Error("nothing bounds the velocity from milestone " + std::to_string(i - 1) + " to " + std::to_string(i),
                  {}, "give velocities of all, as a pipeline does: retime: {velocity: 1}");
    knot(milestones[i - 1], delta / T);
    t += T;
    knot(milestones[i], delta / T);
  }
  return trajectory;
}

}  // namespace mortise
