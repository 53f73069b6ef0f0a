/// The row solver's joints that form trees, solved all at once.

#include <algorithm>
#include <cmath>

#include "mortise/rigid_body/row_kernels.h"
#include "mortise/rigid_body/row_solver.h"

namespace mortise::rigid {

namespace {

// Joints that hang on one body are coupled each with each, at a cost of their number cubed; more are left to the
// sweeps.
constexpr int kMaxBranches = 8;

}  // namespace

/// A = L L^T in place, row by row in the lower half; what hardly counts is kept away from 0.
void RowSolver::factorBlock(double* A, int n) {
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

/// x = L^-1 x.
void RowSolver::solveLower(const double* L, int n, double* x) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= L[i * n + k] * x[k];
    x[i] /= L[i * n + i];
  }
}

/// x = L^-T x.
void RowSolver::solveUpper(const double* L, int n, double* x) {
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= L[k * n + i] * x[k];
    x[i] /= L[i * n + i];
  }
}

/// Parts the island's entries into joints that form trees, leaves first, and the rest. All that does not move is one
/// place (so is a robot that stands on it), and a joint that closes a loop belongs to the rest: it could be redundant.
void RowSolver::findForest(std::span<const Entry> entries) {
  forest_.clear();
  rest_.assign(entries.begin(), entries.end());
  int numJoints = 0;
  for (const Entry& entry : entries) numJoints += entry.kind == Kind::joint;
  if (numJoints < 2) return;

  const int world = static_cast<int>(movers_.size());
  const auto place = [&](const SolverBody* end) {
    if (end->mover < 0) return world;
    const ArticulatedBody* robot = movers_[end->mover].articulation;
    return robot != nullptr && robot->fixedBase() ? world : end->mover;
  };
  adjacentStart_.assign(world + 2, 0);
  for (const Entry& entry : entries)
    if (entry.kind == Kind::joint)
      for (const SolverBody* end : joints_[entry.index].ends) ++adjacentStart_[place(end) + 1];
  for (int i = 0; i <= world; ++i) adjacentStart_[i + 1] += adjacentStart_[i];
  adjacent_.resize(adjacentStart_[world + 1]);
  filled_.assign(adjacentStart_.begin(), adjacentStart_.end());
  for (const Entry& entry : entries)
    if (entry.kind == Kind::joint)
      for (const SolverBody* end : joints_[entry.index].ends) adjacent_[filled_[place(end)]++] = entry.index;

  // Breadth first from what does not move, then from the first body of each tree that is left.
  reached_.assign(world + 1, false);
  branches_.assign(movers_.size(), 0);
  forestPlace_.assign(joints_.size(), -1);
  forestParent_.assign(joints_.size(), -1);
  const auto spread = [&](int start) {
    if (reached_[start]) return;
    reached_[start] = true;
    queue_.assign(1, start);
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      const int here = queue_[at];
      for (int k = adjacentStart_[here]; k < adjacentStart_[here + 1]; ++k) {
        const JointBlock& joint = joints_[adjacent_[k]];
        const int side = place(joint.ends[0]) == here ? 0 : 1;
        const int there = place(joint.ends[1 - side]), parent = joint.ends[side]->mover;
        if (reached_[there] || (parent >= 0 && branches_[parent] == kMaxBranches)) continue;
        if (parent >= 0) ++branches_[parent];
        reached_[there] = true;
        queue_.push_back(there);
        forest_.push_back(adjacent_[k]);
        forestParent_[adjacent_[k]] = parent;
        forestPlace_[adjacent_[k]] = 0;
      }
    }
  };
  spread(world);
  for (const Entry& entry : entries)
    if (entry.kind == Kind::joint) spread(place(joints_[entry.index].ends[0]));
  if (forest_.size() < 2) {
    forest_.clear();
    return;
  }
  std::reverse(forest_.begin(), forest_.end());
  for (std::size_t k = 0; k < forest_.size(); ++k) forestPlace_[forest_[k]] = static_cast<int>(k);
  std::erase_if(rest_, [&](const Entry& entry) { return entry.kind == Kind::joint && forestPlace_[entry.index] >= 0; });

  // When a joint is eliminated, what hangs on it is gone: those that share the body nearer to the root are coupled to
  // it, and to each other already, so nothing fills in.
  coupledStart_.assign(1, 0);
  coupled_.clear();
  for (std::size_t k = 0; k < forest_.size(); ++k) {
    const int parent = forestParent_[forest_[k]];
    if (parent >= 0) {
      const int node =
          movers_[parent].articulation != nullptr && movers_[parent].articulation->fixedBase() ? world : parent;
      for (int i = adjacentStart_[node]; i < adjacentStart_[node + 1]; ++i) {
        const JointBlock& other = joints_[adjacent_[i]];
        const int later = forestPlace_[adjacent_[i]];
        if (later > static_cast<int>(k) && (other.ends[0]->mover == parent || other.ends[1]->mover == parent))
          coupled_.push_back(later);
      }
    }
    std::sort(coupled_.begin() + coupledStart_.back(), coupled_.end());
    coupledStart_.push_back(static_cast<int>(coupled_.size()));
  }
}

/// Y_a Y_b^T of the bodies that two joints share.
void RowSolver::couple(const JointBlock& a, const JointBlock& b, double* matrix) {
  std::fill(matrix, matrix + a.numRows * b.numRows, 0.0);
  for (const Side& sideA : a.sides)
    for (const Side& sideB : b.sides) {
      if (sideA.offset < 0 || sideA.offset != sideB.offset) continue;
      const int strideA = stride(sideA.length), strideB = stride(sideB.length);
      for (int i = 0; i < a.numRows; ++i) {
        const double* y = values_.data() + sideA.values + i * strideA;
        if (sideA.index != nullptr) {
          dense_.assign(numW_, 0);
          for (int k = 0; k < sideA.length; ++k) dense_[sideA.index[k]] = y[k];
        }
        for (int j = 0; j < b.numRows; ++j) {
          const double* x = values_.data() + sideB.values + j * strideB;
          double sum = 0;
          if (sideA.index == nullptr)
            multiply1(y, x, 6, &sum);
          else
            for (int k = 0; k < sideB.length; ++k) sum += dense_[sideB.index[k]] * x[k];
          matrix[i * b.numRows + j] += sum;
        }
      }
    }
}

/// Factors the response of all joints of the forest, block by block along the trees.
void RowSolver::factorForest() {
  const int n = static_cast<int>(forest_.size());
  forestDiagonal_.resize(36 * static_cast<std::size_t>(n));
  forestCoupling_.resize(36 * coupled_.size());
  for (int k = 0; k < n; ++k) {
    const JointBlock& joint = joints_[forest_[k]];
    response(joint, joint.numRows, &forestDiagonal_[36 * k]);
    for (int e = coupledStart_[k]; e < coupledStart_[k + 1]; ++e)
      couple(joints_[forest_[coupled_[e]]], joint, &forestCoupling_[36 * e]);
  }
  for (int k = 0; k < n; ++k) {
    const int rows = joints_[forest_[k]].numRows;
    const double* L = &forestDiagonal_[36 * k];
    factorBlock(&forestDiagonal_[36 * k], rows);
    for (int e = coupledStart_[k]; e < coupledStart_[k + 1]; ++e) {
      double* E = &forestCoupling_[36 * e];
      const int rowsE = joints_[forest_[coupled_[e]]].numRows;
      for (int i = 0; i < rowsE; ++i) solveLower(L, rows, E + i * rows);
      for (int f = coupledStart_[k]; f <= e; ++f) {
        const double* F = &forestCoupling_[36 * f];
        const int rowsF = joints_[forest_[coupled_[f]]].numRows;
        double* target = &forestDiagonal_[36 * coupled_[e]];
        if (f < e) {
          int at = coupledStart_[coupled_[f]];
          while (coupled_[at] != coupled_[e]) ++at;
          target = &forestCoupling_[36 * at];
        }
        for (int i = 0; i < rowsE; ++i)
          for (int j = 0; j < rowsF; ++j) {
            double sum = 0;
            for (int l = 0; l < rows; ++l) sum += E[i * rows + l] * F[j * rows + l];
            target[i * rowsF + j] -= sum;
          }
      }
    }
  }
}

/// All joints of the forest reach their targets. Returns by how much they missed them.
double RowSolver::sweepForest() {
  const int n = static_cast<int>(forest_.size());
  forestChange_.resize(6 * static_cast<std::size_t>(n));
  double moved = 0;
  for (int k = 0; k < n; ++k) {
    const JointBlock& joint = joints_[forest_[k]];
    double u[6];
    std::copy(joint.free, joint.free + joint.numRows, u);
    velocityOf(joint, joint.numRows, u);
    for (int i = 0; i < joint.numRows; ++i) {
      forestChange_[6 * k + i] = joint.target[i] - u[i];
      moved = std::max(moved, std::abs(joint.target[i] - u[i]));
    }
  }
  for (int k = 0; k < n; ++k) {
    const int rows = joints_[forest_[k]].numRows;
    double* x = &forestChange_[6 * k];
    solveLower(&forestDiagonal_[36 * k], rows, x);
    for (int e = coupledStart_[k]; e < coupledStart_[k + 1]; ++e) {
      const double* E = &forestCoupling_[36 * e];
      double* y = &forestChange_[6 * coupled_[e]];
      for (int i = 0; i < joints_[forest_[coupled_[e]]].numRows; ++i)
        for (int j = 0; j < rows; ++j) y[i] -= E[i * rows + j] * x[j];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    JointBlock& joint = joints_[forest_[k]];
    const int rows = joint.numRows;
    double* x = &forestChange_[6 * k];
    for (int e = coupledStart_[k]; e < coupledStart_[k + 1]; ++e) {
      const double* E = &forestCoupling_[36 * e];
      const double* y = &forestChange_[6 * coupled_[e]];
      for (int i = 0; i < joints_[forest_[coupled_[e]]].numRows; ++i)
        for (int j = 0; j < rows; ++j) x[j] -= E[i * rows + j] * y[i];
    }
    solveUpper(&forestDiagonal_[36 * k], rows, x);
    for (int i = 0; i < rows; ++i) joint.impulse[i] += x[i];
    push(joint, x, rows);
  }
  return moved;
}

}  // namespace mortise::rigid
