#include "mortise/math/inertia.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace mortise {

namespace {

/// Inertia about a point at `offset` from the center of a point mass: m (|d|^2 I - d d^T).
Matrix3d pointMassInertia(double mass, const Vector3d& offset) {
  return mass * (offset.squaredNorm() * Matrix3d::Identity() - offset * offset.transpose());
}

}  // namespace

BodyInertia BodyInertia::expressedIn(const RigidTransform& X_AB) const {
  return {mass, X_AB * com, X_AB.R * inertia * X_AB.R.transpose()};
}

BodyInertia BodyInertia::combinedWith(const BodyInertia& other) const {
  const double total = mass + other.mass;
  if (!(total > 0)) return {total, com, inertia + other.inertia};
  // Weights, not a division of the weighted sum, so that an empty body changes nothing to the last bit.
  if (other.mass == 0) return {mass, com, inertia + other.inertia};
  if (mass == 0) return {other.mass, other.com, inertia + other.inertia};
  const Vector3d center = (mass * com + other.mass * other.com) / total;
  return {total, center,
          inertia + pointMassInertia(mass, com - center) + other.inertia +
              pointMassInertia(other.mass, other.com - center)};
}

Matrix3d BodyInertia::inertiaAboutOrigin() const { return inertia + pointMassInertia(mass, com); }

bool BodyInertia::physical(double tolerance) const {
  if (!std::isfinite(mass) || !com.allFinite() || !inertia.allFinite() || mass < 0) return false;
  const double scale = inertia.cwiseAbs().maxCoeff();
  const double slack = tolerance * scale;
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > slack) return false;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(inertia, Eigen::EigenvaluesOnly);
  const Vector3d moments = solver.eigenvalues();  // ascending
  return moments[0] >= -slack && moments[0] + moments[1] >= moments[2] - slack;
}

}  // namespace mortise
