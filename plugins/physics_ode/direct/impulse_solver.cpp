#include "direct/impulse_solver.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace mortise::ode {

namespace {

// Ways to move that are slower than this fraction of the others count as none.
constexpr double kRankTolerance = 1e-10;

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
  if (static_cast<int>(neighbors_.size()) < numGroups_) neighbors_.resize(numGroups_);
  for (int g = 0; g < numGroups_; ++g) {
    neighbors_[g].clear();
    groups_[g].island = -1;
  }
  for (const Row& row : rows_) {
    const int a = row.sides[0].group, b = row.sides[1].group;
    if (a < 0 || b < 0) continue;
    if (std::find(neighbors_[a].begin(), neighbors_[a].end(), b) != neighbors_[a].end()) continue;
    neighbors_[a].push_back(b);
    neighbors_[b].push_back(a);
  }
  islands_.clear();
  groupOrder_.clear();
  const auto degree = [&](int g) { return neighbors_[g].size(); };
  const auto spread = [&](int start, int mark) {  // Returns the group that is reached last.
    groupOrder_.push_back(start);
    groups_[start].island = mark;
    for (std::size_t at = groupOrder_.size() - 1; at < groupOrder_.size(); ++at) {
      const std::size_t first = groupOrder_.size();
      for (const int next : neighbors_[groupOrder_[at]])
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
    for (const int other : neighbors_[g]) firstLinked_[g] = std::min(firstLinked_[g], groups_[other].offset);
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

}  // namespace mortise::ode
