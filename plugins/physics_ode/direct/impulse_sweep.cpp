#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "direct/impulse_solver.h"

// What Newton's method does not settle: projected sweeps (Gauss and Seidel) over the contacts. For cones of given size
// impulses p minimize 1/2 |J^T p|^2 + 1/2 mixing p^2 - p (speed - v), v being the speeds without contacts. Each visit
// of a contact lowers that, and where it is below zero the contacts take energy, but for the work of speeds asked for.

namespace mortise::ode {

namespace {

using Map = Eigen::Map<VectorXd>;
using ConstMap = Eigen::Map<const VectorXd>;

// Sweeps, in times of the iterations asked for.
constexpr int kSweeps = 1;
// Sweeps end when one changes velocities by less than this fraction, in the norm of energy.
constexpr double kSweepTolerance = 1e-6;

}  // namespace

/// Speeds along a contact that a point of the unknowns adds.
void ImpulseSolver::speedsAt(const Row& row, const double* at, double* speed) const {
  for (int d = 0; d < 3; ++d) speed[d] = 0;
  for (const Side& side : row.sides) {
    if (side.group < 0) continue;
    const Group& group = groups_[side.group];
    const double* J = jacobians_.data() + side.jacobian;
    for (int d = 0; d < 3; ++d)
      for (int k = 0; k < group.rank; ++k) speed[d] += J[d * group.rank + k] * at[group.offset + k];
  }
}

/// The function that sweeps lower; leaves the impulses' point in at_. Needs speeds without contacts in `start`.
double ImpulseSolver::dualCost(const Island& island, const std::vector<ImpulseContact>& contacts) {
  Map at(at_.data() + island.firstUnknown, island.numUnknowns);
  at.setZero();
  double cost = 0;
  for (int c = island.firstContact; c < island.endContact; ++c) {
    const int i = contactOrder_[c];
    const ImpulseContact& contact = contacts[i];
    const Vector3d& p = contact.impulse;
    const double* v = rows_[i].start;
    addImpulse(rows_[i], p.data(), 1, at_);
    cost += 0.5 * contact.mixing * p[0] * p[0] + 0.5 * contact.frictionMixing * (p[1] * p[1] + p[2] * p[2]) -
            p[0] * (contact.speed - v[0]) + p[1] * v[1] + p[2] * v[2];
  }
  return cost + 0.5 * at.squaredNorm();
}

/// The best impulse of one contact while the others stay; first along the normal, then friction within its cone.
/// Returns the square of the change in the norm of energy.
double ImpulseSolver::sweepContact(const Row& row, ImpulseContact& contact, bool pyramid) {
  // Row by row of J J^T: normal 11, tangents 22, 23, 33. (Stiffness is free for it now.)
  const double *A = row.stiffness, *v = row.start;
  double u[3];
  Vector3d& p = contact.impulse;
  Vector3d change = Vector3d::Zero();
  speedsAt(row, at_.data(), u);
  const double normal =
      std::max(0.0, p[0] + (contact.speed - v[0] - u[0] - contact.mixing * p[0]) / (A[0] + contact.mixing));
  change[0] = normal - p[0];
  p[0] = normal;
  addImpulse(row, change.data(), 1, at_);
  double size = A[0] * change[0] * change[0];
  const double limit = contact.friction * p[0];
  if (!(limit > 0) && p[1] == 0 && p[2] == 0) return size;
  if (change[0] != 0) speedsAt(row, at_.data(), u);
  const Eigen::Vector2d old = p.tail<2>();
  const double mixing = contact.frictionMixing, a = A[1] + mixing, b = A[2], c = A[3] + mixing;
  const double x = v[1] + u[1] + mixing * p[1], y = v[2] + u[2] + mixing * p[2];
  Eigen::Vector2d next;
  if (pyramid) {
    next.x() = std::clamp(old.x() - x / a, -limit, limit);
    next.y() = std::clamp(old.y() - (y + b * (next.x() - old.x())) / c, -limit, limit);
  } else {
    const double determinant = a * c - b * b;
    next = old - Eigen::Vector2d(c * x - b * y, a * y - b * x) / determinant;
    if (!(next.squaredNorm() <= limit * limit)) {
      const double steepest = 0.5 * (a + c) + std::sqrt(0.25 * (a - c) * (a - c) + b * b);
      next = old - Eigen::Vector2d(x, y) / steepest;
      const double length = next.norm();
      if (length > limit) next *= limit / length;
    }
  }
  p.tail<2>() = next;
  change << 0, next - old;
  addImpulse(row, change.data(), 1, at_);
  return size + A[1] * change[1] * change[1] + 2 * A[2] * change[1] * change[2] + A[3] * change[2] * change[2];
}

/// From the best of what Newton's method ended on, the guesses, and nothing.
void ImpulseSolver::sweepIsland(const Island& island, std::vector<ImpulseContact>& contacts,
                                const ImpulseSettings& settings) {
  Map at(at_.data() + island.firstUnknown, island.numUnknowns);
  const auto eachContact = [&](auto&& action) {
    for (int c = island.firstContact; c < island.endContact; ++c) action(contactOrder_[c]);
  };
  // Friction within the cone that its own normal impulse makes.
  const auto cut = [&](int i) {
    ImpulseContact& contact = contacts[i];
    contact.impulse[0] = std::max(0.0, contact.impulse[0]);
    const double limit = contact.friction * contact.impulse[0];
    if (settings.pyramid) {
      for (int d = 1; d < 3; ++d) contact.impulse[d] = std::clamp(contact.impulse[d], -limit, limit);
    } else if (const double size = contact.impulse.tail<2>().norm(); size > limit) {
      contact.impulse.tail<2>() *= limit / size;
    }
  };
  eachContact(cut);
  // Speeds without contacts, and how each contact answers itself.
  at.setZero();
  eachContact([&](int i) { addImpulse(rows_[i], guesses_[i].data(), 1, at_); });
  eachContact([&](int i) {
    Row& row = rows_[i];
    double u[3];
    speedsAt(row, at_.data(), u);
    for (int d = 0; d < 3; ++d) row.start[d] -= u[d];
    for (double& entry : row.stiffness) entry = 0;
    for (const Side& side : row.sides) {
      if (side.group < 0) continue;
      const int rank = groups_[side.group].rank;
      const ConstMap n(jacobians_.data() + side.jacobian, rank), x(n.data() + rank, rank), y(x.data() + rank, rank);
      row.stiffness[0] += n.squaredNorm();
      row.stiffness[1] += x.squaredNorm();
      row.stiffness[2] += x.dot(y);
      row.stiffness[3] += y.squaredNorm();
    }
  });
  const double found = dualCost(island, contacts);
  // Swapped, so that each list keeps what the other had.
  const auto swap = [&](int i) { std::swap(contacts[i].impulse, guesses_[i]); };
  eachContact(swap);
  eachContact(cut);
  double best = dualCost(island, contacts);
  if (found < best) {
    eachContact(swap);
    best = found;
  }
  if (!(best < 0)) eachContact([&](int i) { contacts[i].impulse.setZero(); });
  dualCost(island, contacts);
  for (int sweep = 0; sweep < kSweeps * settings.iterations; ++sweep) {
    double change = 0;
    for (int c = island.firstContact; c < island.endContact; ++c) {
      // There and back, so that loads travel both ways.
      const int i = contactOrder_[sweep % 2 == 0 ? c : island.firstContact + island.endContact - 1 - c];
      change += sweepContact(rows_[i], contacts[i], settings.pyramid);
    }
    if (change <= kSweepTolerance * kSweepTolerance * at.squaredNorm()) break;
  }
}

}  // namespace mortise::ode
