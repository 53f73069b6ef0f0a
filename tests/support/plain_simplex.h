#pragma once

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <vector>

namespace mortise::test {

/// max c . x with A x = b, x >= 0 by the textbook: a full tableau in long double, two phases, Bland's rule. Slow and
/// plain, to compare other programs with. Infinite when unbounded, NaN when infeasible.
class PlainSimplex {
 public:
  PlainSimplex(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& c)
      : m_(A.rows()), n_(A.cols()), tableau_(m_ + 1, n_ + m_ + 1), basis_(static_cast<std::size_t>(m_)) {
    tableau_.setZero();
    for (Eigen::Index r = 0; r < m_; ++r) {
      const long double sign = b[r] < 0 ? -1 : 1;
      tableau_.row(r).head(n_) = sign * A.row(r).cast<long double>();
      tableau_(r, n_ + r) = 1;
      tableau_(r, n_ + m_) = sign * b[r];
      basis_[static_cast<std::size_t>(r)] = n_ + r;
      tableau_.row(m_) -= tableau_.row(r);
    }
    tableau_.row(m_).segment(n_, m_).setZero();
    iterate(n_ + m_);
    feasible_ = -tableau_(m_, n_ + m_) < 1e-11L;
    if (!feasible_) return;
    tableau_.row(m_).setZero();
    tableau_.row(m_).head(n_) = -c.transpose().cast<long double>();
    for (Eigen::Index r = 0; r < m_; ++r) {
      const Eigen::Index j = basis_[static_cast<std::size_t>(r)];
      if (j < n_) tableau_.row(m_) += static_cast<long double>(c[j]) * tableau_.row(r);
    }
    bounded_ = iterate(n_);
  }

  double value() const {
    if (!feasible_) return std::numeric_limits<double>::quiet_NaN();
    return bounded_ ? static_cast<double>(tableau_(m_, n_ + m_)) : std::numeric_limits<double>::infinity();
  }

 private:
  static constexpr long double kZero = 1e-13L;

  bool iterate(Eigen::Index columns) {
    while (true) {
      Eigen::Index enter = 0;
      while (enter < columns && tableau_(m_, enter) >= -kZero) ++enter;
      if (enter == columns) return true;
      Eigen::Index leave = -1;
      long double minimum = 0;
      for (Eigen::Index r = 0; r < m_; ++r) {
        // Artificial variables must not grow in the second phase.
        const bool artificial = columns == n_ && basis_[static_cast<std::size_t>(r)] >= n_;
        if (artificial ? std::abs(tableau_(r, enter)) <= kZero : tableau_(r, enter) <= kZero) continue;
        const long double ratio = artificial ? 0 : tableau_(r, n_ + m_) / tableau_(r, enter);
        if (leave < 0 || ratio < minimum ||
            (ratio == minimum && basis_[static_cast<std::size_t>(r)] < basis_[static_cast<std::size_t>(leave)])) {
          leave = r;
          minimum = ratio;
        }
      }
      if (leave < 0) return false;
      tableau_.row(leave) /= tableau_(leave, enter);
      for (Eigen::Index r = 0; r <= m_; ++r)
        if (r != leave && tableau_(r, enter) != 0) tableau_.row(r) -= tableau_(r, enter) * tableau_.row(leave);
      basis_[static_cast<std::size_t>(leave)] = enter;
    }
  }

  Eigen::Index m_, n_;
  Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> tableau_;
  std::vector<Eigen::Index> basis_;
  bool feasible_ = false, bounded_ = false;
};

}  // namespace mortise::test
