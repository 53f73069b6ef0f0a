#include "mortise/ik/analytic/analytic_ik.h"

#include <Eigen/Dense>
#include <numbers>

#include "mortise/ik/analytic/subproblems.h"

namespace mortise {

using namespace analytic;

namespace analytic {

namespace {

double bisected(const TrigonometricQuadric& f, double low, double high) {
  double fLow = f.at(std::cos(low), std::sin(low));
  double x = 0.5 * (low + high);
  for (int i = 0; i < 60 && high - low > 1e-15; ++i) {
    const double c = std::cos(x), s = std::sin(x), value = f.at(c, s), slope = f.slope(c, s);
    if ((value < 0) == (fLow < 0)) {
      low = x;
      fLow = value;
    } else {
      high = x;
    }
    const double newton = slope != 0 ? x - value / slope : high + 1;
    const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (std::abs(next - x) < 1e-14) return next;
    x = next;
  }
  return x;
}

}  // namespace

int TrigonometricQuadric::roots(double* x) const {
  constexpr int kSamples = 32;
  constexpr double kStep = 2 * std::numbers::pi / kSamples;
  double f[kSamples + 2], size = 0;
  static const auto table = [] {
    std::array<std::array<double, 2>, kSamples> t;
    for (std::size_t i = 0; i < kSamples; ++i)
      t[i] = {std::cos(static_cast<double>(i) * kStep), std::sin(static_cast<double>(i) * kStep)};
    return t;
  }();
  for (const double value : k) size = std::max(size, std::abs(value));
  if (!(size > 0)) return 0;
  for (std::size_t i = 0; i < kSamples; ++i) f[i] = at(table[i][0], table[i][1]);
  f[kSamples] = f[0];
  f[kSamples + 1] = f[1];
  // Between two samples the function stays within this of the smaller one.
  const double reach = 0.5 * kStep * kStep * (std::hypot(k[1], k[2]) + 2 * std::hypot(k[3] - k[4], k[5]));
  int count = 0;
  const auto add = [&](double root) {
    if (count < 4) x[count++] = root;
  };
  for (int i = 0; i < kSamples; ++i) {
    const double left = i * kStep;
    if ((f[i] < 0) != (f[i + 1] < 0)) add(bisected(*this, left, left + kStep));
    // A dip between samples: both ends beyond it have the same sign.
    if ((f[i] < 0) != (f[i + 2] < 0) || (f[i] < 0) != (f[i + 1] < 0) || std::abs(f[i + 1]) > std::abs(f[i]) ||
        std::abs(f[i + 1]) > std::abs(f[i + 2]) || std::abs(f[i + 1]) > reach + 1e-6 * size)
      continue;
    double low = left, high = left + 2 * kStep;
    const double sign = f[i] < 0 ? -1 : 1;
    for (int step = 0; step < 50; ++step) {
      const double middle = 0.5 * (low + high);
      (sign * slope(std::cos(middle), std::sin(middle)) < 0 ? low : high) = middle;
    }
    const double value = sign * at(std::cos(low), std::sin(low));
    if (value < 0) {
      add(bisected(*this, left, low));
      add(bisected(*this, low, left + 2 * kStep));
    } else if (value < 1e-6 * size) {
      add(low);
    }
  }
  return count;
}

}  // namespace analytic

namespace {

/// The point that is nearest to lines in the sense of least squares, and how far it is from the farthest.
Vector3d meetingPoint(const Vector3d* axes, const Vector3d* origins, int count, double& farthest) {
  Matrix3d A = Matrix3d::Zero();
  Vector3d b = Vector3d::Zero();
  for (int i = 0; i < count; ++i) {
    const Matrix3d P = Matrix3d::Identity() - axes[i] * axes[i].transpose();
    A += P;
    b += P * origins[i];
  }
  const Eigen::FullPivLU<Matrix3d> lu(A);
  farthest = kInfinity;
  if (lu.rcond() < 1e-6) return origins[0];
  const Vector3d p = lu.solve(b);
  farthest = 0;
  for (int i = 0; i < count; ++i) farthest = std::max(farthest, across(axes[i], p - origins[i]).norm());
  return p;
}

/// Three turns that put a point at its goal: Pieper's arm.
class PositionOfThree {
 public:
  PositionOfThree(const Vector3d* axes, const Vector3d* origins, const Vector3d& point) {
    for (int i = 0; i < 3; ++i) {
      a_[i] = axes[i];
      o_[i] = origins[i];
    }
    // The points of the first two lines that are nearest to each other.
    const double dot = a_[0].dot(a_[1]), apart = 1 - dot * dot;
    const Vector3d between = o_[1] - o_[0];
    if (apart > 1e-9) {
      const double t = (a_[0].dot(between) - dot * a_[1].dot(between)) / apart;
      const double u = (dot * a_[0].dot(between) - a_[1].dot(between)) / apart;
      o_[0] += t * a_[0];
      o_[1] += u * a_[1];
    }
    const Vector3d r = point - o_[2];
    k0_ = o_[2] + a_[2].dot(r) * a_[2] - o_[1];
    k1_ = across(a_[2], r);
    k2_ = a_[2].cross(r);
    d_ = o_[1] - o_[0];
    e_[0] = across(a_[1], a_[0]);
    e_[1] = across(a_[1], d_);
    determinant_ = a_[1].dot(e_[0].cross(e_[1]));
  }

  template <class Found>
  void solve(const Vector3d& p, const Found& found) const {
    const double h = a_[0].dot(p - o_[0]), rho = (p - o_[0]).squaredNorm();
    // Linear functions of cosine and sine of the third angle: z of v, |v|^2, and the two products with W.
    const Vector3d z(a_[1].dot(k0_), a_[1].dot(k1_), a_[1].dot(k2_));
    const Vector3d square(k0_.squaredNorm() + k1_.squaredNorm(), 2 * k0_.dot(k1_), 2 * k0_.dot(k2_));
    Vector3d g[2];
    g[0] = -a_[0].dot(a_[1]) * z;
    g[0][0] += h - a_[0].dot(d_);
    g[1] = -0.5 * square - d_.dot(a_[1]) * z;
    g[1][0] += 0.5 * (rho - d_.squaredNorm());
    double third[4];
    const bool independent = std::abs(determinant_) > 1e-5;
    const int larger = e_[0].norm() >= e_[1].norm() ? 0 : 1;
    int count = 0;
    if (independent) {
      count = rootsOfThird(z, square, g, third);
    } else {  // The other equation, less its share of this one, knows the third angle alone.
      const double fraction = e_[1 - larger].dot(e_[larger]) / std::max(1e-300, e_[larger].squaredNorm());
      const Vector3d rest = g[1 - larger] - fraction * g[larger];
      count = solveCosineSine(rest[1], rest[2], -rest[0], third);
    }
    for (int i = 0; i < count; ++i) {
      const double c = std::cos(third[i]), s = std::sin(third[i]);
      const Vector3d v = k0_ + c * k1_ + s * k2_, w = across(a_[1], v);
      double second[2];
      int seconds = 0;
      if (independent) {
        const double g0 = g[0][0] + c * g[0][1] + s * g[0][2], g1 = g[1][0] + c * g[1][1] + s * g[1][2];
        const Vector3d W = (g0 * e_[1].cross(a_[1]) + g1 * a_[1].cross(e_[0])) / determinant_;
        second[0] = angleBetween(a_[1], w, W, 0);
        seconds = 1;
      } else {
        const Vector3d& e = e_[larger];
        const Vector3d& linear = g[larger];
        seconds = solveCosineSine(e.dot(w), e.dot(a_[1].cross(w)), linear[0] + c * linear[1] + s * linear[2], second);
      }
      for (int j = 0; j < seconds; ++j) {
        const Vector3d reached = o_[1] + turned(a_[1], second[j], v);
        found(angleBetween(a_[0], reached - o_[0], p - o_[0], 0), second[j], third[i]);
      }
    }
  }

 private:
  int rootsOfThird(const Vector3d& z, const Vector3d& square, const Vector3d* g, double* third) const {
    const Vector3d u = e_[1].cross(a_[1]) / determinant_, v = a_[1].cross(e_[0]) / determinant_;
    const double uu = u.squaredNorm(), uv = 2 * u.dot(v), vv = v.squaredNorm();
    TrigonometricQuadric f;
    const auto add = [&f](double factor, const Vector3d& p, const Vector3d& q) {
      f.k[0] += factor * p[0] * q[0];
      f.k[1] += factor * (p[0] * q[1] + p[1] * q[0]);
      f.k[2] += factor * (p[0] * q[2] + p[2] * q[0]);
      f.k[3] += factor * p[1] * q[1];
      f.k[4] += factor * p[2] * q[2];
      f.k[5] += factor * (p[1] * q[2] + p[2] * q[1]);
    };
    add(uu, g[0], g[0]);
    add(uv, g[0], g[1]);
    add(vv, g[1], g[1]);
    add(1, z, z);
    f.k[0] -= square[0];
    f.k[1] -= square[1];
    f.k[2] -= square[2];
    return f.roots(third);
  }

  Vector3d a_[3], o_[3], k0_, k1_, k2_, d_, e_[2];
  double determinant_ = 0;
};

class SphericalWrist final : public AnalyticIK {
 public:
  SphericalWrist(const ScrewChain& chain, const Vector3d& wrist)
      : chain_(chain),
        inverse0_(chain.X0.inverse()),
        wrist_(wrist),
        arm_(chain.axis.data(), chain.origin.data(), wrist) {}

  std::string_view name() const override { return "spherical wrist"; }

  void solve(const RigidTransform& X, const JointAngles& reference,
             std::vector<JointAngles>& solutions) const override {
    const auto& a = chain_.axis;
    const RigidTransform E = X * inverse0_;
    arm_.solve(E * wrist_, [&](double x1, double x2, double x3) {
      // Q = R4 R5 R6, by its effect on the axes.
      const Turn t1(a[0], x1), t2(a[1], x2), t3(a[2], x3);
      const auto back = [&](const Vector3d& v) { return t3.back(t2.back(t1.back(v))); };
      const Vector3d tip = back(E.R * a[5]);
      double five[2];
      const Vector3d along = a[4].dot(a[5]) * a[4], side = a[5] - along;
      const int count =
          solveCosineSine(a[3].dot(side), a[3].dot(a[4].cross(a[5])), a[3].dot(tip) - a[3].dot(along), five);
      int minimum = 0;
      a[5].cwiseAbs().minCoeff(&minimum);
      const Vector3d mark = a[5].cross(Vector3d::Unit(minimum)).normalized(), markNow = back(E.R * mark);
      for (int i = 0; i < count; ++i) {
        const Turn t5(a[4], five[i]);
        const double x4 = angleBetween(a[3], t5.forth(a[5]), tip, reference[3]);
        const Vector3d last = t5.back(Turn(a[3], x4).back(markNow));
        solutions.push_back({x1, x2, x3, x4, five[i], angleBetween(a[5], mark, last, reference[5])});
      }
    });
  }

 private:
  ScrewChain chain_;
  RigidTransform inverse0_;
  Vector3d wrist_;
  PositionOfThree arm_;
};

/// Two parallel turns, of a point in a plane. `found` gets both angles.
template <class Found>
void solveTwoParallel(const Vector3d& axis, double sign, const Vector3d& first, const Vector3d& second,
                      const Vector3d& point, const Vector3d& target, const Found& found) {
  const Vector3d l1 = across(axis, second - first), l2 = across(axis, point - second), p = across(axis, target - first);
  double x[2];
  const int count = solveCosineSine(l1.dot(l2), sign * l1.dot(axis.cross(l2)),
                                    0.5 * (p.squaredNorm() - l1.squaredNorm() - l2.squaredNorm()), x);
  for (int i = 0; i < count; ++i) found(angleBetween(axis, l1 + turned(axis, sign * x[i], l2), p, 0), x[i]);
}

class ThreeParallel final : public AnalyticIK {
 public:
  ThreeParallel(const ScrewChain& chain, const Vector3d& meeting)
      : chain_(chain), inverse0_(chain.X0.inverse()), meeting_(meeting) {
    sign3_ = chain.axis[1].dot(chain.axis[2]) < 0 ? -1 : 1;
    sign4_ = chain.axis[1].dot(chain.axis[3]) < 0 ? -1 : 1;
  }

  std::string_view name() const override { return "three parallel axes"; }

  void solve(const RigidTransform& X, const JointAngles& reference,
             std::vector<JointAngles>& solutions) const override {
    const auto& a = chain_.axis;
    const auto& o = chain_.origin;
    const Vector3d& along = a[1];
    const RigidTransform E = X * inverse0_;
    const Vector3d r = E * meeting_ - o[0];
    double one[2], five[2];
    const int ones = solveCosineSine(along.dot(across(a[0], r)), -along.dot(a[0].cross(r)),
                                     along.dot(meeting_ - o[0]) - along.dot(a[0]) * a[0].dot(r), one);
    for (int i = 0; i < ones; ++i) {
      const auto back = [&](const Vector3d& v) { return turned(a[0], -one[i], v); };
      const auto forth = [&](const Vector3d& v) { return turned(a[0], one[i], v); };
      const Vector3d axis5 = a[4].dot(a[5]) * a[4];
      const int fives = solveCosineSine(along.dot(a[5] - axis5), along.dot(a[4].cross(a[5])),
                                        along.dot(back(E.R * a[5])) - along.dot(axis5), five);
      for (int j = 0; j < fives; ++j) {
        const double x6 =
            angleBetween(a[5], E.R.transpose() * forth(along), turned(a[4], -five[j], along), reference[5]);
        const auto before = [&](const Vector3d& v) { return turned(a[5], -x6, turned(a[4], -five[j], v)); };
        int minimum = 0;
        along.cwiseAbs().minCoeff(&minimum);
        const Vector3d mark = along.cross(Vector3d::Unit(minimum)).normalized();
        const double phi = angleBetween(along, mark, back(E.R * before(mark)), 0);
        Vector3d p = turnedAbout(a[5], o[5], -x6, turnedAbout(a[4], o[4], -five[j], o[3]));
        p = turnedAbout(a[0], o[0], -one[i], E * p);
        solveTwoParallel(along, sign3_, o[1], o[2], o[3], p, [&](double x2, double x3) {
          solutions.push_back({one[i], x2, x3, sign4_ * (phi - x2 - sign3_ * x3), five[j], x6});
        });
      }
    }
  }

 private:
  ScrewChain chain_;
  RigidTransform inverse0_;
  Vector3d meeting_;
  double sign3_ = 1, sign4_ = 1;
};

class PlanarArm final : public AnalyticIK {
 public:
  explicit PlanarArm(const ScrewChain& chain) : chain_(chain), inverse0_(chain.X0.inverse()) {
    sign2_ = chain.axis[0].dot(chain.axis[1]) < 0 ? -1 : 1;
    sign3_ = chain.axis[0].dot(chain.axis[2]) < 0 ? -1 : 1;
  }

  std::string_view name() const override { return "planar arm"; }

  void solve(const RigidTransform& X, const JointAngles&, std::vector<JointAngles>& solutions) const override {
    const auto& o = chain_.origin;
    const Vector3d& along = chain_.axis[0];
    const RigidTransform E = X * inverse0_;
    int minimum = 0;
    along.cwiseAbs().minCoeff(&minimum);
    const Vector3d mark = along.cross(Vector3d::Unit(minimum)).normalized();
    const double phi = angleBetween(along, mark, E.R * mark, 0);
    solveTwoParallel(along, sign2_, o[0], o[1], o[2], E * o[2], [&](double x1, double x2) {
      solutions.push_back({x1, x2, sign3_ * (phi - x1 - sign2_ * x2), 0, 0, 0});
    });
  }

 private:
  ScrewChain chain_;
  RigidTransform inverse0_;
  double sign2_ = 1, sign3_ = 1;
};

/// A solver of the chain that is seen from the other end.
class Backwards final : public AnalyticIK {
 public:
  explicit Backwards(std::unique_ptr<AnalyticIK> inner) : inner_(std::move(inner)) {}

  std::string_view name() const override { return inner_->name(); }

  void solve(const RigidTransform& X, const JointAngles& reference,
             std::vector<JointAngles>& solutions) const override {
    const std::size_t first = solutions.size();
    JointAngles turnedAround = reference;
    std::reverse(turnedAround.begin(), turnedAround.end());
    inner_->solve(X.inverse(), turnedAround, solutions);
    for (std::size_t i = first; i < solutions.size(); ++i) std::reverse(solutions[i].begin(), solutions[i].end());
  }

 private:
  std::unique_ptr<AnalyticIK> inner_;
};

std::unique_ptr<AnalyticIK> findForwards(const ScrewChain& chain, double slack) {
  const auto parallel = [&](int i, int j) {
    return chain.axis[static_cast<std::size_t>(i)].cross(chain.axis[static_cast<std::size_t>(j)]).norm() <= slack;
  };
  double farthest = kInfinity;
  const Vector3d wrist = meetingPoint(&chain.axis[3], &chain.origin[3], 3, farthest);
  if (farthest <= slack && !parallel(3, 4) && !parallel(4, 5)) return std::make_unique<SphericalWrist>(chain, wrist);
  if (!parallel(1, 2) || !parallel(1, 3) || parallel(0, 1) || parallel(4, 5)) return nullptr;
  const Vector3d meeting = meetingPoint(&chain.axis[4], &chain.origin[4], 2, farthest);
  return farthest <= slack ? std::make_unique<ThreeParallel>(chain, meeting) : nullptr;
}

}  // namespace

std::unique_ptr<AnalyticIK> findAnalyticIK(const ScrewChain& chain, double slack) {
  if (chain.size() == 3 && chain.axis[0].cross(chain.axis[1]).norm() <= slack &&
      chain.axis[0].cross(chain.axis[2]).norm() <= slack)
    return std::make_unique<PlanarArm>(chain);
  if (chain.size() != 6) return nullptr;
  if (auto found = findForwards(chain, slack)) return found;
  if (auto found = findForwards(reversed(chain), slack)) return std::make_unique<Backwards>(std::move(found));
  return nullptr;
}

}  // namespace mortise
