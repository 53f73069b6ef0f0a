#include "impulse_solver.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace mortise::ode {

namespace {

// Ways to move that are slower than this share of the others count as none.
constexpr double kRankTolerance = 1e-10;
// Times after which the cones follow by halves only, in case they run around in circles.
constexpr int kFreeRounds = 12;
// Cones whose sizes change by less than this share of them stay.
constexpr double kConeTolerance = 1e-3;
// Passes, in times of the iterations asked for, until the impulses of the last one are taken as they are.
constexpr int kMostPasses = 4;
constexpr int kLineSteps = 30;
constexpr double kLineTolerance = 0.01;
constexpr double kLeastSlope = 1e-20;

using Map = Eigen::Map<VectorXd>;
using ConstMap = Eigen::Map<const VectorXd>;

}  // namespace

/// Groups, in the order of their first contact, and which of their bodies are touched.
void ImpulseSolver::findGroups(const ArticulatedForest& forest, const std::vector<ImpulseContact>& contacts) {
  groupOfTree_.assign(forest.numTrees(), -1);
  slotOfBody_.assign(forest.numBodies(), -1);
  touched_.clear();
  numGroups_ = 0;
  for (const ImpulseContact& contact : contacts)
    for (const int body : {contact.bodyA, contact.bodyB}) {
      const int tree = forest.treeOf(body);
      if (tree < 0 || slotOfBody_[body] >= 0) continue;
      if (groupOfTree_[tree] < 0) {
        groupOfTree_[tree] = numGroups_;
        if (numGroups_ == static_cast<int>(groups_.size())) groups_.emplace_back();
        groups_[numGroups_].tree = tree;
        groups_[numGroups_].bodies.clear();
        touched_.push_back(tree);
        ++numGroups_;
      }
      Group& group = groups_[groupOfTree_[tree]];
      slotOfBody_[body] = static_cast<int>(group.bodies.size());
      group.bodies.push_back(body);
    }
}

/// response = basis basis^T by Cholesky's method with pivots, in units in which all diagonals are 1. What is left when
/// no pivot is worth it are combinations that joints do not allow.
void ImpulseSolver::factorResponse(Group& group) {
  const int n = group.size;
  Eigen::Map<Eigen::MatrixXd> R(responses_.data(), n, n);
  work_.resize(2 * static_cast<std::size_t>(n));
  double* scale = work_.data();
  double* left = work_.data() + n;
  for (int i = 0; i < n; ++i) {
    scale[i] = R(i, i) > 0 ? std::sqrt(R(i, i)) : 0;
    left[i] = R(i, i) > 0 ? 1 : 0;
  }
  group.basis = bases_.size();
  bases_.resize(group.basis + static_cast<std::size_t>(n) * n);
  Eigen::Map<Eigen::MatrixXd> B(bases_.data() + group.basis, n, n);
  int rank = 0;
  for (; rank < n; ++rank) {
    int pivot = 0;
    for (int i = 1; i < n; ++i)
      if (left[i] > left[pivot]) pivot = i;
    if (!(left[pivot] > kRankTolerance)) break;
    const double root = std::sqrt(left[pivot]);
    for (int i = 0; i < n; ++i) {
      if (scale[i] == 0) {
        B(i, rank) = 0;
        continue;
      }
      double sum = R(i, pivot) / (scale[i] * scale[pivot]);
      for (int k = 0; k < rank; ++k) sum -= B(i, k) * B(pivot, k);
      B(i, rank) = sum / root;
      left[i] -= B(i, rank) * B(i, rank);
    }
    left[pivot] = 0;
  }
  group.rank = rank;
  for (int k = 0; k < rank; ++k)
    for (int i = 0; i < n; ++i) B(i, k) *= scale[i];
  bases_.resize(group.basis + static_cast<std::size_t>(n) * rank);
}

void ImpulseSolver::prepare(ArticulatedForest& forest, const std::vector<ImpulseContact>& contacts) {
  findGroups(forest, contacts);
  bases_.clear();
  for (int g = 0; g < numGroups_; ++g) {
    Group& group = groups_[g];
    group.size = 6 * static_cast<int>(group.bodies.size());
    responses_.resize(static_cast<std::size_t>(group.size) * group.size);
    forest.response(group.tree, group.bodies, responses_.data());
    factorResponse(group);
  }
  rows_.resize(contacts.size());
  jacobians_.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ImpulseContact& contact = contacts[i];
    Row& row = rows_[i];
    for (int s = 0; s < 2; ++s) {
      Side& side = row.sides[s];
      side = {};
      const int body = s == 0 ? contact.bodyA : contact.bodyB;
      const int tree = forest.treeOf(body);
      if (tree < 0) continue;
      const int index = groupOfTree_[tree];
      const Group& group = groups_[index];
      // Two bodies of one group make one side.
      const bool second = s == 1 && row.sides[0].group == index;
      if (!second) {
        side.group = index;
        side.jacobian = jacobians_.size();
        jacobians_.resize(side.jacobian + 3 * static_cast<std::size_t>(group.rank), 0.0);
      }
      double* J = jacobians_.data() + (second ? row.sides[0].jacobian : side.jacobian);
      const double* basis = bases_.data() + group.basis + static_cast<std::size_t>(6) * slotOfBody_[body];
      const Vector3d arm = contact.point - forest.reference(body);
      for (int d = 0; d < 3; ++d) {
        const Vector3d direction = s == 0 ? contact.directions[d] : Vector3d(-contact.directions[d]);
        const Vector3d moment = arm.cross(direction);
        for (int k = 0; k < group.rank; ++k) {
          const double* b = basis + static_cast<std::size_t>(k) * group.size;
          J[d * group.rank + k] += moment.x() * b[0] + moment.y() * b[1] + moment.z() * b[2] + direction.x() * b[3] +
                                   direction.y() * b[4] + direction.z() * b[5];
        }
      }
    }
  }
  findIslands();
}

/// Groups that contacts connect are solved together. Within an island they are numbered by breadth, so that those in
/// touch have numbers near each other (Cuthill and McKee).
void ImpulseSolver::findIslands() {
  if (static_cast<int>(neighbours_.size()) < numGroups_) neighbours_.resize(numGroups_);
  for (int g = 0; g < numGroups_; ++g) {
    neighbours_[g].clear();
    groups_[g].island = -1;
  }
  for (const Row& row : rows_) {
    const int a = row.sides[0].group, b = row.sides[1].group;
    if (a < 0 || b < 0) continue;
    if (std::find(neighbours_[a].begin(), neighbours_[a].end(), b) != neighbours_[a].end()) continue;
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
  }
  islands_.clear();
  groupOrder_.clear();
  const auto degree = [&](int g) { return neighbours_[g].size(); };
  const auto spread = [&](int start, int mark) {  // Returns the group that is reached last.
    groupOrder_.push_back(start);
    groups_[start].island = mark;
    for (std::size_t at = groupOrder_.size() - 1; at < groupOrder_.size(); ++at) {
      const std::size_t first = groupOrder_.size();
      for (const int next : neighbours_[groupOrder_[at]])
        if (groups_[next].island != mark) {
          groups_[next].island = mark;
          groupOrder_.push_back(next);
        }
      std::sort(groupOrder_.begin() + static_cast<std::ptrdiff_t>(first), groupOrder_.end(),
                [&](int x, int y) { return degree(x) != degree(y) ? degree(x) < degree(y) : x < y; });
    }
    return groupOrder_.back();
  };
  int unknowns = 0;
  for (int g = 0; g < numGroups_; ++g) {
    if (groups_[g].island >= 0) continue;
    Island island;
    island.firstGroup = static_cast<int>(groupOrder_.size());
    // From an end of the island: the group that a first spread reaches last.
    const int end = spread(g, numGroups_);
    groupOrder_.resize(island.firstGroup);
    spread(end, static_cast<int>(islands_.size()));
    island.endGroup = static_cast<int>(groupOrder_.size());
    island.firstUnknown = unknowns;
    for (int k = island.firstGroup; k < island.endGroup; ++k) {
      groups_[groupOrder_[k]].offset = unknowns;
      unknowns += groups_[groupOrder_[k]].rank;
    }
    island.numUnknowns = unknowns - island.firstUnknown;
    islands_.push_back(island);
  }
  at_.resize(unknowns);
  gradient_.resize(unknowns);
  step_.resize(unknowns);

  // Contacts by island, in their order.
  contactOrder_.resize(rows_.size());
  for (Island& island : islands_) island.endContact = 0;
  const auto islandOf = [&](const Row& row) {
    return groups_[row.sides[0].group >= 0 ? row.sides[0].group : row.sides[1].group].island;
  };
  for (const Row& row : rows_) ++islands_[islandOf(row)].endContact;
  int next = 0;
  for (Island& island : islands_) {
    island.firstContact = next;
    next += island.endContact;
    island.endContact = island.firstContact;
  }
  for (std::size_t i = 0; i < rows_.size(); ++i)
    contactOrder_[islands_[islandOf(rows_[i])].endContact++] = static_cast<int>(i);
}

void ImpulseSolver::prepareMatrix(const Island& island) {
  firstLinked_.resize(numGroups_);
  for (int k = island.firstGroup; k < island.endGroup; ++k) {
    const int g = groupOrder_[k];
    firstLinked_[g] = groups_[g].offset;
    for (const int other : neighbours_[g]) firstLinked_[g] = std::min(firstLinked_[g], groups_[other].offset);
  }
  rowFirst_.resize(island.numUnknowns);
  rowStart_.resize(island.numUnknowns);
  std::size_t size = 0;
  for (int k = island.firstGroup; k < island.endGroup; ++k) {
    const Group& group = groups_[groupOrder_[k]];
    for (int i = 0; i < group.rank; ++i) {
      const int row = group.offset - island.firstUnknown + i;
      rowFirst_[row] = firstLinked_[groupOrder_[k]] - island.firstUnknown;
      rowStart_[row] = size;
      size += static_cast<std::size_t>(row - rowFirst_[row] + 1);
    }
  }
  matrix_.resize(size);
}

/// The matrix at the present stiffnesses: identity plus J^T stiffness J.
void ImpulseSolver::assemble(const Island& island) {
  std::fill(matrix_.begin(), matrix_.end(), 0.0);
  for (int i = 0; i < island.numUnknowns; ++i) matrix_[rowStart_[i] + static_cast<std::size_t>(i - rowFirst_[i])] = 1;
  for (int c = island.firstContact; c < island.endContact; ++c) {
    const Row& row = rows_[contactOrder_[c]];
    if (row.piece == 0) continue;
    const double* k = row.stiffness;
    for (const Side& side : row.sides) {
      if (side.group < 0) continue;
      const Group& a = groups_[side.group];
      const double* J = jacobians_.data() + side.jacobian;
      for (int i = 0; i < a.rank; ++i) {
        const double x = k[0] * J[i];
        const double y = k[1] * J[a.rank + i] + k[2] * J[2 * a.rank + i];
        const double z = k[2] * J[a.rank + i] + k[3] * J[2 * a.rank + i];
        const int target = a.offset - island.firstUnknown + i;
        for (const Side& other : row.sides) {
          if (other.group < 0) continue;
          const Group& b = groups_[other.group];
          if (b.offset > a.offset) continue;
          const double* K = jacobians_.data() + other.jacobian;
          double* to = matrix_.data() + rowStart_[target] + (b.offset - island.firstUnknown - rowFirst_[target]);
          const int n = other.group == side.group ? i + 1 : b.rank;
          for (int j = 0; j < n; ++j) to[j] += x * K[j] + y * K[b.rank + j] + z * K[2 * b.rank + j];
        }
      }
    }
  }
}

/// Cholesky's method within the envelope.
void ImpulseSolver::factorMatrix(const Island& island) {
  for (int i = 0; i < island.numUnknowns; ++i) {
    double* row = matrix_.data() + rowStart_[i] - rowFirst_[i];
    for (int j = rowFirst_[i]; j <= i; ++j) {
      const double* other = matrix_.data() + rowStart_[j] - rowFirst_[j];
      const int from = std::max(rowFirst_[i], rowFirst_[j]);
      const double sum = row[j] - ConstMap(row + from, j - from).dot(ConstMap(other + from, j - from));
      row[j] = j < i ? sum * other[j] : 1 / std::sqrt(sum);  // The diagonal keeps its inverse.
    }
  }
}

void ImpulseSolver::solveMatrix(const Island& island, double* x) const {
  for (int i = 0; i < island.numUnknowns; ++i) {
    const double* row = matrix_.data() + rowStart_[i] - rowFirst_[i];
    const int from = rowFirst_[i];
    x[i] = (x[i] - ConstMap(row + from, i - from).dot(ConstMap(x + from, i - from))) * row[i];
  }
  for (int i = island.numUnknowns; i-- > 0;) {
    const double* row = matrix_.data() + rowStart_[i] - rowFirst_[i];
    x[i] *= row[i];
    const int from = rowFirst_[i];
    Map(x + from, i - from) -= x[i] * ConstMap(row + from, i - from);
  }
}

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
  const double share = row.limit / size;
  impulse[1] = share * x;
  impulse[2] = share * y;
  const double u = x / size, v = y / size;
  stiffness[1] = k * share * (1 - u * u);
  stiffness[2] = -k * share * u * v;
  stiffness[3] = k * share * (1 - v * v);
  return 2 + piece;
}

/// Of the function that is minimised, along the step, after a share of it.
double ImpulseSolver::slope(const Island& island, const std::vector<ImpulseContact>& contacts, bool pyramid,
                            double share) const {
  const ConstMap at(at_.data() + island.firstUnknown, island.numUnknowns);
  const ConstMap step(step_.data() + island.firstUnknown, island.numUnknowns);
  double sum = step.dot(at) + share * step.squaredNorm();
  for (int c = island.firstContact; c < island.endContact; ++c) {
    const int i = contactOrder_[c];
    const Row& row = rows_[i];
    double speed[3], impulse[3], stiffness[4];
    for (int d = 0; d < 3; ++d) speed[d] = row.speed[d] + share * row.change[d];
    if (impulseAt(contacts[i], row, speed, pyramid, impulse, stiffness) == 0) continue;
    for (int d = 0; d < 3; ++d) sum -= impulse[d] * row.change[d];
  }
  return sum;
}

void ImpulseSolver::solveIsland(const Island& island, std::vector<ImpulseContact>& contacts,
                                const ImpulseSettings& settings) {
  prepareMatrix(island);
  Map at(at_.data() + island.firstUnknown, island.numUnknowns);
  Map gradient(gradient_.data() + island.firstUnknown, island.numUnknowns);
  Map step(step_.data() + island.firstUnknown, island.numUnknowns);
  const auto addImpulse = [&](const Row& row, const double* impulse, double sign, std::vector<double>& to) {
    for (const Side& side : row.sides) {
      if (side.group < 0) continue;
      const Group& group = groups_[side.group];
      const double* J = jacobians_.data() + side.jacobian;
      for (int d = 0; d < 3; ++d)
        if (impulse[d] != 0)
          for (int k = 0; k < group.rank; ++k) to[group.offset + k] += sign * impulse[d] * J[d * group.rank + k];
    }
  };
  at.setZero();
  for (int c = island.firstContact; c < island.endContact; ++c) {
    const int i = contactOrder_[c];
    addImpulse(rows_[i], contacts[i].impulse.data(), 1, at_);
    rows_[i].limit = contacts[i].friction * contacts[i].impulse[0];
  }
  bool settled = false;
  int rounds = 0;
  for (int pass = 0; pass < kMostPasses * settings.iterations && !settled; ++pass) {
    ++passes_;
    gradient = at;
    for (int c = island.firstContact; c < island.endContact; ++c) {
      const int i = contactOrder_[c];
      Row& row = rows_[i];
      double impulse[3];
      row.piece = impulseAt(contacts[i], row, row.speed, settings.pyramid, impulse, row.stiffness);
      if (row.piece != 0) addImpulse(row, impulse, -1, gradient_);
    }
    assemble(island);
    factorMatrix(island);
    step = -gradient;
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
    // The function is convex: its slope along the step rises from below zero, and the step ends where it is about zero.
    // Friction that comes to hold makes the slope jump, so intervals are halved now and then.
    const double start = gradient.dot(step);
    double share = 1;
    if (start < -kLeastSlope) {
      double low = 0, high = 1, atLow = start, atHigh = slope(island, contacts, settings.pyramid, 1);
      bool found = atHigh <= -kLineTolerance * start;
      for (int k = 0; k < kLineSteps && !found; ++k) {
        share = k % 3 == 2 ? 0.5 * (low + high) : low + (high - low) * std::clamp(atLow / (atLow - atHigh), 0.01, 0.99);
        const double here = slope(island, contacts, settings.pyramid, share);
        found = std::abs(here) <= -kLineTolerance * start;
        (here > 0 ? high : low) = share;
        (here > 0 ? atHigh : atLow) = here;
      }
      if (!found) share = low > 0 ? low : high;
    }
    at += share * step;
    double largest = 0;
    bool same = share == 1, slips = false;
    for (int c = island.firstContact; c < island.endContact; ++c) {
      const int i = contactOrder_[c];
      Row& row = rows_[i];
      for (int d = 0; d < 3; ++d) {
        row.speed[d] += share * row.change[d];
        largest = std::max(largest, std::abs(share * row.change[d]));
      }
      double impulse[3], stiffness[4];
      same = impulseAt(contacts[i], row, row.speed, settings.pyramid, impulse, stiffness) == row.piece && same;
      slips = slips || row.piece == 2 || row.piece == 3 || row.piece > 9;
    }
    // On the same pieces, straight as they are while nothing slips, the point is the lowest one. While cones still
    // change, near it is near enough.
    const bool lowest = (same && !slips) || largest <= settings.tolerance;
    if (!lowest && !same) continue;
    settled = lowest;
    if (pass >= settings.iterations) continue;  // Cones stay as they are.
    ++rounds;
    for (int c = island.firstContact; c < island.endContact; ++c) {
      const int i = contactOrder_[c];
      const ImpulseContact& contact = contacts[i];
      Row& row = rows_[i];
      double limit = contact.friction * std::max(0.0, (contact.speed - row.speed[0]) / contact.mixing);
      if (rounds > kFreeRounds) limit = 0.5 * (limit + row.limit);
      double impulse[3], stiffness[4];
      const int before = impulseAt(contact, row, row.speed, settings.pyramid, impulse, stiffness);
      const double change = std::abs(limit - row.limit);
      if (lowest && change <= kConeTolerance * limit + 1e-12) continue;
      row.limit = limit;
      const int after = impulseAt(contact, row, row.speed, settings.pyramid, impulse, stiffness);
      // The size of a cone matters only to friction that slips.
      const bool holds =
          before == after && (after == 0 || after == 1 || after == 4 || after == 5 || after == 8 || after == 9);
      if (!holds) settled = false;
    }
  }
  if (!settled) ++unsettled_;
  for (int c = island.firstContact; c < island.endContact; ++c) {
    const int i = contactOrder_[c];
    double stiffness[4];
    impulseAt(contacts[i], rows_[i], rows_[i].speed, settings.pyramid, contacts[i].impulse.data(), stiffness);
  }
}

void ImpulseSolver::solve(const ArticulatedForest& forest, std::vector<ImpulseContact>& contacts,
                          const ImpulseSettings& settings) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ImpulseContact& contact = contacts[i];
    Vector3d v = Vector3d::Zero();
    for (const int sign : {1, -1}) {
      const int body = sign > 0 ? contact.bodyA : contact.bodyB;
      if (forest.treeOf(body) < 0) continue;
      const Vector6& velocity = forest.velocity(body);
      v += sign * (velocity.tail<3>() + velocity.head<3>().cross(contact.point - forest.reference(body)));
    }
    for (int d = 0; d < 3; ++d) rows_[i].speed[d] = contact.directions[d].dot(v) + contact.drift[d];
  }
  passes_ = unsettled_ = 0;
  for (const Island& island : islands_) solveIsland(island, contacts, settings);
}

}  // namespace mortise::ode
