#include "mortise/control/actuated_dynamics.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/base/expect.h"

namespace mortise {

namespace {

/// Fraction of a coordinate's own inertia below which nothing of it is left for the coordinate once the others move
/// freely.
constexpr double kNoInertia = 1e-12;
/// Sine below which the force at a support adds nothing to the others.
constexpr double kDependent = 1e-6;
/// Fraction of a torque's effect that counts at least, however firmly the supports hold what it would move.
constexpr double kMostlyHeld = 1e-6;

std::size_t numDriven(const Driver& driver) { return driver.type == DriverType::affine ? driver.links.size() : 1; }
double scaleOf(const Driver& driver, std::size_t k) { return driver.type == DriverType::affine ? driver.scale[k] : 1; }

}  // namespace

ActuatedDynamics::ActuatedDynamics(RobotPtr robot) : model_(robot), dynamics_(robot), links_(robot->numLinks()) {
  drivers_ = model_->numDrivers();
  coordinate_.assign(links_, -2);
  scale_.assign(links_, 1);
  const auto welded = [&](int link) {
    const int joint = model_->jointOfLink(link);
    return joint >= 0 && model_->joints()[joint].type == JointType::weld;
  };
  std::vector<int> leader(links_, -1);  // Affine driver that moves the link.
  for (int i = 0; i < drivers_; ++i)
    if (model_->driver(i).type == DriverType::affine)
      for (const int link : model_->driver(i).links)
        if (leader[link] < 0) leader[link] = i;
  std::vector<int> ofDriver(drivers_, -1);
  for (int link = 0; link < links_; ++link) {
    if (welded(link)) {
      coordinate_[link] = -1;
      continue;
    }
    const int driver = leader[link];
    if (driver >= 0) {
      const Driver& d = model_->driver(driver);
      for (std::size_t k = 0; k < d.links.size(); ++k)
        if (d.links[k] == link) scale_[link] = d.scale[k];
      if (scale_[link] == 0) {
        coordinate_[link] = -1;
        continue;
      }
      if (ofDriver[driver] >= 0) {
        coordinate_[link] = ofDriver[driver];
        continue;
      }
      ofDriver[driver] = coordinates_;
    }
    coordinate_[link] = coordinates_++;
    firstLink_.push_back(link);
  }
  // Leaves first: eliminating them leaves the zeros of the tree (Featherstone, 2005).
  std::reverse(firstLink_.begin(), firstLink_.end());
  for (int& c : coordinate_)
    if (c >= 0) c = coordinates_ - 1 - c;
  driverMap_.setZero(coordinates_, drivers_);
  acts_.assign(drivers_, 0);
  for (int i = 0; i < drivers_; ++i) {
    const Driver& driver = model_->driver(i);
    if (driver.type != DriverType::normal && driver.type != DriverType::affine &&
        driver.links[0] <= model_->floatingBaseLink())
      continue;
    for (std::size_t k = 0; k < numDriven(driver); ++k) {
      const int link = driver.links[k];
      if (coordinate_[link] < 0) continue;
      driverMap_(coordinate_[link], i) += scaleOf(driver, k) * scale_[link];
      acts_[i] = 1;
    }
  }
  B_.resize(links_, links_);
  L_.setZero(coordinates_, coordinates_);
  reducedB_.setZero(coordinates_, coordinates_);
  findPattern();
  dead_.resize(coordinates_);
  J_.resize(3, links_);
  zero_.setZero(links_);
  mobility_.setZero(6);
  mass_ = model_->totalMass() > 0 ? model_->totalMass() : 1;
  for (auto* v : {&rest_, &reducedBias_, &work_}) v->setZero(coordinates_);
  bias_.setZero(links_);
  setSupports({}, 3);
}

void ActuatedDynamics::setSupports(std::span<const SupportPoint> supports, int edges) {
  for (const SupportPoint& support : supports) MORTISE_REQUIRE_INDEX(support.link, links_, "links");
  MORTISE_REQUIRE(edges >= 3, "a pyramid must have at least three edges");
  supports_.assign(supports.begin(), supports.end());
  firstForce_.clear();
  direction_.clear();
  for (const SupportPoint& support : supports_) {
    firstForce_.push_back(static_cast<int>(direction_.size()));
    const Vector3d n = support.normal;
    if (!(support.friction > 0)) {
      direction_.push_back(n);
      continue;
    }
    const Vector3d side = (std::abs(n.x()) < 0.9 ? Vector3d::UnitX() : Vector3d::UnitY()).cross(n).normalized();
    const Vector3d other = n.cross(side);
    for (int e = 0; e < edges; ++e) {
      // Half a turn off the axes, so that four edges allow the same along both of them.
      const double angle = 2 * std::numbers::pi * (e + 0.5) / edges;
      direction_.push_back(n + support.friction * (std::cos(angle) * other + std::sin(angle) * side));
    }
  }
  forces_ = static_cast<int>(direction_.size());
  firstForce_.push_back(forces_);
  M_.setZero(coordinates_, numVariables());
  unit_.setOnes(numVariables());
  length_.setZero(forces_);
  held_.reserve(forces_, coordinates_);
}

void ActuatedDynamics::gather(const Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>& row,
                              VectorRef column) const {
  column.setZero();
  for (int link = 0; link < links_; ++link)
    if (coordinate_[link] >= 0) column[coordinate_[link]] += scale_[link] * row[link];
}

void ActuatedDynamics::findPattern() {
  std::vector<std::vector<char>> filled(coordinates_, std::vector<char>(coordinates_, 0));
  for (int i = 0; i < links_; ++i)
    for (int j = i; j >= 0; j = model_->link(j).parent) {
      const int a = coordinate_[i], b = coordinate_[j];
      if (a >= 0 && b >= 0) filled[std::max(a, b)][std::min(a, b)] = 1;
    }
  below_.assign(coordinates_, {});
  for (int j = 0; j < coordinates_; ++j) {
    for (int i = j + 1; i < coordinates_; ++i)
      if (filled[i][j]) below_[j].push_back(i);
    // What eliminating j fills in; nothing for a tree, something where affine drivers tie branches together.
    for (const int a : below_[j])
      for (const int b : below_[j])
        if (a > b) filled[a][b] = 1;
  }
}

/// Cholesky's, column by column; coordinates without inertia of their own are left out.
void ActuatedDynamics::factorMass() {
  for (int j = 0; j < coordinates_; ++j) {
    reducedB_(j, j) = 0;
    for (const int i : below_[j]) reducedB_(i, j) = 0;
  }
  for (int i = 0; i < links_; ++i)
    for (int j = i; j >= 0; j = model_->link(j).parent) {
      const int a = coordinate_[i], b = coordinate_[j];
      if (a < 0 || b < 0) continue;
      const double fraction = scale_[i] * scale_[j] * B_(i, j);
      reducedB_(std::max(a, b), std::min(a, b)) += a == b && i != j ? 2 * fraction : fraction;
    }
  for (int j = 0; j < coordinates_; ++j) {
    L_(j, j) = reducedB_(j, j);
    for (const int i : below_[j]) L_(i, j) = reducedB_(i, j);
  }
  for (int j = 0; j < coordinates_; ++j) {
    dead_[j] = !(L_(j, j) > kNoInertia * reducedB_(j, j));
    if (dead_[j]) {
      for (const int i : below_[j]) L_(i, j) = 0;
      continue;
    }
    const double pivot = std::sqrt(L_(j, j));
    L_(j, j) = pivot;
    for (const int i : below_[j]) L_(i, j) /= pivot;
    for (const int i : below_[j])
      for (const int k : below_[j])
        if (k >= i) L_(k, i) -= L_(i, j) * L_(k, j);
  }
}

/// x = L^-1 x
void ActuatedDynamics::whiten(VectorRef x) const {
  for (int j = 0; j < coordinates_; ++j) {
    if (dead_[j]) x[j] = 0;
    if (x[j] == 0) continue;
    const double fraction = x[j] /= L_(j, j);
    for (const int i : below_[j]) x[i] -= fraction * L_(i, j);
  }
}

/// x = L^-T x
void ActuatedDynamics::unwhiten(VectorRef x) const {
  for (int j = coordinates_ - 1; j >= 0; --j) {
    if (dead_[j]) continue;
    double rest = x[j];
    for (const int i : below_[j]) rest -= L_(i, j) * x[i];
    x[j] = rest / L_(j, j);
  }
}

/// x^T x of whitened coordinates, without what the supports take up.
double ActuatedDynamics::freeEnergy(VectorRef x) const {
  if (forces_ == 0) return x.squaredNorm();
  held_.applyTransposed(x);
  return x.tail(coordinates_ - held_.rank()).squaredNorm();
}

void ActuatedDynamics::update(const VectorXd& q, const VectorXd& dq, const Vector3d& gravity, bool viscous,
                              double period) {
  dynamics_.setState(q, dq);
  dynamics_.massMatrix(B_);
  dynamics_.biasForces(gravity, bias_);
  if (viscous)
    for (const Driver& driver : model_->drivers())
      for (std::size_t k = 0; k < numDriven(driver); ++k) {
        const int link = driver.links[k];
        const double friction = driver.viscousFriction * scaleOf(driver, k) * scaleOf(driver, k);
        bias_[link] += friction * dq[link];
        B_(link, link) += friction * period;
      }
  factorMass();
  gather(bias_.transpose(), reducedBias_);
  rest_ = -reducedBias_;
  M_.leftCols(drivers_) = driverMap_;
  for (std::size_t s = 0; s < supports_.size(); ++s) {
    dynamics_.positionJacobian(supports_[s].link, supports_[s].p_LP, J_);
    for (int f = firstForce_[s]; f < firstForce_[s + 1]; ++f) {
      auto column = M_.col(drivers_ + f);
      column.setZero();
      for (int link = 0; link < links_; ++link)
        if (coordinate_[link] >= 0) column[coordinate_[link]] += scale_[link] * direction_[f].dot(J_.col(link));
    }
  }
  for (int v = 0; v < numVariables(); ++v) whiten(M_.col(v));
  if (forces_ > 0) {
    held_.begin(forces_, coordinates_) = M_.rightCols(forces_);
    for (int f = 0; f < forces_; ++f) length_[f] = M_.col(drivers_ + f).norm();
    held_.factor(length_.head(forces_), kDependent);
  }
  for (int v = 0; v < numVariables(); ++v) {
    const double all = M_.col(v).squaredNorm();
    work_ = M_.col(v);
    const double energy = v < drivers_ ? std::max(freeEnergy(work_), kMostlyHeld * all) : all > 0 ? 1 / mass_ : 0;
    unit_[v] = energy > 0 ? 1 / std::sqrt(energy) : 1;
    unwhiten(M_.col(v));
  }
  whiten(rest_);
  unwhiten(rest_);
}

void ActuatedDynamics::rows(const ConstMatrixRef& J, const ConstVectorRef& wanted, MatrixRef A, VectorRef b) {
  MORTISE_REQUIRE(J.cols() == links_, "the Jacobian must have one column for each link");
  MORTISE_REQUIRE_SIZE(wanted, J.rows(), "one for each row");
  MORTISE_REQUIRE(A.rows() >= J.rows() && A.cols() >= numVariables() && b.size() >= J.rows(),
                  "A and b must have room for all rows and variables");
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    work_.setZero();
    for (int link = 0; link < links_; ++link)
      if (coordinate_[link] >= 0) work_[coordinate_[link]] += scale_[link] * J(i, link);
    b[i] = wanted[i] - work_.dot(rest_);
    for (int v = 0; v < numVariables(); ++v) A(i, v) = work_.dot(M_.col(v));
    if (i >= mobility_.size()) continue;
    whiten(work_);
    mobility_[i] = freeEnergy(work_);
  }
}

double ActuatedDynamics::regularLength(int first, bool angular, const Vector3d& p_W) const {
  MORTISE_REQUIRE(first >= 0 && first + 3 <= mobility_.size(), "the rows must be among the first six of the last call");
  const double longest = mobility_.segment<3>(first).maxCoeff();
  double inertia = 0;
  for (int link = 0; link < links_; ++link) {
    const BodyInertia& body = model_->link(link).inertia;
    if (!angular)
      inertia += body.mass;
    else if (body.mass != 0)
      inertia += (2 * body.mass * (dynamics_.X_WL(link) * body.com - p_W).squaredNorm() + body.inertia.trace()) / 3;
  }
  if (!(inertia > 0)) return 0;
  const double full = 1 / inertia;
  return std::sqrt(std::sqrt(full * std::max(full, longest)));
}

void ActuatedDynamics::coordinateRow(int coordinate, double wanted, Eigen::Index row, MatrixRef A, VectorRef b) const {
  MORTISE_REQUIRE_INDEX(coordinate, coordinates_, "coordinates");
  MORTISE_REQUIRE_INDEX(row, std::min(A.rows(), b.size()), "rows");
  MORTISE_REQUIRE(A.cols() >= numVariables(), "A must have one column for each variable");
  A.row(row).head(numVariables()) = M_.row(coordinate);
  b[row] = wanted - rest_[coordinate];
}

void ActuatedDynamics::linkRow(int link, double wanted, Eigen::Index row, MatrixRef A, VectorRef b) const {
  MORTISE_REQUIRE_INDEX(link, links_, "links");
  MORTISE_REQUIRE_INDEX(row, std::min(A.rows(), b.size()), "rows");
  MORTISE_REQUIRE(A.cols() >= numVariables(), "A must have one column for each variable");
  if (coordinate_[link] < 0) {
    A.row(row).head(numVariables()).setZero();
    b[row] = wanted;
    return;
  }
  A.row(row).head(numVariables()) = scale_[link] * M_.row(coordinate_[link]);
  b[row] = wanted - scale_[link] * rest_[coordinate_[link]];
}

double ActuatedDynamics::coordinateRate(int coordinate, const VectorXd& dq) const {
  MORTISE_REQUIRE_INDEX(coordinate, coordinates_, "coordinates");
  MORTISE_REQUIRE_SIZE(dq, links_, "one for each link");
  const int link = firstLink_[coordinate];
  return dq[link] / scale_[link];
}

void ActuatedDynamics::accelerations(const VectorXd& x, VectorXd& ddq) const {
  MORTISE_REQUIRE_SIZE(x, numVariables(), "one for each variable");
  MORTISE_REQUIRE_SIZE(ddq, links_, "one for each link");
  for (int link = 0; link < links_; ++link) {
    const int c = coordinate_[link];
    ddq[link] = 0;
    if (c < 0) continue;
    double a = rest_[c];
    for (int v = 0; v < numVariables(); ++v) a += M_(c, v) * x[v];
    ddq[link] = scale_[link] * a;
  }
}

Vector3d ActuatedDynamics::centerOfMassBias() const {
  Vector3d sum = Vector3d::Zero();
  double mass = 0;
  for (int link = 0; link < links_; ++link) {
    const BodyInertia& body = model_->link(link).inertia;
    if (body.mass == 0) continue;
    sum += body.mass * dynamics_.pointAcceleration(link, body.com, zero_).tail<3>();
    mass += body.mass;
  }
  return mass > 0 ? Vector3d(sum / mass) : Vector3d::Zero();
}

void ActuatedDynamics::restTorques(double damping, const VectorXd& dq, VectorRef torques) {
  MORTISE_REQUIRE_SIZE(dq, links_, "one for each link");
  MORTISE_REQUIRE_SIZE(torques, drivers_, "one for each driver");
  work_ = reducedBias_;
  for (int j = 0; j < coordinates_; ++j) {
    const double a = -damping * coordinateRate(j, dq);
    work_[j] += reducedB_(j, j) * a;
    for (const int i : below_[j]) {
      work_[i] += reducedB_(i, j) * a;
      work_[j] -= reducedB_(i, j) * damping * coordinateRate(i, dq);
    }
  }
  for (int i = 0; i < drivers_; ++i) {
    const double square = driverMap_.col(i).squaredNorm();
    torques[i] = square > 0 ? driverMap_.col(i).dot(work_) / square : 0;
  }
}

Vector3d ActuatedDynamics::supportForce(int support, const VectorXd& x) const {
  MORTISE_REQUIRE_INDEX(support, supports_.size(), "supports");
  MORTISE_REQUIRE_SIZE(x, numVariables(), "one for each variable");
  Vector3d force = Vector3d::Zero();
  for (int f = firstForce_[support]; f < firstForce_[support + 1]; ++f) force += x[drivers_ + f] * direction_[f];
  return force;
}

}  // namespace mortise
