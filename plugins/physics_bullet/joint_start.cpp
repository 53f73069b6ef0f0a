#include "joint_start.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <algorithm>
#include <cmath>

namespace mortise::bullet {

namespace {

/// Passes in which all rows that contradict their bounds change sides at once, and after them one row a pass.
constexpr int kPasses = 15;
constexpr int kSinglePasses = 60;
/// Passes after sweeps, which have already found the rows at their bounds.
constexpr int kPassesAgain = 8;
/// Rows of one joint without softness, its friction and its stop, act alike: this keeps them apart.
constexpr double kMinSoftness = 1e-10;

}  // namespace

bool JointStart::isJointRow(const btMultiBodySolverConstraint& row) {
  if (row.m_multiBodyA == nullptr || (row.m_multiBodyB != nullptr && row.m_multiBodyB != row.m_multiBodyA))
    return false;
  if (row.m_orgConstraint == nullptr || row.m_orgConstraint->getLinkA() < 0) return false;
  const int type = row.m_orgConstraint->getConstraintType();
  return type == MULTIBODY_CONSTRAINT_1DOF_JOINT_MOTOR || type == MULTIBODY_CONSTRAINT_LIMIT;
}

void JointStart::apply(btMultiBodyConstraintArray& rows, btMultiBodyJacobianData& data) {
  done_.assign(rows.size(), 0);
  for (int i = 0; i < rows.size(); ++i)
    if (!done_[i] && isJointRow(rows[i])) applyTo(rows, data, i);
}

/// The rows of one robot.
void JointStart::applyTo(btMultiBodyConstraintArray& rows, btMultiBodyJacobianData& data, int first) {
  collect(rows, data, first);
  fillMatrix(data);
  const bool again = std::any_of(rows_.begin(), rows_.end(), [](const Row& r) { return r.row->m_appliedImpulse != 0; });
  if (!solve(again) && again) return;  // What sweeps have found is better then.
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    btMultiBodySolverConstraint& row = *rows_[k].row;
    const double total = std::clamp(impulses_[k], row.m_lowerLimit, row.m_upperLimit);
    const double impulse = total - row.m_appliedImpulse;
    if (!std::isfinite(impulse) || impulse == 0) continue;
    row.m_appliedImpulse = total;
    btMultiBody& body = *row.m_multiBodyA;
    btScalar* response = &data.m_deltaVelocitiesUnitImpulse[row.m_jacAindex];
    for (int i = 0; i < 6 + body.getNumDofs(); ++i)
      data.m_deltaVelocities[row.m_deltaVelAindex + i] += impulse * response[i];
    body.applyDeltaVeeMultiDof2(response, impulse);
  }
}

void JointStart::collect(btMultiBodyConstraintArray& rows, btMultiBodyJacobianData& data, int first) {
  rows_.clear();
  const btMultiBody* body = rows[first].m_multiBodyA;
  for (int i = first; i < rows.size(); ++i) {
    btMultiBodySolverConstraint& row = rows[i];
    if (row.m_multiBodyA != body || !isJointRow(row)) continue;
    done_[i] = 1;
    const int dof = 6 + body->getLink(row.m_orgConstraint->getLinkA()).m_dofOffset;
    const double sign = data.m_jacobians[row.m_jacAindex + dof];
    // Changes by contacts count, too.
    const double velocity = row.m_rhs / row.m_jacDiagABInv - sign * data.m_deltaVelocities[row.m_deltaVelAindex + dof];
    rows_.push_back({&row, dof, sign, velocity});
  }
}

void JointStart::fillMatrix(const btMultiBodyJacobianData& data) {
  const int n = static_cast<int>(rows_.size());
  matrix_.resize(n, n);
  for (int j = 0; j < n; ++j) {
    const btScalar* response = &data.m_deltaVelocitiesUnitImpulse[rows_[j].row->m_jacAindex];
    for (int i = 0; i < n; ++i) matrix_(i, j) = rows_[i].sign * response[rows_[i].dof];
    // The row's impulse so far is in the velocities already.
    if (const double given = rows_[j].row->m_appliedImpulse; given != 0)
      for (int i = 0; i < n; ++i) rows_[i].velocity += matrix_(i, j) * given;
    const double own = matrix_(j, j), softness = rows_[j].row->m_cfm / rows_[j].row->m_jacDiagABInv;
    matrix_(j, j) += std::max(softness, kMinSoftness * own);
  }
}

/// Which rows are at their bounds is found by principal pivoting: the others are solved, and rows whose impulse is then
/// out of bounds, or which a bound holds the wrong way, change sides (Judice and Pires, 1994).
bool JointStart::solve(bool again) {
  bounds_.assign(rows_.size(), Bound::none);
  impulses_.setZero(static_cast<Eigen::Index>(rows_.size()));
  if (again)
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const btMultiBodySolverConstraint& row = *rows_[i].row;
      if (row.m_appliedImpulse <= row.m_lowerLimit)
        bounds_[i] = Bound::lower;
      else if (row.m_appliedImpulse >= row.m_upperLimit)
        bounds_[i] = Bound::upper;
    }
  const int passes = again ? kPassesAgain : kPasses + kSinglePasses;
  for (int pass = 0; pass < passes; ++pass) {
    const bool solved = solveFree();
    if (!move(pass >= kPasses)) return solved;
  }
  return false;
}

bool JointStart::solveFree() {
  free_.clear();
  for (int i = 0; i < static_cast<int>(rows_.size()); ++i) {
    if (bounds_[i] == Bound::none)
      free_.push_back(i);
    else
      impulses_[i] = bounds_[i] == Bound::lower ? rows_[i].row->m_lowerLimit : rows_[i].row->m_upperLimit;
  }
  const int n = static_cast<int>(free_.size());
  freeMatrix_.resize(n, n);
  freePart_.resize(n);
  for (int k = 0; k < n; ++k) {
    freePart_[k] = rows_[free_[k]].velocity;
    for (int i = 0; i < static_cast<int>(rows_.size()); ++i)
      if (bounds_[i] != Bound::none) freePart_[k] -= matrix_(free_[k], i) * impulses_[i];
    for (int i = 0; i < n; ++i) freeMatrix_(i, k) = matrix_(free_[i], free_[k]);
  }
  factor_.compute(freeMatrix_);
  const bool factored = factor_.info() == Eigen::Success;
  if (factored)
    factor_.solveInPlace(freePart_);
  else
    freePart_.setZero();
  for (int k = 0; k < n; ++k) impulses_[free_[k]] = freePart_[k];
  return factored;
}

/// Rows change sides; all that must, or only the last one of them. False when none must.
bool JointStart::move(bool oneOnly) {
  bool moved = false;
  for (int i = static_cast<int>(rows_.size()); i-- > 0 && !(moved && oneOnly);) {
    const btMultiBodySolverConstraint& row = *rows_[i].row;
    if (bounds_[i] == Bound::none) {
      if (impulses_[i] >= row.m_lowerLimit && impulses_[i] <= row.m_upperLimit) continue;
      bounds_[i] = impulses_[i] < row.m_lowerLimit ? Bound::lower : Bound::upper;
      moved = true;
      continue;
    }
    const double rest = rows_[i].velocity - matrix_.row(i).dot(impulses_);
    if (bounds_[i] == Bound::lower ? rest > 0 : rest < 0) {
      bounds_[i] = Bound::none;
      moved = true;
    }
  }
  return moved;
}

}  // namespace mortise::bullet
