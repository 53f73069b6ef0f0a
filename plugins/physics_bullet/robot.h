#pragma once

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <memory>
#include <span>
#include <vector>

#include "bullet_settings.h"
#include "drive_rows.h"
#include "mortise/component/physics.h"
#include "mortise/dynamics/scene_bodies.h"

namespace mortise::bullet {

/// Which bodies and joints make up one articulated body.
struct RobotPlan {
  int base = -1;            ///< Body index of the base; -1: the world.
  bool fixedBase = true;    ///< The base does not move; it is then no part of the articulated body.
  std::vector<int> joints;  ///< Joint indices, parents first.
};

/// One tree of joints for each child of the world or of a fixed body, one for each free root. Throws `Error` for a
/// joint that hangs on a kinematic body or whose child comes before its parent.
std::vector<RobotPlan> planRobots(const SceneDescription& description);

/// A tree of joints: Bullet's `btMultiBody` in reduced coordinates with its colliders, motors and limits.
class Robot {
 public:
  Robot(const SceneDescription& description, RobotPlan plan, std::span<const MassFrame> frames,
        const BulletSettings& settings);

  btMultiBody& multiBody() { return *multiBody_; }
  const RobotPlan& plan() const { return plan_; }
  int numLinks() const { return static_cast<int>(links_.size()); }
  int linkBody(int link) const { return links_[link].body; }
  int linkJoint(int link) const { return links_[link].joint; }

  /// Hangs a collider with `shape` on a link, or on the base (-1).
  btMultiBodyLinkCollider& addCollider(int link, btCollisionShape& shape);
  btMultiBodyLinkCollider* collider(int link) const;
  void addTo(btMultiBodyDynamicsWorld& world);
  void removeFrom(btMultiBodyDynamicsWorld& world);

  // State, in the terms of the scene.
  void setBase(const RigidTransform& X_WC, const Vector3d& v_WC, const Vector3d& w_WC);
  void setJoint(int link, double position, double velocity);
  /// Recomputes frames and velocities after the state has changed.
  void update();
  /// Returns the pose of the center-of-mass frame C of a link or the base (-1), as of the last `update`.
  RigidTransform pose(int link) const;
  Vector3d linearVelocity(int link) const { return velocities_[link + 1]; }
  Vector3d angularVelocity(int link) const { return omegas_[link + 1]; }
  JointState jointState(int link) const;

  void setDrive(int link, const JointDrive& drive) { links_[link].drive = drive; }
  void applyWrench(int link, const Vector3d& force, const Vector3d& torque, const Vector3d& point);
  /// Sets motors and joint torques for a step of `h`.
  void beginStep(double h);
  /// After Bullet's step.
  void endStep(double h);

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  struct Link {
    int body = -1, joint = -1;
    JointDrive drive;
    double effort = 0, stop = 0;  ///< Efforts of the last step.
    std::unique_ptr<DriveRows> rows;
    std::unique_ptr<btMultiBodyJointLimitConstraint> limit;  ///< Null: no stops.
  };
  void build(const SceneDescription& description, std::span<const MassFrame> frames, const BulletSettings& settings);
  std::vector<btMultiBodyConstraint*> constraints() const;

  RobotPlan plan_;
  std::vector<Link> links_;
  std::unique_ptr<btMultiBody> multiBody_;
  std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders_;
  std::vector<Vector3d> velocities_, omegas_;  ///< Velocities of base and links, world frame.
  std::vector<btVector3> scratchOmegas_, scratchVelocities_;
  btAlignedObjectArray<btQuaternion> scratchRotations_;
  btAlignedObjectArray<btVector3> scratchOrigins_;
};

}  // namespace mortise::bullet
