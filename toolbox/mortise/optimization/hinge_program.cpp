#include "mortise/optimization/hinge_program.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/expect.h"

namespace mortise {

BandedMatrix::BandedMatrix(int size, int band)
    : size_(size),
      band_(std::max(0, std::min(band, size - 1))),
      entries_(static_cast<std::size_t>(size) * static_cast<std::size_t>(band_ + 1), 0.0) {}

VectorXd BandedMatrix::times(const VectorXd& x) const {
  VectorXd y = VectorXd::Zero(size_);
  for (int i = 0; i < size_; ++i) {
    y[i] += at(i, i) * x[i];
    for (int j = std::max(0, i - band_); j < i; ++j) {
      y[i] += at(i, j) * x[j];
      y[j] += at(i, j) * x[i];
    }
  }
  return y;
}

void BandedMatrix::isolate(int variable) {
  for (int j = std::max(0, variable - band_); j < variable; ++j) at(variable, j) = 0;
  for (int i = variable + 1; i <= std::min(size_ - 1, variable + band_); ++i) at(i, variable) = 0;
  at(variable, variable) = 1;
}

bool BandedMatrix::factor() {
  for (int i = 0; i < size_; ++i)
    for (int j = std::max(0, i - band_); j <= i; ++j) {
      double sum = at(i, j);
      for (int k = std::max(0, i - band_); k < j; ++k)
        if (j - k <= band_) sum -= at(i, k) * at(j, k);
      if (i == j) {
        if (!(sum > 0)) return false;
        at(i, i) = std::sqrt(sum);
      } else {
        at(i, j) = sum / at(j, j);
      }
    }
  return true;
}

void BandedMatrix::solve(VectorXd& x) const {
  for (int i = 0; i < size_; ++i) {
    for (int j = std::max(0, i - band_); j < i; ++j) x[i] -= at(i, j) * x[j];
    x[i] /= at(i, i);
  }
  for (int i = size_ - 1; i >= 0; --i) {
    x[i] /= at(i, i);
    for (int j = std::max(0, i - band_); j < i; ++j) x[j] -= at(i, j) * x[i];
  }
}

namespace {

/// The program with multipliers: smooth, and quadratic but for where hinges change.
class Multipliers {
 public:
  Multipliers(const BandedMatrix& H, const VectorXd& c, const std::vector<Hinge>& hinges, const VectorXd& low,
              const VectorXd& high)
      : H_(H), c_(c), hinges_(hinges), low_(low), high_(high), values_(hinges.size(), 0.0) {
    for (const Hinge& hinge : hinges_) largest_ = std::max(largest_, hinge.weight);
    double steepest = 1e-12, curve = 1e-12;
    for (const Hinge& hinge : hinges_) steepest = std::max(steepest, hinge.left.squaredNorm());
    for (int i = 0; i < H.size(); ++i) curve = std::max(curve, H.at(i, i));
    penalty_ = 10 * curve / steepest;
  }

  double largest() const { return largest_; }
  double slack(std::size_t i, const VectorXd& x) const {
    const Hinge& hinge = hinges_[i];
    return hinge.right - hinge.left.dot(x.segment(hinge.first, hinge.left.size()));
  }
  double objective(const VectorXd& x) const {
    double sum = 0.5 * x.dot(H_.times(x)) + c_.dot(x);
    for (std::size_t i = 0; i < hinges_.size(); ++i) sum += hinges_[i].weight * std::max(0.0, slack(i, x));
    return sum;
  }
  double smooth(const VectorXd& x) const {
    double sum = 0.5 * x.dot(H_.times(x)) + c_.dot(x);
    for (std::size_t i = 0; i < hinges_.size(); ++i) {
      const double w = hinges_[i].weight, z = values_[i] + penalty_ * slack(i, x);
      if (z >= w)
        sum += (w * z - 0.5 * w * w) / penalty_;
      else if (z > 0)
        sum += 0.5 * z * z / penalty_;
    }
    return sum;
  }
  /// A projected Newton step; whether it went anywhere.
  bool step(VectorXd& x, double tolerance) {
    BandedMatrix curve = H_;
    VectorXd gradient = H_.times(x) + c_;
    for (std::size_t i = 0; i < hinges_.size(); ++i) {
      const Hinge& hinge = hinges_[i];
      const double z = values_[i] + penalty_ * slack(i, x);
      if (z <= 0) continue;
      gradient.segment(hinge.first, hinge.left.size()) -= std::min(z, hinge.weight) * hinge.left;
      if (z >= hinge.weight) continue;
      for (Eigen::Index a = 0; a < hinge.left.size(); ++a)
        for (Eigen::Index b = 0; b <= a; ++b)
          curve.at(hinge.first + static_cast<int>(a), hinge.first + static_cast<int>(b)) +=
              penalty_ * hinge.left[a] * hinge.left[b];
    }
    VectorXd right = -gradient;
    double maximum = 0;
    for (int i = 0; i < H_.size(); ++i) {
      const bool stays = (x[i] <= low_[i] && gradient[i] >= 0) || (x[i] >= high_[i] && gradient[i] <= 0);
      if (stays) {
        right[i] = 0;
        curve.isolate(i);
      } else {
        maximum = std::max(maximum, std::abs(gradient[i]));
      }
    }
    if (maximum <= tolerance || !curve.factor()) return false;
    curve.solve(right);
    const double before = smooth(x), promised = gradient.dot(right);
    for (double length = 1; length > 1e-6; length *= 0.5) {
      const VectorXd next = (x + length * right).cwiseMax(low_).cwiseMin(high_);
      if (smooth(next) > before + 1e-4 * std::min(0.0, length * promised) + 1e-14 * std::abs(before)) continue;
      const bool moved = (next - x).cwiseAbs().maxCoeff() > 1e-14;
      x = next;
      return moved;
    }
    return false;
  }
  /// New multipliers; by how much they changed, against the largest of them.
  double update(const VectorXd& x) {
    double change = 0, maximum = 1e-9;
    for (std::size_t i = 0; i < hinges_.size(); ++i) {
      const double value = std::clamp(values_[i] + penalty_ * slack(i, x), 0.0, hinges_[i].weight);
      change = std::max(change, std::abs(value - values_[i]));
      maximum = std::max(maximum, value);
      values_[i] = value;
    }
    return change / maximum;
  }

 private:
  const BandedMatrix& H_;
  const VectorXd& c_;
  const std::vector<Hinge>& hinges_;
  const VectorXd &low_, &high_;
  std::vector<double> values_;
  double penalty_ = 1, largest_ = 1;
};

}  // namespace

double solveHingeProgram(const BandedMatrix& H, const VectorXd& c, const std::vector<Hinge>& hinges,
                         const VectorXd& low, const VectorXd& high, VectorXd& x, const HingeProgramOptions& options) {
  MORTISE_REQUIRE_SIZE(c, H.size(), "one for each variable");
  MORTISE_REQUIRE_SIZE(x, H.size(), "one for each variable");
  Multipliers program(H, c, hinges, low, high);
  VectorXd best = x;
  double minimum = program.objective(x);
  for (int round = 0; round < options.rounds; ++round) {
    for (int i = 0; i < options.newtonSteps && program.step(x, options.tolerance * program.largest()); ++i) {
    }
    if (const double objective = program.objective(x); objective < minimum) {
      minimum = objective;
      best = x;
    }
    if (program.update(x) < options.change) break;
  }
  x = best;
  return minimum;
}

}  // namespace mortise
