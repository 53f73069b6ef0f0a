#include "mortise/rigid_body/row_solver.h"

#include <algorithm>
#include <cmath>

#include "mortise/rigid_body/friction_cone.h"
#include "mortise/rigid_body/row_kernels.h"

namespace mortise::rigid {

namespace {

using VectorMap = Eigen::Map<Vector3d>;

}  // namespace

int RowSolver::addMover(FreeBody& body) {
  Mover mover;
  mover.rigid = &body;
  mover.offset = numW_;
  mover.size = 6;
  numW_ += mover.size;
  movers_.push_back(mover);
  return static_cast<int>(movers_.size()) - 1;
}

int RowSolver::addMover(ArticulatedBody& body) {
  Mover mover;
  mover.articulation = &body;
  mover.offset = numW_;
  mover.size = body.numVelocities();
  numW_ += stride(mover.size);
  movers_.push_back(mover);
  return static_cast<int>(movers_.size()) - 1;
}

void RowSolver::begin() {
  w_.assign(numW_, 0);
  values_.clear();
  contacts_.clear();
  joints_.clear();
  axes_.clear();
  entries_.clear();
  for (Mover& mover : movers_) mover.free = mover.touched = mover.ended = false;
}

void RowSolver::setFree(int index, const Vector3d& v, const Vector3d& w) {
  Mover& mover = movers_[index];
  mover.free = true;
  mover.v = v;
  mover.w = w;
  mover.inverseRootMass = std::sqrt(mover.rigid->inverseMass);
  mover.inverseRootInertia = mover.rigid->inverseMoments.cwiseSqrt().asDiagonal() * mover.rigid->X_WC.R.transpose();
}

Vector3d RowSolver::freeVelocity(const SolverBody& end, const Vector3d& point) const {
  if (end.mover < 0) return velocity(end, point);
  const Mover& mover = movers_[end.mover];
  if (mover.rigid != nullptr) return mover.v + mover.w.cross(point - mover.rigid->X_WC.p);
  return mover.articulation->freeVelocity(end.link, point);
}

Vector3d RowSolver::velocity(const SolverBody& end, const Vector3d& point) {
  if (end.rigid != nullptr) return end.rigid->velocityAt(point);
  if (end.articulation == nullptr) return Vector3d::Zero();
  const Vector3d arm = point - end.articulation->pose(end.link).p;
  return end.articulation->linearVelocity(end.link) + end.articulation->angularVelocity(end.link).cross(arm);
}

Vector3d RowSolver::spin(const SolverBody& end) {
  if (end.rigid != nullptr) return end.rigid->w;
  return end.articulation == nullptr ? Vector3d(Vector3d::Zero()) : end.articulation->angularVelocity(end.link);
}

/// Y of both ends, anew or in place, and `free`, what the velocities of the rows would be without impulses.
void RowSolver::makeSides(Block& block, const Row* rows, int numRows, double* free) {
  for (int r = 0; r < numRows; ++r) free[r] = 0;
  const SolverBody &a = *block.ends[0], &b = *block.ends[1];
  const bool self = a.articulation != nullptr && a.articulation == b.articulation;
  for (int e = 0; e < 2; ++e) {
    const SolverBody& end = *block.ends[e];
    const double sign = e == 0 ? 1 : -1;
    Side& side = block.sides[e];
    if (end.mover < 0) {
      side = {};
      if (end.rigid == nullptr) continue;
      const Vector3d v = velocity(end, block.point), w = end.rigid->w;
      for (int r = 0; r < numRows; ++r) free[r] += sign * (rows[r].force.dot(v) + rows[r].moment.dot(w));
      continue;
    }
    if (self && e == 1) {
      side = {};  // Both links are on the first side.
      continue;
    }
    Mover& mover = movers_[end.mover];
    mover.touched = true;
    const bool isNew = side.offset < 0;
    side.offset = mover.offset;
    if (isNew) side.values = static_cast<int>(values_.size());
    if (mover.rigid != nullptr) {
      side.length = 6;
      if (isNew) values_.resize(values_.size() + 6 * static_cast<std::size_t>(numRows));
      double* y = values_.data() + side.values;
      const Vector3d arm = block.point - mover.rigid->X_WC.p;
      const Vector3d &v = mover.v, &w = mover.w;
      for (int r = 0; r < numRows; ++r, y += 6) {
        const Vector3d moment = arm.cross(rows[r].force) + rows[r].moment;
        free[r] += sign * (rows[r].force.dot(v) + moment.dot(w));
        VectorMap{y} = (sign * mover.inverseRootMass) * rows[r].force;
        VectorMap{y + 3} = sign * (mover.inverseRootInertia * moment);
      }
      continue;
    }
    ArticulatedBody& body = *mover.articulation;
    const std::span<const int> path = self ? body.path(a.link, b.link) : body.path(end.link);
    side.length = static_cast<int>(path.size());
    side.index = path.data();
    const int size = stride(side.length);
    if (isNew) values_.resize(values_.size() + static_cast<std::size_t>(size) * numRows);
    for (int r = 0; r < numRows; ++r) {
      double* y = values_.data() + side.values + r * size;
      y[size - 1] = 0;
      if (self)
        free[r] += body.makeRow(a.link, b.link, block.point, rows[r].force, rows[r].moment, path, y);
      else
        free[r] += sign * body.makeRow(end.link, block.point, rows[r].force, rows[r].moment, path, y);
      if (sign < 0)
        for (int k = 0; k < side.length; ++k) y[k] = -y[k];
    }
  }
}

/// Y Y^T, row by row.
void RowSolver::response(const Block& block, int numRows, double* matrix) const {
  for (int i = 0; i < numRows; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (const Side& side : block.sides) {
        if (side.offset < 0) continue;
        const int size = stride(side.length);
        multiply1(values_.data() + side.values + i * size, values_.data() + side.values + j * size, size, &sum);
      }
      matrix[i * numRows + j] = matrix[j * numRows + i] = sum;
    }
}

void RowSolver::make(ContactBlock& block) {
  Row rows[3];
  for (int r = 0; r < 3; ++r) rows[r].force = block.directions[r];
  makeSides(block, rows, 3, block.free);
  double A[9];
  response(block, 3, A);
  block.normal = A[0];
  block.inverseNormal = A[0] + block.cfm > 0 ? 1 / (A[0] + block.cfm) : 0;
  block.coupling[0] = A[1];
  block.coupling[1] = A[2];
  const double half = 0.5 * (A[4] + A[8]), difference = 0.5 * (A[4] - A[8]);
  const double larger = half + std::sqrt(difference * difference + A[5] * A[5]);
  block.slipStep = larger > 0 ? 1 / larger : 0;
  // Where a direction hardly moves, the block is treated as round.
  const double determinant = A[4] * A[8] - A[5] * A[5];
  if (determinant > 1e-9 * larger * larger) {
    block.inverse[0] = A[8] / determinant;
    block.inverse[1] = -A[5] / determinant;
    block.inverse[2] = A[4] / determinant;
  } else {
    block.inverse[0] = block.inverse[2] = block.slipStep;
    block.inverse[1] = 0;
  }
}

void RowSolver::make(JointBlock& block) {
  const int n = block.numRows;
  makeSides(block, block.rows, n, block.free);
  double* A = block.factor;
  response(block, n, A);
  factorBlock(A, n);
}

void RowSolver::make(AxisBlock& block) {
  makeSides(block, &block.law.row, 1, &block.free);
  double diagonal = 0;
  response(block, 1, &diagonal);
  block.inverse = diagonal > 0 ? 1 / diagonal : 0;
}

void RowSolver::addContact(const SolverBody& a, const SolverBody& b, const Contact& contact) {
  ContactBlock& block = contacts_.emplace_back();
  block.ends[0] = &a;
  block.ends[1] = &b;
  block.point = contact.point;
  block.directions[0] = contact.normal;
  block.directions[1] = contact.normal.unitOrthogonal();
  block.directions[2] = contact.normal.cross(block.directions[1]);
  block.target = contact.target;
  block.cfm = contact.cfm;
  block.friction = contact.friction;
  block.bounce = contact.bounces ? contact.target : 0;
  block.pause = contact.pause;
  for (const SolverBody* end : block.ends)
    if (end->mover >= 0) movers_[end->mover].touched = true;
  for (int r = 0; r < 3; ++r) block.impulse[r] = contact.start.dot(block.directions[r]);
  block.impulse[0] = std::max(block.impulse[0], 0.0);
  const double limit = frictionLimit(block.friction, block.impulse[0]);
  const double size = std::hypot(block.impulse[1], block.impulse[2]);
  if (size > limit) cutToFriction(size, limit, block.impulse[1], block.impulse[2]);
  entries_.push_back({Kind::contact, static_cast<int>(contacts_.size()) - 1});
}

int RowSolver::addJoint(const SolverBody& a, const SolverBody& b, const Joint& joint) {
  JointBlock& block = joints_.emplace_back();
  block.ends[0] = &a;
  block.ends[1] = &b;
  block.point = joint.point;
  block.numRows = joint.numRows;
  for (int r = 0; r < joint.numRows; ++r) {
    block.rows[r] = joint.rows[r];
    block.target[r] = joint.target[r];
    block.impulse[r] = joint.start[r];
  }
  make(block);
  entries_.push_back({Kind::joint, static_cast<int>(joints_.size()) - 1});
  return entries_.back().index;
}

int RowSolver::addAxis(const SolverBody& a, const SolverBody& b, const Axis& axis) {
  AxisBlock& block = axes_.emplace_back();
  block.ends[0] = &a;
  block.ends[1] = &b;
  block.point = axis.point;
  block.law = axis;
  block.impulse[0] = axis.start;
  make(block);
  entries_.push_back({Kind::axis, static_cast<int>(axes_.size()) - 1});
  return entries_.back().index;
}

void RowSolver::velocityOf(const Block& block, int numRows, double* u) const {
  for (const Side& side : block.sides) {
    if (side.offset < 0) continue;
    const double* w = w_.data() + side.offset;
    const double* y = values_.data() + side.values;
    if (side.index == nullptr) {
      if (numRows == 3)
        multiply3x6(y, w, u);
      else
        for (int r = 0; r < numRows; ++r) multiply1(y + 6 * r, w, 6, u + r);
      continue;
    }
    const int size = stride(side.length);
    double* x = gather_.data();
    for (int k = 0; k < side.length; ++k) x[k] = w[side.index[k]];
    if (size > side.length) x[size - 1] = 0;
    if (numRows == 3)
      multiply3(y, x, size, u);
    else
      for (int r = 0; r < numRows; ++r) multiply1(y + size * r, x, size, u + r);
  }
}

void RowSolver::push(const Block& block, const double* impulse, int numRows) {
  for (const Side& side : block.sides) {
    if (side.offset < 0) continue;
    double* w = w_.data() + side.offset;
    const double* y = values_.data() + side.values;
    if (side.index == nullptr) {
      if (numRows == 3)
        multiplyTransposed3x6(y, impulse, w);
      else
        for (int r = 0; r < numRows; ++r)
          for (int k = 0; k < 6; ++k) w[k] += y[6 * r + k] * impulse[r];
      continue;
    }
    const int size = stride(side.length);
    if (numRows == 3) {
      const double *a = y, *b = y + size, *c = y + 2 * size;
      for (int k = 0; k < side.length; ++k)
        w[side.index[k]] += a[k] * impulse[0] + b[k] * impulse[1] + c[k] * impulse[2];
    } else {
      for (int r = 0; r < numRows; ++r)
        for (int k = 0; k < side.length; ++k) w[side.index[k]] += y[r * size + k] * impulse[r];
    }
  }
}

/// Returns by how much the velocity at the contact has changed.
double RowSolver::sweep(ContactBlock& c) {
  if (c.impulse[0] == 0) {
    // Most contacts that have no impulse need none: look along the normal first.
    double u = c.free[0];
    velocityOf(c, 1, &u);
    if (u >= c.target) return 0;
  }
  double u[3] = {c.free[0], c.free[1], c.free[2]};
  velocityOf(c, 3, u);
  const double normal = std::max(0.0, c.impulse[0] + (c.target - u[0] - c.cfm * c.impulse[0]) * c.inverseNormal);
  double change[3] = {normal - c.impulse[0], 0, 0};
  c.impulse[0] = normal;
  double moved = std::abs(change[0]) * c.normal;
  if (c.friction > 0) {
    const double u1 = u[1] + c.coupling[0] * change[0], u2 = u[2] + c.coupling[1] * change[0];
    const double limit = frictionLimit(c.friction, normal);
    double p1 = c.impulse[1] - (c.inverse[0] * u1 + c.inverse[1] * u2);
    double p2 = c.impulse[2] - (c.inverse[1] * u1 + c.inverse[2] * u2);
    if (exceedsFriction(p1, p2, limit)) {
      // It slips: the fixed point of this projection is the force of size `limit` against the velocity.
      p1 = c.impulse[1] - c.slipStep * u1;
      p2 = c.impulse[2] - c.slipStep * u2;
      const double size = std::sqrt(p1 * p1 + p2 * p2);
      if (size > limit) cutToFriction(size, limit, p1, p2);
    }
    change[1] = p1 - c.impulse[1];
    change[2] = p2 - c.impulse[2];
    c.impulse[1] = p1;
    c.impulse[2] = p2;
    moved = std::max(moved, (std::abs(change[1]) + std::abs(change[2])) / std::max(c.slipStep, 1e-300));
  }
  if (change[0] != 0 || change[1] != 0 || change[2] != 0) push(c, change, 3);
  return moved;
}

double RowSolver::sweep(JointBlock& joint) {
  const int n = joint.numRows;
  double u[6];
  std::copy(joint.free, joint.free + n, u);
  velocityOf(joint, n, u);
  double change[6], moved = 0;
  for (int i = 0; i < n; ++i) {
    change[i] = joint.target[i] - u[i];
    moved = std::max(moved, std::abs(change[i]));
  }
  solveLower(joint.factor, n, change);
  solveUpper(joint.factor, n, change);
  for (int i = 0; i < n; ++i) joint.impulse[i] += change[i];
  push(joint, change, n);
  return moved;
}

double RowSolver::sweep(AxisBlock& axis) {
  if (axis.inverse == 0) return 0;
  const Axis& law = axis.law;
  double u = axis.free;
  velocityOf(axis, 1, &u);
  // The velocity without this axis; with it, velocity + impulse / inverse grows with the velocity: one solution.
  const double mobility = 1 / axis.inverse, loose = u - axis.impulse[0] * mobility;
  AxisImpulse& out = axis.result;
  const auto drive = [&](double velocity) {
    return std::clamp(law.offset - law.slope * velocity, law.minimum, law.maximum);
  };
  const double still = loose + mobility * drive(0);  // What dry friction would have to stop.
  if (std::abs(still) <= mobility * law.dry) {
    u = 0;
    out.dry = -still * axis.inverse;
  } else {
    out.dry = still > 0 ? -law.dry : law.dry;
    u = (loose + mobility * (law.offset + out.dry)) / (1 + mobility * (law.slope + law.viscous));
    const double wanted = law.offset - law.slope * u;
    if (wanted > law.maximum || wanted < law.minimum)
      u = (loose + mobility * (drive(u) + out.dry)) / (1 + mobility * law.viscous);
  }
  out.stop = 0;
  if (u < law.low || u > law.high) {
    u = u < law.low ? law.low : law.high;
    if (law.dry > 0 && u != 0) out.dry = u > 0 ? -law.dry : law.dry;
    out.stop = (u - loose) * axis.inverse - drive(u) + law.viscous * u - out.dry;
  }
  out.drive = drive(u);
  axis.velocity = u;
  out.all = (u - loose) * axis.inverse;
  const double change = out.all - axis.impulse[0];
  axis.impulse[0] = out.all;
  if (change != 0) push(axis, &change, 1);
  return std::abs(change) * mobility;
}

Vector3d RowSolver::contactImpulse(int contact) const {
  const ContactBlock& block = contacts_[contact];
  Vector3d sum = Vector3d::Zero();
  for (int r = 0; r < 3; ++r) sum += block.impulse[r] * block.directions[r];
  return sum;
}

}  // namespace mortise::rigid
