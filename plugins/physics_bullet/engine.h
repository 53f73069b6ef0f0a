#pragma once

#include <btBulletCollisionCommon.h>
#include <memory>
#include <vector>

#include "articulation.h"
#include "bullet_settings.h"
#include "contact_dispatch.h"
#include "contact_list.h"
#include "mass_frame.h"
#include "shapes.h"
#include "solver/row_end.h"
#include "solver/row_solver.h"
#include "world_joints.h"

namespace mortise::bullet {

/// What never changes while a scene lives: description, tables and shapes.
struct SceneData {
  SceneData(const SceneDescription& description, const BulletSettings& settings);

  SceneDescription description;
  BulletSettings settings;
  std::vector<MassFrame> frames;  ///< By body; identity where a body cannot move by itself.
  ShapeLibrary shapes;            ///< Empty when contacts come from outside.
};

/// Bullet's bodies, and Bullet's collision world when it finds the contacts. That one is made anew when a snapshot is
/// restored, so that nothing hidden survives (pair caches, contact points, the broad phase's tree); without it a
/// snapshot is everything there is.
class Engine {
 public:
  Engine(const SceneData& data, PairTable& pairs);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// How a body is represented.
  const RowEnd& end(int body) const { return ends_[body]; }
  /// Whether a joint of a robot holds the body.
  bool isHeld(int body) const { return held_[body]; }
  void setDrive(int joint, const JointDrive& drive);
  void setJointState(int joint, double position, double velocity);
  JointState jointState(int joint) const;
  ContactList& contacts() { return contacts_; }
  const ContactList& contacts() const { return contacts_; }
  const WorldJoints& worldJoints() const { return *worldJoints_; }
  const RowSolver::Statistics& statistics() const { return solver_.statistics(); }

  /// Pose and velocity of a body's frame B.
  BodyState bodyState(int body) const;
  void setBodyState(int body, const BodyState& state);
  BodyMotion motion(int body) const { return motions_[body]; }
  /// For rigid bodies that are not fixed.
  void setMotion(int body, BodyMotion motion);
  /// Drops the contact points of a body that has been moved by hand.
  void forgetContacts(int body);
  void applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point);
  void step(const Vector3d& gravity, double h);

  void save(ByteWriter& out) const;
  /// Into an engine of the same scene.
  void restore(ByteReader& in);

 private:
  /// Articulation and link of each joint, where robots are articulated.
  struct JointPlace {
    Articulation* articulation = nullptr;
    int link = -1;
  };
  void addArticulation(const ArticulationPlan& plan);
  void addBody(int index);
  void addToWorld(btCollisionObject& object);
  btCollisionObject* colliderOf(int body) const;
  void applyMotion(int body);

  const SceneData& data_;
  const PairTable& pairs_;
  const bool ownContacts_;
  std::vector<BodyMotion> motions_;
  std::vector<std::unique_ptr<btRigidBody>> rigidBodies_;
  std::vector<int> rigidIndices_, rigidMovers_;  ///< By rigid body: body, and place in the solver or -1.
  std::vector<std::unique_ptr<Articulation>> articulations_;
  std::vector<RowEnd> ends_;
  std::vector<JointPlace> joints_;
  std::vector<bool> held_, hangs_;  ///< By a joint of a robot, as its child or its base; as its child.
  ContactList contacts_;
  RowSolver solver_;
  std::unique_ptr<WorldJoints> worldJoints_;

  struct CollisionWorld;
  std::unique_ptr<CollisionWorld> world_;  ///< Lets go of the bodies when it ends, so it comes last.
};

}  // namespace mortise::bullet
