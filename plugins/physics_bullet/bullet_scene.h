#pragma once

#include <btBulletDynamicsCommon.h>
#include <memory>
#include <optional>
#include <vector>

#include "bullet_settings.h"
#include "contact_dispatch.h"
#include "contacts.h"
#include "dynamics_world.h"
#include "joints.h"
#include "mortise/component/physics.h"
#include "mortise/dynamics/scene_bodies.h"
#include "robot.h"
#include "shapes.h"

namespace mortise::bullet {

/// A scene's bodies, robots and joints in Bullet's dynamics world. That world is made anew when a snapshot of a scene
/// with Bullet's own contacts is restored, so that nothing hidden survives (pair caches, contact points, the broad
/// phase's tree); with contacts from outside a snapshot is everything there is.
class BulletScene final : public Scene {
 public:
  BulletScene(const SceneDescription& description, const BulletSettings& settings);
  ~BulletScene() override;

  void setGravity(const Vector3d& gravity) override;
  void setJointDrives(std::span<const JointDrive> drives) override;
  void applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point) override;
  void setBodyState(int body, const BodyState& state) override;
  void setJointState(int joint, double position, double velocity) override;
  void setBodyMotion(int body, BodyMotion motion) override;
  void setCollision(int idA, int idB, bool on) override;
  void setContacts(std::span<const SceneContact> contacts) override;
  void step(double dt) override;
  void readBodies(std::span<BodyState> out) const override;
  void readJoints(std::span<JointState> out) const override;
  void readConstraints(std::span<JointState> out) const override { worldJoints_->read(out); }
  std::span<const ContactForce> contacts() const override { return contacts_.forces(); }
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;
  Value effectiveSettings() const override;
  StepBounds boundsHit() const override { return bounds_; }

 private:
  struct Wrench {
    int body;
    Vector3d force, torque, point;
  };
  /// Kinematic bodies go on with the velocity they have, which Bullet would only derive.
  struct Velocity {
    btVector3 linear{0, 0, 0}, angular{0, 0, 0};
  };

  // Building, in bullet_build.cpp.
  void addRobot(const RobotPlan& plan);
  void addBody(int index);
  void applyMotion(int body);
  void changeMotion(int body, BodyMotion motion);
  void enterWorld();
  void leaveWorld();

  bool ownContacts() const { return description_.contactSource == ContactSource::engine; }
  int checkedBody(int body) const;
  BodyState bodyState(int body) const;
  void applyPending();
  void moveKinematicBodies(double h);
  void settleKinematicBodies();
  void forgetContacts(int body);
  void forgetForbiddenContacts();
  /// A sleeping body feels no force and no new gravity.
  void wake(int body) {
    if (rigidBodies_[body] != nullptr) rigidBodies_[body]->activate();
  }

  SceneDescription description_;
  BulletSettings settings_;
  std::vector<MassFrame> frames_;  ///< By body; identity where a body cannot move by itself.
  ShapeLibrary shapes_;            ///< Empty when contacts come from outside.
  btEmptyShape noShape_;
  PairTable pairs_;
  std::vector<BodyMotion> motions_;
  std::vector<std::unique_ptr<btRigidBody>> rigidBodies_;  ///< By body; null: part of a robot.
  std::vector<Velocity> kinematic_;                        ///< By body.
  std::vector<std::unique_ptr<Robot>> robots_;
  std::vector<BodyEnd> ends_;
  std::vector<btCollisionObject*> colliders_;
  std::vector<BodyEnd> joints_;     ///< Robot and link that each joint moves.
  std::vector<bool> held_, hangs_;  ///< By a joint of a robot, as its child or its base; as its child.
  std::unique_ptr<WorldJoints> worldJoints_;
  Contacts contacts_;
  Vector3d gravity_;
  std::vector<Wrench> wrenches_;  ///< For the next step.
  StepBounds bounds_;             ///< Bounds of the last step.
  std::optional<DynamicsWorld> world_;
};

}  // namespace mortise::bullet
