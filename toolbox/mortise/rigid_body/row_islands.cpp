/// The row solver's outer loops: islands, sweeps until they settle, and drives that change under contacts.

#include <algorithm>
#include <cmath>

#include "mortise/rigid_body/row_kernels.h"
#include "mortise/rigid_body/row_solver.h"

namespace mortise::rigid {

namespace {

constexpr int kMaxPasses = 4;
constexpr double kNearlySettled = 1e-5;  ///< m/s: good enough to start from without reserve.
constexpr double kCostNoise = 1e-9;
// Sweeps before Newton's method is tried, and tried again: they find most contacts that part or slip. A pass for a body
// alone costs as much as a few sweeps, one for a heap as much as twenty.
constexpr int kNewtonForOne[] = {6, 12}, kNewtonForMore[] = {48, 96};
// Failures in a row before it pauses: single ones are of contacts that change. With robots, which are few and whose
// sweeps are dear, more of them. Then the longest pause, in steps.
constexpr int kFailures = 3, kFailuresWithRobots = 10, kLongestPause = 64;

}  // namespace

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
  Block full = block(entry);
  if (onlyMover >= 0)
    for (Side& side : full.sides)
      if (side.offset != movers_[onlyMover].offset) side.offset = -1;
  switch (entry.kind) {
    case Kind::joint:
      push(full, joints_[entry.index].impulse, joints_[entry.index].numRows);
      break;
    case Kind::axis:
      push(full, axes_[entry.index].impulse, 1);
      break;
    default:
      push(full, contacts_[entry.index].impulse, 3);
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
  sortMovers();
}

/// Movers of islands by island, ascending.
void RowSolver::sortMovers() {
  place_.resize(movers_.size());
  moverStart_.assign(islandStart_.size(), 0);
  const auto islandOf = [&](int m) { return movers_[m].touched ? island_[root(m)] : -1; };
  const int numMovers = static_cast<int>(movers_.size());
  for (int m = 0; m < numMovers; ++m)
    if (const int island = islandOf(m); island >= 0) place_[m] = moverStart_[island + 1]++;
  for (std::size_t i = 1; i < moverStart_.size(); ++i) moverStart_[i] += moverStart_[i - 1];
  moversByIsland_.resize(moverStart_.back());
  for (int m = 0; m < numMovers; ++m)
    if (const int island = islandOf(m); island >= 0) moversByIsland_[moverStart_[island] + place_[m]] = m;
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

void RowSolver::store(std::span<const Entry> entries, std::vector<double>& to, std::vector<double>& w) {
  to.clear();
  for (const Entry& entry : entries)
    for (const double impulse : impulses(entry)) to.push_back(impulse);
  w.clear();
  for (const int m : movable_)
    w.insert(w.end(), w_.begin() + movers_[m].offset, w_.begin() + movers_[m].offset + movers_[m].size);
}

void RowSolver::recall(std::span<const Entry> entries, const std::vector<double>& from, const std::vector<double>& w) {
  std::size_t at = 0;
  for (const Entry& entry : entries)
    for (double& impulse : impulses(entry)) impulse = from[at++];
  at = 0;
  for (const int m : movable_)
    for (int k = 0; k < movers_[m].size; ++k) w_[movers_[m].offset + k] = w[at++];
}

/// The part of an axis in `cost`: the conjugate of the potential of its law, at its impulse.
double RowSolver::costOf(const AxisBlock& axis) {
  const Axis& law = axis.law;
  const double u = axis.velocity;
  const auto integral = [&](double y) {
    if (y > law.maximum) return law.maximum * (y - 0.5 * law.maximum);
    if (y < law.minimum) return law.minimum * (y - 0.5 * law.minimum);
    return 0.5 * y * y;
  };
  const double drive = law.slope > 0 ? (integral(law.offset) - integral(law.offset - law.slope * u)) / law.slope
                                     : std::clamp(law.offset, law.minimum, law.maximum) * u;
  const double potential = 0.5 * law.viscous * u * u + law.dry * std::abs(u) - drive;
  return axis.impulse[0] * (axis.free - u) - potential;
}

/// Returns what the blocks make smaller, one by one: the kinetic energy that impulses add, less what targets and laws
/// ask for. Friction that slips may let it grow a little.
double RowSolver::cost(std::span<const Entry> entries) {
  double sum = 0;
  for (const int m : movable_) {
    const double* w = w_.data() + movers_[m].offset;
    for (int k = 0; k < movers_[m].size; ++k) sum += w[k] * w[k];
  }
  sum *= 0.5;
  for (const Entry& entry : entries) {
    if (entry.kind == Kind::contact) {
      const ContactBlock& c = contacts_[entry.index];
      const double* p = c.impulse;
      sum += p[0] * (c.free[0] - c.target + 0.5 * c.cfm * p[0]) + p[1] * c.free[1] + p[2] * c.free[2];
    } else if (entry.kind == Kind::joint) {
      const JointBlock& joint = joints_[entry.index];
      for (int r = 0; r < joint.numRows; ++r) sum += joint.impulse[r] * (joint.free[r] - joint.target[r]);
    } else {
      sum += costOf(axes_[entry.index]);
    }
  }
  return sum;
}

double RowSolver::sweepForth() {
  double moved = 0;
  for (const Entry& entry : rest_) moved = std::max(moved, sweep(entry));
  return moved;
}

void RowSolver::sweepBack() {
  for (std::size_t k = rest_.size(); k-- > 0;) sweep(rest_[k]);
  if (!forest_.empty()) sweepForest();
}

/// Sweeps, there and back, each pair followed by a step along what conjugate gradients would take for the direction
/// (Silcowitz-Hansen, Niebe and Erleben, "A nonsmooth nonlinear conjugate gradient method for interactive contact force
/// problems", 2010): a stack of boxes needs a tenth of the sweeps. A step after which the cost grows is taken back.
/// Returns false when sweeps ran out.
bool RowSolver::sweepUntilSettled(std::span<const Entry> entries, const Settings& settings, int& sweeps) {
  double last = 0, moved = 0, lastCost = 0;
  bool stepped = false;  // Along a direction, before this pair.
  const auto& newtonAfter = movable_.size() == 1 ? kNewtonForOne : kNewtonForMore;
  direction_.clear();
  // Steps along directions keep what joints want; sweeps end with them.
  if (!forest_.empty()) sweepForest();
  for (int i = 0; i < settings.iterations || stepped; i += 2) {
    if (newtonFits_ && pause_.steps == 0 && (i == newtonAfter[0] || i == newtonAfter[1]) &&
        tryNewton(entries, settings)) {
      stepped = false;
      direction_.clear();
      last = 0;
    }
    store(entries, before_, wBefore_);
    moved = sweepForth();
    ++sweeps;
    if (moved < settings.tolerance) {
      if (!forest_.empty()) sweepForest();
      return true;
    }
    sweepBack();
    ++sweeps;

    const double now = cost(entries);
    if (stepped && !(now <= lastCost + kCostNoise * std::abs(lastCost))) {
      recall(entries, best_, wBest_);
      stepped = false;
      direction_.clear();
      last = 0;
      // Axes know what they give after a sweep only.
      moved = sweepForth();
      sweepBack();
      sweeps += 2;
      lastCost = cost(entries);
      continue;
    }
    lastCost = now;
    stepped = false;

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
    store(entries, best_, wBest_);
    stepped = true;
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

void RowSolver::solveIsland(std::size_t island, const Settings& settings) {
  const std::span<const Entry> entries =
      std::span(ordered_).subspan(islandStart_[island], islandStart_[island + 1] - islandStart_[island]);
  movable_ = std::span(moversByIsland_).subspan(moverStart_[island], moverStart_[island + 1] - moverStart_[island]);
  startPause(entries);
  if (solveDirectly(entries, settings)) return leavePause(entries);
  for (const Entry& entry : entries) {
    if (entry.kind == Kind::contact) make(contacts_[entry.index]);
    pushStart(entry, -1);
  }
  findForest(entries);
  if (!forest_.empty()) factorForest();
  newtonFits_ = newtonFits_ && layOutNewton(entries);
  int sweeps = 0;
  bool settled = false;
  for (int pass = 0;; ++pass) {
    settled = sweepUntilSettled(entries, settings, sweeps);
    // In the rare case that it never settles, contacts have the last word: a drive exceeds its limit in this step.
    if (pass == kMaxPasses || !relinearize(entries)) break;
    ++statistics_.relinearized;
    if (!forest_.empty()) factorForest();
  }
  for (const Entry& entry : entries)
    if (entry.kind == Kind::contact) contacts_[entry.index].settled = settled;
  if (!settled) ++statistics_.unsettled;
  ranOut_ |= !settled;
  gaveUpNewton_ |= newtonFailed_ || pause_.steps > 0;
  leavePause(entries);
  longest_ = std::max(longest_, sweeps);
}

/// Starts the longest pause that any contact of the island brings along.
void RowSolver::startPause(std::span<const Entry> entries) {
  pause_ = {};
  newtonRan_ = newtonFailed_ = false;
  for (const Entry& entry : entries) {
    if (entry.kind != Kind::contact) continue;
    const NewtonPause& own = contacts_[entry.index].pause;
    pause_.failures = std::max(pause_.failures, own.failures);
    pause_.steps = std::max(pause_.steps, own.steps);
  }
}

/// One step less of it, or a new one after too many failures.
void RowSolver::leavePause(std::span<const Entry> entries) {
  if (pause_.steps > 0) {
    --pause_.steps;
    ++statistics_.newtonPaused;
  } else if (newtonFailed_) {
    pause_.failures = static_cast<unsigned char>(std::min(pause_.failures + 1, 100));
    const bool robots =
        std::any_of(movable_.begin(), movable_.end(), [&](int m) { return movers_[m].articulation != nullptr; });
    const int doublings = pause_.failures - (robots ? kFailuresWithRobots : kFailures);
    if (doublings >= 0)
      pause_.steps =
          static_cast<unsigned char>(doublings < 8 ? std::min(1 << doublings, kLongestPause) : kLongestPause);
  } else if (newtonRan_) {
    pause_ = {};
  }
  for (const Entry& entry : entries)
    if (entry.kind == Kind::contact) contacts_[entry.index].pause = pause_;
}

/// Makes new free velocities and rows where contacts have put a drive on another piece of its law, the impulses kept.
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
      mover.rigid->v = mover.v + mover.inverseRootMass * Eigen::Map<const Vector3d>(w);
      mover.rigid->w = mover.w + mover.inverseRootInertia.transpose() * Eigen::Map<const Vector3d>(w + 3);
      continue;
    }
    if (mover.ended) continue;
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
  ranOut_ = gaveUpNewton_ = false;
  for (std::size_t i = 0; i + 1 < islandStart_.size(); ++i) {
    solveIsland(i, settings);
    lessenBounces(i, settings);
  }
  ++statistics_.steps;
  statistics_.sweeps += longest_;
  finish();
}

}  // namespace mortise::rigid
