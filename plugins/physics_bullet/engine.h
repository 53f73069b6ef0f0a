#pragma once

#include <btBulletCollisionCommon.h>
#include <memory>
#include <vector>

#include "articulation.h"
#include "contact_dispatch.h"
#include "impulse_solver.h"
#include "mass_frame.h"
#include "settings.h"
#include "shapes.h"
#include "world.h"
#include "world_joints.h"

namespace mortise::bullet {

/// What never changes while a scene lives: description, tables and shapes.
struct SceneData {
  SceneData(const SceneDescription& description, const Settings& settings);

  SceneDescription description;
  Settings settings;
  std::vector<MassFrame> frames;  ///< By body; identity for bodies that are not dynamic.
  PairTable pairs;
  ShapeLibrary shapes;
};

/// One Bullet world with everything in it. Made anew when a snapshot is restored, so that nothing hidden survives (pair
/// caches, contact points, the broad phase's tree) and what follows depends on the snapshot alone.
class Engine {
 public:
  explicit Engine(const SceneData& data);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  World& world() { return *world_; }
  ContactDispatcher& dispatcher() { return *dispatcher_; }
  /// How a body is represented.
  const ConstraintEnd& end(int body) const { return ends_[body]; }
  /// Articulation and link of each joint.
  struct JointPlace {
    Articulation* articulation = nullptr;
    int link = -1;
  };
  const JointPlace& joint(int index) const { return joints_[index]; }
  const std::vector<std::unique_ptr<Articulation>>& articulations() const { return articulations_; }

  /// Pose and velocity of a body's frame B.
  BodyState bodyState(int body) const;
  void setBodyState(int body, const BodyState& state);
  /// Drops the contact points of a body that has been moved by hand.
  void forgetContacts(int body);
  void applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point);
  /// Kinematic bodies go on with the velocity they have.
  void moveKinematicBodies(double h);

 private:
  void addBody(int index);
  btCollisionObject* colliderOf(int body) const;

  const SceneData& data_;
  btDefaultCollisionConfiguration configuration_;
  std::unique_ptr<ContactDispatcher> dispatcher_;
  std::unique_ptr<btDbvtBroadphase> broadphase_;
  PairFilter filter_;
  std::unique_ptr<ImpulseSolver> solver_;
  std::vector<std::unique_ptr<btRigidBody>> rigidBodies_;
  std::unique_ptr<btRigidBody> ground_;
  std::vector<std::unique_ptr<Articulation>> articulations_;
  std::vector<ConstraintEnd> ends_;
  std::vector<JointPlace> joints_;
  std::vector<int> kinematic_;
  // The world lets go of everything above when it ends, and the joints of the world, so they come last.
  std::unique_ptr<World> world_;
  std::unique_ptr<WorldJoints> worldJoints_;
};

}  // namespace mortise::bullet
