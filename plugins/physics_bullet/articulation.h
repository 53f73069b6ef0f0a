#pragma once

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <memory>
#include <span>
#include <vector>

#include "drive_solver.h"
#include "mass_frame.h"
#include "mortise/component/physics.h"

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

/// An articulated body in reduced coordinates: Bullet's `btMultiBody` with its colliders and frames, and its drives,
/// which Bullet does not solve.
class Articulation {
 public:
  Articulation(const SceneDescription& description, ArticulationPlan plan, std::span<const MassFrame> frames);
  ~Articulation();
  Articulation(const Articulation&) = delete;
  Articulation& operator=(const Articulation&) = delete;

  btMultiBody& multiBody() { return *multiBody_; }
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
  /// Of the centre-of-mass frame C of a link or the base (-1), as of the last `update`.
  RigidTransform pose(int link) const;
  Vector3d linearVelocity(int link) const { return velocities_[link + 1].linear; }
  Vector3d angularVelocity(int link) const { return velocities_[link + 1].angular; }

  // The step. `beginDrives` comes after Bullet's own forward dynamics and leaves the velocity that the body would have
  // without contacts, its drives on the pieces of their laws where the last step's contacts would put them.
  // `relinearize` is told what contacts change, and when that puts a drive on another piece, it finds the right pieces,
  // sets the velocity without contacts anew and returns true: the contacts must be solved again. `endDrives` comes
  // after all that.
  void setDrive(int link, const JointDrive& drive) { drives_[link] = drive; }
  const JointDrive& drive(int link) const { return drives_[link]; }
  void beginDrives(double h, double erp, double maxCorrectionSpeed);
  bool relinearize(const double* change);
  void endDrives();
  /// Whether impulses meet drives, so that Bullet's responses (of the body without drives) need replacing.
  bool driven() const { return driven_; }
  /// A mark for the solver while it makes rows anew.
  bool relinearized() const { return relinearized_; }
  void setRelinearized(bool mark) { relinearized_ = mark; }
  /// (M + E)^-1 of a force given in Bullet's order of coordinates (3 angular, 3 linear, joints).
  void respond(const double* force, double* response) const;
  double effort(int link) const { return efforts_[link]; }

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
  bool findStops(double h, double erp, double maxCorrectionSpeed);
  void computeInertia();
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
  std::vector<double> efforts_;
  DriveSolver solver_;
  bool driven_ = false, relinearized_ = false;
  std::vector<DriveSolver::Stops> stops_;
  std::vector<double> positions_, before_, after_, impulse_, scratch_;
  bool hasImpulse_ = false;

  struct Composite {
    double mass;
    Vector3d moment;   ///< Mass times position of the centre of mass.
    Matrix3d inertia;  ///< About the reference point.
  };
  std::vector<Composite> composites_;
  std::vector<Motion> axes_;  ///< Joint motion, linear part at the reference point.
};

}  // namespace mortise::bullet
