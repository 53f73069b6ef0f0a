// Steps in which links turn far.
//
// Centrifugal and Coriolis forces are those of the start of a step, which is right to the order of the step as long as
// links turn by little in it. They do no work; but where links turn by a good part of a radian, forces of the start and
// inertias of the end no longer belong together, and each step multiplies the energy. There the energy is known better
// than the motion: it is the energy before the step and the work of drives, gravity and contacts. Rates are then made
// to have it, by one factor for all joints (a projection onto the energy: Hairer, Lubich and Wanner, "Geometric
// Numerical Integration", 2006, IV.4). The momentum of a free body stays what it is.

#include <algorithm>
#include <cmath>

#include "mortise/rigid_body/articulated_body.h"

namespace mortise::rigid {

namespace {

/// Radians in a step.
constexpr double kFar = 0.1;
/// Less than this share is rounding.
constexpr double kEnergyFraction = 1e-9;

}  // namespace

bool ArticulatedBody::turnsFar(double h, double angle) const {
  for (const Motion& motion : motions_)
    // Also true for numbers that are not numbers.
    if (!(h * h * motion.angular.squaredNorm() < angle * angle)) return true;
  return false;
}

double ArticulatedBody::kineticEnergy() const {
  double sum = 0;
  for (std::size_t i = firstMassive(); i < frames_.size(); ++i) {
    const Vector3d spin = frames_[i].X_WC.R.transpose() * motions_[i].angular;
    sum += 0.5 * (frames_[i].mass * motions_[i].linear.squaredNorm() + spin.dot(frames_[i].moments.cwiseProduct(spin)));
  }
  return sum;
}

/// Before the other forces: what velocities alone ask for, no more of it than changes velocities by as much as they
/// are, measured by their energy. Beyond that the changes are those of a series that diverges, and drives would do work
/// on them.
void ArticulatedBody::limitBias(double h) {
  turning_ = turnsFar(h, 0.5 * kFar);
  if (!turning_) return;
  held_.resize(frames_.size());
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    held_[i] = {frames_[i].torque, frames_[i].force};
    frames_[i].force = frames_[i].torque = Vector3d::Zero();
  }
  computeBias(Vector3d::Zero());
  velocityBias_ = bias_;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    frames_[i].torque = held_[i].angular;
    frames_[i].force = held_[i].linear;
  }
  biasFraction_ = 1;
  bareFactor_ = solver_.inertia();
  if (!bareFactor_.factor()) return;
  double moving = 0, changing = 0;  // Squares, by the inertia.
  solver_.inertia().multiply(velocities_.data(), scratch_.data());
  for (std::size_t i = 0; i < scratch_.size(); ++i) moving += velocities_[i] * scratch_[i];
  scratch_ = velocityBias_;
  bareFactor_.solve(scratch_.data());
  for (std::size_t i = 0; i < scratch_.size(); ++i) changing += h * h * velocityBias_[i] * scratch_[i];
  if (!(changing > moving)) return;
  biasFraction_ = std::sqrt(moving / changing);
  corrected_ = true;
}

/// Before positions move: what the kinetic energy at the end of the step has to be; infinite where links turn little.
double ArticulatedBody::expectedEnergy(double h) {
  const double none = std::numeric_limits<double>::infinity();
  const bool carried = plan_.fixedBase && (!baseSpin_.isZero() || !baseVelocity_.isZero());
  double maximum = 0;  // No link turns faster.
  if (!plan_.fixedBase) maximum += Eigen::Map<const Vector3d>(velocities_.data()).norm();
  for (int i = 0; i < numLinks(); ++i)
    if (links_[i].revolute) maximum += std::abs(velocity(i));
  if (carried || h * maximum < kFar) return none;
  solver_.inertia().multiply(velocities_.data(), scratch_.data());
  double sum = 0;
  for (std::size_t i = 0; i < velocities_.size(); ++i) {
    sum += 0.5 * velocities_[i] * scratch_[i];
    // The work of all forces but these is what is counted.
    if (turning_) sum += 0.5 * h * biasFraction_ * (velocities_[i] + guess_[i]) * velocityBias_[i];
  }
  return std::max(sum, 0.0);
}

Vector3d ArticulatedBody::massCenter() const {
  double mass = 0;
  Vector3d sum = Vector3d::Zero();
  for (const Frame& frame : frames_) {
    mass += frame.mass;
    sum += frame.mass * frame.X_WC.p;
  }
  return sum / mass;
}

/// A base that turns far around the center of mass leaves its circle along the tangent; here the center of mass of a
/// free body goes where its momentum takes it. Poses are those of the end of the step.
void ArticulatedBody::moveMassCenter(const Vector3d& from, double h) {
  double mass = 0;
  for (const Frame& frame : frames_) mass += frame.mass;
  const Vector3d shift = from + h / mass * expected_.linear - massCenter();
  for (Frame& frame : frames_) frame.X_WC.p += shift;
}

void ArticulatedBody::setRates(std::span<const double> rates, double factor) {
  for (int i = 0; i < numLinks(); ++i) velocities_[firstJoint() + i] = factor * rates[firstJoint() + i];
  updateVelocities();
  if (!plan_.fixedBase) restoreMomentum();
}

void ArticulatedBody::restoreEnergy(double h) {
  const bool known = std::isfinite(energy_) && turnsFar(h, kFar);
  const double wanted = energy_;
  energy_ = std::numeric_limits<double>::infinity();
  if (!known) return;
  const double now = kineticEnergy();
  if (std::abs(now - wanted) <= kEnergyFraction * now) return;
  corrected_ = true;
  scratch_ = velocities_;
  double minimum = 0;  // A free body that turns as if it were rigid.
  if (!plan_.fixedBase) {
    reference_ = pose(-1).p;
    expected_ = momentum(reference_);
    setRates(scratch_, 0);
    minimum = kineticEnergy();
  }
  setRates(scratch_, now > minimum ? std::sqrt(std::max(wanted - minimum, 0.0) / (now - minimum)) : 1);
}

}  // namespace mortise::rigid
