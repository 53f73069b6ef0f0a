#pragma once

/// DART's constraints and its constraint solver, with what the adapter has to know of them.

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine.h"

namespace mortise::dart {

/// DART's contact. Debian builds DART with its assertions, one of which ends the process when the two halves of a
/// contact's block of the LCP matrix differ by 1e-6, which rounding alone does for very light bodies; so the lower half
/// is a copy of the upper one.
class Contact final : public con::ContactConstraint {
 public:
  Contact(col::Contact& contact, double timeStep) : ContactConstraint(contact, timeStep) {}

 protected:
  void applyUnitImpulse(std::size_t row) override {
    row_ = row;
    ContactConstraint::applyUnitImpulse(row);
  }
  void getVelocityChange(double* change, bool ofOwnImpulse) override;

 private:
  std::size_t row_ = 0;
  std::array<std::array<double, 3>, 3> block_{};
};

/// One of DART's joints that close loops. Its last impulses, from which projected Gauss-Seidel starts, are private in
/// DART; they are kept here, too, so that snapshots can hold them.
template <typename Base>
class LoopJoint final : public Base {
 public:
  using Base::Base;
  std::array<double, 6> impulses{};

 protected:
  void getInformation(con::ConstraintInfo* info) override {
    Base::getInformation(info);
    for (std::size_t i = 0; i < Base::mDim; ++i) info->x[i] = impulses[i];
  }
  void applyUnitImpulse(std::size_t row) override {
    row_ = row;
    Base::applyUnitImpulse(row);
  }
  void getVelocityChange(double* change, bool ofOwnImpulse) override {
    Base::getVelocityChange(change, ofOwnImpulse);
    if (!ofOwnImpulse) return;
    for (std::size_t i = 0; i < Base::mDim; ++i)
      if (i < row_)
        change[i] = block_[i][row_];
      else
        block_[row_][i] = change[i];
  }
  void applyImpulse(double* lambda) override {
    for (std::size_t i = 0; i < Base::mDim; ++i) impulses[i] = lambda[i];
    Base::applyImpulse(lambda);
  }

 private:
  std::size_t row_ = 0;
  std::array<std::array<double, 6>, 6> block_{};
};

/// DART's constraint solver. Counts what it solves and reads, after each solution, the impulses of joints.
class Solver final : public con::BoxedLcpConstraintSolver {
 public:
  using BoxedLcpConstraintSolver::BoxedLcpConstraintSolver;

  /// Impulses along the axis of a joint in the last step, N*m*s or N*s.
  struct AxisImpulse {
    double servo = 0, stop = 0, friction = 0;
  };

  /// Constraints of the next step in place of those of the last one.
  void clearConstraints() {
    mManualConstraints.clear();
    listed_ = false;
  }
  /// From then on: contacts come from elsewhere.
  void findNoContacts(col::CollisionDetector& detector) {
    mCollisionGroup = detector.createCollisionGroupAsSharedPtr();
  }
  void add(con::ConstraintBasePtr constraint) { mManualConstraints.push_back(std::move(constraint)); }
  /// Sets where impulses along a joint's axis are written; each joint has one degree of freedom. Null: nowhere.
  void watch(const dyn::Joint* joint, AxisImpulse* out);

  std::uint64_t groups() const { return groups_; }
  std::uint64_t rows() const { return rows_; }
  std::size_t largest() const { return largest_; }
  /// Groups that Dantzig's method broke off with an internal error; the secondary solver took them.
  std::uint64_t brokenOff() const { return brokenOff_; }

 protected:
  void solveConstrainedGroup(con::ConstrainedGroup& group) override;

 private:
  struct Watched {
    const dyn::Joint* joint;
    AxisImpulse* out;
  };
  AxisImpulse* find(const dyn::Joint* joint) const;
  void readJoints(con::ConstrainedGroup& group);
  /// Joints that have a constraint of the kind, in the order in which DART makes these.
  template <typename Has>
  void list(Has has, std::vector<const dyn::Joint*>& out) const;

  std::vector<Watched> watched_;  ///< Sorted by joint.
  std::vector<const dyn::Joint*> ofConstraints_, ofFrictions_;
  bool listed_ = false;  ///< They are of this step.
  std::uint64_t groups_ = 0, rows_ = 0, brokenOff_ = 0;
  std::size_t largest_ = 0;
};

}  // namespace mortise::dart
