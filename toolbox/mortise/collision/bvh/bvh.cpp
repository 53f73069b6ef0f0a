#include "mortise/collision/bvh/bvh.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mortise/base/interruption.h"
#include "mortise/collision/bvh/bvh_box.h"

namespace mortise {
namespace {

constexpr int kWidth = 8;
constexpr int kBins = 12;
// Boxes are blown up by this part of their size, which covers what single precision loses.
constexpr double kRoundOff = 1e-6;

float rounded(double x) {
  volatile float result = static_cast<float>(x);  // g++ 12 folds the conversions away where it vectorizes.
  return result;
}
float roundedUp(double x) { return std::nextafter(rounded(x), std::numeric_limits<float>::infinity()); }

using OrientedBox = BvhBox;

struct Range {
  int begin, end;
  OrientedBox box;
  int count() const { return end - begin; }
};

class Builder {
 public:
  Builder(std::span<const Vector3d> points, std::span<const BvhItem> items, const Vector3d& origin, int leafSize,
          std::vector<BvhNode>& nodes, std::vector<int>& order)
      : points_(points), items_(items), leafSize_(leafSize), nodes_(nodes), order_(order), origin_(origin) {
    centers_.resize(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      Vector3d sum = Vector3d::Zero();
      for (const Vector3d& p : pointsOf(static_cast<int>(i))) sum += p - origin_;
      centers_[i] = sum / items[i].numPoints;
    }
  }

  void run() {
    const int n = static_cast<int>(items_.size());
    nodes_.reserve(static_cast<std::size_t>(n / std::max(leafSize_, 1) / 4 + 2));
    nodes_.emplace_back();
    Range all{0, n, {}};
    all.box = fit(0, n, Matrix3d::Identity());
    fill(0, {all});
  }

 private:
  std::span<const Vector3d> pointsOf(int item) const {
    return points_.subspan(items_[item].firstPoint, items_[item].numPoints);
  }

  OrientedBox bound(int begin, int end, const Matrix3d& axes, double giveUpAt) const {
    OrientedBox box;
    box.axes = axes;
    const Matrix3d toAxes = axes.transpose();
    for (int i = begin; i < end; ++i) {
      const double radius = items_[order_[i]].radius;
      for (const Vector3d& p : pointsOf(order_[i])) {
        const Vector3d q = toAxes * (p - origin_);
        box.min = box.min.cwiseMin((q.array() - radius).matrix());
        box.max = box.max.cwiseMax((q.array() + radius).matrix());
      }
      if ((i & 63) == 63 && box.halfArea() > giveUpAt) break;
    }
    return box;
  }

  static Matrix3d frame(const Vector3d& z, const Vector3d& along) {
    Matrix3d axes;
    axes.col(2) = z;
    axes.col(0) = (along - along.dot(z) * z).normalized();
    axes.col(1) = axes.col(2).cross(axes.col(0));
    return axes;
  }

  // The smallest box by surface among some likely orientations.
  OrientedBox fit(int begin, int end, const Matrix3d& parentAxes) const {
    const double infinite = std::numeric_limits<double>::infinity();
    OrientedBox best = bound(begin, end, parentAxes, infinite);
    const auto consider = [&](const Matrix3d& axes) {
      if (!axes.allFinite() || (axes.transpose() * axes - Matrix3d::Identity()).cwiseAbs().maxCoeff() > 1e-9) return;
      const OrientedBox box = bound(begin, end, axes, best.halfArea());
      if (box.halfArea() < best.halfArea()) best = box;
    };
    consider(principalAxes(begin, end));
    if (end - begin <= 8) {
      for (int i = begin; i < end; ++i) {
        const auto p = pointsOf(order_[i]);
        if (p.size() == 1) continue;
        if (p.size() == 2) {
          const Vector3d z = (p[1] - p[0]).normalized();
          consider(frame(z, z.unitOrthogonal()));
          continue;
        }
        const Vector3d normal = (p[1] - p[0]).cross(p[2] - p[0]).normalized();
        Vector3d longest = p[1] - p[0];
        if ((p[2] - p[1]).squaredNorm() > longest.squaredNorm()) longest = p[2] - p[1];
        if (p.size() == 3 && (p[0] - p[2]).squaredNorm() > longest.squaredNorm()) longest = p[0] - p[2];
        consider(frame(normal, longest));
      }
    }
    return best;
  }

  // Of the items' area where they have some, else of their points.
  Matrix3d principalAxes(int begin, int end) const {
    // Sums of weight, first moments, and second moments xx, yy, zz, xy, yz, zx; plain numbers, as this is most of the
    // work of building.
    double sums[10] = {};
    const auto add = [&](double w, const Vector3d& p) {
      const double x = p[0], y = p[1], z = p[2];
      sums[4] += w * x * x;
      sums[5] += w * y * y;
      sums[6] += w * z * z;
      sums[7] += w * x * y;
      sums[8] += w * y * z;
      sums[9] += w * z * x;
    };
    const auto addFirst = [&](double w, const Vector3d& p) {
      sums[0] += w;
      for (int k = 0; k < 3; ++k) sums[1 + k] += w * p[k];
    };
    for (int i = begin; i < end; ++i) {
      const auto p = pointsOf(order_[i]);
      if (p.size() != 3) continue;
      const Vector3d a = p[0] - origin_, b = p[1] - origin_, c = p[2] - origin_, middle = (a + b + c) / 3;
      const double w = (b - a).cross(c - a).norm();
      addFirst(w, middle);
      for (const Vector3d* corner : {&a, &b, &c}) add(w / 12, *corner);
      add(w * 0.75, middle);
    }
    if (!(sums[0] > 0)) {
      std::fill(std::begin(sums), std::end(sums), 0.0);
      for (int i = begin; i < end; ++i)
        for (const Vector3d& p : pointsOf(order_[i])) {
          addFirst(1, p - origin_);
          add(1, p - origin_);
        }
    }
    const Vector3d mean = Vector3d(sums[1], sums[2], sums[3]) / sums[0];
    Matrix3d covariance;
    covariance << sums[4], sums[7], sums[9], sums[7], sums[5], sums[8], sums[9], sums[8], sums[6];
    covariance = covariance / sums[0] - mean * mean.transpose();
    Eigen::SelfAdjointEigenSolver<Matrix3d> solver;
    solver.computeDirect(covariance);
    Matrix3d axes = solver.eigenvectors();
    if (!axes.allFinite()) return Matrix3d::Identity();
    axes.col(2).normalize();
    axes.col(1) = (axes.col(1) - axes.col(1).dot(axes.col(2)) * axes.col(2)).normalized();
    axes.col(0) = axes.col(1).cross(axes.col(2));
    return axes;
  }

  // Where to cut a range in two, by the surface heuristic over bins along the box's axes; at the middle item when no
  // cut separates anything.
  int cut(const Range& range) {
    struct Bin {
      Vector3d min = Vector3d::Constant(std::numeric_limits<double>::infinity()), max = -min;
      int count = 0;
      void include(const Bin& other) {
        min = min.cwiseMin(other.min);
        max = max.cwiseMax(other.max);
        count += other.count;
      }
      double cost() const {
        const Vector3d d = (max - min).cwiseMax(0);
        return count == 0 ? 0 : (d[0] * d[1] + d[1] * d[2] + d[2] * d[0]) * count;
      }
    };
    const Matrix3d toAxes = range.box.axes.transpose();
    Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (int i = range.begin; i < range.end; ++i) {
      const Vector3d q = toAxes * centers_[order_[i]];
      low = low.cwiseMin(q);
      high = high.cwiseMax(q);
    }
    std::array<std::array<Bin, kBins>, 3> bins;
    const Vector3d scale = (kBins * (high - low).cwiseInverse()).cwiseMin(1e300);
    const auto binOf = [&](double x, int axis) {
      return std::clamp(static_cast<int>((x - low[axis]) * scale[axis]), 0, kBins - 1);
    };
    for (int i = range.begin; i < range.end; ++i) {
      Bin item;
      item.count = 1;
      for (const Vector3d& p : pointsOf(order_[i])) {
        const Vector3d q = toAxes * (p - origin_);
        item.min = item.min.cwiseMin(q);
        item.max = item.max.cwiseMax(q);
      }
      const Vector3d center = toAxes * centers_[order_[i]];
      for (int axis = 0; axis < 3; ++axis)
        if (high[axis] > low[axis]) bins[axis][binOf(center[axis], axis)].include(item);
    }
    double best = std::numeric_limits<double>::infinity();
    int bestAxis = -1, bestBin = 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (!(high[axis] > low[axis])) continue;
      std::array<double, kBins> right{};
      Bin sum;
      for (int b = kBins - 1; b > 0; --b) {
        sum.include(bins[axis][b]);
        right[b] = sum.count == 0 ? std::numeric_limits<double>::infinity() : sum.cost();
      }
      sum = {};
      for (int b = 0; b + 1 < kBins; ++b) {
        sum.include(bins[axis][b]);
        if (sum.count == 0) continue;
        const double cost = sum.cost() + right[b + 1];
        if (cost < best) {
          best = cost;
          bestAxis = axis;
          bestBin = b;
        }
      }
    }
    const int middle = range.begin + range.count() / 2;
    if (bestAxis < 0) return middle;
    const auto isLeft = [&](int item) { return binOf((toAxes * centers_[item])[bestAxis], bestAxis) <= bestBin; };
    const auto place = std::stable_partition(order_.begin() + range.begin, order_.begin() + range.end, isLeft);
    const int at = static_cast<int>(place - order_.begin());
    // Chains of very uneven cuts would make the tree deep.
    if (std::min(at - range.begin, range.end - at) * 64 >= range.count()) return at;
    std::nth_element(
        order_.begin() + range.begin, order_.begin() + middle, order_.begin() + range.end, [&](int a, int b) {
          const double x = toAxes.row(bestAxis).dot(centers_[a]), y = toAxes.row(bestAxis).dot(centers_[b]);
          return x < y || (x == y && a < b);
        });
    return middle;
  }

  void fill(int node, std::vector<Range> ranges) {
    interruptionPoint();
    // Children's nodes stand together, and after their parent's.
    nodes_[node].used = static_cast<int>(ranges.size());
    for (int k = 0; k < kWidth; ++k) {
      const bool used = k < static_cast<int>(ranges.size());
      storeBox(nodes_[node], k, used ? ranges[k].box : OrientedBox{});
      nodes_[node].count[k] = 0;
      nodes_[node].child[k] = 0;
      if (!used) continue;
      if (ranges[k].count() <= leafSize_) {
        nodes_[node].child[k] = -1 - ranges[k].begin;
        nodes_[node].count[k] = ranges[k].count();
      } else {
        nodes_[node].child[k] = static_cast<int>(nodes_.size());
        nodes_.emplace_back();
      }
    }
    for (int k = 0; k < static_cast<int>(ranges.size()); ++k)
      if (!nodes_[node].leaf(k)) fill(nodes_[node].child[k], divide(ranges[k]));
  }

  std::vector<Range> divide(const Range& full) {
    std::vector<Range> ranges = {full};
    while (static_cast<int>(ranges.size()) < kWidth) {
      int largest = -1;
      for (int k = 0; k < static_cast<int>(ranges.size()); ++k)
        if (ranges[k].count() > leafSize_ && (largest < 0 || ranges[k].box.halfArea() > ranges[largest].box.halfArea()))
          largest = k;
      if (largest < 0) break;
      interruptionPoint();
      const Range range = ranges[largest];
      const int at = cut(range);
      ranges[largest] = {range.begin, at, fit(range.begin, at, range.box.axes)};
      ranges.push_back({at, range.end, fit(at, range.end, range.box.axes)});
    }
    return ranges;
  }

  std::span<const Vector3d> points_;
  std::span<const BvhItem> items_;
  int leafSize_;
  std::vector<BvhNode>& nodes_;
  std::vector<int>& order_;
  Vector3d origin_;
  std::vector<Vector3d> centers_;
};

}  // namespace

void storeBox(BvhNode& node, int k, const BvhBox& box) {
  const bool empty = (box.min.array() > box.max.array()).any();
  const Vector3d middle = empty ? Vector3d::Zero() : Vector3d((box.min + box.max) / 2);
  const Vector3d center = box.axes * middle;
  const double size = empty ? 0 : (box.max - box.min).norm();
  Vector3d stored;
  for (int i = 0; i < 3; ++i) {
    node.center[i][k] = rounded(center[i]);
    stored[i] = node.center[i][k];
    for (int j = 0; j < 3; ++j) node.axes[3 * i + j][k] = rounded(box.axes(i, j));
  }
  const Vector3d moved = box.axes.transpose() * (center - stored);
  Vector3d half = Vector3d::Zero();
  for (int i = 0; i < 3 && !empty; ++i) {
    half[i] = (box.max[i] - box.min[i]) / 2 + std::fabs(moved[i]) + kRoundOff * size + 1e-7 * center.norm();
    half[i] = roundedUp(half[i]);
  }
  for (int i = 0; i < 3; ++i) node.half[i][k] = static_cast<float>(half[i]);
  node.size[k] = empty ? 0.0F : roundedUp(half.norm());
}

void Bvh::build(std::span<const Vector3d> points, std::span<const BvhItem> items, int leafSize) {
  nodes_.clear();
  order_.resize(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) order_[i] = static_cast<int>(i);
  radius_ = 0;
  if (items.empty()) return;
  Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const BvhItem& item : items)
    for (const Vector3d& p : points.subspan(item.firstPoint, item.numPoints)) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
  origin_ = low / 2 + high / 2;
  for (const BvhItem& item : items)
    for (const Vector3d& p : points.subspan(item.firstPoint, item.numPoints))
      radius_ = std::max(radius_, (p - origin_).norm() + item.radius);
  radius_ *= 1 + 1e-12;
  Builder(points, items, origin_, leafSize, nodes_, order_).run();
}

}  // namespace mortise
