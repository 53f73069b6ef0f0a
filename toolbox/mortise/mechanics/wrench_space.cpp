#include "mortise/mechanics/wrench_space.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/interruption.h"
#include "mortise/base/value_text.h"
#include "mortise/math/constants.h"
#include "mortise/math/rotation.h"
#include "mortise/mechanics/forces/contact_program.h"

namespace mortise {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

/// The force, with a part of 1 against the normal, that has most along `g`.
double bestForce(const ContactPoint& contact, const std::vector<Vector3d>& edges, const Vector3d& g, Vector3d& force) {
  double maximum = -kInfinity;
  if (edges.empty()) {
    force = -frictionEdge(contact, -g, &maximum);
    return maximum;
  }
  for (const Vector3d& edge : edges) {
    const double along = -edge.dot(g);
    if (along <= maximum) continue;
    maximum = along;
    force = -edge;
  }
  return maximum;
}

GraspQuality qualityOf(const WrenchSpace& space, const SupportFunction& support, double tolerance) {
  const BoundaryDistance distance = distanceToBoundary(space.dimension(), support, {tolerance});
  GraspQuality result;
  result.origin_W = space.origin_W();
  result.length = space.length();
  result.supports = distance.supports;
  if (distance.flat || distance.lower <= 0) return result;
  constexpr double kNothing = 1e-9;
  if (distance.upper <= kNothing) return result;
  result.forceClosure = true;
  result.quality = distance.lower;
  result.upper = distance.upper;
  // Contacts exert least along the direction, so that they resist least what pushes against it.
  const Vector6 weakest = space.full(-distance.direction);
  result.weakestTorque_W = weakest.head<3>();
  result.weakestForce_W = weakest.tail<3>();
  return result;
}

}  // namespace

WrenchSpace::WrenchSpace(std::span<const ContactPoint> contacts, const WrenchSpaceOptions& options)
    : contacts_(contacts.begin(), contacts.end()), options_(options) {
  requireConeEdges(options.coneEdges);
  if (!(options.tolerance > 0)) throw Error("the tolerance of a grasp's quality must be above 0");
  if (!(options.length >= 0) || !std::isfinite(options.length))
    throw Error("torques are divided by a length of " + formatReal(options.length) + " m", {},
                "give one above 0, or 0 for the distance of the contacts");
  if (options.origin_W && !options.origin_W->allFinite()) throw Error("torques are about no finite point");
  InterruptionPoints points;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    points.pass();
    requireContact(contacts_[i], i);
    if (std::isinf(contacts_[i].friction))
      throw Error("contact " + std::to_string(i) + " has infinite friction, so that it bears any force", {},
                  "grasps are measured with finite friction");
    if (!options.origin_W) origin_W_ += contacts_[i].p_WC / static_cast<double>(contacts_.size());
  }
  if (options.origin_W) origin_W_ = *options.origin_W;
  length_ = options.length;
  if (length_ == 0)
    for (const ContactPoint& contact : contacts_) length_ = std::max(length_, (contact.p_WC - origin_W_).norm());
  if (!(length_ > 0)) length_ = 1;

  basis_ = Eigen::Matrix<double, 6, 6>::Identity();
  if (options.planeNormal_W) {
    const Vector3d& normal = *options.planeNormal_W;
    if (!(normal.norm() > 0) || !normal.allFinite()) throw Error("the normal of a plane must not be zero");
    const Vector3d n = normal.normalized();
    const Vector3d other = std::abs(n.x()) < 0.9 ? Vector3d::UnitX() : Vector3d::UnitY();
    const Vector3d x = (other - n.dot(other) * n).normalized();
    basis_.setZero(6, 3);
    basis_.block<3, 1>(0, 0) = n;
    basis_.block<3, 1>(3, 1) = x;
    basis_.block<3, 1>(3, 2) = n.cross(x);
  }
  for (const ContactPoint& contact : contacts_) {
    points.pass();
    Eigen::Matrix<double, 6, 3> block;
    block.topRows<3>() = crossMatrix(contact.p_WC - origin_W_) / length_;
    block.bottomRows<3>().setIdentity();
    effect_.emplace_back(basis_.transpose() * block);
    edges_.emplace_back();
    if (options.coneEdges > 0 || contact.friction == 0) frictionEdges(contact, options.coneEdges, edges_.back());
  }
}

double WrenchSpace::support(const SmallVector& direction, SmallVector& wrench) const {
  wrench = SmallVector::Zero(dimension());
  double maximum = 0;
  Vector3d force;
  InterruptionPoints points;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    points.pass();
    const double along = bestForce(contacts_[i], edges_[i], effect_[i].transpose() * direction, force);
    if (along <= 0) continue;
    if (options_.budget == WrenchBudget::each) {
      wrench += effect_[i] * force;
      maximum += along;
    } else if (along > maximum) {
      wrench = effect_[i] * force;
      maximum = along;
    }
  }
  return maximum;
}

SmallVector WrenchSpace::wrench(std::span<const Vector3d> forces_W) const {
  SmallVector wrench = SmallVector::Zero(dimension());
  for (std::size_t i = 0; i < contacts_.size(); ++i) wrench += effect_[i] * forces_W[i];
  return wrench;
}

Eigen::Matrix<double, 6, 1> WrenchSpace::full(const SmallVector& wrench) const {
  Vector6 result = basis_ * wrench;
  result.head<3>() *= length_;
  return result;
}

/// The wrenches that the joints of a robot can exert.
class TorqueWrenchSpace {
 public:
  TorqueWrenchSpace(const WrenchSpace& space, const ContactForceLimits& limits, double unit)
      : unit_(unit), program_(make(space, limits, unit)) {
    constexpr double kFar = 1e6;
    for (int k = 0; k < space.dimension(); ++k)
      columns_.push_back(
          program_.program().addColumn(program_.column(-VectorXd::Unit(space.dimension(), k)), -kFar, kFar));
  }

  double support(const SmallVector& direction, SmallVector& wrench) {
    for (std::size_t k = 0; k < columns_.size(); ++k)
      program_.program().setCost(columns_[k], -direction[static_cast<Eigen::Index>(k)]);
    if (program_.solve() != LinearProgramStatus::optimal)
      throw Error("the joints cannot hold the robot itself, whatever the contacts bear", {},
                  "see `mortise robot torques`");
    wrench.resize(std::ssize(columns_));
    for (std::size_t k = 0; k < columns_.size(); ++k)
      wrench[static_cast<Eigen::Index>(k)] = unit_ * program_.program().value(columns_[k]);
    constexpr double kEndless = 1e5;
    return wrench.norm() > kEndless * unit_ ? kInfinity : direction.dot(wrench);
  }

 private:
  /// Forces of the program are on the links, wrenches on the object.
  static ContactProgram make(const WrenchSpace& space, const ContactForceLimits& limits, double unit) {
    std::vector<Eigen::MatrixX3d> effect;
    for (const auto& block : space.effect_) effect.emplace_back(-block);
    return ContactProgram(space.dimension(), space.contacts_, effect, space.options_.coneEdges, limits, unit);
  }

  double unit_;
  ContactProgram program_;
  std::vector<int> columns_;
};

GraspQuality graspQuality(std::span<const ContactPoint> contacts, const WrenchSpaceOptions& options) {
  const WrenchSpace space(contacts, options);
  return qualityOf(
      space, [&](const SmallVector& direction, SmallVector& wrench) { return space.support(direction, wrench); },
      options.tolerance);
}

GraspQuality graspQualityOfTorques(const RobotDynamics& dynamics, std::span<const LinkContact> contacts,
                                   const VectorXd& bias, const VectorXd& limits, const ContactForceLimits& forceLimits,
                                   const WrenchSpaceOptions& options) {
  requireLinkContacts(dynamics.robot(), contacts);
  requireForceLimits(forceLimits, contacts.size());
  std::vector<ContactPoint> points;
  for (const LinkContact& contact : contacts) points.push_back(contact.point);
  const WrenchSpace space(points, options);
  ContactForceLimits all = forceLimits;
  double unit = 0;
  for (ForceBound& bound : torqueBounds(dynamics, contacts, bias, limits)) {
    double arm = 0;
    for (const Vector3d& a : bound.a_W) arm = std::max(arm, a.norm());
    if (arm > 0) unit = std::max(unit, std::max(std::abs(bound.low), std::abs(bound.high)) / arm);
    all.bounds.push_back(std::move(bound));
  }
  TorqueWrenchSpace wrenches(space, all, unit > 0 && std::isfinite(unit) ? unit : 1);
  return qualityOf(
      space, [&](const SmallVector& direction, SmallVector& wrench) { return wrenches.support(direction, wrench); },
      options.tolerance);
}

}  // namespace mortise
