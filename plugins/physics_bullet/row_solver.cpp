#include "row_solver.h"

#include <algorithm>
#include <cmath>

namespace mortise::bullet {

namespace {

constexpr int kMaxPasses = 4;
constexpr double kNearlySettled = 1e-5;  ///< m/s: good enough to start from without reserve.

/// Two numbers at once, on every processor with registers of 128 bits; compilers split it on others.
typedef double Pair __attribute__((vector_size(16), may_alias));

using VectorMap = Eigen::Map<Vector3d>;

int stride(int length) { return (length + 1) & ~1; }

/// *u += y . x, of an even number of entries.
inline void multiply1(const double* y, const double* x, int size, double* u) {
  const auto* Y = reinterpret_cast<const Pair*>(y);
  const auto* X = reinterpret_cast<const Pair*>(x);
  Pair sum = {0, 0};
  for (int k = 0; k < size / 2; ++k) sum += Y[k] * X[k];
  *u += sum[0] + sum[1];
}

/// u += Y x and x += Y^T p for three rows of a rigid body, the case that counts: without loops.
inline void multiply3x6(const double* y, const double* x, double* u) {
  const auto* Y = reinterpret_cast<const Pair*>(y);
  const auto* X = reinterpret_cast<const Pair*>(x);
  const Pair x0 = X[0], x1 = X[1], x2 = X[2];
  const Pair a = Y[0] * x0 + Y[1] * x1 + Y[2] * x2;
  const Pair b = Y[3] * x0 + Y[4] * x1 + Y[5] * x2;
  const Pair c = Y[6] * x0 + Y[7] * x1 + Y[8] * x2;
  u[0] += a[0] + a[1];
  u[1] += b[0] + b[1];
  u[2] += c[0] + c[1];
}
inline void multiplyTransposed3x6(const double* y, const double* p, double* x) {
  const auto* Y = reinterpret_cast<const Pair*>(y);
  auto* X = reinterpret_cast<Pair*>(x);
  const Pair a = {p[0], p[0]}, b = {p[1], p[1]}, c = {p[2], p[2]};
  X[0] += Y[0] * a + Y[3] * b + Y[6] * c;
  X[1] += Y[1] * a + Y[4] * b + Y[7] * c;
  X[2] += Y[2] * a + Y[5] * b + Y[8] * c;
}
/// And for three rows of a link, whose entries of w are gathered first.
inline void multiply3(const double* y, const double* x, int size, double* u) {
  const auto* X = reinterpret_cast<const Pair*>(x);
  const auto* A = reinterpret_cast<const Pair*>(y);
  const auto* B = reinterpret_cast<const Pair*>(y + size);
  const auto* C = reinterpret_cast<const Pair*>(y + 2 * size);
  Pair a = {0, 0}, b = {0, 0}, c = {0, 0};
  for (int k = 0; k < size / 2; ++k) {
    a += A[k] * X[k];
    b += B[k] * X[k];
    c += C[k] * X[k];
  }
  u[0] += a[0] + a[1];
  u[1] += b[0] + b[1];
  u[2] += c[0] + c[1];
}

}  // namespace

int RowSolver::addMover(btRigidBody& body) {
  Mover mover;
  mover.rigid = &body;
  mover.offset = numW_;
  mover.size = 6;
  numW_ += mover.size;
  movers_.push_back(mover);
  return static_cast<int>(movers_.size()) - 1;
}

int RowSolver::addMover(Articulation& body) {
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
  for (Mover& mover : movers_) mover.free = mover.touched = false;
}

void RowSolver::setFree(int index, const btVector3& v, const btVector3& w) {
  Mover& mover = movers_[index];
  mover.free = true;
  mover.v = v;
  mover.w = w;
  mover.inverseRootMass = std::sqrt(mover.rigid->getInvMass());
  const btVector3& inverse = mover.rigid->getInvInertiaDiagLocal();
  const btMatrix3x3& R = mover.rigid->getWorldTransform().getBasis();
  for (int i = 0; i < 3; ++i) {
    const double scale = std::sqrt(inverse[i]);
    for (int j = 0; j < 3; ++j) mover.inverseRootInertia(i, j) = scale * R[j][i];
  }
}

Vector3d RowSolver::freeVelocity(const RowEnd& end, const Vector3d& point) const {
  if (end.mover < 0) return velocity(end, point);
  const Mover& mover = movers_[end.mover];
  if (mover.rigid != nullptr)
    return fromBullet(mover.v + mover.w.cross(toBullet(point) - mover.rigid->getCenterOfMassPosition()));
  return mover.articulation->freeVelocity(end.link, point);
}

Vector3d RowSolver::velocity(const RowEnd& end, const Vector3d& point) {
  if (end.rigid != nullptr)
    return fromBullet(end.rigid->getVelocityInLocalPoint(toBullet(point) - end.rigid->getCenterOfMassPosition()));
  if (end.articulation == nullptr) return Vector3d::Zero();
  const Vector3d arm = point - end.articulation->pose(end.link).p;
  return end.articulation->linearVelocity(end.link) + end.articulation->angularVelocity(end.link).cross(arm);
}

/// Y of both ends, anew or in place, and `free`, what the velocities of the rows would be without impulses.
void RowSolver::makeSides(Block& block, const Row* rows, int numRows, double* free) {
  for (int r = 0; r < numRows; ++r) free[r] = 0;
  const RowEnd &a = *block.ends[0], &b = *block.ends[1];
  const bool self = a.articulation != nullptr && a.articulation == b.articulation;
  for (int e = 0; e < 2; ++e) {
    const RowEnd& end = *block.ends[e];
    const double sign = e == 0 ? 1 : -1;
    Side& side = block.sides[e];
    if (end.mover < 0) {
      side = {};
      if (end.rigid == nullptr) continue;
      const Vector3d v = velocity(end, block.point), w = fromBullet(end.rigid->getAngularVelocity());
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
      const Vector3d arm = block.point - fromBullet(mover.rigid->getCenterOfMassPosition());
      const Vector3d v = fromBullet(mover.v), w = fromBullet(mover.w);
      for (int r = 0; r < numRows; ++r, y += 6) {
        const Vector3d moment = arm.cross(rows[r].force) + rows[r].moment;
        free[r] += sign * (rows[r].force.dot(v) + moment.dot(w));
        VectorMap{y} = (sign * mover.inverseRootMass) * rows[r].force;
        VectorMap{y + 3} = sign * (mover.inverseRootInertia * moment);
      }
      continue;
    }
    Articulation& body = *mover.articulation;
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
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, A[i * n + i]);
  for (int i = 0; i < n; ++i) A[i * n + i] += 1e-10 * largest + 1e-300;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = A[i * n + j];
      for (int k = 0; k < j; ++k) sum -= A[i * n + k] * A[j * n + k];
      if (i == j)
        A[i * n + i] = std::sqrt(std::max(sum, 1e-12 * largest + 1e-300));
      else
        A[i * n + j] = sum / A[j * n + j];
    }
}

void RowSolver::make(AxisBlock& block) {
  makeSides(block, &block.row, 1, &block.free);
  double diagonal = 0;
  response(block, 1, &diagonal);
  block.inverse = diagonal > 0 ? 1 / diagonal : 0;
}

void RowSolver::addContact(const RowEnd& a, const RowEnd& b, const Contact& contact) {
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
  make(block);
  for (int r = 0; r < 3; ++r) block.impulse[r] = contact.start.dot(block.directions[r]);
  block.impulse[0] = std::max(block.impulse[0], 0.0);
  const double limit = block.friction * block.impulse[0], size = std::hypot(block.impulse[1], block.impulse[2]);
  if (size > limit)
    for (int r = 1; r < 3; ++r) block.impulse[r] *= limit / size;
  entries_.push_back({Kind::contact, static_cast<int>(contacts_.size()) - 1});
}

void RowSolver::addJoint(const RowEnd& a, const RowEnd& b, const Joint& joint) {
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
}

void RowSolver::addAxis(const RowEnd& a, const RowEnd& b, const Axis& axis) {
  AxisBlock& block = axes_.emplace_back();
  block.ends[0] = &a;
  block.ends[1] = &b;
  block.point = axis.point;
  block.row = axis.row;
  block.limit = axis.friction;
  block.low = axis.low;
  block.high = axis.high;
  block.impulse[0] = std::clamp(axis.startFriction, -axis.friction, axis.friction);
  block.impulse[1] = axis.startStop;
  make(block);
  entries_.push_back({Kind::axis, static_cast<int>(axes_.size()) - 1});
}

inline void RowSolver::velocityOf(const Block& block, int numRows, double* u) const {
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

inline void RowSolver::push(const Block& block, const double* impulse, int numRows) {
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
    const double limit = c.friction * normal;
    double p1 = c.impulse[1] - (c.inverse[0] * u1 + c.inverse[1] * u2);
    double p2 = c.impulse[2] - (c.inverse[1] * u1 + c.inverse[2] * u2);
    if (p1 * p1 + p2 * p2 > limit * limit) {
      // It slips: the fixed point of this projection is the force of size `limit` against the velocity.
      p1 = c.impulse[1] - c.slipStep * u1;
      p2 = c.impulse[2] - c.slipStep * u2;
      const double size = std::sqrt(p1 * p1 + p2 * p2);
      if (size > limit) {
        p1 *= limit / size;
        p2 *= limit / size;
      }
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
  const double* L = joint.factor;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) change[i] -= L[i * n + k] * change[k];
    change[i] /= L[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) change[i] -= L[k * n + i] * change[k];
    change[i] /= L[i * n + i];
  }
  for (int i = 0; i < n; ++i) joint.impulse[i] += change[i];
  push(joint, change, n);
  return moved;
}

double RowSolver::sweep(AxisBlock& axis) {
  if (axis.inverse == 0) return 0;
  double u = axis.free;
  velocityOf(axis, 1, &u);
  const double before = axis.impulse[0] + axis.impulse[1];
  // What the velocity would be without the stop decides whether it is needed.
  const double loose = u - axis.impulse[1] / axis.inverse;
  const double stop = loose < axis.low    ? (axis.low - loose) * axis.inverse
                      : loose > axis.high ? (axis.high - loose) * axis.inverse
                                          : 0;
  u += (stop - axis.impulse[1]) / axis.inverse;
  axis.impulse[1] = stop;
  axis.impulse[0] = std::clamp(axis.impulse[0] - u * axis.inverse, -axis.limit, axis.limit);
  const double change = axis.impulse[0] + axis.impulse[1] - before;
  if (change != 0) push(axis, &change, 1);
  return std::abs(change) / axis.inverse;
}

double RowSolver::sweep(const Entry& entry) {
  switch (entry.kind) {
    case Kind::joint:
      return sweep(joints_[entry.index]);
    case Kind::axis:
      return sweep(axes_[entry.index]);
    default:
      return sweep(contacts_[entry.index]);
  }
}

RowSolver::Block& RowSolver::block(const Entry& entry) {
  switch (entry.kind) {
    case Kind::joint:
      return joints_[entry.index];
    case Kind::axis:
      return axes_[entry.index];
    default:
      return contacts_[entry.index];
  }
}

/// Adds what a block has given already to w; only on one mover when that is not negative.
void RowSolver::pushStart(const Entry& entry, int onlyMover) {
  Block whole = block(entry);
  if (onlyMover >= 0)
    for (Side& side : whole.sides)
      if (side.offset != movers_[onlyMover].offset) side.offset = -1;
  switch (entry.kind) {
    case Kind::joint:
      push(whole, joints_[entry.index].impulse, joints_[entry.index].numRows);
      break;
    case Kind::axis: {
      const double sum = axes_[entry.index].impulse[0] + axes_[entry.index].impulse[1];
      push(whole, &sum, 1);
      break;
    }
    default:
      push(whole, contacts_[entry.index].impulse, 3);
  }
}

int RowSolver::root(int mover) {
  while (parent_[mover] != mover) mover = parent_[mover] = parent_[parent_[mover]];
  return mover;
}

/// Sorts `entries_` by island into `ordered_`; islands in the order of their first entry, entries in theirs.
void RowSolver::findIslands() {
  parent_.resize(movers_.size());
  for (std::size_t i = 0; i < parent_.size(); ++i) parent_[i] = static_cast<int>(i);
  for (const Entry& entry : entries_) {
    const Block& b = block(entry);
    if (b.ends[0]->mover >= 0 && b.ends[1]->mover >= 0) {
      const int first = root(b.ends[0]->mover), second = root(b.ends[1]->mover);
      parent_[std::max(first, second)] = std::min(first, second);
    }
  }
  const auto rootOf = [&](const Entry& entry) {
    const Block& b = block(entry);
    return root(std::max(b.ends[0]->mover, b.ends[1]->mover));
  };
  island_.assign(movers_.size(), -1);
  islandStart_.assign(1, 0);
  for (const Entry& entry : entries_) {
    int& island = island_[rootOf(entry)];
    if (island < 0) {
      island = static_cast<int>(islandStart_.size()) - 1;
      islandStart_.push_back(0);
    }
    ++islandStart_[island + 1];
  }
  for (std::size_t i = 1; i < islandStart_.size(); ++i) islandStart_[i] += islandStart_[i - 1];
  ordered_.resize(entries_.size());
  for (const Entry& entry : entries_) ordered_[islandStart_[island_[rootOf(entry)]]++] = entry;
  for (std::size_t i = islandStart_.size() - 1; i > 0; --i) islandStart_[i] = islandStart_[i - 1];
  islandStart_[0] = 0;
}

std::span<double> RowSolver::impulses(const Entry& entry) {
  switch (entry.kind) {
    case Kind::joint:
      return std::span(joints_[entry.index].impulse, joints_[entry.index].numRows);
    case Kind::axis:
      return axes_[entry.index].impulse;
    default:
      return contacts_[entry.index].impulse;
  }
}

/// Sweeps, there and back, each pair followed by a step along what conjugate gradients would take for the direction
/// (Silcowitz-Hansen, Niebe and Erleben, "A nonsmooth nonlinear conjugate gradient method for interactive contact force
/// problems", 2010): a stack of boxes needs a tenth of the sweeps. Returns false when sweeps ran out.
bool RowSolver::sweepUntilSettled(std::span<const Entry> entries, const Settings& settings, int& sweeps) {
  const int n = static_cast<int>(entries.size());
  double last = 0, moved = 0;
  direction_.clear();
  for (int i = 0; i < settings.iterations; i += 2) {
    before_.clear();
    for (const Entry& entry : entries)
      for (const double impulse : impulses(entry)) before_.push_back(impulse);
    wBefore_.clear();
    for (const int m : movable_)
      wBefore_.insert(wBefore_.end(), w_.begin() + movers_[m].offset, w_.begin() + movers_[m].offset + movers_[m].size);

    moved = 0;
    for (int k = 0; k < n; ++k) moved = std::max(moved, sweep(entries[k]));
    ++sweeps;
    if (moved < settings.tolerance) return true;
    for (int k = n - 1; k >= 0; --k) sweep(entries[k]);
    ++sweeps;

    double square = 0;
    std::size_t at = 0;
    for (const Entry& entry : entries)
      for (const double impulse : impulses(entry)) {
        before_[at] = impulse - before_[at];
        square += before_[at] * before_[at];
        ++at;
      }
    at = 0;
    for (const int m : movable_)
      for (int k = 0; k < movers_[m].size; ++k, ++at) wBefore_[at] = w_[movers_[m].offset + k] - wBefore_[at];

    const double beta = last > 0 ? square / last : 0;
    last = square;
    if (direction_.empty() || beta > 1 || i + 2 >= settings.iterations) {
      direction_ = before_;
      wDirection_ = wBefore_;
      continue;
    }
    at = 0;
    for (const Entry& entry : entries)
      for (double& impulse : impulses(entry)) {
        impulse += beta * direction_[at];
        direction_[at] = beta * direction_[at] + before_[at];
        ++at;
      }
    at = 0;
    for (const int m : movable_)
      for (int k = 0; k < movers_[m].size; ++k, ++at) {
        w_[movers_[m].offset + k] += beta * wDirection_[at];
        wDirection_[at] = beta * wDirection_[at] + wBefore_[at];
      }
  }
  return moved < std::max(settings.tolerance, kNearlySettled);
}

void RowSolver::solveIsland(std::span<const Entry> entries, const Settings& settings) {
  const int island = root(std::max(block(entries[0]).ends[0]->mover, block(entries[0]).ends[1]->mover));
  movable_.clear();
  for (int m = 0; m < static_cast<int>(movers_.size()); ++m)
    if (movers_[m].touched && root(m) == island) movable_.push_back(m);
  for (const Entry& entry : entries) pushStart(entry, -1);
  int sweeps = 0;
  bool settled = false;
  for (int pass = 0;; ++pass) {
    settled = sweepUntilSettled(entries, settings, sweeps);
    // In the rare case that it never settles, contacts have the last word: a drive exceeds its limit in this step.
    if (pass == kMaxPasses || !relinearize(entries)) break;
    ++statistics_.relinearised;
  }
  for (const Entry& entry : entries)
    if (entry.kind == Kind::contact) contacts_[entry.index].settled = settled;
  if (!settled) ++statistics_.unsettled;
  longest_ = std::max(longest_, sweeps);
}

/// Where contacts have put a drive on another piece of its law: new free velocities and rows, the impulses kept.
/// Returns whether there was any.
bool RowSolver::relinearize(std::span<const Entry> entries) {
  bool any = false;
  for (const int m : movable_) {
    Mover& mover = movers_[m];
    if (mover.articulation == nullptr) continue;
    dense_.assign(w_.begin() + mover.offset, w_.begin() + mover.offset + mover.size);
    mover.articulation->unwhiten(dense_.data());
    if (!mover.articulation->relinearize(dense_.data())) continue;
    any = true;
    std::fill(w_.begin() + mover.offset, w_.begin() + mover.offset + mover.size, 0.0);
    for (const Entry& entry : entries) {
      Block& b = block(entry);
      if (b.ends[0]->mover != m && b.ends[1]->mover != m) continue;
      if (entry.kind == Kind::joint)
        make(joints_[entry.index]);
      else if (entry.kind == Kind::axis)
        make(axes_[entry.index]);
      else
        make(contacts_[entry.index]);
      pushStart(entry, m);
    }
  }
  return any;
}

void RowSolver::finish() {
  for (Mover& mover : movers_) {
    const double* w = w_.data() + mover.offset;
    if (mover.rigid != nullptr) {
      if (!mover.free) continue;
      const Vector3d v = mover.inverseRootMass * Eigen::Map<const Vector3d>(w);
      const Vector3d omega = mover.inverseRootInertia.transpose() * Eigen::Map<const Vector3d>(w + 3);
      mover.rigid->setLinearVelocity(mover.v + toBullet(v));
      mover.rigid->setAngularVelocity(mover.w + toBullet(omega));
      continue;
    }
    if (mover.touched) {
      dense_.assign(w, w + mover.size);
      mover.articulation->unwhiten(dense_.data());
      mover.articulation->endStep(dense_.data());
    } else {
      mover.articulation->endStep(nullptr);
    }
  }
}

void RowSolver::solve(const Settings& settings) {
  std::size_t longest = 8;
  for (const Mover& mover : movers_) longest = std::max<std::size_t>(longest, stride(mover.size));
  if (gather_.size() < longest) gather_.resize(longest);
  findIslands();
  longest_ = 0;
  for (std::size_t i = 0; i + 1 < islandStart_.size(); ++i)
    solveIsland(std::span(ordered_).subspan(islandStart_[i], islandStart_[i + 1] - islandStart_[i]), settings);
  ++statistics_.steps;
  statistics_.sweeps += longest_;
  finish();
}

Vector3d RowSolver::contactImpulse(int contact) const {
  const ContactBlock& block = contacts_[contact];
  Vector3d sum = Vector3d::Zero();
  for (int r = 0; r < 3; ++r) sum += block.impulse[r] * block.directions[r];
  return sum;
}

}  // namespace mortise::bullet
