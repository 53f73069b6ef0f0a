#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "articulation.h"

namespace mortise::bullet {

/// Composite rigid body algorithm, all spatial quantities in world axes about the origin of the base (Featherstone,
/// Rigid Body Dynamics Algorithms, 2008, section 6.2).
void Articulation::computeInertia() {
  reference_ = fromBullet(multiBody_->getBasePos());
  const Vector3d reference = reference_;
  const auto setComposite = [&](Composite& composite, double mass, const btVector3& moments, const btTransform& X_WC) {
    const Vector3d c = fromBullet(X_WC.getOrigin()) - reference;
    const Matrix3d R = fromBullet(X_WC.getBasis());
    composite.mass = mass;
    composite.moment = mass * c;
    composite.inertia = R * fromBullet(moments).asDiagonal() * R.transpose();
    composite.inertia += mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
  };
  if (!plan_.fixedBase)
    setComposite(composites_[0], multiBody_->getBaseMass(), multiBody_->getBaseInertia(),
                 multiBody_->getBaseWorldTransform());
  const int n = numLinks();
  for (int i = 0; i < n; ++i) {
    const btTransform& X_WC = multiBody_->getLink(i).m_cachedWorldTransform;
    setComposite(composites_[i + 1], multiBody_->getLinkMass(i), multiBody_->getLinkInertia(i), X_WC);
    const Vector3d axis = fromBullet(X_WC.getBasis() * toBullet(links_[i].axis));
    if (links_[i].revolute) {
      const Vector3d joint = fromBullet(X_WC * toBullet(links_[i].p_CJ)) - reference;
      axes_[i] = {axis, joint.cross(axis)};
    } else {
      axes_[i] = {Vector3d::Zero(), axis};
    }
  }
  TreeMatrix& M = solver_.inertia();
  const int firstJoint = plan_.fixedBase ? 0 : 6;
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
    double* row = M.row(firstJoint + i);
    int k = 0;
    for (int j = i; j >= 0; j = links_[j].parent) row[k++] = axes_[j].angular.dot(torque) + axes_[j].linear.dot(force);
    if (!plan_.fixedBase)
      for (int c = 5; c >= 0; --c) row[k++] = c >= 3 ? force[c - 3] : torque[c];
  }
  if (plan_.fixedBase) return;
  // Angular rows first, then linear ones, as Bullet orders them; each row goes from the diagonal back to column 0.
  const Composite& all = composites_[0];
  const Matrix3d cross = crossMatrix(all.moment);  // Angular-linear block: torque of a linear acceleration.
  for (int i = 0; i < 6; ++i) {
    double* row = M.row(i);
    for (int j = i; j >= 0; --j) {
      double value = 0;
      if (i < 3)
        value = all.inertia(i, j);
      else if (j < 3)
        value = cross(j, i - 3);
      else
        value = i == j ? all.mass : 0;
      row[i - j] = value;
    }
  }
}

void Articulation::findStops(double h, double erp, double maxCorrectionSpeed) {
  for (int i = 0; i < numLinks(); ++i) {
    const double q = position(i);
    // The velocity that arrives at the stop; from beyond it, one that comes back part of the way.
    const auto toStop = [&](double distance) {
      return distance > 0 ? distance / h : -std::min(-distance * erp / h, maxCorrectionSpeed);
    };
    stops_[i] = {-toStop(q - links_[i].lower), toStop(links_[i].upper - q)};
  }
}

void Articulation::addForces(const Vector3d& gravity) {
  multiBody_->addBaseForce(toBullet(gravity) * multiBody_->getBaseMass());
  for (int i = 0; i < numLinks(); ++i) multiBody_->addLinkForce(i, toBullet(gravity) * multiBody_->getLinkMass(i));
}

void Articulation::beginStep(const Vector3d& gravity, double h, double erp, double maxCorrectionSpeed) {
  addForces(gravity);
  if (!plan_.fixedBase) expectMomentum(h);
  multiBody_->clearConstraintForces();
  multiBody_->computeAccelerationsArticulatedBodyAlgorithmMultiDof(h, scratchReals_, scratchVectors_, scratchMatrices_,
                                                                   false, false, false);
  multiBody_->clearForcesAndTorques();
  findStops(h, erp, maxCorrectionSpeed);
  for (int i = 0; i < numLinks(); ++i) positions_[i] = position(i);
  computeInertia();
  solver_.prepare(h, drives_, positions_, stops_);
  const double* v = velocityVector() + skipped();
  before_.assign(v, v + before_.size());
  // Which joints are at a limit depends on the contacts; those of the last step are the best guess.
  solver_.solve(before_.data(), hasImpulse_ ? impulse_.data() : nullptr, after_.data());
  if (hasImpulse_) solver_.linearized(before_.data(), after_.data());
}

bool Articulation::relinearize(const double* change) {
  for (std::size_t i = 0; i < after_.size(); ++i) scratch_[i] = after_[i] + change[i];
  if (solver_.consistent(scratch_.data())) return false;
  solver_.multiply(change, impulse_.data());
  solver_.solve(before_.data(), impulse_.data(), after_.data());
  solver_.linearized(before_.data(), after_.data());
  return true;
}

void Articulation::endStep(const double* change) {
  double* v = velocityVector() + skipped();
  hasImpulse_ = change != nullptr;
  for (std::size_t i = 0; i < after_.size(); ++i) v[i] = change != nullptr ? after_[i] + change[i] : after_[i];
  if (hasImpulse_) solver_.multiply(change, impulse_.data());
  const int firstJoint = plan_.fixedBase ? 0 : 6;
  for (int i = 0; i < numLinks(); ++i) {
    efforts_[i] = solver_.effort(i, v[firstJoint + i]);
    stopEfforts_[i] = solver_.stopEffort(i, v[firstJoint + i]);
  }
}

void Articulation::integrate(double h) {
  multiBody_->setPosUpdated(false);
  multiBody_->stepPositionsMultiDof(h);
  update();
  if (!plan_.fixedBase) restoreMomentum();
}

Articulation::Momentum Articulation::momentum(const Vector3d& about) const {
  Momentum sum;
  const auto add = [&](int link, double mass, const btVector3& moments, const btTransform& X_WC) {
    const Vector3d p = mass * linearVelocity(link);
    const Matrix3d R = fromBullet(X_WC.getBasis());
    sum.linear += p;
    sum.angular += (fromBullet(X_WC.getOrigin()) - about).cross(p);
    sum.angular += R * fromBullet(moments).cwiseProduct(R.transpose() * angularVelocity(link));
  };
  add(-1, multiBody_->getBaseMass(), multiBody_->getBaseInertia(), multiBody_->getBaseWorldTransform());
  for (int i = 0; i < numLinks(); ++i)
    add(i, multiBody_->getLinkMass(i), multiBody_->getLinkInertia(i), multiBody_->getLink(i).m_cachedWorldTransform);
  return sum;
}

/// Momentum now and what forces add in the step; contacts come later.
void Articulation::expectMomentum(double h) {
  const Vector3d about = fromBullet(multiBody_->getBasePos());
  expected_ = momentum(about);
  const auto add = [&](const btVector3& force, const btVector3& torque, const btVector3& point) {
    expected_.linear += h * fromBullet(force);
    expected_.angular += h * (fromBullet(torque) + (fromBullet(point) - about).cross(fromBullet(force)));
  };
  add(multiBody_->getBaseForce(), multiBody_->getBaseTorque(), multiBody_->getBasePos());
  for (int i = 0; i < numLinks(); ++i)
    add(multiBody_->getLinkForce(i), multiBody_->getLinkTorque(i),
        multiBody_->getLink(i).m_cachedWorldTransform.getOrigin());
}

void Articulation::restoreMomentum() {
  if (hasImpulse_) {
    // Rows of the base: what contacts give the whole body, about its origin.
    expected_.angular += Vector3d(impulse_[0], impulse_[1], impulse_[2]);
    expected_.linear += Vector3d(impulse_[3], impulse_[4], impulse_[5]);
  }
  double mass = 0;
  Vector3d center = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Zero();
  const auto add = [&](double m, const btVector3& moments, const btTransform& X_WC) {
    const Vector3d c = fromBullet(X_WC.getOrigin()) - reference_;
    const Matrix3d R = fromBullet(X_WC.getBasis());
    mass += m;
    center += m * c;
    inertia += R * fromBullet(moments).asDiagonal() * R.transpose();
    inertia += m * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
  };
  add(multiBody_->getBaseMass(), multiBody_->getBaseInertia(), multiBody_->getBaseWorldTransform());
  for (int i = 0; i < numLinks(); ++i)
    add(multiBody_->getLinkMass(i), multiBody_->getLinkInertia(i), multiBody_->getLink(i).m_cachedWorldTransform);
  center /= mass;
  inertia -= mass * (center.squaredNorm() * Matrix3d::Identity() - center * center.transpose());

  const Momentum now = momentum(reference_);
  const Vector3d linear = expected_.linear - now.linear;
  const Vector3d angular = expected_.angular - now.angular - center.cross(linear);
  const Vector3d w = inertia.llt().solve(angular);
  const Vector3d arm = fromBullet(multiBody_->getBasePos()) - reference_ - center;
  multiBody_->setBaseOmega(multiBody_->getBaseOmega() + toBullet(w));
  multiBody_->setBaseVel(multiBody_->getBaseVel() + toBullet(Vector3d(linear / mass + w.cross(arm))));
  updateVelocities();
}

std::span<const int> Articulation::path(int a, int b) {
  std::vector<int>& shared = sharedPaths_[{a, b}];
  if (shared.empty()) {
    std::set_union(paths_[a + 1].begin(), paths_[a + 1].end(), paths_[b + 1].begin(), paths_[b + 1].end(),
                   std::back_inserter(shared), std::greater<>());
  }
  return shared;
}

double Articulation::makeRow(int link, const Vector3d& point, const Vector3d& force, const Vector3d& moment,
                             std::span<const int> path, double* y) const {
  const int length = static_cast<int>(path.size()), firstJoint = plan_.fixedBase ? 0 : 6;
  const Vector3d about = (point - reference_).cross(force) + moment;
  int k = 0;
  for (; k < length - firstJoint; ++k) {
    const Motion& axis = axes_[path[k] - firstJoint];
    y[k] = axis.angular.dot(about) + axis.linear.dot(force);
  }
  for (; k < length; ++k) y[k] = path[k] < 3 ? about[path[k]] : force[path[k] - 3];
  double measured = 0;
  for (k = 0; k < length; ++k) measured += y[k] * after_[path[k]];
  // The path goes from a link to its ancestors, as the rows of the factor do.
  const TreeMatrix& factor = solver_.factor();
  for (k = 0; k < length; ++k) {
    const double* row = factor.row(path[k]);
    const double value = y[k] * factor.inverseDiagonal(path[k]);
    y[k] = value;
    for (int r = k + 1; r < length; ++r) y[r] -= row[r - k] * value;
  }
  return measured;
}

double Articulation::makeRow(int a, int b, const Vector3d& point, const Vector3d& force, const Vector3d& moment,
                             std::span<const int> path, double* y) {
  // Dense: seldom needed. Rows of both links in full, their difference, and out of it what lies on either path.
  std::fill(scratch_.begin(), scratch_.end(), 0.0);
  const int firstJoint = plan_.fixedBase ? 0 : 6;
  const Vector3d about = (point - reference_).cross(force) + moment;
  for (const auto& [link, sign] : {std::pair(a, 1.0), std::pair(b, -1.0)})
    for (const int i : paths_[link + 1])
      if (i >= firstJoint)
        scratch_[i] += sign * (axes_[i - firstJoint].angular.dot(about) + axes_[i - firstJoint].linear.dot(force));
  double measured = 0;
  for (const int i : path) measured += scratch_[i] * after_[i];
  solver_.factor().solveUpper(scratch_.data());
  for (std::size_t k = 0; k < path.size(); ++k) y[k] = scratch_[path[k]];
  return measured;
}

Vector3d Articulation::freeVelocity(int link, const Vector3d& point) const {
  const int firstJoint = plan_.fixedBase ? 0 : 6;
  Vector3d w = Vector3d::Zero(), v = Vector3d::Zero();
  if (!plan_.fixedBase) {
    w = Vector3d(after_[0], after_[1], after_[2]);
    v = Vector3d(after_[3], after_[4], after_[5]);
  }
  for (const int i : paths_[link + 1])
    if (i >= firstJoint) {
      w += after_[i] * axes_[i - firstJoint].angular;
      v += after_[i] * axes_[i - firstJoint].linear;
    }
  return v + w.cross(point - reference_);
}

}  // namespace mortise::bullet
