#pragma once

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "mass_frame.h"
#include "mortise/component/physics.h"
#include "solver/drive_solver.h"

namespace mortise::bullet {

/// Which bodies and joints make up one articulated body.
struct ArticulationPlan {
  int base = -1;            ///< Body index of the base; -1: the world.
  bool fixedBase = true;    ///< The base does not move; it is then no part of the articulated body.
  std::vector<int> joints;  ///< Joint indices, parents first.
};

/// One tree of joints for each child of the world or of a fixed body, one for each free root. Throws `Error` for a
/// joint that hangs on a kinematic body or whose child comes before its parent.
std::vector<ArticulationPlan> planArticulations(const SceneDescription& description);

/// An articulated body in reduced coordinates: Bullet's `btMultiBody` with its colliders and frames, its drives, which
/// Bullet does not solve, and its rows of the contact solver.
class Articulation {
 public:
  Articulation(const SceneDescription& description, ArticulationPlan plan, std::span<const MassFrame> frames);
  ~Articulation();
  Articulation(const Articulation&) = delete;
  Articulation& operator=(const Articulation&) = delete;

  btMultiBody& multiBody() { return *multiBody_; }
  bool hasFixedBase() const { return multiBody_->hasFixedBase(); }
  const ArticulationPlan& plan() const { return plan_; }
  int numLinks() const { return static_cast<int>(links_.size()); }
  bool fixedBase() const { return plan_.fixedBase; }
  int linkBody(int link) const { return links_[link].body; }
  int linkJoint(int link) const { return links_[link].joint; }

  /// Hangs a collider with `shape` on a link, or on the base (-1).
  btMultiBodyLinkCollider& addCollider(int link, btCollisionShape& shape);
  std::span<const std::unique_ptr<btMultiBodyLinkCollider>> colliders() const { return colliders_; }

  // State, in the terms of the scene.
  void setBase(const RigidTransform& X_WC, const Vector3d& v_WC, const Vector3d& w_WC);
  void setJoint(int link, double position, double velocity);
  double position(int link) const { return multiBody_->getJointPos(link); }
  double velocity(int link) const { return multiBody_->getJointVel(link); }
  /// Recomputes frames and velocities after the state has changed.
  void update();
  /// Of the center-of-mass frame C of a link or the base (-1), as of the last `update`.
  RigidTransform pose(int link) const;
  Vector3d linearVelocity(int link) const { return velocities_[link + 1].linear; }
  Vector3d angularVelocity(int link) const { return velocities_[link + 1].angular; }

  // The step. `beginStep` runs Bullet's forward dynamics and leaves the velocity that the body would have without
  // contacts, its drives on the pieces of their laws where the last step's contacts would put them. `relinearize` is
  // told what contacts change, and when that puts a drive on another piece, it finds the right pieces and the velocity
  // without contacts anew and returns true: rows must be made again. `endStep` comes after all that; null: no contacts.
  // Velocities are in Bullet's order, 3 angular and 3 linear ones of a free base, then joints.
  void setDrive(int link, const JointDrive& drive) { drives_[link] = drive; }
  const JointDrive& drive(int link) const { return drives_[link]; }
  void beginStep(const Vector3d& gravity, double h, double erp, double maxCorrectionSpeed);
  bool relinearize(const double* change);
  void endStep(const double* change);
  /// Bullet's integration, and `update`. Of a free body, momentum then is what it must be: Bullet's joint rates are
  /// those at the start of the step, where the inertia was another, so the base takes up the difference.
  void integrate(double h);

  // Rows of the solver, between `beginStep` and `endStep`. With L^T L = M + E, M the inertia and E the slopes of the
  // drives' pieces in force, a row is J L^-1; it has entries only for `path`.
  int numVelocities() const { return static_cast<int>(after_.size()); }
  /// Velocities that move a link, descending.
  std::span<const int> path(int link) const { return paths_[link + 1]; }
  /// Those that move either of two.
  std::span<const int> path(int a, int b);
  /// The row of a force at a point of a link and a moment, in `y`; returns what it measures of the velocity without
  /// contacts.
  double makeRow(int link, const Vector3d& point, const Vector3d& force, const Vector3d& moment,
                 std::span<const int> path, double* y) const;
  /// The same for a force on `a` with its reaction on `b`.
  double makeRow(int a, int b, const Vector3d& point, const Vector3d& force, const Vector3d& moment,
                 std::span<const int> path, double* y);
  Vector3d freeVelocity(int link, const Vector3d& point) const;
  /// x = L^-1 x.
  void unwhiten(double* x) const { solver_.factor().solveLower(x); }

  double effort(int link) const { return efforts_[link]; }
  double stop(int link) const { return stopEfforts_[link]; }

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  struct Link {
    int body = -1, joint = -1, parent = -1;
    bool revolute = true;
    Vector3d axis = Vector3d::UnitZ();  ///< In C.
    Vector3d p_CJ = Vector3d::Zero();   ///< Joint origin at position 0, in C.
    double lower = 0, upper = 0;
  };
  struct Motion {
    Vector3d angular = Vector3d::Zero(), linear = Vector3d::Zero();
  };
  void findStops(double h, double erp, double maxCorrectionSpeed);
  void computeInertia();
  void addForces(const Vector3d& gravity);
  void updateVelocities();
  struct Momentum {
    Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
  };
  Momentum momentum(const Vector3d& about) const;
  void expectMomentum(double h);
  void restoreMomentum();
  double* velocityVector() { return const_cast<double*>(multiBody_->getVelocityVector()); }
  int skipped() const { return plan_.fixedBase ? 6 : 0; }  ///< Bullet's base coordinates that are not ours.

  ArticulationPlan plan_;
  std::vector<Link> links_;
  std::unique_ptr<btMultiBody> multiBody_;
  std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders_;
  btAlignedObjectArray<btQuaternion> scratchRotations_;
  btAlignedObjectArray<btVector3> scratchOrigins_;

  std::vector<Motion> velocities_;  ///< Of base and links.
  std::vector<JointDrive> drives_;
  std::vector<double> efforts_, stopEfforts_;
  DriveSolver solver_;
  std::vector<DriveSolver::Stops> stops_;
  std::vector<double> positions_, before_, after_, impulse_, scratch_;
  bool hasImpulse_ = false;
  Momentum expected_;  ///< At the end of the step, about `reference_`.
  std::vector<std::vector<int>> paths_;
  std::map<std::pair<int, int>, std::vector<int>> sharedPaths_;
  Vector3d reference_ = Vector3d::Zero();  ///< Origin of `axes_`.
  btAlignedObjectArray<btScalar> scratchReals_;
  btAlignedObjectArray<btVector3> scratchVectors_;
  btAlignedObjectArray<btMatrix3x3> scratchMatrices_;

  struct Composite {
    double mass;
    Vector3d moment;   ///< Mass times position of the center of mass.
    Matrix3d inertia;  ///< About the reference point.
  };
  std::vector<Composite> composites_;
  std::vector<Motion> axes_;  ///< Joint motion, linear part at the reference point.
};

}  // namespace mortise::bullet
