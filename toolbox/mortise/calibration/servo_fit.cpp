#include "mortise/calibration/servo_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "mortise/base/random.h"
#include "mortise/optimization/bounded_least_squares.h"

namespace mortise {

namespace {

constexpr int kMaxParameters = 6;
using ParameterVector = Eigen::VectorXd;

ServoParameters parametersOf(const ParameterVector& v) {
  return {v[0], v[1], v[2], v[3], v[4], v.size() == kMaxParameters ? v[5] : 0.0};
}

ParameterVector vectorOf(const ServoParameters& p, int size) {
  ParameterVector v(size);
  const std::array<double, kMaxParameters> all = {p.servoP,      p.servoI,          p.servoD,
                                                  p.dryFriction, p.viscousFriction, p.addedInertia};
  for (int i = 0; i < size; ++i) v[i] = all[static_cast<std::size_t>(i)];
  return v;
}

/// min |A x - b| over x >= 0, each row weighted alike.
ParameterVector nonNegative(const Eigen::MatrixXd& A, const VectorXd& b, const ParameterVector& start) {
  const Eigen::Index n = A.cols();
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(A);
  const Eigen::MatrixXd R = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
  const VectorXd c = (qr.householderQ().transpose() * b).head(n) - R * start;
  BoundedLeastSquares solver;
  solver.reserve(static_cast<int>(n));
  VectorXd y = start;
  std::vector<AtLimit> active(static_cast<std::size_t>(n), AtLimit::none);
  solver.solve(R, c, Eigen::MatrixXd::Identity(n, n), VectorXd::Zero(n), VectorXd::Constant(n, kInfinity), y, active,
               100);
  return y.cwiseMax(0);
}

class ServoFitter {
 public:
  ServoFitter(const std::vector<ServoTrack>& tracks, const ServoFitOptions& options)
      : tracks_(tracks), options_(options), size_(options.fitInertia ? kMaxParameters : kMaxParameters - 1) {
    for (const ServoTrack& track : tracks) samples_ += static_cast<Eigen::Index>(track.times.size()) - 1;
    findScales();
  }

  int size() const { return size_; }
  const ParameterVector& scales() const { return scale_; }

  /// Errors of positions, then those of rates, weighted, without the first samples, where there are none.
  void residual(const ParameterVector& v, VectorXd& r) {
    r.resize(2 * samples_);
    const double weight = std::sqrt(options_.velocityWeight);
    Eigen::Index at = 0;
    for (const ServoTrack& track : tracks_) {
      simulateServo(track, parametersOf(v), options_.timeStep, position_, rate_);
      for (std::size_t i = 1; i < track.times.size(); ++i, ++at) {
        r[at] = position_[i] - track.position[i];
        r[samples_ + at] = weight * (rate_[i] - track.rate[i]);
      }
    }
    if (!r.allFinite()) r.setConstant(1e100);
  }

  double error(const ParameterVector& v) {
    residual(v, r_);
    return std::sqrt(r_.squaredNorm() / static_cast<double>(samples_));
  }

  struct Search {
    ParameterVector v;
    double cost = 0;
    bool converged = false;
  };

  /// Levenberg and Marquardt with the damping of Nielsen (1999).
  Search search(ParameterVector v) {
    residual(v, r_);
    Search best{v, r_.squaredNorm() + surprise(v), false};
    double damping = 1e-3, growth = 2;
    Eigen::MatrixXd J;
    VectorXd now = r_;
    jacobian(v, J);
    for (int iteration = 0; iteration < options_.maxIterations; ++iteration) {
      const ParameterVector next = dampedStep(J, now, best.v, damping);
      const ParameterVector change = (next - best.v).cwiseQuotient(scale_);
      if (change.norm() < 1e-11 * (1 + best.v.cwiseQuotient(scale_).norm())) {
        best.converged = true;
        break;
      }
      residual(next, r_);
      const double cost = r_.squaredNorm() + surprise(next);
      if (cost < best.cost) {
        const bool done = best.cost - cost <= 1e-10 * best.cost;
        best.v = next;
        best.cost = cost;
        now = r_;
        damping = std::max(damping / 3, 1e-12);
        growth = 2;
        if (done || best.cost == 0) {
          best.converged = true;
          break;
        }
        jacobian(best.v, J);
      } else {
        damping *= growth;
        growth *= 2;
        if (damping > 1e16) {
          best.converged = true;
          break;
        }
      }
    }
    return best;
  }

  /// The parameters that fit the equation of motion best: linear in them, sample by sample.
  ParameterVector equationFit() {
    std::vector<std::array<double, kMaxParameters + 1>> rows;
    for (const ServoTrack& track : tracks_) addRows(track, rows);
    ParameterVector v = ParameterVector::Zero(size_);
    if (rows.size() < static_cast<std::size_t>(2 * size_)) return v;
    Eigen::MatrixXd A(static_cast<Eigen::Index>(rows.size()), size_);
    VectorXd b(A.rows());
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      for (int k = 0; k < size_; ++k)
        A(i, k) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] * scale_[k];
      b[i] = rows[static_cast<std::size_t>(i)][kMaxParameters];
    }
    return nonNegative(A, b, v).cwiseProduct(scale_);
  }

  /// Standard errors that allow for errors which go on for a while: of the inverse of J^T J with the scores' sum over
  /// neighbors between (Newey and West, 1987), and no less than if all errors were independent.
  ParameterVector deviation(const Search& found) {
    Eigen::MatrixXd J;
    residual(found.v, r_);
    jacobian(found.v, J);
    const Eigen::MatrixXd own = J * scale_.asDiagonal();
    Eigen::MatrixXd H = own.transpose() * own;
    const double freedom = std::max(1.0, static_cast<double>(r_.size() - size_)), left = r_.squaredNorm() / freedom;
    if (prior_.size() > 0)
      for (int k = 0; k < size_; ++k) H(k, k) += sigma_ * sigma_ * scale_[k] * scale_[k] / (prior_[k] * prior_[k]);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(H);
    const Eigen::MatrixXd& V = eigen.eigenvectors();
    const Eigen::MatrixXd middle = V.transpose() * scoreVariance(own, r_) * V;
    const double maximum = eigen.eigenvalues().maxCoeff();
    ParameterVector result(size_);
    for (int k = 0; k < size_; ++k) {
      double independent = 0, lasting = 0;
      for (int m = 0; m < size_; ++m) {
        const bool unseen = eigen.eigenvalues()[m] <= 1e-12 * maximum;
        if (unseen && std::abs(V(k, m)) < 1e-6) continue;
        independent += unseen ? kInfinity : V(k, m) * V(k, m) / eigen.eigenvalues()[m] * left;
        for (int n = 0; n < size_ && !unseen; ++n)
          if (eigen.eigenvalues()[n] > 1e-12 * maximum)
            lasting += V(k, m) * V(k, n) * middle(m, n) / (eigen.eigenvalues()[m] * eigen.eigenvalues()[n]);
      }
      // Where all is explained, what cannot be seen is still unknown.
      const double variance = std::max(independent, lasting);
      result[k] = std::isfinite(variance) ? scale_[k] * std::sqrt(variance) : kInfinity;
    }
    return result;
  }

  /// From now on, parameters count as known before to be `own`, give or take `share` of each (or, of those that are
  /// 0, of what would hardly matter), beside errors as large as those that `found` leaves.
  void believe(const ParameterVector& own, double fraction, const Search& found) {
    belief_ = own;
    prior_ = fraction * (own.array() > 0).select(own, 0.05 * scale_);
    sigma_ = std::sqrt(found.cost / std::max(1.0, static_cast<double>(2 * samples_ - size_)));
  }

 private:
  /// Finds the size that each parameter would have if it alone made the torques that were there.
  void findScales() {
    double torque = 0, error = 0, integral = 0, rateError = 0, rate = 0, inertia = 0, count = 0;
    for (const ServoTrack& track : tracks_) {
      double sum = 0;
      for (std::size_t i = 0; i < track.times.size(); ++i) {
        const double e = track.target[i] - track.position[i], de = track.targetRate[i] - track.rate[i];
        const double t = track.inertia[i] * track.acceleration[i] + track.bias[i];
        if (i > 0) sum += e * (track.times[i] - track.times[i - 1]);
        torque += t * t;
        error += e * e;
        rateError += de * de;
        integral += sum * sum;
        rate += track.rate[i] * track.rate[i];
        inertia += track.inertia[i];
        ++count;
      }
    }
    const auto ratio = [&](double square) { return square > 1e-30 && torque > 0 ? std::sqrt(torque / square) : 1.0; };
    scale_.resize(size_);
    const double all[] = {ratio(error), ratio(integral), ratio(rateError), ratio(count), ratio(rate), inertia / count};
    for (int k = 0; k < size_; ++k) scale_[k] = all[k] > 0 ? all[k] : 1.0;
  }

  /// Returns the variance of sum J^T r: the products of scores that are up to the root of their number apart, the
  /// farther the less.
  Eigen::MatrixXd scoreVariance(const Eigen::MatrixXd& J, const VectorXd& r) const {
    Eigen::MatrixXd scores(samples_, size_);
    for (Eigen::Index i = 0; i < samples_; ++i) scores.row(i) = r[i] * J.row(i) + r[samples_ + i] * J.row(samples_ + i);
    Eigen::MatrixXd sum = scores.transpose() * scores;
    const auto lags = static_cast<Eigen::Index>(std::sqrt(static_cast<double>(samples_)));
    for (Eigen::Index lag = 1; lag < std::min(lags, samples_); ++lag) {
      const Eigen::MatrixXd product = scores.bottomRows(samples_ - lag).transpose() * scores.topRows(samples_ - lag);
      sum += (1 - static_cast<double>(lag) / static_cast<double>(lags)) * (product + product.transpose());
    }
    return sum;
  }

  void jacobian(const ParameterVector& v, Eigen::MatrixXd& J) {
    J.resize(2 * samples_, size_);
    for (int k = 0; k < size_; ++k) {
      const double h = 1e-4 * std::max(v[k], 1e-2 * scale_[k]);
      ParameterVector moved = v;
      moved[k] = v[k] + h;
      residual(moved, work_);
      J.col(k) = work_;
      moved[k] = std::max(v[k] - h, 0.0);
      residual(moved, work_);
      J.col(k) -= work_;
      J.col(k) /= v[k] + h - moved[k];
    }
  }

  /// Sum of squares of what is believed, in the units of the residual's.
  double surprise(const ParameterVector& v) const {
    return prior_.size() == 0 ? 0 : sigma_ * sigma_ * (v - belief_).cwiseQuotient(prior_).squaredNorm();
  }

  ParameterVector dampedStep(const Eigen::MatrixXd& J, const VectorXd& r, const ParameterVector& v, double damping) {
    const Eigen::Index believed = prior_.size();
    Eigen::MatrixXd A(J.rows() + size_ + believed, size_);
    A.topRows(J.rows()) = J * scale_.asDiagonal();
    const double minimum = 1e-12 * A.topRows(J.rows()).colwise().norm().maxCoeff();
    A.bottomRows(size_ + believed).setZero();
    VectorXd b = VectorXd::Zero(A.rows());
    b.head(r.size()) = -r;
    for (Eigen::Index k = 0; k < believed; ++k) {
      const Eigen::Index row = J.rows() + size_ + k;
      A(row, k) = sigma_ * scale_[k] / prior_[k];
      b[row] = sigma_ * (belief_[k] - v[k]) / prior_[k];
    }
    const ParameterVector at = v.cwiseQuotient(scale_);
    for (int k = 0; k < size_; ++k) {
      const double length = std::max(A.col(k).head(J.rows()).norm(), minimum);
      A(J.rows() + k, k) = std::sqrt(damping) * std::max(length, 1e-300);
    }
    // In terms of the parameters themselves, which must not be negative: A (y - at) = b.
    b += A * at;
    return nonNegative(A, b, at).cwiseProduct(scale_);
  }

  /// Samples at which the motor worked freely: it moved, and not at its limit.
  void addRows(const ServoTrack& track, std::vector<std::array<double, kMaxParameters + 1>>& rows) const {
    constexpr double kNearLimit = 0.98;
    double fastest = 0, sum = 0;
    for (const double v : track.rate) fastest = std::max(fastest, std::abs(v));
    for (std::size_t i = 0; i < track.times.size(); ++i) {
      const double v = track.rate[i], e = track.target[i] - track.position[i];
      if (i > 0) sum += e * (track.times[i] - track.times[i - 1]);
      const double torque = track.inertia[i] * track.acceleration[i] + track.bias[i];
      const bool atLimit = torque >= kNearLimit * track.torqueMax || torque <= kNearLimit * track.torqueMin;
      if (std::abs(v) < 1e-2 * fastest || atLimit) continue;
      rows.push_back({e, sum, track.targetRate[i] - v, v > 0 ? -1.0 : 1.0, -v, -track.acceleration[i], torque});
    }
  }

  const std::vector<ServoTrack>& tracks_;
  const ServoFitOptions& options_;
  int size_;
  Eigen::Index samples_ = 0;
  ParameterVector scale_;
  ParameterVector belief_, prior_;  ///< Empty: nothing is known before.
  double sigma_ = 0;                ///< Deviation of one error.
  std::vector<double> position_, rate_;
  VectorXd r_, work_;
};

}  // namespace

ServoFit fitServo(const std::vector<ServoTrack>& tracks, const ServoParameters& start, const ServoFitOptions& options) {
  ServoFitter fitter(tracks, options);
  RandomStream random(options.seed, "motor calibration");
  ServoFitter::Search best = fitter.search(vectorOf(start, fitter.size()).cwiseMax(0));
  const auto attempt = [&](const ParameterVector& v) {
    const ServoFitter::Search found = fitter.search(v);
    if (found.cost < best.cost) best = found;
  };
  attempt(fitter.equationFit());
  for (int k = 0; k < options.restarts && !(options.stopRequested && options.stopRequested()); ++k) {
    ParameterVector v = best.v.cwiseMax(0.05 * fitter.scales());
    for (Eigen::Index i = 0; i < v.size(); ++i) v[i] *= std::exp(random.uniform(-2, 2));
    attempt(v);
  }
  if (options.prior > 0) {
    fitter.believe(vectorOf(start, fitter.size()).cwiseMax(0), options.prior, best);
    best = fitter.search(best.v);
  }
  ServoFit fit;
  fit.parameters = parametersOf(best.v);
  fit.deviation = parametersOf(fitter.deviation(best));
  fit.error = fitter.error(best.v);
  fit.converged = best.converged;
  return fit;
}

double servoError(const std::vector<ServoTrack>& tracks, const ServoParameters& parameters,
                  const ServoFitOptions& options) {
  ServoFitOptions all = options;
  all.fitInertia = true;
  return ServoFitter(tracks, all).error(vectorOf(parameters, kMaxParameters));
}

}  // namespace mortise
