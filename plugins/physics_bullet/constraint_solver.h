#pragma once

#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyMLCPConstraintSolver.h>
#include <cstdint>
#include <vector>

#include "joint_start.h"

namespace mortise::bullet {

/// Bullet's sequential impulses. Sweeps over the rows of stiff drives of a chain converge slowly, and Bullet starts
/// them from nothing in each step; here they start from what the drives, frictions and stops of each robot would do
/// without contacts. Where there are none the first sweep changes nothing. Where there are some, the rows of a robot's
/// joints are solved together once more after the last sweep, so that drives keep their law under a load.
class SequentialSolver final : public btMultiBodyConstraintSolver {
 public:
  /// Returns how often iterations ran out before the residual came below its threshold, where there is one.
  std::int64_t unsettled() const { return unsettled_; }

 protected:
  btScalar solveGroupCacheFriendlySetup(btCollisionObject** bodies, int numBodies, btPersistentManifold** manifolds,
                                        int numManifolds, btTypedConstraint** constraints, int numConstraints,
                                        const btContactSolverInfo& info, btIDebugDraw* debugDrawer) override;
  btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int numBodies,
                                         const btContactSolverInfo& info) override;

 private:
  /// Returns whether anything but the rows of their joints acts on robots.
  bool loaded() const;

  std::int64_t unsettled_ = 0;
  JointStart start_;
};

/// Bullet's solver of mixed linear complementarity problems, which leaves the softness of rows out of its matrix.
class LcpSolver final : public btMultiBodyMLCPConstraintSolver {
 public:
  using btMultiBodyMLCPConstraintSolver::btMultiBodyMLCPConstraintSolver;

 protected:
  void createMLCPFast(const btContactSolverInfo& info) override;
};

}  // namespace mortise::bullet
