#include "mortise/mechanics/forces/expanding_polytope.h"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/base/interruption.h"
#include "mortise/base/random.h"

namespace mortise {

namespace {

constexpr double kNoise = 1e-12;  ///< In units of the set's extent.
constexpr double kFlat = 1e-8;

using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

/// A vector across all columns of `A` (d x at most d - 1).
SmallVector acrossColumns(const SmallMatrix& A) {
  const Eigen::HouseholderQR<SmallMatrix> qr(A);
  SmallVector last = SmallVector::Zero(A.rows());
  last[A.rows() - 1] = 1;
  return qr.householderQ() * last;
}

struct Facet {
  std::array<int, 6> corners;  ///< The first `dimension`, ascending.
  SmallVector normal;          ///< Out of the polytope.
  double offset = 0;
};

class ExpandingPolytope {
 public:
  ExpandingPolytope(int dimension, const SupportFunction& support, const ExpandingPolytopeOptions& options)
      : d_(dimension), support_(support), options_(options) {}

  BoundaryDistance run() {
    if (!begin()) {
      result_.flat = true;
      return result_;
    }
    const double tolerance = std::max(options_.tolerance, 10 * kNoise) * size_;
    result_.upper = std::numeric_limits<double>::infinity();
    while (static_cast<int>(facets_.size()) < options_.maxFacets) {
      interruptionPoint();
      const auto nearest = std::min_element(facets_.begin(), facets_.end(),
                                            [](const Facet& a, const Facet& b) { return a.offset < b.offset; });
      result_.lower = nearest->offset;
      const SmallVector direction = nearest->normal;
      SmallVector point(d_);
      const double reach = ask(direction, point);
      if (reach < result_.upper) {
        result_.upper = reach;
        result_.direction = direction;
      }
      result_.converged = reach - nearest->offset <= tolerance;
      // A set that is bounded by a plane through the origin, or before it, cannot have it inside.
      if (result_.converged || reach <= tolerance) break;
      expand(point);
    }
    return result_;
  }

 private:
  double ask(const SmallVector& direction, SmallVector& point) {
    ++result_.supports;
    const double reach = support_(direction, point);
    if (!std::isfinite(reach) || !point.allFinite())
      throw Error("the set is not bounded: contacts bear any force in some direction", {},
                  "give limits of forces, or finite friction");
    return reach;
  }

  int add(SmallVector point) {
    for (double& x : point) x += kNoise * size_ * random_.uniform(-1, 1);
    points_.push_back(std::move(point));
    return static_cast<int>(points_.size()) - 1;
  }

  /// The first simplex.
  bool begin() {
    SmallVector point(d_), other(d_);
    for (int k = 0; k < d_; ++k)
      for (const double sign : {1.0, -1.0}) {
        ask(sign * SmallVector::Unit(d_, k), point);
        size_ = std::max(size_, point.norm());
      }
    if (!(size_ > 0)) return false;
    ask(SmallVector::Unit(d_, 0), point);
    add(point);
    SmallMatrix edges(d_, 0);
    for (int k = 0; k < d_; ++k) {
      const SmallVector direction = k == 0 ? SmallVector(SmallVector::Unit(d_, 0)) : acrossColumns(edges);
      const double there = ask(direction, point) - direction.dot(points_[0]);
      const double back = ask(-direction, other) + direction.dot(points_[0]);
      if (std::max(there, back) <= kFlat * size_) return false;
      add(there >= back ? point : other);
      edges.conservativeResize(d_, k + 1);
      edges.col(k) = points_.back() - points_[0];
    }
    middle_ = SmallVector::Zero(d_);
    for (const SmallVector& corner : points_) middle_ += corner / (d_ + 1);
    for (int left = 0; left <= d_; ++left) {
      std::array<int, 6> corners{};
      for (int k = 0; k < d_; ++k) corners[static_cast<std::size_t>(k)] = k < left ? k : k + 1;
      facets_.push_back(facet(corners));
    }
    return true;
  }

  Facet facet(const std::array<int, 6>& corners) const {
    Facet facet{corners, {}, 0};
    const SmallVector& first = points_[static_cast<std::size_t>(corners[0])];
    SmallMatrix edges(d_, d_ - 1);
    for (int k = 1; k < d_; ++k)
      edges.col(k - 1) = points_[static_cast<std::size_t>(corners[static_cast<std::size_t>(k)])] - first;
    facet.normal = acrossColumns(edges).normalized();
    if (facet.normal.dot(first - middle_) < 0) facet.normal = -facet.normal;
    facet.offset = facet.normal.dot(first);
    return facet;
  }

  /// Facets that see the point give way to facets from their common edge to it.
  void expand(const SmallVector& point) {
    const int index = add(point);
    const SmallVector& corner = points_.back();
    std::map<std::array<int, 5>, int> ridges;  // How often a visible facet has it.
    std::size_t kept = 0;
    for (std::size_t i = 0; i < facets_.size(); ++i) {
      if (facets_[i].normal.dot(corner) <= facets_[i].offset) {
        if (kept != i) facets_[kept] = facets_[i];
        ++kept;
        continue;
      }
      for (int left = 0; left < d_; ++left) {
        std::array<int, 5> ridge{};
        for (int k = 0, at = 0; k < d_; ++k)
          if (k != left) ridge[static_cast<std::size_t>(at++)] = facets_[i].corners[static_cast<std::size_t>(k)];
        ++ridges[ridge];
      }
    }
    facets_.resize(kept);
    for (const auto& [ridge, count] : ridges) {
      if (count != 1) continue;
      std::array<int, 6> corners{};
      std::copy_n(ridge.begin(), d_ - 1, corners.begin());
      corners[static_cast<std::size_t>(d_ - 1)] = index;  // The largest so far.
      facets_.push_back(facet(corners));
    }
  }

  int d_;
  const SupportFunction& support_;
  ExpandingPolytopeOptions options_;
  RandomStream random_{1};
  double size_ = 0;
  SmallVector middle_;
  std::vector<SmallVector> points_;
  std::vector<Facet> facets_;
  BoundaryDistance result_;
};

}  // namespace

BoundaryDistance distanceToBoundary(int dimension, const SupportFunction& support,
                                    const ExpandingPolytopeOptions& options) {
  MORTISE_REQUIRE(dimension >= 2 && dimension <= 6, "sets have 2 to 6 dimensions");
  return ExpandingPolytope(dimension, support, options).run();
}

}  // namespace mortise
