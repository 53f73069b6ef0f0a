#pragma once

/// The interface of a physics backend. The runtime turns a `World` into a `SceneDescription` (bodies, joints, resolved
/// materials: the same for every engine); a backend turns that into its engine's objects and steps them.
///
/// To write one: derive from `Physics` and `Scene`, and register the class with
/// `plugin.physics<MyPhysics>("vendor.Name")`. All numbers are SI, all poses and velocities in the world frame unless a
/// name says otherwise.

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/base/value.h"
#include "mortise/component/host.h"
#include "mortise/geometry/geometry.h"
#include "mortise/math/inertia.h"
#include "mortise/math/transform.h"
#include "mortise/model/material.h"
#include "mortise/model/pair_table.h"

namespace mortise {

/// Something that the engine itself cannot do, whoever calls it: shown wherever its answers are compared.
struct EngineLimit {
  std::string subject;  ///< "collisions of bodies of very different mass"
  std::string text;     ///< Effect and time of it: a full sentence.
};

/// Declared, not guessed from names: the runtime compares it with what a world needs before the first step.
struct PhysicsCapabilities {
  bool externalContacts = false;  ///< `setContacts` works (`ContactSource::external`).
  bool ownContacts = false;       ///< Finds contacts by itself (`contacts: engine`).
  bool movingMeshes = false;      ///< Own contacts of non-convex meshes that move.
  bool implicitDrives = false;    ///< Joint stiffness, damping and friction are solved implicitly.
  bool kinematicBodies = false;
  bool motionChanges = false;     ///< `setBodyMotion` works for bodies that no joint holds.
  bool collisionChanges = false;  ///< `setCollision` works for the engine's own contacts.
  bool dynamics = true;           ///< False: nothing falls, joints follow their targets.
  bool worldJoints = false;       ///< Hinge, slider and fixed joints between free bodies.
  bool contactSoftness = false;   ///< Stiffness and damping of a contact are honored.
  bool restitution = true;        ///< Bodies bounce as their materials' restitution says.
  bool rollingFriction = false;   ///< Bodies that roll are held back as `SceneDescription::rolling` says.
  /// Penetration is corrected by a share of its depth a step, however short the step is. Parts of a step would correct
  /// it too fast and give bodies energy, so that steps are never divided.
  bool errorReductionPerStep = false;
  std::vector<EngineLimit> limits;
  enum class Restore { none, approximate, bitwise } restore = Restore::none;
  enum class Friction { none, pyramid, cone } friction = Friction::pyramid;
};

/// One shape of a body. `id` is the world id of the terrain, object or link it belongs to: a body made of welded links
/// carries shapes of several ids.
struct SceneShape {
  int id = -1;
  GeometryPtr geometry;
  RigidTransform X_BG;  ///< Pose of the geometry in the body's frame.
};

enum class BodyMotion { fixed, dynamic, kinematic };

struct SceneBody {
  std::string name;
  int id = -1;     ///< World id of the terrain, object or (first) link.
  int robot = -1;  ///< Index of the robot the body belongs to, else -1.
  BodyMotion motion = BodyMotion::dynamic;
  BodyInertia inertia;  ///< In the body's frame; mass > 0 and inertia positive definite for dynamic bodies.
  RigidTransform X_WB;  ///< Initial pose of the body's frame.
  Vector3d v_WB = Vector3d::Zero();  ///< Initial velocity of the body frame's origin.
  Vector3d w_WB = Vector3d::Zero();
  std::vector<SceneShape> shapes;
};

/// A joint of a robot: moves `child` relative to `parent`, X_PC = X_PC0 * motion(axis, position). A body is the child
/// of at most one joint and joints come parents first, so each robot is a tree; a tree whose root body is no joint's
/// child has a free base (or a fixed one, when the root's motion is `fixed`).
struct SceneJoint {
  std::string name;
  enum class Type { revolute, prismatic } type = Type::revolute;
  int parent = -1;  ///< Body index; -1: the world.
  int child = -1;   ///< Body index.
  RigidTransform X_PC0;
  Vector3d axis = Vector3d::UnitZ();                        ///< Unit vector, in the child's frame.
  double lower = -std::numeric_limits<double>::infinity();  ///< Stops; infinite: none.
  double upper = std::numeric_limits<double>::infinity();
  double position = 0, velocity = 0;  ///< Initial.
};

/// A joint that closes loops or ties free bodies: `<joint>` of world files. World coordinates at the initial poses.
struct SceneConstraint {
  enum class Type { fixed, hinge, slider } type = Type::fixed;
  int a = -1, b = -1;  ///< Body indices; -1: the world.
  Vector3d point = Vector3d::Zero(), axis = Vector3d::UnitZ();
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double friction = 0;  ///< Dry friction, N*m or N.
};

/// Pairs of shapes that may touch: a symmetric table over world ids.
class CollisionFilter {
 public:
  explicit CollisionFilter(int numIds = 0) : pairs_(numIds) {}
  void allow(int a, int b, bool on = true) { pairs_.set(a, b, on); }
  bool test(int a, int b) const {
    const int n = pairs_.size();
    return a >= 0 && b >= 0 && a < n && b < n && pairs_(a, b);
  }
  /// To walk over all of them.
  const PairTable& pairs() const { return pairs_; }

 private:
  PairTable pairs_;
};

/// Finder of contacts.
enum class ContactSource {
  engine,   ///< The backend, from the shapes of the bodies.
  external  ///< The caller, who hands them over with `setContacts` before each step; shapes need no engine objects.
};

struct SceneDescription {
  ContactSource contactSource = ContactSource::engine;
  Vector3d gravity = Vector3d(0, 0, -9.8);
  double timeStep = 0.001;  ///< Nominal; `step(dt)` says each time.
  double errorReduction = 0.95;
  double constraintForceMixing = 1e-6;
  int maxContacts = 20;  ///< For each pair of bodies.
  /// m/s: surfaces that are inside each other are pushed apart no faster than this.
  double maxPushOutSpeed = std::numeric_limits<double>::infinity();
  std::vector<SceneBody> bodies;
  std::vector<SceneJoint> joints;
  std::vector<SceneConstraint> constraints;
  CollisionFilter filter;
  std::vector<Surface> surfaces;  ///< By world id.

  /// Resolved once a pair, the same for each backend.
  ContactMaterial material(int idA, int idB) const { return combine(surfaces[idA], surfaces[idB]); }
  /// Returns the arm of rolling friction of a pair, m; 0: none.
  double rolling(int idA, int idB) const { return combinedRolling(surfaces[idA], surfaces[idB]); }
};

struct BodyState {
  RigidTransform X_WB;
  Vector3d v_WB = Vector3d::Zero();  ///< Velocity of the body frame's origin.
  Vector3d w_WB = Vector3d::Zero();
};

struct JointState {
  double position = 0;
  double velocity = 0;
  double effort = 0;  ///< Drive effort applied in the last step, friction and stops left out. N*m or N.
  double stop = 0;    ///< Mean effort of the stops in the last step; positive at the lower one. N*m or N.
};

/// Command of an actuator to a joint for the next step. The effort is
///   clamp(stiffness (target - q) + damping (targetVelocity - v) + feedforward, minEffort, maxEffort)
///   - viscousFriction v - dryFriction sign(v)   (dry friction sticks at v = 0),
/// with q and v taken at the end of the step, so that stiff gains stay stable.
struct JointDrive {
  double stiffness = 0;
  double damping = 0;
  double target = 0;
  double targetVelocity = 0;
  double feedforward = 0;
  double minEffort = -std::numeric_limits<double>::infinity();
  double maxEffort = std::numeric_limits<double>::infinity();
  double dryFriction = 0;
  double viscousFriction = 0;
};

/// A contact that the caller found, for the next step. Contacts are handed over some way before surfaces touch (`gap`
/// > 0, "speculative"): such a contact only forbids to close more than the gap in the step.
struct SceneContact {
  std::uint64_t key = 0;  ///< Stays the same while the contact persists: solvers start from the impulses of the last
                          ///< step by it. Unique among the contacts of a step.
  int bodyA = -1, bodyB = -1;  ///< Body indices, two different ones.
  int idA = -1, idB = -1;      ///< World ids.
  Vector3d point = Vector3d::Zero();
  Vector3d normal = Vector3d::UnitZ();  ///< Unit, from B to A.
  double gap = 0;                       ///< m, signed: negative when penetrating.
  ContactMaterial material;
};

/// Bounds on the work of a step that were hit in it; the step was taken as far as its solver had come.
struct StepBounds {
  bool sweeps = false;       ///< Iterations of the solver, before it met its own tolerance.
  bool directSolve = false;  ///< A direct or Newton solver was given up in favor of sweeps.
  bool contacts = false;     ///< Contacts were left out.
  bool any() const { return sweeps || directSolve || contacts; }
};

/// Substitution of a step: what it computed in place of what the scene says.
struct StepSubstitution {
  int body = -1;     ///< Body that moves.
  std::string text;  ///< A full sentence without its period, with what to do about it.
};

/// A contact of the last step and the force on A.
struct ContactForce {
  std::uint64_t key = 0;  ///< Key of external contacts; else 0.
  int idA = -1, idB = -1;
  int bodyA = -1, bodyB = -1;  ///< -1: the world.
  Vector3d point = Vector3d::Zero();
  Vector3d normal = Vector3d::UnitZ();  ///< Unit vector from B to A.
  double depth = 0;                     ///< m, before the step; negative: surfaces were apart by that much.
  Vector3d force = Vector3d::Zero();    ///< On A, mean over the step, N.
};

class Scene {
 public:
  virtual ~Scene();

  virtual void setGravity(const Vector3d& gravity) = 0;
  /// One drive a joint, in the order of the description; holds until set again.
  virtual void setJointDrives(std::span<const JointDrive> drives) = 0;
  /// Adds a force at a point and a torque for the next step only.
  virtual void applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point) = 0;
  virtual void setBodyState(int body, const BodyState& state) = 0;
  /// Also moves what hangs on the joint.
  virtual void setJointState(int joint, double position, double velocity) = 0;
  /// Makes a body that no joint holds kinematic (it goes on with the velocity it has, whatever pushes it) or dynamic
  /// again. Throws `Error` for a body held by a joint or fixed, or without the capability `motionChanges`.
  virtual void setBodyMotion(int body, BodyMotion motion) = 0;
  /// Switches contacts that the engine finds itself between two ids on or off; `idB` -1: between `idA` and all others.
  /// Never on beyond the description's filter. Only with the capability `collisionChanges`.
  virtual void setCollision(int idA, int idB, bool on) = 0;
  /// Contacts of the next step, in ascending order of (idA, idB); only with `ContactSource::external`. They hold for
  /// one step. Throws `Error` for bodies that do not exist and numbers that are not finite.
  virtual void setContacts(std::span<const SceneContact> contacts) = 0;

  /// Advances by `dt` seconds. Allocates nothing of its own once warm (engines may).
  virtual void step(double dt) = 0;

  /// `out` has one entry a body or joint of the description.
  virtual void readBodies(std::span<BodyState> out) const = 0;
  virtual void readJoints(std::span<JointState> out) const = 0;
  /// One entry a `SceneConstraint`: position (0 as described) and velocity of a hinge or slider, `effort` of its
  /// friction, `stop`; all 0 for fixed ones.
  virtual void readConstraints(std::span<JointState> out) const = 0;
  /// Contacts of the last step; valid until the next call that changes the scene.
  virtual std::span<const ContactForce> contacts() const = 0;

  /// Everything that the next steps depend on. `restore` takes bytes of `save` of a scene built from the same
  /// description and throws `Error` for others.
  virtual void save(ByteWriter& out) const = 0;
  virtual void restore(ByteReader& in) = 0;

  /// Settings that are really in force (solver, iterations, substituted masses, ...), for the run's record.
  virtual Value effectiveSettings() const = 0;

  /// Returns the bounds that the last step hit.
  virtual StepBounds boundsHit() const { return {}; }

  /// Returns those of the last step; valid until the next call that changes the scene.
  virtual std::span<const StepSubstitution> substitutions() const { return {}; }
};

class Physics {
 public:
  virtual ~Physics();
  virtual PhysicsCapabilities capabilities() const = 0;
  /// Throws `Error` when the scene holds something the backend cannot simulate.
  virtual std::unique_ptr<Scene> build(const SceneDescription& description) = 0;
};

}  // namespace mortise
