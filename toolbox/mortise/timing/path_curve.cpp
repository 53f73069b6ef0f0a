#include "mortise/timing/path_curve.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise {

namespace {

/// Configurations nearer to each other than this fraction of their size are one.
constexpr double kSamePlace = 1e-13;
/// Unit directions that differ by less are one.
constexpr double kSameDirection = 1e-12;
/// Parts of a piece of a cubic motion, whose parameter is no length.
constexpr int kPartsOfCubic = 8;

/// A piece is straight when its derivative changes by no more than this fraction.
constexpr double kStraightPiece = 1e-12;

bool samePlace(const VectorXd& a, const VectorXd& b) {
  return (a - b).norm() <= kSamePlace * std::max({1.0, a.norm(), b.norm()});
}

/// A curve in the making: knots one after another, with a new stretch after each rest.
class CurveBuilder {
 public:
  void knot(double length, const VectorXd& q, const VectorXd& slope) {
    if (curve.stretches.empty()) rest();
    HermiteTrajectory& stretch = curve.stretches.back();
    s_ += length;
    stretch.times.push_back(s_);
    stretch.configurations.push_back(q);
    stretch.velocities.push_back(slope);
  }
  void rest() { curve.stretches.emplace_back(), s_ = 0; }
  void milestone() {
    curve.milestones.push_back({curve.stretches.size() - 1, curve.stretches.back().times.size() - 1});
  }

  PathCurve curve;

 private:
  double s_ = 0;
};

void requireConfigurations(const std::vector<VectorXd>& configurations) {
  if (configurations.empty()) throw Error("a path without configurations cannot be given times");
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    if (configurations[i].size() != configurations.front().size())
      throw Error("configuration " + std::to_string(i) + " has " + std::to_string(configurations[i].size()) +
                  " numbers, the first one " + std::to_string(configurations.front().size()));
    if (!configurations[i].allFinite()) throw Error("configuration " + std::to_string(i) + " is not finite");
  }
}

/// For each configuration the index of the first of those that are the same place.
std::vector<std::size_t> distinct(const std::vector<VectorXd>& configurations, std::vector<VectorXd>& points) {
  std::vector<std::size_t> indices;
  for (const VectorXd& q : configurations) {
    if (points.empty() || !samePlace(points.back(), q)) points.push_back(q);
    indices.push_back(points.size() - 1);
  }
  return indices;
}

/// A path that goes nowhere.
PathCurve standing(const std::vector<VectorXd>& configurations) {
  PathCurve curve;
  HermiteTrajectory stretch;
  stretch.times = {0};
  stretch.configurations = {configurations.front()};
  stretch.velocities = {VectorXd::Zero(configurations.front().size())};
  curve.stretches.push_back(std::move(stretch));
  curve.milestones.resize(configurations.size());
  return curve;
}

/// Milestones of distinct points, spread to all that are at the same place.
void spread(PathCurve& curve, const std::vector<std::size_t>& indices) {
  std::vector<PathCurve::Place> places;
  places.reserve(indices.size());
  for (const std::size_t index : indices) places.push_back(curve.milestones[index]);
  curve.milestones = std::move(places);
}

/// Directions of a curve on both sides of its points.
struct Tangents {
  std::vector<VectorXd> in, out;
  std::vector<char> corner;
};

Tangents tangentsOf(const std::vector<VectorXd>& points, double cornerAngle) {
  const std::size_t count = points.size();
  std::vector<VectorXd> chords(count - 1);
  std::vector<double> lengths(count - 1);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    chords[i] = points[i + 1] - points[i];
    lengths[i] = chords[i].norm();
    chords[i] /= lengths[i];
  }
  Tangents tangents;
  tangents.in.resize(count);
  tangents.out.resize(count);
  tangents.corner.assign(count, 0);
  const double minimum = std::cos(std::min(cornerAngle, 3.0));
  for (std::size_t i = 1; i + 1 < count; ++i) {
    tangents.corner[i] = chords[i - 1].dot(chords[i]) < minimum;
    if (tangents.corner[i]) continue;
    // The slope of the parabola through three points.
    const double before = lengths[i - 1], after = lengths[i];
    tangents.in[i] = tangents.out[i] = (after * chords[i - 1] + before * chords[i]) / (before + after);
  }
  // At ends and corners: the parabola through this point and the next, with the next one's slope.
  for (std::size_t i = 0; i < count; ++i) {
    const bool ends = i == 0 || i + 1 == count || tangents.corner[i];
    if (!ends) continue;
    if (i + 1 < count) {
      const bool free = i + 2 >= count || tangents.corner[i + 1];
      tangents.out[i] = free ? chords[i] : VectorXd(2 * chords[i] - tangents.in[i + 1]);
    }
    if (i > 0) {
      const bool free = i < 2 || tangents.corner[i - 1];
      tangents.in[i] = free ? chords[i - 1] : VectorXd(2 * chords[i - 1] - tangents.out[i - 1]);
    }
  }
  return tangents;
}

PathCurve curveWith(const std::vector<VectorXd>& points, const Tangents& tangents) {
  CurveBuilder builder;
  builder.knot(0, points[0], tangents.out[0]);
  builder.milestone();
  for (std::size_t i = 1; i < points.size(); ++i) {
    builder.knot((points[i] - points[i - 1]).norm(), points[i], tangents.in[i]);
    builder.milestone();
    if (i + 1 == points.size() || !tangents.corner[i]) continue;
    builder.rest();
    builder.knot(0, points[i], tangents.out[i]);
  }
  return std::move(builder.curve);
}

}  // namespace

PathCurve blendedCurve(const std::vector<VectorXd>& milestones, double deviation) {
  requireConfigurations(milestones);
  std::vector<VectorXd> points;
  const std::vector<std::size_t> indices = distinct(milestones, points);
  if (points.size() < 2) return standing(milestones);
  CurveBuilder builder;
  VectorXd direction = points[1] - points[0];
  double length = direction.norm(), behind = 0;
  direction /= length;
  builder.knot(0, points[0], direction);
  builder.milestone();
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    VectorXd next = points[i + 1] - points[i];
    const double nextLength = next.norm();
    next /= nextLength;
    const double change = (next - direction).norm();
    if (change <= kSameDirection || deviation <= 0) {
      builder.knot(length - behind, points[i], direction);
      builder.milestone();
      if (change > kSameDirection) {
        builder.rest();
        builder.knot(0, points[i], next);
      }
      behind = 0;
    } else {
      // The middle of the parabola is change * reach / 4 from the corner. Half an edge is left to either corner.
      double reach = std::min({4 * deviation / change, 0.5 * length, 0.5 * nextLength});
      if (length - behind - reach < 1e-9 * length) reach = length - behind;  // The two blends meet.
      if (length - behind - reach > 0) builder.knot(length - behind - reach, points[i] - reach * direction, direction);
      const VectorXd middle = points[i] + 0.25 * reach * (next - direction);
      builder.knot(reach, middle, 0.5 * (direction + next));
      builder.milestone();
      builder.knot(reach, points[i] + reach * next, next);
      behind = reach;
    }
    direction = next;
    length = nextLength;
  }
  if (length - behind > 1e-9 * length) builder.knot(length - behind, points.back(), direction);
  builder.milestone();
  spread(builder.curve, indices);
  return std::move(builder.curve);
}

PathCurve smoothCurve(const std::vector<VectorXd>& configurations, const SmoothCurveOptions& options) {
  requireConfigurations(configurations);
  const std::size_t count = configurations.size();
  std::vector<VectorXd> points;
  std::vector<std::size_t> indices(count);
  std::vector<char> keep;
  for (std::size_t i = 0; i < count; ++i) {
    const bool kept = i == 0 || i + 1 == count || (i < options.kept.size() && options.kept[i] != 0);
    const double away = points.empty() ? 1 : (configurations[i] - points.back()).norm();
    const bool same = !points.empty() && samePlace(points.back(), configurations[i]);
    if (points.empty() || (!same && (kept || away >= options.spacing))) {
      // What has to be passed takes the place of a neighbor that is too near.
      if (kept && !points.empty() && away < options.spacing && keep.back() == 0) {
        points.back() = configurations[i];
        keep.back() = 1;
      } else {
        points.push_back(configurations[i]);
        keep.push_back(kept);
      }
    }
    indices[i] = points.size() - 1;
  }
  if (points.size() < 2) return standing(configurations);
  PathCurve curve = curveWith(points, tangentsOf(points, options.corner));
  spread(curve, indices);
  return curve;
}

PathCurve curveOf(const HermiteTrajectory& motion, const SmoothCurveOptions& options) {
  requireConfigurations(motion.configurations);
  std::vector<VectorXd> points;
  SmoothCurveOptions own = options;
  own.kept.clear();
  std::vector<std::size_t> knots;
  VectorXd q = motion.configurations.front(), dq = q;
  const bool dense = motion.times.size() > 200;
  for (std::size_t i = 0; i < motion.times.size(); ++i) {
    if (i > 0 && !dense) {
      const double t = motion.times[i - 1], h = motion.times[i] - t;
      for (int k = 1; k < kPartsOfCubic && h > 0; ++k) {
        motion.evaluate(t + h * k / kPartsOfCubic, q, dq);
        points.push_back(q);
        own.kept.push_back(0);
      }
    }
    knots.push_back(points.size());
    points.push_back(motion.configurations[i]);
    own.kept.push_back(i < options.kept.size() ? options.kept[i] : char(!dense));
  }
  PathCurve curve = smoothCurve(points, own);
  spread(curve, knots);
  return curve;
}

void evaluatePiece(const HermiteTrajectory& curve, std::size_t piece, double s, double* q, double* slope,
                   double* bend) {
  const double h = curve.times[piece + 1] - curve.times[piece], u = (s - curve.times[piece]) / h;
  const VectorXd &a = curve.configurations[piece], &b = curve.configurations[piece + 1];
  const VectorXd &va = curve.velocities[piece], &vb = curve.velocities[piece + 1];
  for (Eigen::Index j = 0; j < a.size(); ++j) {
    const double d = b[j] - a[j], m = va[j] * h, n = vb[j] * h, square = 3 * d - 2 * m - n, cube = m + n - 2 * d;
    q[j] = a[j] + u * (m + u * (square + u * cube));
    slope[j] = (m + u * (2 * square + 3 * u * cube)) / h;
    bend[j] = (2 * square + 6 * u * cube) / (h * h);
  }
}

bool isStraight(const HermiteTrajectory& curve, std::size_t piece) {
  const double h = curve.times[piece + 1] - curve.times[piece];
  const VectorXd mean = (curve.configurations[piece + 1] - curve.configurations[piece]) / h;
  const double size = mean.norm() * kStraightPiece + 1e-15;
  return (curve.velocities[piece] - mean).norm() <= size && (curve.velocities[piece + 1] - mean).norm() <= size;
}

}  // namespace mortise
