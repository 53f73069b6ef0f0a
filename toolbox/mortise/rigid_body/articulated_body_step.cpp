// A step: inertia, bias, drives, integration.

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "mortise/math/rotation.h"
#include "mortise/rigid_body/articulated_body.h"
#include "mortise/rigid_body/free_body.h"

namespace mortise::rigid {

namespace {

/// Returns the inertia of a mass at `c`, without its own extent.
Matrix3d pointInertia(double mass, const Vector3d& c) {
  return mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
}

}  // namespace

Matrix3d ArticulatedBody::worldInertia(const Frame& frame) {
  return frame.X_WC.R * frame.moments.asDiagonal() * frame.X_WC.R.transpose();
}

/// Composite rigid body algorithm, all spatial quantities in world axes about the origin of the base.
void ArticulatedBody::computeInertia() {
  reference_ = pose(-1).p;
  const int n = numLinks();
  for (int i = firstMassive(); i <= n; ++i) {
    const Frame& frame = frames_[i];
    const Vector3d c = frame.X_WC.p - reference_;
    composites_[i] = {frame.mass, frame.mass * c, worldInertia(frame) + pointInertia(frame.mass, c)};
  }
  for (int i = 0; i < n; ++i) {
    const RigidTransform& X_WC = pose(i);
    const Vector3d axis = X_WC.R * links_[i].axis;
    if (links_[i].revolute)
      axes_[i] = {axis, Vector3d(X_WC * links_[i].p_CJ - reference_).cross(axis)};
    else
      axes_[i] = {Vector3d::Zero(), axis};
  }
  TreeMatrix& M = solver_.inertia();
  for (int i = n - 1; i >= 0; --i) {
    const Composite& own = composites_[i + 1];
    const int parent = links_[i].parent;
    if (parent >= 0 || !plan_.fixedBase) {
      Composite& up = composites_[parent + 1];
      up.mass += own.mass;
      up.moment += own.moment;
      up.inertia += own.inertia;
    }
    const Motion& s = axes_[i];
    const Vector3d force = own.mass * s.linear + s.angular.cross(own.moment);
    const Vector3d torque = own.inertia * s.angular + own.moment.cross(s.linear);
    double* row = M.row(firstJoint() + i);
    int k = 0;
    for (int j = i; j >= 0; j = links_[j].parent) row[k++] = axes_[j].angular.dot(torque) + axes_[j].linear.dot(force);
    if (!plan_.fixedBase)
      for (int c = 5; c >= 0; --c) row[k++] = c >= 3 ? force[c - 3] : torque[c];
  }
  if (plan_.fixedBase) return;
  // Each row goes from the diagonal back to column 0.
  const Composite& all = composites_[0];
  const Matrix3d cross = crossMatrix(all.moment);  // Angular-linear block: torque of a linear acceleration.
  for (int i = 0; i < 6; ++i) {
    double* row = M.row(i);
    for (int j = i; j >= 0; --j)
      row[i - j] = i < 3 ? all.inertia(i, j) : j < 3 ? cross(j, i - 3) : i == j ? all.mass : 0;
  }
}

/// Recursive Newton-Euler algorithm with accelerations of zero in the coordinates.
void ArticulatedBody::computeBias(const Vector3d& gravity) {
  const int n = numLinks();
  accelerations_[0] = {};
  for (int i = 0; i < n; ++i) {
    const Link& link = links_[i];
    const Motion &up = accelerations_[link.parent + 1], &moving = motions_[link.parent + 1];
    const Vector3d axis = pose(i).R * link.axis;
    const double rate = velocity(i);
    const Vector3d arm = (link.revolute ? Vector3d(pose(i) * link.p_CJ) : pose(i).p) - pose(link.parent).p;
    Motion& own = accelerations_[i + 1];
    own.angular = up.angular;
    own.linear = up.linear + up.angular.cross(arm) + moving.angular.cross(moving.angular.cross(arm));
    if (link.revolute) {
      own.angular += moving.angular.cross(axis) * rate;
      const Vector3d out = pose(i).p - pose(i) * link.p_CJ;
      const Vector3d& w = motions_[i + 1].angular;
      own.linear += own.angular.cross(out) + w.cross(w.cross(out));
    } else {
      own.linear += 2 * rate * moving.angular.cross(axis);
    }
  }
  for (int i = firstMassive(); i <= n; ++i) {
    const Frame& frame = frames_[i];
    const Vector3d& w = motions_[i].angular;
    const Matrix3d inertia = worldInertia(frame);
    Motion& force = forces_[i];
    force.linear = frame.mass * (accelerations_[i].linear - gravity) - frame.force;
    force.angular = inertia * accelerations_[i].angular + w.cross(inertia * w) - frame.torque +
                    (frame.X_WC.p - reference_).cross(force.linear);
  }
  for (int i = n - 1; i >= 0; --i) {
    const Motion& force = forces_[i + 1];
    bias_[firstJoint() + i] = axes_[i].angular.dot(force.angular) + axes_[i].linear.dot(force.linear);
    if (links_[i].parent < 0 && plan_.fixedBase) continue;
    forces_[links_[i].parent + 1].angular += force.angular;
    forces_[links_[i].parent + 1].linear += force.linear;
  }
  if (plan_.fixedBase) return;
  Eigen::Map<Vector3d>(bias_.data()) = forces_[0].angular;
  Eigen::Map<Vector3d>(bias_.data() + 3) = forces_[0].linear;
}

void ArticulatedBody::findStops(double h, double erp, double maxCorrectionSpeed) {
  for (int i = 0; i < numLinks(); ++i) {
    const double q = position(i);
    // The velocity that arrives at the stop; from beyond it, one that comes back part of the way.
    const auto toStop = [&](double distance) {
      return distance > 0 ? distance / h : -std::min(-distance * erp / h, maxCorrectionSpeed);
    };
    stops_[i] = {-toStop(q - links_[i].lower), toStop(links_[i].upper - q)};
  }
}

void ArticulatedBody::beginStep(const Vector3d& gravity, double h, double erp, double maxCorrectionSpeed) {
  corrected_ = false;
  restoreEnergy(h);
  if (!plan_.fixedBase) expectMomentum(gravity, h);
  computeInertia();
  limitBias(h);
  computeBias(gravity);
  if (turning_)
    for (std::size_t i = 0; i < bias_.size(); ++i) bias_[i] -= (1 - biasFraction_) * velocityBias_[i];
  for (Frame& frame : frames_) frame.force = frame.torque = Vector3d::Zero();
  findStops(h, erp, maxCorrectionSpeed);
  solver_.prepare(h, drives_, positions_, stops_);
  solver_.inertia().multiply(velocities_.data(), momentum_.data());
  for (std::size_t i = 0; i < momentum_.size(); ++i) momentum_[i] -= h * bias_[i];
  beginAgain();
}

void ArticulatedBody::beginAgain() {
  // Which joints are at a limit depends on the contacts; those of the last step are the best guess.
  solver_.solve(momentum_.data(), hasImpulse_ ? impulse_.data() : nullptr, after_.data());
  guess_ = velocities_;
  if (hasImpulse_) solver_.linearized(momentum_.data(), after_.data());
}

bool ArticulatedBody::relinearize(const double* change) {
  for (std::size_t i = 0; i < after_.size(); ++i) scratch_[i] = after_[i] + change[i];
  if (solver_.consistent(scratch_.data())) return false;
  solver_.multiply(change, impulse_.data());
  solver_.solve(momentum_.data(), impulse_.data(), after_.data());
  solver_.linearized(momentum_.data(), after_.data());
  return true;
}

void ArticulatedBody::endStep(const double* change) {
  hasImpulse_ = change != nullptr;
  for (std::size_t i = 0; i < after_.size(); ++i)
    velocities_[i] = change != nullptr ? after_[i] + change[i] : after_[i];
  if (hasImpulse_) solver_.multiply(change, impulse_.data());
  readDrives();
}

void ArticulatedBody::endStepAt(const double* v, const double* impulse) {
  hasImpulse_ = true;
  std::copy_n(v, velocities_.size(), velocities_.begin());
  std::copy_n(impulse, impulse_.size(), impulse_.begin());
  readDrives();
}

void ArticulatedBody::readDrives() {
  for (int i = 0; i < numLinks(); ++i) {
    efforts_[i] = solver_.effort(i, velocity(i));
    stopEfforts_[i] = solver_.stopEffort(i, velocity(i));
  }
}

void ArticulatedBody::integrate(double h) {
  energy_ = expectedEnergy(h);
  const bool far = std::isfinite(energy_);
  const Vector3d center = far && !plan_.fixedBase ? massCenter() : Vector3d(Vector3d::Zero());
  if (!plan_.fixedBase) {
    baseSpin_ = Eigen::Map<const Vector3d>(velocities_.data());
    baseVelocity_ = Eigen::Map<const Vector3d>(velocities_.data() + 3);
    RigidTransform& X_WC = frames_[0].X_WC;
    X_WC.p += h * baseVelocity_;
    X_WC.R = turned(X_WC.R, baseSpin_, h);
  }
  for (int i = 0; i < numLinks(); ++i) positions_[i] += h * velocity(i);
  update();
  if (!plan_.fixedBase) {
    addContactMomentum();
    if (far) moveMassCenter(center, h);
    restoreMomentum();
  }
}

ArticulatedBody::Momentum ArticulatedBody::momentum(const Vector3d& about) const {
  Momentum sum;
  for (std::size_t i = firstMassive(); i < frames_.size(); ++i) {
    const Frame& frame = frames_[i];
    const Vector3d p = frame.mass * motions_[i].linear;
    sum.linear += p;
    sum.angular += (frame.X_WC.p - about).cross(p);
    sum.angular += frame.X_WC.R * frame.moments.cwiseProduct(frame.X_WC.R.transpose() * motions_[i].angular);
  }
  return sum;
}

/// Momentum now and what forces add in the step; contacts come later.
void ArticulatedBody::expectMomentum(const Vector3d& gravity, double h) {
  const Vector3d about = pose(-1).p;
  expected_ = momentum(about);
  for (const Frame& frame : frames_) {
    const Vector3d force = frame.force + frame.mass * gravity;
    expected_.linear += h * force;
    expected_.angular += h * (frame.torque + (frame.X_WC.p - about).cross(force));
  }
}

/// Rows of the base: what contacts give the whole body, about its origin.
void ArticulatedBody::addContactMomentum() {
  if (!hasImpulse_) return;
  expected_.angular += Eigen::Map<const Vector3d>(impulse_.data());
  expected_.linear += Eigen::Map<const Vector3d>(impulse_.data() + 3);
}

void ArticulatedBody::restoreMomentum() {
  double mass = 0;
  Vector3d center = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Zero();
  for (const Frame& frame : frames_) {
    const Vector3d c = frame.X_WC.p - reference_;
    mass += frame.mass;
    center += frame.mass * c;
    inertia += worldInertia(frame) + pointInertia(frame.mass, c);
  }
  center /= mass;
  inertia -= pointInertia(mass, center);

  const Momentum now = momentum(reference_);
  const Vector3d linear = expected_.linear - now.linear;
  const Vector3d angular = expected_.angular - now.angular - center.cross(linear);
  const Vector3d w = inertia.llt().solve(angular);
  const Vector3d arm = pose(-1).p - reference_ - center;
  baseSpin_ += w;
  baseVelocity_ += linear / mass + w.cross(arm);
  Eigen::Map<Vector3d>(velocities_.data()) = baseSpin_;
  Eigen::Map<Vector3d>(velocities_.data() + 3) = baseVelocity_;
  updateVelocities();
}

}  // namespace mortise::rigid
