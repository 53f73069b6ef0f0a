#include "constraints.h"

#include <algorithm>

#include "lcp_messages.h"
#include "mortise/base/error.h"

namespace mortise::dart {

namespace {

/// DART's infinity is either the largest number or the infinite one.
constexpr double kUnbounded = 1e100;

}  // namespace

void Contact::getVelocityChange(double* change, bool ofOwnImpulse) {
  ContactConstraint::getVelocityChange(change, ofOwnImpulse);
  if (!ofOwnImpulse) return;
  for (std::size_t i = 0; i < mDim; ++i)
    if (i < row_)
      change[i] = block_[i][row_];
    else
      block_[row_][i] = change[i];
}

void Solver::watch(const dyn::Joint* joint, AxisImpulse* out) {
  const auto at = std::lower_bound(watched_.begin(), watched_.end(), joint,
                                   [](const Watched& a, const dyn::Joint* b) { return std::less<>()(a.joint, b); });
  watched_.insert(at, {joint, out});
}

Solver::AxisImpulse* Solver::find(const dyn::Joint* joint) const {
  const auto at = std::lower_bound(watched_.begin(), watched_.end(), joint,
                                   [](const Watched& a, const dyn::Joint* b) { return std::less<>()(a.joint, b); });
  return at != watched_.end() && at->joint == joint ? at->out : nullptr;
}

template <typename Has>
void Solver::list(Has has, std::vector<const dyn::Joint*>& out) const {
  out.clear();
  for (const dyn::SkeletonPtr& skeleton : mSkeletons)
    for (std::size_t j = 0; j < skeleton->getNumJoints(); ++j) {
      const dyn::Joint* joint = skeleton->getJoint(j);
      if (!joint->isKinematic() && has(*joint)) out.push_back(joint);
    }
}

/// DART keeps no record of which constraint gave which part of a joint's impulse, but the solution of the LCP is still
/// here.
void Solver::readJoints(con::ConstrainedGroup& group) {
  if (mJointConstraints.empty() && mJointCoulombFrictionConstraints.empty()) return;
  if (!listed_) {
    list([](const dyn::Joint& j) { return j.areLimitsEnforced() || j.getActuatorType() == dyn::Joint::SERVO; },
         ofConstraints_);
    list([](const dyn::Joint& j) { return j.getNumDofs() > 0 && j.getCoulombFriction(0) != 0; }, ofFrictions_);
    listed_ = true;
  }
  // Constraints of a group keep the order of DART's lists.
  std::size_t joint = 0, friction = 0;
  for (std::size_t i = 0; i < group.getNumConstraints(); ++i) {
    const con::ConstraintBase* constraint = group.getConstraint(i).get();
    const auto row = mOffset[static_cast<Eigen::Index>(i)];
    std::size_t k = joint;
    while (k < mJointConstraints.size() && mJointConstraints[k].get() != constraint) ++k;
    if (k < mJointConstraints.size()) {
      joint = k + 1;
      AxisImpulse* out = find(ofConstraints_.at(k));
      const bool stop = (mLo[row] == 0 && mHi[row] > kUnbounded) || (mHi[row] == 0 && mLo[row] < -kUnbounded);
      if (out != nullptr) (stop ? out->stop : out->servo) = mX[row];
      continue;
    }
    k = friction;
    while (k < mJointCoulombFrictionConstraints.size() && mJointCoulombFrictionConstraints[k].get() != constraint) ++k;
    if (k == mJointCoulombFrictionConstraints.size()) continue;
    friction = k + 1;
    if (AxisImpulse* out = find(ofFrictions_.at(k))) out->friction = mX[row];
  }
}

void Solver::solveConstrainedGroup(con::ConstrainedGroup& group) {
  const std::size_t rows = group.getTotalDimension();
  ++groups_;
  rows_ += rows;
  largest_ = std::max(largest_, rows);
  try {
    BoxedLcpConstraintSolver::solveConstrainedGroup(group);
  } catch (const LcpBreakdown& breakdown) {
    ++brokenOff_;
    if (mSecondaryBoxedLcpSolver == nullptr)
      throw Error("DART's LCP solver broke off: " + breakdown.message, {}, "set secondary_lcp_solver: pgs");
    const con::BoxedLcpSolverPtr primary = mBoxedLcpSolver;
    mBoxedLcpSolver = mSecondaryBoxedLcpSolver;
    try {
      BoxedLcpConstraintSolver::solveConstrainedGroup(group);
    } catch (const LcpBreakdown&) {
      mBoxedLcpSolver = primary;
      throw Error("DART's LCP solvers broke off: " + breakdown.message);
    }
    mBoxedLcpSolver = primary;
  }
  if (rows > 0) readJoints(group);
}

}  // namespace mortise::dart
