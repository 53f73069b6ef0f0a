#pragma once

#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <span>
#include <vector>

#include "articulation.h"
#include "contact_dispatch.h"
#include "settings.h"

namespace mortise::bullet {

/// Bullet's projected Gauss-Seidel solver, with what it lacks for us:
///  - contact rows of articulated bodies answer with their drives (`Articulation::respond`) and start from the last
///  impulses;
///  - restitution that neither gains energy from error correction nor vanishes in speculative contacts;
///  - contact stiffness and damping of the pair, and a limit on the speed at which penetration is pushed out.
class ImpulseSolver final : public btMultiBodyConstraintSolver {
 public:
  ImpulseSolver(const PairTable& pairs, const Settings& settings) : pairs_(pairs), settings_(settings) {}

  /// The articulated bodies of the world; each must be updated before `prepareContacts`.
  void setArticulations(std::vector<Articulation*> articulations) { articulations_ = std::move(articulations); }

  /// Decides for each contact point whether it bounces, and how soft it is. With velocities as they were before
  /// gravity.
  void prepareContacts(btDispatcher& dispatcher, double h);

 protected:
  void convertContacts(btPersistentManifold** manifolds, int numManifolds, const btContactSolverInfo& info) override;
  btScalar solveGroupCacheFriendlyIterations(btCollisionObject** bodies, int numBodies,
                                             btPersistentManifold** manifolds, int numManifolds,
                                             btTypedConstraint** constraints, int numConstraints,
                                             const btContactSolverInfo& info, btIDebugDraw* drawer) override;

 private:
  double alongRow(int jacobian, int response, const btMultiBody& body) const;
  double ownDiagonal(const btMultiBodySolverConstraint& row, bool coupled) const;
  double rowVelocity(const btMultiBodySolverConstraint& row) const;
  void respondWithDrives(btMultiBodySolverConstraint& row, bool coupled);
  bool relinearizeDrives();
  template <typename Row>
  void limitCorrection(Row& row, const btContactSolverInfo& info) const;
  void warmStart(btMultiBodySolverConstraint& row, double impulse);
  void warmStartAll();

  const PairTable& pairs_;
  const Settings& settings_;
  std::vector<Articulation*> articulations_;
  std::vector<double> scratch_;
  std::vector<double> targets_;  ///< Velocity each row strives for, while rows are made anew.
};

}  // namespace mortise::bullet
