#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "direct/impulse_solver.h"

// The search for impulses. First the pieces that hold are followed, each time with a full step: contacts come and go,
// friction holds or slips. That nearly always ends within a few passes. Where it runs around in circles, the function's
// convexity leads on: steps end where the function is lowest along them.

namespace mortise::ode {

namespace {

using Map = Eigen::Map<VectorXd>;
using ConstMap = Eigen::Map<const VectorXd>;

constexpr int kFullPasses = 16;
constexpr int kLineSteps = 30;
constexpr double kLineTolerance = 0.05;
constexpr double kLeastSlope = 1e-20;
// Passes, in times of the iterations asked for, until sweeps take over; large islands, whose passes cost more, get as
// many as stay below a number of multiplications.
constexpr int kMostPasses = 4;
constexpr double kMostWork = 2e7;
constexpr int kLeastPasses = 1;
// Cones whose sizes change by less than this fraction of them, or of the largest one, stay.
constexpr double kConeTolerance = 1e-3;
constexpr double kSmallCone = 1e-4;
// Impulses may miss the velocities that they come from by this fraction, in the norm of energy.
constexpr double kFit = 0.01;
// Bits of a piece: the contact acts, friction slips, friction holds.
constexpr int kActs = 1, kSlips = 2, kHolds = 4;

}  // namespace

/// The impulse of a contact at a speed, how it falls with the speed, and the number of the piece: 0 apart, 1 with
/// friction that holds, 2 and on with friction that slips.
int ImpulseSolver::impulseAt(const ImpulseContact& contact, const Row& row, const double* speed, bool pyramid,
                             double* impulse, double* stiffness) {
  for (int d = 0; d < 3; ++d) impulse[d] = 0;
  for (int d = 0; d < 4; ++d) stiffness[d] = 0;
  int piece = 0;
  const double gap = contact.speed - speed[0];
  if (gap > 0) {
    impulse[0] = gap / contact.mixing;
    stiffness[0] = 1 / contact.mixing;
    piece = 1;
  }
  if (!(row.limit > 0)) return piece;
  const double k = 1 / contact.frictionMixing;
  const double x = -k * speed[1], y = -k * speed[2];
  if (pyramid) {
    impulse[1] = std::clamp(x, -row.limit, row.limit);
    impulse[2] = std::clamp(y, -row.limit, row.limit);
    stiffness[1] = impulse[1] == x ? k : 0;
    stiffness[3] = impulse[2] == y ? k : 0;
    return 8 + piece + (impulse[1] == x ? 0 : x > 0 ? 2 : 4) + (impulse[2] == y ? 0 : y > 0 ? 8 : 16);
  }
  const double size = std::sqrt(x * x + y * y);
  if (size <= row.limit) {
    impulse[1] = x;
    impulse[2] = y;
    stiffness[1] = stiffness[3] = k;
    return 4 + piece;
  }
  const double fraction = row.limit / size;
  impulse[1] = fraction * x;
  impulse[2] = fraction * y;
  const double u = x / size, v = y / size;
  stiffness[1] = k * fraction * (1 - u * u);
  stiffness[2] = -k * fraction * u * v;
  stiffness[3] = k * fraction * (1 - v * v);
  return 2 + piece;
}

/// Of the function that is minimized, along the step, after a fraction of it.
double ImpulseSolver::slope(const Island& island, const std::vector<ImpulseContact>& contacts, bool pyramid,
                            double fraction) const {
  const ConstMap at(at_.data() + island.firstUnknown, island.numUnknowns);
  const ConstMap step(step_.data() + island.firstUnknown, island.numUnknowns);
  double sum = step.dot(at) + fraction * step.squaredNorm();
  for (int c = island.firstContact; c < island.endContact; ++c) {
    const int i = contactOrder_[c];
    const Row& row = rows_[i];
    double speed[3], impulse[3], stiffness[4];
    for (int d = 0; d < 3; ++d) speed[d] = row.speed[d] + fraction * row.change[d];
    if (impulseAt(contacts[i], row, speed, pyramid, impulse, stiffness) == 0) continue;
    for (int d = 0; d < 3; ++d) sum -= impulse[d] * row.change[d];
  }
  return sum;
}

/// The same on a piece that is given, without its limits.
void ImpulseSolver::impulseOn(const ImpulseContact& contact, const Row& row, double* impulse, double* stiffness) {
  for (int d = 0; d < 3; ++d) impulse[d] = 0;
  for (int d = 0; d < 4; ++d) stiffness[d] = 0;
  if (row.piece & kActs) {
    stiffness[0] = 1 / contact.mixing;
    impulse[0] = (contact.speed - row.speed[0]) * stiffness[0];
  }
  const double k = 1 / contact.frictionMixing, x = row.speed[1], y = row.speed[2];
  if (row.piece & kHolds) {
    stiffness[1] = stiffness[3] = k;
    impulse[1] = -k * x;
    impulse[2] = -k * y;
  } else if (row.piece & kSlips) {
    const double size = std::sqrt(x * x + y * y);
    if (!(size > 0)) return;
    const double u = x / size, v = y / size, slope = std::min(row.limit / size, k);
    impulse[1] = -row.limit * u;
    impulse[2] = -row.limit * v;
    stiffness[1] = slope * (1 - u * u);
    stiffness[2] = -slope * u * v;
    stiffness[3] = slope * (1 - v * v);
  }
}

/// The piece that follows after the step of the row. Friction that slipped and turns round comes to hold first.
int ImpulseSolver::nextPiece(const ImpulseContact& contact, const Row& row) {
  const double* u = row.speed;
  int piece = u[0] + row.change[0] < contact.speed ? kActs : 0;
  if (!(row.limit > 0)) return piece;
  const double x = u[1] + row.change[1], y = u[2] + row.change[2], reach = row.limit * contact.frictionMixing;
  const bool turns = (row.piece & kSlips) && x * u[1] + y * u[2] <= 0;
  return piece | (x * x + y * y <= reach * reach || turns ? kHolds : kSlips);
}

void ImpulseSolver::addImpulse(const Row& row, const double* impulse, double sign, std::vector<double>& to) const {
  for (const Side& side : row.sides) {
    if (side.group < 0) continue;
    const Group& group = groups_[side.group];
    const double* J = jacobians_.data() + side.jacobian;
    for (int d = 0; d < 3; ++d)
      if (impulse[d] != 0)
        for (int k = 0; k < group.rank; ++k) to[group.offset + k] += sign * impulse[d] * J[d * group.rank + k];
  }
}

/// Newton's step from the present point, in step_, and what it does to the contacts. Needs the gradient and
/// stiffnesses.
void ImpulseSolver::findStep(const Island& island) {
  assemble(island);
  factorMatrix(island);
  Map step(step_.data() + island.firstUnknown, island.numUnknowns);
  step = -ConstMap(gradient_.data() + island.firstUnknown, island.numUnknowns);
  solveMatrix(island, step.data());
  for (int c = island.firstContact; c < island.endContact; ++c) {
    Row& row = rows_[contactOrder_[c]];
    for (int d = 0; d < 3; ++d) row.change[d] = 0;
    for (const Side& side : row.sides) {
      if (side.group < 0) continue;
      const Group& group = groups_[side.group];
      for (int d = 0; d < 3; ++d) {
        const double* J = jacobians_.data() + side.jacobian + static_cast<std::size_t>(d) * group.rank;
        double sum = 0;
        for (int k = 0; k < group.rank; ++k) sum += J[k] * step_[group.offset + k];
        row.change[d] += sum;
      }
    }
  }
}

/// How much of the step leads to the lowest point along it: the slope rises from `start` < 0. Friction that comes to
/// hold makes it jump, so intervals are halved now and then.
double ImpulseSolver::shareOfStep(const Island& island, const std::vector<ImpulseContact>& contacts, bool pyramid,
                                  double start) const {
  if (start >= -kLeastSlope) return 1;
  double fraction = 1, low = 0, high = 1, atLow = start, atHigh = slope(island, contacts, pyramid, 1);
  bool found = atHigh <= -kLineTolerance * start;
  for (int k = 0; k < kLineSteps && !found; ++k) {
    fraction = k % 3 == 2 ? 0.5 * (low + high) : low + (high - low) * std::clamp(atLow / (atLow - atHigh), 0.01, 0.99);
    const double here = slope(island, contacts, pyramid, fraction);
    found = std::abs(here) <= -kLineTolerance * start;
    (here > 0 ? high : low) = fraction;
    (here > 0 ? atHigh : atLow) = here;
  }
  return found ? fraction : low > 0 ? low : high;
}

/// Gives cones the sizes that normal impulses say. Returns whether that leaves all friction as it is.
bool ImpulseSolver::followCones(const Island& island, const std::vector<ImpulseContact>& contacts, int round) {
  const auto sizeOf = [&](int i) {
    const ImpulseContact& contact = contacts[i];
    return contact.friction * std::max(0.0, (contact.speed - rows_[i].speed[0]) / contact.mixing);
  };
  double largest = 0, product = 0, square = 0;
  for (int c = island.firstContact; c < island.endContact; ++c) {
    const int i = contactOrder_[c];
    const double size = sizeOf(i);
    largest = std::max(largest, size);
    product += (size - rows_[i].limit) * rows_[i].lastChange;
    square += rows_[i].lastChange * rows_[i].lastChange;
  }
  // Changes mostly shrink by the same factor each time; every third time the rest of the way is taken at once.
  const double factor = round % 3 == 2 && square > 0 ? std::clamp(product / square, -0.5, 0.9) : 0;
  bool same = true;
  for (int c = island.firstContact; c < island.endContact; ++c) {
    const int i = contactOrder_[c];
    Row& row = rows_[i];
    const double size = sizeOf(i), change = std::abs(size - row.limit);
    const double reach = size * contacts[i].frictionMixing;
    // The size of a cone matters only to friction that slips.
    const bool holds = (row.piece & kHolds) && row.piece < 8 &&
                       row.speed[1] * row.speed[1] + row.speed[2] * row.speed[2] <= reach * reach;
    if (!holds && change > kConeTolerance * size + kSmallCone * largest) same = false;
    row.lastChange = size - row.limit;
    row.limit = std::max(0.0, size + factor / (1 - factor) * row.lastChange);
    // Friction that comes into play with its cone.
    const double slip = row.speed[1] * row.speed[1] + row.speed[2] * row.speed[2];
    if (row.piece < 8 && (row.limit > 0) != ((row.piece & (kHolds | kSlips)) != 0))
      row.piece = (row.piece & kActs) | (row.limit > 0 ? (slip <= reach * reach ? kHolds : kSlips) : 0);
  }
  return same;
}

/// Impulses of the present speeds. Returns whether they make the velocities that they come from.
bool ImpulseSolver::readImpulses(const Island& island, std::vector<ImpulseContact>& contacts, bool pyramid) {
  const ConstMap at(at_.data() + island.firstUnknown, island.numUnknowns);
  Map rest(gradient_.data() + island.firstUnknown, island.numUnknowns);
  rest = at;
  double stiffness[4];
  for (int c = island.firstContact; c < island.endContact; ++c) {
    const int i = contactOrder_[c];
    double* impulse = contacts[i].impulse.data();
    if (impulseAt(contacts[i], rows_[i], rows_[i].speed, pyramid, impulse, stiffness) != 0)
      addImpulse(rows_[i], impulse, -1, gradient_);
  }
  return rest.squaredNorm() <= kFit * kFit * at.squaredNorm();
}

int ImpulseSolver::mostPasses(const Island& island, int most) const {
  double work = 0;  // Of a factorization.
  for (int i = 0; i < island.numUnknowns; ++i) {
    const double width = i - rowFirst_[i] + 1;
    work += width * width;
  }
  return std::min(most, std::max(kLeastPasses, static_cast<int>(std::min(kMostWork / std::max(1.0, work), 1e6))));
}

void ImpulseSolver::solveIsland(const Island& island, std::vector<ImpulseContact>& contacts,
                                const ImpulseSettings& settings) {
  prepareMatrix(island);
  Map at(at_.data() + island.firstUnknown, island.numUnknowns);
  Map gradient(gradient_.data() + island.firstUnknown, island.numUnknowns);
  const Map step(step_.data() + island.firstUnknown, island.numUnknowns);
  double impulse[3], stiffness[4];
  at.setZero();
  for (int c = island.firstContact; c < island.endContact; ++c) {
    const int i = contactOrder_[c];
    Row& row = rows_[i];
    addImpulse(row, contacts[i].impulse.data(), 1, at_);
    row.limit = contacts[i].friction * contacts[i].impulse[0];
    row.lastChange = 0;
    row.piece = impulseAt(contacts[i], row, row.speed, settings.pyramid, impulse, stiffness);
  }
  bool settled = false;
  int round = 0;
  int full = settings.pyramid ? 0 : kFullPasses;  // Full steps that are left.
  const int most = mostPasses(island, kMostPasses * settings.iterations);
  for (int pass = 0; pass < most && !settled; ++pass) {
    ++passes_;
    gradient = at;
    for (int c = island.firstContact; c < island.endContact; ++c) {
      const int i = contactOrder_[c];
      Row& row = rows_[i];
      if (full > 0)
        impulseOn(contacts[i], row, impulse, row.stiffness);
      else
        row.piece = impulseAt(contacts[i], row, row.speed, settings.pyramid, impulse, row.stiffness);
      if (row.piece != 0) addImpulse(row, impulse, -1, gradient_);
    }
    findStep(island);
    const double fraction = full > 0 ? 1 : shareOfStep(island, contacts, settings.pyramid, gradient.dot(step));
    at += fraction * step;
    double largest = 0;
    bool same = fraction == 1, slips = false;
    for (int c = island.firstContact; c < island.endContact; ++c) {
      const int i = contactOrder_[c];
      Row& row = rows_[i];
      const int piece = row.piece;
      slips = slips || (piece & kSlips) || piece >= 8;
      if (full > 0) row.piece = nextPiece(contacts[i], row);
      for (int d = 0; d < 3; ++d) {
        row.speed[d] += fraction * row.change[d];
        largest = std::max(largest, std::abs(fraction * row.change[d]));
      }
      if (full == 0) row.piece = impulseAt(contacts[i], row, row.speed, settings.pyramid, impulse, stiffness);
      same = same && row.piece == piece;
    }
    if (full > 0) --full;
    // On the same pieces, straight as they are while nothing slips, the point is the lowest one. While cones still
    // change, near it is near enough.
    if (!same && (full > 0 || largest > settings.tolerance)) continue;
    const bool lowest = !slips || largest <= settings.tolerance;
    settled = lowest;
    // In the end cones stay as they are.
    if (pass < settings.iterations) settled = followCones(island, contacts, round++) && lowest;
    // What slips slowly turns round within the tolerance, and light bodies feel it.
    if (settled && slips) settled = readImpulses(island, contacts, settings.pyramid);
  }
  if (readImpulses(island, contacts, settings.pyramid) && settled) return;
  ++unsettled_;
  sweepIsland(island, contacts, settings);
}

void ImpulseSolver::solve(const ArticulatedForest& forest, std::vector<ImpulseContact>& contacts,
                          const ImpulseSettings& settings) {
  guesses_.resize(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ImpulseContact& contact = contacts[i];
    Vector3d v = Vector3d::Zero();
    for (const int sign : {1, -1}) {
      const int body = sign > 0 ? contact.bodyA : contact.bodyB;
      if (forest.treeOf(body) < 0) continue;
      const Vector6& velocity = forest.velocity(body);
      v += sign * (velocity.tail<3>() + velocity.head<3>().cross(contact.point - forest.reference(body)));
    }
    for (int d = 0; d < 3; ++d) rows_[i].start[d] = rows_[i].speed[d] = contact.directions[d].dot(v) + contact.drift[d];
    guesses_[i] = contact.impulse;
  }
  passes_ = unsettled_ = 0;
  for (const Island& island : islands_) solveIsland(island, contacts, settings);
}

}  // namespace mortise::ode
